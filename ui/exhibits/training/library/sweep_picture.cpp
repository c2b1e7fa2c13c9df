// SPDX-License-Identifier: Apache-2.0
// See sweep_picture.h.
#include "ui/exhibits/training/library/sweep_picture.h"

#include <algorithm>
#include <cmath>

#include "engine/core/nearest_name.h"
#include "engine/train/run_query.h"
#include "ui/canvas/page_draw.h"
#include "ui/exhibits/training/library/library_rows.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

using sweep::RunProgress;

/// A message about a name that the user typed: "Metric: the sweep has no "x"; the nearest is "y"."
std::string unknownName(const char* what, const std::string& name, const std::vector<std::string>& names) {
  const std::string nearest = nearestName(name, names);
  return nearest.empty() ? trFormat("{}: the sweep has no \"{}\".", what, name)
                         : trFormat("{}: the sweep has no \"{}\"; the nearest is \"{}\".", what, name, nearest);
}

/// The field with this name, or the only field whose name ends in it.
std::optional<std::size_t> fieldNamed(const sweep::Sweep& plan, const std::string& name) {
  std::optional<std::size_t> found;
  for (std::size_t field = 0; field < plan.fields.size(); ++field) {
    if (plan.fields[field] == name) return field;
    if (!plan.fields[field].ends_with("." + name)) continue;
    if (found) return std::nullopt;
    found = field;
  }
  return found;
}

std::optional<std::size_t> seedField(const sweep::Sweep& plan) {
  return fieldNamed(plan, "seed");
}

class PictureMaker {
 public:
  PictureMaker(const std::shared_ptr<const sweep::SweepReading>& reading, const SweepChoice& choice,
               const std::set<std::string>* passing)
      : plan_(*reading->plan), choice_(choice), passing_(passing) {
    made_.reading = reading;
    made_.choice = choice;
    made_.filtered = passing != nullptr;
    made_.fields = sweep::variedFields(plan_);
  }

  SweepPicture make() {
    const std::string metric = metricName();
    const std::size_t x = xField();
    const std::optional<std::size_t> y = yField(x);
    made_.grid = sweep::gridOf(*made_.reading, metric, x, y, [this](std::size_t row) { return passes(row); });
    addColumns(metric);
    sort();
    addProblems();
    return std::move(made_);
  }

 private:
  bool passes(std::size_t row) const {
    const auto& run = made_.reading->rows[row].run;
    return passing_ == nullptr || (run && passing_->contains(run->folder));
  }

  std::string metricName() {
    const std::vector<std::string>& all = made_.reading->metrics;
    if (choice_.metric != "auto" && std::ranges::find(all, choice_.metric) != all.end()) return choice_.metric;
    if (choice_.metric != "auto" && !all.empty())
      made_.problems.push_back(unknownName(tr("Metric"), choice_.metric, all));
    for (const char* const usual : {"validation", "loss"})
      if (std::ranges::find(all, usual) != all.end()) return usual;
    return all.empty() ? choice_.metric == "auto" ? "loss" : choice_.metric : all.front();
  }

  /// The first field other than the seed and `beside`. A chart over seeds says little.
  std::optional<std::size_t> usualField(std::optional<std::size_t> beside) const {
    for (const std::size_t field : made_.fields)
      if (field != beside && field != seedField(plan_)) return field;
    return std::nullopt;
  }

  std::size_t xField() {
    if (choice_.x != "auto") {
      if (const auto field = fieldNamed(plan_, choice_.x)) return *field;
      made_.problems.push_back(unknownName(tr("x axis"), choice_.x, plan_.fields));
    }
    const auto y = choice_.y == "auto" ? std::nullopt : fieldNamed(plan_, choice_.y);
    return usualField(y).value_or(made_.fields.empty() ? 0 : made_.fields.front());
  }

  std::optional<std::size_t> yField(std::size_t x) {
    if (choice_.y == "none") return std::nullopt;
    if (choice_.y != "auto") {
      const auto field = fieldNamed(plan_, choice_.y);
      if (field && *field != x) return field;
      made_.problems.push_back(field
                                   ? trFormat("y axis: \"{}\" is already the x axis; choose another field.", choice_.y)
                                   : unknownName(tr("y axis"), choice_.y, plan_.fields));
    }
    return usualField(x);
  }

  /// Adds the columns: the run, the fields, the metric of the chart, the other metrics, the step and the state.
  void addColumns(const std::string& metric) {
    made_.columns.push_back({SweepColumn::Run, 0, "run", false});
    for (const std::size_t field : made_.fields) {
      const auto& values = plan_.runs;
      const bool number = std::ranges::all_of(values, [&](const auto& run) { return run.values[field].is_number(); });
      made_.columns.push_back({SweepColumn::Field, field, plan_.fields[field], number});
    }
    const std::vector<std::string>& all = made_.reading->metrics;
    const auto add = [&](std::size_t i) { made_.columns.push_back({SweepColumn::Metric, i, all[i], true}); };
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] == metric) add(i);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] != metric) add(i);
    made_.columns.push_back({SweepColumn::Step, 0, "step", true});
    made_.columns.push_back({SweepColumn::State, 0, "state", false});
    const auto at = std::ranges::find(made_.columns, choice_.sort, &SweepColumn::key);
    if (at != made_.columns.end()) {
      made_.sortColumn = static_cast<std::size_t>(at - made_.columns.begin());
      return;
    }
    std::vector<std::string> names;
    for (const SweepColumn& column : made_.columns)
      names.push_back(column.key);
    made_.problems.push_back(unknownName(tr("Order"), choice_.sort, names));
  }

  /// Rows without a value are last in ascending and in descending order.
  void sort() {
    for (std::size_t row = 0; row < made_.reading->rows.size(); ++row)
      if (passes(row)) made_.order.push_back(row);
    const SweepColumn& column = made_.columns[made_.sortColumn];
    std::vector<train::RunValue> values(made_.reading->rows.size());
    for (const std::size_t row : made_.order)
      values[row] = made_.value(row, column);
    std::ranges::stable_sort(made_.order, [&](std::size_t a, std::size_t b) {
      const bool hasA = values[a].index() != 0, hasB = values[b].index() != 0;
      if (!hasA || !hasB) return hasA && !hasB;
      const int order = train::compared(values[a], values[b]);
      return choice_.descending ? order > 0 : order < 0;
    });
  }

  /// Adds the problems of runs: the first of each kind, and the number of runs.
  void addProblems() {
    const sweep::SweepReading& reading = *made_.reading;
    std::size_t mismatched = 0, failed = 0;
    std::string firstForeign, firstFailed;
    for (std::size_t i = 0; i < reading.rows.size(); ++i) {
      const sweep::SweepRow& row = reading.rows[i];
      if (row.mismatched && mismatched++ == 0) firstForeign = row.sentence;
      if (row.progress == RunProgress::Failed && failed++ == 0) firstFailed = plan_.runs[i].name + ": " + row.sentence;
    }
    std::vector<std::string>& lines = made_.problems;
    if (failed == 1) lines.push_back(trFormat("Run {}", firstFailed));
    if (failed > 1) lines.push_back(trFormat("{} runs failed; the first is {}", failed, firstFailed));
    if (mismatched == 1) lines.push_back(sentenceCase(firstForeign));
    if (mismatched > 1)
      lines.push_back(trFormat("{} runs do not match the plan; the first is {}", mismatched, firstForeign));
    if (!reading.unplannedFolders.empty())
      lines.push_back(trFormat("The runs folder has {} folders that are not in the plan: {}",
                               reading.unplannedFolders.size(),
                               reading.unplannedFolders.front() + (reading.unplannedFolders.size() > 1 ? ", …" : "")));
  }

  const sweep::Sweep& plan_;
  const SweepChoice& choice_;
  const std::set<std::string>* passing_;
  SweepPicture made_;
};

}  // namespace

SweepChoice readSweepChoice(const Document& document, const PropertyRegistry& registry) {
  SweepChoice choice;
  registry.read(document, choice);
  for (std::string* const word : {&choice.metric, &choice.x, &choice.y})
    if (word->empty()) *word = "auto";
  return choice;
}

std::string progressWords(RunProgress progress) {
  switch (progress) {
    case RunProgress::Waiting:
      return tr("waiting");
    case RunProgress::Training:
      return tr("running");
    case RunProgress::Stopped:
      return tr("stopped");
    case RunProgress::Stale:
      return tr("stale");
    case RunProgress::Unknown:
      return tr("unknown");
    case RunProgress::Finished:
      return tr("finished");
    case RunProgress::Failed:
      break;
  }
  return tr("failed");
}

train::RunValue SweepPicture::value(std::size_t row, const SweepColumn& column) const {
  const sweep::SweepRow& one = reading->rows[row];
  switch (column.kind) {
    case SweepColumn::Run:
      return reading->plan->runs[row].name;
    case SweepColumn::Field:
      return reading->value(row, column.index);
    case SweepColumn::Step:
      return static_cast<double>(one.step);
    case SweepColumn::Metric:
      if (const double value = one.run ? one.run->metric(reading->metrics[column.index]) : std::nan("");
          std::isfinite(value))
        return value;
      return {};
    case SweepColumn::State:
      break;
  }
  return std::string(toString(one.progress));
}

std::string SweepPicture::text(std::size_t row, const SweepColumn& column) const {
  const sweep::SweepRow& one = reading->rows[row];
  if (column.kind == SweepColumn::State) {
    const std::string state = progressWords(one.progress);
    return one.sentence.empty() ? state : trFormat("{}: {}", state, one.sentence);
  }
  if (column.kind == SweepColumn::Step) return trFormat("{} of {}", stepText(one.step), stepText(one.steps));
  if (column.kind == SweepColumn::Metric && one.run)
    for (const auto& [name, value] : one.run->metrics)
      if (name == column.key && !std::isfinite(value)) return std::isnan(value) ? "NaN" : value < 0 ? "−∞" : "∞";
  if (column.kind == SweepColumn::Field && column.number)  // as on the axes
    return withMinus(sweep::valueLabel(reading->plan->runs[row].values[column.index]));
  return valueWords(column.key, value(row, column));
}

SweepPicture makeSweepPicture(const std::shared_ptr<const sweep::SweepReading>& reading, const SweepChoice& choice,
                              const std::set<std::string>* passing) {
  return PictureMaker(reading, choice, passing).make();
}

}  // namespace sepx::ui
