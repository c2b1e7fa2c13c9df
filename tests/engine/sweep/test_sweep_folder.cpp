// SPDX-License-Identifier: Apache-2.0
// The folder that shards share: it stores its plan and the error messages of failed runs.
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/sweep/sweep_folder.h"
#include "tests/temporary_folder.h"

using namespace sepx;
using sweep::SweepFolder;

namespace {

SweepFolder made(const std::string& path) {
  auto folder = SweepFolder::open(path, "{\"plan\": 1}\n");
  REQUIRE(folder);
  return *folder;
}

}  // namespace

TEST_CASE("A folder keeps the plan with which it was created, and refuses another plan") {
  const tests::TemporaryFolder temporary;
  const std::string path = (temporary.path / "sweep").string();
  made(path);
  CHECK(*SweepFolder::existing(path)->planText() == "{\"plan\": 1}\n");
  CHECK(SweepFolder::open(path, "{\"plan\": 1}\n"));
  const auto other = SweepFolder::open(path, "{\"plan\": 2}\n");
  REQUIRE_FALSE(other);
  CHECK(other.error().kind == ErrorKind::Usage);
  CHECK_FALSE(SweepFolder::existing((temporary.path / "none").string()));
}

TEST_CASE("The error message of a failed run is kept until the run is tried again") {
  const tests::TemporaryFolder temporary;
  const SweepFolder folder = made((temporary.path / "sweep").string());
  REQUIRE(folder.setFailure("0001", "model.heads: must divide d_model"));
  CHECK(folder.status("0001").progress == sweep::RunProgress::Failed);
  CHECK(folder.status("0001").sentence == "model.heads: must divide d_model");
  REQUIRE(folder.setFailure("0001", {}));
  CHECK(folder.status("0001").progress == sweep::RunProgress::Waiting);
}

TEST_CASE("The error message of a failed run is not written through a symbolic link") {
  const tests::TemporaryFolder temporary;
  const SweepFolder folder = made((temporary.path / "sweep").string());
  const std::string victim = temporary.file("victim", "what a person wrote");
  std::filesystem::create_symlink(victim, temporary.path / "sweep/failed/0001.txt");
  REQUIRE(folder.setFailure("0001", "model.heads: must divide d_model"));
  CHECK(readFile(victim).value() == "what a person wrote");
  CHECK(folder.failure("0001") == "model.heads: must divide d_model");
  CHECK(temporary.files("sweep") == 4);  // the plan and three folders; no temporary file is left
}
