// SPDX-License-Identifier: Apache-2.0
// Thumbnails: their size, the same bytes for the same file, and no message for a file without a picture.
// tests/packaging/thumbnails tests time, memory and the sandbox of file managers.
#include <algorithm>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "engine/render/png.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"

namespace {

using namespace sepx;
using namespace sepx::test;

const char* const kSession =
    R"({"version": 1, "exhibit": "flow", "flow": {"p": 0.5, "q": 0.8, "points": [{"theta": [0.3, -0.9]}]}})";

std::string encoder() {
  return tests::sourceFolder() + "/assets/models/encoder/model.safetensors";
}

gpu::Pixels pictureOf(const std::string& file, const std::string& out, int size) {
  const Ran ran = command({"thumb", file, out, "--size", std::to_string(size)});
  CHECK(ran.err.empty());
  CHECK(ran.out.empty());
  REQUIRE(ran.status == 0);
  auto pixels = render::readPng(out);
  REQUIRE(pixels);
  return *pixels;
}

std::size_t colorsIn(const gpu::Pixels& pixels) {
  std::vector<std::string> colors;
  for (std::size_t i = 0; i + 3 < pixels.rgba.size(); i += 4)
    colors.emplace_back(pixels.rgba.begin() + static_cast<std::ptrdiff_t>(i),
                        pixels.rgba.begin() + static_cast<std::ptrdiff_t>(i) + 4);
  std::sort(colors.begin(), colors.end());
  return static_cast<std::size_t>(std::unique(colors.begin(), colors.end()) - colors.begin());
}

TEST_CASE("A thumbnail of weights shows their heads and fits the size") {
  const Folder folder;
  for (const int size : {16, 100, 128, 512}) {
    INFO(size);
    const gpu::Pixels pixels = pictureOf(encoder(), folder.path("a.png"), size);
    CHECK(std::max(pixels.extent.width, pixels.extent.height) <= static_cast<std::uint32_t>(size));
    CHECK(std::max(pixels.extent.width, pixels.extent.height) * 2 > static_cast<std::uint32_t>(size));
    CHECK(colorsIn(pixels) > 20);
  }
  const std::string first = readText(folder.path("a.png"));
  pictureOf(encoder(), folder.path("b.png"), 512);
  CHECK(readText(folder.path("b.png")) == first);
}

TEST_CASE("Weights without a number of heads are shown in parts of the usual width") {
  const Folder folder;
  std::filesystem::create_directory(folder.path("alone"));
  const std::string alone = folder.path("alone/weights.safetensors");
  std::filesystem::copy_file(encoder(), alone);  // without the config beside it
  CHECK(colorsIn(pictureOf(alone, folder.path("a.png"), 128)) > 20);
}

TEST_CASE("A thumbnail of a session shows its picture without a device") {
  const NoVulkanDriver none;
  const Folder folder;
  writeText(folder.path("a.sepx"), kSession);
  const gpu::Pixels pixels = pictureOf(folder.path("a.sepx"), folder.path("a.png"), 256);
  CHECK(pixels.extent.width == 256);
  CHECK(pixels.extent.height == 192);
  CHECK(colorsIn(pixels) > 50);
}

TEST_CASE("A file without a thumbnail gives no message and no file") {
  const Folder folder;
  writeText(folder.path("text.txt"), "text\n");
  writeText(folder.path("broken.gguf"), "GGUF");
  writeText(folder.path("broken.safetensors"), std::string("\x10\0\0\0\0\0\0\0{\"a\":", 14));
  writeText(folder.path("foreign.sepx"), R"({"a": 1})");
  for (const char* name : {"text.txt", "broken.gguf", "broken.safetensors", "foreign.sepx", "absent.sepx"}) {
    INFO(name);
    const Ran ran = command({"thumb", folder.path(name), folder.path("a.png")});
    CHECK(ran.status == 1);
    CHECK(ran.out.empty());
    CHECK(ran.err.empty());
    CHECK_FALSE(std::filesystem::exists(folder.path("a.png")));
  }
  requireRefused({"thumb", encoder(), folder.path("a.png"), "--size", "8"}, 2, "--size");
  requireRefused({"thumb", encoder(), folder.path("a.png"), "--size", "2000"}, 2, "--size");
}

}  // namespace
