// Ctrl-C: the first one asks the run to end cleanly, a second one ends the program at once.
#pragma once

namespace ricochet::app {

void install_interrupt_handler();
bool interrupted();

}  // namespace ricochet::app
