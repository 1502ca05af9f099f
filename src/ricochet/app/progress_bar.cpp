#include "ricochet/app/progress_bar.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ricochet::app {

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

int terminal_width() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

ProgressBar::ProgressBar(bool wanted) : shown_(wanted && isatty(STDERR_FILENO) == 1) {}

void ProgressBar::update(const simulation::Frame& frame) {
  if (!due()) return;
  const double done = static_cast<double>(frame.step_index) / static_cast<double>(std::max(frame.step_count, 1L));
  draw(done, fmt::format("t = {:.4g} s  {} contacts", frame.state.time, frame.contacts.size()));
}

void ProgressBar::update(double done, const std::string& words) {
  if (due()) draw(done, words);
}

bool ProgressBar::due() {
  if (!shown_) return false;
  const Clock::time_point now = Clock::now();
  if (drawn_ && now - last_drawn_ < std::chrono::milliseconds(100)) return false;
  last_drawn_ = now;
  drawn_ = true;
  return true;
}

void ProgressBar::draw(double done, const std::string& words) const {
  const double elapsed = std::chrono::duration<double>(last_drawn_ - start_).count();
  std::string text = fmt::format(" {:3.0f} %  {}", 100 * done, words);
  // The first moments are no measure.
  if (elapsed > 0.25 && done > 0) text += fmt::format("  {} to go", duration_text(elapsed * (1 - done) / done));
  const int width = std::clamp(terminal_width() - static_cast<int>(text.size()) - 3, 0, 40);
  const int filled = static_cast<int>(done * width);
  std::fputs(fmt::format("\r\x1b[K[{}{}]{}", std::string(filled, '='), std::string(width - filled, ' '), text).c_str(),
             stderr);
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace ricochet::app
