// SPDX-License-Identifier: Apache-2.0
// sepx heatmap: entries as CSV, NPY and pixels equal those of three loops. The figure has its recipe and can be opened.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <sstream>

#include <catch2/catch.hpp>

#include "engine/core/number.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "tests/app/cli/small_checkpoints.h"

using namespace sepx::test;

namespace {

Plain readCsv(const std::string& path) {
  Plain matrix;
  std::istringstream lines(readText(path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    matrix.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');)
      matrix.back().push_back(sepx::parseNumber(cell).value());
  }
  return matrix;
}

/// Reads doubles after a header of NPY format 1.0.
std::vector<double> readNpy(const std::string& path) {
  const std::string bytes = readText(path);
  REQUIRE(bytes.substr(1, 5) == "NUMPY");
  const std::size_t header = 10 + static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
  std::vector<double> values((bytes.size() - header) / sizeof(double));
  std::memcpy(values.data(), bytes.data() + header, values.size() * sizeof(double));
  return values;
}

/// Entry i, j of the given part.
double entry(const Plain& form, const std::string& part, std::size_t i, std::size_t j) {
  if (part == "sym") return (form[i][j] + form[j][i]) / 2;
  if (part == "skew") return (form[i][j] - form[j][i]) / 2;
  return form[i][j];
}

}  // namespace

TEST_CASE("Entries as CSV and NPY equal those of three loops, for every part, head and crop") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  for (const std::string part : {"full", "sym", "skew"}) {
    for (const int head : {-1, 1}) {
      INFO(part << " head " << head);
      const Plain form = smallForm(1, head);
      std::vector<std::string> arguments{"heatmap", path, "--layer", "1", "--part", part, "--crop", "2,5,1,8"};
      if (head >= 0) arguments.insert(arguments.end(), {"--head", std::to_string(head)});
      auto csv = arguments, npy = arguments;
      csv.insert(csv.end(), {"--out", folder.path("a.csv")});
      npy.insert(npy.end(), {"--out", folder.path("a.npy")});
      const Json json = commandJson(csv);
      CHECK(json["shape"] == Json({3, 7}));
      CHECK(json["compute"] == "cpu");
      REQUIRE(command(npy).status == 0);
      const Plain rows = readCsv(folder.path("a.csv"));
      const std::vector<double> values = readNpy(folder.path("a.npy"));
      REQUIRE(rows.size() == 3);
      REQUIRE(values.size() == 21);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 7; ++j) {
          CHECK(rows[i][j] == Approx(entry(form, part, i + 2, j + 1)).margin(1e-12));
          CHECK(values[7 * i + j] == rows[i][j]);
        }
      }
    }
  }
}

TEST_CASE("A crop as PNG has one pixel for each entry") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  const std::string out = folder.path("crop.png");
  REQUIRE(command({"heatmap", path, "--layer", "0", "--crop", "0,8,0,3", "--out", out}).status == 0);
  const auto pixels = sepx::render::readPng(out);
  REQUIRE(pixels);
  CHECK(pixels->extent.width == 3);
  CHECK(pixels->extent.height == 8);
  const Plain form = smallForm(0);
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const auto* rgba = &pixels->rgba[4 * (3 * i + j)];
      INFO(i << ", " << j << ": " << form[i][j]);
      if (std::abs(form[i][j]) > 1) CHECK((rgba[0] > rgba[2]) == (form[i][j] > 0));  // red above zero, blue below
    }
  }
}

TEST_CASE("A heat map does not replace a file of the checkpoint that it reads") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  const std::string weights = path + "/model.safetensors", before = readText(weights);
  std::filesystem::create_symlink(weights, folder.path("link.npy"));
  requireRefused({"heatmap", path, "--layer", "0", "--out", folder.path("link.npy")}, 2, "would be replaced");
  CHECK(readText(weights) == before);
  // A file of this kind in another place can be written.
  REQUIRE(command({"heatmap", path, "--layer", "0", "--out", folder.path("w.npy")}).status == 0);
}

TEST_CASE("A heat map without a finite entry says so") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small", {.nan = true});
  // The weight that is NaN makes only row 3 of W_qk NaN.
  const Ran row = command({"heatmap", path, "--layer", "1", "--crop", "3,4,0,8", "--out", folder.path("a.csv")});
  REQUIRE(row.status == 0);
  CHECK(row.out.find("1 x 8 entries, none of them finite, computed by") != std::string::npos);
  CHECK(row.out.find("8 entries are not finite") == std::string::npos);  // it is printed only once
  const Ran other = command({"heatmap", path, "--layer", "1", "--crop", "2,3,0,8", "--out", folder.path("b.csv")});
  CHECK(other.out.find("1 x 8 entries from ") != std::string::npos);
}

TEST_CASE("Without a crop a PNG is a figure that contains its recipe") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  const std::string out = folder.path("figure.png");
  const Ran ran = command({"heatmap", path, "--layer", "1", "--out", out, "--size", "640x480"});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  const auto pixels = sepx::render::readPng(out);
  REQUIRE(pixels);
  CHECK(pixels->extent.width == 640);
  CHECK(pixels->extent.height == 480);
  const auto recipe = sepx::render::readRecipe(out);
  REQUIRE(recipe);
  REQUIRE(recipe->has_value());
  const Json json = Json::parse(**recipe);
  CHECK(json["program"] == "separatrix");
  CHECK(json["state"]["weights"]["layer"] == 1);
  // A figure made from the recipe is the same picture.
  const std::string again = folder.path("again.png");
  REQUIRE(command({"render", out, "--out", again}).status == 0);
  CHECK(sepx::render::readPng(again)->rgba == pixels->rgba);
}

TEST_CASE("The entries of the GPU kernel are those of the CPU within single precision") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  const Json json = commandJson({"heatmap", path, "--layer", "0", "--compute", "gpu", "--out", folder.path("gpu.csv")});
  CHECK(json["compute"] == "gpu");
  CHECK(json["device"].is_string());
  const Plain form = smallForm(0), rows = readCsv(folder.path("gpu.csv"));
  REQUIRE(rows.size() == form.size());
  for (std::size_t i = 0; i < form.size(); ++i) {
    for (std::size_t j = 0; j < form.size(); ++j)
      CHECK(rows[i][j] == Approx(form[i][j]).margin(1e-4));
  }
}

TEST_CASE("A heat map that cannot be made gives the reason and writes no file") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  const std::string out = folder.path("a.csv");
  requireRefused({"heatmap", path, "--layer", "2", "--out", out}, 2, "--layer");
  requireRefused({"heatmap", path, "--layer", "0", "--head", "2", "--out", out}, 2, "--head");
  requireRefused({"heatmap", path, "--layer", "0", "--part", "upper", "--out", out}, 2, "--part");
  requireRefused({"heatmap", path, "--layer", "0", "--crop", "0,9,0,8", "--out", out}, 2, "--crop");
  requireRefused({"heatmap", path, "--layer", "0", "--crop", "3,3,0,8", "--out", out}, 2, "--crop");
  requireRefused({"heatmap", path, "--layer", "0", "--out", folder.path("a.jpg")}, 2, ".npy");
  requireRefused({"heatmap", path, "--layer", "0", "--out", folder.path("none/a.csv")}, 6, "none/a.csv");
  const NoVulkanDriver without;
  requireRefused({"heatmap", path, "--layer", "0", "--compute", "gpu", "--out", out}, 4, "Vulkan");
  CHECK_FALSE(std::filesystem::exists(out));
  // Numbers and the pixels of a crop need no device.
  CHECK(command({"heatmap", path, "--layer", "0", "--out", out}).status == 0);
  CHECK(command({"heatmap", path, "--layer", "0", "--crop", "0,8,0,8", "--out", folder.path("a.png")}).status == 0);
}
