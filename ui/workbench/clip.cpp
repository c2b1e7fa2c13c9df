// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/clip.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/page/exhibit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

/// The numbers of the keys, separated by tabs; empty unless all of them exist.
std::string numbersAt(const Workbench& of, const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) {
    const auto value = of.get(of.inPane(key, of.activePane()));
    if (!value || !std::holds_alternative<double>(*value)) return {};
    text += (text.empty() ? "" : "\t") + formatShortest(std::get<double>(*value));
  }
  return text;
}

}  // namespace

Result<Clip> numberClip(const Workbench& of) {
  std::string text;
  for (const auto& keys : of.exhibit(of.activePane()).numbersToCopy(of.paneDocument()))
    if (text.empty()) text = numbersAt(of, keys);
  if (text.empty()) {
    return fail(ErrorKind::CheckFailed,
                tr("there is no number to copy: move the pointer over the picture, or select a point"));
  }
  return Clip{std::move(text), {}, {}};
}

Result<Clip> tableClip(const Workbench& of) {
  const Numbers numbers = of.exhibit(of.activePane()).numbers();
  if (numbers.tables.empty() || numbers.tables.front().rows() == 0)
    return fail(ErrorKind::CheckFailed, tr("there is no table to copy: place a point first"));
  const Table& table = numbers.tables.front();
  // A spreadsheet splits the text into cells at tabs, so a tab or line break inside a cell becomes a space.
  std::string text;
  const auto cell = [&text](std::size_t i, std::string part) {
    std::replace_if(
        part.begin(), part.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    text += (i > 0 ? "\t" : "") + part;
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    cell(i, column.unit.empty() ? column.name : fmt::format("{} ({})", column.name, column.unit));
  }
  text += '\n';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto* texts = std::get_if<std::vector<std::string>>(&table.columns[i].values);
      const auto* numbersOf = std::get_if<std::vector<double>>(&table.columns[i].values);
      if (texts) {
        cell(i, row < texts->size() ? (*texts)[row] : std::string());
      } else {
        const double value = row < numbersOf->size() ? (*numbersOf)[row] : 0.0;
        cell(i, value != value ? std::string() : formatShortest(value));
      }
    }
    text += '\n';
  }
  return Clip{std::move(text), {}, {}};
}

}  // namespace sepx::ui
