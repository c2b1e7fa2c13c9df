// SPDX-License-Identifier: Apache-2.0
// Limits, mappings and titles of the colour scale of matrix entries.
#include "ui/views/matrix_scale.h"

#include <algorithm>
#include <cmath>

#include "engine/render/color_map.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kBend = 300;    // logarithmic scale: the larger end over the linear part
constexpr double kBeyond = 1.3;  // length of the value axis over the larger end
constexpr double kLeastEnd = 1e-30;

double larger(const ColorLimits& limits) {
  return std::max({std::abs(limits.low), std::abs(limits.high), kLeastEnd});
}

}  // namespace

double MatrixScale::place(double value) const {
  if (kind == ScaleKind::Sequential) return std::abs(value);
  if (kind == ScaleKind::Diverging) return value;
  const double c = larger(limits) / kBend;
  return std::copysign(std::log1p(std::abs(value) / c) / std::log1p(kBend), value);
}

double MatrixScale::valueAt(double place) const {
  if (kind != ScaleKind::Logarithmic) return place;
  return std::copysign(larger(limits) / kBend * std::expm1(std::abs(place) * std::log1p(kBend)), place);
}

double MatrixScale::lowPlace() const {
  return kind == ScaleKind::Logarithmic ? -1 : limits.low;
}

double MatrixScale::highPlace() const {
  return kind == ScaleKind::Logarithmic ? 1 : limits.high;
}

double MatrixScale::share(double value) const {
  return (place(value) - lowPlace()) / (highPlace() - lowPlace());
}

render::ColorMap MatrixScale::map(const Theme& theme) const {
  return kind == ScaleKind::Sequential ? theme.lossMap : render::ColorMap::Diverging;
}

render::Color MatrixScale::color(double value, const Theme& theme) const {
  return render::colorAt(map(theme), share(value));
}

std::string MatrixScale::title() const {
  if (kind == ScaleKind::Sequential) return tr("|entry|");
  return kind == ScaleKind::Logarithmic ? tr("entry, log") : tr("entry");
}

double MatrixScale::axisLow() const {
  if (kind == ScaleKind::Sequential) return 0;
  return kind == ScaleKind::Logarithmic ? -1.12 : -kBeyond * larger(limits);
}

double MatrixScale::axisHigh() const {
  return kind == ScaleKind::Logarithmic ? 1.12 : kBeyond * larger(limits);
}

ColorLimits fitting(ColorLimits limits, ScaleKind kind) {
  const double end = larger(limits);
  if (kind != ScaleKind::Sequential) return {-end, end};
  const double low = std::max(0.0, limits.low);
  return limits.high > low ? ColorLimits{low, limits.high} : ColorLimits{0, end};
}

ColorLimits automaticLimits(const attention::Histogram& histogram, ScaleKind kind, double percentile, double block) {
  const double share = std::pow(std::clamp(percentile / 100, 0.0, 1.0), 1 / (block * block));
  double end = histogram.percentileOfModulus(100 * share);
  if (!(end > 0) || !std::isfinite(end)) end = histogram.largest();
  if (!(end > 0) || !std::isfinite(end)) end = 1;
  return kind == ScaleKind::Sequential ? ColorLimits{0, end} : ColorLimits{-end, end};
}

ColorLimits limitsOfPixels(const std::vector<float>& values, ScaleKind kind, double percentile) {
  std::vector<float> sizes;
  sizes.reserve(values.size());
  for (const float value : values)
    if (std::isfinite(value)) sizes.push_back(std::abs(value));
  double end = 0;
  if (!sizes.empty()) {
    const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(std::clamp(percentile / 100, 0.0, 1.0) *
                                                                static_cast<double>(sizes.size() - 1));
    std::nth_element(sizes.begin(), at, sizes.end());
    end = *at;
  }
  if (!(end > 0)) end = 1;
  return kind == ScaleKind::Sequential ? ColorLimits{0, end} : ColorLimits{-end, end};
}

std::shared_ptr<const std::vector<float>> placed(const std::shared_ptr<const std::vector<float>>& values,
                                                 const MatrixScale& scale) {
  if (!values || !scale.isNonlinear()) return values;
  auto made = std::make_shared<std::vector<float>>(values->size());
  if (scale.kind == ScaleKind::Sequential) {
    std::transform(values->begin(), values->end(), made->begin(), [](float value) { return std::abs(value); });
    return made;
  }
  const auto c = static_cast<float>(larger(scale.limits) / kBend);
  const auto most = static_cast<float>(1 / std::log1p(kBend));
  std::transform(values->begin(), values->end(), made->begin(),
                 [c, most](float value) { return std::copysign(std::log1p(std::abs(value) / c) * most, value); });
  return made;
}

render::Color textColorOn(render::Color ground) {
  return render::lightness(ground) > 0.62 ? render::Color{0, 0, 0, 1} : render::Color{1, 1, 1, 1};
}

}  // namespace sepx::ui
