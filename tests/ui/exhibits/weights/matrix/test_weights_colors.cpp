// SPDX-License-Identifier: Apache-2.0
// The colours of the matrix page: their limits from the data, locked, shared or dragged, their scales, and the numbers
// beside them.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/weights/weights_rig.h"
#include "ui/canvas/shapes.h"
#include "ui/views/matrix_scale.h"

namespace sepx::ui {
namespace {

render::Heatmap coloredPicture(const WeightsRig& rig) {
  const std::vector<render::Heatmap> pictures = matrixPictures(rig);
  REQUIRE_FALSE(pictures.empty());
  return pictures.front();
}

TEST_CASE("The limits of the colours are those of the data, locked, shared or dragged") {
  WeightsRig rig(TinyBert().write("limits"));
  const double own = rig.number("weights.scale.high");
  CHECK(own > 0);
  rig.sharedLimits = ColorLimits{-2 * own, 2 * own};
  rig.settle();
  CHECK(rig.number("weights.scale.high") == Approx(2 * own));
  rig.set("weights.limits.mode", std::string("locked"));
  rig.set("weights.limits.high", 0.25);
  rig.settle();
  CHECK(rig.number("weights.scale.high") == 0.25);
  CHECK(rig.number("weights.scale.low") == -0.25);
  CHECK(coloredPicture(rig).high == 0.25f);
  CHECK_FALSE(rig.refusal("weights.limits.low", 0.5).empty());
  rig.sharedLimits.reset();
  rig.set("weights.limits.mode", std::string("auto"));
  rig.settle();
  CHECK(rig.number("weights.scale.high") == Approx(own));
  rig.set("weights.limits.percentile", 100.0);
  rig.settle();
  CHECK(rig.number("weights.scale.high") > own);
  // Dragging the upper limit towards zero gives smaller entries the colour of the limit.
  const std::vector<render::Polyline> lines = rig.items<render::Polyline>("matrix.scale");
  const double before = rig.number("weights.scale.high");
  double top = HUGE_VAL, x = 0;
  for (const render::Polyline& line : lines)
    if (line.points.size() == 2 && line.points[0].y == line.points[1].y && line.stroke.width > 1.2f &&
        line.points[0].y < top) {
      top = line.points[0].y;
      x = (line.points[0].x + line.points[1].x) / 2;
    }
  const std::size_t steps = rig.editor.history.undoSteps();
  rig.drag({rig.area.min.x + x, rig.area.min.y + top}, {rig.area.min.x + x, rig.area.min.y + top + 60});
  rig.settle();
  CHECK(rig.text("weights.limits.mode") == "locked");
  CHECK(rig.number("weights.scale.high") < before);
  CHECK(rig.number("weights.scale.low") == -rig.number("weights.scale.high"));
  CHECK(rig.editor.history.undoSteps() == steps + 1);
}

TEST_CASE("Ends of the colours are a statistic of all entries, whatever the window") {
  const TinyBert bert(512, 8);
  const std::string path = bert.write("window");
  std::vector<double> ends;
  for (const render::Rect& area :
       {render::Rect{{0, 0}, {1280, 720}}, render::Rect{{0, 0}, {1920, 1080}}, render::Rect{{0, 0}, {420, 330}}}) {
    for (const char* part : {"full", "three"}) {
      WeightsRig rig;
      rig.area = area;
      rig.set("weights.checkpoint", path);
      rig.set("weights.part", std::string(part));
      rig.settle();
      if (std::string(part) == "full") ends.push_back(rig.number("weights.scale.high"));
    }
  }
  CHECK(ends[1] == ends[0]);
  CHECK(ends[2] == ends[0]);
  const Eigen::MatrixXf M = bert.query[0].transpose() * bert.key[0];
  std::vector<float> sizes;
  for (int i = 0; i < 512; ++i)
    for (int j = 0; j < 512; ++j)
      sizes.push_back(std::abs(M(i, j)));
  std::sort(sizes.begin(), sizes.end());
  CHECK(ends[0] == Approx(sizes[static_cast<std::size_t>(0.995 * double(sizes.size() - 1))]).epsilon(0.004));
  // A large matrix is counted completely after its picture is shown.
  WeightsRig large(TinyBert(1536, 12).write("counted"));
  CHECK(large.exhibit->complete());
  CHECK(large.texts("matrix.notes").find("% of the entries") == std::string::npos);
}

TEST_CASE("Zooming does not change the colours") {
  WeightsRig rig(TinyBert(1024, 8).write("steady"));
  const double whole = rig.number("weights.scale.high");
  rig.set("weights.view.xMax", 40.0);
  rig.set("weights.view.yMin", -40.0);
  rig.settle();
  CHECK(rig.scene->window.width() == 40);
  CHECK(rig.number("weights.scale.high") == whole);
}

TEST_CASE("The sequential scale shows absolute values, and the logarithmic scale keeps the sign") {
  const TinyBert bert;
  WeightsRig rig(bert.write("scales"));
  rig.set("weights.colors", std::string("sequential"));
  rig.settle();
  CHECK(rig.number("weights.scale.low") == 0);
  const render::Heatmap moduli = coloredPicture(rig);
  for (const float value : *moduli.values)
    CHECK(value >= 0);
  rig.set("weights.colors", std::string("logarithmic"));
  rig.settle();
  const render::Heatmap map = coloredPicture(rig);
  CHECK(map.low == -1);
  for (int i = 0; i < 12; ++i)
    CHECK(std::signbit((*map.values)[static_cast<std::size_t>(i)]) == std::signbit(bert.entry(0, -1, 0, i)));
  CHECK(rig.texts("matrix.scale").find("log") != std::string::npos);
  // place() and valueAt() are inverse and increasing.
  for (const ScaleKind kind : {ScaleKind::Diverging, ScaleKind::Logarithmic}) {
    const MatrixScale scale{kind, {-3, 3}};
    double last = -HUGE_VAL;
    for (const double value : {-5.0, -3.0, -0.1, -1e-4, 0.0, 1e-3, 1.0, 3.0, 4.0}) {
      CHECK(scale.valueAt(scale.place(value)) == Approx(value).margin(1e-12));
      CHECK(scale.place(value) > last);
      last = scale.place(value);
    }
  }
  CHECK(MatrixScale{ScaleKind::Logarithmic, {-3, 3}}.share(3) == Approx(1));
  CHECK(MatrixScale{ScaleKind::Logarithmic, {-3, 3}}.share(0) == Approx(0.5));
}

TEST_CASE("Numbers beside the colours stay on the page, with fewer digits in a narrow one") {
  const TinyBert bert;
  WeightsRig rig(bert.write("narrow"));
  rig.set("weights.limits.mode", std::string("locked"));
  rig.set("weights.limits.high", 0.00960);
  for (double width = 400; width <= 800; width += 10) {
    rig.area = {{0, 0}, {width, 620}};
    rig.settle();
    for (const render::Label& label : rig.items<render::Label>("matrix.scale")) {
      CAPTURE(width, label.text);
      CHECK(label.at.x + textWidth(label.text, label.size) <= width);
    }
  }
}

}  // namespace
}  // namespace sepx::ui
