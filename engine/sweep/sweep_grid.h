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
  std::vector<std::string> labels;  ///< by position: numbers ascending, words in the order of the plan
  std::vector<double> numbers;      ///< values of the labels; empty: the values are words
  bool isNumber() const { return !numbers.empty(); }
  /// Whether all values are above 0 and the largest is at least 10 times the smallest.
  bool spansDecades() const;
};

/// The runs with the same values on the axes.
struct SweepCell {
  std::size_t x = 0, y = 0;       ///< positions on the axes; y is 0 without a second axis
  std::vector<std::size_t> runs;  ///< indices of rows in the reading
  Spread spread;                  ///< of the finite values of finished runs
  std::size_t unfinished = 0;     ///< runs that have not finished, or do not count
  std::size_t missing = 0;        ///< finished runs without the metric
  std::size_t notFinite = 0;      ///< finished runs whose metric is NaN or infinite
};

struct SweepGrid {
  std::string metric;
  SweepAxis x;
  std::optional<SweepAxis> y;
  std::vector<SweepCell> cells;       ///< those in the plan, sorted by y, then x
  std::vector<std::string> averaged;  ///< other fields that differ within a cell: the mean is over them
  /// Null if the plan has no such run.
  const SweepCell* cell(std::size_t xPlace, std::size_t yPlace) const;
  /// The index in `cells` of the cell that contains a row.
  std::optional<std::size_t> cellOf(std::size_t row) const;
  std::size_t columns() const { return x.labels.size(); }
  std::size_t lines() const { return y ? y->labels.size() : 1; }
  bool hasValues() const;
};

/// `x`, `y`: indices of fields. `counts`: whether a row may enter the means; empty: every finished row does.
SweepGrid gridOf(const SweepReading& reading, const std::string& metric, std::size_t x, std::optional<std::size_t> y,
                 const std::function<bool(std::size_t row)>& counts = {});

/// The label of a value on an axis: "0.001", "rope", "true"; a number with many digits is rounded to four.
std::string valueLabel(const nlohmann::ordered_json& value);

/// Indices of the fields that take more than one value; if there are none, the first field.
std::vector<std::size_t> variedFields(const Sweep& plan);

}  // namespace sepx::sweep
