// SPDX-License-Identifier: Apache-2.0
// Helpers that the tests of figures share: a folder, a request of the usual size, and figures that succeed or are
// refused.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/ui/workbench/bench.h"
#include "ui/workbench/figure.h"

namespace sepx::test {

/// A folder for figures that is removed at the end.
struct Place {
  std::filesystem::path folder;
  Place() {
    static int count = 0;
    folder = std::filesystem::temp_directory_path() /
             ("sepx-figures-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(folder);
  }
  ~Place() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }
};

/// All bytes of a file.
inline std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// 420 x 320 points at scale 1.5.
inline ui::FigureRequest request(const std::string& path) {
  ui::FigureRequest wanted;
  wanted.path = path;
  wanted.width = 420;
  wanted.height = 320;
  wanted.scale = 1.5;
  return wanted;
}

/// Writes the figure, which must succeed.
inline void make(Bench& bench, const ui::FigureRequest& wanted) {
  const auto made = ui::makeFigure(bench.workbench(), &bench.host->context(), wanted);
  INFO((made ? std::string() : made.error().message));
  REQUIRE(made);
  CHECK(*made == wanted.path);
}

/// The message with which the figure is refused; it has one line.
inline std::string refusal(Bench& bench, const ui::FigureRequest& wanted, ErrorKind kind) {
  const auto made = ui::makeFigure(bench.workbench(), &bench.host->context(), wanted);
  REQUIRE_FALSE(made);
  INFO(made.error().message);
  CHECK(made.error().kind == kind);
  CHECK(made.error().message.find('\n') == std::string::npos);
  return made.error().message;
}

}  // namespace sepx::test
