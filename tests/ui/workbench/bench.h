// SPDX-License-Identifier: Apache-2.0
// Helpers that the tests of the workbench share: a headless host, scripts as text, and the check that there were no
// Vulkan validation messages.
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "app/headless.h"
#include "engine/render/png.h"

namespace sepx::test {

inline std::string errorOf(const Result<void>& result) {
  return result ? std::string() : result.error().message;
}

/// A picture that is compared as one value: Catch prints values that differ, and a million pixels are too many.
struct Picture {
  gpu::Pixels pixels;
  bool operator==(const Picture& other) const {
    return pixels.extent == other.pixels.extent && pixels.rgba == other.pixels.rgba;
  }
};

/// To examine a failure: writes the picture as a PNG file into the folder of temporary files.
inline std::ostream& operator<<(std::ostream& out, const Picture& picture) {
  static int count = 0;
  const auto path = std::filesystem::temp_directory_path() / ("sepx-test-picture-" + std::to_string(count++) + ".png");
  const bool written = render::writePng(picture.pixels, path.string()).has_value();
  return out << "picture " << picture.pixels.extent.width << "x" << picture.pixels.extent.height
             << (written ? " in " + path.string() : std::string());
}

struct Bench {
  std::unique_ptr<app::Headless> host;

  explicit Bench(gpu::Extent size = {640, 400}, float scale = 1, const std::string& theme = "dark") {
    app::Options options;
    options.size = size;
    options.scale = scale;
    options.theme = theme;
    auto made = app::Headless::create(options);
    if (!made) FAIL(made.error().message);
    host = std::move(*made);
  }
  ~Bench() {
    if (host) CHECK(errorOf(host->validated()).empty());
  }

  ui::Workbench& workbench() { return host->workbench(); }

  /// Runs script lines (without the header) and returns the result.
  Result<void> run(const std::string& lines, const std::string& outDir = {}) {
    auto script = ui::parseScript("script 1\n" + lines, "test");
    if (!script) return tl::unexpected(script.error());
    ui::ScriptRunner runner(std::move(*script), workbench(), *host, outDir);
    return host->play(runner);
  }
  void play(const std::string& lines, const std::string& outDir = {}) {
    INFO(lines);
    CHECK(errorOf(run(lines, outDir)) == "");
  }
  void frame(std::vector<ui::InputEvent> events = {}) { REQUIRE(errorOf(host->frame(std::move(events))) == ""); }
  void settle() { REQUIRE(errorOf(host->settle()) == ""); }
  Picture picture() {
    auto pixels = host->capture();
    if (!pixels) FAIL(pixels.error().message);
    return {std::move(*pixels)};
  }
  double number(const std::string& key) {
    const auto value = workbench().get(key);
    if (!value) FAIL(value.error().message);
    INFO(key << " = " << ui::toString(*value));
    REQUIRE(std::holds_alternative<double>(*value));
    return std::get<double>(*value);
  }
  std::string text(const std::string& key) {
    const auto value = workbench().get(key);
    if (!value) FAIL(value.error().message);
    return ui::toString(*value);
  }
};

}  // namespace sepx::test
