// SPDX-License-Identifier: Apache-2.0
// See sweep_view.h.
#include "ui/exhibits/training/library/sweep_view.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ui/canvas/page_draw.h"
#include "ui/exhibits/training/library/library_rows.h"
#include "ui/exhibits/training/library/sweep_picture.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/views/digest.h"
#include "ui/views/table.h"

namespace sepx::ui {

namespace {

constexpr double kBesideFrom = 76, kBelowFrom = 26;  // in small type sizes: room for a table beside or below the chart
constexpr double kChartShare = 0.56;
constexpr double kControlsFrom = 26, kProgressFrom = 14;  // multiples of the type size: least heights for these

struct SweepRows {
  TableView table;
  std::vector<std::size_t> columns;  ///< by column of the table: index in SweepPicture::columns
};

using sweep::RunProgress;

constexpr double kStateMark = 14;  // points

constexpr RunProgress kShownOrder[] = {RunProgress::Finished, RunProgress::Training, RunProgress::Unknown,
                                       RunProgress::Stopped,  RunProgress::Stale,    RunProgress::Failed,
                                       RunProgress::Waiting};

std::string columnHead(const SweepPicture& picture, std::size_t column) {
  const std::string& key = picture.columns[column].key;
  const std::string arrow = column != picture.sortColumn ? "" : picture.choice.descending ? " ↓" : " ↑";
  const SweepColumn::Kind kind = picture.columns[column].kind;
  if (kind == SweepColumn::Run) return tr("run") + arrow;
  if (kind == SweepColumn::Step) return tr("step") + arrow;
  if (kind == SweepColumn::State) return tr("state") + arrow;
  return (kind == SweepColumn::Field ? headOf(key) : key) + arrow;
}

/// The order of the columns in the table. The state follows the metric of the chart, because the last columns are left
/// out if there is little room.
std::vector<std::size_t> shownOrder(const SweepPicture& picture) {
  std::vector<std::size_t> columns;
  bool metric = false;
  for (std::size_t column = 0; column + 1 < picture.columns.size(); ++column) {
    columns.push_back(column);
    const bool first = picture.columns[column].kind == SweepColumn::Metric && !std::exchange(metric, true);
    if (first) columns.push_back(picture.columns.size() - 1);
  }
  if (!metric) columns.push_back(picture.columns.size() - 1);
  return columns;
}

render::Color progressColor(RunProgress progress, const Theme& theme) {
  switch (progress) {
    case RunProgress::Finished:
      return theme.globalMin;
    case RunProgress::Training:
      return theme.accent;
    case RunProgress::Stopped:
    case RunProgress::Stale:
    case RunProgress::Unknown:
      return theme.saddle;
    case RunProgress::Failed:
      return theme.error;
    case RunProgress::Waiting:
      break;
  }
  return theme.textMuted;
}

SweepRows makeSweepRows(std::shared_ptr<const SweepPicture> picture, const std::set<std::string>& chosen,
                        const Theme& theme, double width) {
  SweepRows made;
  made.columns = shownOrder(*picture);
  for (const std::size_t column : made.columns)
    made.table.columns.push_back({.title = columnHead(*picture, column),
                                  .right = picture->columns[column].number,
                                  .mark = picture->columns[column].kind == SweepColumn::State ? kStateMark : 0});
  made.table.rows = picture->order.size();
  made.table.text = [picture, columns = made.columns](std::size_t row, std::size_t column) {
    return picture->text(picture->order[row], picture->columns[columns[column]]);
  };
  made.table.fit(theme, width);
  made.table.chosen = [picture, chosen](std::size_t row) {
    const auto& run = picture->reading->rows[picture->order[row]].run;
    return run && chosen.contains(run->folder);
  };
  const auto progressOf = [picture](std::size_t row) { return picture->reading->rows[picture->order[row]].progress; };
  made.table.color = [progressOf, columns = made.columns, picture, theme](std::size_t row, std::size_t column) {
    const SweepColumn::Kind kind = picture->columns[columns[column]].kind;
    const RunProgress progress = progressOf(row);
    if (kind == SweepColumn::State) return progress == RunProgress::Failed ? theme.error : theme.text;
    return progress == RunProgress::Finished ? theme.text : theme.textMuted;
  };
  made.table.drawMark = [progressOf, theme](std::vector<render::Item>& items, std::size_t row, std::size_t,
                                            render::Point left) {
    const RunProgress progress = progressOf(row);
    const render::Color color = progressColor(progress, theme);
    const bool hollow = progress == RunProgress::Waiting;
    const render::Shape shape = progress == RunProgress::Training ? render::Shape::Triangle
                                : progress == RunProgress::Failed ? render::Shape::Cross
                                                                  : render::Shape::Circle;
    items.emplace_back(render::Marker{
        {left.x + 4, left.y}, shape, 7, hollow ? theme.plotBackground : color, color, 1.2f, render::Space::Page});
  };
  return made;
}

double sweepProgressHeight(const Theme& theme) {
  return 1.5 * theme.smallSize + 10;
}

void addSweepProgress(std::vector<render::Item>& items, const sweep::SweepReading& reading, const render::Rect& box,
                      const Theme& theme) {
  const std::size_t all = reading.rows.size();
  if (all == 0) return;
  const double size = theme.smallSize, y = box.min.y + 0.7 * size;
  double x = box.min.x, steps = 0, made = 0;
  for (const sweep::SweepRow& row : reading.rows) {
    steps += static_cast<double>(row.steps);
    made += static_cast<double>(std::min(row.step, row.steps));
  }
  const auto put = [&](const std::string& text, render::Color color) {
    const double width = textWidth(text, size);
    if (x + width > box.max.x) return;
    items.push_back(textAt({x, y}, text, theme.smallSize, color));
    x += width + 1.2 * size;
  };
  put(trFormat("{}: {} runs", reading.plan->name, stepText(static_cast<std::int64_t>(all))), theme.text);
  for (const RunProgress progress : kShownOrder) {
    const std::size_t count = reading.count(progress);
    if (count == 0) continue;
    const std::string words = stepText(static_cast<std::int64_t>(count)) + " " + progressWords(progress);
    if (x + 12 + textWidth(words, size) > box.max.x) break;
    const render::Color color = progressColor(progress, theme);
    items.push_back(pageFill({{x, y - 4}, {x + 8, y + 4}}, faded(color, progress == RunProgress::Waiting ? 0.35f : 1)));
    x += 12;
    put(words, theme.text);
  }
  if (steps > 0 && made < steps)
    put(trFormat("{} % of the steps", static_cast<int>(std::floor(100 * made / steps))), theme.textMuted);
  double left = box.min.x;
  const double top = box.min.y + 1.5 * size;
  for (const RunProgress progress : kShownOrder) {
    const double width = box.width() * static_cast<double>(reading.count(progress)) / static_cast<double>(all);
    if (width <= 0) continue;
    items.push_back(pageFill({{left, top}, {left + width, top + 5}},
                             faded(progressColor(progress, theme), progress == RunProgress::Waiting ? 0.35f : 1)));
    left += width;
  }
}

}  // namespace

void SweepView::update(ExhibitContext& context, const LibraryStore& store, const LibraryRows& library,
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

/// The point of the chart that contains the first chosen run.
std::optional<std::size_t> SweepView::findChosen() const {
  if (!picture() || library_->chosen().empty()) return std::nullopt;
  const std::string& folder = library_->chosen().front()->folder;
  const auto& all = picture()->reading->rows;
  const auto at = std::ranges::find_if(all, [&](const auto& row) { return row.run && row.run->folder == folder; });
  return at == all.end() ? std::nullopt : picture()->grid.cellOf(static_cast<std::size_t>(at - all.begin()));
}

/// Buttons that choose a value for a parameter of the sweep.
ChoiceGroup SweepView::choices(const std::string& key, const std::string& name,
                               const std::vector<std::pair<std::string, std::string>>& values,
                               const std::string& present) const {
  ChoiceGroup group{.name = name};
  for (const auto& [value, label] : values) {
    const auto choose = [this, key, value = value](ExhibitContext& context) {
      Document next = context.editor.document().with("training.library.sweep." + key, value);
      // If the new x was y, the two fields are swapped.
      if (key == "x" && picture() && picture()->grid.y && picture()->fieldName(picture()->grid.y->field) == value)
        next = next.with("training.library.sweep.y", picture()->fieldName(picture()->grid.x.field));
      context.editor.replace(std::move(next));
    };
    group.choices.push_back({.label = label,
                             .on = value == present,
                             .act = choose,
                             .control = "training.library-sweep-" + key + "-" + value});
  }
  return group;
}

ChoicesContent SweepView::controls(const RaceFrame& frame) const {
  ChoicesContent made;
  // In a low pane the chart takes the room; the choices are in the panel.
  if (!picture() || frame.area.height() < kControlsFrom * frame.theme.textSize) return made;
  const SweepPicture& shown = *picture();
  std::vector<std::pair<std::string, std::string>> metrics, fields, others{{"none", tr("none")}};
  for (const std::string& name : shown.reading->metrics)
    metrics.emplace_back(name, name);
  const std::string x = shown.fieldName(shown.grid.x.field);
  for (const std::size_t field : shown.fields) {
    const std::string& name = shown.fieldName(field);
    fields.emplace_back(name, headOf(name));
    if (name != x) others.emplace_back(name, headOf(name));
  }
  made.groups.push_back(choices("metric", tr("metric"), metrics, shown.grid.metric));
  if (shown.grid.y && shown.grid.lines() <= kMostSweepLines) {
    const char* const form = choice_.form == SweepForm::Lines ? "lines" : "auto";
    made.groups.push_back(choices("form", {}, {{"auto", tr("Map")}, {"lines", tr("Lines")}}, form));
    made.groups.back().right = true;
  }
  if (shown.fields.size() < 2) return made;
  made.groups.push_back(choices("x", "x", fields, x));
  made.groups.push_back(choices("y", "y", others, shown.grid.y ? shown.fieldName(shown.grid.y->field) : "none"));
  return made;
}

/// The progress above the chart, and the table beside or below the chart.
Arrangement SweepView::addViews(Views& into, const RaceFrame& frame) const {
  const double unit = frame.theme.textSize, small = frame.theme.smallSize;
  const bool beside = !frame.figure && frame.area.width() > kBesideFrom * small;
  render::Rect room = frame.area;
  if (beside) room.max.x = room.min.x + kChartShare * room.width();
  into.views.push_back({"sweep.chart", sweepChart(picture(), chosenCell_, room, frame.theme)});
  Arrangement chart = viewNamed("sweep.chart"), bar = viewNamed("");  // room for the colour bar
  bar.length = sweepKind(*picture()) == SweepKind::Lines ? 1 : 7 * small;
  chart = {.kind = Arrangement::Kind::Row, .parts = {std::move(chart), std::move(bar)}};
  if (frame.figure) return chart;
  PictureContent progress;
  progress.of = store_.revision();
  progress.draw = [picture = picture()](const ViewPlace& place) {
    std::vector<render::Item> items;
    addSweepProgress(items, *picture->reading, place.box, place.theme);
    return items;
  };
  TableContent rows;
  rows.make = [picture = picture(), chosen = chosen_](const ViewPlace& place) {
    return makeSweepRows(picture, chosen, place.theme, place.box.width()).table;
  };
  rows.of = Digest().add(store_.revision(), chosenAt_).value();
  rows.pressed = rows.headsPressed = true;
  into.views.push_back({"sweep.progress", std::move(progress)});
  into.views.push_back({"runs", std::move(rows)});
  Arrangement above = viewNamed("sweep.progress"), table = viewNamed("runs");
  above.length = sweepProgressHeight(frame.theme);
  chart.weight = kChartShare;
  table.weight = 1 - kChartShare;
  table.order = beside ? 0 : 1;
  table.leastHeight = beside ? 0 : (1 - kChartShare) * kBelowFrom * small;
  Arrangement both{.kind = beside ? Arrangement::Kind::Row : Arrangement::Kind::Column,
                   .parts = {std::move(chart), std::move(table)},
                   .gap = (beside ? 2 : 1) * frame.theme.space};
  both.leastHeight = (kProgressFrom - 4) * unit;
  above.order = 1;
  return {.kind = Arrangement::Kind::Column, .parts = {std::move(above), std::move(both)}, .gap = frame.theme.space};
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
    return trFormat("Run {} has not started; there is nothing to open yet.", name);
  return trFormat("Run {}: {}.", name, picture()->text(index, picture()->columns.back()));
}

void SweepView::sortBy(ExhibitContext& context, std::size_t shown, const Theme& theme,
                       const std::optional<render::Rect>& box) const {
  if (!picture() || !box) return;
  const std::size_t column = makeSweepRows(picture(), chosen_, theme, box->width()).columns[shown];
  const bool turns = column == picture()->sortColumn;
  context.editor.replace(context.editor.document()
                             .with("training.library.sweep.sort", picture()->columns[column].key)
                             .with("training.library.sweep.descending", turns && !choice_.descending));
}

std::string SweepView::caption(const std::optional<render::Rect>& box) const {
  if (!picture() || !box) return tr("A sweep.");
  const sweep::SweepReading& reading = *picture()->reading;
  return trFormat("Sweep of {}: {} of {} runs have finished. {}.", reading.plan->name,
                  reading.count(sweep::RunProgress::Finished), reading.rows.size(),
                  sweepTitle(*picture(), box->width()));
}

/// A table of the points of the chart, and a table of the rows.
Numbers SweepView::numbers() const {
  Numbers numbers;
  if (!picture()) return numbers;
  const SweepPicture& shown = *picture();
  const sweep::SweepGrid& grid = shown.grid;
  Table& cells = numbers.tables.emplace_back();
  cells.name = "settings";
  const auto axis = [&](const sweep::SweepAxis& one, bool x) {
    std::vector<train::RunValue> values;
    for (const sweep::SweepCell& cell : grid.cells) {
      const std::size_t place = x ? cell.x : cell.y;
      values.push_back(one.isNumber() ? train::RunValue(one.numbers[place]) : train::RunValue(one.labels[place]));
    }
    cells.columns.push_back(exportColumn(shown.fieldName(one.field), one.isNumber(), values));
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
    std::vector<train::RunValue> values;
    for (const std::size_t row : shown.order)
      values.push_back(shown.value(row, column));
    runs.columns.push_back(exportColumn(column.key, column.number, values));
  }
  return numbers;
}

}  // namespace sepx::ui
