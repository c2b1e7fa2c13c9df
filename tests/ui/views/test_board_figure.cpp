// SPDX-License-Identifier: Apache-2.0
// Views of a board as panels of a figure: panels of one size with aligned plots, and one legend below.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/ui/views/board_rig.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

ChartContent named(std::vector<double> y, std::string axis, std::vector<std::string> series) {
  ChartContent content = chartOf(std::move(y));
  content.chart.y.name = std::move(axis);
  content.chart.series.front().name = series.front();
  for (std::size_t i = 1; i < series.size(); ++i) {
    content.chart.series.push_back(content.chart.series.front());
    content.chart.series.back().name = series[i];
    content.chart.series.back().look.dash = render::Dash::Dashed;
  }
  return content;
}

/// A board with three charts, a legend of the page and a text, as a figure.
class FigureRig {
 public:
  FigureRig(double width, double height) : area_{{0, 0}, {width, height}} {
    ChartContent own = named({0, 1000000, 2000000}, "large", {"first", "second"});
    own.chart.legend = true;
    Views views{{{"large", own},
                 {"small", named({0, 1, 2}, "small", {"third", "fourth"})},
                 {"other", named({0, 3, 4}, "other", {"third", "fourth"})},
                 {"legend", LegendContent{{{"of the page", {}}}}},
                 {"words", TextContent{.lines = {{{"words"}}}}}},
                {.kind = Arrangement::Kind::Column}};
    for (const char* name : {"large", "small", "legend", "other", "words"})
      views.arrangement.parts.push_back(viewNamed(name));
    board.show(std::move(views));
  }
  void choose(FigureChoice choice) {
    board.choose(choice);
    const PageArea page{*findTheme("light"), area_, std::nullopt, true};
    board.place(page);
    layers.clear();
    board.scene(page, layers);
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const render::Layer& layer : layers)
      for (const render::Item& item : layer.items)
        if (const auto* label = std::get_if<render::Label>(&item)) all.push_back(label->text);
    return all;
  }
  bool says(const std::string& text) const {
    const std::vector<std::string> all = texts();
    return std::find(all.begin(), all.end(), text) != all.end();
  }
  /// The frame of a chart's plot: the last closed line of five points in its layer.
  render::Rect plotOf(const std::string& view) const {
    render::Rect plot;
    for (const render::Layer& layer : layers) {
      if (layer.name != "test." + view) continue;
      for (const render::Item& item : layer.items)
        if (const auto* line = std::get_if<render::Polyline>(&item); line && line->points.size() == 5)
          plot = {line->points[0], line->points[2]};
    }
    return plot;
  }
  std::vector<FigurePanel> standing() const {
    std::vector<FigurePanel> panels = board.panels();
    std::erase_if(panels, [](const FigurePanel& one) { return !one.box; });
    return panels;
  }

  ViewBoard board{"test."};
  std::vector<render::Layer> layers;

 private:
  render::Rect area_;
};

}  // namespace

TEST_CASE("views: the charts of a page can be panels, in the order of the page; legends and texts cannot", "[views]") {
  FigureRig rig(800, 400);
  rig.choose({});
  std::vector<std::string> names, labels;
  for (const FigurePanel& panel : rig.board.panels()) {
    names.push_back(panel.name);
    labels.push_back(panel.label);
    CHECK_FALSE(panel.box);  // the whole page is shown
  }
  CHECK(names == std::vector<std::string>{"test.large", "test.small", "test.other"});
  CHECK(labels == std::vector<std::string>{"large", "small", "other"});
  CHECK(rig.says("words"));
}

TEST_CASE("views: the chosen views are panels of one size with aligned plots", "[views]") {
  FigureRig rig(800, 400);
  rig.choose({.views = {"other", "large"}});
  const std::vector<FigurePanel> panels = rig.standing();
  REQUIRE(panels.size() == 2);
  CHECK(panels[0].name == "test.large");  // in the order of the page
  CHECK(panels[0].box->width() == Approx(panels[1].box->width()));
  CHECK(panels[0].box->height() == Approx(panels[1].box->height()));
  CHECK(panels[0].box->min.y == panels[1].box->min.y);  // side by side, because the page is wide
  const render::Rect large = rig.plotOf("large"), other = rig.plotOf("other");
  CHECK(large.min.y == Approx(other.min.y));
  CHECK(large.max.y == Approx(other.max.y));
  CHECK_FALSE(rig.says("words"));
  CHECK(rig.plotOf("small").width() == 0);

  FigureRig narrow(300, 700);
  narrow.choose({.views = {"small", "large"}});
  const render::Rect above = narrow.plotOf("large"), below = narrow.plotOf("small");
  CHECK(above.max.y < below.min.y);
  CHECK(above.min.x == Approx(below.min.x));  // although one axis has longer numbers
  CHECK(above.max.x == Approx(below.max.x));
}

TEST_CASE("views: the legends of panels are below them, and panels with the same legend share one", "[views]") {
  FigureRig rig(800, 400);
  rig.choose({.views = {"large", "small", "other"}});
  for (const char* text : {"first", "second", "of the page", "(a)", "(b), (c)"}) {
    INFO(text);
    CHECK(rig.says(text));
  }
  CHECK_FALSE(rig.says("third"));  // the page has its own legend for these series
  const double lowest = std::max(rig.plotOf("large").max.y, rig.plotOf("other").max.y);
  for (const render::Layer& layer : rig.layers)
    for (const render::Item& item : layer.items)
      if (const auto* label = std::get_if<render::Label>(&item); label && label->text == "first")
        CHECK(label->at.y > lowest);
  rig.choose({.views = {"large"}, .firstLetter = 2});
  CHECK(rig.says("first"));
  CHECK_FALSE(rig.says("(c)"));  // with a single legend
  rig.choose({.views = {"large"}, .legend = false});
  CHECK_FALSE(rig.says("first"));
  CHECK(rig.board.leftOut().empty());
  rig.choose({.legend = false});  // the whole page without its legends
  CHECK_FALSE(rig.says("first"));
  CHECK_FALSE(rig.says("of the page"));
  CHECK(rig.says("words"));
}

TEST_CASE("views: panels leave room below for the legends of another pane", "[views]") {
  FigureRig rig(800, 400);
  rig.choose({.views = {"small", "other"}});
  const double free = rig.standing().front().box->max.y;
  rig.choose({.views = {"small", "other"}, .below = 400 - free + 30});
  CHECK(rig.standing().front().box->max.y == Approx(free - 30));
  CHECK(rig.says("of the page"));
}

TEST_CASE("views: a legend without room is left out and reported", "[views]") {
  FigureRig rig(260, 60);
  rig.choose({.views = {"large", "small"}});
  CHECK_FALSE(rig.says("first"));
  CHECK(rig.board.leftOut().size() == 1);
}

TEST_CASE("views: a figure shows the given part of a chart", "[views]") {
  FigureRig rig(800, 400);
  const ChartPart part{render::Rect{{0.5, 0.25}, {1.5, 1}}, false, false};
  rig.choose({.views = {"small"}, .parts = {{"test.small", part}}});
  CHECK(rig.says("0.5"));
  CHECK_FALSE(rig.says("2"));  // the end of the axis
  REQUIRE(rig.board.chartParts().size() == 1);
  CHECK(rig.board.chartParts().front() == std::pair<std::string, ChartPart>("test.small", part));
  rig.choose(
      {.parts = {{"test.small", {std::nullopt, false, true}}}});  // an axis that the user switched, on a whole page
  REQUIRE(rig.board.chartParts().size() == 1);
  CHECK(rig.board.chartParts().front().second.turnedY);
}

TEST_CASE("views: letters of panels continue after z, and a view can be named by the last parts of its key",
          "[views]") {
  CHECK(panelLetter(0) == "(a)");
  CHECK(panelLetter(25) == "(z)");
  CHECK(panelLetter(26) == "(aa)");
  CHECK(matchesView("loss", "training.curves.loss"));
  CHECK(matchesView("curves.loss", "training.curves.loss"));
  CHECK_FALSE(matchesView("oss", "training.curves.loss"));
  CHECK_FALSE(matchesView("", "training.curves.loss"));
}

TEST_CASE("views: a page that is too small for the legend of its chart reports this", "[views]") {
  const PageArea page{*findTheme("light"), {{0, 0}, {400, 300}}, std::nullopt, true};
  for (const bool legend : {true, false})
    for (const std::size_t lines : {1u, 2u}) {
      INFO(legend << ' ' << lines);
      ViewBoard board{"test."};
      ChartContent content =
          named({0, 1, 2}, "y", lines > 1 ? std::vector<std::string>{"one", "two"} : std::vector<std::string>{"one"});
      content.chart.legend = legend;
      board.show({{{"curve", std::move(content)}}, viewNamed("curve")});
      board.place(page);
      CHECK(board.leftOut().size() == (lines > 1 && !legend ? 1 : 0));
    }
}
