// SPDX-License-Identifier: Apache-2.0
// The colour scale of matrix entries. Its two ends come from the data, are locked or are shared. It is diverging with
// zero in the middle, sequential in the modulus, or logarithmic with the sign kept:
//   place = sign(v) log(1 + |v|/c) / log(1 + L/c), c = L / 300, L the larger end.
// Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/histogram.h"
#include "engine/attention/tiles.h"
#include "engine/render/scene.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

enum class ScaleKind { Diverging, Sequential, Logarithmic };

struct MatrixScale {
  ScaleKind kind = ScaleKind::Diverging;
  ColorLimits limits{-1, 1};
  bool operator==(const MatrixScale&) const = default;

  /// The value in the heat map for an entry, the inverse, and the values at both ends of the colours.
  double place(double value) const;
  double valueAt(double place) const;
  double lowPlace() const;
  double highPlace() const;
  /// Position along the colours: 0 at the low end, 1 at the high end.
  double share(double value) const;
  render::ColorMap map(const Theme& theme) const;
  render::Color color(double value, const Theme& theme) const;
  /// Whether entries must be converted with place() before they are drawn.
  bool isNonlinear() const { return kind != ScaleKind::Diverging; }
  std::string title() const;
  /// The ends of the value axis beside the scale, in the units of place(); somewhat beyond the ends of the colours.
  double axisLow() const;
  double axisHigh() const;
};

/// Limits adapted to the kind: symmetric about zero, or at least zero if it is Sequential.
ColorLimits fitting(ColorLimits limits, ScaleKind kind);
/// Limits from the entries: `percentile` (0 to 100) of the largest modulus in a block of block x block entries; of the
/// moduli themselves if a block is one entry.
ColorLimits automaticLimits(const attention::Histogram& histogram, ScaleKind kind, double percentile, double block);
/// The same from means of blocks, which are smaller than the entries that they average.
ColorLimits limitsOfPixels(const std::vector<float>& values, ScaleKind kind, double percentile);

/// The values converted for the heat map of this scale; the same vector if isNonlinear() is false.
std::shared_ptr<const std::vector<float>> placed(const std::shared_ptr<const std::vector<float>>& values,
                                                 const MatrixScale& scale);

/// Black or white, whichever is more readable on `ground`.
render::Color textColorOn(render::Color ground);

}  // namespace sepx::ui
