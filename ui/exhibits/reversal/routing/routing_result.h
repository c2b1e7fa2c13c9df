// SPDX-License-Identifier: Apache-2.0
// Both queries of one pair as a model answers them. Computed in the frame in which something is dragged (0.3 ms at the
// paper's size). Pure.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/reversal/routing.h"
#include "engine/reversal/switches.h"
#include "ui/exhibits/reversal/routing/routing_model.h"

namespace sepx::ui {

/// One query and the parts of its answer.
struct RoutedQuery {
  reversal::Query query;
  reversal::Route route;
  int row = 0;              ///< the place that attends
  std::int32_t answer = 0;  ///< the most likely token other than [M]
  /// Y_{A,B} for the target A and the evidence B.
  double storage() const { return route.column[query.target]; }
  double evidence() const { return route.alpha[query.evidence]; }
  double actual() const { return route.actual[query.target]; }
};

struct RoutingResult {
  reversal::Pair pair;
  bool masks = true;                   ///< the model hides tokens; else it predicts the next one
  std::array<RoutedQuery, 2> queries;  ///< by direction
  const RoutedQuery& of(reversal::Direction direction) const { return queries[static_cast<std::size_t>(direction)]; }
};

/// `pair` must have passed check() and must fit the model. The switches apply to a model that hides tokens; for any
/// other model only the positions apply.
RoutingResult makeRouting(const OpenedModel& model, const reversal::Pair& pair, const reversal::Switches& switches);

/// "a", "D", "0", "[M]".
std::string tokenWord(std::int32_t token);

}  // namespace sepx::ui
