// SPDX-License-Identifier: Apache-2.0
// See theory_verdict.h.
#include "ui/exhibits/training/theory/theory_verdict.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/markov/basin.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/runs/projected_path.h"

namespace sepx::ui {

namespace {

std::string curveWords(dynamics::LimitKind kind) {
  switch (kind) {
    case dynamics::LimitKind::GlobalMin:
      return tr("the curve of global minima");
    case dynamics::LimitKind::LocalMin:
      return tr("the line of local minima");
    case dynamics::LimitKind::LocalMax:
      return tr("the line of local maxima");
    default:
      return tr("the minima");
  }
}

}  // namespace

bool projects(const RacingRun& racing) {
  return racing.run && racing.run->config() && !racing.run->seriesOf("canonical_e").empty();
}

markov::Chain chainOf(const Run& run) {
  return {run.config()->data.p, run.config()->data.q};
}

NearestCurve nearestCurve(const markov::Chain& chain, double e, double w) {
  const double half = 2 * std::max({2.0, std::abs(e), std::abs(w)});
  NearestCurve nearest;
  for (const markov::Curve& curve : markov::criticalSets(chain, -half, half, -half, half).curves)
    for (std::size_t i = 0; i + 1 < curve.points.size(); ++i) {
      const markov::PlanePoint &a = curve.points[i], &b = curve.points[i + 1];
      const double x = b.e - a.e, y = b.w - a.w, length = x * x + y * y;
      const double share = length > 0 ? std::clamp(((e - a.e) * x + (w - a.w) * y) / length, 0.0, 1.0) : 0;
      const double distance = std::hypot(a.e + share * x - e, a.w + share * y - w);
      if (distance < nearest.distance) nearest = {distance, curve.kind};
    }
  return nearest;
}

std::string verdictOf(const RacingRun& racing, std::int64_t step, int parts) {
  if (!projects(racing)) return {};
  const Run& run = *racing.run;
  const ProjectedPath path = projectedPathOf(run);
  if (path.empty()) return {};
  const std::size_t at = std::max<std::size_t>(1, path.until(step)) - 1;
  const markov::Chain chain = chainOf(run);
  const bool ended = at + 1 == path.steps.size() && run.state() == train::RunState::Finished;
  const NearestCurve nearest = nearestCurve(chain, path.e[at], path.w[at]);
  const std::string distance = shownFixed(nearest.distance, 2), residual = shownFixed(path.residual[at], 2);
  std::string text =
      ended
          ? trFormat("{}: ended {} from {}, residual {}", racing.name(), distance, curveWords(nearest.kind), residual)
          : trFormat("{}: at step {} it is {} from {}, residual {}", racing.name(),
                     stepText(static_cast<std::int64_t>(path.steps[at])), distance, curveWords(nearest.kind), residual);
  const RunSeries* series = run.series("validation");
  if (!series || series->values.empty()) series = run.series("loss");
  if (const std::optional<double> loss = valueAtStep(series, step); loss && parts > 1) {
    const double above = *loss - chain.entropyRate();
    text += trFormat("; loss {}, {} {} the entropy rate H(x′|x)", shownFixed(*loss, 4), shownFixed(std::abs(above), 4),
                     above < 0 ? tr("below") : tr("above"));
  }
  text += ".";
  if (parts < kVerdictParts) return text;
  const markov::LimitKind flow = markov::basinLabel(chain, path.e.front(), path.w.front());
  if (flow == markov::LimitKind::GlobalMin)
    text += std::string(" ") + tr("Gradient flow from the same point ends in a global minimum.");
  if (flow == markov::LimitKind::LocalMin)
    text += std::string(" ") + tr("Gradient flow from the same point ends in a local minimum.");
  return text;
}

}  // namespace sepx::ui
