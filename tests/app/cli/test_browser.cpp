// SPDX-License-Identifier: Apache-2.0
// Exported pages in a real browser: values are selected by the address, pictures and texts are shown without scripts,
// and the page can be printed. Hidden: tests/app/cli/with_browser runs these tests, and skips them if Chromium is not
// installed.
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "engine/render/png.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/shell.h"
#include "ui/workbench/web_page.h"

using namespace sepx;
using namespace sepx::test;
using tests::have;
using tests::outputOf;

namespace {

/// Runs Chromium with `options` on a page, which may have a part after "#". Uses its own profile, not the user's.
std::string browse(const Folder& folder, const std::string& options, const std::string& page) {
  return outputOf("timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir=" +
                  folder.path("profile") + " --virtual-time-budget=3000 " + options + " 'file://" + folder.path(page) +
                  "' 2>/dev/null");
}

/// The text of the first element with this class in the output of --dump-dom.
std::string textOf(const std::string& dom, const std::string& kind) {
  const std::size_t at = dom.find("class=\"" + kind + "\"");
  const std::size_t from = at == std::string::npos ? at : dom.find('>', at);
  return from == std::string::npos ? "" : dom.substr(from + 1, dom.find('<', from) - from - 1);
}

Json valuesOf(const std::string& html) {
  const std::string begin = "id=\"values\">";
  const std::size_t from = html.find(begin) + begin.size();
  return Json::parse(html.substr(from, html.find('<', from) - from));
}

/// Number of colours of a picture at the points of a grid; 1 if it is empty.
std::size_t colours(const std::string& png) {
  const auto pixels = render::readPng(png);
  REQUIRE(pixels);
  std::set<std::string> seen;
  for (std::size_t y = 0; y < pixels->extent.height; y += 16)
    for (std::size_t x = 0; x < pixels->extent.width; x += 16) {
      const std::size_t at = 4 * (y * pixels->extent.width + x);
      seen.insert({reinterpret_cast<const char*>(&pixels->rgba[at]), 3});
    }
  return seen.size();
}

void writePage(const Folder& folder) {
  writeText(folder.path("s.sepx"), R"({"version":1,"exhibit":"flow","flow":{"p":0.3,"q":0.9,"points":[
    {"e":1,"w":-0.4,"name":"A"},{"e":-0.5,"w":0.7,"name":"B"}]}})");
  const Ran ran = command({"render", folder.path("s.sepx"), "--out", folder.path("page.html"), "--slider",
                           "flow.p=0.2..0.6/3", "--size", "640x420"});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
}

}  // namespace

TEST_CASE("A browser shows values of a page by its address and moves the slider", "[.browser]") {
  REQUIRE(have("chromium"));
  const Folder folder;
  writePage(folder);
  const Json section = valuesOf(readText(folder.path("page.html")))["sections"][0];
  const auto said = [&](int picture, int row) {
    return section["pictures"][picture]["views"][0]["rows"][row]["cells"][0][2].get<std::string>();
  };
  const std::string first = browse(folder, "--dump-dom", "page.html#view=points&row=1&cell=0&picture=0");
  CHECK(textOf(first, "value") == said(0, 1));
  CHECK(first.find("<html lang=\"en\" class=\"js\">") != std::string::npos);
  CHECK(first.find("class=\"ring\"") != std::string::npos);
  const std::string last = browse(folder, "--dump-dom", "page.html#view=points&row=1&cell=0&picture=2");
  CHECK(textOf(last, "value") == said(2, 1));
  CHECK(last.find("<output>0.600</output>") != std::string::npos);
  // An invalid address changes nothing.
  const std::string odd = browse(folder, "--dump-dom", "page.html#view=%3Cscript%3E&row=-1&cell=x&picture=99");
  CHECK(textOf(odd, "value").empty());
}

TEST_CASE("A page without scripts has its pictures and texts, and can be printed", "[.browser]") {
  REQUIRE(have("chromium"));
  const Folder folder;
  writePage(folder);
  // A changed script does not run, because the page forbids it by a hash.
  std::string changed = readText(folder.path("page.html"));
  const std::string strict = "\"use strict\";";
  REQUIRE(changed.find(strict) != std::string::npos);
  changed.replace(changed.find(strict), strict.size(), "alert(1) ;\n;");
  writeText(folder.path("changed.html"), changed);
  const std::string dom = browse(folder, "--dump-dom", "changed.html");
  CHECK(dom.find("<html lang=\"en\">") != std::string::npos);
  CHECK(tests::count(dom, "<figure class=\"picture\">") == 3);
  static_cast<void>(browse(folder, "--screenshot=" + folder.path("with.png") + " --window-size=900,700", "page.html"));
  static_cast<void>(
      browse(folder, "--screenshot=" + folder.path("without.png") + " --window-size=900,2400", "changed.html"));
  CHECK(colours(folder.path("with.png")) > 5);
  CHECK(colours(folder.path("without.png")) > 5);
  static_cast<void>(browse(folder, "--no-pdf-header-footer --print-to-pdf=" + folder.path("page.pdf"), "page.html"));
  REQUIRE(std::filesystem::exists(folder.path("page.pdf")));
  if (!have("pdftotext")) return;
  const std::string text = outputOf("pdftotext -layout " + folder.path("page.pdf") + " -");
  INFO(text);
  CHECK(text.find("Flow") != std::string::npos);
  CHECK(text.find("Made with Separatrix") != std::string::npos);
}

TEST_CASE("A browser reads values at a point of a plane, by factors along logarithmic axes", "[.browser]") {
  REQUIRE(have("chromium"));
  const Folder folder;
  ui::WebPicture picture;
  picture.svg.text = "<svg viewBox=\"0 0 300 200\"></svg>";
  picture.width = 300;
  picture.height = 200;
  // Columns at 1, 10, 100 and rows at 5 and 15.
  picture.planes = {{"plane",
                     "rate",
                     "width",
                     {{0, 0}, {300, 200}},
                     1 / std::sqrt(10.0),
                     100 * std::sqrt(10.0),
                     0,
                     20,
                     {{"loss", 3, 2, {1, 2, 3, 4, 5, 6}, {}}},
                     true,
                     false}};
  ui::WebPage page;
  page.title = "Axes";
  page.sections = {{.title = {}, .pictures = {picture}}};
  const auto html = ui::webPage(page);
  if (!html) FAIL(html.error().message);
  writeText(folder.path("axes.html"), *html);
  const auto at = [&](const std::string& place) {
    return textOf(browse(folder, "--dump-dom", "axes.html#at=" + place), "value");
  };
  CHECK(at("50,150") == "rate = 1, width = 5, loss \u2248 1");
  CHECK(at("150,150") == "rate = 10, width = 5, loss \u2248 2");
  CHECK(at("250,50") == "rate = 100, width = 15, loss \u2248 6");
  CHECK(at("100,150") == "rate = 3.1623, width = 5, loss \u2248 2");
  CHECK(at("400,50").empty());
  CHECK(at("x,50").empty());
}

TEST_CASE("A browser shows over the plane of Flow the values that the program computes there", "[.browser]") {
  REQUIRE(have("chromium"));
  const Folder folder;
  writePage(folder);
  const Json picture = valuesOf(readText(folder.path("page.html")))["sections"][0]["pictures"][1];
  const Json& plane = picture["planes"][0];
  const double share = 0.31, up = 0.77;
  const auto at = [&](int axis, double part) {
    return plane["from"][axis].get<double>() +
           part * (plane["to"][axis].get<double>() - plane["from"][axis].get<double>());
  };
  const double e = at(0, share), w = at(1, up);
  const double x =
      plane["box"][0].get<double>() + share * (plane["box"][2].get<double>() - plane["box"][0].get<double>());
  const double y = plane["box"][3].get<double>() - up * (plane["box"][3].get<double>() - plane["box"][1].get<double>());
  const std::string said =
      textOf(browse(folder, "--dump-dom", fmt::format("page.html#picture=1&at={},{}", x, y)), "value");
  INFO(said);
  const Json flow = commandJson({"flow", "--p", "0.4", "--q", "0.9", "--at", fmt::format("{},{}", e, w), "--json"});
  const std::size_t from = said.find("loss \u2248 ");
  REQUIRE(from != std::string::npos);
  CHECK(std::stod(said.substr(from + std::string("loss \u2248 ").size())) ==
        Approx(flow["loss"].get<double>()).epsilon(0.1));
}
