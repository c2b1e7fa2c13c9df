// SPDX-License-Identifier: Apache-2.0
// A workbench without a device, for tests that open files.
#pragma once

#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "ui/workbench/settings.h"
#include "ui/workbench/workbench.h"

namespace sepx::test {

inline ui::WorkbenchOptions quietOptions(ui::Settings* settings = nullptr) {
  ui::WorkbenchOptions options;
  options.scripted = true;
  options.threads = 1;
  options.version = "0";
  options.settings = settings;
  return options;
}

/// A workbench with unsaved work, and the check that a refused file does not change the document.
struct FileDesk {
  ui::Workbench workbench{quietOptions()};
  ui::Document before;
  FileDesk() {
    REQUIRE(workbench.addPoint({0.5, -0.5}));
    REQUIRE(workbench.set("flow.p", 0.35));
    before = workbench.document();
  }
  std::string refused(const std::string& path) {
    const std::size_t said = workbench.messages().size();
    const auto steps = workbench.history().undoSteps();
    CAPTURE(path);
    const auto opened = workbench.open(path);
    REQUIRE_FALSE(opened);
    CHECK(workbench.document() == before);
    CHECK(workbench.history().undoSteps() == steps);
    CHECK(workbench.path().empty());
    REQUIRE(workbench.messages().size() == said + 1);
    const std::string sentence = workbench.messages().back().text;
    CHECK(sentence.find('\n') == std::string::npos);
    CHECK_THAT(sentence, Catch::Contains(std::filesystem::path(path).filename().string()));
    return sentence;
  }
};

}  // namespace sepx::test
