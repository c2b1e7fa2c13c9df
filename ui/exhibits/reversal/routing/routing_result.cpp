// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/reversal/routing/routing_result.h"

namespace sepx::ui {

RoutingResult makeRouting(const OpenedModel& model, const reversal::Pair& pair, const reversal::Switches& switches) {
  RoutingResult result;
  result.pair = pair;
  result.masks = model.masks();
  for (const reversal::Direction direction : reversal::kDirections) {
    RoutedQuery& made = result.queries[static_cast<std::size_t>(direction)];
    if (result.masks) {
      made.query = reversal::maskedQuery(pair, direction);
      made.row = reversal::rowOf(made.query);
      const std::vector<int> places = reversal::placesOf(switches, pair.length, 0);
      made.route = reversal::route(model.layer, made.query, made.row, places,
                                   reversal::attentionOf(model.layer, pair, direction, switches, places));
    } else {
      made.query = reversal::partnerQuery(pair, direction);
      made.row = reversal::rowOf(made.query);
      made.route = reversal::route(model.layer, made.query, made.row);
    }
    Eigen::Index best = 0;
    made.route.actual.head(data::kPairMask).maxCoeff(&best);
    made.answer = static_cast<std::int32_t>(best);
  }
  return result;
}

std::string tokenWord(std::int32_t token) {
  return reversal::text({token});
}

}  // namespace sepx::ui
