// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/core/file.h"
#include "engine/core/file_guard.h"
#include "tests/temporary_folder.h"

using namespace sepx;
namespace fs = std::filesystem;

namespace {

using sepx::tests::TemporaryFolder;

}  // namespace

TEST_CASE("A file is replaced only while its content is unchanged", "[guard]") {
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  const auto made = replaceFile(path, "one", FileStamp{});
  REQUIRE(made);  // there was no file, so nothing is lost
  CHECK(*made == stampOf("one"));
  const auto second = replaceFile(path, "two", *made);
  REQUIRE(second);
  REQUIRE(writeFile(path, "foreign"));
  const auto refused = replaceFile(path, "three", *second);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::CheckFailed);
  CHECK_THAT(refused.error().message, Catch::Contains(path));
  CHECK(readFile(path).value() == "foreign");
  REQUIRE(writeFile(path, "two"));  // written again with the same content
  REQUIRE(replaceFile(path, "three", *second));
  fs::remove(path);
  REQUIRE(replaceFile(path, "four", *second));
  CHECK(readFile(path).value() == "four");
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("Only one of several concurrent saves over the same state succeeds", "[guard]") {
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  for (int round = 0; round < 20; ++round) {
    REQUIRE(writeFile(path, "start"));
    std::atomic<int> saved{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        if (replaceFile(path, "mine " + std::to_string(i), stampOf("start"))) ++saved;
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    CHECK(saved == 1);
  }
}

TEST_CASE("A lock is exclusive and becomes free when its owner dies", "[guard]") {
  const TemporaryFolder folder;
  const std::string path = folder / "lock";
  std::optional<FileLock> mine = FileLock::tryLock(path);
  REQUIRE(mine);
  CHECK_FALSE(FileLock::tryLock(path));
  FileLock moved = std::move(*mine);
  mine.reset();
  CHECK_FALSE(FileLock::tryLock(path));
  moved.remove();
  CHECK_FALSE(fs::exists(path));

  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = FileLock::tryLock(path);
    const char answer = held ? 'y' : 'n';
    if (::write(ready[1], &answer, 1) != 1) ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  char answer = 0;
  REQUIRE(::read(ready[0], &answer, 1) == 1);
  CHECK(answer == 'y');
  CHECK_FALSE(FileLock::tryLock(path));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(FileLock::tryLock(path));
  ::close(ready[0]);
  ::close(ready[1]);
  CHECK_FALSE(FileLock::tryLock(folder / "no/such/lock"));
}
