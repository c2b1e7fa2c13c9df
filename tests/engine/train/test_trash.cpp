// SPDX-License-Identifier: Apache-2.0
// Deleting and restoring runs, and a trash folder that another user may have created.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "engine/train/trash.h"
#include "tests/engine/train/small_runs.h"
#include "tests/temporary_folder.h"

using namespace sepx;
using namespace sepx::test;
using namespace sepx::train;

namespace {

/// Sets $XDG_DATA_HOME until the end of the scope.
struct DataHome {
  std::string before = std::getenv("XDG_DATA_HOME") ? std::getenv("XDG_DATA_HOME") : "";
  explicit DataHome(const std::string& folder) { ::setenv("XDG_DATA_HOME", folder.c_str(), 1); }
  ~DataHome() {
    if (before.empty()) {
      ::unsetenv("XDG_DATA_HOME");
    } else {
      ::setenv("XDG_DATA_HOME", before.c_str(), 1);
    }
  }
};

}  // namespace

TEST_CASE("A deleted run is in the trash with its original path") {
  const RunFolder folder;
  const DataHome home(in(folder, "data"));
  for (int i = 1; i <= 2; ++i) {
    std::filesystem::create_directories(in(folder, "runs/a run"));
    writeBytes(in(folder, "runs/a run/run.sqlite"), std::to_string(i));
    const auto where = moveToTrash(in(folder, "runs/a run/"));
    INFO((where ? "" : where.error().message));
    REQUIRE(where);
    CHECK(*where == in(folder, i == 1 ? "data/Trash/files/a run" : "data/Trash/files/a run.2"));
    CHECK(readBytes(*where + "/run.sqlite") == std::to_string(i));
    CHECK_FALSE(std::filesystem::exists(in(folder, "runs/a run")));
  }
  const std::string info = readBytes(in(folder, "data/Trash/info/a run.trashinfo"));
  CHECK(info.starts_with("[Trash Info]\nPath=" + in(folder, "runs/a%20run") + "\nDeletionDate=20"));
  const auto missing = moveToTrash(in(folder, "no such run"));
  REQUIRE_FALSE(missing);
  CHECK(isSentence(missing.error().message, "cannot be moved to the trash"));
  CHECK(namesIn(in(folder, "data/Trash/info")).size() == 2);

  // Each is restored to its original path unless something exists there.
  const auto back = putBack(in(folder, "data/Trash/files/a run.2"), in(folder, "runs/a run"));
  INFO((back ? "" : back.error().message));
  REQUIRE(back);
  CHECK(*back == in(folder, "runs/a run"));
  CHECK(readBytes(*back + "/run.sqlite") == "2");
  const auto refused = putBack(in(folder, "data/Trash/files/a run"), in(folder, "runs/a run"));
  REQUIRE_FALSE(refused);
  CHECK(isSentence(refused.error().message, "cannot be restored"));
  CHECK(readBytes(in(folder, "data/Trash/files/a run/run.sqlite")) == "1");
  std::filesystem::remove_all(in(folder, "runs"));
  REQUIRE(putBack(in(folder, "data/Trash/files/a run"), in(folder, "runs/a run")));
  CHECK(readBytes(in(folder, "runs/a run/run.sqlite")) == "1");
  CHECK(namesIn(in(folder, "data/Trash/info")).empty());
  CHECK_FALSE(putBack(in(folder, "data/Trash/files/a run"), in(folder, "runs/a run")));
}

TEST_CASE("A restored run gets its original path, regardless of the path in the trash") {
  const RunFolder folder;
  const DataHome home(in(folder, "data"));
  std::filesystem::create_directories(in(folder, "runs/a"));
  const auto where = moveToTrash(in(folder, "runs/a"));
  REQUIRE(where);
  writeBytes(in(folder, "data/Trash/info/a.trashinfo"),
             "[Trash Info]\nPath=" + in(folder, "elsewhere") + "\nDeletionDate=2026-01-02T03:04:05\n");
  const auto back = putBack(*where, in(folder, "runs/a"));
  INFO((back ? "" : back.error().message));
  REQUIRE(back);
  CHECK(*back == in(folder, "runs/a"));
  CHECK(std::filesystem::exists(in(folder, "runs/a")));
  CHECK_FALSE(std::filesystem::exists(in(folder, "elsewhere")));
}

TEST_CASE("A trash at the top of a file system is used only if it is a folder that belongs to the user alone") {
  namespace fs = std::filesystem;
  const RunFolder folder;                      // in memory if possible
  const sepx::tests::TemporaryFolder another;  // on disk
  const DataHome home(another / "data");
  const fs::path top = "/dev/shm", trash = top / fmt::format(".Trash-{}", ::getuid());
  struct stat here {};
  struct stat there {};
  const bool apart = folder.path().starts_with("/dev/shm/") && ::stat(folder.path().c_str(), &here) == 0 &&
                     ::stat(another.path.c_str(), &there) == 0 && here.st_dev != there.st_dev;
  if (!apart || fs::exists(fs::symlink_status(trash))) {
    WARN("skipped: /dev/shm is no file system of its own, or somebody deletes something there now");
    return;
  }
  struct Removed {
    const fs::path& trash;
    ~Removed() {
      std::error_code ignored;
      fs::remove_all(trash, ignored);
    }
  } const removed{trash};
  const std::string run = in(folder, "runs/a"), theirs = in(folder, "theirs");
  fs::create_directories(run);
  fs::create_directory(theirs);
  const auto refuses = [&] {
    const auto refused = moveToTrash(run);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::OutputFailed);
    CHECK(isSentence(refused.error().message, trash.string() + " is not a folder that belongs to you"));
    CHECK(fs::exists(run));
    fs::remove(trash);
  };
  fs::create_symlink(theirs, trash);
  refuses();
  CHECK(namesIn(theirs).empty());
  for (const mode_t open : {mode_t{0777}, mode_t{0770}}) {
    REQUIRE(::mkdir(trash.c_str(), 0700) == 0);
    REQUIRE(::chmod(trash.c_str(), open) == 0);
    refuses();
  }
  if (::geteuid() == 0) {
    REQUIRE(::mkdir(trash.c_str(), 0700) == 0);
    constexpr uid_t kAnother = 65534;
    REQUIRE(::chown(trash.c_str(), kAnother, static_cast<gid_t>(-1)) == 0);
    refuses();
  }
  const auto where = moveToTrash(run);
  INFO((where ? "" : where.error().message));
  REQUIRE(where);
  CHECK(where->starts_with((trash / "files").string()));
  CHECK_FALSE(fs::exists(run));
  REQUIRE(putBack(*where, run));
  CHECK(fs::exists(run));
}
