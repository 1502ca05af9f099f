#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/io/file_error.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/shipped_scenes.hpp"

namespace ricochet::app {

int scenes_list_command() {
  for (const std::string& id : io::shipped_scenes()) {
    const std::string path = io::shipped_scene_path(id);
    const std::size_t variants = io::variant_names(path).size();
    say(fmt::format("{:<28} {}{}\n", id, io::read_scene(path).run_case.name,
                    variants > 0 ? fmt::format(" ({} variants)", variants) : ""));
  }
  return exit_done;
}

int scenes_show_command(const std::string& id) {
  std::ifstream file(io::shipped_scene_path(id));
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw io::FileError(fmt::format("the scene '{}' cannot be read", id));
  say(text.str());
  return exit_done;
}

int scenes_copy_command(const std::string& id, const std::string& directory) {
  namespace fs = std::filesystem;
  const fs::path source = io::shipped_scene_path(id);
  const fs::path target = fs::path(directory) / source.filename();
  std::error_code error;
  fs::create_directories(directory, error);
  if (fs::exists(target)) {
    throw io::OutputError(
        fmt::format("'{}' exists already; remove it first or choose another directory", target.string()));
  }
  fs::copy_file(source, target, error);
  if (error) throw io::OutputError(fmt::format("'{}' cannot be written: {}", target.string(), error.message()));
  say(fmt::format("{}\n", target.string()));
  return exit_done;
}

}  // namespace ricochet::app
