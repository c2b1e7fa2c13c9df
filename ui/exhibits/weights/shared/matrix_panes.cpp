// SPDX-License-Identifier: Apache-2.0
// Pictures, cells and axes of matrices, and the pointer over them.
#include "ui/exhibits/weights/shared/matrix_panes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/shared/matrix_results.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

constexpr double kLeastCellWidth = 36, kLeastCellHeight = 15;  // points, for values in cells
constexpr double kGridFrom = 9;                                // points of a cell, for lines between cells
constexpr double kMostValues = 3000;
constexpr double kWheel = 1.25, kStill = 3;
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

/// Under entries that are not finite, which the heat map leaves open: hatched in the colour of errors.
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
    // Numbers of rows stand at the first plot of a line of plots.
    if (!panes.rowAxis.empty() && plot.min.x == first.min.x)
      addRowNumbers(items, panes.in(pane), plot == first ? panes.rowEdge : plot.min.x, place.box.min.x, panes.rowAxis,
                    theme);
    if (!pane.title.empty())
      items.emplace_back(textAt({plot.min.x, pane.titleBottom}, elided(pane.title, theme.smallSize, plot.width()),
                                theme.smallSize, theme.text, render::AlignX::Left, render::AlignY::Bottom));
  }
  return items;
}

/// The cell is marked in all panes.
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

void zoom(Editor& editor, const MatrixPlot& plot, render::Point about, double factor) {
  showEntries(editor, boundedView(zoomed(plot.camera(), about, factor).window, plot.whole));
}

PictureGrip panOf(const MatrixPlot& plot, render::Point from) {
  return {.drag =
              [plot, from](Editor& editor, render::Point to, bool) {
                const Camera moved = panned(plot.camera(), to.x - from.x, to.y - from.y);
                showEntries(editor, boundedView(moved.window, plot.whole));
              },
          .cursor = Cursor::Cross,
          .dragCursor = Cursor::Move,
          .still = kStill,
          .anyButton = true};
}

/// Entry by entry, as scripts and assistive programs read it.
ReadableView readPane(const MatrixPanes& panes, const MatrixPane& pane) {
  const MatrixPlot plot = panes.in(pane);
  const auto rows = static_cast<std::size_t>(panes.whole.height()),
             columns = static_cast<std::size_t>(panes.whole.width());
  const auto middle = [plot](MatrixCell cell) -> std::optional<render::Point> {
    const render::Rect box = plot.box(cell);
    const render::Point at{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
    return plot.plot.contains(at) ? std::optional(at) : std::nullopt;
  };
  const auto cellOf = [](std::size_t row, std::size_t column) {
    return MatrixCell{static_cast<int>(row), static_cast<int>(column)};
  };
  ReadableView view{.role = ReadableView::Role::Matrix, .label = pane.title};
  view.description = trFormat("matrix of {} rows and {} columns", rows, columns);
  view.rows = rows;
  view.cells = [columns](std::size_t) { return columns; };
  view.text = [&panes, &pane, cellOf](std::size_t row, std::size_t column) {
    std::string all;
    for (const std::string& line : panes.tip ? panes.tip(pane, cellOf(row, column)) : std::vector<std::string>())
      all += (all.empty() ? "" : ", ") + line;
    return all;
  };
  view.place = [middle, cellOf](std::size_t row, std::size_t column) { return middle(cellOf(row, column)); };
  view.at = [middle](render::Point data) {
    return middle({static_cast<int>(std::floor(data.y)), static_cast<int>(std::floor(data.x))});
  };
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
      .hold = [plot](const ViewPlace&, render::Point at) -> std::optional<PictureGrip> { return panOf(plot, at); },
      .wheel = [plot](Editor& editor, const ViewPlace&, render::Point at,
                      double notches) { zoom(editor, plot, at, std::pow(kWheel, std::clamp(notches, -20.0, 20.0))); },
      .twice =
          [](Editor& editor, const ViewPlace&, render::Point) {
            showEntries(editor, std::nullopt);
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

void MatrixPanes::show(const WeightsState& state, double rows, double columns) {
  whole = {{0, -rows}, {columns, 0}};
  seen = boundedView(state.view.value_or(whole), whole).value_or(whole);
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

std::vector<MatrixPicture> picturesOf(const MatrixPart* part, const render::Rect& seen) {
  std::vector<MatrixPicture> pictures;
  if (!part) return pictures;
  // A NaN of the picture must not show the overview's blocks.
  if (!part->picture.covers(seen) && part->overview.values) pictures.push_back(part->overview);
  if (part->picture.values) pictures.push_back(part->picture);
  return pictures;
}

void addPanes(Views& into, Arrangement& stack, MatrixPanes given) {
  const Panes panes = std::make_shared<const MatrixPanes>(std::move(given));
  Digest axes;
  axes.add(panes->seen, panes->rowAxis, panes->columnAxis, panes->rowEdge);
  for (const MatrixPane& pane : panes->panes)
    axes.add(pane.plot, pane.title);
  into.views.push_back({"axes", PictureContent{.of = axes.value(), .draw = [panes](const ViewPlace& place) {
                                                 return axisItems(*panes, place);
                                               }}});
  for (std::size_t i = 0; i < panes->panes.size(); ++i) {
    stack.parts.push_back(viewNamed(panes->panes[i].view));
    stack.parts.back().at = panes->panes[i].plot;
    into.views.push_back({panes->panes[i].view, paneContent(panes, i)});
  }
  stack.parts.push_back(viewNamed("axes"));
}

void showEntries(Editor& editor, const std::optional<render::Rect>& seen) {
  editor.replace(withWeightsView(editor.document(), seen));
}

std::vector<WeightsPage::Command> viewCommands(std::function<MatrixPanes(const PageFrame&)> panesOf) {
  const auto zooming = [&panesOf](double factor) {
    return [panesOf, factor](const PageFrame& frame, ExhibitContext& context) {
      const MatrixPanes panes = panesOf(frame);
      if (panes.panes.empty()) return;
      const MatrixPane* const under = frame.pointer ? panes.at(*frame.pointer) : nullptr;
      const render::Rect& plot = under ? under->plot : panes.panes.front().plot;
      const render::Point middle{(plot.min.x + plot.max.x) / 2, (plot.min.y + plot.max.y) / 2};
      zoom(context.editor, {plot, panes.seen, panes.whole}, under ? *frame.pointer : middle, factor);
    };
  };
  return {{"view.reset", tr("Reset view"), "R", tr("View"), true,
           [](ExhibitContext& context) { showEntries(context.editor, std::nullopt); }},
          {"view.zoom-in", tr("Zoom in"), "+", tr("View"), true, zooming(kWheel)},
          {"view.zoom-out", tr("Zoom out"), "-", tr("View"), true, zooming(1 / kWheel)}};
}

double entryOf(const attention::LayerFactors& factors, attention::Part part, int row, int column) {
  const auto stored = [&factors](int i, int j) {
    double sum = 0;
    for (int h = 0; h < factors.heads; ++h)
      sum += factors.query(h).row(i).dot(factors.key(h).row(j));
    return sum;
  };
  const double here = stored(row, column);
  if (part == attention::Part::Full) return here;
  const double across = stored(column, row);
  return part == attention::Part::Symmetric ? (here + across) / 2 : (here - across) / 2;
}

render::Rect pageBox(const MatrixPlot& plot, const render::Rect& entries) {
  const render::Point a = toPage(plot.camera(), entries.min), b = toPage(plot.camera(), entries.max);
  return {{a.x, b.y}, {b.x, a.y}};
}

}  // namespace sepx::ui
