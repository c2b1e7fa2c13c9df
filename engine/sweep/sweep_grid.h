// SPDX-License-Identifier: Apache-2.0
// A metric of a sweep over one or two of its fields: mean and spread of the runs that share the values of these fields.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/sweep/spread.h"
#include "engine/sweep/sweep_reading.h"

namespace sepx::sweep {

/// The values that one field takes.
struct SweepAxis {
  std::size_t field = 0;            ///< of Sweep::fields
  std::vector<std::string> labels;  ///< by place: numbers ascending, words in the order of the plan
  std::vector<double> numbers;      ///< of labels; empty: the values are words
  bool isNumber() const { return !numbers.empty(); }
  /// All values are above 0, and the largest is 10 times the smallest or more.
  bool spansDecades() const;
};

/// The runs that share their values.
struct SweepCell {
  std::size_t x = 0, y = 0;       ///< places on the axes; y is 0 where there is none
  std::vector<std::size_t> runs;  ///< rows of the reading
  Spread spread;                  ///< of the finite values of finished runs
  std::size_t unfinished = 0;     ///< runs that have not finished, or do not count
  std::size_t missing = 0;        ///< finished runs without the metric
  std::size_t notFinite = 0;      ///< finished runs whose metric is NaN or infinite
};

struct SweepGrid {
  std::string metric;
  SweepAxis x;
  std::optional<SweepAxis> y;
  std::vector<SweepCell> cells;       ///< those that the plan has, by y, then x
  std::vector<std::string> averaged;  ///< other fields that differ within a cell: the mean is over them
  /// Null: the plan has no such run.
  const SweepCell* cell(std::size_t xPlace, std::size_t yPlace) const;
  /// The index in `cells` of the cell that has a row.
  std::optional<std::size_t> cellOf(std::size_t row) const;
  std::size_t columns() const { return x.labels.size(); }
  std::size_t lines() const { return y ? y->labels.size() : 1; }
  bool hasValues() const;
};

/// `x`, `y`: indices of fields. `counts`: whether a row may enter the means; empty: every finished row does.
SweepGrid gridOf(const SweepReading& reading, const std::string& metric, std::size_t x, std::optional<std::size_t> y,
                 const std::function<bool(std::size_t row)>& counts = {});

/// A value of a field as an axis says it: "0.001", "rope", "true"; four digits of a number that has many.
std::string valueLabel(const nlohmann::ordered_json& value);

/// Indices of the fields that take more than one value; of a sweep of one run the first field.
std::vector<std::size_t> variedFields(const Sweep& plan);

}  // namespace sepx::sweep
