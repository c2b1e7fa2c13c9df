// SPDX-License-Identifier: Apache-2.0
// See optimisers_state.h.
#include "ui/exhibits/flow/optimisers/optimisers_state.h"

#include <algorithm>

#include "ui/exhibits/flow/shared/plane_ground.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::Racer;

int wholeOf(const Document& document, const PropertyRegistry& registry, const char* key) {
  return static_cast<int>(registry.real(document, key));
}

markov::Entrant readEntrant(const Document& document, const PropertyRegistry& registry, markov::Entrant entrant) {
  const auto number = [&](const char* member) { return registry.real(document, racerKey(entrant.racer, member)); };
  const auto toggle = [&](const char* member) { return registry.toggle(document, racerKey(entrant.racer, member)); };
  nn::OptimiserOptions& rule = entrant.rule;
  rule.learningRate = number("rate");
  if (entrant.racer == Racer::Momentum) {
    rule.momentum = number("mu");
    rule.nesterov = rule.momentum > 0 && toggle("nesterov");
    entrant.sampled = toggle("sampled");
  } else if (entrant.racer == Racer::AdamW) {
    rule.beta1 = number("beta1");
    rule.beta2 = number("beta2");
    rule.weightDecay = number("decay");
    entrant.sampled = toggle("sampled");
  }
  return entrant;
}

}  // namespace

OptimisersState readOptimisersState(const Document& document, const PropertyRegistry& registry, const FlowState& state,
                                    std::uint64_t seed) {
  OptimisersState read;
  read.logSteps = registry.toggle(document, "flow.optimisers.log-steps");
  read.start = startPoint(state);
  RaceRequest request;
  request.options.entrants.clear();
  for (const markov::Entrant& usual : markov::usualEntrants()) {
    const bool shown = registry.toggle(document, racerKey(usual.racer, "show"));
    read.shown[static_cast<std::size_t>(usual.racer)] = shown;
    if (shown) request.options.entrants.push_back(readEntrant(document, registry, usual));
  }
  if (!read.start || request.options.entrants.empty()) return read;
  request.p = state.chain.p;
  request.q = state.chain.q;
  request.e = state.points[*read.start].e;
  request.w = state.points[*read.start].w;
  request.options.steps = wholeOf(document, registry, "flow.optimisers.steps");
  request.options.batch = wholeOf(document, registry, "flow.optimisers.batch");
  request.options.length = wholeOf(document, registry, "flow.optimisers.length");
  const auto own = static_cast<std::uint64_t>(registry.real(document, "flow.optimisers.seed"));
  request.options.seed = own | seed << 32;
  const std::string bias = registry.text(document, "flow.optimisers.bias");
  request.options.biasSteps = bias == "exact" ? 0 : std::stoi(bias);
  read.request = request;
  return read;
}

std::string racerKey(Racer racer, const char* member) {
  return "flow.optimisers." + std::string(markov::racerName(racer)) + "." + member;
}

std::string racerWords(Racer racer, bool brief) {
  switch (racer) {
    case Racer::Flow:
      return brief ? tr("flow") : tr("Gradient flow");
    case Racer::GradientDescent:
      return brief ? tr("GD") : tr("Gradient descent");
    case Racer::Sgd:
      return brief ? tr("SGD") : tr("SGD on sampled chains");
    case Racer::Momentum:
      return brief ? tr("momentum") : tr("Momentum");
    case Racer::AdamW:
      return "AdamW";
  }
  return {};
}

ChartLook racerLook(const Theme& theme, Racer racer) {
  using render::Dash;
  switch (racer) {
    case Racer::Flow:
      return {theme.text, Dash::Solid, theme.strongLine + 1};
    case Racer::GradientDescent:
      return {theme.accent, Dash::Dashed, theme.lineWidth + 0.5f};
    case Racer::Sgd:
      return {theme.localMax, Dash::Dotted, theme.strongLine};
    case Racer::Momentum:
      return {theme.saddle, Dash::Solid, theme.lineWidth + 0.5f};
    case Racer::AdamW:
      return {theme.globalMin, Dash::Dashed, theme.lineWidth + 0.5f};
  }
  return {theme.text};
}

}  // namespace sepx::ui
