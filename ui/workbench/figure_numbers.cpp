// SPDX-License-Identifier: Apache-2.0
// See figure_numbers.h.
#include "ui/workbench/figure_numbers.h"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "ui/page/exhibit.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

namespace {

double emptyValue(const std::vector<double>&) {
  return std::numeric_limits<double>::quiet_NaN();
}
std::string emptyValue(const std::vector<std::string>&) {
  return {};
}

/// Appends the rows of `more` to `table`, each with the number of its pane in the first column. A column that only one
/// of the tables has is empty in the rows of the other.
void appendRows(Table& table, const Table& more, int pane) {
  const auto fill = [](Column& column, std::size_t rows) {
    std::visit([rows](auto& values) { values.resize(rows, emptyValue(values)); }, column.values);
  };
  const std::size_t before = table.rows(), after = before + more.rows();
  if (table.columns.empty()) table.columns.push_back({"pane", {}, std::vector<double>{}});
  for (const Column& from : more.columns) {
    auto place = std::find_if(table.columns.begin(), table.columns.end(), [&](const Column& column) {
      return column.name == from.name && column.values.index() == from.values.index();
    });
    if (place == table.columns.end()) {
      place = table.columns.insert(table.columns.end(), from);
      std::visit([](auto& values) { values.clear(); }, place->values);
    }
    fill(*place, before);
    std::visit(
        [&](auto& values) {
          const auto& own = std::get<std::decay_t<decltype(values)>>(from.values);
          values.insert(values.end(), own.begin(), own.end());
        },
        place->values);
  }
  auto& panes = std::get<std::vector<double>>(table.columns.front().values);
  panes.resize(after, pane);
  for (Column& column : table.columns)
    fill(column, after);
}

}  // namespace

void addNumbers(Numbers& all, Numbers more, int pane) {
  const std::string suffix = "@" + std::to_string(pane);
  for (Table& table : more.tables) {
    table.name += suffix;
    all.tables.push_back(std::move(table));
  }
  for (Grid& grid : more.grids) {
    grid.name += suffix;
    all.grids.push_back(std::move(grid));
  }
}

void joinNumbers(Numbers& all, const Numbers& more, int pane) {
  for (const Table& table : more.tables) {
    auto place =
        std::find_if(all.tables.begin(), all.tables.end(), [&](const Table& one) { return one.name == table.name; });
    if (place == all.tables.end()) place = all.tables.insert(all.tables.end(), Table{table.name, {}});
    appendRows(*place, table, pane);
  }
}

Numbers numbersOf(const Workbench& figure, bool joined) {
  const int panes = figure.panes();
  if (panes == 1) return figure.exhibit(1).numbers();
  Numbers all;
  for (int pane = 1; pane <= panes; ++pane) {
    Numbers own = figure.exhibit(pane).numbers();
    if (joined)
      joinNumbers(all, own, pane);
    else
      addNumbers(all, std::move(own), pane);
  }
  return all;
}

}  // namespace sepx::ui
