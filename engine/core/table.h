// SPDX-License-Identifier: Apache-2.0
// Numbers as a person takes them away or brings them: named columns of one length, and grids. CSV (RFC 4180, decimal
// point in every locale, shortest form that reads back to the same double) and NPZ (NumPy's zip of arrays). Pure but
// for writeNpz; any thread.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/result.h"

namespace sepx {

struct Column {                                                        ///< of numbers, or of texts
  std::string name;                                                    ///< "e"
  std::string unit;                                                    ///< "nats"; empty: none
  std::variant<std::vector<double>, std::vector<std::string>> values;  ///< one a row
  std::size_t size() const;                                            ///< rows
};

/// Columns of one length.
struct Table {
  std::string name;                                                                  ///< "points"
  std::vector<Column> columns;                                                       ///< from left to right
  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }  ///< 0 without columns
  /// Null when there is none of that name.
  const Column* find(std::string_view name) const;
};

/// An array of any shape, row-major.
struct Grid {
  std::string name;                                                     ///< "loss"
  std::vector<std::size_t> shape;                                       ///< [height, width]
  std::variant<std::vector<double>, std::vector<std::uint8_t>> values;  ///< product of `shape` many
};

/// What a picture shows, as numbers. The first table is the list of what a person placed.
struct Numbers {
  std::vector<Table> tables;  ///< of what can be listed
  std::vector<Grid> grids;    ///< of what lies on a lattice
};

/// Header line "name (unit)" or "name", then rows; a NaN is an empty field.
std::string toCsv(const Table& table);

/// No fewer than the cells that parseCsv() would make, whichever the separator is; takes no memory.
std::size_t mostCells(std::string_view text);

/// Numbers from a stranger: separator , ; or tab, a header line or none (columns are then called 1, 2, …), # comments,
/// a column with any text in it is a column of text. BadInput with the line and what is wrong there; refuses more than
/// `most` rows.
Result<Table> parseCsv(std::string_view text, std::size_t most = 1'000'000);

/// "points.e", "paths.t", … and the grids by their names: float64, uint8 and UTF-32 arrays, and `recipe` as a text of
/// its own under "Separatrix-Recipe". The same bytes for the same numbers. OutputFailed with path and reason.
Result<void> writeNpz(const Numbers& numbers, const std::string& recipe, const std::string& path);

}  // namespace sepx
