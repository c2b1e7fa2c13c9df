// SPDX-License-Identifier: Apache-2.0
// The matrix page as a scene and with input: entries under the pointer, values in cells, dragged thresholds, sorting,
// three panes, large matrices that do not block a frame. Its colours: test_weights_colors.cpp.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include <catch2/catch.hpp>

#include "tests/patience.h"
#include "tests/ui/exhibits/weights/weights_rig.h"
#include "ui/canvas/shapes.h"
#include "ui/views/matrix_scale.h"
#include "ui/views/matrix_view.h"

namespace sepx::ui {
namespace {

const render::Heatmap& picture(const WeightsRig& rig, std::size_t index = 0) {
  static std::vector<render::Heatmap> maps;
  maps = matrixPictures(rig);
  REQUIRE(maps.size() > index);
  return maps[index];
}

TEST_CASE("The picture has the entries of the matrix, with row 0 at the top") {
  const TinyBert bert;
  WeightsRig rig(bert.write("entries"));
  const render::Heatmap& map = picture(rig);
  REQUIRE(map.width == 12);
  REQUIRE(map.height == 12);
  const render::Rect entries = entriesOf(rig, map);
  CHECK(entries.min.x == Approx(0).margin(1e-9));
  CHECK(entries.min.y == Approx(-12));
  CHECK(entries.max.x == Approx(12));
  CHECK(entries.max.y == Approx(0).margin(1e-9));
  CHECK(map.map == render::ColorMap::Diverging);
  CHECK(map.low == -map.high);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      CHECK((*map.values)[static_cast<std::size_t>(12 * i + j)] == Approx(bert.entry(0, -1, i, j)).margin(1e-5));
}

TEST_CASE("The pointer shows the exact entry and the norms of its row and column") {
  const TinyBert bert;
  WeightsRig rig(bert.write("hover"));
  rig.frame({[&] {
    const render::Point p = rig.cell(7, 3);
    return InputEvent(PointerMoved{p.x, p.y});
  }()});
  CHECK(rig.number("weights.hover.row") == 7);
  CHECK(rig.number("weights.hover.column") == 3);
  CHECK(rig.number("weights.hover.value") == Approx(bert.entry(0, -1, 7, 3)).margin(1e-12));
  double row = 0, column = 0;
  for (int k = 0; k < 12; ++k) {
    row += std::pow(bert.entry(0, -1, 7, k), 2);
    column += std::pow(bert.entry(0, -1, k, 3), 2);
  }
  CHECK(rig.number("weights.hover.row_norm") == Approx(std::sqrt(row)).margin(1e-12));
  CHECK(rig.number("weights.hover.column_norm") == Approx(std::sqrt(column)).margin(1e-12));
  CHECK(rig.texts("matrix.tip").find("row 7, column 3") != std::string::npos);
  // The tooltip is beside the pointer.
  const render::Point at{rig.cell(7, 3).x - rig.area.min.x, rig.cell(7, 3).y - rig.area.min.y};
  for (const render::Label& label : rig.items<render::Label>("matrix.tip"))
    if (label.text.find("row 7") == 0) CHECK(std::hypot(label.at.x - at.x, label.at.y - at.y) < 60);
  CHECK(rig.cursor == Cursor::Cross);
  rig.frame({PointerLeft{}});
  CHECK(std::isnan(rig.number("weights.hover.row")));
}

TEST_CASE("The symmetric and skew parts have the correct entry under the pointer") {
  const TinyBert bert;
  WeightsRig rig(bert.write("parts"));
  for (const auto& [part, sign] : {std::pair{"symmetric", 1.0}, std::pair{"skew", -1.0}}) {
    rig.set("weights.part", std::string(part));
    rig.settle();
    const render::Point p = rig.cell(2, 9);
    rig.frame({PointerMoved{p.x, p.y}});
    const double expected = (bert.entry(0, -1, 2, 9) + sign * bert.entry(0, -1, 9, 2)) / 2;
    CHECK(rig.number("weights.hover.value") == Approx(expected).margin(1e-12));
    CHECK((*picture(rig).values)[2 * 12 + 9] == Approx(expected).margin(1e-5));
  }
}

TEST_CASE("Three panes show the same view of the three parts") {
  const TinyBert bert;
  WeightsRig rig(bert.write("three"));
  rig.set("weights.part", std::string("three"));
  rig.settle();
  const auto maps = matrixPictures(rig);
  REQUIRE(maps.size() == 3);
  for (int i = 0; i < 144; ++i) {
    const auto at = static_cast<std::size_t>(i);
    CHECK((*maps[0].values)[at] == Approx((*maps[1].values)[at] + (*maps[2].values)[at]).margin(1e-5));
  }
  CHECK(rig.texts("matrix.axes").find("skew part") != std::string::npos);
  // After a zoom nothing is drawn outside a pane.
  std::vector<render::Rect> panes;
  for (const render::Heatmap& map : maps)
    panes.push_back(map.extent);
  const render::Point p = rig.cell(3, 3);
  rig.frame({PointerMoved{p.x, p.y}, Scrolled{0, 4, {}}});
  rig.settle();
  for (std::size_t i = 0; i < 3; ++i) {
    const render::Layer* const layer = rig.layer(kMatrixLayers[i]);
    REQUIRE(layer);
    REQUIRE(layer->within);
    CHECK(layer->within->min.x == Approx(panes[i].min.x));
    CHECK(layer->within->max.x == Approx(panes[i].max.x));
    CHECK(layer->within->max.y == Approx(panes[i].max.y));
  }
}

TEST_CASE("The wheel zooms at the pointer down to cells with their values, and R or a double click resets") {
  const TinyBert bert(64, 4);
  WeightsRig rig(bert.write("zoom"));
  const render::Rect whole = rig.scene->window;
  CHECK(whole == render::Rect{{0, -64}, {64, 0}});
  CHECK(rig.layer("matrix.minimap") == nullptr);
  const render::Point p = rig.cell(20, 40);
  for (int i = 0; i < 10; ++i)
    rig.frame({PointerMoved{p.x, p.y}, Scrolled{0, 1, {}}});
  rig.settle();
  CHECK(rig.scene->window.width() < 8);
  const render::Point still = render::toData(*rig.scene, {p.x - rig.area.min.x, p.y - rig.area.min.y});
  CHECK(still.x == Approx(40.5).margin(1e-6));
  CHECK(still.y == Approx(-20.5).margin(1e-6));
  CHECK(rig.layer("matrix.minimap") != nullptr);
  CHECK(rig.texts("matrix.full").find(entryText(bert.entry(0, -1, 20, 40), 3)) != std::string::npos);
  CHECK(rig.editor.history.undoSteps() == 1);  // from opening the file: camera changes are not undoable
  rig.set("weights.show.values", false);
  rig.settle();
  CHECK(rig.texts("matrix.full").empty());
  REQUIRE(rig.run("view.reset"));
  rig.frame();
  CHECK(rig.scene->window == whole);
  rig.frame({PointerMoved{p.x, p.y}, Scrolled{0, 5, {}}});
  CHECK_FALSE(rig.scene->window == whole);
  rig.seconds += 2;
  rig.click(p);
  rig.click(p);
  CHECK(rig.scene->window == whole);
}

TEST_CASE("A drag pans, and never beyond the matrix") {
  WeightsRig rig(TinyBert(64, 4).write("pan"));
  const render::Point p = rig.cell(32, 32);
  rig.frame({PointerMoved{p.x, p.y}, Scrolled{0, 4, {}}});
  rig.settle();
  const render::Rect before = rig.scene->window;
  rig.drag(p, {p.x + 60, p.y});
  CHECK(rig.scene->window.min.x < before.min.x);
  CHECK(rig.scene->window.width() == Approx(before.width()));
  rig.drag(p, {p.x + 4000, p.y + 4000});
  CHECK(rig.scene->window.min.x == Approx(0).margin(1e-9));
  CHECK(rig.scene->window.max.y == Approx(0).margin(1e-9));
  // The middle button pans too.
  rig.frame({PointerPressed{Button::Middle, true, p.x, p.y, {}}});
  rig.frame({RigBase::move({p.x - 60, p.y})});
  CHECK(rig.cursor == Cursor::Move);
  rig.frame({PointerPressed{Button::Middle, false, p.x - 60, p.y, {}}});
  const render::Rect moved = rig.scene->window;
  CHECK(moved.min.x > 1);
  rig.frame({RigBase::move({p.x - 90, p.y})});
  CHECK(rig.scene->window == moved);
}

TEST_CASE("The minimap of a zoomed matrix moves the view, starting with the press") {
  WeightsRig rig(TinyBert(64, 4).write("map"));
  const render::Point p = rig.cell(10, 10);
  rig.frame({PointerMoved{p.x, p.y}, Scrolled{0, 5, {}}});
  rig.settle();
  const std::vector<render::Heatmap> maps = rig.items<render::Heatmap>("matrix.minimap");
  REQUIRE(maps.size() == 1);
  const render::Rect& map = maps[0].extent;
  const auto at = [&](double share) {
    return render::Point{rig.area.min.x + map.min.x + share * map.width(),
                         rig.area.min.y + map.min.y + share * map.height()};
  };
  const double width = rig.scene->window.width();
  rig.frame({RigBase::move(at(0.5))});
  CHECK(rig.cursor == Cursor::Hand);
  rig.frame({RigBase::press(at(0.5), true)});
  CHECK(rig.scene->window.min.x + width / 2 == Approx(32).margin(0.01));
  rig.frame({RigBase::move(at(1))});
  rig.frame({RigBase::press(at(1), false)});
  CHECK(rig.scene->window.max.x == Approx(64));
  CHECK(rig.scene->window.min.y == Approx(-64));
  CHECK(rig.scene->window.width() == Approx(width));
}

TEST_CASE("Escape restores a dragged threshold within its undo step") {
  WeightsRig rig(TinyBert().write("back"));
  std::optional<render::Polyline> line;
  for (const render::Polyline& one : rig.items<render::Polyline>("matrix.margins"))
    if (one.stroke.dash == render::Dash::Dashed && one.points[0].y == one.points[1].y) line = one;
  REQUIRE(line);
  const double gamma = rig.number("weights.score.gamma");
  const render::Point at{rig.area.min.x + line->points[0].x + 40, rig.area.min.y + line->points[0].y};
  rig.frame({RigBase::move(at)});
  CHECK(rig.texts("matrix.tip").find("γ") != std::string::npos);
  rig.frame({RigBase::press(at, true)});
  rig.frame({RigBase::move({at.x, at.y + 9})});
  CHECK(rig.number("weights.score.gamma") != gamma);
  CHECK(rig.texts("matrix.tip").find("γ") != std::string::npos);  // also during the drag
  rig.frame({KeyPressed{Key::Escape, true, {}}});
  CHECK(rig.number("weights.score.gamma") == gamma);
  rig.frame({RigBase::move({at.x, at.y + 20})});
  CHECK(rig.number("weights.score.gamma") == gamma);
}

TEST_CASE("Dragging a threshold changes gamma on both sides and the score, in one undo step") {
  WeightsRig rig(TinyBert(48, 4).write("threshold"));
  rig.set("weights.score.gamma", 1.0);
  rig.settle();
  const std::size_t steps = rig.editor.history.undoSteps();
  const double row = rig.number("weights.threshold.row"), d = rig.number("weights.directionality");
  // The dashed line above the matrix.
  std::optional<render::Polyline> line;
  for (const render::Polyline& one : rig.items<render::Polyline>("matrix.margins"))
    if (one.stroke.dash == render::Dash::Dashed && one.points[0].y == one.points[1].y) line = one;
  REQUIRE(line);
  const render::Point at{rig.area.min.x + (line->points[0].x + line->points[1].x) / 2,
                         rig.area.min.y + line->points[0].y};
  rig.frame({PointerMoved{at.x, at.y}});
  CHECK(rig.cursor == Cursor::ResizeVertical);
  rig.drag(at, {at.x, at.y - 6});
  CHECK(rig.number("weights.score.gamma") > 1);
  CHECK(rig.number("weights.threshold.row") > row);
  CHECK(rig.number("weights.directionality") != d);
  CHECK(rig.editor.history.undoSteps() == steps + 1);
  // With Shift in steps of a tenth.
  const double gamma = rig.number("weights.score.gamma");
  CHECK(std::round(gamma * 100) / 100 == gamma);
  REQUIRE(rig.editor.history.undo());
  rig.frame();
  CHECK(rig.number("weights.score.gamma") == 1);
  CHECK(rig.number("weights.threshold.row") == row);
  rig.drag(at, {at.x, at.y - 5}, true);
  const double tenths = rig.number("weights.score.gamma") * 10;
  CHECK(tenths == Approx(std::round(tenths)).margin(1e-9));
}

TEST_CASE("Sorting by norm gives decreasing norms, and the pointer shows the stored row") {
  const TinyBert bert;
  WeightsRig rig(bert.write("sorted"));
  const auto rowNorm = [&](int row) {
    double sum = 0;
    for (int j = 0; j < 12; ++j)
      sum += std::pow(bert.entry(0, -1, row, j), 2);
    return std::sqrt(sum);
  };
  rig.set("weights.order", std::string("both"));
  rig.settle();
  double last = HUGE_VAL;
  std::set<double> rows;
  for (int place = 0; place < 12; ++place) {
    const render::Point p = rig.cell(place, 4);
    rig.frame({PointerMoved{p.x, p.y}});
    const auto row = static_cast<int>(rig.number("weights.hover.row"));
    const auto column = static_cast<int>(rig.number("weights.hover.column"));
    rows.insert(row);
    CHECK(rowNorm(row) <= last);
    last = rowNorm(row);
    CHECK(rig.number("weights.hover.value") == Approx(bert.entry(0, -1, row, column)).margin(1e-12));
    CHECK((*picture(rig).values)[static_cast<std::size_t>(12 * place + 4)] ==
          Approx(bert.entry(0, -1, row, column)).margin(1e-5));
  }
  CHECK(rows.size() == 12);
}

TEST_CASE("A sorted picture stays correct for another layer and for a model of another width") {
  const TinyBert small, large(24, 2, 9);
  WeightsRig rig(large.write("sorted-large"));
  rig.set("weights.order", std::string("both"));
  rig.settle();
  CHECK(picture(rig).width == 24);
  rig.set("weights.layer", 1.0);
  rig.settle();
  rig.set("weights.checkpoint", small.write("sorted-small"));
  rig.settle();
  REQUIRE(picture(rig).width == 12);
  const render::Point p = rig.cell(0, 0);
  rig.frame({PointerMoved{p.x, p.y}});
  const auto row = static_cast<int>(rig.number("weights.hover.row")),
             column = static_cast<int>(rig.number("weights.hover.column"));
  CHECK((*picture(rig).values)[0] == Approx(small.entry(1, -1, row, column)).margin(1e-5));
}

TEST_CASE("The edges of the view can be set one by one") {
  WeightsRig rig(TinyBert(64, 4).write("edges"));
  rig.set("weights.view.xMax", 32.0);
  rig.set("weights.view.yMin", -32.0);
  rig.settle();
  CHECK(rig.scene->window == render::Rect{{0, -32}, {32, 0}});
}

TEST_CASE("The arrangement of three parts depends on the shape of the window") {
  const std::string path = TinyBert(64, 4).write("shape");
  const auto plots = [&](double width, double height) {
    WeightsRig rig;
    rig.area = {{0, 0}, {width, height}};
    rig.set("weights.checkpoint", path);
    rig.set("weights.part", std::string("three"));
    rig.settle();
    return matrixPictures(rig);
  };
  const auto tops = [](const std::vector<render::Heatmap>& maps) {
    std::set<double> all;
    for (const render::Heatmap& map : maps)
      all.insert(std::round(map.extent.max.y));
    return all.size();
  };
  CHECK(tops(plots(1500, 420)) == 1);  // in one row
  CHECK(tops(plots(1000, 900)) == 2);  // in a square
  CHECK(tops(plots(460, 1200)) == 3);  // in one column
}

TEST_CASE("Three parts show survival curves if a large window leaves room below them") {
  const std::string path = TinyBert(64, 4).write("room");
  const auto charts = [&](double width, double height, bool figure) {
    WeightsRig rig;
    rig.area = {{0, 0}, {width, height}};
    rig.figure = figure;
    rig.set("weights.checkpoint", path);
    rig.set("weights.part", std::string("three"));
    rig.settle();
    return rig.texts("matrix.survival").find("share of norms above") != std::string::npos;
  };
  CHECK(charts(1600, 1000, false));
  CHECK_FALSE(charts(1600, 1000, true));  // a figure shows only what was requested
  CHECK_FALSE(charts(980, 520, false));
}

TEST_CASE("One matrix shows survival curves if a high or wide pane leaves room", "[weights]") {
  const std::string path = TinyBert(64, 4).write("room");
  const auto charts = [&](double width, double height) {
    WeightsRig rig;
    rig.area = {{0, 0}, {width, height}};
    rig.set("weights.checkpoint", path);
    rig.settle();
    return rig.texts("matrix.survival").find("share of norms above") != std::string::npos;
  };
  CHECK(charts(488, 660));        // one pane of two
  CHECK(charts(980, 660));        // beside an inspector
  CHECK_FALSE(charts(640, 620));  // the matrix uses the whole pane
}

TEST_CASE("After a change of the layer no number of the old layer is shown, from the first frame on") {
  WeightsRig rig(TinyBert().write("change"));
  const render::Point p = rig.cell(3, 3);
  rig.frame({PointerMoved{p.x, p.y}});
  CHECK(std::isfinite(rig.number("weights.hover.value")));
  rig.set("weights.layer", 1.0);
  rig.frame();
  CHECK(std::isnan(rig.number("weights.symmetry")));
  CHECK(std::isnan(rig.number("weights.hover.value")));
  REQUIRE(matrixPictures(rig).size() == 1);
  CHECK(picture(rig).opacity < 1);
  CHECK_FALSE(rig.exhibit->complete());
  rig.settle();
  CHECK(std::isfinite(rig.number("weights.symmetry")));
  CHECK(picture(rig).opacity == 1);
}

TEST_CASE("A picture without changes computes nothing again") {
  WeightsRig rig(TinyBert(64, 4).write("still"));
  const auto revisions = [&] {
    std::vector<std::uint64_t> all;
    for (const render::Layer& layer : rig.scene->layers)
      all.push_back(layer.revision);
    return all;
  };
  const auto before = revisions();
  rig.frame();
  rig.frame();
  CHECK(revisions() == before);
  // A pan within the computed part keeps the picture and starts no job.
  const render::Point p = rig.cell(32, 32);
  rig.frame({PointerMoved{p.x, p.y}, Scrolled{0, 6, {}}});
  rig.settle();
  const auto values = picture(rig).values;  // a renderer identifies the values by their address
  const render::Rect window = rig.scene->window;
  rig.drag(p, {p.x + 12, p.y + 12});
  CHECK(rig.jobs.idle());
  CHECK_FALSE(rig.scene->window == window);
  CHECK(picture(rig).values == values);
}

TEST_CASE("Frames do not wait for a large matrix, and its pictures are no larger than the screen") {
  const TinyBert bert(1536, 12);
  WeightsRig rig;
  rig.scripted = false;
  rig.set("weights.checkpoint", bert.write("large"));
  rig.frame();
  // Frames continue while the matrix is computed, which takes many times as long as a frame.
  int frames = 0;
  REQUIRE(sepx::tests::eventually(
      [&] {
        rig.frame();
        ++frames;
        return !matrixPictures(rig).empty() && rig.exhibit->complete();
      },
      std::chrono::milliseconds(1)));
  CHECK(frames > 1);
  rig.settle();
  const render::Heatmap& map = picture(rig, matrixPictures(rig).size() - 1);
  CHECK(map.width <= 1000);
  CHECK(map.width >= 300);
  // The extreme of a block is its entry with the largest absolute value.
  const int step = static_cast<int>(std::round(entriesOf(rig, map).width() / map.width));
  REQUIRE(step > 1);
  double largest = 0;
  for (int i = 0; i < step; ++i)
    for (int j = 0; j < step; ++j)
      if (std::abs(bert.entry(0, -1, i, j)) > std::abs(largest)) largest = bert.entry(0, -1, i, j);
  CHECK((*map.values)[0] == Approx(largest).epsilon(1e-3));
}

TEST_CASE("In every size no text extends past the area") {
  const std::string path = TinyBert(64, 4).write("sizes");
  for (const auto& [width, height] : std::vector<std::pair<double, double>>{
           {980, 650}, {1600, 1000}, {630, 340}, {315, 330}, {420, 900}, {200, 160}, {90, 60}}) {
    for (const char* part : {"full", "three"}) {
      INFO(width << "x" << height << " " << part);
      WeightsRig rig;
      rig.area = {{0, 0}, {width, height}};
      rig.set("weights.checkpoint", path);
      rig.set("weights.part", std::string(part));
      rig.set("weights.show.survival", true);
      rig.settle();
      for (const render::Layer& layer : rig.scene->layers) {
        INFO(layer.name);
        for (const render::Item& item : layer.items) {
          const auto* const label = std::get_if<render::Label>(&item);
          if (!label || label->text.empty()) continue;
          INFO(label->text << " at " << label->at.x << ", " << label->at.y);
          const double wide = label->vertical ? label->size : textWidth(label->text, label->size);
          const double left = label->alignX == render::AlignX::Left     ? label->at.x
                              : label->alignX == render::AlignX::Center ? label->at.x - wide / 2
                                                                        : label->at.x - wide;
          CHECK(left >= -1.5);
          CHECK(left + wide <= width + 1.5);
          CHECK(label->at.y >= -1);
          CHECK(label->at.y <= height + 1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace sepx::ui
