// SPDX-License-Identifier: Apache-2.0
// PDF files, recipes in figures, and pictures drawn in tiles.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include <unistd.h>
#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/core/table.h"
#include "engine/render/font.h"
#include "engine/render/pdf_writer.h"
#include "engine/render/picture.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "engine/render/svg_writer.h"
#include "tests/engine/render/device.h"
#include "tests/engine/render/sample_scene.h"
#include "tests/shell.h"

namespace sepx::render {
namespace {

using tests::count;
using tests::have;
using tests::outputOf;

const std::string kRecipe =
    R"({"program":"separatrix","state":{"π":"<&\"x\">"},"long":")" + std::string(3000, 'x') + "\"}";

std::string samplePdf() {
  const Scene scene = test::sampleScene();
  auto pdf = toPdf(toSvg(scene), {320, 240, "Basins & flows <π>", kRecipe});
  REQUIRE(pdf);
  return *pdf;
}

std::string sampleSvg() {
  return toSvg(test::sampleScene(), {"Sample", kRecipe});
}

std::string samplePng() {
  gpu::Pixels pixels;
  pixels.extent = {16, 9};
  for (int i = 0; i < 16 * 9 * 4; ++i)
    pixels.rgba.push_back(static_cast<std::uint8_t>(i * 37));
  return encodePng(pixels, {{"Author", "nobody"}, {kRecipeKey, kRecipe}});
}

std::string sampleNpz() {
  const auto file = std::filesystem::temp_directory_path() / ("sepx-figure-" + std::to_string(::getpid()) + ".npz");
  REQUIRE(writeNpz({{{"points", {{"e", "", std::vector<double>{1, 2}}}}}, {}}, kRecipe, file.string()));
  auto bytes = readFile(file.string());
  std::filesystem::remove(file);
  REQUIRE(bytes);
  return *bytes;
}

/// A comment as ffmpeg writes it: uncompressed somewhere in the file.
std::string sampleFilm() {
  return std::string(
             "\0\0\0\x20"
             "ftypisom",
             12) +
         std::string(100, '\x7f') + kRecipe + std::string(50, '\0');
}

}  // namespace

TEST_CASE("The recipe of a figure of each kind can be read back", "[recipe]") {
  for (const std::string& bytes : {samplePng(), sampleSvg(), samplePdf(), sampleNpz(), sampleFilm()}) {
    const auto found = recipeIn(bytes);
    INFO((found ? std::string() : found.error().message));
    REQUIRE(found);
    REQUIRE(*found);
    CHECK((**found == kRecipe));
  }
}

TEST_CASE("A figure without a recipe and a file that is not a figure have no recipe", "[recipe]") {
  gpu::Pixels dot{{1, 1}, {1, 2, 3, 255}};
  for (const std::string& bytes :
       {encodePng(dot), toSvg(test::sampleScene()), std::string("{\"version\":1}"), std::string(), std::string("<a/>"),
        std::string(
            "<?xml version=\"1.0\"?><svg><g><metadata><Separatrix-Recipe>x</Separatrix-Recipe></metadata></g></svg>"),
        std::string("%PDF-1.4\n<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">broken</x:xmpmeta>%%EOF")}) {
    const auto found = recipeIn(bytes);
    INFO(bytes.substr(0, 60) << (found ? std::string() : found.error().message));
    REQUIRE(found);
    CHECK_FALSE(*found);
  }
}

TEST_CASE("A truncated or damaged figure gives a recipe, none, or one error message", "[recipe]") {
  for (const std::string& bytes : {samplePng(), sampleSvg(), samplePdf(), sampleNpz(), sampleFilm()}) {
    const std::size_t step = bytes.size() < 20'000 ? 1 : bytes.size() / 1500;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
      const auto found = recipeIn(std::string_view(bytes).substr(0, size));
      if (found && *found) CHECK((**found == kRecipe));
      if (!found) CHECK(found.error().message.find('\n') == std::string::npos);
    }
    for (std::size_t at = 0; at < bytes.size(); at += std::max<std::size_t>(1, bytes.size() / 500)) {
      std::string bent = bytes;
      bent[at] = static_cast<char>(bent[at] ^ 0x5A);
      static_cast<void>(recipeIn(bent));
    }
  }
  const auto missing = readRecipe("/nowhere/figure.png");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find("/nowhere/figure.png") != std::string::npos);
}

TEST_CASE("A PDF consists of vectors, text and embedded fonts and is reproducible", "[pdf]") {
  const std::string pdf = samplePdf();
  CHECK((pdf == samplePdf()));
  CHECK(pdf.find("CreationDate") == std::string::npos);
  if (!have("pdffonts") || !have("pdftotext") || !have("pdfimages") || !have("pdfinfo")) {
    WARN("poppler-utils is not installed: nobody else reads the PDF here");
    return;
  }
  const auto file = std::filesystem::temp_directory_path() / ("sepx-figure-" + std::to_string(::getpid()) + ".pdf");
  std::ofstream(file, std::ios::binary) << pdf;
  const std::string fonts = outputOf("pdffonts " + file.string());
  INFO(fonts);
  // Every font is embedded, and the text uses both weights.
  CHECK(count(fonts, " yes yes yes") == static_cast<std::size_t>(std::count(fonts.begin(), fonts.end(), '\n')) - 2);
  CHECK(count(fonts, " yes yes yes") >= 2);
  std::string family = fontFiles()->front().family;
  std::erase(family, ' ');
  CHECK(count(fonts, family) >= 2);
  const std::string text = outputOf("pdftotext -layout " + file.string() + " -");
  for (const char* tick : {"0.5", "1.5", "2.5", "3.5", "4.5", "local minimum", "π≈½"}) {
    INFO(text);
    CHECK(text.find(tick) != std::string::npos);
  }
  const std::string images = outputOf("pdfimages -list " + file.string());
  INFO(images);
  const std::regex row("[0-9]+ image ");
  CHECK(std::distance(std::sregex_iterator(images.begin(), images.end(), row), std::sregex_iterator()) ==
        2);  // only the heat map and the label map are raster images
  const std::string info = outputOf("pdfinfo " + file.string());
  INFO(info);
  CHECK(info.find("Basins & flows <π>") != std::string::npos);
  CHECK(info.find("320 x 240 pts") != std::string::npos);
  if (!std::getenv("SEPX_KEEP_FIGURES")) std::filesystem::remove(file);
}

TEST_CASE("A picture drawn in tiles equals the whole picture", "[picture]") {
  test::Device device;
  const Scene scene = test::sampleScene();
  const PlacedScene placed{&scene, {0, 0}};
  const auto made = [&](std::uint32_t tile) {
    auto picture = Picture::create(device.context(), {640, 480}, 2, {0, 0, 0, 1});
    REQUIRE(picture);
    (*picture)->setTile(tile);
    int steps = 1;
    for (auto more = (*picture)->step({&placed, 1}); more && !*more; more = (*picture)->step({&placed, 1}))
      ++steps;
    CHECK((*picture)->share() == 1);
    return std::pair((*picture)->pixels(), steps);
  };
  const auto [whole, one] = made(4096);
  const auto [tiled, several] = made(150);
  CHECK(one == 1);
  CHECK(several == 5 * 4);
  std::size_t different = 0;
  for (std::size_t i = 0; i < whole.rgba.size(); ++i)
    different += std::abs(whole.rgba[i] - tiled.rgba[i]) > 3 ? 1 : 0;
  CHECK(different < whole.rgba.size() / 1000);
  const auto huge = Picture::create(device.context(), {60000, 60000}, 1, {});
  REQUIRE_FALSE(huge);
  CHECK(huge.error().kind == ErrorKind::Usage);
}

}  // namespace sepx::render
