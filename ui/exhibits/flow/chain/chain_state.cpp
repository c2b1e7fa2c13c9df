// SPDX-License-Identifier: Apache-2.0
// Reading the page's properties; closed forms at a place. Pure.
#include "ui/exhibits/flow/chain/chain_state.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kWords[] = {"excess", "gap", "S_star", "distance", "time"};

}  // namespace

const char* quantityWord(ChainQuantity quantity) {
  return kWords[static_cast<int>(quantity)];
}

std::string quantityName(ChainQuantity quantity) {
  constexpr const char* kNames[] = {N_("Expected excess loss"), N_("Loss gap"), N_("Best value of S"),
                                    N_("Distance of Θ⋆"), N_("Time to converge")};
  return tr(kNames[static_cast<int>(quantity)]);
}

std::string quantityTitle(ChainQuantity quantity) {
  constexpr const char* kTitles[] = {N_("excess (nats)"), N_("gap (nats)"), N_("S⋆"), N_("|Θ⋆|"), N_("time to 99 %")};
  return tr(kTitles[static_cast<int>(quantity)]);
}

std::optional<double> ChainPath::crossing() const {
  const double before = p0 + q0 - 1, after = p1 + q1 - 1;
  if (before == after || (before > 0) == (after > 0)) return std::nullopt;
  return std::clamp(before / (before - after), 0.0, 1.0);
}

ChainState readChainState(const Document& document, const PropertyRegistry& registry, const FlowState& flow) {
  ChainState state;
  state.chain = flow.chain;
  registry.read(document, state);
  state.sigma = flow.sigma;
  state.seed = flow.seed;
  state.speed = flow.speed;
  return state;
}

ChainReading readingAt(const markov::Chain& chain) {
  ChainReading reading;
  reading.chain = chain;
  reading.gap = markov::lossGap(chain);
  reading.S_star = chain.degenerate() ? 0 : chain.S_star();
  reading.nearest = markov::nearestMinimum(chain);
  reading.distance = std::hypot(reading.nearest.e, reading.nearest.w);
  reading.clock = markov::clockUnit(chain);
  return reading;
}

markov::Chain roundedChain(double p, double q, bool coarse) {
  const double step = coarse ? 0.05 : 0.005;  // so that the numbers stay short; finer ones can be typed
  const auto value = [step](double raw) {
    if (!std::isfinite(raw)) return 0.5;
    // Rounded in decimals: 0.35 is the double that prints as 0.35.
    return std::clamp(std::round(std::round(raw / step) * step * 1000) / 1000, step, 1 - step);
  };
  return {value(p), value(q)};
}

double roundedPlace(double t) {
  return std::round(std::clamp(t, 0.0, 1.0) * 200) / 200;
}

}  // namespace sepx::ui
