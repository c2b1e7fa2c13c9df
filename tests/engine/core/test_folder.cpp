// SPDX-License-Identifier: Apache-2.0
#include "engine/core/folder.h"

#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "tests/temporary_folder.h"

using sepx::folderNames;
using sepx::folderPaths;
using sepx::listFolder;
using sepx::writeFile;

TEST_CASE("A folder is listed in the order of names, with hidden files and and without its own entry") {
  const sepx::tests::TemporaryFolder folder;
  const std::string path = folder.path.string();
  for (const char* const name : {"b", "a.json", ".hidden", "B"})
    REQUIRE(writeFile(path + "/" + name, ""));
  std::filesystem::create_directory(path + "/inside");
  const auto names = listFolder(path);
  REQUIRE(names);
  CHECK(*names == std::vector<std::string>{".hidden", "B", "a.json", "b", "inside"});
  CHECK(folderNames(path) == *names);
  CHECK(listFolder(path, 2)->size() == 2);
  CHECK(folderPaths(path)[1] == path + "/B");
  CHECK(folderPaths(path + "/")[1] == path + "/B");
  CHECK(folderNames(path + "/inside").empty());
}

TEST_CASE("A path that is not a folder is refused with its name and the system's reason") {
  const sepx::tests::TemporaryFolder folder;
  const std::string file = folder / "file";
  REQUIRE(writeFile(file, "text"));
  for (const std::string& path : {file, folder / "missing", std::string()}) {
    const auto names = listFolder(path);
    REQUIRE(!names);
    CHECK(names.error().kind == sepx::ErrorKind::BadInput);
    CHECK(names.error().message.starts_with(path + ": cannot be read: "));
    CHECK(folderNames(path).empty());
    CHECK(folderPaths(path).empty());
  }
}
