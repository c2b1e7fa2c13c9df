// SPDX-License-Identifier: Apache-2.0
// Code shared by all kinds of content. Each kind has its own file (chart_content.cpp and so on).
#include "ui/views/placed_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/fitting.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr const char* kDragGroup = "view.drag";
constexpr double kHandleReach = 9;  // points from the middle of a handle

void commitDrag(Editor& editor, const ViewHandle& handle, Document next) {
  if (next == editor.document()) return;
  if (handle.undoable)
    editor.commit(std::move(next), handle.label, kDragGroup);
  else
    editor.replace(std::move(next));
}

PictureGrip gripFor(const ViewHandle& handle, const std::function<render::Point(render::Point)>& data) {
  const auto drag = [handle, data](Editor& editor, render::Point at, bool shift) {
    Document next = editor.document();
    for (const auto& [key, value] : handle.changes(data(at), shift))
      if (Result<Document> with = editor.properties().set(next, key, value)) next = *std::move(with);
    commitDrag(editor, handle, std::move(next));
  };
  // In the undo group of the drag: a group that ends where it began is not an undo step.
  const auto takeBack = [handle](Editor& editor, const Document& before) {
    Document now = editor.document();
    for (const std::string& key : handle.keys)
      now = now.withPartOf(before, key);
    commitDrag(editor, handle, std::move(now));
  };
  return {.drag = drag, .cursor = handle.cursor, .atOnce = handle.follows, .again = true, .takeBack = takeBack};
}

}  // namespace

render::Color colorOf(NoteLine::Role role, const Theme& theme) {
  switch (role) {
    case NoteLine::Role::Muted:
      return theme.textMuted;
    case NoteLine::Role::Error:
      return theme.error;
    case NoteLine::Role::Accent:
      return theme.accent;
    default:
      return theme.text;
  }
}

std::string lineText(const NoteLine& line, double size, double width) {
  return fitting(line.parts, "   ", size, width);
}

std::unique_ptr<PlacedView> placeView(const View& view, const ViewPlace& place) {
  return std::visit([&place](const auto& content) { return placeContent(content, place); }, view.content);
}

double heightOf(const View& view, double width, const Theme& theme, bool figure) {
  constexpr double kNoEnd = 1e9;  // points
  return placeView(view, {{{0, 0}, {width, kNoEnd}}, theme, figure})->height();
}

std::optional<PictureGrip> gripOf(const std::vector<ViewHandle>& handles, const render::Rect& plot, render::Point at,
                                  const std::function<render::Point(render::Point)>& page,
                                  const std::function<render::Point(render::Point)>& data) {
  for (const ViewHandle& handle : handles) {
    if (!handle.at) continue;
    const render::Point middle = page(*handle.at);
    if (std::hypot(middle.x - at.x, middle.y - at.y) <= kHandleReach) return gripFor(handle, data);
  }
  const auto free = std::find_if(handles.begin(), handles.end(), [](const ViewHandle& one) { return !one.at; });
  return free != handles.end() && plot.contains(at) ? std::optional(gripFor(*free, data)) : std::nullopt;
}

ReadableView readMatrix(std::size_t rows, std::size_t columns, std::function<std::string(MatrixCell)> words,
                        std::function<std::optional<render::Point>(MatrixCell)> middle,
                        std::function<std::optional<MatrixCell>(render::Point)> under) {
  const auto cellOf = [](auto row, auto column) { return MatrixCell{static_cast<int>(row), static_cast<int>(column)}; };
  ReadableView view;
  view.role = ReadableView::Role::Matrix;
  view.description = trFormat("matrix of {} rows and {} columns", rows, columns);
  view.rows = rows;
  view.cells = [columns](std::size_t) { return columns; };
  view.text = [words, cellOf](std::size_t row, std::size_t column) { return words(cellOf(row, column)); };
  view.place = [middle, cellOf](std::size_t row, std::size_t column) { return middle(cellOf(row, column)); };
  view.under = [under = std::move(under)](render::Point at) -> std::optional<ReadableCell> {
    const std::optional<MatrixCell> cell = under(at);
    if (!cell) return std::nullopt;
    return ReadableCell{static_cast<std::size_t>(cell->row), static_cast<std::size_t>(cell->column)};
  };
  view.at = [middle, cellOf, rows, columns](render::Point data) -> std::optional<render::Point> {
    const bool inside =
        data.x >= 0 && data.y >= 0 && data.y < static_cast<double>(rows) && data.x < static_cast<double>(columns);
    return inside ? middle(cellOf(std::floor(data.y), std::floor(data.x))) : std::nullopt;
  };
  return view;
}

}  // namespace sepx::ui
