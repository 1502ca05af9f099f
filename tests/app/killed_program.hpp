// Runs the program until just before a chosen change of the file system and kills it there: a `kill -9` that hits the
// same moment every time, on a fast and on a busy machine. The calls of the program are seen through ptrace.
#pragma once

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <functional>

#include "app/program.hpp"

namespace ricochet::test {

// What a directory shows changes: a name appears, disappears or is replaced.
inline bool changes_names(const __ptrace_syscall_info& call) {
  switch (call.entry.nr) {
    case SYS_openat:
      return (call.entry.args[2] & O_CREAT) != 0;
#ifdef SYS_open  // not on every architecture
    case SYS_open:
      return (call.entry.args[1] & O_CREAT) != 0;
    case SYS_mkdir:
    case SYS_rename:
    case SYS_rmdir:
    case SYS_unlink:
#endif
    case SYS_mkdirat:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_unlinkat:
      return true;
    default:
      return false;
  }
}

// The bytes of a file change, or come to the disk.
inline bool changes_bytes(const __ptrace_syscall_info& call) {
  switch (call.entry.nr) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_ftruncate:
    case SYS_fsync:
      return true;
    default:
      return false;
  }
}

struct KilledProgram {
  ProgramResult result;
  int calls = 0;  // of those that were counted, how many the program made or was about to make
};

// Kills the program when it is about to make call number `last` (1, 2, ...) of those that `counts` selects. If it makes
// fewer, it ends by itself.
inline KilledProgram run_until_call(const std::vector<std::string>& arguments, const fs::path& directory, int last,
                                    const std::function<bool(const __ptrace_syscall_info&)>& counts) {
  const RunningProgram program(arguments, directory, true);
  const pid_t process = program.process();
  int status = 0;
  waitpid(process, &status, 0);  // stopped by its exec
  if (!WIFSTOPPED(status)) throw std::runtime_error("the program cannot be traced");
  ptrace(PTRACE_SETOPTIONS, process, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  KilledProgram killed;
  int signal = 0;
  while (killed.calls < last) {
    ptrace(PTRACE_SYSCALL, process, nullptr, signal);
    // Without WNOWAIT the end would be collected here, but `wait` below is to see it.
    siginfo_t event = {};
    waitid(P_PID, static_cast<id_t>(process), &event, WEXITED | WSTOPPED | WNOWAIT);
    if (event.si_code != CLD_TRAPPED) break;
    waitpid(process, &status, 0);
    signal = WSTOPSIG(status);
    if (signal != (SIGTRAP | 0x80)) continue;  // a signal of its own, to be passed on
    signal = 0;
    __ptrace_syscall_info call = {};
    if (ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof(call), &call) < 0) {
      throw std::runtime_error("this system does not tell the calls of a traced program");
    }
    if (call.op == PTRACE_SYSCALL_INFO_ENTRY && counts(call)) ++killed.calls;
  }
  program.send(SIGKILL);  // in vain if it has ended
  killed.result = program.wait();
  return killed;
}

}  // namespace ricochet::test
