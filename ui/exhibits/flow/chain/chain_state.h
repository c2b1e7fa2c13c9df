// SPDX-License-Identifier: Apache-2.0
// What the document says about the page of (p,q), and what is known at one place of the square. Pure; read once a
// revision.
#pragma once

#include <optional>
#include <string>

#include "engine/markov/chain_map.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

using markov::ChainQuantity;

/// As `flow.chain.show` writes it: "excess", "gap", "S_star", "distance", "time".
const char* quantityWord(ChainQuantity quantity);
/// Translated: "Expected excess loss".
std::string quantityName(ChainQuantity quantity);
/// With its unit, for a colour bar: "excess (nats)".
std::string quantityTitle(ChainQuantity quantity);

/// A straight line through the square; t runs from 0 to 1.
struct ChainPath {
  double p0 = 0.2, q0 = 0.4, p1 = 0.7, q1 = 0.8;
  markov::Chain at(double t) const { return {p0 + t * (p1 - p0), q0 + t * (q1 - q0)}; }
  /// Where p + q = 1, if the line meets it.
  std::optional<double> crossing() const;
  bool operator==(const ChainPath&) const = default;
};

struct ChainState {
  markov::Chain chain;
  ChainQuantity show = ChainQuantity::Excess;
  markov::Model model = markov::Model::EW;  ///< whose basins and times: EW or EWA
  double sigma = 0.3;
  bool contours = true, counts = true, showPath = true, follow = false;
  int samples = 2000;  ///< counted starts at each sigma
  int seed = 0;
  ChainPath path;
  double head = 0;  ///< where on the path, 0 to 1
  double speed = 1;
};
ChainState readChainState(const Document& document, const PropertyRegistry& registry, const FlowState& flow);

/// All quantities at one place, as far as they are known.
struct ChainReading {
  markov::Chain chain;
  double gap = 0, S_star = 0, distance = 0, clock = 0;
  markov::PlanePoint nearest;                       ///< of Theta*
  std::optional<double> probability, excess, time;  ///< none: not yet computed, or none there is
};
/// What has a closed form.
ChainReading readingAt(const markov::Chain& chain);

/// The nearest place inside the square whose p and q have few decimals; `coarse`: multiples of 0.05.
markov::Chain roundedChain(double p, double q, bool coarse);

/// The nearest place on the path, 0 to 1, with few decimals.
double roundedPlace(double t);

}  // namespace sepx::ui
