#include <fmt/format.h>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/io/vtk_export.hpp"

namespace ricochet::app {

int export_command(const ExportOptions& options) {
  const io::VtkExport done = io::export_vtk(options.result, options.vtk, static_cast<std::size_t>(options.frames));
  if (done.frames < done.rows) {
    say(fmt::format("notice: {} of {} rows, at equal distances; --frames 0 exports all\n", done.frames, done.rows));
  }
  say(fmt::format("{0}/bodies.pvd\n{0}/contacts.pvd\n{0}/surfaces.pvd\n", options.vtk));
  return exit_done;
}

}  // namespace ricochet::app
