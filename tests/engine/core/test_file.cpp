// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "engine/core/file.h"
#include "tests/temporary_folder.h"

namespace {

namespace fs = std::filesystem;

using sepx::tests::TemporaryFolder;

}  // namespace

TEST_CASE("A written file reads back unchanged, and no temporary file is left") {
  const TemporaryFolder folder;
  std::string content(300000, 'x');
  content[7] = '\0';
  REQUIRE(sepx::writeFile(folder / "a", content));
  CHECK(sepx::readFile(folder / "a").value() == content);
  REQUIRE(sepx::writeFile(folder / "a", "short"));
  CHECK(sepx::readFile(folder / "a").value() == "short");
  CHECK(folder.files() == 1);
}

TEST_CASE("Writing keeps permissions and symbolic links") {
  const TemporaryFolder folder;
  REQUIRE(sepx::writeFile(folder / "a", "1"));
  fs::permissions(folder / "a", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(folder / "a", folder / "link");
  REQUIRE(sepx::writeFile(folder / "link", "2"));
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(sepx::readFile(folder / "a").value() == "2");
  CHECK(fs::status(folder / "a").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("Errors name the file and the reason") {
  const TemporaryFolder folder;
  const auto missing = sepx::readFile(folder / "missing");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == sepx::ErrorKind::BadInput);
  CHECK(missing.error().message.find(folder / "missing") != std::string::npos);
  CHECK(missing.error().message.find(std::generic_category().message(ENOENT)) != std::string::npos);

  REQUIRE(sepx::writeFile(folder / "a", "12345"));
  CHECK(sepx::readFile(folder / "a", 5).has_value());
  CHECK_FALSE(sepx::readFile(folder / "a", 4).has_value());
  CHECK_FALSE(sepx::readFile(folder / ".").has_value());

  for (const std::string& path :
       {folder / "no/folder/a", folder / ".", std::string("/proc/nothing"), std::string("")}) {
    const auto written = sepx::writeFile(path, "x");
    INFO(path);
    REQUIRE_FALSE(written);
    CHECK(written.error().kind == sepx::ErrorKind::OutputFailed);
  }
  CHECK(folder.files() == 1);
}

TEST_CASE("A device is written to and never replaced") {
  CHECK(sepx::writeFile("/dev/null", "x"));
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_FALSE(sepx::writeFile("/dev/full", "x"));
}

TEST_CASE("Folders are created with their parents, and a file in the way is named") {
  const TemporaryFolder folder;
  REQUIRE(sepx::makeFolders(folder / "a/b/c"));
  REQUIRE(sepx::makeFolders(folder / "a/b/c"));
  CHECK(fs::is_directory(folder / "a/b/c"));
  REQUIRE(sepx::writeFile(folder / "a/file", "x"));
  for (const char* below : {"a/file", "a/file/d"}) {
    const auto refused = sepx::makeFolders(folder / below);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == sepx::ErrorKind::OutputFailed);
    CHECK(refused.error().message.find(folder / "a/file") != std::string::npos);
  }
}

TEST_CASE("The first bytes of a file are read without the rest, and only from a regular file") {
  const TemporaryFolder folder;
  REQUIRE(sepx::writeFile(folder / "a", "12345"));
  CHECK(sepx::readHead(folder / "a", 3).value() == "123");
  CHECK(sepx::readHead(folder / "a", 100).value() == "12345");
  CHECK_FALSE(sepx::readHead(folder / ".", 3));
  CHECK_FALSE(sepx::readHead("/dev/zero", 3));
  CHECK_FALSE(sepx::readHead(folder / "none", 3));
}
