#include "ricochet/app/problem_choice.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>

#include "ricochet/io/input_error.hpp"

namespace ricochet::app {

namespace {

std::vector<std::string> problems_of_directory(const std::string& name) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(name, error)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".hdf5" || extension == ".dat") found.push_back(entry.path().string());
  }
  if (error) throw io::InputError({}, fmt::format("the directory '{}' cannot be read: {}", name, error.message()));
  if (found.empty()) {
    throw io::InputError({}, fmt::format("there is no problem file (*.hdf5 or *.dat) in the directory '{}'", name));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> problems_of_glob(const std::string& pattern) {
  glob_t matches = {};
  const int status = glob(pattern.c_str(), 0, nullptr, &matches);
  std::vector<std::string> found;
  for (std::size_t i = 0; status == 0 && i < matches.gl_pathc; ++i) found.emplace_back(matches.gl_pathv[i]);
  globfree(&matches);
  if (found.empty()) throw io::InputError({}, fmt::format("no file matches '{}'", pattern));
  return found;
}

}  // namespace

std::vector<std::string> choose_problems(const std::vector<std::string>& names) {
  std::vector<std::string> problems;
  for (const std::string& name : names) {
    std::error_code error;
    std::vector<std::string> meant = {name};
    if (std::filesystem::is_directory(name, error)) {
      meant = problems_of_directory(name);
    } else if (!std::filesystem::exists(name, error) && name.find_first_of("*?[") != std::string::npos) {
      meant = problems_of_glob(name);
    }
    problems.insert(problems.end(), meant.begin(), meant.end());
  }
  return problems;
}

}  // namespace ricochet::app
