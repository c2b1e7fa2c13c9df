// SPDX-License-Identifier: Apache-2.0
// See training_page_kit.h.
#include "ui/race/race_page_kit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/digest.h"

namespace sepx::ui {

std::optional<double> valueAtStep(const RunSeries* series, std::int64_t step) {
  if (!series) return std::nullopt;
  const auto after = std::upper_bound(series->steps.begin(), series->steps.end(), static_cast<double>(step));
  if (after == series->steps.begin()) return std::nullopt;
  const double value = series->values[static_cast<std::size_t>(after - series->steps.begin()) - 1];
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> scoreAt(const Run& run, std::string_view metric, int layer, int head, std::int64_t step) {
  return valueAtStep(run.series(metric, layer, head), step);
}

std::string noRunsSentence(const RaceShared& shared) {
  if (!shared.problem.empty()) return shared.problem;
  if (shared.runs.empty()) return tr(shared.kind.noRuns);
  return {};
}

std::vector<std::string> failuresOf(const RaceShared& shared, bool ofRuns) {
  std::vector<std::string> all;
  if (!shared.startFailure.empty()) all.push_back(shared.startFailure);
  for (const RacingRun& racing : shared.runs)
    if (ofRuns && racing.run && !racing.run->failure().empty())
      all.push_back(racing.name() + ": " + sentenceCase(racing.run->failure()));
  return all;
}

namespace {

constexpr double kFailuresShare = 0.25;  // of the page, at most
constexpr double kFailureLine = 1.35;    // sizes of the text

/// The lines of the box with failures.
std::vector<std::string> failureLines(const PageArea& area, const std::vector<std::string>& failures) {
  std::vector<std::string> lines;
  if (area.figure) return lines;
  const Theme& theme = area.theme;
  const double width = std::max(40.0, area.area.width() - 4 * theme.space);
  for (const std::string& one : failures)
    for (std::string& line : wrapped(one, theme.textSize, width))
      lines.push_back(std::move(line));
  const double most = kFailuresShare * area.area.height() / (kFailureLine * theme.textSize);
  if (static_cast<double>(lines.size()) <= most || lines.size() < 2) return lines;
  lines.resize(std::max<std::size_t>(1, static_cast<std::size_t>(most)));
  lines.back() = elided(lines.back() + "…", theme.textSize, width);
  return lines;
}

}  // namespace

double failuresHeight(const PageArea& area, const std::vector<std::string>& failures) {
  const std::size_t lines = failureLines(area, failures).size();
  return lines == 0 ? 0 : kFailureLine * area.theme.textSize * static_cast<double>(lines) + 2 * area.theme.space;
}

void addFailures(PageLayers& layers, std::vector<render::Layer>& into, const PageArea& area, const std::string& name,
                 const std::vector<std::string>& failures) {
  const std::vector<std::string> lines = failureLines(area, failures);
  if (lines.empty()) return;
  layers.add(into, name, {Digest().add(frameKey(area), lines).value()}, [&] {
    std::vector<render::Item> items;
    const Theme& theme = area.theme;
    const double line = kFailureLine * theme.textSize, pad = theme.space;
    const render::Rect ground{
        {area.area.min.x + pad, area.area.min.y + pad / 2},
        {area.area.max.x - pad, area.area.min.y + 1.5 * pad + line * static_cast<double>(lines.size())}};
    addBox(items, ground, theme.radius, theme.surfaceRaised, theme.error);
    double y = ground.min.y + pad / 2 + line / 2;
    for (const std::string& one : lines) {
      items.emplace_back(textAt({ground.min.x + pad, y}, one, theme.textSize, theme.text));
      y += line;
    }
    return items;
  });
}

Numbers runNumbers(const RaceShared& shared) {
  std::vector<std::string> run, metric;
  std::vector<double> layer, head, step, value;
  for (const RacingRun& racing : shared.runs) {
    if (!racing.run) continue;
    for (const std::string& name : racing.run->metricNames()) {
      for (const RunSeries* const series : racing.run->seriesOf(name)) {
        const std::size_t count = series->steps.size();
        run.insert(run.end(), count, racing.name());
        metric.insert(metric.end(), count, name);
        layer.insert(layer.end(), count, series->layer);
        head.insert(head.end(), count, series->head);
        step.insert(step.end(), series->steps.begin(), series->steps.end());
        value.insert(value.end(), series->values.begin(), series->values.end());
      }
    }
  }
  Numbers numbers;
  if (run.empty()) return numbers;
  numbers.tables.push_back({"metrics",
                            {{"run", "", std::move(run)},
                             {"metric", "", std::move(metric)},
                             {"layer", "", std::move(layer)},
                             {"head", "", std::move(head)},
                             {"step", "", std::move(step)},
                             {"value", "", std::move(value)}}});
  return numbers;
}

std::string raceCaption(const RaceShared& shared) {
  if (shared.runs.empty()) return {};
  std::string names;
  for (const RacingRun& racing : shared.runs)
    names += (names.empty() ? "" : ", ") + racing.name();
  if (!shared.kind.forms)
    return trFormat("{}: {} at step {}.", tr(shared.experiment->title), names, stepText(shared.step));
  const std::string head =
      shared.state.head < 0 ? std::string(tr("all heads")) : trFormat("head {}", shared.state.head);
  return trFormat("{}: {} at step {}; W_qk of layer {}, {}.", tr(shared.experiment->title), names,
                  stepText(shared.step), shared.state.layer, head);
}

std::optional<SpeedUp> speedUpOf(const Run& fast, const Run& plain) {
  const RunSeries *const ours = fast.series("validation"), *const theirs = plain.series("validation");
  if (!ours || !theirs || theirs->values.empty() || plain.state() != train::RunState::Finished) return std::nullopt;
  const double last = theirs->values.back(), total = theirs->steps.back();
  if (!std::isfinite(last) || !(total > 0)) return std::nullopt;
  for (std::size_t i = 0; i < ours->values.size(); ++i) {
    if (!(ours->values[i] <= last)) continue;
    return SpeedUp{(total - ours->steps[i]) / total, static_cast<std::int64_t>(ours->steps[i]), last};
  }
  return std::nullopt;
}

namespace {

constexpr double kGap = 6;  // between groups, points

void layStepper(StripLine& line, const std::string& name, const std::string& value, const std::string& before,
                const std::string& after, bool down, bool up, const Theme& theme) {
  line.text(name + " ", theme.smallSize, theme.textMuted);
  line.button({.key = before, .label = "‹", .enabled = down}, theme.textSize, 5);
  line.text(value, theme.textSize, theme.text);
  line.button({.key = after, .label = "›", .enabled = up}, theme.textSize, 5);
  line.skip(kGap);
}

}  // namespace

Strip layoutRaceStrip(const RaceShared& shared, const std::vector<StripButton>& tabs,
                      const std::optional<std::string>& ownTitle, double width, double height, const Theme& theme) {
  Strip strip;
  if (height <= 12 * theme.textSize) return strip;
  const double row = stripRow(theme);
  StripLine line(strip, 0, row, theme.space, width - theme.space);
  line.tabs(tabs, theme);
  line.skipRight(2 * kGap);
  if ((ownTitle || !shared.runs.empty()) && line.room() > 12 * theme.textSize) {
    const std::string title = ownTitle.value_or(tr(shared.experiment->title));
    line.text(elided(title, theme.textSize, line.room() * 0.6), theme.textSize, theme.text, true);
    line.skip(2 * kGap);
    const RaceState& state = shared.state;
    if (ownTitle || !shared.kind.forms) return strip.height = row + 2, strip;
    if (shared.layers > 0 && line.room() > 9 * theme.textSize)
      layStepper(line, tr("layer"), std::to_string(state.layer), shared.key("previous-layer"), shared.key("next-layer"),
                 state.layer > 0, state.layer + 1 < shared.layers, theme);
    if (shared.heads > 1 && line.room() > 9 * theme.textSize)
      layStepper(line, tr("head"), state.head < 0 ? std::string(tr("all")) : std::to_string(state.head),
                 shared.key("previous-head"), shared.key("next-head"), state.head >= 0, state.head + 1 < shared.heads,
                 theme);
  }
  strip.height = row + 2;
  return strip;
}

}  // namespace sepx::ui
