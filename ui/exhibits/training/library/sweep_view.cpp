// SPDX-License-Identifier: Apache-2.0
// See sweep_view.h.
#include "ui/exhibits/training/library/sweep_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kBesideFrom = 76, kBelowFrom = 26;  // sizes of the text: room for a table beside or below the chart
constexpr double kChartShare = 0.56;
constexpr double kControlsFrom = 26, kProgressFrom = 14;  // sizes of the text: the least height for these

void putSweepButton(StripLine& line, const Theme& theme, StripButton button) {
  line.button(std::move(button), theme.smallSize, 8);
  line.skip(4);
}

/// The buttons that have room; the one that is on is among them.
void putSweepChoices(StripLine& line, const Theme& theme, std::vector<StripButton> buttons, double leave) {
  const auto width = [&](const StripButton& one) { return textWidth(one.label, theme.smallSize) + 20; };
  const auto on = std::ranges::find_if(buttons, [](const StripButton& one) { return one.on; });
  double room = line.room() - leave - (on != buttons.end() ? width(*on) : 0);
  for (StripButton& one : buttons) {
    if (!one.on && width(one) > room) continue;
    if (!one.on) room -= width(one);
    putSweepButton(line, theme, std::move(one));
  }
}

}  // namespace

void SweepView::update(ExhibitContext& context, const LibraryStore& store, const LibraryView& library,
                       const LibraryState& state) {
  store_.update(context, store, library, state, choice_);
  std::set<std::string> chosen;
  for (const auto& run : library.chosen())
    chosen.insert(run->folder);
  const bool same = chosen == chosen_;
  if (same && seen_ == store_.revision()) return;
  seen_ = store_.revision();
  if (!same) ++chosenAt_;
  chosen_ = std::move(chosen);
  chosenCell_ = findChosen();
}

std::string SweepView::sentence() const {
  if (!store_.failure().empty()) return store_.failure();
  if (!picture()) return tr("Reading the sweep…");
  return picture()->reading->rows.empty() ? std::string(tr("The plan of the sweep has no runs.")) : std::string();
}

std::vector<std::string> SweepView::problems() const {
  return picture() ? picture()->problems : std::vector<std::string>();
}

SweepView::Places SweepView::places(const RaceFrame& frame, const render::Rect& box) const {
  const Theme& theme = frame.theme;
  Places made{box, box, box};
  if (frame.figure) {
    made.progress.max.y = made.progress.min.y;
    made.table.max.y = made.table.min.y;
    return made;
  }
  const bool roomy = box.height() > kProgressFrom * theme.textSize;
  made.progress.max.y = box.min.y + (roomy ? sweepProgressHeight(theme) : 0);
  made.chart.min.y = made.table.min.y = std::min(made.progress.max.y + (roomy ? theme.space : 0), box.max.y - 1);
  const double width = box.width(), height = box.max.y - made.chart.min.y;
  if (width > kBesideFrom * theme.smallSize) {
    made.chart.max.x = box.min.x + std::floor(kChartShare * width);
    made.table.min.x = made.chart.max.x + 2 * theme.space;
  } else if (height > kBelowFrom * theme.smallSize) {
    made.chart.max.y = made.chart.min.y + std::floor(kChartShare * height);
    made.table.min.y = made.chart.max.y + theme.space;
  } else {
    made.table.max.y = made.table.min.y;
  }
  return made;
}

const SweepChart& SweepView::chart(const RaceFrame& frame, const render::Rect& box) const {
  LayerKey key = keyWith(frameKey(frame), box, store_.revision());
  if (!chart_ || key != chartKey_) {
    chart_ = std::make_unique<SweepChart>(picture(), box, frame.theme);
    chartKey_ = std::move(key);
  }
  return *chart_;
}

const SweepRows& SweepView::rows(const RaceFrame& frame, double width) const {
  LayerKey key = keyWith(frameKey(frame), width, store_.revision(), chosenAt_);
  if (key != rowsKey_) {
    rows_ = makeSweepRows(picture(), chosen_, frame.theme, width);
    rowsKey_ = std::move(key);
  }
  return rows_;
}

TableView::Look SweepView::look(const RaceFrame& frame, const Places& places) const {
  return {&frame.theme, places.table, std::nullopt, std::nullopt, frame.figure};
}

SweepHit SweepView::at(const RaceFrame& frame, const render::Rect& box, render::Point pointer) const {
  SweepHit hit;
  if (!picture() || !sentence().empty()) return hit;
  const Places where = places(frame, box);
  if (where.chart.contains(pointer)) hit.cell = chart(frame, where.chart).cellAt(pointer);
  if (hit.cell || where.table.height() <= 0 || !where.table.contains(pointer)) return hit;
  const SweepRows& shown = rows(frame, where.table.width());
  hit.row = shown.table.rowAt(look(frame, where), scroll_, pointer);
  if (const auto head = shown.table.headAt(look(frame, where), pointer)) hit.head = shown.columns[*head];
  return hit;
}

std::vector<std::string> SweepView::tip(const RaceFrame& frame, const Places& where, render::Point pointer) const {
  if (where.chart.contains(pointer)) {
    const SweepChart& shown = chart(frame, where.chart);
    if (const auto cell = shown.cellAt(pointer)) return shown.words(*cell);
  }
  if (where.table.height() <= 0 || !where.table.contains(pointer)) return {};
  const auto cut = rows(frame, where.table.width()).table.cutText(look(frame, where), scroll_, pointer);
  return cut ? wrapped(*cut, frame.theme.smallSize, std::min(0.6 * frame.area.width(), 46.0 * frame.theme.smallSize))
             : std::vector<std::string>();
}

/// The point of the chart that has the first chosen run.
std::optional<std::size_t> SweepView::findChosen() const {
  if (!picture() || library_->chosen().empty()) return std::nullopt;
  const std::string& folder = library_->chosen().front()->folder;
  const auto& all = picture()->reading->rows;
  const auto at = std::ranges::find_if(all, [&](const auto& row) { return row.run && row.run->folder == folder; });
  return at == all.end() ? std::nullopt : picture()->grid.cellOf(static_cast<std::size_t>(at - all.begin()));
}

void SweepView::draw(const RaceFrame& frame, const render::Rect& box, PageLayers& layers,
                     std::vector<render::Layer>& into, const LayerKey& page) {
  const Theme& theme = frame.theme;
  const Places where = places(frame, box);
  const LayerKey key = keyWith(page, box, store_.revision());
  if (where.progress.height() > 0)
    layers.add(into, "training.library.sweep.progress", key, [&] {
      std::vector<render::Item> items;
      addSweepProgress(items, *picture()->reading, where.progress, theme);
      return items;
    });
  const SweepChart& drawn = chart(frame, where.chart);
  layers.add(
      into, "training.library.sweep.chart", key, [&] { return drawn.items(); }, true, false);
  const SweepHit over = frame.pointer && !frame.figure ? at(frame, box, *frame.pointer) : SweepHit();
  if (where.table.height() > 0) {
    const SweepRows& shown = rows(frame, where.table.width());
    scroll_ = std::clamp(scroll_, 0.0, shown.table.mostScroll(look(frame, where)));
    layers.add(into, "training.library.runs", keyWith(key, chosenAt_, scroll_, over.row ? *over.row + 1 : 0), [&] {
      std::vector<render::Item> items;
      TableView::Look at = look(frame, where);
      at.hovered = over.row;
      shown.table.draw(items, at, scroll_);
      return items;
    });
  }
  if (frame.figure) return;
  const std::optional<std::size_t> chosen = chosenCell_;
  if (chosen || over.cell)
    layers.add(
        into, "training.library.sweep.mark", keyWith(key, chosen ? *chosen + 1 : 0, over.cell ? *over.cell + 1 : 0),
        [&] {
          std::vector<render::Item> items;
          if (chosen) drawn.addMark(items, *chosen);
          if (over.cell) drawn.addMark(items, *over.cell);
          return items;
        },
        false, false);
  addTipLayer(frame, where, layers, into, key);
}

void SweepView::addTipLayer(const RaceFrame& frame, const Places& where, PageLayers& layers,
                            std::vector<render::Layer>& into, const LayerKey& key) const {
  const Theme& theme = frame.theme;
  if (!frame.pointer) return;
  const std::vector<std::string> lines = tip(frame, where, *frame.pointer);
  if (lines.empty()) return;
  LayerKey tipKey = keyWith(key, *frame.pointer);
  for (const std::string& line : lines)
    tipKey = keyWith(tipKey, line);
  layers.add(
      into, "training.library.tip", std::move(tipKey),
      [&] {
        std::vector<render::Item> items;
        addTip(items, *frame.pointer, lines, frame.area, theme);
        return items;
      },
      false, false);
}

void SweepView::scroll(const RaceFrame& frame, const render::Rect& box, double lines) {
  if (!picture()) return;
  const Places where = places(frame, box);
  if (where.table.height() <= 0) return;
  const double most = rows(frame, where.table.width()).table.mostScroll(look(frame, where));
  scroll_ = std::clamp(scroll_ - lines * TableView::rowHeight(frame.theme), 0.0, most);
}

void SweepView::reveal(const RaceFrame& frame, const render::Rect& box, const std::string& folder) {
  if (!picture()) return;
  const Places where = places(frame, box);
  const std::vector<std::string> all = folders();
  const auto at = std::ranges::find(all, folder);
  if (at == all.end() || where.table.height() <= 0) return;
  scroll_ = rows(frame, where.table.width())
                .table.reveal(look(frame, where), scroll_, static_cast<std::size_t>(at - all.begin()));
}

double SweepView::addControls(Strip& strip, const RaceFrame& frame, double top) const {
  // In a low pane the chart takes the room; the choices are in the panel.
  if (!picture() || frame.area.height() < kControlsFrom * frame.theme.textSize) return 0;
  const Theme& theme = frame.theme;
  const double row = stripRow(theme), left = frame.area.min.x + theme.space, right = frame.area.max.x - theme.space;
  const SweepPicture& shown = *picture();
  StripLine first(strip, top, row, left, right);
  if (shown.grid.y && shown.grid.lines() <= kMostSweepLines) {
    const bool lines = choice_.form == SweepForm::Lines;
    first.button(choice("form", "lines", tr("Lines"), lines), theme.smallSize, 8, true);
    first.skipRight(4);
    first.button(choice("form", "auto", tr("Map"), !lines), theme.smallSize, 8, true);
    first.skipRight(2 * theme.space);
  }
  first.text(tr("metric"), theme.smallSize, theme.textMuted);
  first.skip(theme.space);
  std::vector<StripButton> metrics;
  for (const std::string& name : shown.reading->metrics)
    metrics.push_back(choice("metric", name, name, name == shown.grid.metric));
  putSweepChoices(first, theme, std::move(metrics), 0);
  if (shown.fields.size() < 2) return row;
  StripLine second(strip, top + row, row, left, right);
  const auto fields = [&](const std::string& axis, std::optional<std::size_t> present) {
    std::vector<StripButton> buttons;
    for (const std::size_t field : shown.fields)
      buttons.push_back(choice(axis, shown.fieldName(field), headOf(shown.fieldName(field)), present == field));
    return buttons;
  };
  second.text("x", theme.smallSize, theme.textMuted);
  second.skip(theme.space);
  putSweepChoices(second, theme, fields("x", shown.grid.x.field), second.room() / 2);
  second.skip(2 * theme.space);
  second.text("y", theme.smallSize, theme.textMuted);
  second.skip(theme.space);
  std::vector<StripButton> ys = fields("y", shown.grid.y ? std::optional(shown.grid.y->field) : std::nullopt);
  ys.insert(ys.begin(), choice("y", "none", tr("none"), !shown.grid.y));
  const std::string asX = choice("y", shown.fieldName(shown.grid.x.field), {}, false).key;
  std::erase_if(ys, [&](const StripButton& one) { return one.key == asX; });
  putSweepChoices(second, theme, std::move(ys), 0);
  return 2 * row;
}

std::vector<std::string> SweepView::foldersOf(std::size_t cell) const {
  std::vector<std::string> all;
  if (!picture() || cell >= picture()->grid.cells.size()) return all;
  for (const std::size_t row : picture()->grid.cells[cell].runs)
    if (const auto& run = picture()->reading->rows[row].run) all.push_back(run->folder);
  return all;
}

std::vector<std::string> SweepView::folders() const {
  std::vector<std::string> all;
  if (!picture()) return all;
  for (const std::size_t row : picture()->order) {
    const auto& run = picture()->reading->rows[row].run;
    all.push_back(run ? run->folder : std::string());
  }
  return all;
}

std::string SweepView::stateOf(std::size_t row) const {
  if (!picture() || row >= picture()->order.size()) return {};
  const std::size_t index = picture()->order[row];
  const std::string& name = picture()->reading->plan->runs[index].name;
  const sweep::SweepRow& run = picture()->reading->rows[index];
  if (run.progress == sweep::RunProgress::Waiting)
    return trFormat("Run {} has not begun; there is nothing to open yet.", name);
  return trFormat("Run {}: {}.", name, picture()->text(index, picture()->columns.back()));
}

void SweepView::sortBy(ExhibitContext& context, std::size_t column) const {
  if (!picture()) return;
  const bool turns = column == picture()->sortColumn;
  context.editor.replace(context.editor.document()
                             .with("training.library.sweep.sort", picture()->columns[column].key)
                             .with("training.library.sweep.descending", turns && !choice_.descending));
}

StripButton SweepView::choice(const std::string& key, const std::string& value, std::string label, bool on) const {
  const auto choose = [this, key, value](ExhibitContext& context) {
    Document next = context.editor.document().with("training.library.sweep." + key, value);
    // The field that becomes x is no longer y.
    if (key == "x" && picture() && picture()->grid.y && picture()->fieldName(picture()->grid.y->field) == value)
      next = next.with("training.library.sweep.y", picture()->fieldName(picture()->grid.x.field));
    context.editor.replace(std::move(next));
  };
  return {.key = "training.library-sweep-" + key + "-" + value, .label = std::move(label), .on = on, .act = choose};
}

std::string SweepView::caption() const {
  if (!picture() || !chart_) return tr("A sweep.");
  const sweep::SweepReading& reading = *picture()->reading;
  return trFormat("Sweep of {}: {} of {} runs have finished. {}.", reading.plan->name,
                  reading.count(sweep::RunProgress::Finished), reading.rows.size(), chart_->title());
}

/// The chart as a table of its points, and the rows.
Numbers SweepView::numbers() const {
  Numbers numbers;
  if (!picture()) return numbers;
  const SweepPicture& shown = *picture();
  const sweep::SweepGrid& grid = shown.grid;
  Table& cells = numbers.tables.emplace_back();
  cells.name = "settings";
  const auto axis = [&](const sweep::SweepAxis& one, bool x) {
    std::vector<double> values;
    std::vector<std::string> words;
    for (const sweep::SweepCell& cell : grid.cells) {
      const std::size_t place = x ? cell.x : cell.y;
      words.push_back(one.labels[place]);
      if (one.isNumber()) values.push_back(one.numbers[place]);
    }
    if (one.isNumber())
      cells.columns.push_back({shown.fieldName(one.field), "", std::move(values)});
    else
      cells.columns.push_back({shown.fieldName(one.field), "", std::move(words)});
  };
  axis(grid.x, true);
  if (grid.y) axis(*grid.y, false);
  const auto number = [&](const std::string& name, auto of) {
    std::vector<double> values;
    for (const sweep::SweepCell& cell : grid.cells)
      values.push_back(of(cell));
    cells.columns.push_back({name, "", std::move(values)});
  };
  const auto orNone = [](const sweep::SweepCell& cell, double value) {
    return cell.spread.count > 0 ? value : std::nan("");
  };
  number("runs", [](const auto& cell) { return static_cast<double>(cell.spread.count); });
  number(grid.metric + ".mean", [&](const auto& cell) { return orNone(cell, cell.spread.mean); });
  number(grid.metric + ".deviation", [&](const auto& cell) { return orNone(cell, cell.spread.deviation()); });
  number(grid.metric + ".low", [&](const auto& cell) { return orNone(cell, cell.spread.low); });
  number(grid.metric + ".high", [&](const auto& cell) { return orNone(cell, cell.spread.high); });
  Table& runs = numbers.tables.emplace_back();
  runs.name = "runs";
  for (const SweepColumn& column : shown.columns) {
    std::vector<double> values;
    std::vector<std::string> words;
    for (const std::size_t row : shown.order) {
      const train::RunValue value = shown.value(row, column);
      const auto* const one = std::get_if<double>(&value);
      const auto* const text = std::get_if<std::string>(&value);
      values.push_back(one ? *one : std::nan(""));
      words.push_back(text ? *text : "");
    }
    if (column.number)
      runs.columns.push_back({column.key, "", std::move(values)});
    else
      runs.columns.push_back({column.key, "", std::move(words)});
  }
  return numbers;
}

}  // namespace sepx::ui
