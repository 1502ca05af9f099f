// Anderson acceleration of a fixed-point iteration x <- G(x), here the sweeps of cone/gauss_seidel on one island.
//
// From the last few iterates it builds the affine combination whose changes f = G(x) - x nearly cancel, and jumps there
// (D. G. Anderson, J. ACM 12, 1965; type II of Fang & Saad, Numer. Linear Algebra Appl. 16, 2009; Walker & Ni, SIAM J.
// Numer. Anal. 49, 2011): with the differences of successive changes and images as columns,
//
//   dF = ( f_1 - f_0, f_2 - f_1, ... ),     dG = ( G_1 - G_0, ... ),
//   gamma = argmin | f_k - dF gamma |,      x_{k+1} = G_k - dG gamma.
//
// For linear maps this is GMRES in disguise; sweeps are linear as long as no contact changes between open, stick and
// slip. Where one does, the past misleads, so nothing is taken on trust: whoever uses this compares |f| at the new
// point with |f| before, and goes back to G_k and forgets the past if it has not fallen.
//
// Components are weighted (an impulse over the scale of its contact), so that units and ratios of mass do not matter.
// gamma comes from the normal equations of at most kWindow columns, regularised by round-off of their trace.
#pragma once

#include <vector>

#include "ricochet/math/types.hpp"

namespace ricochet::cone {

class Anderson {
 public:
  static constexpr int kWindow = 8;

  // Forgets everything. Does not allocate once it has seen this size.
  void reset(int size);
  // Forgets the past, but not the size.
  void restart() { columns_ = past_ = 0; }

  // From `change` = weights * (image - x), `image` = G(x), both of the same size: the next x. False, and `next` is the
  // image, as long as there is no past.
  bool extrapolate(const double* change, const double* image, double* next);

 private:
  bool find_coefficients(const double* change, double* gamma) const;

  int size_ = 0;
  int past_ = 0;     // 1 if last_change_ and last_image_ are there
  int columns_ = 0;  // all that have been written; the last kWindow of them are in use
  std::vector<double> last_change_, last_image_;
  std::vector<double> change_steps_, image_steps_;  // dF and dG, column by column, in turn
  double gram_[kWindow * kWindow] = {};             // dF^T dF
};

}  // namespace ricochet::cone
