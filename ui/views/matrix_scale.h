// SPDX-License-Identifier: Apache-2.0
// The colour scale of matrix entries: its two ends from the data, locked or shared; diverging with zero in the middle,
// sequential in the modulus, or logarithmic with the sign kept:
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

  /// What the heat map holds for an entry, and between which two values its colours lie.
  double place(double value) const;
  double valueAt(double place) const;
  double lowPlace() const;
  double highPlace() const;
  /// 0 to 1 along the colours.
  double share(double value) const;
  render::ColorMap map(const Theme& theme) const;
  render::Color color(double value, const Theme& theme) const;
  /// Whether entries must be turned into places before they are drawn.
  bool bends() const { return kind != ScaleKind::Diverging; }
  std::string title() const;
  /// The value axis beside the scale, which goes some way beyond the ends.
  double axisLow() const;
  double axisHigh() const;
};

/// Ends that go with the kind: symmetric about zero, or from zero upwards.
ColorLimits fitting(ColorLimits limits, ScaleKind kind);
/// From the entries: `percentile` of the largest moduli of block x block of them; of the moduli themselves where a
/// block is one entry.
ColorLimits automaticLimits(const attention::Histogram& histogram, ScaleKind kind, double percentile, double block);
/// The same of means of blocks, which are smaller than what they average.
ColorLimits limitsOfPixels(const std::vector<float>& values, ScaleKind kind, double percentile);

/// Values as the heat map of this scale holds them; the very same vector where it does not bend.
std::shared_ptr<const std::vector<float>> placed(const std::shared_ptr<const std::vector<float>>& values,
                                                 const MatrixScale& scale);

/// Black or white, whichever is read better on `ground`.
render::Color inkOn(render::Color ground);

}  // namespace sepx::ui
