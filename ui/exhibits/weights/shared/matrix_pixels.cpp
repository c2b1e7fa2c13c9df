// SPDX-License-Identifier: Apache-2.0
// Steps go up by thirds of an octave's half: zooming by a notch often keeps the blocks.
#include "ui/exhibits/weights/shared/matrix_pixels.h"

#include <algorithm>
#include <cmath>

namespace sepx::ui {

namespace {

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

attention::Crop spannedCrop(const MatrixLayout& layout, Eigen::Index step, double around) {
  const auto rows = static_cast<Eigen::Index>(layout.whole.height());
  const auto columns = static_cast<Eigen::Index>(layout.whole.width());
  const Span row = spanned(-layout.view.max.y, -layout.view.min.y, around, step, rows);
  const Span column = spanned(layout.view.min.x, layout.view.max.x, around, step, columns);
  return {row.from, row.to, column.from, column.to};
}

}  // namespace

Eigen::Index stepFor(const MatrixLayout& layout, double scale) {
  const double entries = 1 / (layout.cellWidth() * std::max(0.1, scale));
  Eigen::Index step = 1;
  while (static_cast<double>(step) < entries * 0.98) {
    const bool power = (step & (step - 1)) == 0;
    step = step == 1 ? 2 : power ? step * 3 / 2 : step * 4 / 3;
  }
  return step;
}

attention::Crop cropFor(const MatrixLayout& layout, Eigen::Index step) {
  return spannedCrop(layout, step, layout.panes.size() > 1 ? 0.0 : 0.5);
}

bool holds(const attention::Crop& crop, const MatrixLayout& layout, Eigen::Index step) {
  const attention::Crop needed = spannedCrop(layout, step, layout.panes.size() > 1 ? 0.0 : 0.12);
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

void strengthen(MatrixPicture& picture, const attention::Histogram& histogram) {
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

}  // namespace sepx::ui
