// SPDX-License-Identifier: Apache-2.0
// Output that the verbs flow and trajectory share; see flow_json.h.
#include "app/cli/flow_json.h"

#include "app/cli/text.h"
#include "engine/markov/unbounded_surface.h"

namespace sepx::app::cli {

Json limitJson(const std::optional<markov::Limit>& limit) {
  if (!limit) return nullptr;
  Json json = Json::object();
  json["theta"] = toJson(limit->theta);
  json["loss"] = limit->loss;
  json["kind"] = std::string(markov::limitName(limit->kind));
  return json;
}

Json integratorJson(const markov::FlowResult& flow) {
  Json json = Json::object();
  json["steps"] = flow.statistics.steps;
  json["rejected"] = flow.statistics.rejected;
  json["evaluations"] = flow.statistics.evaluations;
  json["t_end"] = flow.tEnd;
  return json;
}

std::string pointDisplayText(const markov::State& theta) {
  std::string text = "(";
  for (int i = 0; i < theta.size(); ++i)
    text += (i ? ", " : "") + displayText(theta(i));
  return text + ")";
}

std::string endDisplayText(const markov::FlowResult& flow, const ModelPoint& point, bool backward) {
  if (flow.status == markov::FlowStatus::Degenerate) {
    const std::string why =
        tr(N_("degenerate: p + q = 1, so there is nothing to learn from the previous symbol and no basin"));
    if (!flow.limit) return why;
    return why + "; " +
           trf(N_("comes to rest at {}, where S = 0 and the loss is {}"), pointDisplayText(flow.limit->theta),
               displayText(flow.limit->loss));
  }
  const std::string kind(markov::limitName(flow.label));
  const std::string source = flow.exact ? tr(N_("closed form")) : tr(N_("integrated"));
  const std::string status(markov::statusName(flow.status));
  const bool unbounded = !flow.limit && flow.status == markov::FlowStatus::Unbounded;
  const bool space = point.model == markov::Model::EWA && !backward;
  if (unbounded && space && markov::onUnboundedSurface(point.chain, point.theta))
    return trf(N_("{}: by the two invariants this initial point lies on the surface of unbounded orbits, within "
                  "rounding; a computed path leaves it"),
               kind);
  if (unbounded)
    return trf(N_("{} ({}), {}: the path leaves the largest region in which it is followed"), kind, source, status);
  if (!flow.limit && flow.label == markov::LimitKind::Undecided)
    return trf(
        N_("{} ({}), {}: the end was not reached within the allowed time and steps, or is beyond the precision of doubles"),
        kind, source, status);
  if (!flow.limit) return trf(N_("{} ({}), {}"), kind, source, status);
  return trf(N_("{} ({}), {}, at {}, loss {}"), kind, source, status, pointDisplayText(flow.limit->theta),
             displayText(flow.limit->loss));
}

}  // namespace sepx::app::cli
