// SPDX-License-Identifier: Apache-2.0
// Computes which blocks are needed, and draws matrices. Steps grow by factors of 3/2 and 4/3 in turn, so that zooming
// by one notch often keeps the blocks.
#include "ui/views/matrix_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/number.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/page_draw.h"
#include "ui/properties/number_words.h"

namespace sepx::ui {

namespace {

constexpr double kLeastCells = 2;

struct Span {
  Eigen::Index from, to;
};

/// [min, max) extended by `around` times its length at both ends, in whole blocks, within [0, size).
Span spanned(double min, double max, double around, Eigen::Index step, Eigen::Index size) {
  const double more = around * (max - min);
  const auto block = static_cast<double>(step);
  const auto from = static_cast<Eigen::Index>(std::floor(std::max(0.0, min - more) / block)) * step;
  const auto to = static_cast<Eigen::Index>(std::ceil(std::max(1.0, max + more) / block)) * step;
  return {std::clamp<Eigen::Index>(from, 0, size - 1), std::clamp<Eigen::Index>(to, 1, size)};
}

}  // namespace

std::optional<MatrixCell> MatrixPlot::cellAt(render::Point page) const {
  if (!plot.contains(page)) return std::nullopt;
  const render::Point at = toData(camera(), page);
  const double row = std::floor(-at.y), column = std::floor(at.x);
  if (!(row >= 0 && column >= 0 && row < -whole.min.y && column < whole.max.x)) return std::nullopt;
  return MatrixCell{static_cast<int>(row), static_cast<int>(column)};
}

render::Rect MatrixPlot::box(MatrixCell cell) const {
  const render::Point low = toPage(camera(), {cell.column + 0.0, -cell.row - 1.0});
  const render::Point high = toPage(camera(), {cell.column + 1.0, -cell.row + 0.0});
  return {{low.x, high.y}, {high.x, low.y}};
}

MatrixPlot wholeMatrix(const render::Rect& plot, int rows, int columns) {
  const render::Rect whole{{0, -static_cast<double>(rows)}, {static_cast<double>(columns), 0}};
  return {plot, whole, whole};
}

std::optional<render::Rect> boundedView(render::Rect view, const render::Rect& whole) {
  const auto along = [](double& min, double& max, double low, double high) {
    if (!std::isfinite(min) || !std::isfinite(max) || max <= min) {
      min = low;
      max = high;
    }
    const double span = std::clamp(max - min, std::min(kLeastCells, high - low), high - low);
    const double centre = std::clamp((min + max) / 2, low + span / 2, high - span / 2);
    const bool kept = span == max - min && centre == (min + max) / 2;
    if (kept) return;
    min = centre - span / 2;
    max = centre + span / 2;
  };
  along(view.min.x, view.max.x, whole.min.x, whole.max.x);
  along(view.min.y, view.max.y, whole.min.y, whole.max.y);
  constexpr double kAlmost = 1e-9;
  const bool all = view.width() >= whole.width() * (1 - kAlmost) && view.height() >= whole.height() * (1 - kAlmost);
  return all ? std::nullopt : std::optional<render::Rect>(view);
}

MatrixPicture::MatrixPicture(const attention::Crop& of, attention::Picture&& made)
    : crop(of),
      width(static_cast<int>(made.columns)),
      height(static_cast<int>(made.rows)),
      step(static_cast<double>(made.step)),
      values(std::make_shared<const std::vector<float>>(std::move(made.values))) {}

render::Rect MatrixPicture::extent() const {
  const double x = static_cast<double>(crop.column0), y = -static_cast<double>(crop.row0);
  return {{x, y - height * step}, {x + width * step, y}};
}

bool MatrixPicture::covers(const render::Rect& view) const {
  if (!places) return false;
  const render::Rect all = extent();
  constexpr double kNear = 1e-6;
  return all.min.x <= view.min.x + kNear && all.max.x >= view.max.x - kNear && all.min.y <= view.min.y + kNear &&
         all.max.y >= view.max.y - kNear;
}

Eigen::Index stepFor(const MatrixPlot& plot, double scale) {
  const double entries = 1 / (plot.cellWidth() * std::max(0.1, scale));
  Eigen::Index step = 1;
  while (static_cast<double>(step) < entries * 0.98) {
    const bool power = (step & (step - 1)) == 0;
    step = step == 1 ? 2 : power ? step * 3 / 2 : step * 4 / 3;
  }
  return step;
}

attention::Crop cropFor(const MatrixPlot& plot, Eigen::Index step, double around) {
  const auto rows = static_cast<Eigen::Index>(plot.whole.height());
  const auto columns = static_cast<Eigen::Index>(plot.whole.width());
  const Span row = spanned(-plot.view.max.y, -plot.view.min.y, around, step, rows);
  const Span column = spanned(plot.view.min.x, plot.view.max.x, around, step, columns);
  return {row.from, row.to, column.from, column.to};
}

bool holds(const attention::Crop& crop, const MatrixPlot& plot, Eigen::Index step, double around) {
  const auto rows = static_cast<Eigen::Index>(plot.whole.height());
  const auto columns = static_cast<Eigen::Index>(plot.whole.width());
  if (crop.row1 > rows || crop.column1 > columns) return false;
  const attention::Crop needed = cropFor(plot, step, around);
  return needed.row0 >= crop.row0 && needed.row1 <= crop.row1 && needed.column0 >= crop.column0 &&
         needed.column1 <= crop.column1;
}

MatrixPicture shrunk(const MatrixPicture& picture, int side) {
  const int block = std::max(1, (std::max(picture.width, picture.height) + side - 1) / side);
  if (block == 1) return picture;
  MatrixPicture small = picture;
  small.width = (picture.width + block - 1) / block;
  small.height = (picture.height + block - 1) / block;
  small.step = picture.step * block;
  auto values = std::make_shared<std::vector<float>>(std::size_t(small.width) * std::size_t(small.height), 0.0f);
  for (int row = 0; row < picture.height; ++row) {
    for (int column = 0; column < picture.width; ++column) {
      const float value = (*picture.values)[std::size_t(row) * std::size_t(picture.width) + std::size_t(column)];
      float& kept = (*values)[std::size_t(row / block) * std::size_t(small.width) + std::size_t(column / block)];
      if (std::isnan(value) || std::abs(value) > std::abs(kept)) kept = value;  // a NaN stays: no value exceeds it
    }
  }
  small.values = std::move(values);
  return small;
}

void raiseToExtremes(MatrixPicture& picture, const attention::Histogram& histogram) {
  double sum = 0;
  std::size_t count = 0;
  for (const float value : *picture.values) {
    if (!std::isfinite(value)) continue;
    sum += double(value) * value;
    ++count;
  }
  if (count == 0 || !(sum > 0)) return;
  const double rms = std::sqrt(sum / static_cast<double>(count));
  // The typical extreme of a block of step x step entries.
  const double typical = histogram.percentileOfModulus(100 * std::pow(0.5, 1 / (picture.step * picture.step)));
  if (!(typical > 0)) return;
  const auto factor = static_cast<float>(typical / rms);
  auto stronger = std::make_shared<std::vector<float>>(*picture.values);
  for (float& value : *stronger)
    value *= factor;
  picture.values = std::move(stronger);
}

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

// Drawing of a matrix in its plot.

namespace {

constexpr double kBoxFrom = 2.5;  // points: bars of norms are boxes if cells are at least this large
constexpr double kFrameFrom = 6;  // points: a cell at least this large is marked by a frame
constexpr render::Point kBreak{NAN, NAN};

/// Ticks at rows or columns: whole numbers, in the middle of their cells.
std::vector<std::pair<double, std::string>> indexTicks(double min, double max, double length, double room) {
  const double step = std::max(1.0, roundStep((max - min) * room / std::max(1.0, length)));
  std::vector<std::pair<double, std::string>> ticks;
  for (double at = std::ceil((min - 0.5) / step) * step; at + 0.5 <= max; at += step)
    if (at >= 0 && at + 0.5 >= min) ticks.emplace_back(at + 0.5, formatFixed(at, 0));
  return ticks;
}

}  // namespace

render::Heatmap heatmapOf(const MatrixPicture& picture, const MatrixScale& scale, const Theme& theme) {
  render::Heatmap map;
  map.extent = picture.extent();
  map.width = picture.width;
  map.height = picture.height;
  map.values = picture.places;
  map.map = scale.map(theme);
  map.low = static_cast<float>(scale.lowPlace());
  map.high = static_cast<float>(scale.highPlace());
  map.smooth = false;
  return map;
}

render::Heatmap rampOf(const MatrixScale& scale, double low, double high, const Theme& theme) {
  constexpr int kShades = 160;
  auto shades = std::make_shared<std::vector<float>>();
  for (int i = 0; i < kShades; ++i)
    shades->push_back(static_cast<float>(high - (i + 0.5) / kShades * (high - low)));
  render::Heatmap map;
  map.width = 1;
  map.height = kShades;
  map.values = std::move(shades);
  map.map = scale.map(theme);
  map.low = static_cast<float>(scale.lowPlace());
  map.high = static_cast<float>(scale.highPlace());
  return map;
}

void addColorStrip(std::vector<render::Item>& items, render::Point left, double width, render::ColorMap map,
                   const std::string& low, const std::string& high, const Theme& theme) {
  constexpr int kShades = 64;
  auto shades = std::make_shared<std::vector<float>>(kShades);
  for (int i = 0; i < kShades; ++i)
    (*shades)[static_cast<std::size_t>(i)] = 2 * static_cast<float>(i) / (kShades - 1) - 1;
  const double size = theme.smallSize;
  const render::Rect bar{
      {left.x + textWidth(low, size) + 4, left.y - 5},
      {std::max(left.x + width - textWidth(high, size) - 4, left.x + textWidth(low, size) + 20), left.y + 5}};
  items.emplace_back(textAt(left, low, theme.smallSize, theme.textMuted));
  // Pages without a data plane have data = (x, -y).
  items.emplace_back(render::Heatmap{.extent = {{bar.min.x, -bar.max.y}, {bar.max.x, -bar.min.y}},
                                     .width = kShades,
                                     .height = 1,
                                     .values = std::move(shades),
                                     .map = map,
                                     .low = -1,
                                     .high = 1});
  items.emplace_back(textAt({bar.max.x + 4, left.y}, high, theme.smallSize, theme.textMuted));
}

void addCellGrid(std::vector<render::Item>& items, const MatrixPlot& matrix, const Theme& theme) {
  const render::Rect &view = matrix.view, &plot = matrix.plot;
  const Camera camera = matrix.camera();
  render::Polyline lines;
  lines.space = render::Space::Page;
  lines.stroke = {faded(theme.plotBackground, 0.35f), 1, render::Dash::Solid};
  const auto add = [&](render::Point a, render::Point b) { lines.points.insert(lines.points.end(), {a, b, kBreak}); };
  for (double x = std::ceil(view.min.x); x <= view.max.x; ++x) {
    const double at = toPage(camera, {x, 0}).x;
    add({at, plot.min.y}, {at, plot.max.y});
  }
  for (double y = std::ceil(view.min.y); y <= view.max.y; ++y) {
    const double at = toPage(camera, {0, y}).y;
    add({plot.min.x, at}, {plot.max.x, at});
  }
  items.push_back(std::move(lines));
}

void addCellTexts(std::vector<render::Item>& items, const MatrixPlot& matrix, double size,
                  const std::function<CellText(MatrixCell)>& textOf) {
  const render::Rect &view = matrix.view, &whole = matrix.whole;
  const auto first = [](double at) { return std::max(0, static_cast<int>(std::floor(at))); };
  const double rows = std::min(-view.min.y, -whole.min.y), columns = std::min(view.max.x, whole.max.x);
  for (int row = first(-view.max.y); row < rows; ++row) {
    for (int column = first(view.min.x); column < columns; ++column) {
      const render::Point at = toPage(matrix.camera(), {column + 0.5, -row - 0.5});
      if (!matrix.plot.contains(at)) continue;
      const CellText cell = textOf({row, column});
      if (cell.text.empty()) continue;
      items.push_back(
          textAt(at, cell.text, static_cast<float>(size), textColorOn(cell.ground), render::AlignX::Center));
    }
  }
}

void addColumnNumbers(std::vector<render::Item>& items, const MatrixPlot& matrix, const std::string& name,
                      const Theme& theme) {
  const render::Rect &view = matrix.view, &plot = matrix.plot;
  const Camera camera = matrix.camera();
  for (const auto& [at, text] : indexTicks(view.min.x, view.max.x, plot.width(), 4.6 * theme.smallSize)) {
    const double x = toPage(camera, {at, 0}).x;
    items.push_back(pageLine({x, plot.max.y}, {x, plot.max.y + 4}, theme.tick));
    items.push_back(
        textAt({x, plot.max.y + 6}, text, theme.smallSize, theme.tick, render::AlignX::Center, render::AlignY::Top));
  }
  items.push_back(textAt({plot.min.x + plot.width() / 2, plot.max.y + 8 + 1.2 * theme.smallSize},
                         elided(name, theme.smallSize, plot.width()), theme.smallSize, theme.text,
                         render::AlignX::Center, render::AlignY::Top));
}

void addRowNumbers(std::vector<render::Item>& items, const MatrixPlot& matrix, double edge, double leftmost,
                   const std::string& name, const Theme& theme) {
  const render::Rect &view = matrix.view, &plot = matrix.plot;
  const Camera camera = matrix.camera();
  double widest = 0;
  for (const auto& [at, text] : indexTicks(-view.max.y, -view.min.y, plot.height(), 2.2 * theme.smallSize)) {
    const double y = toPage(camera, {0, -at}).y;
    items.push_back(pageLine({edge - 4, y}, {edge, y}, theme.tick));
    items.push_back(textAt({edge - 6, y}, text, theme.smallSize, theme.tick, render::AlignX::Right));
    widest = std::max(widest, textWidth(text, theme.smallSize));
  }
  const double x = edge - 10 - widest - 0.6 * theme.smallSize;
  if (x < leftmost + 0.4 * theme.smallSize) return;
  render::Label title = textAt({x, plot.min.y + plot.height() / 2}, elided(name, theme.smallSize, plot.height()),
                               theme.smallSize, theme.text, render::AlignX::Center);
  title.vertical = true;
  items.push_back(std::move(title));
}

void addCellMark(std::vector<render::Item>& items, const MatrixPlot& matrix, MatrixCell cell, const Theme& theme) {
  const render::Rect& plot = matrix.plot;
  const render::Rect box = matrix.box(cell);
  if (box.width() >= kFrameFrom && box.height() >= kFrameFrom) {
    const auto inside = [&](render::Point p) {
      return render::Point{std::clamp(p.x, plot.min.x, plot.max.x), std::clamp(p.y, plot.min.y, plot.max.y)};
    };
    items.push_back(pageFrameLine({inside(box.min), inside(box.max)}, theme.text, 2));
    return;
  }
  const double x = (box.min.x + box.max.x) / 2, y = (box.min.y + box.max.y) / 2;
  const render::Color color = faded(theme.text, 0.5f);
  items.push_back(pageLine({plot.min.x, y}, {plot.max.x, y}, color));
  items.push_back(pageLine({x, plot.min.y}, {x, plot.max.y}, color));
}

double normToPage(const render::Rect& box, Side side, double norm, double largest) {
  const double share = norm / largest;
  return side == Side::Rows ? box.max.x - share * box.width() : box.max.y - share * box.height();
}

double pageToNorm(const render::Rect& box, Side side, render::Point page, double largest) {
  const double share = side == Side::Rows ? (box.max.x - page.x) / box.width() : (box.max.y - page.y) / box.height();
  return share * largest;
}

void NormBars::add(std::vector<render::Item>& items, const Theme& theme) const {
  const bool rows = side == Side::Rows;
  const double cell = rows ? plot.cellHeight() : plot.cellWidth();
  const double begin = rows ? -plot.view.max.y : plot.view.min.x;
  const double end = rows ? -plot.view.min.y : plot.view.max.x;
  const double first = rows ? plot.plot.min.y : plot.plot.min.x, last = rows ? plot.plot.max.y : plot.plot.max.x;
  const auto stride = static_cast<std::size_t>(std::max(1.0, std::ceil(1 / cell)));
  const double gap = cell * double(stride) > 4 ? 1 : 0;
  render::Polyline usual, outlying;
  usual.space = outlying.space = render::Space::Page;
  usual.stroke = {faded(theme.textMuted, 0.75f), static_cast<float>(std::max(1.0, cell)), render::Dash::Solid};
  outlying.stroke = {theme.accent, usual.stroke.width, render::Dash::Solid};
  for (auto i = static_cast<std::size_t>(std::max(0.0, std::floor(begin))); double(i) < end && i < count; i += stride) {
    double tall = 0;
    for (std::size_t k = i; k < std::min(i + stride, count); ++k)
      if (const double one = norm(k); std::isfinite(one)) tall = std::max(tall, one);
    const double from = std::max(first, first + (double(i) - begin) * cell + gap / 2);
    const double to = std::min(last, first + (double(i + stride) - begin) * cell - gap / 2);
    if (to <= from) continue;
    const double tip = normToPage(box, side, tall, largest), base = normToPage(box, side, 0, largest);
    render::Polyline& line = tall > threshold ? outlying : usual;
    if (cell >= kBoxFrom) {
      const render::Rect bar = rows ? render::Rect{{tip, from}, {base, to}} : render::Rect{{from, tip}, {to, base}};
      items.push_back(pageFill(bar, line.stroke.color));
      continue;
    }
    const double middle = (from + to) / 2;
    if (rows)
      line.points.insert(line.points.end(), {{base, middle}, {tip, middle}, kBreak});
    else
      line.points.insert(line.points.end(), {{middle, base}, {middle, tip}, kBreak});
  }
  if (!usual.points.empty()) items.push_back(std::move(usual));
  if (!outlying.points.empty()) items.push_back(std::move(outlying));
}

std::string entryText(double value, int significant) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  if (value == 0) return "0";
  const double size = std::abs(value);
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  if (exponent < -4 || exponent > 5) return (value < 0 ? "−" : "") + shownPower(size);
  return shownFixed(value, std::max(0, significant - 1 - exponent));
}

std::string cellText(double value, double width, double size) {
  for (int significant = 4; significant >= 1; --significant) {
    if (textWidth(entryText(-std::abs(value), significant), size) <= width - 4) return entryText(value, significant);
  }
  return std::abs(value) < 1 ? (value < 0 ? "−0.000" : "0.000") : "…";
}

}  // namespace sepx::ui
