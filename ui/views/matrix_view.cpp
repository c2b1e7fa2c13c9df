// SPDX-License-Identifier: Apache-2.0
// Which blocks are needed. Steps go up by thirds of an octave's half: zooming by a notch often keeps the blocks.
#include "ui/views/matrix_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sepx::ui {

namespace {

constexpr double kLeastCells = 2;

struct Span {
  Eigen::Index from, to;
};

/// [min, max) with `around` of its length at both sides, in whole blocks, within [0, size).
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
      if (std::isnan(value) || std::abs(value) > std::abs(kept)) kept = value;  // a NaN stays: it exceeds nothing
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

}  // namespace sepx::ui
