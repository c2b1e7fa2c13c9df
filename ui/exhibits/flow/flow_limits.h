// SPDX-License-Identifier: Apache-2.0
// The colour scale of the loss (or of another field's potential): its two ends, from the data, locked by the person or
// shared by all panes, and the law between them. Pure.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "engine/markov/chain.h"
#include "ui/document/document.h"
#include "ui/exhibits/exhibit.h"

namespace sepx::ui {

/// Loss to place on the colour scale: asinh(k (L - low)/(high - low)) / asinh(k), so that the small difference between
/// H(π) and the entropy rate and the steep walls are both seen. The same ends give the same colours in every pane.
struct LossScale : ColorLimits {
  static constexpr double kBend = 12;  ///< k: the steps of the least difference that the scale has
  LossScale() = default;
  explicit LossScale(const ColorLimits& limits) : ColorLimits(limits) {}
  double place(double loss) const { return std::asinh(kBend * (loss - low) / (high - low)) / std::asinh(kBend); }
  double lossAt(double place) const { return low + (high - low) * std::sinh(place * std::asinh(kBend)) / kBend; }
  bool operator==(const LossScale&) const = default;
};

/// From the entropy rate, kBend times the gap to H(π) upwards.
ColorLimits limitsOf(const markov::Chain& chain);
/// From the least of a potential's values in the window, kBend times the way to their median upwards. Values that are
/// not finite do not count.
ColorLimits limitsOf(const std::vector<double>& values);
/// Both finite and far enough apart that doubles tell the colours between them.
bool sound(const ColorLimits& limits);

/// What the document says, when it says `locked` and two ends.
std::optional<ColorLimits> lockedLimits(const Document& document);
Document withLimits(const Document& document, const ColorLimits& limits);
/// Ends from the data again.
Document withoutLimits(const Document& document);

}  // namespace sepx::ui
