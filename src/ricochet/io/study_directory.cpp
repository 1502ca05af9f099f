#include "ricochet/io/study_directory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "ricochet/io/version.hpp"

namespace ricochet::io {

namespace {

// All our JSON begins alike, see report_json.hpp and the writers that use it.
bool is_study_file(const std::filesystem::path& path) {
  const std::string expected = fmt::format(R"({{"format":{},"program":"{}")", file_format, program_name);
  std::string start(expected.size(), '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == expected;
}

}  // namespace

void prepare_study_directory(const std::filesystem::path& directory, std::string_view mark) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw OutputError(fmt::format("{}: cannot be made: {}.", directory.string(), error.message()));
  if (!std::filesystem::is_empty(directory, error) && !error && !is_study_file(directory / mark)) {
    throw OutputError(
        fmt::format("{}: exists and is not such a study (it has no {} of ours); choose another directory with --out.",
                    directory.string(), mark));
  }
  if (error) throw OutputError(fmt::format("{}: cannot be read: {}.", directory.string(), error.message()));
  if (access(directory.c_str(), W_OK | X_OK) != 0) {
    throw OutputError(fmt::format("{}: cannot be written to.", directory.string()));
  }
}

}  // namespace ricochet::io
