// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace sepx::bench {

Child::Child(const std::vector<std::string>& command, const std::string& logLevel, bool captureOutput) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  std::vector<char*> argv;
  for (const std::string& word : command)
    argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0);
    dup2(captureOutput ? ends[1] : nowhere, 1);
    dup2(captureOutput ? nowhere : ends[1], 2);
    setenv("SEPX_LOG", logLevel.c_str(), 1);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  pipe_ = ends[0];
}

Child::~Child() {
  if (pid_ > 0) {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  if (pipe_ >= 0) close(pipe_);
}

std::optional<std::string> Child::line(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (const auto stop = buffer_.find('\n'); stop != std::string::npos) {
      std::string found = buffer_.substr(0, stop);
      buffer_.erase(0, stop + 1);
      return found;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd wait{pipe_, POLLIN, 0};
    if (left <= 0 || poll(&wait, 1, static_cast<int>(left)) <= 0) return std::nullopt;
    char chunk[4096];
    const ssize_t size = read(pipe_, chunk, sizeof chunk);
    if (size <= 0) return std::nullopt;
    buffer_.append(chunk, static_cast<std::size_t>(size));
  }
}

std::string Child::rest() {
  char chunk[4096];
  for (ssize_t size; (size = read(pipe_, chunk, sizeof chunk)) > 0;)
    buffer_.append(chunk, static_cast<std::size_t>(size));
  return buffer_;
}

double Child::processorSeconds() const {
  // Fields 14 and 15 of /proc/PID/stat are utime and stime in clock ticks. The name in parentheses may contain spaces,
  // so the fields are counted from its end.
  std::ifstream in("/proc/" + std::to_string(pid_) + "/stat");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto name = text.rfind(')');
  if (name == std::string::npos) return 0;
  std::istringstream fields(text.substr(name + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i)
    fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace sepx::bench
