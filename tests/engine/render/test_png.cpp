// SPDX-License-Identifier: Apache-2.0
#include "engine/render/png.h"

#include <filesystem>
#include <random>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "tests/folders.h"

namespace sepx::render {
namespace {

gpu::Pixels noise(std::uint32_t width, std::uint32_t height, bool opaque) {
  gpu::Pixels pixels{{width, height}, {}};
  std::mt19937 random(3);
  for (std::uint32_t i = 0; i < width * height * 4; ++i) {
    pixels.rgba.push_back(opaque && i % 4 == 3 ? 255 : static_cast<std::uint8_t>(random()));
  }
  return pixels;
}

std::string scratch(const char* name) {
  const auto folder = std::filesystem::path(tests::buildFolder()) / "test_scratch";
  std::filesystem::create_directories(folder);
  return (folder / name).string();
}

}  // namespace

TEST_CASE("a picture comes back from a PNG as it was", "[png]") {
  for (const bool opaque : {true, false}) {
    const gpu::Pixels picture = noise(37, 21, opaque);
    const std::string path = scratch("roundtrip.png");
    REQUIRE(writePng(picture, path));
    const auto back = readPng(path);
    REQUIRE(back);
    CHECK(back->extent == picture.extent);
    CHECK(back->rgba == picture.rgba);
  }
}

TEST_CASE("the same picture gives the same bytes, with its texts in them", "[png]") {
  const gpu::Pixels picture = noise(16, 16, true);
  const PngTexts texts{{"Separatrix-Recipe", "{\"p\": 0.5, \"Θ\": 1}"}};
  const std::string bytes = encodePng(picture, texts);
  CHECK(bytes == encodePng(picture, texts));
  CHECK(bytes.find("iTXtSeparatrix-Recipe") != std::string::npos);
  CHECK(bytes.find(texts[0].second) != std::string::npos);
  CHECK(bytes.find("tIME") == std::string::npos);
}

TEST_CASE("files that are no pictures are refused with their path", "[png]") {
  const std::string whole = encodePng(noise(40, 40, false));
  const std::string path = scratch("broken.png");
  std::string flipped = whole;
  flipped[60] = static_cast<char>(flipped[60] ^ 0x55);
  for (const std::string& bytes :
       {std::string("not a png"), std::string(), whole.substr(0, whole.size() / 2), whole.substr(0, 20), flipped}) {
    REQUIRE(writeFile(path, bytes));
    const auto read = readPng(path);
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::BadInput);
    CHECK(read.error().sentence.find(path) != std::string::npos);
  }
  CHECK_FALSE(readPng(scratch("missing.png")));
}

TEST_CASE("what cannot be written is said", "[png]") {
  const auto nowhere = writePng(noise(4, 4, true), scratch("no/such/folder/picture.png"));
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().kind == ErrorKind::OutputFailed);
  CHECK_FALSE(writePng({}, scratch("empty.png")));
}

}  // namespace sepx::render
