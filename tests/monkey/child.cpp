// SPDX-License-Identifier: Apache-2.0
// Implementation with fork, exec, read and wait4.
#include "tests/monkey/child.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sepx::monkey {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kBounded = false;  // the sanitizers use several times the program's memory
#else
constexpr bool kBounded = true;
#endif

/// Runs in the child and never returns.
[[noreturn]] void become(const std::vector<std::string>& command, const std::string& folder, int out,
                         const Bounds& bounds) {
  const int said = ::open((folder + "/said.txt").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(said, STDERR_FILENO);
  const rlim_t bytes = static_cast<rlim_t>(bounds.addressGb) << 30;
  const rlimit space{bytes, bytes}, none{0, 0};
  if (kBounded) ::setrlimit(RLIMIT_AS, &space);
  ::setrlimit(RLIMIT_CORE, &none);
  if (::chdir(folder.c_str()) != 0) ::_exit(126);
  std::vector<char*> arguments;
  for (const std::string& one : command)
    arguments.push_back(const_cast<char*>(one.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments.front(), arguments.data());
  ::_exit(127);
}

/// Reads lines "@N" until the end. False: there was no output for too long.
bool follow(int in, int seconds, Outcome& outcome) {
  std::string pending;
  for (;;) {
    pollfd ready{in, POLLIN, 0};
    const int found = ::poll(&ready, 1, seconds * 1000);
    if (found < 0 && errno == EINTR) continue;
    if (found == 0) return false;
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(in, bytes.data(), bytes.size());
    if (count <= 0) return true;
    pending.append(bytes.data(), static_cast<std::size_t>(count));
    for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
      if (pending.front() == '@') outcome.step = std::atoi(pending.c_str() + 1);
      if (pending.starts_with("uncompared")) outcome.compared = false;
      pending.erase(0, end + 1);
    }
  }
}

/// The last line of the output that reports an error.
std::string lastWords(const std::string& folder) {
  std::ifstream in(folder + "/said.txt", std::ios::binary);
  std::string words;
  for (std::string line; std::getline(in, line);)
    if (line.find("monkey:") != std::string::npos || line.find("ssertion") != std::string::npos ||
        line.find("terminate") != std::string::npos || line.find("what():") != std::string::npos ||
        line.find("ERROR") != std::string::npos || line.starts_with("sepx:"))
      words = line;
  return words;
}

/// The message without numbers, paths of a run and quoted text, which differ between scripts with the same failure.
std::string signatureOf(const std::string& sentence) {
  static const std::regex values("/[^ ]*/|[0-9][0-9.e+-]*|\"[^\"]*\"");
  return std::regex_replace(sentence, values, "#").substr(0, 160);
}

}  // namespace

Outcome runChild(const std::vector<std::string>& command, const std::string& folder, const Bounds& bounds) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return {.sentence = "no pipe", .signature = "no pipe"};
  const pid_t child = ::fork();
  if (child == 0) become(command, folder, pipe[1], bounds);
  ::close(pipe[1]);
  Outcome outcome;
  const bool ended = follow(pipe[0], bounds.silentSeconds, outcome);
  if (!ended) ::kill(child, SIGKILL);
  ::close(pipe[0]);
  int status = 0;
  rusage used{};
  while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  outcome.peakMb = used.ru_maxrss / 1024;
  const std::string words = lastWords(folder);
  if (!ended) {
    outcome.sentence = fmt::format("no step ended within {} seconds", bounds.silentSeconds);
  } else if (WIFSIGNALED(status)) {
    outcome.sentence =
        fmt::format("ended by signal {} ({}). {}", WTERMSIG(status), ::strsignal(WTERMSIG(status)), words);
  } else if (WEXITSTATUS(status) != 0) {
    outcome.sentence = words.empty() ? fmt::format("ended with status {}", WEXITSTATUS(status)) : words;
  } else if (kBounded && outcome.peakMb > bounds.residentMb) {
    outcome.sentence = fmt::format("took {} MB of memory, and {} MB are the bound", outcome.peakMb, bounds.residentMb);
  }
  outcome.passed = outcome.sentence.empty();
  outcome.signature = signatureOf(outcome.sentence);
  return outcome;
}

}  // namespace sepx::monkey
