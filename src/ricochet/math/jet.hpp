// A number together with its first two derivatives with respect to time.
#pragma once

namespace ricochet::math {

struct Jet {
  double value = 0, rate = 0, acceleration = 0;
};

}  // namespace ricochet::math
