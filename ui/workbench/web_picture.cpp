// SPDX-License-Identifier: Apache-2.0
// Collects what a page shows under the pointer: the cells that can be read by keyboard and, for a plane, also the grids
// over its two axes.
#include "ui/workbench/web_picture.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "ui/page/exhibit.h"
#include "ui/page/readable.h"
#include "ui/properties/tr.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {
namespace {

constexpr std::size_t kPlaneColumns = 64, kMostFormulas = 16;

std::size_t cellsIn(const ReadableView& view) {
  std::size_t all = 0;
  for (std::size_t row = 0; view.cells && row < view.rows; ++row)
    all += view.cells(row);
  return all;
}

/// Whether the cells of a view are collected. Tables and texts can be read in the picture itself. Besides, the lookup
/// of a row that is scrolled out would scroll the picture.
bool hasPlaces(const ReadableView& view) {
  using Role = ReadableView::Role;
  return (view.role == Role::Chart || view.role == Role::Matrix || view.role == Role::Points) && view.cells &&
         view.place && view.text;
}

WebView viewOf(const ReadableView& view, const std::string& name, std::size_t most) {
  WebView made{name, view.label, view.description, {}, false};
  const std::size_t all = cellsIn(view);
  // A matrix is thinned by the same step along rows and columns, a chart along each of its series.
  const bool matrix = view.role == ReadableView::Role::Matrix;
  const double over = std::max(1.0, static_cast<double>(all) / static_cast<double>(std::max<std::size_t>(most, 1)));
  const auto step = static_cast<std::size_t>(std::ceil(matrix ? std::sqrt(over) : over));
  made.thinned = step > 1;
  for (std::size_t row = 0; row < view.rows; row += matrix ? step : 1) {
    WebRow line{view.rowName ? view.rowName(row) : std::string(), {}};
    const std::size_t count = view.cells(row);
    for (std::size_t cell = 0; cell < count; cell += step) {
      if (const auto at = view.place(row, cell)) line.cells.push_back({*at, view.text(row, cell)});
      if (cell + step >= count && cell + 1 < count) cell = count - 1 - step;  // always includes the last cell
    }
    if (!line.cells.empty()) made.rows.push_back(std::move(line));
  }
  return made;
}

const std::vector<double>* numbersOf(const Grid& grid) {
  return std::get_if<std::vector<double>>(&grid.values);
}

/// The meanings of the codes of a layer: the table "labels" with the columns code and label.
std::vector<std::string> wordsIn(const Numbers& numbers) {
  std::vector<std::string> words;
  for (const Table& table : numbers.tables) {
    const Column *const code = table.find("code"), *const label = table.find("label");
    if (table.name != "labels" || !code || !label) continue;
    const auto* const codes = std::get_if<std::vector<double>>(&code->values);
    const auto* const labels = std::get_if<std::vector<std::string>>(&label->values);
    for (std::size_t i = 0; codes && labels && i < std::min(codes->size(), labels->size()); ++i) {
      const double at = (*codes)[i];
      constexpr double kMostCode = 255;
      if (!(at >= 0 && at <= kMostCode)) continue;
      words.resize(std::max(words.size(), static_cast<std::size_t>(at) + 1));
      words[static_cast<std::size_t>(at)] = (*labels)[i];
    }
  }
  return words;
}

/// Thins a grid to at most kPlaneColumns columns. The first row of the grid is the lowest.
WebPlane::Layer layerOf(const Grid& grid, const std::vector<std::string>& words) {
  WebPlane::Layer layer;
  layer.name = grid.name;
  const std::size_t height = grid.shape[0], width = grid.shape[1];
  const std::size_t step = std::max<std::size_t>(1, (width + kPlaneColumns - 1) / kPlaneColumns);
  layer.columns = (width + step - 1) / step;
  layer.rows = (height + step - 1) / step;
  const auto middle = [step](std::size_t index, std::size_t size) {
    return std::min(index * step + step / 2, size - 1);
  };
  const bool codes = std::holds_alternative<std::vector<std::uint8_t>>(grid.values);
  for (std::size_t row = 0; row < layer.rows; ++row)
    for (std::size_t column = 0; column < layer.columns; ++column) {
      const std::size_t at = middle(row, height) * width + middle(column, width);
      layer.values.push_back(std::visit([at](const auto& all) { return static_cast<double>(all[at]); }, grid.values));
    }
  if (codes) layer.words = words;
  return layer;
}

/// An axis whose cell centres are evenly spaced, either linearly or logarithmically.
struct Spacing {
  double low = 0, high = 1;  ///< at the outer edges of the first and last cell
  bool log = false;
  double middle() const { return log ? std::sqrt(low) * std::sqrt(high) : (low + high) / 2; }
};

/// Empty optional for any other spacing, because the values between the centres are then unknown.
std::optional<Spacing> spacingOf(const std::vector<double>& middles) {
  const auto even = [&middles](auto of) {
    constexpr double kEven = 1e-6;  // relative to the distance
    const double first = of(middles[1]) - of(middles[0]);
    for (std::size_t i = 1; i + 1 < middles.size(); ++i)
      if (!(std::abs(of(middles[i + 1]) - of(middles[i]) - first) <= kEven * std::abs(first))) return false;
    return std::isfinite(first) && first != 0;
  };
  if (even([](double value) { return value; })) {
    const double half = (middles[1] - middles[0]) / 2;
    return Spacing{middles.front() - half, middles.back() + half, false};
  }
  if (!even([](double value) { return std::log(value); })) return std::nullopt;
  const double half = std::sqrt(middles[1] / middles[0]);
  return Spacing{middles.front() / half, middles.back() * half, true};
}

/// Grids are over the first two axes that precede them: x has the length of their rows, y that of their columns.
std::optional<WebPlane> planeOf(const Numbers& numbers) {
  const Grid *x = nullptr, *y = nullptr;
  WebPlane plane;
  const std::vector<std::string> words = wordsIn(numbers);
  for (const Grid& grid : numbers.grids) {
    if (grid.shape.size() == 1 && grid.shape[0] > 1 && numbersOf(grid)) {
      if (!x)
        x = &grid;
      else if (!y)
        y = &grid;
    } else if (x && y && grid.shape.size() == 2 && grid.shape[1] == x->shape[0] && grid.shape[0] == y->shape[0]) {
      plane.layers.push_back(layerOf(grid, words));
    }
  }
  if (plane.layers.empty()) return std::nullopt;
  plane.x = x->name;
  plane.y = y->name;
  const auto across = spacingOf(*numbersOf(*x)), up = spacingOf(*numbersOf(*y));
  if (!across || !up) return std::nullopt;
  std::tie(plane.left, plane.right, plane.logX) = std::tie(across->low, across->high, across->log);
  std::tie(plane.bottom, plane.top, plane.logY) = std::tie(up->low, up->high, up->log);
  return plane;
}

/// Adds the read-outs that apply to what is shown, with the formulas that their cards show.
void addFormulas(const Workbench& figure, std::vector<WebFormula>& into) {
  const Document& document = figure.paneDocument();
  const std::string section = figure.exhibitKey() + ".";
  std::set<std::string> known;
  for (const WebFormula& one : into)
    known.insert(one.formula);
  for (const ReadOut& one : figure.properties().readOuts()) {
    if (into.size() >= kMostFormulas) return;
    if (!one.key.starts_with(section) || one.formula.empty() || one.detail || !one.get) continue;
    if ((one.applies && !one.applies(document)) || (one.formulaApplies && !one.formulaApplies(document))) continue;
    const int index = one.key.find("[]") == std::string::npos ? -1 : 0;
    const Value value = one.get(index);
    if (std::holds_alternative<std::monostate>(value) || !known.insert(one.formula).second) continue;
    const std::string label = one.liveLabel ? one.liveLabel(document) : tr(one.label);
    into.push_back({label + (one.liveLabel || one.symbol.empty() ? "" : " " + one.symbol), formatValue(one, value),
                    one.formula, one.withNumbers ? one.withNumbers(index) : std::string(), one.equation});
  }
}

}  // namespace

void collectValues(Workbench& figure, double pixelsPerUnit, std::size_t mostCells, WebPicture& into) {
  const int panes = figure.panes(), before = figure.activePane();
  for (int pane = 1; pane <= panes; ++pane) {
    figure.activatePane(pane);
    const std::vector<ReadableView> views = figure.readable();
    const auto readable = std::count_if(views.begin(), views.end(), hasPlaces);
    const std::size_t each = mostCells / static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, readable * panes));
    for (const ReadableView& view : views) {
      if (!hasPlaces(view)) continue;
      WebView made = viewOf(view, joinPaneKey(view.name, pane), each);
      if (!made.rows.empty()) into.views.push_back(std::move(made));
    }
    if (std::optional<WebPlane> plane = planeOf(figure.exhibit(pane).numbers())) {
      plane->name = joinPaneKey(figure.exhibitKey(), pane);
      const auto from = figure.toPixels(plane->name, {plane->left, plane->bottom});
      const auto to = figure.toPixels(plane->name, {plane->right, plane->top});
      const auto half = figure.toPixels(plane->name, {Spacing{plane->left, plane->right, plane->logX}.middle(),
                                                      Spacing{plane->bottom, plane->top, plane->logY}.middle()});
      // The axes of the picture must be spaced like the grid; otherwise values between the corners would be wrong.
      const auto between = [](double a, double b, double middle) {
        constexpr double kPixel = 1;
        return std::abs((a + b) / 2 - middle) <= kPixel;
      };
      if (from && to && half && from->x < to->x && to->y < from->y && between(from->x, to->x, half->x) &&
          between(from->y, to->y, half->y)) {
        plane->box = {{from->x / pixelsPerUnit, to->y / pixelsPerUnit},
                      {to->x / pixelsPerUnit, from->y / pixelsPerUnit}};
        into.planes.push_back(*std::move(plane));
      }
    }
    addFormulas(figure, into.formulas);
  }
  figure.activatePane(before);
}

}  // namespace sepx::ui
