// SPDX-License-Identifier: Apache-2.0
// Rows, columns and grids become rectangles.
#include "ui/views/arrangement.h"

#include <algorithm>
#include <utility>

namespace sepx::ui {

std::vector<render::Rect> gridOf(const render::Rect& box, std::size_t count, std::size_t perRow, double gap) {
  std::vector<render::Rect> boxes;
  if (count == 0) return boxes;
  const std::size_t columns = std::clamp<std::size_t>(perRow, 1, count), rows = (count + columns - 1) / columns;
  const double width = (box.width() - gap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
  const double height = (box.height() - gap * static_cast<double>(rows - 1)) / static_cast<double>(rows);
  for (std::size_t i = 0; i < count; ++i) {
    const double left = box.min.x + static_cast<double>(i % columns) * (width + gap);
    const double top = box.min.y + static_cast<double>(i / columns) * (height + gap);
    boxes.push_back({{left, top}, {left + width, top + height}});
  }
  return boxes;
}

namespace {

std::vector<render::Rect> lineBoxes(const Arrangement& of, const std::vector<const Arrangement*>& parts,
                                    const render::Rect& box) {
  const bool across = of.kind == Arrangement::Kind::Row;
  const double all = across ? box.width() : box.height();
  double left = all - of.gap * static_cast<double>(parts.size() - 1), weights = 0;
  const auto fixed = [all](const Arrangement& part) { return std::min(part.length, part.mostShare * all); };
  for (const Arrangement* const part : parts) {
    if (part->length > 0)
      left -= fixed(*part);
    else
      weights += part->weight;
  }
  double at = across ? box.min.x : box.min.y;
  std::vector<render::Rect> boxes;
  for (const Arrangement* const part : parts) {
    const double length = std::max(0.0, part->length > 0 ? fixed(*part) : left * part->weight / weights);
    boxes.push_back(across ? render::Rect{{at, box.min.y}, {at + length, box.max.y}}
                           : render::Rect{{box.min.x, at}, {box.max.x, at + length}});
    at += length + of.gap;
  }
  return boxes;
}

std::vector<render::Rect> boxesOf(const Arrangement& of, const std::vector<const Arrangement*>& parts,
                                  const render::Rect& box) {
  return of.kind == Arrangement::Kind::Grid ? gridOf(box, parts.size(), of.perRow, of.gap) : lineBoxes(of, parts, box);
}

void place(const Arrangement& arrangement, const render::Rect& all, std::vector<PlacedPart>& into) {
  const double margin = arrangement.margin;
  const render::Rect box{{all.min.x + margin, all.min.y + margin}, {all.max.x - margin, all.max.y - margin}};
  if (arrangement.kind == Arrangement::Kind::View) {
    into.push_back({arrangement.view, box});
    return;
  }
  std::vector<const Arrangement*> parts;
  for (const Arrangement& part : arrangement.parts)
    parts.push_back(&part);
  while (!parts.empty()) {
    const std::vector<render::Rect> boxes = boxesOf(arrangement, parts, box);
    bool tight = false;
    for (std::size_t i = 0; i < parts.size(); ++i)
      tight = tight || boxes[i].width() < parts[i]->leastWidth || boxes[i].height() < parts[i]->leastHeight;
    const auto last =
        std::max_element(parts.begin(), parts.end(), [](const auto* a, const auto* b) { return a->order < b->order; });
    if (tight && (*last)->order > 0) {
      parts.erase(last);
      continue;
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
      place(*parts[i], boxes[i], into);
    return;
  }
}

}  // namespace

Arrangement viewNamed(std::string name) {
  return {.view = std::move(name)};
}

Arrangement gridOfViews(std::size_t perRow, double gap, std::vector<Arrangement> parts) {
  return {.kind = Arrangement::Kind::Grid, .parts = std::move(parts), .perRow = perRow, .gap = gap};
}

std::vector<PlacedPart> placeParts(const Arrangement& arrangement, const render::Rect& box) {
  std::vector<PlacedPart> placed;
  place(arrangement, box, placed);
  return placed;
}

}  // namespace sepx::ui
