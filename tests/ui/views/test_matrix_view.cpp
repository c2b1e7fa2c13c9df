// SPDX-License-Identifier: Apache-2.0
// The matrix view: mapping of cells, visible parts and crops inside the matrix, pictures that are reduced or cropped
// without losing extremes, texts of cells, norms at the edges.
#include "ui/views/matrix_view.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "tests/ui/views/plots_rig.h"
#include "ui/canvas/shapes.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

MatrixPlot matrixPlotOf(int rows, int columns) {
  return wholeMatrix({{100, 50}, {500, 250}}, rows, columns);
}

MatrixPicture pictureOf(int rows, int columns) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  attention::Picture made{rows, columns, 1, {}};
  for (int i = 0; i < rows * columns; ++i)
    made.values.push_back(normal(random));
  MatrixPicture picture({0, rows, 0, columns}, std::move(made));
  picture.places = picture.values;
  return picture;
}

}  // namespace

TEST_CASE("The box of a cell and the cell at a place agree, with row 0 at the top", "[matrix-view]") {
  MatrixPlot plot = matrixPlotOf(4, 8);
  CHECK(plot.cellWidth() == 50);
  CHECK(plot.cellHeight() == 50);
  CHECK(plot.box({0, 0}) == render::Rect{{100, 50}, {150, 100}});
  CHECK(plot.cellAt({101, 51}) == MatrixCell{0, 0});
  CHECK(plot.cellAt({499, 249}) == MatrixCell{3, 7});
  CHECK_FALSE(plot.cellAt({99, 60}));
  plot.view = {{2, -3}, {6, -1}};
  for (const MatrixCell cell : {MatrixCell{1, 2}, MatrixCell{2, 5}}) {
    const render::Rect box = plot.box(cell);
    CHECK(plot.cellAt({(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2}) == cell);
  }
}

TEST_CASE("A view stays inside the matrix and has at least two cells, and the whole matrix is no view",
          "[matrix-view]") {
  const render::Rect whole = matrixPlotOf(100, 60).whole;
  CHECK_FALSE(boundedView(whole, whole));
  CHECK_FALSE(boundedView({{-500, -500}, {500, 500}}, whole));
  const render::Rect tiny = boundedView({{-5, -200}, {-4.9, -199.9}}, whole).value();
  CHECK(tiny.width() == Approx(2));
  CHECK(tiny.height() == Approx(2));
  CHECK(whole.contains(tiny.min));
  CHECK(whole.contains(tiny.max));
  CHECK_FALSE(boundedView({{NAN, NAN}, {NAN, NAN}}, whole));
}

TEST_CASE("Crops consist of whole blocks inside the matrix and contain the view with a margin", "[matrix-view]") {
  MatrixPlot plot = matrixPlotOf(1000, 2000);
  CHECK(stepFor(plot, 1) >= 5);
  CHECK(stepFor(plot, 2) < stepFor(plot, 1));
  for (const Eigen::Index step : {1, 3, 8}) {
    plot.view = boundedView({{311, -633}, {523, -527}}, plot.whole).value();
    const attention::Crop crop = cropFor(plot, step, 0.5);
    CHECK(crop.row0 % step == 0);
    CHECK(crop.column0 % step == 0);
    CHECK(crop.row0 <= 527 - 53);
    CHECK(crop.row1 >= 633 + 53);
    CHECK(holds(crop, plot, step, 0.12));
    plot.view = {{plot.view.min.x + 300, plot.view.min.y}, {plot.view.max.x + 300, plot.view.max.y}};
    CHECK_FALSE(holds(crop, plot, step, 0.12));
  }
  plot.view = plot.whole;
  CHECK(cropFor(plot, 7, 0.5) == attention::Crop{0, 1000, 0, 2000});
}

TEST_CASE("A crop of a larger matrix is not used for a smaller one", "[matrix-view]") {
  const MatrixPlot large = matrixPlotOf(1000, 2000), small = matrixPlotOf(100, 200);
  const attention::Crop whole = cropFor(large, 1, 0.5);
  CHECK(holds(whole, large, 1, 0.12));
  CHECK_FALSE(holds(whole, small, 1, 0.12));
  CHECK_FALSE(holds({0, 100, 0, 201}, small, 1, 0.12));
  CHECK(holds({0, 100, 0, 200}, small, 1, 0.12));
}

TEST_CASE("A reduced picture keeps extremes with their signs, and NaN", "[matrix-view]") {
  MatrixPicture picture = pictureOf(50, 70);
  auto values = std::make_shared<std::vector<float>>(*picture.values);
  (*values)[17 * 70 + 33] = -40;
  (*values)[49 * 70 + 69] = NAN;
  picture.values = values;
  const MatrixPicture small = shrunk(picture, 16);
  CHECK(small.width <= 16);
  CHECK(small.height <= 16);
  CHECK(*std::min_element(small.values->begin(), small.values->end() - 1) == -40);
  CHECK(std::isnan(small.values->back()));
  CHECK(small.extent().max.y == 0);
  CHECK(small.covers({{0, 0}, {1, 0}}));
}

TEST_CASE("Cropped and enlarged pictures show the same entries at the same places", "[matrix-view]") {
  const MatrixPicture picture = pictureOf(20, 30);
  const render::Rect view{{5.5, -12.5}, {9.5, -7.5}};
  const MatrixPicture part = cropped(picture, view);
  CHECK(part.extent() == render::Rect{{5, -13}, {10, -7}});
  CHECK(part.covers(view));
  CHECK_FALSE(part.covers(picture.extent()));
  CHECK((*part.places)[0] == (*picture.places)[7 * 30 + 5]);
  const MatrixPicture large = enlarged(part, 8);
  CHECK(large.extent() == part.extent());
  CHECK((*large.places)[0] == (*part.places)[0]);
  CHECK(large.places->back() == part.places->back());
  const render::Heatmap map = heatmapOf(part, {ScaleKind::Diverging, {-2, 2}}, dark());
  CHECK(map.extent == part.extent());
  CHECK(map.low == -2);
  CHECK_FALSE(map.smooth);
}

TEST_CASE("Texts are centred in their cells, and cells outside the view are not requested", "[matrix-view]") {
  MatrixPlot plot = matrixPlotOf(400, 800);
  plot.view = {{10, -14}, {18, -10}};
  std::vector<render::Item> items;
  std::vector<MatrixCell> asked;
  addCellTexts(items, plot, 12, [&](MatrixCell cell) -> CellText {
    asked.push_back(cell);
    if (cell.row == 11) return {};
    return {cellText(cell.row + 0.001 * cell.column, plot.cellWidth(), 12), dark().plotBackground};
  });
  CHECK(asked.size() == 32);
  const std::vector<render::Label> labels = all<render::Label>(items);
  CHECK(labels.size() == 24);
  for (const render::Label& label : labels) {
    CHECK(textWidth(label.text, 12) <= plot.cellWidth());
    CHECK(plot.plot.contains(label.at));
    CHECK(label.color == render::Color{1, 1, 1, 1});
  }
  CHECK(entryText(-0.03125) == "−0.03125");
  CHECK(entryText(NAN) == "NaN");
}

TEST_CASE("Norms at the edges show the largest value of a pixel, with another colour above the threshold",
          "[matrix-view]") {
  NormBars bars;
  bars.plot = matrixPlotOf(4000, 4000);
  bars.side = Side::Columns;
  bars.box = {{100, 10}, {500, 46}};
  bars.count = 4000;
  bars.norm = [](std::size_t place) { return place == 1234 ? 9.0 : 1.0; };
  bars.threshold = 5;
  bars.largest = 10;
  std::vector<render::Item> items;
  bars.add(items, dark());
  const std::vector<render::Polyline> lines = all<render::Polyline>(items);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].points.size() <= 3 * 401);
  REQUIRE(lines[1].points.size() == 3);
  CHECK(lines[1].stroke.color == dark().accent);
  CHECK(lines[1].points[1].y == Approx(normToPage(bars.box, Side::Columns, 9, 10)));
  CHECK(lines[1].points[1].x == Approx(100 + 1235 * 0.1).margin(1));
  CHECK(pageToNorm(bars.box, Side::Columns, lines[1].points[1], 10) == Approx(9));
  // Wide cells have boxes inside the plot.
  bars.plot = matrixPlotOf(4, 4);
  bars.count = 4;
  items.clear();
  bars.add(items, dark());
  CHECK(all<render::Fill>(items).size() == 4);
}

TEST_CASE("A small cell is marked by lines through its row and column, a large one by its border", "[matrix-view]") {
  std::vector<render::Item> items;
  addCellMark(items, matrixPlotOf(4, 8), {2, 3}, dark());
  CHECK(all<render::Polyline>(items).size() == 1);
  items.clear();
  addCellMark(items, matrixPlotOf(400, 800), {2, 3}, dark());
  CHECK(all<render::Polyline>(items).size() == 2);
}
