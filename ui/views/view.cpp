// SPDX-License-Identifier: Apache-2.0
// Digests of views: everything that the picture of a view depends on.
#include "ui/views/view.h"

#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

struct AddContent {
  Digest& into;
  void operator()(const ChartContent& content) const;
  void operator()(const MatrixContent& content) const;
  void operator()(const TableContent& content) const;
  void operator()(const CardsContent& content) const {
    into.add(content.count, content.of, content.width, content.height, content.mostHeight, content.mostInRow,
             content.groups, content.pictureFirst);
  }
  void operator()(const LegendContent& content) const { into.add(content.entries); }
  void operator()(const ChoicesContent& content) const { into.add(content.groups); }
  void operator()(const ButtonContent& content) const {
    into.add(content.command, content.label, content.done, content.enabled);
  }
  void operator()(const FieldsContent& content) const { into.add(content.rows, content.columns); }
  void operator()(const TextContent& content) const;
  void operator()(const PictureContent& content) const {
    into.add(content.of, content.clipped, content.still, content.boxed);
  }
};

}  // namespace

static void addTo(Digest& digest, const ChartLook& look) {
  const auto& [color, dash, width, marker, size, gap, hollow, crossed, stem, spread, shade] = look;
  digest.add(color, dash, width, marker, size, gap, hollow, crossed, stem, spread, shade);
}

static void addTo(Digest& digest, const LegendEntry& entry) {
  const auto& [name, look] = entry;
  digest.add(name, look);
}

static void addTo(Digest& digest, const ChartAxis& axis) {
  const auto& [name, brief, logarithmic, whole, bare, from, to, least, pad, narrowest, label, words] = axis;
  digest.add(name, brief, logarithmic, whole, bare, from, to, least, pad, narrowest, label, words);
}

static void addTo(Digest& digest, const ChartSeries& series) {
  const auto& [name, look, x, y, low, high, guide, hollow] = series;
  digest.add(name, look, x, y, low, high, guide, hollow);
}

static void addTo(Digest& digest, const ChartReference& reference) {
  const auto& [value, name, look, vertical, stripe, nameFirst, counts] = reference;
  digest.add(value, name, look, vertical, stripe, nameFirst, counts);
}

static void addTo(Digest& digest, const LineChart& chart) {
  const auto& [title, strongTitle, x, y, series, references, marks, ground, legend, equalUnits, compact, plot] = chart;
  digest.add(title, strongTitle, x, y, series, references, ground, legend, equalUnits, compact, plot, marks.size());
  for (const render::Marker& mark : marks)
    digest.add(mark.at, mark.shape, mark.size, mark.fill, mark.edge, mark.edgeWidth, mark.space);
}

static void addTo(Digest& digest, const NoteLine& line) {
  const auto& [parts, role] = line;
  digest.add(parts, role);
}

static void addTo(Digest& digest, const ChoiceGroup::Choice& choice) {
  const auto& [value, label, on, enabled, act, control] = choice;
  digest.add(value, label, on, enabled, control);
}

static void addTo(Digest& digest, const ChoiceGroup& group) {
  const auto& [key, name, choices, right] = group;
  digest.add(key, name, choices, right);
}

static void addTo(Digest& digest, const FieldRow& row) {
  const auto& [key, label, value, heading, highlighted, before] = row;
  digest.add(key, label, value, heading, highlighted, before ? before->words : std::string(), before.has_value());
}

static void addTo(Digest& digest, const TableColumn& column) {
  const auto& [title, share, right, mark, dropsText, pad] = column;
  digest.add(title, share, right, mark, dropsText, pad);
}

static void addTo(Digest& digest, const TableGroup& group) {
  const auto& [entry, columns] = group;
  digest.add(entry, columns);
}

static void addTo(Digest& digest, const CardGroup& group) {
  const auto& [title, count] = group;
  digest.add(title, count);
}

static void addTo(Digest& digest, const TableBars& bars) {
  const auto& [column, lengths, bothWays, color, below, behind, framed] = bars;
  digest.add(column, lengths, bothWays, color, below, behind, framed);
}

static void addTo(Digest& digest, const MatrixCell& cell) {
  digest.add(cell.row, cell.column);
}

void AddContent::operator()(const TextContent& content) const {
  const auto& [lines, columns, oneLine, centred, large, scrolls, command] = content;
  into.add(lines, columns, oneLine, centred, large, scrolls, command);
}

void AddContent::operator()(const ChartContent& content) const {
  const auto& [chart, cursor, pick, slide, spot, over, handles, aligned, reach, target] = content;
  into.add(chart, cursor, over ? over->of : 0);
}

void AddContent::operator()(const MatrixContent& content) const {
  const auto& [head, longestHead, title, rows, columns, values, scale, missing, longest, entries, rowAxis, columnAxis,
               chosen, chosenRow, rowTexts, columnTexts, decimals, map, notes, rowName, columnName, tipContext, tip,
               pick] = content;
  into.add(head, longestHead, title, rows, columns, values, scale.kind, scale.limits.low, scale.limits.high, missing,
           longest, entries, rowAxis, columnAxis, chosen, chosenRow, rowTexts, columnTexts, decimals, map, notes,
           rowName, columnName, tipContext);
}

void AddContent::operator()(const TableContent& content) const {
  const auto& [columns, cells, groupsFrom, groups, chosen, notes, pick, pickCell, roles, bars, together, make, of,
               pressed, headsPressed] = content;
  into.add(columns, cells, groupsFrom, groups, chosen, notes, roles, bars, together, of);
}

std::uint64_t digestOf(const View& view) {
  Digest digest;
  digest.add(view.name, view.content.index());
  std::visit(AddContent{digest}, view.content);
  return digest.value();
}

}  // namespace sepx::ui
