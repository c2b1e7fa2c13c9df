// SPDX-License-Identifier: Apache-2.0
// See optimisers_names.h.
#include "ui/exhibits/flow/shared/plane_names.h"

#include <algorithm>
#include <cmath>

#include "engine/markov/basin.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_lines.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kShares[] = {1.0, 0.3, 0.15, 0.5, 0.08, 0.7, 0.04, 0.02, 0.01};  // of the points of a path
constexpr double kAway[] = {1, 2.4, 3.8};                                         // from the path, in sizes of the text

/// The box of a name as nameAt() sets it, page.
render::Rect boxOf(const FlowFrame& plane, const render::Label& label) {
  const render::Point at = toPage(plane.camera(), label.at);
  const double size = static_cast<double>(label.size);
  const double width = textWidth(label.text, size), height = 1.3 * size;
  const double left = at.x + label.offset.x - (label.alignX == render::AlignX::Right ? width : 0);
  const double middle = at.y + label.offset.y;
  return {{left - 3, middle - height / 2}, {left + width + 3, middle + height / 2}};
}

void addName(std::vector<render::Item>& items, std::vector<render::Rect>& taken, const FlowFrame& plane,
             const NamedPath& path) {
  const std::size_t last = path.places.size() - 1;
  std::vector<std::size_t> steps;
  if (path.at) steps.push_back(std::min(*path.at, last));
  for (const double share : kShares)
    steps.push_back(static_cast<std::size_t>(std::lround(share * static_cast<double>(last))));
  std::optional<render::Label> best;
  bool bestInside = false;
  for (const double away : kAway)
    for (const std::size_t step : steps)
      for (const bool above : {true, false}) {
        const render::Point place = path.places[step];
        if (!plane.layout.plot.contains(toPage(plane.camera(), place))) continue;
        render::Label label =
            nameAt(plane, place, path.text, path.color, away * static_cast<double>(plane.theme.smallSize), above);
        const render::Rect box = boxOf(plane, label);
        const auto meets = [&box](const render::Rect& other) { return overlap(box, other); };
        const render::Rect& plot = plane.layout.plot;
        const bool inside = box.min.x >= plot.min.x && box.max.x <= plot.max.x;
        if (!best || (!bestInside && inside)) best = label, bestInside = inside;
        if (!inside) continue;
        if (std::any_of(taken.begin(), taken.end(), meets)) continue;
        taken.push_back(box);
        items.emplace_back(std::move(label));
        return;
      }
  if (!best) return;
  taken.push_back(boxOf(plane, *best));
  items.emplace_back(std::move(*best));
}

}  // namespace

std::string startWords(const markov::Chain& chain, double e, double w) {
  if (chain.degenerate())
    return tr("p + q = 1: the next symbol does not depend on the last, so there are no basins to tell apart.");
  std::string text;
  if (e == 0)
    text = tr("On e = 0 the gradient vanishes: the flow stays where it is.");
  else if (markov::basinLabel(chain, e, w) == markov::LimitKind::Saddle)
    text =
        tr("The start lies on the separatrix: the flow runs into the saddle, and any step, however small, takes a path "
           "off to one side.");
  if (w == 0) {
    if (!text.empty()) text += " ";
    text += tr("On the axis w = 0 the energy is not defined.");
  }
  return text;
}

void addPath(std::vector<render::Item>& items, const std::vector<render::Point>& places, const render::Stroke& stroke,
             const FlowFrame& plane, bool casing) {
  if (casing) return addLine(items, places, stroke, plane);
  // Casing and line of each piece, in turns.
  std::vector<render::Item> both;
  addLine(both, places, stroke, plane);
  for (std::size_t i = 1; i < both.size(); i += 2)
    items.push_back(std::move(both[i]));
}

void addNames(std::vector<render::Item>& items, const FlowFrame& plane, render::Point start,
              const std::vector<NamedPath>& paths) {
  const render::Point at = toPage(plane.camera(), start);
  std::vector<render::Rect> taken{{{at.x - 14, at.y - 24}, {at.x + 28, at.y + 14}}};
  for (const NamedPath& path : paths)
    addName(items, taken, plane, path);
}

}  // namespace sepx::ui
