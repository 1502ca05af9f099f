#include "ricochet/app/interrupt.hpp"

#include <csignal>

namespace ricochet::app {

namespace {

volatile std::sig_atomic_t interrupt_requested = 0;

void on_signal(int signal) {
  interrupt_requested = 1;
  std::signal(signal, SIG_DFL);  // the next one is final
}

}  // namespace

void install_interrupt_handler() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() { return interrupt_requested != 0; }

}  // namespace ricochet::app
