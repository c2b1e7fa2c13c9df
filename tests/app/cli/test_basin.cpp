// SPDX-License-Identifier: Apache-2.0
// sepx basin: shares, disagreement between methods, the picture, the GPU kernel with and without a driver.
#include <algorithm>
#include <cmath>
#include <sstream>

#include <catch2/catch.hpp>

#include "app/cli/cli.h"
#include "engine/markov/basin.h"
#include "engine/render/png.h"
#include "tests/app/cli/run_sepx.h"
#include "ui/canvas/theme.h"

using namespace sepx;
using namespace sepx::test;

namespace {

std::vector<std::string> basin(const std::string& method, const std::string& size = "96x64",
                               const std::string& p = "0.5") {
  return {"basin", "--p", p, "--q", "0.8", "--window", "-1.5,1.5,-1.25,0.75", "--size", size, "--method", method};
}

double sumOfShares(const Json& json) {
  double sum = 0;
  for (const Json& share : json["labels"])
    sum += share.get<double>();
  return sum;
}

}  // namespace

TEST_CASE("basin prints the documented JSON") {
  const Json json = commandJson(basin("exact"));
  CHECK(keysOf(json) == std::vector<std::string>{"schema", "p", "q", "window", "size", "method", "pixels", "labels",
                                                 "disagreement", "disagreements", "device", "nonfinite"});
  CHECK(json["schema"] == "sepx.basin/1");
  CHECK(json["method"] == Json({"exact"}));
  CHECK(json["pixels"] == 96 * 64);
  CHECK(keysOf(json["labels"]) ==
        std::vector<std::string>{"global-min", "local-min", "saddle", "local-max", "undecided"});
  CHECK(sumOfShares(json) == Approx(1).margin(1e-12));
  CHECK(json["disagreement"].is_null());
  CHECK(json["disagreements"] == Json::array());
  CHECK(json["labels"]["global-min"].get<double>() > 0.2);
  CHECK(json["labels"]["local-min"].get<double>() > 0.2);
  CHECK(commandJson(basin("exact", "96x64", "0.2"))["labels"]["undecided"] == 1.0);  // p + q = 1
}

TEST_CASE("Integration and closed form agree except near the separatrix") {
  for (const char* p : {"0.5", "0.1"}) {
    const Json json = commandJson(basin("integrate,exact", "96x64", p));
    CHECK(json["method"] == Json({"integrate", "exact"}));
    CHECK(sumOfShares(json) == Approx(1).margin(1e-12));
    CHECK(json["disagreement"].get<double>() < 0.01);
  }
}

TEST_CASE("The region that is good for every chain is the same for all chains, by theory and by integration") {
  double share = -1;
  for (const char* p : {"0.5", "0.1", "0.2"}) {  // p + q above, below and at 1
    std::vector<std::string> arguments = basin("exact", "96x64", p);
    arguments.emplace_back("--common");
    const Json json = commandJson(arguments);
    CHECK(json["common"]["disagreements"] == 0);
    CHECK(json["common"]["share"].get<double>() > 0.1);
    if (share >= 0) CHECK(json["common"]["share"] == share);
    share = json["common"]["share"].get<double>();
  }
}

TEST_CASE("The GPU kernel agrees with the closed form") {
  const Json json = commandJson(basin("gpu,exact"));
  CHECK(json["disagreement"].get<double>() < 0.02);
  CHECK(json["device"].is_string());
}

TEST_CASE("Three methods are compared in pairs") {
  const Json json = commandJson(basin("exact,integrate,gpu", "48x32"));
  const Json& pairs = json["disagreements"];
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[0]["methods"] == Json({"exact", "integrate"}));
  CHECK(pairs[1]["methods"] == Json({"exact", "gpu"}));
  CHECK(pairs[2]["methods"] == Json({"integrate", "gpu"}));
  double largest = 0;
  for (const Json& pair : pairs)
    largest = std::max(largest, pair["share"].get<double>());
  CHECK(json["disagreement"] == largest);
  CHECK(largest < 0.02);
  const std::string table = command(basin("exact,integrate,gpu", "48x32")).out;
  CHECK(table.find("disagreement of integrate and gpu") != std::string::npos);
}

TEST_CASE("The methods also agree in large windows, because orbits are followed as far as the window needs") {
  for (const char* reach : {"10", "100"}) {
    INFO(reach);
    const std::string side = reach;
    const Json json = commandJson({"basin", "--p", "0.5", "--q", "0.8", "--window",
                                   "-" + side + "," + side + ",-" + side + "," + side, "--size", "48x48", "--method",
                                   "exact,integrate"});
    CHECK(json["disagreement"].get<double>() < 0.002);
  }
}

TEST_CASE("The picture shows the limit of every pixel in the theme's colours") {
  Folder folder;
  for (const char* theme : {"dark", "light"}) {
    std::vector<std::string> arguments = basin("exact", "31x17");
    arguments.insert(arguments.end(), {"--out", folder.path("map.png"), "--theme", theme});
    REQUIRE(command(arguments).status == 0);
    const auto pixels = render::readPng(folder.path("map.png"));
    REQUIRE(pixels);
    CHECK(pixels->extent == gpu::Extent{31, 17});
    const dynamics::BasinWindow window{-1.5, 1.5, -1.25, 0.75, 31, 17};
    const ui::Theme* colors = ui::findTheme(theme);
    REQUIRE(colors != nullptr);
    for (int row = 0; row < 17; ++row) {
      for (int column = 0; column < 31; ++column) {
        const auto kind = markov::basinLabel(markov::Chain{0.5, 0.8}, window.x(column), window.y(row));
        const render::Color color = kind == markov::LimitKind::GlobalMin  ? colors->globalMin
                                    : kind == markov::LimitKind::LocalMin ? colors->localMin
                                                                          : colors->localMax;
        const std::uint8_t* pixel = &pixels->rgba[4 * static_cast<std::size_t>(row * 31 + column)];
        CHECK(std::abs(pixel[0] - 255 * color.r) < 1);
        CHECK(std::abs(pixel[1] - 255 * color.g) < 1);
        CHECK(std::abs(pixel[2] - 255 * color.b) < 1);
        CHECK(pixel[3] == 255);
      }
    }
  }
  CHECK(readText(folder.path("map.png")).find("Separatrix-Recipe") != std::string::npos);
}

TEST_CASE("basin refuses invalid arguments") {
  const auto change = [](std::size_t index, const std::string& value) {
    std::vector<std::string> arguments = basin("exact");
    arguments[index] = value;
    return arguments;
  };
  for (const char* window : {"1,1,0,1", "1,0,0,1", "0,1,0", "0,1,0,1,2", "0,1,0,nan", "a,b,c,d"}) {
    requireRefused(change(6, window), 2, "--window");
  }
  for (const char* size :
       {"0x10", "10x0", "-5x5", "10", "10x", "x10", "axb", "1e9x1", "16384x16384", "99999999999999999999x2"}) {
    INFO(size);
    requireRefused(change(8, size), 2, "--size");
  }
  for (const char* method : {"", "exakt", "exact,exact", "exact,integrate,exact", "exact,"})
    requireRefused(change(10, method), 2, "--method");
  std::vector<std::string> unwritable = basin("exact", "4x4");
  unwritable.insert(unwritable.end(), {"--out", "/dev/null/folder/map.png"});
  requireRefused(unwritable, 6, "/dev/null/folder/map.png");
}

TEST_CASE("A terminal shows a progress bar during integration, which is removed at the end") {
  std::ostringstream out, err;
  CHECK(app::cli::run(basin("integrate", "64x64"), out, err, true) == 0);
  CHECK(err.str().find(" 100 %") != std::string::npos);
  const std::string cleared = "\r\033[K";
  CHECK(err.str().substr(err.str().size() - cleared.size()) == cleared);
  CHECK(command(basin("integrate", "64x64")).err.empty());
}

TEST_CASE("Without a Vulkan driver the GPU kernel is refused and everything else works") {
  const NoVulkanDriver none;
  requireRefused(basin("gpu"), 4, "install");
  requireRefused(basin("exact,gpu"), 4, "install");
  CHECK(command(basin("exact,integrate", "16x16")).status == 0);
  CHECK(command({"flow", "--p", "0.5", "--q", "0.8", "--at", "0.3,0.2"}).status == 0);
  CHECK(command({"trajectory", "--p", "0.5", "--q", "0.8", "--at", "0.3,0.2"}).status == 0);
}
