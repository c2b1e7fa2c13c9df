// SPDX-License-Identifier: Apache-2.0
#include "engine/core/remove_folder.h"

#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "tests/temporary_folder.h"

using sepx::removeFolder;
using sepx::writeFile;
namespace fs = std::filesystem;

TEST_CASE("A folder is removed with its content, and the targets of its links remain") {
  const sepx::tests::TemporaryFolder folder;
  const std::string all = folder / "all", kept = folder / "kept";
  fs::create_directories(all + "/a/b/c");
  fs::create_directories(all + "/empty");
  fs::create_directories(kept);
  REQUIRE(writeFile(kept + "/file", "text"));
  for (const char* const name : {"/file", "/.hidden", "/a/b/c/file"})
    REQUIRE(writeFile(all + name, "text"));
  fs::create_directory_symlink(kept, all + "/a/link");
  fs::create_symlink(kept + "/file", all + "/link");
  CHECK_FALSE(removeFolder(all));
  CHECK_FALSE(fs::exists(all));
  CHECK(sepx::readFile(kept + "/file").value_or("") == "text");
}

TEST_CASE("A file and a link are removed themselves, and a missing path is not an error") {
  const sepx::tests::TemporaryFolder folder;
  fs::create_directories(folder / "kept");
  fs::create_directory_symlink(folder / "kept", folder / "link");
  REQUIRE(writeFile(folder / "file", "text"));
  for (const char* const name : {"file", "link", "missing"}) {
    CHECK_FALSE(removeFolder(folder / name));
    CHECK(fs::symlink_status(folder / name).type() == fs::file_type::not_found);
  }
  CHECK(fs::is_directory(folder / "kept"));
  CHECK_FALSE(removeFolder(folder / "missing/inside"));
}

TEST_CASE("The reason is returned for a path that cannot be removed, and the rest is removed") {
  if (::geteuid() == 0) return;  // root has all permissions
  const sepx::tests::TemporaryFolder folder;
  const std::string all = folder / "all";
  fs::create_directories(all + "/held");
  REQUIRE(writeFile(all + "/held/file", "text"));
  REQUIRE(writeFile(all + "/other", "text"));
  ::chmod((all + "/held").c_str(), 0500);
  CHECK(removeFolder(all) == std::errc::permission_denied);
  CHECK(fs::exists(all + "/held/file"));
  CHECK_FALSE(fs::exists(all + "/other"));
  ::chmod((all + "/held").c_str(), 0700);
}

TEST_CASE("A folder tree deeper than the limit is kept below the limit") {
  const sepx::tests::TemporaryFolder folder;
  const std::string all = folder / "all";
  std::string deep = all;
  for (int i = 0; i < sepx::kDeepestRemoved + 10; ++i)
    deep += "/d";
  fs::create_directories(deep);
  CHECK(removeFolder(all) == std::errc::filename_too_long);
  CHECK(fs::exists(deep));
  std::string shallow = all + "/d/d/d/d/d/d/d/d/d/d/d/d";
  CHECK_FALSE(removeFolder(shallow));
  CHECK_FALSE(removeFolder(all));
  CHECK_FALSE(fs::exists(all));
}
