// SPDX-License-Identifier: Apache-2.0
// See part_names.h.
#include "ui/views/part_names.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/properties/tr.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

/// The short name of a view that is left out: its title up to the first colon or comma, else its kind. Empty for views
/// that need no name, such as texts.
std::string briefName(const View& view) {
  const auto brief = [](const std::string& title, const char* kind) {
    return title.empty() ? std::string(kind) : title.substr(0, title.find_first_of(":,"));
  };
  if (const auto* const chart = std::get_if<ChartContent>(&view.content))
    return brief(chart->chart.title.empty() ? chart->chart.y.name : chart->chart.title, tr("the chart"));
  if (const auto* const matrix = std::get_if<MatrixContent>(&view.content))
    return brief(matrix->title, tr("the matrix"));
  if (std::holds_alternative<TableContent>(view.content)) return tr("the table");
  return std::holds_alternative<LegendContent>(view.content) ? std::string(tr("the legend")) : std::string();
}

/// The names of the views of a part.
void namesOf(const Arrangement& part, const NamedView& named, std::vector<std::string>& names) {
  if (!part.called.empty()) {
    names.push_back(part.called);
    return;
  }
  for (const Arrangement& one : part.parts)
    namesOf(one, named, names);
  const View* const view = named(part.view);
  if (std::string name = view ? briefName(*view) : std::string(); !name.empty()) names.push_back(std::move(name));
}

}  // namespace

void needNumbersWhole(Arrangement& part, const NamedView& named, const Theme& theme) {
  for (Arrangement& one : part.parts)
    needNumbersWhole(one, named, theme);
  const View* const view = part.order > 0 ? named(part.view) : nullptr;
  const auto* const table = view ? std::get_if<TableContent>(&view->content) : nullptr;
  if (!table) return;
  part.leastWidth = std::max(part.leastWidth, neededWidth(*table, theme, TableView::Needs::Numbers));
}

void nameParts(Arrangement& part, const NamedView& named) {
  for (Arrangement& one : part.parts)
    nameParts(one, named);
  if (part.order <= 0 || !part.called.empty()) return;
  std::vector<std::string> names;
  namesOf(part, named, names);
  part.called = listed(names);
}

std::string listed(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const std::string& name : names)
    if (std::ranges::find(once, name) == once.end()) once.push_back(name);
  return fmt::format("{}", fmt::join(once, ", "));
}

}  // namespace sepx::ui
