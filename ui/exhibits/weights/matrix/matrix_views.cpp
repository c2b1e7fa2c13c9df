// SPDX-License-Identifier: Apache-2.0
// The views of the matrix page, but for what is about norms.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/matrix/matrix_page.h"
#include "ui/exhibits/weights/shared/color_scale.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

std::vector<std::string> hoverLines(const MatrixHover& hover) {
  std::vector<std::string> lines{fmt::format("{} {}, {} {}", tr("row"), hover.row, tr("column"), hover.column),
                                 "= " + entryText(hover.value, 7)};
  if (std::isfinite(hover.rowNorm)) lines.push_back(std::string(tr("row norm")) + " " + entryText(hover.rowNorm));
  if (std::isfinite(hover.columnNorm))
    lines.push_back(std::string(tr("column norm")) + " " + entryText(hover.columnNorm));
  if (hover.rowOutlier || hover.columnOutlier)
    lines.emplace_back(hover.rowOutlier && hover.columnOutlier ? tr("outliers: row, column")
                       : hover.rowOutlier                      ? tr("outlier: row")
                                                               : tr("outlier: column"));
  if (hover.part != attention::Part::Full)
    lines.push_back(hover.part == attention::Part::Symmetric ? tr("of the symmetric part") : tr("of the skew part"));
  return lines;
}

/// Why there is no picture, and a button that leads to the mapping.
Views sentenceViews(const PageFrame& frame) {
  Views made = sentenceAlone(matrixSentence(frame.shared));
  const double size = frame.theme.textSize;
  if (!frame.shared.model || frame.figure || frame.area.height() <= 8 * size) return made;
  const std::string words = tr("Show the mapping");
  const double half = textWidth(words, size) / 2 + 2 * frame.theme.space;
  const render::Point middle{(frame.area.min.x + frame.area.max.x) / 2, frame.area.max.y - 3.5 * size};
  const auto button = [words](const ViewPlace& place, std::optional<render::Point> pointer) {
    std::vector<render::Item> items;
    addButton(items, {.label = words, .box = place.box, .on = true, .size = place.theme.textSize}, place.theme,
              pointer);
    return items;
  };
  made.views.push_back(
      {"mapping", PictureContent{.draw = [button](const ViewPlace& place) { return button(place, std::nullopt); },
                                 .tip = [button](const ViewPlace& place, render::Point at,
                                                 const render::Rect&) { return button(place, at); },
                                 .pick =
                                     [](const ViewPlace&, render::Point) {
                                       return Changes{{"weights.page", "mapping"}};
                                     }}});
  Arrangement at = viewNamed("mapping");
  at.at = render::Rect{{middle.x - half, middle.y - size}, {middle.x + half, middle.y + size}};
  made.arrangement = {.kind = Arrangement::Kind::Stack, .parts = {std::move(made.arrangement), std::move(at)}};
  return made;
}

}  // namespace

void MatrixPage::fill(MatrixPanes& panes, const WeightsShared& shared) const {
  for (MatrixPane& pane : panes.panes) {
    const MatrixPart* const part = pictures_.part(pane.part);
    pane.pictures = picturesOf(part, panes.seen);
    pane.scale = scale_;
    pane.stale = isStale(shared);
    pane.nonfinite = (part && part->histogram && part->histogram->nonfinite() > 0) ||
                     (shared.moments && shared.moments->nonfinite > 0);
  }
  panes.tip = [this, &shared](const MatrixPane& pane, MatrixCell cell) {
    const std::optional<MatrixHover> hover = hoverAt(shared, pane.part, cell);
    return hover ? hoverLines(*hover) : std::vector<std::string>();
  };
}

PictureContent MatrixPage::minimap(const MatrixPanes& panes) const {
  const MatrixPart* const part = pictures_.part(panes.panes.front().part);
  PictureContent content;
  if (!part || !part->overview.places) return content;
  const auto draw = [overview = part->overview, scale = scale_, seen = panes.seen,
                     whole = panes.whole](const ViewPlace& place) {
    std::vector<render::Item> items;
    const MatrixPlot plot{place.box, whole, whole};
    render::Heatmap map = heatmapOf(overview, scale, place.theme);
    map.extent = pageBox(plot, map.extent);
    map.space = render::Space::Page;
    map.smooth = true;
    items.emplace_back(std::move(map));
    items.emplace_back(pageFrameLine(place.box, place.theme.border));
    constexpr double kLeast = 4;  // points: a view of few cells is still seen
    render::Rect box = pageBox(plot, seen);
    const double wide = std::max(0.0, kLeast - box.width()) / 2, tall = std::max(0.0, kLeast - box.height()) / 2;
    box = {{box.min.x - wide, box.min.y - tall}, {box.max.x + wide, box.max.y + tall}};
    items.emplace_back(pageFrameLine(box, place.theme.accent, place.theme.strongLine));
    return items;
  };
  content.of =
      Digest()
          .add(part->overview.places, panes.seen, panes.whole, scale_.kind, scale_.limits.low, scale_.limits.high)
          .value();
  content.draw = draw;
  content.boxed = true;
  content.hold = [seen = panes.seen, whole = panes.whole](const ViewPlace& place,
                                                          render::Point) -> std::optional<PictureGrip> {
    const auto drag = [seen, plot = MatrixPlot{place.box, whole, whole}](Editor& editor, render::Point at, bool) {
      const render::Point middle = toData(plot.camera(), at), half{seen.width() / 2, seen.height() / 2};
      showEntries(editor, boundedView({{middle.x - half.x, middle.y - half.y}, {middle.x + half.x, middle.y + half.y}},
                                      plot.whole));
    };
    return PictureGrip{.drag = drag, .cursor = Cursor::Hand, .atOnce = true};
  };
  return content;
}

TextContent MatrixPage::notes(const MatrixPanes& panes, const WeightsShared& shared) const {
  TextContent text;
  const auto line = [&text](std::string words, NoteLine::Role role = NoteLine::Role::Muted) {
    text.lines.push_back({{std::move(words)}, role});
  };
  const double rows = panes.whole.height(), columns = panes.whole.width();
  line(fmt::format("{:.0f} × {:.0f}", rows, columns));
  if (rows != columns) line(tr("the two sides have different widths: no symmetric part, no symmetry"));
  const MatrixPart* const part = pictures_.part(panes.panes.front().part);
  if (part && part->picture.values && part->picture.step > 1)
    line(trEither(shared.state.pool == attention::Pool::Mean, N_("a pixel: the mean of {0:.0f} × {0:.0f} entries"),
                  N_("a pixel: the largest of {0:.0f} × {0:.0f} entries"), part->picture.step));
  if (part && part->histogram && part->histogram->sampled < 1)
    line(trFormat("colours and histogram: {:.2g} % of the entries, evenly spaced", 100 * part->histogram->sampled));
  if (shared.moments && shared.moments->nonfinite > 0)
    line(trFormat("{} weights are NaN or infinite: hatched", shared.moments->nonfinite), NoteLine::Role::Error);
  return text;
}

Views MatrixPage::views(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  MatrixLayout layout = layoutOf(frame);
  if (layout.panes.panes.empty()) return sentenceViews(frame);
  Views made;
  Arrangement stack{.kind = Arrangement::Kind::Stack};
  const auto add = [&](View view, const std::optional<render::Rect>& box) {
    if (!box) return;
    stack.parts.push_back(viewNamed(view.name));
    stack.parts.back().at = *box;
    made.views.push_back(std::move(view));
  };
  fill(layout.panes, shared);
  if (layout.columnNorms) add({"margins", margins(layout, shared)}, frame.area);
  const MatrixPart* const first = pictures_.part(layout.panes.panes.front().part);
  add(colorScale("scale", {.scale = scale_,
                           .roomForHistogram = layout.histogram,
                           .histogram = first ? first->histogram : nullptr,
                           .locked = shared.state.locked.has_value(),
                           .edge = frame.area.max.x - 8}),
      layout.scale);
  add({"notes", notes(layout.panes, shared)}, layout.notes);
  if (shared.moments) add({"survival", survival(shared, frame.theme), nothingExported}, layout.survival);
  if (layout.spectrum) spectrum_.show(made, stack, *layout.spectrum, frame.theme);
  const PictureContent map = minimap(layout.panes);
  addPanes(made, stack, std::move(layout.panes));
  add({"minimap", map}, layout.minimap);
  made.arrangement = std::move(stack);
  return made;
}

}  // namespace sepx::ui
