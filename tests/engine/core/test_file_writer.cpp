// SPDX-License-Identifier: Apache-2.0
// A file written in pieces appears as a whole after commit() and does not exist before.
#include "engine/core/file_writer.h"

#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/core/npy.h"
#include "tests/temporary_folder.h"

using namespace sepx;
namespace fs = std::filesystem;

namespace {

using sepx::tests::TemporaryFolder;

}  // namespace

TEST_CASE("A file written in pieces replaces the old file only at commit") {
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

TEST_CASE("Without commit no file is left") {
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

TEST_CASE("A file that cannot be started is refused with its path") {
  const TemporaryFolder folder;
  for (const std::string& path :
       {folder.path.string(), folder.path.string() + "/", folder.path.string() + "/no/such/folder", std::string()}) {
    const auto writer = FileWriter::begin(path);
    REQUIRE_FALSE(writer);
    CHECK(writer.error().kind == ErrorKind::OutputFailed);
    CHECK(writer.error().message.find(path) != std::string::npos);
  }
}

TEST_CASE("The header of an array has the NumPy format") {
  const std::string header = npyHeader("<f8", {2, 3});
  CHECK(header.size() % 64 == 0);
  CHECK(header.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
  CHECK(header.find("'shape': (2, 3)") != std::string::npos);
  CHECK(header.back() == '\n');
  CHECK(npyHeader("|u1", {7}).find("'shape': (7,)") != std::string::npos);
}

TEST_CASE("A file is private to its owner while it is written and has normal permissions after commit") {
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

TEST_CASE("A file with a name chosen by the program replaces a symbolic link, and the link's target remains") {
  const TemporaryFolder folder;
  const std::string victim = folder.file("victim", "what a person wrote"), path = folder / "name";
  for (const std::string& to : {victim, folder / "nothing", std::string("/dev/null"), folder.path.string()}) {
    INFO(to);
    fs::remove(path);
    fs::create_symlink(to, path);
    REQUIRE(writeFile(path, "new", Links::Replace));
    CHECK(fs::is_regular_file(fs::symlink_status(path)));
    CHECK(readFile(path).value() == "new");
  }
  CHECK(readFile(victim).value() == "what a person wrote");
  CHECK(folder.files() == 2);
  // An existing file keeps its permissions, and a folder is not replaced.
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  REQUIRE(writeFile(path, "newer", Links::Replace));
  CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK_FALSE(writeFile(folder.path.string(), "x", Links::Replace));
}

TEST_CASE("Chains of symbolic links are followed, and cycles are refused") {
  const TemporaryFolder folder;
  fs::create_directory(folder.path / "in");
  folder.file("file", "old");
  fs::create_symlink("../file", folder.path / "in/second");
  fs::create_symlink("in/second", folder.path / "first");
  REQUIRE(writeFile(folder / "first", "new"));
  CHECK(readFile(folder / "file").value() == "new");
  CHECK(fs::is_symlink(folder / "first"));
  CHECK(fs::is_symlink(folder / "in/second"));
  fs::create_symlink("b", folder.path / "a");
  fs::create_symlink("a", folder.path / "b");
  const auto refused = writeFile(folder / "a", "x");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::OutputFailed);
  CHECK(fs::is_symlink(folder / "a"));
}

TEST_CASE("A link that another user created in a shared folder is not followed") {
  if (::geteuid() != 0) {
    WARN("skipped: only root can make a link of another user");
    return;
  }
  constexpr uid_t kOther = 65534;
  constexpr gid_t kAnyGroup = 65534;
  const TemporaryFolder folder;
  const std::string victim = folder.file("victim", "old"), shared = folder / "shared", link = shared + "/table.csv";
  fs::create_directory(shared);
  REQUIRE(::chmod(shared.c_str(), 01777) == 0);
  fs::create_symlink(victim, link);
  // This also holds at the end of a link in another folder.
  fs::create_symlink(link, folder.path / "own");
  const auto belongsTo = [](const std::string& path, uid_t user) {
    REQUIRE(::fchownat(AT_FDCWD, path.c_str(), user, kAnyGroup, AT_SYMLINK_NOFOLLOW) == 0);
  };
  belongsTo(link, kOther);
  for (const std::string& path : {link, folder / "own"}) {
    const auto refused = writeFile(path, "new");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::OutputFailed);
    CHECK_THAT(refused.error().message, Catch::Contains(link + ": ") && Catch::Contains("another user"));
  }
  CHECK(readFile(victim).value() == "old");
  CHECK(fs::is_symlink(link));
  // The kernel allows a link of the user, one of the folder's owner, and any link in a folder where not everyone can
  // create one.
  belongsTo(link, 0);
  REQUIRE(writeFile(link, "own"));
  belongsTo(link, kOther);
  belongsTo(shared, kOther);
  REQUIRE(writeFile(link, "owner's"));
  belongsTo(shared, 0);
  REQUIRE(::chmod(shared.c_str(), 0755) == 0);
  REQUIRE(writeFile(link, "closed"));
  CHECK(readFile(victim).value() == "closed");
  CHECK(fs::is_symlink(link));
}

TEST_CASE("A temporary file next to another file has a new name") {
  const TemporaryFolder folder;
  const std::string victim = folder.file("victim", "what a person wrote");
  const auto first = writeTemporaryFile(folder / "a", "1");
  REQUIRE(first);
  CHECK(readFile(first->path).value() == "1");
  // An attacker who knows how names are made has created a link with the next name.
  const std::size_t dash = first->path.rfind('-');
  const unsigned long number = std::stoul(first->path.substr(dash + 1));
  fs::create_symlink(victim, fmt::format("{}{}.tmp", first->path.substr(0, dash + 1), number + 1));
  const auto second = writeTemporaryFile(folder / "a", "2");
  REQUIRE(second);
  CHECK(readFile(second->path).value() == "2");
  CHECK(fs::is_regular_file(fs::symlink_status(second->path)));
  CHECK(readFile(victim).value() == "what a person wrote");
  CHECK(folder.files() == 4);
  const auto refused = writeTemporaryFile(folder / "no/such/folder", "3");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::OutputFailed);
}
