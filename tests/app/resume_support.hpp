// What tests of interrupted runs look at: checkpoints, results that must be the same, and what is left behind.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "app/program.hpp"
#include "ricochet/io/hdf5_file.hpp"

namespace ricochet::test {

inline const std::string often = "1e-9";  // s from one checkpoint to the next: after every step

// Checkpoints of a result directory or of the partial one, the newest first.
inline std::vector<fs::path> checkpoints_in(const fs::path& parent, const std::string& out) {
  static const std::regex pattern("checkpoint-([0-9]+)\\.h5");
  std::vector<std::pair<long, fs::path>> found;
  std::error_code error;
  for (const auto& directory : fs::directory_iterator(parent, error)) {
    const std::string name = directory.path().filename().string();
    if (name != out && !name.starts_with(out + ".partial-")) continue;
    for (fs::directory_iterator file(directory.path(), error); !error && file != fs::directory_iterator();
         file.increment(error)) {
      const std::string file_name = file->path().filename().string();
      std::smatch match;
      if (std::regex_match(file_name, match, pattern)) found.emplace_back(std::stol(match[1]), file->path());
    }
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> paths;
  for (auto& [step, path] : found) paths.push_back(path);
  return paths;
}

// summary.json without the lines that tell how long it took.
inline std::string summary_without_times(const fs::path& path) {
  const std::string text = read_file(path);
  static const std::regex times("\"wall_seconds\": [^\n]*|\"seconds_per_stage\": \\{[^}]*\\}");
  return std::regex_replace(text, times, "");
}

inline void expect_same_dataset(const io::Hdf5File& a, const io::Hdf5File& b, const std::string& name) {
  EXPECT_EQ(a.shape(name), b.shape(name)) << name;
  const auto bytes = [&](const io::Hdf5File& file) {
    try {
      const std::vector<double> values = file.read_doubles(name);
      return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
    } catch (const io::FileError&) {
      std::string all;
      for (const std::string& text : file.read_texts(name)) all += text + '\n';
      return all;
    }
  };
  EXPECT_TRUE(bytes(a) == bytes(b)) << name;
}

inline void expect_same_rows(const fs::path& resumed, const fs::path& whole) {
  for (const char* name : {"history.csv", "contacts.csv"}) {
    EXPECT_FALSE(read_file(whole / name).empty());
    EXPECT_TRUE(read_file(resumed / name) == read_file(whole / name)) << name;
  }
}

// All datasets of a group and of the groups in it.
inline void expect_same_group(const io::Hdf5File& a, const io::Hdf5File& b, const std::string& group) {
  const std::vector<std::string> members = b.list(group);
  EXPECT_EQ(a.list(group), members);
  for (const std::string& member : members) {
    const std::string path = (group == "/" ? "" : group) + "/" + member;
    bool is_group = true;
    try {
      b.list(path);
    } catch (const io::FileError&) {
      is_group = false;
    }
    if (is_group) {
      expect_same_group(a, b, path);
    } else {
      expect_same_dataset(a, b, path);
    }
  }
}

inline void expect_same_result(const fs::path& resumed, const fs::path& whole) {
  EXPECT_EQ(summary_without_times(resumed / "summary.json"), summary_without_times(whole / "summary.json"));
  expect_same_rows(resumed, whole);
  const io::Hdf5File a = io::Hdf5File::open(resumed / "result.h5"), b = io::Hdf5File::open(whole / "result.h5");
  expect_same_group(a, b, "/");
}

// A result that is complete lies alone: nothing of the runs that were killed on the way to it is left. The list of
// everything tells what it was.
inline void expect_nothing_left(const fs::path& parent) {
  for (const auto& entry : fs::directory_iterator(parent)) {
    const std::string name = entry.path().filename().string();
    if (name == "part" || !name.starts_with("part")) continue;
    std::string contents;
    for (const auto& file : fs::directory_iterator(entry)) contents += ' ' + file.path().filename().string();
    ADD_FAILURE() << name << " is left with" << contents;
  }
}

}  // namespace ricochet::test
