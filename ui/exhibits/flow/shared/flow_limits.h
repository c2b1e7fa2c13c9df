// SPDX-License-Identifier: Apache-2.0
// The colour scale of what colours the plane: the loss (or another field's potential), the time to converge, the length
// of the gradient. Its two ends, from the data, locked by the person (for each by itself) or shared by all panes, and
// the law between them. Pure.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "engine/markov/chain.h"
#include "ui/document/document.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/page/exhibit_context.h"

namespace sepx::ui {

/// A value's place on the colour scale. Loss: asinh(k (L - low)/(high - low)) / asinh(k), so that the small difference
/// between H(π) and the entropy rate and the steep walls are both seen. Times and gradients: log(x/low) /
/// log(high/low). The same ends give the same colours in every pane.
struct ColorScale : ColorLimits {
  static constexpr double kBend = 12;  ///< k: the steps of the least difference that the scale has
  bool logarithmic = false;
  ColorScale() = default;
  explicit ColorScale(const ColorLimits& limits, bool byPowers = false) : ColorLimits(limits), logarithmic(byPowers) {}
  double place(double value) const {
    if (logarithmic) return value > 0 ? std::log(value / low) / std::log(high / low) : -1;
    return std::asinh(kBend * (value - low) / (high - low)) / std::asinh(kBend);
  }
  double valueAt(double place) const {
    if (logarithmic) return low * std::pow(high / low, place);
    return low + (high - low) * std::sinh(place * std::asinh(kBend)) / kBend;
  }
  bool operator==(const ColorScale&) const = default;
};

/// `flow.color` of a document, and its word.
PlaneColor chosenColor(const Document& document);
const char* colorWord(PlaneColor color);
/// Times and gradients run over powers of ten.
constexpr bool logarithmic(PlaneColor color) {
  return color == PlaneColor::Time || color == PlaneColor::Gradient;
}
/// Under which the ends of its scale are kept: "flow.limits", "flow.limits.time".
std::string limitsKey(PlaneColor color, const char* member);

/// From the entropy rate, kBend times the gap to H(π) upwards.
ColorLimits limitsOf(const markov::Chain& chain);
/// From the least of a potential's values in the window, kBend times the way to their median upwards. Values that are
/// not finite do not count.
ColorLimits limitsOf(const std::vector<double>& values);
/// Of values that run over powers of ten: nearly all of them, at 1, 2 or 5 times a power of ten. Values that are not
/// positive numbers do not count.
ColorLimits powerLimitsOf(std::vector<double> values, PlaneColor color);
/// The value that colours a point of the canonical plane; NaN where there is none.
double colorAt(const markov::Chain& chain, PlaneColor color, double e, double w);
/// The ends that the plane's own values ask for in a window, from a coarse grid of it: a few milliseconds.
ColorLimits limitsOf(const markov::Chain& chain, PlaneColor color, const render::Rect& view);
/// Both finite and far enough apart that doubles tell the colours between them.
bool sound(const ColorLimits& limits);
/// And above zero where the scale runs over powers of ten.
bool sound(const ColorLimits& limits, PlaneColor color);

/// What the document says of the colour it chooses, when it says `locked` and two ends.
/// The chosen colour; another field than the canonical one is coloured by its potential.
PlaneColor colorOf(const Document& document);
std::optional<ColorLimits> lockedLimits(const Document& document);
Document withLimits(const Document& document, const ColorLimits& limits);
/// Ends from the data again, of the colour that is chosen.
Document withoutLimits(const Document& document);
/// Without the ends of the chosen colour where these were set while another one was chosen and do not go together: a
/// session with them could not be opened again.
Document withSoundLimits(const Document& document);

}  // namespace sepx::ui
