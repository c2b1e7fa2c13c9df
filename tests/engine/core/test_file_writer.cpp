// SPDX-License-Identifier: Apache-2.0
// A file in pieces is there as a whole after commit(), and not at all before.
#include "engine/core/file_writer.h"

#include <cstdlib>
#include <filesystem>

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/core/npy.h"
#include "tests/temporary_folder.h"

using namespace sepx;
namespace fs = std::filesystem;

namespace {

using sepx::tests::TemporaryFolder;

}  // namespace

TEST_CASE("a file in pieces replaces the old one at commit alone") {
  const TemporaryFolder folder;
  const std::string path = folder.path.string() + "/pieces";
  REQUIRE(writeFile(path, "old"));
  {
    auto writer = FileWriter::begin(path);
    REQUIRE(writer);
    REQUIRE((*writer)->write("ne"));
    CHECK(readFile(path).value() == "old");
    REQUIRE((*writer)->write("w"));
    REQUIRE((*writer)->commit());
  }
  CHECK(readFile(path).value() == "new");
  CHECK(folder.files() == 1);
}

TEST_CASE("without commit nothing is left") {
  const TemporaryFolder folder;
  const std::string path = folder.path.string() + "/none";
  {
    auto writer = FileWriter::begin(path);
    REQUIRE(writer);
    REQUIRE((*writer)->write("half"));
    CHECK(folder.files() == 1);
  }
  CHECK(folder.files() == 0);
}

TEST_CASE("a file that cannot be begun says why and where") {
  const TemporaryFolder folder;
  for (const std::string& path :
       {folder.path.string(), folder.path.string() + "/", folder.path.string() + "/no/such/folder", std::string()}) {
    const auto writer = FileWriter::begin(path);
    REQUIRE_FALSE(writer);
    CHECK(writer.error().kind == ErrorKind::OutputFailed);
    CHECK(writer.error().message.find(path) != std::string::npos);
  }
}

TEST_CASE("an array's header is what NumPy wants") {
  const std::string header = npyHeader("<f8", {2, 3});
  CHECK(header.size() % 64 == 0);
  CHECK(header.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
  CHECK(header.find("'shape': (2, 3)") != std::string::npos);
  CHECK(header.back() == '\n');
  CHECK(npyHeader("|u1", {7}).find("'shape': (7,)") != std::string::npos);
}

TEST_CASE("what is being written is for its owner alone, and has the permissions of new files when it is whole") {
  const TemporaryFolder folder;
  const mode_t before = ::umask(0027);
  const std::string path = folder / "a";
  auto writer = FileWriter::begin(path);
  REQUIRE(writer);
  REQUIRE((*writer)->write("text"));
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(path).parent_path())) {
    ++seen;
    CHECK(entry.status().permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  }
  CHECK(seen == 1);
  REQUIRE((*writer)->commit());
  ::umask(before);
  CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read));
}
