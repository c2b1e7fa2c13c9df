// SPDX-License-Identifier: Apache-2.0
// Draws the pictures, cells and axes of panes, and handles the pointer over them.
#include "ui/views/matrix_panes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "ui/canvas/shapes.h"
#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

constexpr double kLeastCellWidth = 36, kLeastCellHeight = 15;  // points, for values in cells
constexpr double kGridFrom = 9;                                // points of a cell, for lines between cells
constexpr double kMostValues = 3000;
constexpr double kStill = 3, kLeastFrame = 4;  // points: movement that begins a drag, side of the frame in a minimap
constexpr double kLeastPlot = 40, kLeastHeight = 20;  // points

using Panes = std::shared_ptr<const MatrixPanes>;

void addPicture(std::vector<render::Item>& items, const MatrixPicture& picture, const MatrixPane& pane,
                const MatrixPlot& plot, const ViewPlace& place) {
  if (!picture.places || picture.width == 0) return;
  MatrixPicture shown = picture;
  if (place.figure) shown = enlarged(cropped(picture, plot.view), picture.step * plot.cellWidth());
  if (shown.width == 0 || shown.height == 0) return;
  render::Heatmap map = heatmapOf(shown, pane.scale, place.theme);
  map.extent = pageBox(plot, map.extent);
  map.space = render::Space::Page;
  if (pane.stale) map.opacity = 0.45f;
  items.emplace_back(std::move(map));
}

/// Hatching in the error colour below the heat map, which is transparent at entries that are not finite.
void addHatch(std::vector<render::Item>& items, const MatrixPane& pane, const Theme& theme) {
  render::LabelMap hatch{.extent = pane.plot, .width = 1, .height = 1};
  hatch.labels = std::make_shared<std::vector<std::uint8_t>>(1, std::uint8_t{0});
  hatch.palette = {faded(theme.error, 0.45f)};
  hatch.hatch = {1};
  hatch.space = render::Space::Page;
  items.emplace_back(std::move(hatch));
}

void addValues(std::vector<render::Item>& items, const MatrixPane& pane, const MatrixPlot& plot, const Theme& theme) {
  if (pane.pictures.empty() || !pane.pictures.back().values || pane.pictures.back().step != 1) return;
  const MatrixPicture& picture = pane.pictures.back();
  const double width = plot.cellWidth();
  const double size =
      std::min({double(theme.textSize), 0.62 * plot.cellHeight(), (width - 6) / textWidth("−0.000", 1)});
  addCellTexts(items, plot, size, [&](MatrixCell cell) -> CellText {
    const Eigen::Index row = cell.row - picture.crop.row0, column = cell.column - picture.crop.column0;
    if (row < 0 || column < 0 || row >= picture.height || column >= picture.width) return {};
    const double value = (*picture.values)[static_cast<std::size_t>(row * picture.width + column)];
    return {cellText(value, width, size), std::isfinite(value) ? pane.scale.color(value, theme) : theme.plotBackground};
  });
}

std::vector<render::Item> paneItems(const MatrixPanes& panes, const MatrixPane& pane, const ViewPlace& place) {
  std::vector<render::Item> items;
  const MatrixPlot plot = panes.in(pane);
  items.emplace_back(pageFill(pane.plot, place.theme.surface));
  if (pane.nonfinite) addHatch(items, pane, place.theme);
  for (const MatrixPicture& picture : pane.pictures)
    addPicture(items, picture, pane, plot, place);
  if (plot.cellWidth() >= kGridFrom && plot.cellHeight() >= kGridFrom) addCellGrid(items, plot, place.theme);
  const double cells = plot.view.width() * plot.view.height() * static_cast<double>(panes.panes.size());
  if (panes.values && plot.cellWidth() >= kLeastCellWidth && plot.cellHeight() >= kLeastCellHeight &&
      cells < kMostValues)
    addValues(items, pane, plot, place.theme);
  return items;
}

std::vector<render::Item> axisItems(const MatrixPanes& panes, const ViewPlace& place) {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
  const render::Rect& first = panes.panes.front().plot;
  for (const MatrixPane& pane : panes.panes) {
    const render::Rect& plot = pane.plot;
    items.emplace_back(pageFrameLine(plot, theme.border));
    if (!panes.columnAxis.empty()) addColumnNumbers(items, panes.in(pane), panes.columnAxis, theme);
    // Only the first plot in a line of plots has row numbers.
    if (!panes.rowAxis.empty() && plot.min.x == first.min.x)
      addRowNumbers(items, panes.in(pane), plot == first ? panes.rowEdge : plot.min.x, place.box.min.x, panes.rowAxis,
                    theme);
    if (!pane.title.empty())
      items.emplace_back(textAt({plot.min.x, pane.titleBottom}, elided(pane.title, theme.smallSize, plot.width()),
                                theme.smallSize, theme.text, render::AlignX::Left, render::AlignY::Bottom));
  }
  return items;
}

/// The tip about the cell under the pointer, which is marked in all panes.
std::vector<render::Item> tipItems(const MatrixPanes& panes, const MatrixPane& pane, const Theme& theme,
                                   render::Point at, const render::Rect& area) {
  std::vector<render::Item> items;
  const std::optional<MatrixCell> cell = panes.in(pane).cellAt(at);
  const std::vector<std::string> lines = cell && panes.tip ? panes.tip(pane, *cell) : std::vector<std::string>();
  if (lines.empty()) return items;
  for (const MatrixPane& one : panes.panes)
    addCellMark(items, panes.in(one), *cell, theme);
  addTip(items, at, lines, area, theme);
  return items;
}

PictureGrip panOf(const Panes& panes, const MatrixPlot& plot, render::Point from) {
  return {.drag =
              [panes, plot, from](Editor& editor, render::Point to, bool) {
                const Camera moved = panned(plot.camera(), to.x - from.x, to.y - from.y);
                panes->show(editor, boundedView(moved.window, plot.whole));
              },
          .cursor = Cursor::Cross,
          .dragCursor = Cursor::Move,
          .still = kStill,
          .anyButton = true};
}

/// The pane as text, entry by entry, for scripts and assistive tools.
ReadableView readPane(const MatrixPanes& panes, const MatrixPane& pane) {
  const auto words = [&panes, &pane](MatrixCell cell) {
    std::string all;
    for (const std::string& line : panes.tip ? panes.tip(pane, cell) : std::vector<std::string>())
      all += (all.empty() ? "" : ", ") + line;
    return all;
  };
  const MatrixPlot plot = panes.in(pane);
  const auto middle = [plot](MatrixCell cell) -> std::optional<render::Point> {
    const render::Rect box = plot.box(cell);
    const render::Point at{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
    return plot.plot.contains(at) ? std::optional(at) : std::nullopt;
  };
  ReadableView view =
      readMatrix(static_cast<std::size_t>(panes.whole.height()), static_cast<std::size_t>(panes.whole.width()), words,
                 middle, [plot](render::Point at) { return plot.cellAt(at); });
  view.label = pane.title;
  return view;
}

PictureContent paneContent(const Panes& panes, std::size_t i) {
  const MatrixPane& pane = panes->panes[i];
  const MatrixPlot plot = panes->in(pane);
  Digest of;
  of.add(panes->seen, panes->whole, panes->values, panes->panes.size(), pane.scale.kind, pane.scale.limits.low,
         pane.scale.limits.high, pane.stale, pane.nonfinite);
  for (const MatrixPicture& picture : pane.pictures)
    of.add(picture.places, picture.width, picture.height, picture.step, picture.crop.row0, picture.crop.column0);
  return {
      .of = of.value(),
      .draw = [panes, &pane](const ViewPlace& place) { return paneItems(*panes, pane, place); },
      .tip = [panes, &pane](const ViewPlace& place, render::Point at,
                            const render::Rect& area) { return tipItems(*panes, pane, place.theme, at, area); },
      .hold = [panes, plot](const ViewPlace&, render::Point at) { return std::optional(panOf(panes, plot, at)); },
      .wheel = [panes](Editor& editor, const ViewPlace&, render::Point at,
                       double notches) { panes->zoom(editor, at, std::pow(kZoom, std::clamp(notches, -20.0, 20.0))); },
      .twice =
          [panes](Editor& editor, const ViewPlace&, render::Point) {
            panes->show(editor, std::nullopt);
            return true;
          },
      .read = [panes, &pane](const ViewPlace&) { return readPane(*panes, pane); },
      .boxed = true};
}

}  // namespace

const MatrixPane* MatrixPanes::at(render::Point page) const {
  for (const MatrixPane& pane : panes)
    if (pane.plot.contains(page)) return &pane;
  return nullptr;
}

void MatrixPanes::zoom(Editor& editor, std::optional<render::Point> about, double factor) const {
  if (panes.empty()) return;
  const MatrixPane* const under = about ? at(*about) : nullptr;
  const MatrixPlot plot = in(under ? *under : panes.front());
  const render::Point middle{(plot.plot.min.x + plot.plot.max.x) / 2, (plot.plot.min.y + plot.plot.max.y) / 2};
  show(editor, boundedView(ui::zoomed(plot.camera(), under ? *about : middle, factor).window, whole));
}

std::vector<render::Rect> largestPlots(const render::Rect& room, std::size_t count, double aspect, render::Point gap) {
  std::size_t best = 1;
  double height = 0;
  const auto rowsOf = [count](std::size_t columns) { return (count + columns - 1) / columns; };
  for (std::size_t columns = count; columns >= 1; --columns) {
    const auto across = static_cast<double>(columns), down = static_cast<double>(rowsOf(columns));
    const double now =
        std::min((room.height() - (down - 1) * gap.y) / down, (room.width() - (across - 1) * gap.x) / across / aspect);
    if (now > height) height = now, best = columns;
  }
  std::vector<render::Rect> plots;
  const double width = height * aspect;
  if (width < kLeastPlot || height < kLeastHeight) return plots;
  for (std::size_t i = 0; i < count; ++i) {
    const render::Point at{room.min.x + static_cast<double>(i % best) * (width + gap.x),
                           room.min.y + static_cast<double>(i / best) * (height + gap.y)};
    plots.push_back({at, {at.x + width, at.y + height}});
  }
  return plots;
}

void addPanes(Views& into, const render::Rect& area, MatrixPanes given) {
  const Panes panes = std::make_shared<const MatrixPanes>(std::move(given));
  Digest axes;
  axes.add(panes->seen, panes->rowAxis, panes->columnAxis, panes->rowEdge);
  for (std::size_t i = 0; i < panes->panes.size(); ++i) {
    const MatrixPane& pane = panes->panes[i];
    axes.add(pane.plot, pane.title);
    into.addAt(pane.plot, {pane.view, paneContent(panes, i)});
  }
  const auto draw = [panes](const ViewPlace& place) { return axisItems(*panes, place); };
  into.addAt(area, {"axes", PictureContent{.of = axes.value(), .draw = draw}});
}

PictureContent minimapOf(const MatrixPanes& panes, const MatrixPicture& overview, const MatrixScale& scale) {
  PictureContent content;
  content.of =
      Digest().add(overview.places, panes.seen, panes.whole, scale.kind, scale.limits.low, scale.limits.high).value();
  content.boxed = true;
  content.draw = [overview, scale, seen = panes.seen, whole = panes.whole](const ViewPlace& place) {
    std::vector<render::Item> items;
    const MatrixPlot plot{place.box, whole, whole};
    render::Heatmap map = heatmapOf(overview, scale, place.theme);
    map.extent = pageBox(plot, map.extent);
    map.space = render::Space::Page;
    map.smooth = true;
    items.emplace_back(std::move(map));
    items.emplace_back(pageFrameLine(place.box, place.theme.border));
    render::Rect box = pageBox(plot, seen);
    const double wide = std::max(0.0, kLeastFrame - box.width()) / 2,
                 tall = std::max(0.0, kLeastFrame - box.height()) / 2;
    box = {{box.min.x - wide, box.min.y - tall}, {box.max.x + wide, box.max.y + tall}};
    items.emplace_back(pageFrameLine(box, place.theme.accent, place.theme.strongLine));
    return items;
  };
  content.hold = [panes](const ViewPlace& place, render::Point) {
    const auto drag = [panes, plot = MatrixPlot{place.box, panes.whole, panes.whole}](Editor& editor, render::Point at,
                                                                                      bool) {
      const render::Point middle = toData(plot.camera(), at), half{panes.seen.width() / 2, panes.seen.height() / 2};
      panes.show(editor, boundedView({{middle.x - half.x, middle.y - half.y}, {middle.x + half.x, middle.y + half.y}},
                                     plot.whole));
    };
    return std::optional(PictureGrip{.drag = drag, .cursor = Cursor::Hand, .atOnce = true});
  };
  return content;
}

render::Rect pageBox(const MatrixPlot& plot, const render::Rect& entries) {
  const render::Point a = toPage(plot.camera(), entries.min), b = toPage(plot.camera(), entries.max);
  return {{a.x, b.y}, {b.x, a.y}};
}

}  // namespace sepx::ui
