// SPDX-License-Identifier: Apache-2.0
// Several views in one figure, the visible part of a chart, legends outside the plot, and messages about parts without
// room.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/render/recipe.h"
#include "tests/folders.h"
#include "tests/shell.h"
#include "tests/ui/workbench/figure_rig.h"
#include "ui/page/exhibit.h"

using namespace sepx;
using namespace sepx::test;
using tests::count;
using ui::FigurePanel;

namespace {

constexpr const char* kRace = "exhibit reversal\nset reversal.page race\nwait settled\n";

std::vector<std::string> panelNames(Bench& bench) {
  std::vector<std::string> names;
  for (const FigurePanel& panel : bench.workbench().exhibit(1).panels())
    names.push_back(ui::panelName(bench.workbench(), 1, panel));
  return names;
}

/// The value of an attribute of the element that contains `text`; -1 if there is none.
double attribute(const std::string& svg, const std::string& text, const std::string& name) {
  const std::size_t end = svg.find(">" + text + "</text>");
  if (end == std::string::npos) return -1;
  const std::size_t begin = svg.rfind("<text", end), at = svg.find(" " + name + "=\"", begin);
  return at < end ? std::strtod(svg.c_str() + at + name.size() + 3, nullptr) : -1;
}

std::string layerOf(const std::string& svg, const std::string& name) {
  const std::size_t from = svg.find("data-layer=\"" + name + "\"");
  return from == std::string::npos ? std::string() : svg.substr(from, svg.find("</g>", from) - from);
}

}  // namespace

TEST_CASE("The chosen views are panels with bold letters, and the caption describes each panel", "[figure]") {
  const Place place;
  Bench bench;
  bench.play(kRace);
  const std::vector<std::string> names = panelNames(bench);
  REQUIRE(names.size() >= 2);
  ui::FigureRequest wanted = request(place.path("a.svg"));
  wanted.views = {names[1], names[0]};
  REQUIRE(ui::applyPreset(wanted, "double-column"));
  make(bench, wanted);
  const std::string svg = content(wanted.path), letters = layerOf(svg, "letters");
  for (const char* letter : {"(a)", "(b)"}) {
    INFO(letter);
    CHECK(count(letters, std::string(">") + letter + "<") == 1);
  }
  CHECK(count(letters, "<text") == 2);
  CHECK(count(letters, "font-weight=\"bold\"") + count(letters, "font-weight=\"600\"") +
            count(letters, "font-weight=\"700\"") ==
        2);
  const FigurePanel first = bench.workbench().exhibit(1).panels().front();
  CHECK(svg.find("(a) " + first.label) != std::string::npos);
  CHECK(svg.find("<title>" + bench.workbench().exhibit(1).title()) != std::string::npos);
  // The request in the recipe gives the same figure.
  const auto recipe = render::readRecipe(wanted.path);
  REQUIRE((recipe && *recipe));
  auto again = ui::parseRecipe(**recipe);
  REQUIRE(again);
  CHECK(again->request.views == wanted.views);
  again->request.path = place.path("b.svg");
  make(bench, again->request);
  CHECK(content(again->request.path) == svg);
}

TEST_CASE("An unknown view is refused with the names of the views", "[figure]") {
  const Place place;
  Bench bench;
  bench.play(kRace);
  ui::FigureRequest wanted = request(place.path("a.svg"));
  wanted.views = {"nothing"};
  const std::string sentence = refusal(bench, wanted, ErrorKind::Usage);
  CHECK_THAT(sentence, Catch::Contains("nothing") && Catch::Contains(panelNames(bench).front()));
  CHECK(place.names().empty());
  bench.play("exhibit flow\nset flow.page space\nwait settled\n");
  CHECK_THAT(refusal(bench, wanted, ErrorKind::Usage), Catch::Contains("panels of a figure"));
}

TEST_CASE("The picture of a page with its own layout can be a panel, alone or with its charts", "[figure]") {
  const Place place;
  Bench bench({1000, 640});
  bench.play("exhibit weights\nopen " + tests::sourceFolder() +
             "/assets/models/encoder\nset weights.page matrix\nwait settled\n");
  const std::vector<std::string> names = panelNames(bench);
  REQUIRE(names.size() >= 3);
  CHECK(names.front() == "matrix");
  ui::FigureRequest wanted = request(place.path("a.svg"));
  wanted.views = {"matrix", "singular", "survival"};
  REQUIRE(ui::applyPreset(wanted, "double-column"));
  make(bench, wanted);
  const std::string svg = content(wanted.path), letters = layerOf(svg, "letters");
  CHECK(count(letters, "<text") == 3);
  CHECK(layerOf(svg, "matrix.full").find("<image") != std::string::npos);
  CHECK(layerOf(svg, "matrix.singular").find("<path") != std::string::npos);
  CHECK(layerOf(svg, "matrix.survival").find("<path") != std::string::npos);
  CHECK(layerOf(svg, "caption").find("\U0001D44A") != std::string::npos);  // W_qk of panel (a)
  // Without the picture its charts use the whole page.
  wanted.path = place.path("b.svg");
  wanted.views = {"survival"};
  make(bench, wanted);
  CHECK(layerOf(content(wanted.path), "matrix.full").empty());
  for (const char* const page : {"wall", "plane"}) {
    INFO(page);
    const bool flow = std::string(page) == "plane";
    bench.play(std::string("exhibit ") + (flow ? "flow" : "weights") + "\nset " + (flow ? "flow" : "weights") +
               ".page " + page + "\nwait settled\n");
    CHECK(panelNames(bench) == std::vector<std::string>{page});
    wanted.path = place.path(std::string(page) + ".svg");
    wanted.views = {page};
    make(bench, wanted);
    CHECK(content(wanted.path).find(flow ? "data-layer=\"separatrix\"" : "data-layer=\"wall.heads\"") !=
          std::string::npos);
  }
}

TEST_CASE("The two queries of the page Routing can be panels", "[figure]") {
  const Place place;
  Bench bench({900, 600});
  bench.play("exhibit reversal\nset reversal.page routing\nwait settled\n");
  CHECK(panelNames(bench) == std::vector<std::string>{"routing.forward", "routing.reverse"});
  ui::FigureRequest wanted = request(place.path("a.svg"));
  wanted.views = {"forward", "reverse"};
  wanted.width = 700;
  make(bench, wanted);
  CHECK(count(layerOf(content(wanted.path), "letters"), "<text") == 2);
}

TEST_CASE("The letters of panels continue in the second pane", "[figure]") {
  const Place place;
  Bench bench({900, 500});
  bench.play(std::string(kRace) +
             "set panes.layout two\nset exhibit@2 reversal\nset reversal@2.page race\nwait settled\n");
  std::vector<FigurePanel> panels = bench.workbench().exhibit(2).panels();
  REQUIRE(panels.size() >= 2);
  ui::FigureRequest wanted = request(place.path("a.svg"));
  wanted.width = 800;
  wanted.views = {ui::panelName(bench.workbench(), 1, panels[0]), ui::panelName(bench.workbench(), 2, panels[0]),
                  ui::panelName(bench.workbench(), 2, panels[1])};
  make(bench, wanted);
  const std::string letters = layerOf(content(wanted.path), "letters");
  CHECK(count(letters, "<text") == 3);
  CHECK(attribute(letters, "(a)", "x") < attribute(letters, "(b)", "x"));
  CHECK(count(letters, ">(c)<") == 1);
}

TEST_CASE("A zoomed chart is exported as shown, or whole on request", "[figure]") {
  const Place place;
  Bench bench({900, 600});
  bench.play(kRace);
  const std::string view = panelNames(bench).front();
  const std::string whole = place.path("whole.svg"), part = place.path("part.svg"), forced = place.path("forced.svg");
  ui::FigureRequest wanted = request(whole);
  wanted.views = {view};
  make(bench, wanted);
  bench.play("scroll " + view + " 300,0.5 9\nwait settled\n");
  REQUIRE(bench.workbench().exhibit(1).chartParts().size() == 1);
  wanted.path = part;
  make(bench, wanted);
  wanted.path = forced;
  wanted.part = false;
  make(bench, wanted);
  const std::string end = ">1500<", all = content(whole), shown = content(part);
  CHECK(all.find(end) != std::string::npos);
  CHECK(shown.find(end) == std::string::npos);
  CHECK(content(forced).find(end) != std::string::npos);
  const auto recipe = render::readRecipe(part);
  REQUIRE((recipe && *recipe));
  auto again = ui::parseRecipe(**recipe);
  REQUIRE(again);
  bench.play("set reversal.page ideal\nset reversal.page race\nwait settled\n");
  again->request.path = place.path("again.svg");
  make(bench, again->request);
  CHECK(content(again->request.path) == shown);
}

TEST_CASE("The legend of the plane is outside the plot, and a page without room for it reports this", "[figure]") {
  const Place place;
  Bench bench;
  bench.play("set flow.p 0.5\nset flow.q 0.8\nadd point 0.3,0.2\nset flow.selected 0\nwait settled\n");
  for (const char* preset : {"single-column", "double-column"}) {
    INFO(preset);
    ui::FigureRequest wanted = request(place.path("a.svg"));
    REQUIRE(ui::applyPreset(wanted, preset));
    std::string remark;
    REQUIRE(ui::makeFigure(bench.workbench(), nullptr, wanted, &remark));
    CHECK(remark.empty());
    const std::string svg = content(wanted.path);
    // The plot extends from tick -2 to tick 2 on both axes; the axis symbols give its left and lower bounds.
    const double x = attribute(svg, "saddle", "x"), y = attribute(svg, "saddle", "y");
    const double left = attribute(svg, "\U0001D464", "x"), below = attribute(svg, "\U0001D452", "y");
    REQUIRE((x > 0 && y > 0 && left > 0 && below > 0));
    CHECK((x < left || y > below));
  }
  ui::FigureRequest tiny = request(place.path("b.svg"));
  tiny.width = tiny.height = 60;
  std::string remark;
  REQUIRE(ui::makeFigure(bench.workbench(), nullptr, tiny, &remark));
  CHECK_THAT(remark, Catch::Contains("legend"));
  tiny.legend = false;
  REQUIRE(ui::makeFigure(bench.workbench(), nullptr, tiny, &remark));
  CHECK(remark.empty());
}

TEST_CASE("A script chooses the views, the preset and whole charts of a figure", "[figure]") {
  const Place place;
  Bench bench({900, 600});
  bench.play(kRace);
  const std::vector<std::string> names = panelNames(bench);
  bench.play("export two.svg " + names[0] + " " + names[1] + " as single-column whole\n", place.folder.string());
  const std::string svg = content(place.path("two.svg"));
  CHECK(count(layerOf(svg, "letters"), "<text") == 2);
  CHECK(svg.find("width=\"249") != std::string::npos);  // 88 mm in points
  CHECK_FALSE(bench.run("export a.svg as\n", place.folder.string()));
  CHECK_FALSE(bench.run("export a.svg as nonsense\n", place.folder.string()));
}

TEST_CASE("A passing message disappears after six seconds", "[messages]") {
  Bench bench;
  bench.play("exhibit flow\nwait settled\n");
  const auto shownAfter = [&bench](const std::string& frames, bool passes) {
    bench.workbench().say({.text = "Saved a.pdf", .passes = passes});
    bench.play("wait frames " + frames + "\n");
    return bench.workbench().controlAt("workbench.message.close").has_value();
  };
  CHECK(shownAfter("330", true));  // 5.5 s
  CHECK_FALSE(shownAfter("390", true));
  CHECK(shownAfter("390", false));
}
