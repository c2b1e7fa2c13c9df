// SPDX-License-Identifier: Apache-2.0
// Both queries of one pair as a model answers them: made in the frame in which something was dragged (0.3 ms at the
// paper's size). Pure.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/reversal/routing.h"
#include "engine/reversal/switches.h"
#include "ui/exhibits/reversal/routing/routing_model.h"

namespace sepx::ui {

/// One query taken apart.
struct RoutedQuery {
  reversal::Query query;
  reversal::Route route;
  int row = 0;              ///< the place that attends
  std::int32_t answer = 0;  ///< the most likely token but [M]
  /// Y_{A,B}: of the target and the evidence.
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

/// `pair` has passed check() and fits the model. The switches are those of a model that hides tokens; another one has
/// none but its positions.
RoutingResult makeRouting(const OpenedModel& model, const reversal::Pair& pair, const reversal::Switches& switches);

/// "a", "D", "0", "[M]".
std::string tokenWord(std::int32_t token);

}  // namespace sepx::ui
