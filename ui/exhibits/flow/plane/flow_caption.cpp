// SPDX-License-Identifier: Apache-2.0
// The caption of a Flow figure: the model with its parameters, what lines and areas are, where the points end.
// Sentences are put together from whole, translated ones. Pure.
#include <algorithm>
#include <array>

#include "engine/core/number.h"
#include "ui/exhibit/page_kit.h"
#include "ui/exhibits/flow/plane/flow_numbers.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::string shown(double value) {
  return withMinus(formatShortest(value));
}

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? tr(std::string(N_(" and "))) : std::string(", ");
    text += parts[i];
  }
  return text;
}

std::string modelSentence(const FlowState& state) {
  if (!state.canonical) {
    const dynamics::FieldInfo& info = state.field->info();
    std::vector<std::string> values;
    for (std::size_t i = 0; i < info.parameters.size() && i < state.parameters.size(); ++i)
      values.push_back(info.parameters[i].symbol + " = " + shown(state.parameters[i]));
    std::string text = values.empty() ? tr("{name}: {equation}.") : tr("{name}: {equation}, with {values}.");
    text = filled(filled(text, "{name}", tr(info.name)), "{equation}", info.equation);
    return filled(text, "{values}", listed(values));
  }
  const double sum = state.chain.switching();
  const char* const sign = sum > 0 ? "p + q > 1" : sum < 0 ? "p + q < 1" : "p + q = 1";
  std::string text = tr("Gradient flow in the (e, w) plane, p = {p}, q = {q} ({sum}).");
  return filled(filled(filled(text, "{p}", shown(state.chain.p)), "{q}", shown(state.chain.q)), "{sum}", sign);
}

std::string hatchClause(const FlowState& state, const FlowResults& results) {
  const std::vector<double>& shares = results.basin().shares;
  const auto local = static_cast<std::size_t>(markov::LimitKind::LocalMin);
  if (!state.showBasin || state.degenerate() || shares.size() <= local) return {};
  return filled(tr("hatched: ends in a local minimum ({share} of the window)"), "{share}", shownShare(shares[local]));
}

std::string shadingClause(const FlowState& state, const FlowResults& results) {
  if (!state.showLoss || !results.limits()) return {};
  std::string text = tr("shading: the loss from {low} to {high} nats");
  if (state.color == PlaneColor::Time)
    text = tr("shading: the time until 99 % of the way down is done, {low} to {high}");
  if (state.color == PlaneColor::Gradient) text = tr("shading: the length of the gradient, {low} to {high} nats");
  const auto end = [&](double value) { return logarithmic(state.color) ? shown(value) : shownFixed(value, 3); };
  return filled(filled(text, "{low}", end(results.limits()->low)), "{high}", end(results.limits()->high));
}

/// What areas and lines are that the picture's own words do not say; the bar tells the colours unless they were fixed.
std::string meaningSentence(const FlowState& state, const FlowResults& results) {
  if (!state.canonical) return {};
  std::vector<std::string> clauses{hatchClause(state, results)};
  if (state.locked || state.color != PlaneColor::Loss) clauses.push_back(shadingClause(state, results));
  if (state.showCritical && state.degenerate()) clauses.emplace_back(tr("lines: minima"));
  if (state.showSeparatrix && !state.degenerate()) clauses.emplace_back(tr("lines through the saddle: separatrix"));
  std::string text;
  for (const std::string& clause : clauses)
    if (!clause.empty()) text += (text.empty() ? "" : "; ") + clause;
  if (text.empty()) return {};
  // ASCII letters only: a translation begins its sentence as it likes.
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

std::string pointSentence(const FlowState& state, const FlowResults& results) {
  const std::size_t count = std::min(state.points.size(), results.points());
  if (count == 0 || state.degenerate()) return {};
  std::array<std::size_t, 6> ends{};
  for (std::size_t i = 0; i < count; ++i)
    ++ends[static_cast<std::size_t>(results.point(i).kind)];
  const std::pair<markov::LimitKind, const char*> words[] = {
      {markov::LimitKind::GlobalMin, N_("{n} in a global minimum")},
      {markov::LimitKind::LocalMin, N_("{n} in a local minimum")},
      {markov::LimitKind::Saddle, N_("{n} in the saddle")},
      {markov::LimitKind::LocalMax, N_("{n} at a local maximum")},
      {markov::LimitKind::Attractor, N_("{n} at an attractor")},
      {markov::LimitKind::Undecided, N_("{n} undecided")}};
  std::vector<std::string> parts;
  for (const auto& [kind, text] : words)
    if (const std::size_t n = ends[static_cast<std::size_t>(kind)]; n > 0)
      parts.push_back(filled(tr(text), "{n}", std::to_string(n)));
  if (count == 1) return filled(tr("Limit of the initial point: {kind}."), "{kind}", kindWords(results.point(0).kind));
  const std::string text = filled(tr("The {n} initial points end: {ends}."), "{n}", std::to_string(count));
  return filled(text, "{ends}", listed(parts));
}

std::string extraSentence(const FlowState& state, const FlowResults& results) {
  std::string text;
  if (results.cloud()) {
    text = tr("Cloud: {n} Gaussian initialisations with σ = {s}, {share} of them in a local minimum.");
    text = filled(filled(text, "{n}", std::to_string(results.cloud()->points.size())), "{s}", shown(state.sigma));
    text = filled(text, "{share}", shownShare(results.cloud()->share));
  }
  if (state.own->empty()) return text;
  return text + (text.empty() ? "" : " ") + tr("Dashed, from a ring to a dot: measured trajectories.");
}

}  // namespace

std::string flowCaption(const FlowState& state, const FlowResults& results) {
  std::string caption;
  for (const std::string& sentence : {modelSentence(state), meaningSentence(state, results),
                                      pointSentence(state, results), extraSentence(state, results)})
    if (!sentence.empty()) caption += (caption.empty() ? "" : " ") + sentence;
  return caption;
}

}  // namespace sepx::ui
