// io/result_directory: a result appears whole or not at all, and nothing of the user is deleted.
#include "ricochet/io/result_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>

#include "io/output_test_support.hpp"

namespace ricochet::io {
namespace {

using test::file_text;
using test::put_file;
using test::TemporaryDirectory;
using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* small_summary = R"({"format": 1, "program": "ricochet", "complete": true})";

void make_result(const fs::path& directory) {
  fs::create_directories(directory);
  put_file(directory / "summary.json", small_summary);
  put_file(directory / "history.csv", "old");
}

std::vector<std::string> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

template <class Error>
std::string complaint_about(const fs::path& target) {
  try {
    const ResultDirectory directory(target);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// The number of a process that has ended.
pid_t ended_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

TEST(ResultDirectory, AppearsOnlyWhenFinished) {
  const TemporaryDirectory folder;
  {
    ResultDirectory directory(folder / "new/parent/out/");
    EXPECT_EQ(directory.target(), fs::canonical(folder.path()) / "new/parent/out");
    EXPECT_EQ(directory.partial().string(), directory.target().string() + ".partial-" + std::to_string(getpid()));
    put_file(directory.file("summary.json"), small_summary);
    EXPECT_FALSE(fs::exists(folder / "new/parent/out"));
    directory.finish();
  }
  EXPECT_EQ(names_in(folder / "new/parent"), std::vector<std::string>{"out"});
  EXPECT_EQ(file_text(folder / "new/parent/out/summary.json"), small_summary);
  EXPECT_TRUE(is_result_directory(folder / "new/parent/out"));
}

TEST(ResultDirectory, AnExceptionLeavesNothing) {
  const TemporaryDirectory folder;
  make_result(folder / "out");
  try {
    const ResultDirectory directory(folder / "out");
    put_file(directory.file("history.csv"), "half");
    throw std::runtime_error("something else went wrong");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"out"});
  EXPECT_EQ(file_text(folder / "out/history.csv"), "old");
}

TEST(ResultDirectory, ReplacesAResultOnlyAtTheEnd) {
  const TemporaryDirectory folder;
  make_result(folder / "out");
  put_file(folder / "out/checkpoint-100.h5", "only in the old one");
  {
    ResultDirectory directory(folder / "out");
    put_file(directory.file("summary.json"), small_summary);
    put_file(directory.file("history.csv"), "new");
    EXPECT_EQ(file_text(folder / "out/history.csv"), "old");
    directory.finish();
  }
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"out"});
  EXPECT_EQ(names_in(folder / "out"), (std::vector<std::string>{"history.csv", "summary.json"}));
  EXPECT_EQ(file_text(folder / "out/history.csv"), "new");
}

TEST(ResultDirectory, ReplacesAnEmptyDirectoryAndFollowsALink) {
  const TemporaryDirectory folder;
  fs::create_directory(folder / "real");
  fs::create_directory_symlink(folder / "real", folder / "link");
  {
    ResultDirectory directory(folder / "link");
    put_file(directory.file("summary.json"), small_summary);
    directory.finish();
  }
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(file_text(folder / "real/summary.json"), small_summary);
}

TEST(ResultDirectory, RelativePaths) {
  const TemporaryDirectory folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  {
    ResultDirectory directory("out");
    fs::current_path(before);  // the meaning of the path does not change with the working directory
    directory.finish();
  }
  EXPECT_TRUE(fs::is_directory(folder / "out"));
}

TEST(ResultDirectory, RemovesWhatAKilledRunLeft) {
  const TemporaryDirectory folder;
  const std::string dead = std::to_string(ended_process());
  make_result(folder / ("out.partial-" + dead));
  make_result(folder / ("other.partial-" + dead));
  make_result(folder / "out.partial-1");  // its number was given to another process, which has no lock there
  make_result(folder / "out.partial-x");
  make_result(folder / "out.partial-77");
  const ResumedDirectory in_use(folder / "out.partial-77/checkpoint-1.h5");
  put_file(folder / ("out.partial-" + dead) / "report.html.partial-77", "half a report");
  make_result(folder / ("out.partial-" + std::to_string(getpid())));  // an earlier process with our number
  { const ResultDirectory directory(folder / "out"); }
  EXPECT_EQ(names_in(folder.path()),
            (std::vector<std::string>{"other.partial-" + dead, "out.partial-77", "out.partial-x"}));
}

// Killed between its two renames, or while it removed the old result.
TEST(ResultDirectory, AnOldResultIsPutBackOrRemoved) {
  const TemporaryDirectory folder;
  make_result(folder / "out.partial-old-77");
  {
    const ResultDirectory directory(folder / "out");
    EXPECT_EQ(file_text(folder / "out/history.csv"), "old");
  }
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"out"});
  make_result(folder / "out.partial-old-77");
  make_result(folder / "out.partial-old-78");
  put_file(folder / "out.partial-old-78/thesis.tex", "");
  { const ResultDirectory directory(folder / "out"); }
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"out", "out.partial-old-78"}));
  EXPECT_EQ(ResumedDirectory(folder / "out.partial-old-78/checkpoint-1.h5").target("asked-for"), folder / "out");
}

TEST(ResultDirectory, KeepsWhatIsWritten) {
  const TemporaryDirectory folder;
  fs::path partial;
  {
    ResultDirectory directory(folder / "out");
    partial = directory.partial();
    put_file(directory.file("history.csv"), "half");
    directory.keep();
  }
  EXPECT_EQ(file_text(partial / "history.csv"), "half");
  { const ResultDirectory next(folder / "out"); }
  EXPECT_FALSE(fs::exists(partial));
}

// Checkpoints that nobody can read, or of another run, are no leftovers: see also tests/app/resume_test.cpp.
TEST(ResultDirectory, OnlyCheckpointsOfTheSameRunAreSuperseded) {
  const TemporaryDirectory folder;
  make_result(folder / "out");
  make_result(folder / "out.partial-77");
  make_result(folder / "out.partial-78");
  put_file(folder / "out.partial-78/checkpoint-1.h5", "");
  remove_superseded(folder / "out", {});
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"out", "out.partial-78"}));
}

TEST(ResultDirectory, KeepsCheckpointsAndForeignFilesOfAKilledRun) {
  const TemporaryDirectory folder;
  const std::string dead = "out.partial-" + std::to_string(ended_process());
  make_result(folder / dead);
  put_file(folder / dead / "checkpoint-100.h5", "");
  { const ResultDirectory directory(folder / "out"); }
  EXPECT_TRUE(fs::exists(folder / dead / "checkpoint-100.h5"));
}

TEST(ResultDirectory, AnExceptionLeavesCheckpoints) {
  const TemporaryDirectory folder;
  fs::path partial;
  {
    const ResultDirectory directory(folder / "out");
    partial = directory.partial();
    put_file(directory.file("checkpoint-100.h5"), "");
  }
  EXPECT_TRUE(fs::exists(partial / "checkpoint-100.h5"));
  // The next process with the same number has another directory.
  const ResultDirectory again(folder / "out");
  EXPECT_NE(again.partial(), partial);
  EXPECT_EQ(again.partial().string().find((folder / "out.partial-").string()), 0u);
  EXPECT_TRUE(fs::exists(partial / "checkpoint-100.h5"));
}

TEST(ResultDirectory, WhereAResumedRunGoes) {
  const TemporaryDirectory folder;
  const fs::path asked_for = folder / "asked-for";
  make_result(folder / "out");
  fs::create_directories(folder / "copy");
  fs::create_directories(folder / "long.partial-77");
  EXPECT_EQ(ResumedDirectory(folder / "out/checkpoint-1.h5").target(asked_for), folder / "out");
  EXPECT_EQ(ResumedDirectory(folder / "long.partial-77/checkpoint-1.h5").target(asked_for), folder / "long");
  EXPECT_EQ(ResumedDirectory(folder / "copy/checkpoint-1.h5").target(asked_for), asked_for);
}

TEST(ResultDirectory, OnlyWhatAKilledRunLeftIsRemoved) {
  const TemporaryDirectory folder;
  const auto make = [&](const std::string& name, const std::string& file) {
    make_result(folder / name);
    put_file(folder / name / "checkpoint-1.h5", "");
    put_file(folder / name / "checkpoint-2.h5.tmp", "");
    put_file(folder / name / "rows.log", "");
    if (!file.empty()) put_file(folder / name / file, "");
    remove_partial_directory(folder / name);
    return fs::exists(folder / name);
  };
  EXPECT_FALSE(make("out.partial-77", ""));
  EXPECT_TRUE(make("out.partial-78", "thesis.tex"));
  EXPECT_TRUE(make("out", ""));
  EXPECT_TRUE(make("out.partial-x", ""));
  fs::create_directories(folder / "out.partial-79");
  const ResumedDirectory in_use(folder / "out.partial-79/checkpoint-1.h5");
  EXPECT_TRUE(make("out.partial-79", ""));
  EXPECT_THROW(ResumedDirectory(folder / "out.partial-79/checkpoint-1.h5"), OutputError);
}

TEST(ResultDirectory, ARunThatIsKilledLosesNothingOld) {
  const TemporaryDirectory folder;
  make_result(folder / "out");
  const pid_t child = fork();
  if (child == 0) {
    const ResultDirectory directory(folder / "out");
    put_file(directory.file("history.csv"), "half");
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"out", "out.partial-" + std::to_string(child)}));
  EXPECT_EQ(file_text(folder / "out/history.csv"), "old");
  { const ResultDirectory directory(folder / "out"); }
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"out"});
}

TEST(ResultDirectoryBadInput, ForeignDirectoriesAreRefused) {
  const TemporaryDirectory folder;
  fs::create_directory(folder / "photos");
  put_file(folder / "photos/cat.jpg", "");
  EXPECT_THAT(complaint_about<OutputError>(folder / "photos"),
              HasSubstr("photos: exists and is not a Ricochet result"));
  for (const char* summary : {"", "not json", "[1]", "{}", R"({"format": 1})", R"({"program": "ricochet"})",
                              R"({"format": 1, "program": "other", "complete": true})",
                              R"({"format": "1", "program": "ricochet", "complete": true})",
                              R"({"format": 1, "program": "ricochet", "scenes": []})"}) {
    put_file(folder / "photos/summary.json", summary);
    EXPECT_THAT(complaint_about<OutputError>(folder / "photos"), HasSubstr("is not a Ricochet result")) << summary;
  }
  put_file(folder / "file", "text");
  EXPECT_THAT(complaint_about<OutputError>(folder / "file"), HasSubstr("file: exists and is not a directory."));
  EXPECT_TRUE(fs::exists(folder / "photos/cat.jpg"));
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"file", "photos"}));
}

TEST(ResultDirectoryBadInput, OnlyFilesOfARunAreReplaced) {
  const TemporaryDirectory folder;
  make_result(folder / "out");
  put_file(folder / "out/report.html.partial-77", "of a report that was killed");
  put_file(folder / "out/checkpoint-1.h5.tmp", "");
  put_file(folder / "out/problem-17.hdf5", "");
  EXPECT_EQ(complaint_about<OutputError>(folder / "out"), "");
  put_file(folder / "out/checkpoint-notes.txt", "");
  EXPECT_THAT(complaint_about<OutputError>(folder / "out"), HasSubstr("checkpoint-notes.txt"));
}

TEST(ResultDirectoryBadInput, AResultThatContainsSomethingElseIsRefused) {
  const TemporaryDirectory folder;
  make_result(folder / "out");
  make_result(folder / "out/variant");
  EXPECT_THAT(complaint_about<OutputError>(folder / "out"), HasSubstr("is a result, but also contains 'variant'"));
  EXPECT_EQ(complaint_about<OutputError>(folder / "out/variant"), "");
  make_result(folder / "other");
  put_file(folder / "other/notes.txt", "");
  EXPECT_THAT(complaint_about<OutputError>(folder / "other"), HasSubstr("notes.txt"));
}

TEST(ResultDirectoryBadInput, PlacesThatCannotBeWritten) {
  const TemporaryDirectory folder;
  put_file(folder / "file", "text");
  EXPECT_NE(complaint_about<OutputError>(folder / "file/out"), "");
  EXPECT_NE(complaint_about<OutputError>(folder / "file/deep/out"), "");
  EXPECT_NE(complaint_about<OutputError>("/proc/out"), "");
  EXPECT_NE(complaint_about<OutputError>("/"), "");
  EXPECT_NE(complaint_about<OutputError>(""), "");
  EXPECT_NE(complaint_about<OutputError>("/proc"), "");
  EXPECT_NE(complaint_about<OutputError>(folder / std::string(300, 'x')), "");
  fs::create_symlink(folder / "nowhere", folder / "dangling");
  EXPECT_NE(complaint_about<OutputError>(folder / "dangling"), "");
}

TEST(ResultDirectoryBadInput, TheSameDirectoryTwice) {
  const TemporaryDirectory folder;
  const ResultDirectory directory(folder / "out");
  EXPECT_THAT(complaint_about<OutputError>(folder / "out"), HasSubstr("cannot be written while"));
  EXPECT_TRUE(fs::exists(directory.partial()));
}

TEST(ResultDirectoryBadInput, WhatAppearsDuringTheRunIsNotReplaced) {
  const TemporaryDirectory folder;
  fs::path partial;
  {
    ResultDirectory directory(folder / "out");
    partial = directory.partial();
    put_file(directory.file("history.csv"), "new");
    fs::create_directory(folder / "out");
    put_file(folder / "out/letter.txt", "");
    EXPECT_THROW(directory.finish(), WriteError);
  }
  EXPECT_TRUE(fs::exists(folder / "out/letter.txt"));
  EXPECT_EQ(file_text(partial / "history.csv"), "new");  // the run was not for nothing
}

}  // namespace
}  // namespace ricochet::io
