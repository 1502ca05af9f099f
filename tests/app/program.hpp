// Runs the program `ricochet` as a user would, in a directory of its own.
#pragma once

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ricochet::test {

namespace fs = std::filesystem;

inline std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void write_file(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

// A directory that disappears with its owner.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (fs::temp_directory_path() / "ricochet-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() { fs::remove_all(path_); }

  const fs::path& path() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

struct ProgramResult {
  int exit_code = -1;  // -1 if a signal ended the program
  int signal = 0;
  std::string output;
  std::string errors;
};

// A running program; its output goes to files in `directory`.
class RunningProgram {
 public:
  // A traced one is stopped before its first instruction, see killed_program.hpp.
  RunningProgram(const std::vector<std::string>& arguments, const fs::path& directory, bool traced = false)
      : directory_(directory) {
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("fork failed");
    if (process_ == 0) start(arguments, traced);
  }

  pid_t process() const { return process_; }

  void send(int signal) const { kill(process_, signal); }

  ProgramResult wait() const {
    int status = 0;
    waitpid(process_, &status, 0);
    ProgramResult result;
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    result.output = read_file(directory_ / "stdout.txt");
    result.errors = read_file(directory_ / "stderr.txt");
    return result;
  }

 private:
  [[noreturn]] void start(const std::vector<std::string>& arguments, bool traced) const {
    const auto redirect = [&](const char* name, int target) {
      const int file = open((directory_ / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
      dup2(file, target);
    };
    redirect("stdout.txt", STDOUT_FILENO);
    redirect("stderr.txt", STDERR_FILENO);
    if (chdir(directory_.c_str()) != 0) _exit(127);
    std::vector<char*> words;
    std::string program = RICOCHET_PROGRAM;
    words.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string& word : copies) words.push_back(word.data());
    words.push_back(nullptr);
    if (traced) {
      ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // which is itself done by tracing
    }
    execv(RICOCHET_PROGRAM, words.data());
    _exit(127);
  }

  fs::path directory_;
  pid_t process_ = -1;
};

inline ProgramResult run_program(const std::vector<std::string>& arguments, const fs::path& directory) {
  return RunningProgram(arguments, directory).wait();
}

}  // namespace ricochet::test
