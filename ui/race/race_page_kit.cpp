// SPDX-License-Identifier: Apache-2.0
// See race_page_kit.h.
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

constexpr double kFailuresShare = 0.25;  // of the page height, at most
constexpr double kFailureLine = 1.35;    // height of a line, in sizes of the text

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
  if (!shared.kind.matrices)
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
    if (ownTitle || !shared.kind.matrices) return strip.height = row + 2, strip;
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

// The read-outs of a race. Numbers of a run are those at the step that is shown; its `step` is its latest step.

namespace {

constexpr int kMostLayers = 48;  // layers with their own read-outs

const RacingRun* runAt(const RaceShared& live, int index) {
  return index >= 0 && static_cast<std::size_t>(index) < live.runs.size() ? &live.runs[static_cast<std::size_t>(index)]
                                                                          : nullptr;
}

/// Getters for numbers of a run. There is no number if the run does not exist.
auto ofRun(const RaceShared& live) {
  return Getters([&live](int index) -> const Run* {
    const RacingRun* const racing = runAt(live, index);
    return racing ? racing->run.get() : nullptr;
  });
}

void declareOfRuns(PropertyRegistry& registry, const RaceShared& live) {
  const auto of = ofRun(live);
  const auto at = [&live](const char* metric) {
    return [&live, metric](const Run& run) { return valueAtStep(run.series(metric), live.step); };
  };
  // clang-format off
  declareReadOuts(registry, {.prefix = live.key("runs[].")}, {
      {.key = "name", .label = N_("Name"), .help = N_("The name of the config of the run."),
       .get = of([](const Run& run) { return run.name(); })},
      {.key = "state", .label = N_("State"),
       .help = N_("What the run does: preparing, running, paused, finished, stopped or failed."),
       .get = of([](const Run& run) { return std::string(train::toString(run.state())); }),
           .words = [](const std::string& word) { return stateWords(word); }},
      {.key = "step", .label = N_("Step"), .help = N_("Number of steps that the run has completed."), .digits = 0,
       .get = of([](const Run& run) { return run.step(); })},
      {.key = "steps", .label = N_("Last step"), .help = N_("The step at which the run ends."), .digits = 0,
       .get = of([](const Run& run) { return run.steps(); })},
      {.key = "loss", .label = N_("Loss"), .unit = N_("nats"),
       .help = N_("The training loss at the step that is shown."), .digits = 4, .get = of(at("loss"))},
      {.key = "validation", .label = N_("Validation loss"), .unit = N_("nats"),
       .help = N_("The validation loss at the step that is shown, or at the last earlier step at which it was "
           "measured."),
       .digits = 4, .get = of(at("validation"))},
      {.key = "validation_error", .label = N_("Standard error"), .unit = N_("nats"),
       .help = N_("The standard error of the validation loss: it is the mean of a sample."), .digits = 4,
       .get = of(at("validation_error"))},
      {.key = "gradient_norm", .label = N_("Gradient norm"), .help = N_("The norm of the gradient before clipping."),
       .digits = 4, .get = of(at("gradient_norm"))},
      {.key = "rate", .label = N_("Learning rate"), .help = N_("The learning rate of the step that is "
          "shown."), .digits = 6,
       .get = of(at("rate"))},
      {.key = "parameters", .label = N_("Parameters"), .help = N_("The number of parameters of the "
          "model."), .digits = 0,
       .get = of([](const Run& run) {
         return run.config() && run.config()->model.vocabulary > 0
                    ? std::optional<double>(static_cast<double>(nn::parameterCount(run.config()->model)))
                    : run.live().parameters > 0 ? std::optional<double>(static_cast<double>(run.live().parameters))
                                                : std::nullopt;
       })},
      {.key = "failure", .label = N_("What is wrong"),
       .help = N_("Why the run stopped or cannot be read; empty if there is no error."),
       .get = of([](const Run& run) { return run.failure(); })},
      {.key = "form.step", .label = N_("Step of W_qk"),
       .help = N_("The step of the matrix shown: for a past step, the newest saved step at or before it."), .digits = 0,
       .get = Getters([&live](int index) -> const QkMatrix* {
         const RacingRun* const racing = runAt(live, index);
         return racing ? racing->matrix.get() : nullptr;
       })(&QkMatrix::step)}});
  // clang-format on
}

/// Declares symmetry[L] and the other scores, of the chosen head or of the whole layer.
void declareScores(PropertyRegistry& registry, const RaceShared& live) {
  struct Score {
    const char *metric, *label, *symbol, *help, *equation;
  };
  static constexpr Score kScores[] = {
      {"symmetry", N_("Symmetry"), "s", N_("The symmetry of W_qk of the layer at the step that is shown."),
       "Attention-Structure, Definition 3.1"},
      {"directionality", N_("Directionality"), "d",
       N_("The directionality of W_qk of the layer at the step that is shown."), "Attention-Structure, Definition 3.2"},
      {"row_column_cv", N_("CV(row) − CV(column)"), "",
       N_("The coefficient of variation of the row norms minus that of the column norms of W_qk of the layer."), ""}};
  const auto of = ofRun(live);
  for (const Score& score : kScores)
    for (int layer = 0; layer < kMostLayers; ++layer)
      registry.declare(ReadOut{
          .key = live.key(fmt::format("runs[].{}[{}]", score.metric, layer)),
          .label = score.label,
          .symbol = score.symbol,
          .help = score.help,
          .equation = score.equation,
          .digits = 3,
          .get = of([&live, metric = score.metric, layer](const Run& run) {
            return scoreAt(run, metric, layer, live.state.head, live.step);
          }),
          .applies = [&live, layer](const Document&) { return layer < live.layers; },
          .liveLabel = [label = score.label,
                        layer](const Document&) { return fmt::format("{}, {} {}", tr(label), tr("layer"), layer); },
          .detail = true});
}

}  // namespace

void declareRaceReadOuts(PropertyRegistry& registry, const RaceShared& live) {
  const auto of = gettersOf(live);
  const auto compared = [&live](const Document&) { return live.experiment->speedUp && live.runs.size() == 2; };
  const auto speedUp = Getters([&live](int) -> std::optional<SpeedUp> {
    if (!live.experiment->speedUp || live.runs.size() != 2 || !live.runs[0].run || !live.runs[1].run)
      return std::nullopt;
    return speedUpOf(*live.runs[0].run, *live.runs[1].run);
  });
  // clang-format off
  declareReadOuts(registry, {.prefix = live.key("")}, {
      {.key = "runs.count", .label = N_("Runs"), .help = N_("How many runs the race has."), .digits = 0,
       .get = of([](const RaceShared& shared) { return static_cast<double>(shared.runs.size()); })},
      {.key = "trains", .label = N_("Training"), .help = N_("Whether a run of this race is training in this window."),
       .get = of([](const RaceShared& shared) { return shared.trains(); })},
      {.key = "shown.step", .label = N_("Step shown"), .help = N_("The step at which all pages show the "
          "runs."), .digits = 0,
       .get = of([](const RaceShared& shared) { return shared.step; })},
      {.key = "newest.step", .label = N_("Latest step"), .help = N_("The newest step of all runs of the "
          "race."), .digits = 0,
       .get = of([](const RaceShared& shared) { return shared.newest; })},
      {.key = "speedup", .label = N_("Speed-up"),
       .help = N_("How much earlier the first run reaches the final validation loss of the second one, as a share of "
                  "the steps of the second one, as in Table 1, whose authors use the training loss. None while the "
                  "second run continues, and if the first does not reach that loss."),
       .equation = "Attention-Structure, Table 1", .formula = "\\frac{T-t}{T}", .digits = 3,
       .get = speedUp(&SpeedUp::share), .applies = compared},
      {.key = "speedup.step", .label = N_("Reached at step"),
       .help = N_("The first step at which the first run has the final validation loss of the second "
           "one."), .digits = 0,
       .get = speedUp(&SpeedUp::at), .applies = compared}});
  // clang-format on
  declareOfRuns(registry, live);
  if (live.kind.matrices) declareScores(registry, live);
}

}  // namespace sepx::ui
