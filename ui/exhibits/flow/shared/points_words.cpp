// SPDX-License-Identifier: Apache-2.0
// The words for where a point ends and where it came from, with the reason where nothing can be said: the separatrix,
// an axis, p + q = 1 or very near it. Losses are those of Local-to-Global, Theorem 1. Pure; any thread.
#include <algorithm>
#include <cmath>

#include "engine/core/number.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kSlow = 1e-3;  // |p + q - 1| below which a person should know why nothing seems to move

std::string replaced(std::string text, const std::string& mark, const std::string& value) {
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? text : text.replace(at, mark.size(), value);
}

/// What an exact start means, or p + q very near 1: a further clause, or nothing.
std::string because(const FlowModel& model, const PointResult& point) {
  if (point.path.empty()) return {};
  const render::Point start = point.path.front();
  if (start.x == 0) return tr("; on e = 0 the gradient vanishes, so it stays where it is");
  std::string text;
  if (start.y == 0) text = tr("; on the axis w = 0 it never leaves that axis");
  const double switching = std::abs(model.chain.switching());
  if (switching < kSlow)
    text += replaced(tr("; slowly at last: |p + q − 1| = {gap} stretches times near the limit by its inverse"), "{gap}",
                     shownPower(switching));
  return text;
}

std::string canonicalWords(const FlowModel& model, const PointResult& point) {
  const double rate = model.chain.entropyRate(), marginal = model.chain.marginalEntropy();
  const std::string gap = formatFixed(marginal - rate, 4);
  std::string text;
  switch (point.kind) {
    case markov::LimitKind::GlobalMin:
      text = tr("ends in a global minimum: loss {loss} = the entropy rate, {gap} below H(π)");
      break;
    case markov::LimitKind::LocalMin:
      text = tr("ends in a local minimum: loss {loss} = H(π), {gap} above the entropy rate");
      break;
    case markov::LimitKind::Saddle:
      text = tr("on the separatrix, runs into the saddle: loss {loss} = H(π)");
      break;
    case markov::LimitKind::LocalMax:
      text = tr("stays on a local maximum: loss {loss} = H(π)");
      break;
    default:
      return tr("its end is undecided");
  }
  const double fallback = point.kind == markov::LimitKind::GlobalMin ? rate : marginal;
  text = replaced(replaced(text, "{loss}", formatFixed(point.limitLoss.value_or(fallback), 4)), "{gap}", gap);
  return text + because(model, point);
}

std::string fieldWords(const FlowModel& model, const PointResult& point) {
  if (!point.limit) return tr("does not come to rest within the length of path that is followed");
  const std::vector<std::string>& names = model.field->info().variables;
  std::string text = tr("ends at the {kind} {x} = {a}, {y} = {b}");
  text = replaced(replaced(text, "{kind}", kindWords(point.kind)), "{x}", names[0]);
  text = replaced(replaced(text, "{a}", shownFixed(point.limit->x, 4)), "{y}", names[1]);
  return replaced(text, "{b}", shownFixed(point.limit->y, 4));
}

/// S* = 0: both lines S = 0 are minima, and the loss on them is H(π) = the entropy rate (Theorems 1 and 8 leave it
/// out).
std::string degenerateWords(const PointResult& point) {
  std::string text = tr("p + q = 1: the next symbol does not depend on the last, so there are no basins to tell apart");
  constexpr double kOn = 1e-3;
  if (point.path.empty()) return text;
  const render::Point end = point.path.back();
  if (std::abs(end.x) < kOn)
    text += tr("; it comes to rest on e = 0, where the loss is H(π)");
  else if (std::abs(end.y + 1 / std::sqrt(2.0)) < kOn)
    text += tr("; it comes to rest on w = −1/√2, where the loss is H(π)");
  return text;
}

}  // namespace

std::string kindWords(markov::LimitKind kind) {
  switch (kind) {
    case markov::LimitKind::GlobalMin:
      return tr("global minimum");
    case markov::LimitKind::LocalMin:
      return tr("local minimum");
    case markov::LimitKind::Saddle:
      return tr("saddle");
    case markov::LimitKind::LocalMax:
      return tr("local maximum");
    case markov::LimitKind::Attractor:
      return tr("attractor");
    default:
      return tr("undecided");
  }
}

std::string statusWords(const std::string& status) {
  if (status == "reached") return tr("came to rest");
  if (status == "on-separatrix") return tr("on the separatrix");
  if (status == "time-limit") return tr("still moving when followed long enough");
  if (status == "unbounded") return tr("leaves every bounded region");
  if (status == "degenerate") return tr("p + q = 1, no basins");
  return status;
}

std::string limitWords(const FlowModel& model, const PointResult& point) {
  if (!point.failure.empty()) return point.failure;
  switch (point.status) {
    case markov::FlowStatus::Degenerate:
      return degenerateWords(point);
    case markov::FlowStatus::Unbounded:
      return tr("leaves every bounded region");
    case markov::FlowStatus::TimeLimit:
      if (!point.limit) return tr("does not come to rest within the length of path that is followed");
      break;
    default:
      break;
  }
  return model.canonical ? canonicalWords(model, point) : fieldWords(model, point);
}

std::string shortWords(const FlowModel& model, const PointResult& point) {
  if (!point.failure.empty() || point.status == markov::FlowStatus::Degenerate || !point.limit)
    return point.status == markov::FlowStatus::Degenerate ? tr("p + q = 1: no basins") : limitWords(model, point);
  std::string text = "→ " + kindWords(point.kind);
  if (model.canonical && point.limitLoss) text += tr(", loss ") + formatFixed(*point.limitLoss, 4);
  return text;
}

std::string originWords(const FlowModel& model, const PointResult& point) {
  if (!point.back) return {};
  const WayBack& back = *point.back;
  if (back.path.size() < 2) return tr("was always here");
  // Uphill the flow meets only what it leaves: local maxima and repellers.
  if (back.origin && !model.degenerate()) return replaced(tr("came from a {kind}"), "{kind}", kindWords(back.kind));
  constexpr double kFar = 100;
  const render::Point end = back.path.back();
  const bool far = back.status == markov::FlowStatus::Unbounded ||
                   (model.canonical && std::max(std::abs(end.x), std::abs(end.y)) > kFar);
  if (!far) return tr("its way back is longer than what is followed");
  const double time = -back.time.back();
  return replaced(tr("came from far out, a time {t} ago"), "{t}",
                  time > 0 && (time < 0.01 || time > 1e6) ? shownPower(time) : shownFixed(time, time < 10 ? 2 : 0));
}

}  // namespace sepx::ui
