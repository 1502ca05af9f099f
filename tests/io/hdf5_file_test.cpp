// io/hdf5_file: what is written comes back, and what cannot be written or read is told.
#include "ricochet/io/hdf5_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "io/hdf5_complaint.hpp"
#include "io/output_test_support.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::io {
namespace {

using test::hdf5_complaint;
using test::TemporaryDirectory;
using testing::HasSubstr;

TEST(Hdf5File, DatasetsComeBack) {
  const TemporaryDirectory folder;
  const std::vector<double> numbers = {1.5, -0.0, std::numeric_limits<double>::denorm_min(), 1e300, 5, 6};
  const std::vector<std::int64_t> integers = {std::numeric_limits<std::int64_t>::min(), 0, 7};
  const std::vector<std::string> texts = {"", "a", "Stoß und Reibung", std::string(100'000, 'x')};
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.write("/deep/in/numbers", numbers, {3, 2});
    file.write("/integers", integers);
    file.write("/texts", texts);
    file.write("/none", std::vector<double>{}, {0, 3});
    file.write("/no_texts", std::vector<std::string>{});
    file.write_number("/one", -3);
    file.write_text("/text", texts[3]);
    file.write_text("/empty", "");
    file.make_group("/group/below");
    file.write_attribute("/", "program", "ricochet");
    file.write_attribute("/integers", "count", std::int64_t{3});
    file.write_attribute("/group", "ratio", 0.1);
    file.close();
  }
  const Hdf5File file = Hdf5File::open(folder / "a.h5");
  EXPECT_EQ(file.read_doubles("/deep/in/numbers"), numbers);
  EXPECT_EQ(file.shape("/deep/in/numbers"), (Hdf5File::Shape{3, 2}));
  EXPECT_EQ(file.read_integers("/integers"), integers);
  EXPECT_EQ(file.read_doubles("/integers")[2], 7.0);
  EXPECT_EQ(file.read_texts("/texts"), texts);
  EXPECT_EQ(file.shape("/none"), (Hdf5File::Shape{0, 3}));
  EXPECT_TRUE(file.read_doubles("/none").empty());
  EXPECT_TRUE(file.read_texts("/no_texts").empty());
  EXPECT_EQ(file.read_integer("/one"), -3);
  EXPECT_EQ(file.read_double("/one"), -3.0);
  EXPECT_TRUE(file.shape("/one").empty());
  EXPECT_EQ(file.read_text("/text"), texts[3]);
  EXPECT_EQ(file.read_text("/empty"), "");
  EXPECT_EQ(file.read_text_attribute("/", "program"), "ricochet");
  EXPECT_EQ(file.read_integer_attribute("/integers", "count"), 3);
  EXPECT_EQ(file.read_double_attribute("/group", "ratio"), 0.1);
  EXPECT_TRUE(file.has_attribute("/group", "ratio"));
  EXPECT_FALSE(file.has_attribute("/group", "count"));
  EXPECT_FALSE(file.has_attribute("/nowhere", "count"));
  EXPECT_TRUE(file.contains("/deep/in"));
  EXPECT_TRUE(file.contains("/deep/in/numbers"));
  EXPECT_FALSE(file.contains("/deep/out/numbers"));
  EXPECT_FALSE(file.contains("/integers/below"));
  EXPECT_EQ(file.list("/deep/in"), std::vector<std::string>{"numbers"});
  EXPECT_EQ(file.list("/group"), std::vector<std::string>{"below"});
}

// A killed program leaves a file that holds what was flushed.
TEST(Hdf5File, FlushedRowsSurviveAKill) {
  const TemporaryDirectory folder;
  const pid_t child = fork();
  if (child == 0) {
    Hdf5File file = Hdf5File::create(folder / "killed.h5");
    auto series = file.make_series<double>("/time");
    for (int i = 0; i < 10'000; ++i) series.append(i);
    file.flush();
    series.append(-1.0);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const std::vector<double> time = Hdf5File::open(folder / "killed.h5").read_doubles("/time");
  ASSERT_EQ(time.size(), 10'000u);
  EXPECT_EQ(time.back(), 9999.0);
}

TEST(Hdf5FileBadInput, PlacesThatCannotBeWritten) {
  const TemporaryDirectory folder;
  test::put_file(folder / "file", "");
  EXPECT_THAT(hdf5_complaint([&] { Hdf5File::create(folder / "file/a.h5"); }), HasSubstr("WriteError"));
  EXPECT_THAT(hdf5_complaint([&] { Hdf5File::create(folder / "none/a.h5"); }), HasSubstr("No such file or directory."));
  EXPECT_THAT(hdf5_complaint([&] { Hdf5File::create("/dev/full"); }), HasSubstr("is not a file"));
  EXPECT_THAT(hdf5_complaint([&] { Hdf5File::create(folder.path()); }), HasSubstr("is not a file"));
}

// Writes a bit of everything and returns the complaint, if any.
std::string write_everything(const std::filesystem::path& path) {
  return hdf5_complaint([&] {
    Hdf5File file = Hdf5File::create(path);
    file.write("/list", std::vector<double>(100, 1.0));
    file.write_text("/text", "text");
    file.write_attribute("/list", "unit", "m");
    auto series = file.make_series<double>("/values", {3});
    auto texts = file.make_text_series("/texts", 10);
    math::Random random(1);
    for (int i = 0; i < 10'000; ++i) {
      series.append(std::vector<double>{random.uniform(), random.uniform(), random.uniform()});
      if (i % 100 == 0) texts.append("text");
      if (i % 4000 == 1) file.flush();
    }
    file.close();
  });
}

// A full disk, played by a limit on the size of files, at any moment of the writing: an exception, and no crash at the
// end of the program, which is where HDF5 itself would crash.
TEST(Hdf5FileBadInput, FullDisk) {
  const TemporaryDirectory folder;
  ASSERT_EQ(write_everything(folder / "whole.h5"), "");
  const std::uintmax_t whole = std::filesystem::file_size(folder / "whole.h5");
  for (const std::uintmax_t bytes : {std::uintmax_t{0}, std::uintmax_t{100}, std::uintmax_t{1000}, std::uintmax_t{2000},
                                     std::uintmax_t{5000}, whole / 10, whole / 2, whole - 5000, whole - 1}) {
    std::fflush(nullptr);  // the child ends as a program does, and would print again what is still in our buffers
    const pid_t child = fork();
    if (child == 0) {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit = {bytes, bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
      const std::string complaint = write_everything(folder / "full.h5");
      std::exit(complaint.starts_with("WriteError") && complaint.ends_with(": File too large.") ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << bytes << " bytes, status " << status;
  }
}

}  // namespace
}  // namespace ricochet::io
