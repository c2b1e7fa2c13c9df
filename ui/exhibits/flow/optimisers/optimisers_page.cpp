// SPDX-License-Identifier: Apache-2.0
// The page of optimisers put together: its job, panel, numbers and words. What it draws is in optimisers_scene.cpp.
#include "ui/exhibits/flow/optimisers/optimisers_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kOtherBatches = "flow.optimisers.reseed";
constexpr double kMostSeed = 1e6;

}  // namespace

std::unique_ptr<FlowPage> makeOptimiserPage(const FlowShared&) {
  return std::make_unique<OptimiserPage>();
}

void OptimiserPage::readOptions(const Document& document, const PropertyRegistry& registry, const FlowState& state) {
  state_ = readOptimisersState(document, registry, state, start_, seed_);
}

void OptimiserPage::updateResult(ExhibitContext& context) {
  result_.refresh(context.jobs);
  if (!state_.request) {
    result_.clear();
    return;
  }
  result_.request(context.jobs, *state_.request, tr("optimisers"), [](const OptimiserRequest& request, auto& output) {
    markov::State theta0(2);
    theta0 << request.e, request.w;
    return markov::runOptimisers({request.p, request.q}, theta0, request.options, [&output](double share) {
      output.progress(share);
      return !output.cancelled();
    });
  });
}

std::vector<std::vector<render::Point>> OptimiserPage::places() const {
  std::vector<std::vector<render::Point>> all;
  for (const markov::OptimiserPath& path : result()->paths)
    all.push_back(planePlaces(path.theta));
  return all;
}

const markov::OptimiserPath* OptimiserPage::path(markov::OptimiserKind kind) const {
  if (!result()) return nullptr;
  for (const markov::OptimiserPath& path : result()->paths)
    if (path.settings.kind == kind) return &path;
  return nullptr;
}

void OptimiserPage::panel(const FlowPageFrame&, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("Run"), "flow.optimisers.", {"steps", "batch", "length", "seed", "bias", "log-steps", "basin"});
  for (const markov::OptimiserKind kind : kAllOptimisers) {
    panel.heading(optimiserWords(kind));
    panel.rows(optimiserKey(kind, ""), {"show", "rate", "mu", "nesterov", "beta1", "beta2", "decay", "sampled", "basin",
                                        "loss", "left", "farthest"});
  }
  if (const std::string why = failure(); !why.empty()) panel.sentence(sentenceCase(why));
  panel.group(tr("Plane"), "flow.show.", {"basin", "critical", "separatrix"});
}

Numbers OptimiserPage::numbers(const FlowShared&) const {
  Numbers numbers;
  if (!result()) return numbers;
  Table steps{"race",
              {textColumn("optimiser"), numberColumn("step"), numberColumn("e"), numberColumn("w"), numberColumn("b"),
               numberColumn("loss", "nats"), numberColumn("energy"), textColumn("basin")}};
  Table ends{"ends",
             {textColumn("optimiser"), textColumn("basin"), numberColumn("left_basin_at_step"),
              numberColumn("farthest_from_orbit")}};
  for (const markov::OptimiserPath& path : result()->paths) {
    const std::string_view name = markov::optimiserName(path.settings.kind);
    for (std::size_t k = 0; k < path.theta.size(); ++k)
      addRow(steps, name, static_cast<double>(k), path.theta[k][0], path.theta[k][1], path.bias[k], path.loss[k],
             path.energy[k], markov::limitName(path.label[k]));
    addRow(ends, name, markov::limitName(path.label.back()), path.leftAt, path.farthest);
  }
  numbers.tables = {std::move(steps), std::move(ends)};
  return numbers;
}

std::string OptimiserPage::caption(const FlowShared&) const {
  if (!result()) return tr("Optimisers from one point: no start is chosen.");
  std::string text = startCaption(N_("Optimisers from"), startPlace(), request().p, request().q) + ": " +
                     kindWords(result()->basin) + ".";
  for (const markov::OptimiserPath& path : result()->paths) {
    text += " " + optimiserWords(path.settings.kind) + " (η = " + formatShortest(path.settings.rule.learningRate) +
            "): " +
            (path.end == markov::OptimiserEnd::Diverged ? std::string(tr("diverged")) : kindWords(path.label.back()));
    text += path.leftAt ? fmt::format(", {} {}.", tr("leaves the basin of the flow at step"), *path.leftAt) : ".";
  }
  return text;
}

std::string OptimiserPage::status(const FlowShared&) const {
  if (result_.pending()) return tr("optimisers: running");
  return result() ? fmt::format("{}: {} {}", tr("optimisers"), request().options.steps, tr("steps")) : std::string();
}

std::vector<FlowPage::Command> OptimiserPage::commands(const FlowShared&, const Document&) {
  const auto draw = [](ExhibitContext& context) {
    const double seed = context.editor.properties().real(context.editor.document(), "flow.optimisers.seed");
    setAsStep(context.editor, "flow.optimisers.seed", std::fmod(seed + 1, kMostSeed));
  };
  return {{kOtherBatches, tr("Draw other batches"), "N", tr("Exhibit"), result() != nullptr, draw}};
}

namespace {

using markov::OptimiserKind;

markov::OptimiserSettings readSettings(const Document& document, const PropertyRegistry& registry,
                                       markov::OptimiserSettings settings) {
  const auto number = [&](const char* member) { return registry.real(document, optimiserKey(settings.kind, member)); };
  const auto toggle = [&](const char* member) {
    return registry.toggle(document, optimiserKey(settings.kind, member));
  };
  nn::OptimiserOptions& rule = settings.rule;
  rule.learningRate = number("rate");
  if (settings.kind == OptimiserKind::Momentum) {
    rule.momentum = number("mu");
    rule.nesterov = rule.momentum > 0 && toggle("nesterov");
    settings.sampled = toggle("sampled");
  } else if (settings.kind == OptimiserKind::AdamW) {
    rule.beta1 = number("beta1");
    rule.beta2 = number("beta2");
    rule.weightDecay = number("decay");
    settings.sampled = toggle("sampled");
  }
  return settings;
}

}  // namespace

OptimisersState readOptimisersState(const Document& document, const PropertyRegistry& registry, const FlowState& state,
                                    const std::optional<std::size_t>& start, std::uint64_t seed) {
  OptimisersState read;
  registry.read(document, read);
  OptimiserRequest request;
  registry.read(document, request);
  request.options.optimisers.clear();
  for (const markov::OptimiserSettings& usual : markov::usualOptimisers()) {
    const bool shown = registry.toggle(document, optimiserKey(usual.kind, "show"));
    if (shown) request.options.optimisers.push_back(readSettings(document, registry, usual));
  }
  if (!start || request.options.optimisers.empty()) return read;
  request.p = state.chain.p;
  request.q = state.chain.q;
  request.e = state.points[*start].e;
  request.w = state.points[*start].w;
  request.options.seed |= seed << 32;
  read.request = request;
  return read;
}

std::string optimiserKey(OptimiserKind kind, const char* member) {
  return "flow.optimisers." + std::string(markov::optimiserName(kind)) + "." + member;
}

std::string optimiserWords(OptimiserKind kind, bool brief) {
  switch (kind) {
    case OptimiserKind::Flow:
      return brief ? tr("flow") : tr("Gradient flow");
    case OptimiserKind::GradientDescent:
      return brief ? tr("GD") : tr("Gradient descent");
    case OptimiserKind::Sgd:
      return brief ? tr("SGD") : tr("SGD on sampled chains");
    case OptimiserKind::Momentum:
      return brief ? tr("momentum") : tr("Momentum");
    case OptimiserKind::AdamW:
      return "AdamW";
  }
  return {};
}

ChartLook optimiserLook(const Theme& theme, OptimiserKind kind) {
  using render::Dash;
  switch (kind) {
    case OptimiserKind::Flow:
      return {theme.text, Dash::Solid, theme.strongLine + 1};
    case OptimiserKind::GradientDescent:
      return {theme.accent, Dash::Dashed, theme.lineWidth + 0.5f};
    case OptimiserKind::Sgd:
      return {theme.localMax, Dash::Dotted, theme.strongLine};
    case OptimiserKind::Momentum:
      return {theme.saddle, Dash::Solid, theme.lineWidth + 0.5f};
    case OptimiserKind::AdamW:
      return {theme.globalMin, Dash::Dashed, theme.lineWidth + 0.5f};
  }
  return {theme.text};
}

}  // namespace sepx::ui
