// SPDX-License-Identifier: Apache-2.0
// What is opened is a regular file: a pipe, socket, folder, device or dangling link under a name is refused at once.
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/core/file_guard.h"
#include "engine/core/regular_file.h"
#include "tests/odd_files.h"
#include "tests/temporary_folder.h"

using namespace sepx;

TEST_CASE("Only regular files are opened to be read or locked") {
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
    // A link to nothing becomes a file where a lock is made, which hurts nobody.
    if (kind == tests::OddFile::DanglingLink) continue;
    CHECK_FALSE(notRegular(path).empty());
    CHECK(openLock(path).get() < 0);
    CHECK_FALSE(FileLock::tryLock(path));
  }
  CHECK(notRegular(folder / "nothing").empty());
  REQUIRE(writeFile(folder / "file", "12345"));
  CHECK(notRegular(folder / "file").empty());
  CHECK(openRegular(folder / "file")->size == 5);
  CHECK(createNew(folder / "file").get() < 0);
  CHECK(errno == EEXIST);
}

TEST_CASE("A pipe that nobody reads is not written to, and not waited for") {
  const tests::TemporaryFolder folder;
  tests::makeOdd(tests::OddFile::Pipe, folder / "pipe");
  const auto written = writeFile(folder / "pipe", "x");
  REQUIRE_FALSE(written);
  CHECK(written.error().message.find("pipe that no program reads") != std::string::npos);
}

TEST_CASE("Files of /proc are read, whose length the system does not say") {
  CHECK(readHead("/proc/self/stat", 4096)->find(')') != std::string::npos);
  CHECK(readHead("/proc/self/stat", 3)->size() == 3);
  CHECK_FALSE(readFile("/proc/self/status", 10));
}
