// SPDX-License-Identifier: Apache-2.0
// See form_panes.h.
#include "ui/canvas/fitting.h"
#include "ui/race/form_panes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/plots/matrix_view.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"
#include "ui/runs/state_words.h"

namespace sepx::ui {

namespace {

constexpr double kPaneGap = 10, kNameLeft = 20;
constexpr double kWords = 12;  // sizes of small text, for the words at a small picture

MatrixScale scaleOf(const RaceShared& shared, const QkForm& form) {
  double limit = shared.state.scale == RaceScale::Own ? form.limit : shared.formLimit;
  if (!(limit > 0)) limit = 1;
  return {ScaleKind::Diverging, {-limit, limit}};
}

/// The pane's words while there is no matrix.
std::string missing(const RacingRun& racing) {
  if (!racing.formFailure.empty()) return racing.formFailure;
  if (!racing.run) return tr("The run is not open.");
  if (!racing.run->failure().empty()) return tr("The run has no matrix.");  // why, the page says above
  if (racing.run->state() == train::RunState::Preparing) return preparingWords(racing.run->live());
  if (racing.run->loaded() && !racing.run->here() && racing.run->savedSteps().empty())
    return tr("The run has no checkpoint yet.");
  return tr("Waiting for the first matrix…");
}

std::vector<std::string> scoreTexts(const RacingRun& racing, const RaceShared& shared, std::int64_t step) {
  std::vector<std::string> texts;
  const auto add = [&](const char* symbol, const char* metric) {
    const auto value = scoreAt(*racing.run, metric, shared.state.layer, shared.state.head, step);
    if (value) texts.push_back(fmt::format("{} {}", symbol, withMinus(fmt::format("{:.2f}", *value))));
  };
  add("s", "symmetry");
  add("d", "directionality");
  add("ΔCV", "row_column_cv");
  return texts;
}

}  // namespace

void FormPanes::place(const RaceFrame& frame, const render::Rect& box) {
  box_ = box;
  panes_.clear();
  const std::size_t count = frame.shared.runs.size();
  if (count == 0 || box.width() < 20 || box.height() < 20) return;
  const Theme& theme = frame.theme;
  const double below = 3.2 * theme.smallSize;
  double above = 0, side = 0;
  std::size_t columns = 1;
  const auto fit = [&](double nameRows) {  // the largest square panes
    above = (1.35 * nameRows + 0.35) * theme.smallSize;
    side = 0;
    for (std::size_t tried = 1; tried <= count; ++tried) {
      const std::size_t rows = (count + tried - 1) / tried;
      const double width = (box.width() - kPaneGap * static_cast<double>(tried - 1)) / static_cast<double>(tried);
      const double height =
          (box.height() - kPaneGap * static_cast<double>(rows - 1)) / static_cast<double>(rows) - above - below;
      if (std::min(width, height) > side) side = std::min(width, height), columns = tried;
    }
  };
  fit(1);
  // Words have the room beside a picture as well, where the height decides its size.
  const auto wordsWidth = [&] {
    const double most = (box.width() - kPaneGap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
    return std::clamp<double>(kWords * theme.smallSize, side, std::max(side, most));
  };
  const auto wide = [&](const RacingRun& one) {
    return textWidth(one.name(), theme.smallSize) > wordsWidth() - kNameLeft;
  };
  if (std::any_of(frame.shared.runs.begin(), frame.shared.runs.end(), wide)) fit(2);
  if (side < 12) return;
  const std::size_t rows = (count + columns - 1) / columns;
  const double words = wordsWidth();
  const double width = words + kPaneGap, height = side + above + below + kPaneGap;
  const double left = box.min.x + (box.width() - width * static_cast<double>(columns) + kPaneGap) / 2;
  const double top = box.min.y + std::max(0.0, (box.height() - height * static_cast<double>(rows) + kPaneGap) / 2);
  for (std::size_t i = 0; i < count; ++i) {
    const render::Point at{left + width * static_cast<double>(i % columns),
                           top + height * static_cast<double>(i / columns)};
    panes_.push_back({{at, {at.x + words, at.y + side + above + below}},
                      {{at.x, at.y + above}, {at.x + side, at.y + above + side}}});
  }
}

std::vector<render::Item> FormPanes::items(const RaceFrame& frame) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const RaceShared& shared = frame.shared;
  for (std::size_t i = 0; i < panes_.size() && i < shared.runs.size(); ++i) {
    const RacingRun& racing = shared.runs[i];
    const Pane& pane = panes_[i];
    const double room = pane.box.width();
    const float small = theme.smallSize;
    addSwatch(items, {pane.box.min.x, pane.box.min.y + 0.8 * small}, 16, runLook(theme, i), theme);
    std::vector<std::string> name{racing.name()};
    const bool two = pane.picture.min.y - pane.box.min.y > 2.7 * small;
    if (two) name = wrapped(name.front(), small, room - kNameLeft);
    for (std::size_t row = 0; row < std::min<std::size_t>(name.size(), 2); ++row)
      items.emplace_back(
          textAt({pane.box.min.x + kNameLeft, pane.box.min.y + (0.8 + 1.35 * static_cast<double>(row)) * small},
                 elided(name[row], small, room - kNameLeft), small, theme.text));
    items.emplace_back(pageFill(pane.picture, theme.surface));
    if (!racing.form || !racing.form->values) {
      addMissing(items, pane.picture, sentenceCase(missing(racing)), frame);
      items.emplace_back(pageFrameLine(pane.picture, theme.border));
      continue;
    }
    const QkForm& form = *racing.form;
    const MatrixScale scale = scaleOf(shared, form);
    items.emplace_back(render::Heatmap{.extent = flipped(pane.picture),
                                       .width = form.columns,
                                       .height = form.rows,
                                       .values = form.values,
                                       .map = scale.map(theme),
                                       .low = static_cast<float>(scale.limits.low),
                                       .high = static_cast<float>(scale.limits.high),
                                       .smooth = false});
    items.emplace_back(pageFrameLine(pane.picture, theme.border));
    const double y = pane.picture.max.y + 0.9 * small;
    std::string words = trFormat("step {}", stepText(form.step));
    const std::string limit = fmt::format("±{}", formatReading(scale.limits.high));
    items.emplace_back(textAt({pane.picture.min.x, y}, words, small, theme.textMuted));
    if (textWidth(words, small) + textWidth(limit, small) + 8 < room)
      items.emplace_back(textAt({pane.box.max.x, y}, limit, small, theme.textMuted, render::AlignX::Right));
    items.emplace_back(textAt({pane.picture.min.x, y + 1.35 * small},
                              fitting(scoreTexts(racing, shared, form.step), "   ", small, room), small, theme.text));
  }
  return items;
}

std::vector<render::Item> FormPanes::tip(const RaceFrame& frame) const {
  std::vector<render::Item> items;
  const RaceShared& shared = frame.shared;
  for (std::size_t i = 0; i < panes_.size() && i < shared.runs.size(); ++i) {
    const std::shared_ptr<const QkForm>& form = shared.runs[i].form;
    if (!form || !form->values || !panes_[i].picture.contains(*frame.pointer)) continue;
    const MatrixPlot plot = wholeMatrix(panes_[i].picture, form->rows, form->columns);
    const std::optional<MatrixCell> cell = plot.cellAt(*frame.pointer);
    if (!cell) continue;
    const float entry = (*form->values)[static_cast<std::size_t>(cell->row) * static_cast<std::size_t>(form->columns) +
                                        static_cast<std::size_t>(cell->column)];
    addCellMark(items, plot, *cell, frame.theme);
    addTip(items, *frame.pointer,
           {trFormat("row {}, column {} = {}", cell->row, cell->column, entryText(static_cast<double>(entry))),
            fmt::format("{}, {}", shared.runs[i].name(), trFormat("step {}", stepText(form->step)))},
           frame.area, frame.theme);
  }
  return items;
}

void FormPanes::scene(const RaceFrame& frame, std::vector<render::Layer>& into, const LayerKey& key) {
  if (panes_.empty()) return;
  const LayerKey all = keyWith(key, box_, frame.shared.formsRevision, frame.shared.formLimit, frame.shared.step);
  layers_.add(
      into, frame.shared.key("forms"), all, [&] { return items(frame); }, false);
  if (frame.pointer && !frame.figure)
    layers_.add(
        into, frame.shared.key("forms.tip"), keyWith(all, *frame.pointer), [&] { return tip(frame); }, false);
}

}  // namespace sepx::ui
