#include "ricochet/io/guarded_work.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "io/output_test_support.hpp"

namespace ricochet::io {
namespace {

using testing::HasSubstr;

std::string guarded_complaint(const std::function<std::string()>& work) {
  try {
    do_guarded("some.hdf5", work);
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

TEST(GuardedWork, BytesComeBack) {
  std::string bytes(3'000'000, 'x');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i);
  EXPECT_EQ(do_guarded("some.hdf5", [&] { return bytes; }), bytes);
  EXPECT_EQ(do_guarded("some.hdf5", [] { return std::string(); }), "");
}

TEST(GuardedWork, ExceptionsComeBackAsTheyAre) {
  EXPECT_EQ(guarded_complaint([]() -> std::string { throw FileError("some.hdf5: is wrong."); }),
            "some.hdf5: is wrong.");
}

TEST(GuardedWorkBadInput, ChildrenThatDie) {
  EXPECT_THAT(guarded_complaint([]() -> std::string {
                std::raise(SIGSEGV);
                return {};
              }),
              HasSubstr("some.hdf5: is damaged: the HDF5 library broke down"));
  EXPECT_THAT(guarded_complaint([]() -> std::string { std::abort(); }), HasSubstr("broke down"));
  EXPECT_THAT(guarded_complaint([]() -> std::string { _exit(0); }), HasSubstr("broke down"));
  EXPECT_THAT(guarded_complaint([]() -> std::string {
                std::raise(SIGXCPU);  // what the limit of time sends
                return {};
              }),
              HasSubstr("did not come to an end"));
}

TEST(GuardedWorkBadInput, ChildrenThatEatMemory) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer has its own limits";
#endif
  EXPECT_THAT(guarded_complaint([]() -> std::string { return std::string(std::size_t{4} << 30, 'x'); }),
              HasSubstr("more memory than a file of its size can need"));
}

}  // namespace
}  // namespace ricochet::io
