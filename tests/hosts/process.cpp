// SPDX-License-Identifier: Apache-2.0
// See process.h.
#include "tests/hosts/process.h"
#include "tests/folders.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sepx::tests {

Process::Process(const std::vector<std::string>& command,
                 const std::map<std::string, std::optional<std::string>>& environment) {
  char name[] = "/tmp/sepx-process-XXXXXX";
  const int file = mkstemp(name);
  outputPath_ = name;
  std::vector<char*> arguments;
  for (const auto& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  id_ = fork();
  if (id_ == 0) {
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    for (const auto& [key, value] : environment) {
      value ? setenv(key.c_str(), value->c_str(), 1) : unsetenv(key.c_str());
    }
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(file);
}

Process::~Process() {
  if (!status_ && id_ > 0) {
    kill(id_, SIGTERM);
    if (!wait(5)) {
      kill(id_, SIGKILL);
      wait(5);
    }
  }
  std::filesystem::remove(outputPath_);
}

std::optional<int> Process::wait(double seconds) {
  constexpr double kPoll = 0.01;
  for (double spent = 0; !status_; spent += kPoll) {
    int raw = 0;
    if (waitpid(id_, &raw, WNOHANG) == id_) {
      status_ = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
    } else if (spent > seconds) {
      return std::nullopt;
    } else {
      usleep(static_cast<useconds_t>(kPoll * 1e6));
    }
  }
  return status_;
}

std::string Process::output() const {
  std::ifstream file(outputPath_);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string freshFolder(const std::string& name) {
  // One folder for each test program, because several of them run at the same time.
  const std::filesystem::path path =
      std::filesystem::path(tests::buildFolder()) / "test_output" / program_invocation_short_name / name;
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path.string();
}

}  // namespace sepx::tests
