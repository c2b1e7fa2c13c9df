// SPDX-License-Identifier: Apache-2.0
// Numbers for export and import: named columns of equal length, and grids. CSV (RFC 4180, decimal point in every
// locale, shortest form that reads back to the same double) and NPZ (NumPy's zip of arrays). Pure except for writeNpz;
// any thread.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/result.h"

namespace sepx {

struct Column {                                                        ///< a column of numbers or of texts
  std::string name;                                                    ///< "e"
  std::string unit;                                                    ///< "nats"; empty: none
  std::variant<std::vector<double>, std::vector<std::string>> values;  ///< one per row
  std::size_t size() const;                                            ///< rows
};

/// Columns of equal length.
struct Table {
  std::string name;                                                                  ///< "points"
  std::vector<Column> columns;                                                       ///< from left to right
  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }  ///< 0 without columns
  /// Null if there is no column of this name.
  const Column* find(std::string_view name) const;
};

/// An array of any shape, row-major.
struct Grid {
  std::string name;                                                     ///< "loss"
  std::vector<std::size_t> shape;                                       ///< [height, width]
  std::variant<std::vector<double>, std::vector<std::uint8_t>> values;  ///< number of values: product of `shape`
};

/// The content of a picture as numbers. The first table lists the items that the user placed.
struct Numbers {
  std::vector<Table> tables;  ///< data that can be listed
  std::vector<Grid> grids;    ///< data on a lattice
};

/// A header line with "name (unit)" or "name", then the rows. A NaN becomes an empty field.
std::string toCsv(const Table& table);

/// An upper bound of the number of cells that parseCsv() would create, for any separator. Does not allocate.
std::size_t mostCells(std::string_view text);

/// Parses an untrusted table: separator , ; or tab, with or without a header line (columns are then named 1, 2, …), #
/// comments. A column that contains any text is a column of texts. BadInput with the line and the reason, also for more
/// than `most` rows.
Result<Table> parseCsv(std::string_view text, std::size_t most = 1'000'000);

/// Writes the columns as "points.e", "paths.t", … and the grids under their names, as float64, uint8 and UTF-32 arrays,
/// and `recipe` as a separate text "Separatrix-Recipe". Equal numbers yield equal bytes. OutputFailed with path and
/// reason.
Result<void> writeNpz(const Numbers& numbers, const std::string& recipe, const std::string& path);

}  // namespace sepx
