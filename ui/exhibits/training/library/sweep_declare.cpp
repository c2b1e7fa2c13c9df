// SPDX-License-Identifier: Apache-2.0
// The properties, read-outs and panel of the view "sweep".
#include <algorithm>
#include <cmath>

#include "ui/canvas/page_draw.h"
#include "ui/exhibits/training/library/sweep_view.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

/// The condition that the page shows a sweep.
Condition onSweep() {
  return onPages("training.page", "experiments", {"library"},
                 [](const Document& document) { return document.at("training.library.view") == "sweep"; });
}

}  // namespace

// clang-format off
void SweepView::declare(PropertyRegistry& registry, const LibraryRows& library) {
  library_ = &library;
  const Condition here = onSweep();
  const Options scales{{"auto", N_("automatic")}, {"linear", N_("linear")}, {"logarithmic", N_("logarithmic")}};
  declareParameters(registry, {.prefix = "training.library.sweep.", .applies = here, .undoable = false}, {
      {.key = "metric", .into = &SweepChoice::metric, .label = N_("Metric"), .fallback = "auto",
       .help = N_("The metric that the chart shows, as it was when each run finished; auto: the validation loss, or the "
                  "training loss where there is none."), .inPicture = true},
      {.key = "x", .into = &SweepChoice::x, .label = N_("x axis"), .fallback = "auto",
       .help = N_("The swept field of the x axis; auto: the first one."), .inPicture = true},
      {.key = "y", .into = &SweepChoice::y, .label = N_("y axis"), .fallback = "auto",
       .help = N_("The swept field of the y axis, or the one that has a line for each value; auto: the second one; "
                  "none: the mean is over its values."), .inPicture = true},
      {.key = "form", .into = &SweepChoice::form, .label = N_("Two fields as"),
       .options = {{"auto", N_("automatic")}, {"map", N_("a map")}, {"lines", N_("lines")}},
       .help = N_("Whether a chart of two fields is a heat map or has a line for each value of the second. Fields "
                  "that were drawn at random are shown as coloured points.")},
      {.key = "bars", .into = &SweepChoice::bars, .label = N_("Error bars"),
       .options = {{"deviation", N_("standard deviation")}, {"range", N_("smallest to largest")}},
       .help = N_("The spread of the runs that a point stands for: one sample standard deviation to either side, or "
                  "from the smallest to the largest value.")},
      {.key = "x_scale", .into = &SweepChoice::xScale, .label = N_("x scale"), .options = scales,
       .help = N_("Automatic: logarithmic where the values are above 0 and span a factor of 10 or more.")},
      {.key = "y_scale", .into = &SweepChoice::yScale, .label = N_("y scale"), .options = scales,
       .help = N_("The scale of the second field, where both fields are axes; automatic as for the x scale."), .detail = true},
      {.key = "metric_scale", .into = &SweepChoice::metricScale, .label = N_("Metric scale"), .options = scales,
       .help = N_("Automatic: logarithmic where all means are above 0 and span a factor of 20 or more. Colours follow "
                  "it too.")},
      {.key = "sort", .into = &SweepChoice::sort, .label = N_("Order by"), .fallback = "run",
       .help = N_("The column that orders the table: run, a swept field, step, state or a metric. Runs without a value "
                  "are last.")},
      {.key = "descending", .into = &SweepChoice::descending, .label = N_("Descending"), .fallback = false,
       .help = N_("Whether the largest value is first.")}});
  declareReadOuts(registry);
  declareCells(registry);
  declareRows(registry);
}

void SweepView::declareReadOuts(PropertyRegistry& registry) {
  const Condition here = onSweep();
  const Getters shown([this](int) { return picture(); });
  const auto count = [shown](sweep::RunProgress progress) {
    return shown([progress](const SweepPicture& one) { return static_cast<double>(one.reading->count(progress)); });
  };
  const auto whole = [](auto get) { return [get](int) -> Value { return get(); }; };
  using sweep::RunProgress;
  sepx::ui::declareReadOuts(registry, {.prefix = "training.library.sweep.", .applies = here}, {
      {.key = "name", .label = N_("Sweep"), .help = N_("The name of the config that is swept."),
       .get = shown([](const SweepPicture& one) { return one.reading->plan->name; })},
      {.key = "count", .label = N_("Runs"), .help = N_("How many runs the plan has."), .digits = 0,
       .get = shown([](const SweepPicture& one) { return static_cast<double>(one.reading->rows.size()); })},
      {.key = "finished", .label = N_("Finished"), .help = N_("Runs that have finished."), .digits = 0,
       .get = count(RunProgress::Finished)},
      {.key = "running", .label = N_("Running"), .help = N_("Runs that a program is training."), .digits = 0,
       .get = count(RunProgress::Training)},
      {.key = "waiting", .label = N_("Waiting"), .help = N_("Runs that have not started."), .digits = 0,
       .get = count(RunProgress::Waiting)},
      {.key = "stopped", .label = N_("Stopped"), .help = N_("Runs that were stopped; run the command again to continue them."),
       .digits = 0, .get = count(RunProgress::Stopped)},
      {.key = "stale", .label = N_("Stale"), .help = N_("Runs whose program was interrupted; run the command again to continue them."),
       .digits = 0, .get = count(RunProgress::Stale)},
      {.key = "unknown", .label = N_("Unknown"),
       .help = N_("Runs whose program cannot be checked now, or cannot be checked from this machine."), .digits = 0,
       .get = count(RunProgress::Unknown)},
      {.key = "failed", .label = N_("Failed"), .help = N_("Runs that cannot be trained."), .digits = 0,
       .get = count(RunProgress::Failed)},
      {.key = "problem", .label = N_("What is wrong"),
       .help = N_("Why there is no sweep here, which choices cannot be applied, and what failed; one sentence per line."),
       .get = whole([this] {
         std::string text = store_.failure();
         for (const std::string& one : problems())
           text += (text.empty() ? "" : "\n") + one;
         return text;
       })},
      {.key = "metric_shown", .label = N_("Metric shown"), .help = N_("The metric of the chart."),
       .get = shown([](const SweepPicture& one) { return one.grid.metric; }), .detail = true},
      {.key = "x_field", .label = N_("Field of the x axis"), .help = N_("The swept field of the x axis."),
       .get = shown([](const SweepPicture& one) { return one.fieldName(one.grid.x.field); }), .detail = true},
      {.key = "y_field", .label = N_("Second field"), .help = N_("The second swept field; empty: there is none."),
       .get = shown([](const SweepPicture& one) { return one.grid.y ? one.fieldName(one.grid.y->field) : std::string(); }),
       .detail = true},
      {.key = "kind", .label = N_("Kind of chart"), .help = N_("What the chart is: lines, map or points."),
       .get = shown([](const SweepPicture& one) {
         const SweepKind kind = sweepKind(one);
         return kind == SweepKind::Lines ? "lines" : kind == SweepKind::Map ? "map" : "points";
       }), .detail = true},
      {.key = "averaged", .label = N_("Mean over"), .help = N_("The fields that differ among the runs of one point."),
       .get = shown([](const SweepPicture& one) {
         std::string text;
         for (const std::string& field : one.grid.averaged)
           text += (text.empty() ? "" : ", ") + field;
         return text;
       }), .detail = true},
      {.key = "cells_count", .label = N_("Points of the chart"), .help = N_("How many points or cells the chart has."),
       .digits = 0, .get = shown([](const SweepPicture& one) { return static_cast<double>(one.grid.cells.size()); }),
       .detail = true}});
}

/// The read-outs of the chosen point, and those of every point.
void SweepView::declareCells(PropertyRegistry& registry) {
  const auto cellOf = [this](int index) -> const sweep::SweepCell* {
    if (!picture()) return nullptr;
    const auto& cells = picture()->grid.cells;
    const std::optional<std::size_t> at =
        index >= 0 ? std::optional(static_cast<std::size_t>(index)) : chosenCell_;
    return at && *at < cells.size() ? &cells[*at] : nullptr;
  };
  const Getters of(cellOf);
  const auto spread = [of](auto get) {
    return of([get](const sweep::SweepCell& cell) -> Value {
      if (cell.spread.count == 0) return {};
      const double value = std::invoke(get, cell.spread);
      return std::isfinite(value) ? Value(value) : Value();
    });
  };
  for (const bool list : {false, true}) {
    const std::string prefix = list ? "training.library.sweep.cells[]." : "training.library.sweep.cell.";
    sepx::ui::declareReadOuts(registry, {.prefix = prefix, .applies = onSweep(), .detail = list}, {
        {.key = "x", .label = N_("x"), .help = N_("The value of the field of the x axis."),
         .get = of([this](const sweep::SweepCell& cell) { return picture()->grid.x.labels[cell.x]; }),
         .liveLabel = [this](const Document&) {
           return picture() ? headOf(picture()->fieldName(picture()->grid.x.field)) : std::string("x");
         }},
        {.key = "y", .label = N_("y"), .help = N_("The value of the second field; empty: there is none."),
         .get = of([this](const sweep::SweepCell& cell) {
           return picture()->grid.y ? picture()->grid.y->labels[cell.y] : std::string();
         }), .liveLabel = [this](const Document&) {
           return picture() && picture()->grid.y ? headOf(picture()->fieldName(picture()->grid.y->field)) : std::string("y");
         }},
        {.key = "mean", .label = N_("Mean"), .help = N_("The mean of the metric over the finished runs of the point."),
         .digits = 5, .get = spread([](const sweep::Spread& one) { return one.mean; })},
        {.key = "deviation", .label = N_("Deviation"), .help = N_("The sample standard deviation, with n − 1 in the denominator."), .digits = 5,
         .get = spread([](const sweep::Spread& one) { return one.deviation(); })},
        {.key = "low", .label = N_("Smallest"), .help = N_("The smallest value of the metric."), .digits = 5,
         .get = spread([](const sweep::Spread& one) { return one.low; })},
        {.key = "high", .label = N_("Largest"), .help = N_("The largest value of the metric."), .digits = 5,
         .get = spread([](const sweep::Spread& one) { return one.high; })},
        {.key = "runs", .label = N_("Runs"), .help = N_("How many runs the mean is over."), .digits = 0,
         .get = of([](const sweep::SweepCell& cell) { return static_cast<double>(cell.spread.count); })}});
  }
}

void SweepView::declareRows(PropertyRegistry& registry) {
  const Getters ofRow([this](int index) -> const sweep::SweepRow* {
    if (!picture() || index < 0 || static_cast<std::size_t>(index) >= picture()->order.size()) return nullptr;
    return &picture()->reading->rows[picture()->order[static_cast<std::size_t>(index)]];
  });
  const auto rowAt = [this](const sweep::SweepRow& row) {
    return static_cast<std::size_t>(&row - picture()->reading->rows.data());
  };
  sepx::ui::declareReadOuts(registry, {.prefix = "training.library.sweep.rows[].", .applies = onSweep(), .detail = true}, {
      {.key = "name", .label = N_("Run"), .help = N_("The name of the run in the plan."),
       .get = ofRow([this, rowAt](const sweep::SweepRow& row) { return picture()->reading->plan->runs[rowAt(row)].name; })},
      {.key = "state", .label = N_("State"), .help = N_("The state of the run: waiting, training, stopped, stale, unknown, finished or failed."),
       .get = ofRow([](const sweep::SweepRow& row) { return std::string(toString(row.progress)); })},
      {.key = "sentence", .label = N_("Reason"), .help = N_("Why the run failed, or which program trains it."),
       .get = ofRow([](const sweep::SweepRow& row) { return row.sentence; })},
      {.key = "row", .label = N_("Row"), .help = N_("The cells of the run's row in the table."),
       .get = ofRow([this, rowAt](const sweep::SweepRow& row) {
         std::string text;
         for (const SweepColumn& column : picture()->columns)
           text += (text.empty() ? "" : " | ") + picture()->text(rowAt(row), column);
         return text;
       })}});
}
// clang-format on

void SweepView::panel(ExhibitContext& context, PagePanel& panel) const {
  const PropertyRegistry& registry = context.editor.properties();
  // The possible values are known only now, so a list replaces the text field.
  const auto choose = [&](const char* name, const std::vector<std::string>& names, bool none) {
    const std::string key = std::string("training.library.sweep.") + name;
    const auto found = registry.find(key);
    if (!found || !found->property) return;
    Property property = *found->property;
    property.kind = Kind::Choice;
    property.choices = {"auto"};
    if (none) property.choices.emplace_back("none");
    property.choices.insert(property.choices.end(), names.begin(), names.end());
    property.choiceLabel = [](const std::string& word) {
      return word == "auto" ? std::string(tr("automatic")) : word == "none" ? std::string(tr("none")) : word;
    };
    std::string shown = registry.text(context.editor.document(), key);
    if (std::ranges::find(property.choices, shown) == property.choices.end()) property.choices.push_back(shown);
    panel.control(property, shown, key);
  };
  if (!picture()) return;  // the view shows why
  panel.heading(tr("Sweep"));
  std::vector<std::string> fields;
  for (const std::size_t field : picture()->fields)
    fields.push_back(picture()->fieldName(field));
  choose("metric", picture()->reading->metrics, false);
  choose("x", fields, false);
  if (fields.size() > 1) choose("y", fields, true);
  panel.rows("training.library.sweep.", {"form", "bars", "x_scale", "y_scale", "metric_scale"});
  if (!chosenCell_ || *chosenCell_ >= picture()->grid.cells.size()) return;
  panel.heading(tr("Selected point"));
  const sweep::SweepGrid& grid = picture()->grid;
  const sweep::SweepCell& cell = grid.cells[*chosenCell_];
  panel.sentence(trFormat("{} = {}", picture()->fieldName(grid.x.field), grid.x.labels[cell.x]));
  if (grid.y) panel.sentence(trFormat("{} = {}", picture()->fieldName(grid.y->field), grid.y->labels[cell.y]));
  panel.rows("training.library.sweep.cell.", {"mean", "deviation", "low", "high", "runs"});
}

}  // namespace sepx::ui
