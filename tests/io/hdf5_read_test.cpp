// io/hdf5_read: files from outside, which may be anything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/hdf5_complaint.hpp"
#include "io/output_test_support.hpp"
#include "ricochet/io/hdf5_file.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::io {
namespace {

using test::hdf5_complaint;
using test::TemporaryDirectory;
using testing::HasSubstr;

TEST(Hdf5ReadBadInput, WhatIsNotThere) {
  const TemporaryDirectory folder;
  test::put_file(folder / "text.h5", "this is not HDF5");
  test::put_file(folder / "empty.h5", "");
  EXPECT_THAT(hdf5_complaint([&] { Hdf5File::open(folder / "none.h5"); }), HasSubstr("there is no such file"));
  EXPECT_THAT(hdf5_complaint([&] { Hdf5File::open(folder.path()); }), HasSubstr("is not a file"));
  EXPECT_THAT(hdf5_complaint([&] { Hdf5File::open("/dev/zero"); }), HasSubstr("is not a file"));
  EXPECT_THAT(hdf5_complaint([&] { Hdf5File::open(folder / "text.h5"); }), HasSubstr("cannot be read as an HDF5 file"));
  EXPECT_THAT(hdf5_complaint([&] { Hdf5File::open(folder / "empty.h5"); }),
              HasSubstr("cannot be read as an HDF5 file"));
}

TEST(Hdf5ReadBadInput, WrongDatasets) {
  const TemporaryDirectory folder;
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.write("/numbers", std::vector<double>{1, 2});
    file.write("/texts", std::vector<std::string>{"a", "b"});
    file.write_attribute("/numbers", "unit", "m");
    file.make_group("/group");
    file.close();
  }
  const Hdf5File file = Hdf5File::open(folder / "a.h5");
  EXPECT_THAT(hdf5_complaint([&] { file.read_doubles("/nothing"); }), HasSubstr("there is no /nothing in this file."));
  EXPECT_THAT(hdf5_complaint([&] { file.read_doubles("/no/thing"); }), HasSubstr("there is no /no/thing"));
  EXPECT_THAT(hdf5_complaint([&] { file.read_doubles("/group"); }), HasSubstr("cannot read /group"));
  EXPECT_THAT(hdf5_complaint([&] { file.read_doubles("/texts"); }), HasSubstr("/texts does not hold numbers."));
  EXPECT_THAT(hdf5_complaint([&] { file.read_integers("/numbers"); }), HasSubstr("does not hold whole numbers."));
  EXPECT_THAT(hdf5_complaint([&] { file.read_texts("/numbers"); }), HasSubstr("does not hold texts of fixed length."));
  EXPECT_THAT(hdf5_complaint([&] { file.read_double("/numbers"); }), HasSubstr("a single value but has 2."));
  EXPECT_THAT(hdf5_complaint([&] { file.read_double_attribute("/numbers", "unit"); }), HasSubstr("not hold numbers"));
  EXPECT_THAT(hdf5_complaint([&] { file.read_text_attribute("/numbers", "size"); }), HasSubstr("no attribute size"));
  EXPECT_THAT(hdf5_complaint([&] { file.list("/nothing"); }), HasSubstr("there is no group /nothing"));
}

// A dataset may say that it is long without storing anything: a file of a few kB asks for a terabyte.
TEST(Hdf5ReadBadInput, PromisesMoreThanItHolds) {
  const TemporaryDirectory folder;
  const hid_t file_id = H5Fcreate((folder / "bomb.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t size = hsize_t{1} << 37, chunk = 1024;
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 1, &chunk);
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 10);
  H5Dclose(H5Dcreate2(file_id, "chunks", H5T_IEEE_F64LE, space, H5P_DEFAULT, chunked, H5P_DEFAULT));
  H5Dclose(H5Dcreate2(file_id, "block", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Dclose(H5Dcreate2(file_id, "texts", text, space, H5P_DEFAULT, chunked, H5P_DEFAULT));
  H5Tclose(text);
  H5Pclose(chunked);
  H5Sclose(space);
  H5Fclose(file_id);
  const Hdf5File bomb = Hdf5File::open(folder / "bomb.h5");
  EXPECT_THAT(hdf5_complaint([&] { bomb.read_doubles("/chunks"); }), HasSubstr("more than the file can hold."));
  EXPECT_THAT(hdf5_complaint([&] { bomb.read_doubles("/block"); }), HasSubstr("more than the file can hold."));
  EXPECT_THAT(hdf5_complaint([&] { bomb.read_texts("/texts"); }), HasSubstr("more than the file can hold."));

  // What really is so much smaller when deflated, is read.
  Hdf5File file = Hdf5File::create(folder / "zeros.h5");
  auto series = file.make_series<double>("/zeros", {1000});
  for (int i = 0; i < 10'000; ++i) series.append(std::vector<double>(1000));
  file.close();
  EXPECT_LT(std::filesystem::file_size(folder / "zeros.h5"), 80'000'000u / 100);
  EXPECT_EQ(Hdf5File::open(folder / "zeros.h5").read_doubles("/zeros").size(), 10'000'000u);
}

TEST(Hdf5ReadBadInput, DamagedFiles) {
  const TemporaryDirectory folder;
  {
    Hdf5File file = Hdf5File::create(folder / "whole.h5");
    auto series = file.make_series<double>("/values", {3});
    math::Random random(1);
    for (int i = 0; i < 10'000; ++i) series.append(std::vector<double>{random.uniform(), random.uniform(), 1.0});
    file.close();
  }
  const std::string whole = test::file_text(folder / "whole.h5");
  for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 50) {
    test::put_file(folder / "cut.h5", whole.substr(0, length));
    EXPECT_THAT(hdf5_complaint([&] { Hdf5File::open(folder / "cut.h5").read_doubles("/values"); }),
                HasSubstr("FileError"))
        << length;
  }
  std::string damaged = whole;
  for (std::size_t i = whole.size() / 2; i < whole.size() / 2 + 100; ++i) damaged[i] = static_cast<char>(~damaged[i]);
  test::put_file(folder / "damaged.h5", damaged);
  EXPECT_THAT(hdf5_complaint([&] { Hdf5File::open(folder / "damaged.h5").read_doubles("/values"); }),
              HasSubstr("FileError"));
}

// Any few bytes may be wrong, also those that tell where things are: the file is read or refused, never a crash.
TEST(Hdf5ReadProperty, RandomDamage) {
  const TemporaryDirectory folder;
  {
    Hdf5File file = Hdf5File::create(folder / "whole.h5");
    auto series = file.make_series<double>("/group/values", {3});
    for (int i = 0; i < 500; ++i) series.append(std::vector<double>{1.0 * i, 2, 3});
    file.write("/group/texts", std::vector<std::string>{"abc", "defg"});
    file.write("/integers", std::vector<std::int64_t>{1, 2, 3});
    file.write_attribute("/integers", "unit", "m");
    file.close();
  }
  const std::string whole = test::file_text(folder / "whole.h5");
  const auto refused = [&](std::uint64_t seed) {
    math::Random random(seed);
    std::string damaged = whole;
    for (std::uint64_t left = 1 + random.integer(4); left > 0; --left) {
      const std::uint64_t place = random.integer(damaged.size());
      damaged[place] = static_cast<char>(random.integer(256));
    }
    test::put_file(folder / "damaged.h5", damaged);
    const std::string complaint = hdf5_complaint([&] {
      const Hdf5File file = Hdf5File::open(folder / "damaged.h5");
      file.list("/group");
      file.read_doubles("/group/values");
      file.read_texts("/group/texts");
      file.read_integers("/integers");
      file.read_text_attribute("/integers", "unit");
    });
    return !complaint.empty();
  };
  // In a process of its own: a crash is one failed test, and what the library leaks when it gives up is nobody's
  // concern.
  const pid_t child = fork();
  if (child == 0) {
    int count = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) count += refused(seed) ? 1 : 0;
    _exit(count > 30 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
}

// A chunk that is larger than its dataset: the library would read beyond its memory.
TEST(Hdf5ReadBadInput, ChunksThatDoNotFit) {
  const TemporaryDirectory folder;
  {
    Hdf5File file = Hdf5File::create(folder / "whole.h5");
    auto series = file.make_series<double>("/values", {3});
    for (int i = 0; i < 500; ++i) series.append(std::vector<double>{1.0 * i, 2, 3});
    file.close();
  }
  // The layout message of the file: chunks of 2730 x 3 values of 8 bytes.
  std::string bytes = test::file_text(folder / "whole.h5");
  const std::string chunk("\xaa\x0a\0\0\x03\0\0\0\x08\0\0\0", 12);
  const std::size_t place = bytes.find(chunk);
  ASSERT_NE(place, std::string::npos);
  bytes[place + 5] = 0x40;
  test::put_file(folder / "damaged.h5", bytes);
  EXPECT_THAT(hdf5_complaint([&] { Hdf5File::open(folder / "damaged.h5").read_doubles("/values"); }),
              HasSubstr("its chunks do not fit"));
}

TEST(Hdf5Read, RowsOfADataset) {
  const TemporaryDirectory folder;
  {
    Hdf5File file = Hdf5File::create(folder / "rows.h5");
    auto numbers = file.make_series<double>("/numbers", {2});
    auto integers = file.make_series<std::int64_t>("/integers");
    for (int i = 0; i < 10'000; ++i) {  // several chunks
      numbers.append(std::vector<double>{1.0 * i, -1.0 * i});
      integers.append(i);
    }
    file.write_number("/single", 1);
    file.close();
  }
  const Hdf5File file = Hdf5File::open(folder / "rows.h5");
  EXPECT_EQ(file.read_double_rows("/numbers", 4095, 4097), (std::vector<double>{4095, -4095, 4096, -4096}));
  EXPECT_EQ(file.read_integer_rows("/integers", 9998, 10'000), (std::vector<std::int64_t>{9998, 9999}));
  EXPECT_EQ(file.read_double_rows("/numbers", 0, 10'000), file.read_doubles("/numbers"));
  EXPECT_TRUE(file.read_double_rows("/numbers", 7, 7).empty());
  const auto complaint = [&](std::int64_t begin, std::int64_t end) {
    return hdf5_complaint([&] { file.read_double_rows("/numbers", begin, end); });
  };
  EXPECT_THAT(complaint(0, 10'001), HasSubstr("/numbers has 10000 rows where 10001 are expected"));
  EXPECT_THAT(complaint(-1, 3), HasSubstr("/numbers has 10000 rows"));
  EXPECT_THAT(complaint(3, 2), HasSubstr("/numbers has 10000 rows"));
  EXPECT_THAT(hdf5_complaint([&] { file.read_integer_rows("/single", 0, 1); }), HasSubstr("/single has no rows"));
}

// Texts of fixed length, as other programs write them, and numbers of other sizes.
TEST(Hdf5Read, ForeignTypes) {
  const TemporaryDirectory folder;
  const hid_t file_id = H5Fcreate((folder / "foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t size = 2;
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const auto put = [&](const char* name, hid_t stored, hid_t memory, const void* values) {
    const hid_t dataset = H5Dcreate2(file_id, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(dataset);
  };
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 4);
  H5Tset_strpad(text, H5T_STR_NULLPAD);
  put("padded", text, text, "abcdxy\0\0");
  H5Tset_strpad(text, H5T_STR_SPACEPAD);
  put("spaced", text, text, "abcdx   ");
  const float floats[] = {0.5F, -2.0F};
  put("floats", H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, floats);
  const int integers[] = {-3, 4};
  put("integers", H5T_STD_I16BE, H5T_NATIVE_INT, integers);
  H5Tclose(text);
  H5Sclose(space);
  H5Fclose(file_id);

  const Hdf5File file = Hdf5File::open(folder / "foreign.h5");
  EXPECT_EQ(file.read_texts("/padded"), (std::vector<std::string>{"abcd", "xy"}));
  EXPECT_EQ(file.read_texts("/spaced"), (std::vector<std::string>{"abcd", "x"}));
  EXPECT_EQ(file.read_doubles("/floats"), (std::vector<double>{0.5, -2}));
  EXPECT_EQ(file.read_integers("/integers"), (std::vector<std::int64_t>{-3, 4}));
}

}  // namespace
}  // namespace ricochet::io
