#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/interrupt.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/io/gallery_page.hpp"
#include "ricochet/io/result_reader.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/shipped_scenes.hpp"
#include "ricochet/io/text_output.hpp"
#include "ricochet/io/thumbnail.hpp"

namespace ricochet::app {
namespace {

std::string verdict_of(int code, bool has_facts) {
  switch (code) {
    case exit_done:
      return has_facts ? "✓ all facts hold" : "complete";
    case exit_expectation_failed:
      return "✗ a fact does not hold";
    case exit_interrupted:
      return "interrupted";
    default:
      return "✗ stopped before its end";
  }
}

void check_place(const std::filesystem::path& directory, const std::filesystem::path& page) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw io::OutputError(fmt::format("'{}' cannot be made: {}", directory.string(), error.message()));
  if (!std::filesystem::exists(page, error)) return;
  std::string start(io::gallery_mark.size(), '\0');
  std::ifstream(page, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start != io::gallery_mark) {
    throw io::OutputError(
        fmt::format("'{}' exists and is not a gallery of ours; choose another directory", page.string()));
  }
}

}  // namespace

int scenes_gallery_command(const GalleryOptions& options) {
  const std::filesystem::path directory = options.directory, page = directory / "index.html";
  std::vector<std::string> ids;
  for (const std::string& id : io::matching_scenes(options.patterns)) {
    if (id.find('/') == std::string::npos) ids.push_back(id);  // no variants
  }
  if (ids.empty()) throw io::OutputError("a gallery has scenes, not variants; name at least one scene");
  check_place(directory, page);

  std::vector<io::GalleryCard> cards;
  int worst = exit_done;
  for (const std::string& id : ids) {
    const auto start = std::chrono::steady_clock::now();
    const study::Case scene = io::read_scene(io::shipped_scene_path(id)).run_case;
    RunOptions run;
    run.scene = id;
    run.out = (directory / id).string();
    run.quiet = true;
    const int code = run_command(run);
    const io::ResultReader result(directory / id / "result.h5");
    const std::size_t middle = (result.rows() - 1) * 2 / 5;
    cards.push_back({id, scene.name, scene.description, verdict_of(code, !scene.facts.empty()), code == exit_done,
                     io::thumbnail_svg(result, middle), true});
    io::write_text_file(page, io::gallery_page(cards));  // after each, so that one can look while it goes on
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    say(fmt::format("{:<28} {:6.1f} s  {}\n", id, seconds.count(), cards.back().verdict));
    if (code != exit_done) worst = code;
    if (interrupted()) return exit_interrupted;
  }
  say(fmt::format("{}\n", page.string()));
  return worst;
}

}  // namespace ricochet::app
