// SPDX-License-Identifier: Apache-2.0
// The library of a folder from somebody else: opening runs there changes nothing in it.
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "tests/ui/exhibits/training/training_rig.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("library: opening a run outside the folder of new runs does not record this in a file",
          "[training][library]") {
  namespace fs = std::filesystem;
  TrainingRig rig(20);
  rig.start("encoder-decoder", 20);
  const fs::path own = rig.folderOf(0), strangers = own.parent_path().parent_path() / "strangers";
  fs::create_directory(strangers);
  fs::copy(own, strangers / "copy", fs::copy_options::recursive);
  fs::remove(strangers / "copy/used");
  const std::string victim = (strangers / "victim").string();
  REQUIRE(writeFile(victim, "what a person wrote"));
  rig.scripted = false;  // a script records nothing
  for (const bool linked : {false, true}) {
    if (linked) fs::create_symlink("../victim", strangers / "copy/used");
    rig.set("training.page", std::string("library"));
    rig.set("training.library.folder", strangers.string());
    rig.settle();
    rig.set("training.library.selected", std::string("copy"));
    rig.settle();
    for (const char* const word : {"training.library-open", "training.library-weights"}) {
      REQUIRE(rig.run(word));
      rig.set("training.page", std::string("library"));
      rig.settle();
    }
    CHECK(rig.editor.said.empty());
    CHECK(fs::exists(fs::symlink_status(strangers / "copy/used")) == linked);
    CHECK(readFile(victim).value() == "what a person wrote");
  }
  // In the folder of new runs it is recorded.
  rig.set("training.library.folder", std::string());
  rig.settle();
  rig.set("training.library.selected", own.filename().string());
  rig.settle();
  fs::remove(own / "used");
  REQUIRE(rig.run("training.library-open"));
  rig.set("training.page", std::string("library"));
  rig.settle();
  CHECK(fs::exists(own / "used"));
}
