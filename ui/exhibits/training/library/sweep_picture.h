// SPDX-License-Identifier: Apache-2.0
// The content that the page Library shows of a sweep: the choices in the document, and the grid of means and the rows
// of the table that result from them. Pure; made in a job.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/sweep/sweep_grid.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

enum class SweepForm { Automatic, Map, Lines };  // in the order of the parameter's choices
enum class SweepBars { Deviation, Range };
enum class SweepScale { Automatic, Linear, Logarithmic };

/// The choices in the document: the keys training.library.sweep.*.
struct SweepChoice {
  std::string metric, x, y;  ///< "auto"; y also "none"
  SweepForm form = SweepForm::Automatic;
  SweepBars bars = SweepBars::Deviation;
  SweepScale xScale = SweepScale::Automatic, yScale = SweepScale::Automatic, metricScale = SweepScale::Automatic;
  std::string sort = "run";
  bool descending = false;
  bool operator==(const SweepChoice&) const = default;
};
SweepChoice readSweepChoice(const Document& document, const PropertyRegistry& registry);

/// A column of the table.
struct SweepColumn {
  enum Kind { Run, Field, Step, Metric, State } kind = Run;
  std::size_t index = 0;  ///< of the field or the metric
  std::string key;        ///< "run", "model.d_model", "step", "loss", "state"
  bool number = false;
};

struct SweepPicture {
  std::shared_ptr<const sweep::SweepReading> reading;  ///< never null
  SweepChoice choice;                                  ///< for which it was made
  std::vector<std::size_t> fields;                     ///< those with more than one value
  std::vector<SweepColumn> columns;                    ///< "state" is the last
  std::size_t sortColumn = 0;
  sweep::SweepGrid grid;
  std::vector<std::size_t> order;     ///< rows of the reading that the table shows
  std::vector<std::string> problems;  ///< of choices and of runs, one sentence each
  bool filtered = false;

  const std::string& fieldName(std::size_t field) const { return reading->plan->fields[field]; }
  train::RunValue value(std::size_t row, const SweepColumn& column) const;
  /// The text in the table.
  std::string text(std::size_t row, const SweepColumn& column) const;
};

/// `passing`: folders of the runs that pass search and filter of the library; null: there is neither.
SweepPicture makeSweepPicture(const std::shared_ptr<const sweep::SweepReading>& reading, const SweepChoice& choice,
                              const std::set<std::string>* passing);

/// "waiting", "running", … translated.
std::string progressWords(sweep::RunProgress progress);

}  // namespace sepx::ui
