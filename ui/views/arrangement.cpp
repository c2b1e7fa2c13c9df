// SPDX-License-Identifier: Apache-2.0
// Computes the rectangles of rows, columns and grids.
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

/// A part of a row, column or grid, and its length along it; 0: by weight.
struct Part {
  const Arrangement* of;
  double length;
};

std::vector<render::Rect> lineBoxes(const Arrangement& of, const std::vector<Part>& parts, const render::Rect& box) {
  const bool across = of.kind == Arrangement::Kind::Row;
  const double all = (across ? box.width() : box.height()) - of.gap * static_cast<double>(parts.size() - 1);
  double left = all, weights = 0;
  const auto fixed = [all](const Part& part) { return std::min(part.length, part.of->mostShare * all); };
  for (const Part& part : parts) {
    if (part.length > 0)
      left -= fixed(part);
    else
      weights += part.of->weight;
  }
  const double over = std::max(0.0, -left);  // grids of squares shrink by this if there is too little room
  double at = across ? box.min.x : box.min.y;
  std::vector<render::Rect> boxes;
  for (const Part& part : parts) {
    const double less = part.of->natural && part.of->kind == Arrangement::Kind::Grid ? over : 0;
    const double length = std::max(0.0, part.length > 0 ? fixed(part) - less : left * part.of->weight / weights);
    boxes.push_back(across ? render::Rect{{at, box.min.y}, {at + length, box.max.y}}
                           : render::Rect{{box.min.x, at}, {box.max.x, at + length}});
    at += length + of.gap;
  }
  return boxes;
}

/// The number of squares in a row that makes them largest.
std::size_t squaresInRow(const Arrangement& of, std::size_t count, const render::Rect& box) {
  double side = 0;
  std::size_t best = 1;
  for (std::size_t perRow = 1; perRow <= count; ++perRow) {
    const render::Rect one = gridOf(box, count, perRow, of.gap).front();
    if (const double now = std::min(one.width(), one.height() - of.words); now > side) side = now, best = perRow;
  }
  return best;
}

/// The largest squares that fit, close to each other in the middle.
std::vector<render::Rect> squareBoxes(const Arrangement& of, const std::vector<Part>& parts, const render::Rect& box) {
  const std::size_t perRow = squaresInRow(of, parts.size(), box), rows = (parts.size() + perRow - 1) / perRow;
  const render::Rect room = gridOf(box, parts.size(), perRow, of.gap).front();
  const double side = std::max(1.0, std::min(room.width(), room.height() - of.words));
  double width = side;
  for (const Part& part : parts)
    width = std::min(room.width(), std::max(width, part.of->leastWidth));
  const auto all = [&of](double one, std::size_t count) {
    return one * static_cast<double>(count) + of.gap * static_cast<double>(count - 1);
  };
  const render::Point middle{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2},
      half{all(width, perRow) / 2, all(side + of.words, rows) / 2};
  return gridOf({{middle.x - half.x, middle.y - half.y}, {middle.x + half.x, middle.y + half.y}}, parts.size(), perRow,
                of.gap);
}

std::vector<render::Rect> boxesOf(const Arrangement& of, const std::vector<Part>& parts, const render::Rect& box) {
  if (of.kind == Arrangement::Kind::Stack) return std::vector<render::Rect>(parts.size(), box);
  if (of.kind != Arrangement::Kind::Grid) return lineBoxes(of, parts, box);
  return of.perRow > 0 ? gridOf(box, parts.size(), of.perRow, of.gap) : squareBoxes(of, parts, box);
}

std::vector<Part> partsOf(const Arrangement& arrangement, const render::Rect& box, const NaturalHeight& heightOf);

/// Whether a row that may break is too narrow for the least widths of its parts.
bool isBroken(const Arrangement& of, double width) {
  if (of.kind != Arrangement::Kind::Row || !of.breaks || of.parts.empty()) return false;
  double least = of.gap * static_cast<double>(of.parts.size() - 1);
  for (const Arrangement& part : of.parts)
    least += part.leastWidth;
  return least > width;
}

/// Height of a view that is as high as its content, or of a row or column of such views; 0: there is nothing to show.
double naturalHeight(const Arrangement& of, double width, const NaturalHeight& heightOf) {
  const double inner = width - 2 * of.margin;
  double height = 0;
  if (of.kind == Arrangement::Kind::View) {
    height = heightOf ? heightOf(of.view, inner) : 0;
  } else if (of.kind == Arrangement::Kind::Row && !isBroken(of, inner)) {
    const render::Rect box{{0, 0}, {inner, 1}};
    const std::vector<Part> parts = partsOf(of, box, heightOf);
    const std::vector<render::Rect> boxes = lineBoxes(of, parts, box);
    for (std::size_t i = 0; i < parts.size(); ++i)
      height = std::max(height, naturalHeight(*parts[i].of, boxes[i].width(), heightOf));
  } else {
    for (const Arrangement& part : of.parts)
      if (const double one = part.length > 0 ? part.length : naturalHeight(part, inner, heightOf); one > 0)
        height += one + (height > 0 ? of.gap : 0);
  }
  return height > 0 ? height + 2 * of.margin : 0;
}

std::vector<Part> partsOf(const Arrangement& arrangement, const render::Rect& box, const NaturalHeight& heightOf) {
  std::vector<Part> parts;
  for (const Arrangement& part : arrangement.parts) {
    double length = part.square ? std::max(1.0, box.height() - part.words) : part.length;
    if (part.natural && part.kind == Arrangement::Kind::Grid) {
      const std::vector<render::Rect> squares =
          squareBoxes(part, partsOf(part, box, heightOf), {{0, 0}, {box.width(), part.mostShare * box.height()}});
      length = squares.back().max.y - squares.front().min.y;
    } else if (part.natural && arrangement.kind != Arrangement::Kind::Row) {
      length = naturalHeight(part, box.width(), heightOf);
      if (!(length > 0)) continue;
    }
    parts.push_back({&part, length});
  }
  return parts;
}

void place(const Arrangement& arrangement, const render::Rect& given, const NaturalHeight& heightOf,
           std::vector<PlacedPart>& into, std::vector<std::string>* missing) {
  const render::Rect all = arrangement.at.value_or(given);
  const double margin = arrangement.margin;
  const render::Rect box{{all.min.x + margin, all.min.y + margin}, {all.max.x - margin, all.max.y - margin}};
  if (arrangement.kind == Arrangement::Kind::View) {
    into.push_back({arrangement.view, box});
    return;
  }
  if (isBroken(arrangement, box.width())) {
    Arrangement column = arrangement;
    column.kind = Arrangement::Kind::Column;
    return place(column, given, heightOf, into, missing);
  }
  std::vector<Part> parts = partsOf(arrangement, box, heightOf);
  while (!parts.empty()) {
    const std::vector<render::Rect> boxes = boxesOf(arrangement, parts, box);
    bool tight = false;
    for (std::size_t i = 0; i < parts.size(); ++i)
      tight = tight || boxes[i].width() < parts[i].of->leastWidth || boxes[i].height() < parts[i].of->leastHeight;
    const auto last = std::max_element(parts.begin(), parts.end(),
                                       [](const Part& a, const Part& b) { return a.of->order < b.of->order; });
    if (tight && last->of->order > 0) {
      if (missing && !last->of->called.empty()) missing->push_back(last->of->called);
      parts.erase(last);
      continue;
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
      place(*parts[i].of, boxes[i], heightOf, into, missing);
    return;
  }
}

}  // namespace

Arrangement viewNamed(std::string name) {
  return {.view = std::move(name)};
}

Arrangement asHighAsContent(std::string name) {
  return {.view = std::move(name), .natural = true};
}

Arrangement gridOfViews(std::size_t perRow, double gap, std::vector<Arrangement> parts) {
  return {.kind = Arrangement::Kind::Grid, .parts = std::move(parts), .perRow = perRow, .gap = gap};
}

std::vector<PlacedPart> placeParts(const Arrangement& arrangement, const render::Rect& box,
                                   const NaturalHeight& heightOf, std::vector<std::string>* missing) {
  std::vector<PlacedPart> placed;
  place(arrangement, box, heightOf, placed, missing);
  return placed;
}

}  // namespace sepx::ui
