#include "ricochet/math/child_process.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace ricochet::math {
namespace {

TEST(ChildProcess, GivesBackWhatTheWorkGives) {
  const std::string long_text(3'000'000, 'x');  // much longer than a pipe holds
  int here = 1;
  ChildProcess child([&] {
    here = 2;
    return long_text;
  });
  const ChildProcess::Ending ending = child.finish();
  EXPECT_TRUE(ending.is_whole);
  EXPECT_EQ(ending.signal, 0);
  EXPECT_TRUE(ending.answer == long_text);
  EXPECT_EQ(here, 1) << "the child is a copy";
}

TEST(ChildProcess, ACrashIsAnEnding) {
  ChildProcess child([]() -> std::string {
    std::raise(SIGSEGV);
    return "alive";
  });
  const ChildProcess::Ending ending = child.finish();
  EXPECT_FALSE(ending.is_whole);
  EXPECT_EQ(ending.signal, SIGSEGV);
  EXPECT_EQ(ending.answer, "");
}

TEST(ChildProcess, AnExceptionIsAnEnding) {
  ChildProcess child([]() -> std::string { throw std::runtime_error("no"); });
  const ChildProcess::Ending ending = child.finish();
  EXPECT_FALSE(ending.is_whole);
  EXPECT_EQ(ending.signal, 0);
}

TEST(ChildProcess, CanBeWaitedFor) {
  ChildProcess child([] { return std::string("done"); });
  pollfd end{child.descriptor(), POLLIN, 0};
  EXPECT_EQ(poll(&end, 1, 10'000), 1);
  while (child.receive()) {
  }
  EXPECT_EQ(child.finish().answer, "done");
}

TEST(ChildProcess, IsKilledWithItsOwner) {
  const pid_t before = getpid();
  pid_t process = 0;
  {
    ChildProcess child([&] {
      pause();
      return std::string();
    });
    // The only child of this thread.
    std::ifstream("/proc/self/task/" + std::to_string(before) + "/children") >> process;
    ASSERT_GT(process, 0);
    EXPECT_EQ(kill(process, 0), 0);
  }
  EXPECT_NE(kill(process, 0), 0);
}

TEST(ChildProcess, DoesNotHearControlC) {
  ChildProcess child([] {
    std::raise(SIGINT);
    return std::string("still here");
  });
  EXPECT_EQ(child.finish().answer, "still here");
}

}  // namespace
}  // namespace ricochet::math
