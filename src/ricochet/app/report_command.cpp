#include <fmt/format.h>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/io/report.hpp"

namespace ricochet::app {

int report_command(const std::string& directory) {
  io::write_report(directory);
  say(fmt::format("{}/report.html\n", directory));
  return exit_done;
}

}  // namespace ricochet::app
