// SPDX-License-Identifier: Apache-2.0
// Unsaved work if the file system of the state folder has no locks.
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "app/autosave.h"
#include "engine/core/file.h"
#include "tests/no_locks.h"
#include "tests/temporary_folder.h"

using namespace sepx;
using namespace sepx::app;

namespace {

ui::WorkbenchOptions withoutWindow() {
  ui::WorkbenchOptions options;
  options.scripted = true;
  options.threads = 1;
  return options;
}

/// Changes a field and waits until it is written.
void changeAndKeep(ui::Workbench& workbench, Autosave& autosave, double value) {
  constexpr double kSoon = 0.01;  // seconds
  const std::size_t said = workbench.messages().size();
  REQUIRE(workbench.set("flow.p", value));
  autosave.follow(workbench, kSoon);
  autosave.flush();
  autosave.follow(workbench, kSoon);  // reports an error, if there was one
  CHECK(workbench.messages().size() == said);
}

}  // namespace

TEST_CASE("Without locks work is written and found as well, and no file is left", "[autosave]") {
  const tests::TemporaryFolder folder;
  const tests::NoLocks none(ENOLCK);
  const std::string place = folder / "auto";
  std::string claim, text;
  {
    ui::Workbench workbench(withoutWindow());
    Autosave autosave(place);
    changeAndKeep(workbench, autosave, 0.25);
    CHECK(folder.files("auto") == 2);     // the document and the claim
    CHECK(recoveryFiles(place).empty());  // its window still runs
    claim = std::filesystem::path(autosave.file()).replace_extension(".1").string();
    text = readFile(claim).value();
    autosave.keep(workbench);
  }
  CHECK(folder.files("auto") == 1);
  // As if the window had been killed: its claim is that of a process that has ended.
  auto json = nlohmann::json::parse(text);
  json["start"] = "1";
  REQUIRE(writeFile(claim, json.dump()));
  const std::vector<RecoveryFile> left = recoveryFiles(place);
  REQUIRE(left.size() == 1);
  {
    ui::Workbench next(withoutWindow());
    Autosave autosave(place);
    REQUIRE(next.restore(left[0].file));
    autosave.adopt(left[0].file);
    CHECK(recoveryFiles(place).empty());  // another window has it now
    Autosave slower(place);
    slower.adopt(left[0].file);  // it does not get the file
    changeAndKeep(next, autosave, 0.75);
    CHECK_FALSE(std::filesystem::exists(left[0].file));
    CHECK(folder.files("auto") == 2);
  }
  CHECK(folder.files("auto") == 0);
}

TEST_CASE("Without locks a recovery file can be discarded", "[autosave]") {
  const tests::TemporaryFolder folder;
  const tests::NoLocks none(ENOSYS);
  {
    ui::Workbench workbench(withoutWindow());
    Autosave autosave(folder / "auto");
    changeAndKeep(workbench, autosave, 0.25);
    autosave.keep(workbench);
  }
  const std::vector<RecoveryFile> left = recoveryFiles(folder / "auto");
  REQUIRE(left.size() == 1);
  REQUIRE(discard(left[0]));
  CHECK(folder.files("auto") == 0);
}
