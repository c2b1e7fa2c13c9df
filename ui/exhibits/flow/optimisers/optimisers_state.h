// SPDX-License-Identifier: Apache-2.0
// What the document says about the page of optimisers, as typed values; and what each optimiser is called and looks
// like. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/markov/optimisers.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/plots/line_chart.h"

namespace sepx::ui {

/// A race as it is asked for: chain, start, options.
struct RaceRequest {
  double p = 0, q = 0, e = 0, w = 0;
  markov::RaceOptions options;  ///< the entrants are those that are shown
  bool operator==(const RaceRequest&) const = default;
};

struct OptimisersState {
  std::array<bool, markov::kRacers> shown{};
  bool logSteps = false;
  std::optional<std::size_t> start;    ///< index of the point
  std::optional<RaceRequest> request;  ///< nothing without a start or an entrant
};

/// `seed`: of the program's start.
OptimisersState readOptimisersState(const Document& document, const PropertyRegistry& registry, const FlowState& state,
                                    std::uint64_t seed);

inline constexpr std::array<markov::Racer, markov::kRacers> kAllRacers{
    markov::Racer::Flow, markov::Racer::GradientDescent, markov::Racer::Sgd, markov::Racer::Momentum,
    markov::Racer::AdamW};
/// "flow.optimisers.gd.rate"
std::string racerKey(markov::Racer racer, const char* member);
/// "Gradient descent"; `brief`: "GD". Translated.
std::string racerWords(markov::Racer racer, bool brief = false);
/// No two of them have both the same dash and a similar colour.
ChartLook racerLook(const Theme& theme, markov::Racer racer);

}  // namespace sepx::ui
