// SPDX-License-Identifier: Apache-2.0
// Picture, cells and axes. Row i of the matrix lies at y from -i - 1 to -i, column j at x from j to j + 1.
#include "ui/exhibits/weights/shared/matrix_scene.h"

#include <algorithm>
#include <cmath>

#include "engine/core/number.h"
#include "engine/render/color_map.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kLeastCellWidth = 36, kLeastCellHeight = 15;  // points, for values in cells
constexpr double kGridFrom = 9;                                // points of a cell, for lines between cells
constexpr double kMostValues = 3000;

/// `extent` as it must be said so that it appears in `pane` where the first pane would have it.
render::Rect shifted(const MatrixFrame& frame, const MatrixPane& pane, render::Rect extent) {
  const double dx = (pane.plot.min.x - frame.layout.panes.front().plot.min.x) / frame.layout.cellWidth();
  extent.min.x += dx;
  extent.max.x += dx;
  return extent;
}

/// The blocks of a picture that the view touches: three panes must not draw into each other.
MatrixPicture cropped(const MatrixPicture& picture, const render::Rect& view) {
  const render::Rect extent = picture.extent();
  const auto block = [&](double at, int size) { return std::clamp(static_cast<int>(at), 0, size); };
  const int left = block(std::floor((view.min.x - extent.min.x) / picture.step), picture.width);
  const int right = block(std::ceil((view.max.x - extent.min.x) / picture.step), picture.width);
  const int top = block(std::floor((extent.max.y - view.max.y) / picture.step), picture.height);
  const int bottom = block(std::ceil((extent.max.y - view.min.y) / picture.step), picture.height);
  if (left == 0 && top == 0 && right == picture.width && bottom == picture.height) return picture;
  MatrixPicture part = picture;
  part.width = std::max(0, right - left);
  part.height = std::max(0, bottom - top);
  part.crop.column0 += static_cast<Eigen::Index>(left * picture.step);
  part.crop.row0 += static_cast<Eigen::Index>(top * picture.step);
  auto places = std::make_shared<std::vector<float>>();
  places->reserve(static_cast<std::size_t>(part.width) * static_cast<std::size_t>(part.height));
  for (int row = top; row < bottom; ++row) {
    const auto begin = picture.places->begin() + std::ptrdiff_t{row} * picture.width;
    places->insert(places->end(), begin + left, begin + right);
  }
  part.places = std::move(places);
  return part;
}

/// Every block as several texels: viewers of files smooth between texels, and a block must stay a block.
MatrixPicture enlarged(const MatrixPicture& picture, double blockPoints) {
  constexpr int kMostTexels = 2400;
  const int most = kMostTexels / std::max(1, std::max(picture.width, picture.height));
  const int times = std::min(static_cast<int>(std::ceil(blockPoints)), most);
  if (times < 2) return picture;
  MatrixPicture large = picture;
  large.width = times * picture.width;
  large.height = times * picture.height;
  large.step = picture.step / times;
  auto places = std::make_shared<std::vector<float>>();
  places->reserve(std::size_t(large.width) * std::size_t(large.height));
  for (int row = 0; row < large.height; ++row)
    for (int column = 0; column < large.width; ++column)
      places->push_back(
          (*picture.places)[std::size_t(row / times) * std::size_t(picture.width) + std::size_t(column / times)]);
  large.places = std::move(places);
  return large;
}

void addPicture(std::vector<render::Item>& items, const MatrixFrame& frame, const MatrixPane& pane,
                const MatrixPicture& picture) {
  if (!picture.places || picture.width == 0) return;
  const bool several = frame.layout.panes.size() > 1;
  MatrixPicture shown = several || frame.page.figure ? cropped(picture, frame.layout.view) : picture;
  if (frame.page.figure) shown = enlarged(shown, shown.step * frame.layout.cellWidth());
  if (shown.width == 0 || shown.height == 0) return;
  render::Heatmap map;
  map.extent = shifted(frame, pane, shown.extent());
  map.width = shown.width;
  map.height = shown.height;
  map.values = shown.places;
  map.map = frame.scale.map(frame.page.theme);
  map.low = static_cast<float>(frame.scale.lowPlace());
  map.high = static_cast<float>(frame.scale.highPlace());
  map.smooth = false;
  if (isStale(frame)) map.opacity = 0.45f;  // of the layer before
  items.push_back(std::move(map));
}

/// Under entries that are no numbers, which the heat map leaves open: hatched in the colour of errors.
void addHatch(std::vector<render::Item>& items, const MatrixFrame& frame, const MatrixPane& pane) {
  render::LabelMap hatch;
  hatch.extent = shifted(frame, pane, frame.layout.view);
  hatch.width = hatch.height = 1;
  hatch.labels = std::make_shared<std::vector<std::uint8_t>>(1, std::uint8_t{0});
  render::Color ground = frame.page.theme.error;
  ground.a = 0.45f;
  hatch.palette = {ground};
  hatch.hatch = {1};
  items.push_back(std::move(hatch));
}

bool hasNonfinite(const MatrixFrame& frame, const MatrixPart& part) {
  return (part.histogram && part.histogram->nonfinite() > 0) ||
         (frame.page.shared.moments && frame.page.shared.moments->nonfinite > 0);
}

bool covers(const MatrixPicture& picture, const render::Rect& view) {
  if (!picture.places) return false;
  const render::Rect extent = picture.extent();
  constexpr double kNear = 1e-6;
  return extent.min.x <= view.min.x + kNear && extent.max.x >= view.max.x - kNear &&
         extent.min.y <= view.min.y + kNear && extent.max.y >= view.max.y - kNear;
}

}  // namespace

std::string entryText(double value, int significant) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  if (value == 0) return "0";
  const double size = std::abs(value);
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  if (exponent < -4 || exponent > 5) return (value < 0 ? "−" : "") + shownPower(size);
  return shownFixed(value, std::max(0, significant - 1 - exponent));
}

bool isStale(const MatrixFrame& frame) {
  return frame.results.factors() != frame.page.shared.factors;
}

std::vector<render::Item> pictureItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  for (const MatrixPane& pane : frame.layout.panes) {
    const MatrixPart* const part = frame.results.part(pane.part);
    if (!part) continue;
    if (hasNonfinite(frame, *part)) addHatch(items, frame, pane);
    // What is not there yet shows coarse; a NaN of the picture must not show the overview's blocks.
    if (!covers(part->picture, frame.layout.view)) addPicture(items, frame, pane, part->overview);
    addPicture(items, frame, pane, part->picture);
  }
  return items;
}

std::vector<render::Item> maskItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  const std::vector<MatrixPane>& panes = frame.layout.panes;
  if (panes.size() < 2) return items;
  const render::Color ground = frame.page.theme.plotBackground;
  const render::Rect& area = frame.layout.area;
  const render::Rect& first = panes.front().plot;
  items.push_back(pageFill({area.min, {area.max.x, first.min.y}}, ground));
  items.push_back(pageFill({{area.min.x, first.max.y}, area.max}, ground));
  double left = area.min.x;
  for (const MatrixPane& pane : panes) {
    items.push_back(pageFill({{left, first.min.y}, {pane.plot.min.x, first.max.y}}, ground));
    left = pane.plot.max.x;
  }
  items.push_back(pageFill({{left, first.min.y}, {area.max.x, first.max.y}}, ground));
  return items;
}

bool printsValues(const MatrixFrame& frame) {
  const MatrixLayout& layout = frame.layout;
  return frame.page.shared.state.values && layout.cellWidth() >= kLeastCellWidth &&
         layout.cellHeight() >= kLeastCellHeight &&
         layout.view.width() * layout.view.height() * double(layout.panes.size()) < kMostValues;
}

namespace {

void addGridLines(std::vector<render::Item>& items, const MatrixFrame& frame, const MatrixPane& pane) {
  const render::Rect& view = frame.layout.view;
  const Camera camera{view, pane.plot};
  render::Polyline lines;
  lines.space = render::Space::Page;
  lines.stroke = {faded(frame.page.theme.plotBackground, 0.35f), 1, render::Dash::Solid};
  const auto add = [&](render::Point a, render::Point b) {
    lines.points.insert(lines.points.end(), {a, b, {NAN, NAN}});
  };
  for (double x = std::ceil(view.min.x); x <= view.max.x; ++x) {
    const double at = toPage(camera, {x, 0}).x;
    add({at, pane.plot.min.y}, {at, pane.plot.max.y});
  }
  for (double y = std::ceil(view.min.y); y <= view.max.y; ++y) {
    const double at = toPage(camera, {0, y}).y;
    add({pane.plot.min.x, at}, {pane.plot.max.x, at});
  }
  items.push_back(std::move(lines));
}

/// The entry as wide as the cell allows; both signs have as many decimals.
std::string cellText(double value, double width, double size) {
  for (int significant = 4; significant >= 1; --significant) {
    if (textWidth(entryText(-std::abs(value), significant), size) <= width - 4) return entryText(value, significant);
  }
  return std::abs(value) < 1 ? (value < 0 ? "−0.000" : "0.000") : "…";
}

void addValues(std::vector<render::Item>& items, const MatrixFrame& frame, const MatrixPane& pane) {
  const MatrixPart* const part = frame.results.part(pane.part);
  if (!part || !part->picture.values || part->picture.step != 1) return;
  const MatrixPicture& picture = part->picture;
  const Camera camera{frame.layout.view, pane.plot};
  const double fitting = (frame.layout.cellWidth() - 6) / textWidth("−0.000", 1);
  const double size = std::min({double(frame.page.theme.textSize), 0.62 * frame.layout.cellHeight(), fitting});
  const render::Rect& view = frame.layout.view;
  for (auto i = static_cast<Eigen::Index>(std::floor(-view.max.y)); double(i) < -view.min.y; ++i) {
    for (auto j = static_cast<Eigen::Index>(std::floor(view.min.x)); double(j) < view.max.x; ++j) {
      const Eigen::Index row = i - picture.crop.row0, column = j - picture.crop.column0;
      if (row < 0 || column < 0 || row >= picture.height || column >= picture.width) continue;
      const render::Point at = toPage(camera, {double(j) + 0.5, -double(i) - 0.5});
      if (!pane.plot.contains(at)) continue;
      const float value = (*picture.values)[static_cast<std::size_t>(row * picture.width + column)];
      const render::Color ground =
          std::isfinite(value) ? frame.scale.color(value, frame.page.theme) : frame.page.theme.plotBackground;
      items.push_back(textAt(at, cellText(value, frame.layout.cellWidth(), size), static_cast<float>(size),
                             inkOn(ground), render::AlignX::Center));
    }
  }
}

}  // namespace

std::vector<render::Item> cellItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  for (const MatrixPane& pane : frame.layout.panes) {
    if (frame.layout.cellWidth() >= kGridFrom && frame.layout.cellHeight() >= kGridFrom)
      addGridLines(items, frame, pane);
    if (printsValues(frame)) addValues(items, frame, pane);
  }
  return items;
}

namespace {

/// Ticks at rows or columns: whole numbers, in the middle of their cells.
std::vector<std::pair<double, std::string>> indexTicks(double min, double max, double length, double room) {
  const double step = std::max(1.0, roundStep((max - min) * room / std::max(1.0, length)));
  std::vector<std::pair<double, std::string>> ticks;
  for (double at = std::ceil((min - 0.5) / step) * step; at + 0.5 <= max; at += step)
    if (at >= 0 && at + 0.5 >= min) ticks.emplace_back(at + 0.5, formatFixed(at, 0));
  return ticks;
}

const char* axisName(bool rows, WeightsOrder order) {
  const bool sorted =
      order == WeightsOrder::BothNorms || order == (rows ? WeightsOrder::RowNorm : WeightsOrder::ColumnNorm);
  if (rows) return sorted ? tr("rows by norm (query)") : tr("row (query)");
  return sorted ? tr("columns by norm (key)") : tr("column (key)");
}

const char* partName(attention::Part part) {
  if (part == attention::Part::Symmetric) return tr("symmetric part");
  return part == attention::Part::Skew ? tr("skew part") : tr("W_qk");
}

void addColumnTicks(std::vector<render::Item>& items, const MatrixFrame& frame, const MatrixPane& pane) {
  const Theme& theme = frame.page.theme;
  const render::Rect &view = frame.layout.view, &plot = pane.plot;
  const Camera camera{view, plot};
  for (const auto& [at, text] : indexTicks(view.min.x, view.max.x, plot.width(), 4.6 * theme.smallSize)) {
    const double x = toPage(camera, {at, 0}).x;
    items.push_back(pageLine({x, plot.max.y}, {x, plot.max.y + 4}, theme.tick));
    items.push_back(
        textAt({x, plot.max.y + 6}, text, theme.smallSize, theme.tick, render::AlignX::Center, render::AlignY::Top));
  }
  items.push_back(textAt({plot.min.x + plot.width() / 2, plot.max.y + 8 + 1.2 * theme.smallSize},
                         elided(axisName(false, frame.page.shared.state.order), theme.smallSize, plot.width()),
                         theme.smallSize, theme.text, render::AlignX::Center, render::AlignY::Top));
}

void addRowTicks(std::vector<render::Item>& items, const MatrixFrame& frame) {
  const Theme& theme = frame.page.theme;
  const render::Rect &view = frame.layout.view, &plot = frame.layout.panes.front().plot;
  const double edge = frame.layout.rowNorms ? frame.layout.rowNorms->min.x : plot.min.x;
  const Camera camera{view, plot};
  double widest = 0;
  for (const auto& [at, text] : indexTicks(-view.max.y, -view.min.y, plot.height(), 2.2 * theme.smallSize)) {
    const double y = toPage(camera, {0, -at}).y;
    items.push_back(pageLine({edge - 4, y}, {edge, y}, theme.tick));
    items.push_back(textAt({edge - 6, y}, text, theme.smallSize, theme.tick, render::AlignX::Right));
    widest = std::max(widest, textWidth(text, theme.smallSize));
  }
  const double x = edge - 10 - widest - 0.6 * theme.smallSize;
  if (x < frame.layout.area.min.x + 0.4 * theme.smallSize) return;
  render::Label title = textAt({x, plot.min.y + plot.height() / 2},
                               elided(axisName(true, frame.page.shared.state.order), theme.smallSize, plot.height()),
                               theme.smallSize, theme.text, render::AlignX::Center);
  title.vertical = true;
  items.push_back(std::move(title));
}

}  // namespace

std::vector<render::Item> matrixAxisItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  const Theme& theme = frame.page.theme;
  for (const MatrixPane& pane : frame.layout.panes) {
    items.push_back(pageFrameLine(pane.plot, theme.border));
    if (frame.layout.area.height() > 160) addColumnTicks(items, frame, pane);
    if (frame.layout.panes.size() < 2) continue;
    const bool first = &pane == &frame.layout.panes.front() && frame.layout.columnNorms;
    const double y = first ? frame.layout.columnNorms->min.y - 4 : pane.plot.min.y - 5;
    items.push_back(textAt({pane.plot.min.x, y}, elided(partName(pane.part), theme.smallSize, pane.plot.width()),
                           theme.smallSize, theme.text, render::AlignX::Left, render::AlignY::Bottom));
  }
  if (frame.layout.area.width() > 240) addRowTicks(items, frame);
  return items;
}

}  // namespace sepx::ui
