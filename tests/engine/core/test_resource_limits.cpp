// SPDX-License-Identifier: Apache-2.0
// Tests how a program ends when it runs out of memory where no exception may propagate.
#include "engine/core/resource_limits.h"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "engine/core/result.h"

namespace {

struct Ended {
  int status = 0;
  std::string said;
};

/// Runs `work` in a child process. Returns its standard error output and exit status.
template <class Work>
Ended inChild(const Work& work) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    for (const int signal : {SIGABRT, SIGSEGV})
      std::signal(signal, SIG_DFL);  // the handler of Catch would report a failure
    std::set_terminate(nullptr);
    sepx::installOutOfMemoryHandler();
    work();
    std::_Exit(0);
  }
  ::close(ends[1]);
  Ended ended;
  char piece[256];
  for (ssize_t read = 0; (read = ::read(ends[0], piece, sizeof piece)) > 0;)
    ended.said.append(piece, static_cast<std::size_t>(read));
  ::close(ends[0]);
  REQUIRE(::waitpid(child, &ended.status, 0) == child);
  return ended;
}

template <class Exception>
void leaveBy(const Exception& exception) {
  throw exception;
}

struct NeedsMemoryToEnd {
  ~NeedsMemoryToEnd() { leaveBy(std::bad_alloc()); }
};

void checkOrderly(const Ended& ended) {
  CHECK(WIFEXITED(ended.status));
  CHECK(WEXITSTATUS(ended.status) == sepx::exitStatus(sepx::ErrorKind::Internal));
  CHECK(ended.said.find(": out of memory") != std::string::npos);
  CHECK(ended.said.find('\n') == ended.said.size() - 1);
}

}  // namespace

TEST_CASE("Lack of memory in a destructor or a thread ends with one message, and any other exception with a signal") {
  checkOrderly(inChild([] { const NeedsMemoryToEnd one; }));
  checkOrderly(inChild([] { std::thread([] { leaveBy(std::bad_alloc()); }).join(); }));
  const Ended other = inChild([]() noexcept { leaveBy(std::runtime_error("another reason")); });
  CHECK(WIFSIGNALED(other.status));
  CHECK(other.said.find("out of memory") == std::string::npos);
}
