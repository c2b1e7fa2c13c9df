// SPDX-License-Identifier: Apache-2.0
// See sweep_rows.h.
#include "ui/exhibits/training/library/sweep_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/exhibits/training/library/library_view.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

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

/// The state stands behind the metric of the chart: the last ones go where there is little room.
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

}  // namespace

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

}  // namespace sepx::ui
