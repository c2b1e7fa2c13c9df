// SPDX-License-Identifier: Apache-2.0
// Another program that uses the same database as this one. It is a child process that is forked before this process
// opens a database, because SQLite's knowledge of its locks does not survive a fork.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "engine/train/run_store_database.h"

namespace sepx::test {

class OtherProgram {
 public:
  /// `work`: called in the child each time run() is called.
  explicit OtherProgram(const std::function<int()>& work) {
    int asks[2], answers[2];
    REQUIRE(::pipe(asks) == 0);
    REQUIRE(::pipe(answers) == 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::close(asks[1]);
      for (char ask = 0; ::read(asks[0], &ask, 1) == 1;) {
        const int answer = work();
        if (::write(answers[1], &answer, sizeof answer) != sizeof answer) break;
      }
      ::_exit(0);
    }
    ::close(asks[0]);
    ::close(answers[1]);
    ask_ = asks[1];
    answer_ = answers[0];
  }
  ~OtherProgram() {
    ::close(ask_);
    ::close(answer_);
    ::waitpid(child_, nullptr, 0);
  }
  OtherProgram(const OtherProgram&) = delete;
  OtherProgram& operator=(const OtherProgram&) = delete;

  /// Waits until the work is done, and returns its result.
  int run() const {
    int answer = -1;
    REQUIRE(::write(ask_, "x", 1) == 1);
    REQUIRE(::read(answer_, &answer, sizeof answer) == sizeof answer);
    return answer;
  }

 private:
  pid_t child_ = -1;
  int ask_ = -1, answer_ = -1;
};

/// The step in the record of a run. Opens its database for writing, as a reader of a run in a writable folder does, and
/// closes it again. -1: it cannot be read.
inline int stepOfRecord(const std::string& folder) {
  const auto database = train::Database::open(folder + "/run.sqlite", train::Access::Write);
  if (!database) return -1;
  auto statement = (*database)->prepare("SELECT step FROM run");
  if (!statement) return -1;
  const Result<bool> row = statement->step();
  return row && *row ? static_cast<int>(statement->integer(0)) : -1;
}

}  // namespace sepx::test
