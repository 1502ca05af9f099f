// A line on the terminal that tells how far a run is and how long it will still take. It is shown on standard error,
// only if that is a terminal, and wiped out at the end.
#pragma once

#include <chrono>
#include <string>

#include "ricochet/simulation/frame.hpp"

namespace ricochet::app {

class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar() { clear(); }

  void update(const simulation::Frame& frame);
  // For work that is not one run: the share that is done, and words about it.
  void update(double done, const std::string& words);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool due();  // it is shown, and the last picture is old enough
  void draw(double done, const std::string& words) const;

  bool shown_;  // standard error is a terminal and the user did not ask for quiet
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_drawn_ = start_;
};

// "3.2 s", "4 min 10 s", "2 h 5 min"
std::string duration_text(double seconds);

// Width of the terminal in columns, 80 if unknown.
int terminal_width();

}  // namespace ricochet::app
