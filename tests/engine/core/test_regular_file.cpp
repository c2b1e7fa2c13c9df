// SPDX-License-Identifier: Apache-2.0
// Only regular files are opened: a pipe, socket, folder, device or dangling link is refused at once.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <utility>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/core/file_guard.h"
#include "engine/core/regular_file.h"
#include "tests/odd_files.h"
#include "tests/temporary_folder.h"

using namespace sepx;

namespace {

/// Whether another process can lock this byte of a file exclusively.
bool othersMayLock(const std::string& path, off_t byte) {
  const pid_t child = ::fork();
  if (child == 0) {
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = byte;
    range.l_len = 1;
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    ::_exit(file >= 0 && ::fcntl(file, F_SETLK, &range) == 0 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("Only regular files are opened for reading or locking") {
  const tests::TemporaryFolder folder;
  for (const tests::OddFile kind : tests::kOddFiles) {
    INFO(tests::nameOf(kind));
    const std::string path = folder / tests::nameOf(kind);
    tests::makeOdd(kind, path);
    CHECK_FALSE(openRegular(path));
    for (const auto& read : {readFile(path), readHead(path, 100)}) {
      REQUIRE_FALSE(read);
      CHECK(read.error().kind == ErrorKind::BadInput);
      CHECK(read.error().message.find(path) == 0);
    }
    CHECK(createNew(path).get() < 0);
    CHECK(openLock(path).get() < 0);
    CHECK(openToLock(path).get() < 0);
    CHECK_FALSE(FileLock::tryLock(path));
    CHECK_FALSE(std::filesystem::exists(path + ".nowhere"));  // the target of a dangling link is not created
    if (kind == tests::OddFile::DanglingLink) continue;       // to a user a dangling link is a missing file
    CHECK_FALSE(notRegular(path).empty());
  }
  CHECK(notRegular(folder / "nothing").empty());
  REQUIRE(writeFile(folder / "file", "12345"));
  CHECK(notRegular(folder / "file").empty());
  CHECK(openRegular(folder / "file")->size == 5);
  CHECK(createNew(folder / "file").get() < 0);
  CHECK(errno == EEXIST);
}

TEST_CASE("Writing to a pipe without a reader is refused without waiting") {
  const tests::TemporaryFolder folder;
  tests::makeOdd(tests::OddFile::Pipe, folder / "pipe");
  const auto written = writeFile(folder / "pipe", "x");
  REQUIRE_FALSE(written);
  CHECK(written.error().message.find("pipe that no program reads") != std::string::npos);
}

TEST_CASE("Files of /proc are read although the system reports no length") {
  CHECK(readHead("/proc/self/stat", 4096)->find(')') != std::string::npos);
  CHECK(readHead("/proc/self/stat", 3)->size() == 3);
  CHECK_FALSE(readFile("/proc/self/status", 10));
}

TEST_CASE("A reserved file cannot be read under any name until it is released") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("a.sqlite", "12345"), index = folder.file("a.sqlite-shm", "6"),
                    link = folder / "link";
  std::filesystem::create_symlink(path, link);
  {
    const ReservedFile first(path), none(folder / "nothing");
    {
      ReservedFile second(path);
      const ReservedFile moved(std::move(second));
    }
    for (const std::string& name : {path, index, link}) {
      const auto read = readFile(name);
      REQUIRE_FALSE(read);
      CHECK(read.error().message == name + ": cannot be read: it is a database that this program has open");
      CHECK(notRegular(name).empty());
    }
    CHECK(readFile(folder.file("b.sqlite", "7")).value() == "7");
    CHECK_FALSE(readFile(folder / "nothing"));
  }
  for (const std::string& name : {path, link})
    CHECK(readFile(name).value() == "12345");
  CHECK(readFile(index).value() == "6");
}

TEST_CASE("The lock of a reserved file survives the closing of other descriptors and ends on request") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("a", "12345");
  ReservedFile held(path);
  held.lockShared(path, 2, 3);
  CHECK_FALSE(othersMayLock(path, 2));
  std::ifstream(path).get();
  CHECK_FALSE(othersMayLock(path, 4));
  CHECK(othersMayLock(path, 1));
  CHECK(othersMayLock(path, 5));
  held.unlock();
  CHECK(othersMayLock(path, 2));
  held.lockShared(path, 2, 3);
  CHECK_FALSE(othersMayLock(path, 2));
  held = ReservedFile();
  CHECK(othersMayLock(path, 2));
  ReservedFile(folder / "nothing").lockShared(path, 0, 1);  // there is no file, so nothing is locked
  CHECK(othersMayLock(path, 0));
}
