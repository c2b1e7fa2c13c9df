// SPDX-License-Identifier: Apache-2.0
// Tests the results of attempts to lock a file, also on file systems that have no locks or require write access for
// them.
#include <cerrno>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/core/file_guard.h"
#include "engine/core/regular_file.h"
#include "tests/no_locks.h"
#include "tests/temporary_folder.h"

using namespace sepx;

TEST_CASE("A file system without locks and a lock that is held give different results", "[guard]") {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "lock";
  for (const int error : {ENOSYS, ENOLCK, EOPNOTSUPP, EIO}) {
    const tests::NoLocks none(error);
    INFO(error);
    const LockAttempt attempt = FileLock::attempt(path);
    CHECK((attempt.outcome == (error == EIO ? LockOutcome::Failed : LockOutcome::NoLocks)));
    CHECK(attempt.error == error);
    CHECK_FALSE(attempt.lock);
    CHECK_FALSE(FileLock::tryLock(path));
    CHECK(folder.files() == 0);  // the lock file is removed again
  }
  REQUIRE(writeFile(path, ""));
  {
    const tests::NoLocks none(ENOLCK);
    CHECK((FileLock::attempt(path).outcome == LockOutcome::NoLocks));
    CHECK(folder.files() == 1);  // the file existed before
  }
  const LockAttempt held = FileLock::attempt(path);
  CHECK((held.outcome == LockOutcome::Held));
  CHECK(held.lock);
  CHECK((FileLock::attempt(path).outcome == LockOutcome::Taken));
  const LockAttempt nowhere = FileLock::attempt(folder / "no/such/lock");
  CHECK((nowhere.outcome == LockOutcome::Failed));
  CHECK(nowhere.error == ENOENT);
}

TEST_CASE("A lock whose file was removed is lost, and removing it keeps the file of the next lock", "[guard]") {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "lock";
  auto first = FileLock::tryLock(path);
  REQUIRE(first);
  CHECK(first->holds());
  REQUIRE(std::filesystem::remove(path));
  CHECK_FALSE(first->holds());
  auto second = FileLock::tryLock(path);
  REQUIRE(second);
  CHECK_FALSE(first->holds());
  first->remove();
  CHECK(second->holds());
  second->remove();
  CHECK_FALSE(second->holds());
  CHECK(folder.files() == 0);
}

TEST_CASE("A file is locked while it is replaced, also where only files open for writing can be locked", "[guard]") {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "a";
  REQUIRE(writeFile(path, "one"));
  const tests::NfsLocks nfs;
  {
    const Descriptor other = openToLock(path);
    REQUIRE(::flock(other.get(), LOCK_EX | LOCK_NB) == 0);
    const auto refused = replaceFile(path, "two", stampOf("one"));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::CheckFailed);
    CHECK(readFile(path).value() == "one");
  }
  CHECK(replaceFile(path, "two", stampOf("one")));
}

TEST_CASE("Testing a folder for record locks leaves no file", "[guard]") {
  const tests::TemporaryFolder folder;
  CHECK(hasRecordLocks(folder.path));
  {
    const tests::NoLocks none(0, ENOLCK);
    CHECK_FALSE(hasRecordLocks(folder.path));
  }
  CHECK(folder.files() == 0);
  CHECK(hasRecordLocks(folder / "nowhere"));  // unknown here
}
