// SPDX-License-Identifier: Apache-2.0
// Beside the matrix: the colour scale with the histogram of the entries, the minimap, and what the pointer is over.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/shared/matrix_scene.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

double valueToPage(const render::Rect& bar, const MatrixScale& scale, double value) {
  const double share = (scale.place(value) - scale.axisLow()) / (scale.axisHigh() - scale.axisLow());
  return bar.max.y - share * bar.height();
}

double pageToValue(const render::Rect& bar, const MatrixScale& scale, double y) {
  const double share = (bar.max.y - y) / bar.height();
  return scale.valueAt(scale.axisLow() + share * (scale.axisHigh() - scale.axisLow()));
}

namespace {

/// The colours along the whole value axis: beyond the ends they stay.
void addRamp(std::vector<render::Item>& items, const MatrixFrame& frame) {
  const render::Rect& bar = *frame.layout.scale;
  const Camera camera = frame.layout.camera();
  render::Heatmap map = rampOf(frame.scale, frame.scale.axisLow(), frame.scale.axisHigh(), frame.page.theme);
  map.extent = {toData(camera, {bar.min.x, bar.max.y}), toData(camera, {bar.max.x, bar.min.y})};
  items.push_back(std::move(map));
}

/// Ends, zero, and what has room between.
void addMarks(std::vector<render::Item>& items, const MatrixFrame& frame) {
  const Theme& theme = frame.page.theme;
  const render::Rect& bar = *frame.layout.scale;
  const double right = frame.layout.histogram ? frame.layout.histogram->max.x : bar.max.x;
  const double room = 1.3 * theme.smallSize;
  const ColorLimits& limits = frame.scale.limits;
  // As many digits as stay on the page.
  const double across = frame.page.area.max.x - right - 8;
  int digits = 3;
  const auto tooWide = [&](double value) { return textWidth(entryText(value, digits), theme.smallSize) > across; };
  while (digits > 1 && (tooWide(limits.low) || tooWide(limits.high) || tooWide(-0.5 * limits.high)))
    --digits;
  std::vector<double> taken;
  const auto mark = [&](double value, bool end) {
    const double y = valueToPage(bar, frame.scale, value);
    if (y < bar.min.y - 1 || y > bar.max.y + 1) return;
    if (std::any_of(taken.begin(), taken.end(), [&](double other) { return std::abs(other - y) < room; })) return;
    taken.push_back(y);
    items.push_back(textAt({right + 6, y}, entryText(value, digits), theme.smallSize, end ? theme.text : theme.tick));
  };
  mark(limits.high, true);
  mark(limits.low, true);
  mark(0, false);
  if (frame.scale.kind == ScaleKind::Logarithmic) {
    for (const double share : {0.1, 0.01, -0.1, -0.01})
      mark(share * limits.high, false);
  } else {
    for (const double share : {0.5, -0.5})
      mark(share * limits.high, false);
  }
}

/// Counts along the value axis, from below; of moduli both signs together.
std::vector<double> countsOf(const attention::Histogram& histogram, const MatrixScale& scale, int bins) {
  const double low = scale.axisLow(), high = scale.axisHigh();
  if (scale.kind != ScaleKind::Logarithmic) {
    std::vector<double> counts = histogram.bins(low, high, bins);
    if (scale.kind != ScaleKind::Sequential) return counts;
    const std::vector<double> negative = histogram.bins(-high, -low, bins);
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] += negative[counts.size() - 1 - i];
    return counts;
  }
  std::vector<double> counts;
  for (int i = 0; i < bins; ++i)
    counts.push_back(
        histogram
            .bins(scale.valueAt(low + i * (high - low) / bins), scale.valueAt(low + (i + 1) * (high - low) / bins), 1)
            .front());
  return counts;
}

/// Counts of entries along the value axis, square roots: a single outlier still shows.
void addBars(std::vector<render::Item>& items, const MatrixFrame& frame, const attention::Histogram& histogram) {
  const Theme& theme = frame.page.theme;
  const render::Rect& box = *frame.layout.histogram;
  const MatrixScale& scale = frame.scale;
  const auto bins = static_cast<int>(std::clamp(box.height() / 3, 16.0, 120.0));
  const std::vector<double> counts = countsOf(histogram, scale, bins);
  const double most = *std::max_element(counts.begin(), counts.end());
  if (!(most > 0)) return;
  render::Polyline bars;
  bars.space = render::Space::Page;
  bars.stroke = {faded(theme.textMuted, 0.8f), static_cast<float>(std::max(1.0, box.height() / bins - 0.8)),
                 render::Dash::Solid};
  for (int i = 0; i < bins; ++i) {
    const double count = counts[static_cast<std::size_t>(i)];
    if (count <= 0) continue;
    const double y = box.max.y - (i + 0.5) / bins * box.height();
    const double length = std::max(1.0, std::sqrt(count / most) * box.width());
    bars.points.insert(bars.points.end(), {{box.min.x, y}, {box.min.x + length, y}, {NAN, NAN}});
  }
  items.push_back(std::move(bars));
}

void addEnds(std::vector<render::Item>& items, const MatrixFrame& frame) {
  const Theme& theme = frame.page.theme;
  const render::Rect& bar = *frame.layout.scale;
  const double right = frame.layout.histogram ? frame.layout.histogram->max.x : bar.max.x + 3;
  const bool locked = frame.page.shared.state.locked.has_value();
  for (const double end : {frame.scale.limits.low, frame.scale.limits.high}) {
    if (frame.scale.kind == ScaleKind::Sequential && end == 0) continue;
    const double y = valueToPage(bar, frame.scale, end);
    items.push_back(pageLine({bar.min.x - 4, y}, {right, y}, locked ? theme.accent : theme.text,
                             locked ? theme.strongLine : theme.lineWidth));
  }
  const double zero = valueToPage(bar, frame.scale, 0);
  items.push_back(pageLine({bar.min.x - 2, zero}, {bar.max.x + 2, zero}, theme.text, 1));
}

}  // namespace

std::vector<render::Item> rampItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  if (frame.layout.scale) addRamp(items, frame);
  return items;
}

std::vector<render::Item> scaleItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  if (!frame.layout.scale) return items;
  const Theme& theme = frame.page.theme;
  const render::Rect& bar = *frame.layout.scale;
  items.push_back(pageFrameLine(bar, theme.border));
  const MatrixPart* const part = frame.results.part(frame.layout.panes.front().part);
  if (frame.layout.histogram && part && part->histogram) addBars(items, frame, *part->histogram);
  addEnds(items, frame);
  addMarks(items, frame);
  items.push_back(
      textAt({bar.min.x, bar.min.y - 0.75 * theme.smallSize}, frame.scale.title(), theme.smallSize, theme.text));
  return items;
}

std::vector<render::Item> minimapItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  if (!frame.layout.minimap) return items;
  const Theme& theme = frame.page.theme;
  const render::Rect& box = *frame.layout.minimap;
  const MatrixPart* const part = frame.results.part(frame.layout.panes.front().part);
  if (!part || !part->overview.places) return items;
  const MatrixPicture& overview = part->overview;
  const render::Rect& whole = frame.layout.whole;
  const double scale = box.width() / whole.width(), down = box.height() / whole.height();
  const Camera camera = frame.layout.camera();
  const render::Rect extent = overview.extent();
  const auto place = [&](double x, double y) {
    return render::Point{box.min.x + (x - whole.min.x) * scale, box.max.y - (y - whole.min.y) * down};
  };
  const render::Point low = place(extent.min.x, extent.min.y), high = place(extent.max.x, extent.max.y);
  render::Heatmap map = heatmapOf(overview, frame.scale, theme);
  map.extent = {toData(camera, low), toData(camera, high)};
  map.smooth = true;
  items.push_back(std::move(map));
  items.push_back(pageFrameLine(box, theme.border));
  const render::Rect& view = frame.layout.view;
  render::Rect seen{place(view.min.x, view.max.y), place(view.max.x, view.min.y)};
  constexpr double kLeast = 4;  // a window of few cells is still seen
  const double wide = std::max(0.0, kLeast - seen.width()) / 2, tall = std::max(0.0, kLeast - seen.height()) / 2;
  seen = {{seen.min.x - wide, seen.min.y - tall}, {seen.max.x + wide, seen.max.y + tall}};
  items.push_back(pageFrameLine(seen, theme.accent, theme.strongLine));
  return items;
}

namespace {

std::vector<std::string> hoverLines(const MatrixFrame& frame) {
  const MatrixHover& hover = *frame.hover;
  std::vector<std::string> lines;
  lines.push_back(std::string(tr("row")) + " " + std::to_string(hover.row) + ", " + tr("column") + " " +
                  std::to_string(hover.column));
  lines.push_back("= " + entryText(hover.value, 7));
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

}  // namespace

std::vector<render::Item> hoverItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  if (frame.page.figure) return items;
  const Theme& theme = frame.page.theme;
  if (frame.hover)
    for (const MatrixPane& pane : frame.layout.panes)
      addCellMark(items, frame.layout.in(pane), frame.hover->place, theme);
  if (frame.hover && frame.page.pointer)
    addTip(items, *frame.page.pointer, hoverLines(frame), frame.layout.area, theme);
  if (!frame.layout.notes) return items;
  const render::Rect& box = *frame.layout.notes;
  const double leading = 1.5 * theme.smallSize;
  double y = box.min.y + leading / 2;
  const auto line = [&](const std::string& text, render::Color color) {
    for (const std::string& part : wrapped(text, theme.smallSize, box.width())) {
      items.push_back(textAt({box.min.x, y}, part, theme.smallSize, color));
      y += leading;
    }
  };
  const double rows = frame.layout.whole.height(), columns = frame.layout.whole.width();
  line(fmt::format("{:.0f} × {:.0f}", rows, columns), theme.textMuted);
  if (rows != columns) line(tr("the two sides have different widths: no symmetric part, no symmetry"), theme.textMuted);
  const MatrixPart* const part = frame.results.part(frame.layout.panes.front().part);
  if (part && part->picture.values && part->picture.step > 1) {
    line(trEither(frame.page.shared.state.pool == attention::Pool::Mean,
                  N_("a pixel: the mean of {0:.0f} × {0:.0f} entries"),
                  N_("a pixel: the largest of {0:.0f} × {0:.0f} entries"), part->picture.step),
         theme.textMuted);
  }
  if (part && part->histogram && part->histogram->sampled < 1)
    line(trFormat("colours and histogram: {:.2g} % of the entries, evenly spaced", 100 * part->histogram->sampled),
         theme.textMuted);
  if (frame.page.shared.moments && frame.page.shared.moments->nonfinite > 0)
    line(trFormat("{} weights are NaN or infinite: hatched", frame.page.shared.moments->nonfinite), theme.error);
  return items;
}

}  // namespace sepx::ui
