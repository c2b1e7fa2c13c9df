// SPDX-License-Identifier: Apache-2.0
// The colour scale of the plane, for each quantity that can colour it: the loss (or another field's potential), the
// time to converge, the length of the gradient. Defines the two ends, which come from the data, are locked by the user
// (separately for each quantity) or are shared by all panes, and the mapping between them. Pure.
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

/// Maps values to places on the colour scale, 0 to 1 between the ends. Loss: asinh(k (L - low)/(high - low)) /
/// asinh(k), so that both the small difference between H(π) and the entropy rate and the steep walls are visible. Times
/// and gradients: log(x/low) / log(high/low). The same ends give the same colours in every pane.
struct ColorScale : ColorLimits {
  static constexpr double kBend = 12;  ///< k; also the length of the scale, in units of the difference to resolve
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

/// `flow.color` of a document, and the word for a value of it.
PlaneColor chosenColor(const Document& document);
const char* colorWord(PlaneColor color);
/// Whether the scale is logarithmic: true for times and gradients.
constexpr bool logarithmic(PlaneColor color) {
  return color == PlaneColor::Time || color == PlaneColor::Gradient;
}
/// The key of a member of the scale: "flow.limits.low", "flow.limits.time.low".
std::string limitsKey(PlaneColor color, const char* member);

/// From the entropy rate to kBend times the gap to H(π) above it.
ColorLimits limitsOf(const markov::Chain& chain);
/// From the smallest value of a potential in the window to kBend times the distance to the median above it. Values that
/// are not finite are ignored.
ColorLimits limitsOf(const std::vector<double>& values);
/// The ends of a logarithmic scale that covers nearly all values, rounded outwards to 1, 2 or 5 times a power of ten.
/// Values that are not positive numbers are ignored.
ColorLimits powerLimitsOf(std::vector<double> values, PlaneColor color);
/// The value that colours a point of the canonical plane; NaN where there is none.
double colorAt(const markov::Chain& chain, PlaneColor color, double e, double w);
/// The ends from the plane's values in a window. Times and gradients are sampled on a coarse grid, which takes a few
/// milliseconds.
ColorLimits limitsOf(const markov::Chain& chain, PlaneColor color, const render::Rect& view);
/// Whether both ends are finite and so far apart that doubles distinguish the colours between them.
bool sound(const ColorLimits& limits);
/// Also requires positive ends if the scale is logarithmic.
bool sound(const ColorLimits& limits, PlaneColor color);

/// The chosen colour; PlaneColor::Loss for a field other than the canonical one, which is coloured by its potential.
PlaneColor colorOf(const Document& document);
/// The locked ends of the chosen colour's scale; empty unless the document has the mode `locked` and two valid ends.
std::optional<ColorLimits> lockedLimits(const Document& document);
Document withLimits(const Document& document, const ColorLimits& limits);
/// Resets the ends of the chosen colour's scale to those from the data.
Document withoutLimits(const Document& document);
/// Removes the ends of the chosen colour's scale if they are not valid. Ends that are set while another colour is
/// chosen are not checked, and a session with invalid ends could not be opened again.
Document withSoundLimits(const Document& document);

}  // namespace sepx::ui
