// SPDX-License-Identifier: Apache-2.0
// A test fixture with a board of views and an editor, and contents for the board.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/ui/page/exhibit_rig.h"
#include "ui/properties/declarations.h"
#include "ui/views/board.h"

namespace sepx::ui {

inline ChartContent chartOf(std::vector<double> y) {
  ChartContent content;
  content.chart.x = {.name = "x"};
  content.chart.y = {.name = "y"};
  ChartSeries& series = content.chart.series.emplace_back();
  for (std::size_t i = 0; i < y.size(); ++i)
    series.x.push_back(static_cast<double>(i));
  series.y = std::move(y);
  return content;
}

inline MatrixContent matrixOf(std::shared_ptr<const std::vector<float>> values, int rows, int columns) {
  MatrixContent content;
  content.rows = rows;
  content.columns = columns;
  content.values = std::move(values);
  return content;
}

/// A board and an editor with two numbers, "a" and "b" from 0 to 10, and a choice "c" of "one", "two" and "three".
class BoardRig : public RigBase {
 public:
  BoardRig() {
    declareParameters(editor.registry, {.prefix = "test."},
                      {{.key = "a", .label = "A", .kind = Kind::Integer, .min = 0, .max = 10, .fallback = 0.0},
                       {.key = "b", .label = "B", .kind = Kind::Integer, .min = 0, .max = 10, .fallback = 0.0},
                       {.key = "c", .label = "C", .options = {{"one", "One"}, {"two", "Two"}, {"three", "Three"}}}});
  }
  const render::Scene& frame(std::vector<InputEvent> events = {}) override {
    ExhibitContext now = context();
    for (const InputEvent& event : events) {
      if (const auto* move = std::get_if<PointerMoved>(&event)) pointer = render::Point{move->x, move->y};
      PageArea at = here();
      board.place(at);
      cursor = board.input(at, now, event);
    }
    board.place(here());
    board.reclaim(drawn.layers);
    drawn.layers.clear();
    board.scene(here(), drawn.layers);
    scene = &drawn;
    return drawn;
  }
  bool complete() const override { return true; }
  PageArea here() const { return {*findTheme(theme), area, pointer}; }
  std::uint64_t revisionOf(const std::string& name) const {
    const render::Layer* const found = layer(name);
    return found ? found->revision : 0;
  }

  ViewBoard board{"test."};
  render::Scene drawn;
  std::optional<render::Point> pointer;
};

}  // namespace sepx::ui
