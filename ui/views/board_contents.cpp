// SPDX-License-Identifier: Apache-2.0
// What ViewBoard derives from its views besides the picture: controls, numbers to export, text for assistive tools, and
// the gestures of the "Keys and pointer" sheet. See board.h.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ui/properties/tr.h"
#include "ui/views/board.h"

namespace sepx::ui {

Strip ViewBoard::controls() const {
  Strip all;
  for (const Shown& shown : shown_)
    if (const Strip* const strip = shown.placed->controls())
      all.buttons.insert(all.buttons.end(), strip->buttons.begin(), strip->buttons.end());
  return all;
}

void ViewBoard::drawControls(const ExhibitContext& context) {
  for (const Shown& shown : shown_) {
    if (!std::holds_alternative<FieldsContent>(views_.views[shown.view].content)) continue;
    ExhibitContext own = context;
    shown.placed->drawControls(own, prefix_ + shown.name);
  }
}

Numbers ViewBoard::numbers() const {
  Numbers all;
  for (const View& view : views_.views) {
    Numbers of = view.numbers ? view.numbers() : Numbers();
    std::ranges::move(of.tables, std::back_inserter(all.tables));
    std::ranges::move(of.grids, std::back_inserter(all.grids));
    const auto* const matrix = std::get_if<MatrixContent>(&view.content);
    if (view.numbers || !matrix || !matrix->values) continue;
    all.grids.push_back({view.name,
                         {static_cast<std::size_t>(matrix->rows), static_cast<std::size_t>(matrix->columns)},
                         std::vector<double>(matrix->values->begin(), matrix->values->end())});
  }
  return all;
}

std::vector<ReadableView> ViewBoard::readable() {
  std::vector<ReadableView> all;
  for (Shown& shown : shown_) {
    std::optional<ReadableView> view = shown.placed->read();
    if (!view) continue;
    view->name = prefix_ + shown.name;
    view->box = shown.box;
    view->seen = view->place;
    if (view->place)
      view->place = [this, &shown, place = std::move(view->place)](std::size_t row, std::size_t cell) {
        if (shown.placed->reveal(row)) draw(shown);
        return place(row, cell);
      };
    all.push_back(*std::move(view));
  }
  return all;
}

std::vector<std::pair<std::string, std::string>> ViewBoard::gestures() const {
  bool slides = false, reads = false, rows = false, cells = false, picks = false, drags = false;
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&](const std::vector<ViewHandle>& handles) {
    drags = drags || !handles.empty();
    for (const ViewHandle& handle : handles)
      if (!handle.gesture.first.empty() && std::find(all.begin(), all.end(), handle.gesture) == all.end())
        all.push_back(handle.gesture);
  };
  for (const Shown& shown : shown_) {
    const auto& content = views_.views[shown.view].content;
    if (const auto* picture = std::get_if<PictureContent>(&content)) add(picture->handles);
    if (const auto* chart = std::get_if<ChartContent>(&content)) {
      add(chart->handles);
      slides = slides || chart->slide;
      reads = true;
    }
    if (const auto* table = std::get_if<TableContent>(&content))
      rows = rows || table->pick || table->pickCell || table->pressed;
    if (const auto* matrix = std::get_if<MatrixContent>(&content)) {
      picks = picks || matrix->pick;
      cells = true;
    }
  }
  if (drags) all.emplace_back(tr("Shift while dragging"), tr("coarse steps"));
  if (drags) all.emplace_back(tr("Escape while dragging"), tr("cancel the drag"));
  if (slides) all.emplace_back(tr("drag in a chart"), tr("move its line"));
  if (reads) {
    all.emplace_back(tr("hover over a chart"), tr("the values under the pointer"));
    all.emplace_back(tr("wheel over a chart"), tr("zoom; over an axis: along it only"));
    all.emplace_back(tr("drag with the right button in a chart"), tr("show that part"));
    all.emplace_back(tr("double-click a chart"), tr("show all of it"));
    all.emplace_back(tr("click an axis of a chart"), tr("logarithmic or linear"));
  }
  if (rows) all.emplace_back(tr("click a row of the table"), tr("show it"));
  if (picks) all.emplace_back(tr("click an entry of a matrix"), tr("choose it"));
  if (cells) all.emplace_back(tr("hover over a matrix"), tr("the entry under the pointer"));
  return all;
}

}  // namespace sepx::ui
