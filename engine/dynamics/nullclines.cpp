// SPDX-License-Identifier: Apache-2.0
// Marching squares. A node on an edge of the grid is a change of sign, refined by bisection, or a zero without a change
// of sign, refined by golden-section search. The nodes of a square are paired into segments, and segments that share a
// node are joined into lines.
#include "engine/dynamics/nullclines.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace sepx::dynamics {

namespace {

using Place = std::array<double, 2>;
constexpr double kShift = 0.381966011250105;  // of a cell: shifts the grid off zeros at round numbers
constexpr double kZero = 1e-9;                // relative to the largest value nearby

/// The values of one component on the corners of a grid that covers the box and a cell around it.
class Grid {
 public:
  Grid(const VectorField& field, std::span<const double> parameters, int component, const PlaneBox& box, int cells)
      : field_(field), parameters_(parameters), component_(component) {
    const double width = box.xMax - box.xMin, height = box.yMax - box.yMin;
    side_ = std::max(width, height) / std::max(cells, 2);
    origin_ = {box.xMin - kShift * side_, box.yMin - kShift * side_};
    columns_ = static_cast<int>(std::ceil(width / side_ + kShift)) + 1;
    rows_ = static_cast<int>(std::ceil(height / side_ + kShift)) + 1;
    values_.resize(static_cast<std::size_t>(columns_) * rows_);
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column)
        values_[index(column, row)] = at(corner(column, row));
  }

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  int index(int column, int row) const { return row * columns_ + column; }
  double value(int column, int row) const { return values_[index(column, row)]; }
  Place corner(int column, int row) const { return {origin_[0] + column * side_, origin_[1] + row * side_}; }
  double at(const Place& place) const {
    State x(2);
    x << place[0], place[1];
    return field_.evaluate(x, parameters_)[component_];
  }

 private:
  const VectorField& field_;
  std::span<const double> parameters_;
  int component_, columns_ = 0, rows_ = 0;
  double side_ = 1;
  Place origin_{};
  std::vector<double> values_;
};

Place between(const Place& a, const Place& b, double share) {
  return {a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])};
}

Place crossing(const Grid& grid, Place a, Place b, double atA) {
  for (int i = 0; i < 60; ++i) {
    const Place middle = between(a, b, 0.5);
    const double value = grid.at(middle);
    if (value == 0) return middle;
    ((value < 0) == (atA < 0) ? a : b) = middle;
  }
  return between(a, b, 0.5);
}

/// The point of the least modulus between a and b, and that modulus, by golden-section search.
std::pair<Place, double> least(const Grid& grid, const Place& a, const Place& b) {
  constexpr double kGolden = 0.618033988749894848;
  double low = 0, high = 1;
  double x1 = high - kGolden * (high - low), x2 = low + kGolden * (high - low);
  double f1 = std::abs(grid.at(between(a, b, x1))), f2 = std::abs(grid.at(between(a, b, x2)));
  for (int i = 0; i < 70; ++i) {
    if (f1 <= f2) {
      high = x2, x2 = x1, f2 = f1;
      x1 = high - kGolden * (high - low);
      f1 = std::abs(grid.at(between(a, b, x1)));
    } else {
      low = x1, x1 = x2, f1 = f2;
      x2 = low + kGolden * (high - low);
      f2 = std::abs(grid.at(between(a, b, x2)));
    }
  }
  return f1 <= f2 ? std::pair{between(a, b, x1), f1} : std::pair{between(a, b, x2), f2};
}

/// Grid edges that carry a zero: 2 * index for the edge to the right of a corner, 2 * index + 1 for the one above it.
using Nodes = std::map<int, Place>;

/// An edge of the grid, from the corner (column, row) upward or to the right.
struct Edge {
  int column, row;
  bool up;
  int id(const Grid& grid) const { return 2 * grid.index(column, row) + (up ? 1 : 0); }
  bool inside(const Grid& grid) const { return (up ? row : column) + 1 < (up ? grid.rows() : grid.columns()); }
  /// The corner `step` further along the line; empty outside the grid.
  std::optional<std::array<int, 2>> along(const Grid& grid, int step) const {
    const int c = column + (up ? 0 : step), r = row + (up ? step : 0);
    if (c < 0 || r < 0 || c >= grid.columns() || r >= grid.rows()) return std::nullopt;
    return std::array{c, r};
  }
};

/// A zero without a change of sign on this edge: the modulus decreases to zero from both sides.
std::optional<Place> touched(const Grid& grid, const Edge& edge, double a, double b) {
  const auto before = edge.along(grid, -1), after = edge.along(grid, 2);
  if (!before || !after) return std::nullopt;
  const double outerA = grid.value((*before)[0], (*before)[1]), outerB = grid.value((*after)[0], (*after)[1]);
  const double around = std::max(std::abs(outerA), std::abs(outerB));
  if (!std::isfinite(around) || !(std::abs(a) < std::abs(outerA)) || !(std::abs(b) < std::abs(outerB)))
    return std::nullopt;
  const Place from = grid.corner(edge.column, edge.row);
  const Place to = grid.corner(edge.column + (edge.up ? 0 : 1), edge.row + (edge.up ? 1 : 0));
  const auto [place, value] = least(grid, from, to);
  if (value > kZero * around) return std::nullopt;
  return place;
}

Nodes findNodes(const Grid& grid) {
  Nodes nodes;
  for (int row = 0; row < grid.rows(); ++row)
    for (int column = 0; column < grid.columns(); ++column)
      for (const bool up : {false, true}) {
        const Edge edge{column, row, up};
        if (!edge.inside(grid)) continue;
        const double a = grid.value(column, row), b = grid.value(column + (up ? 0 : 1), row + (up ? 1 : 0));
        if (!std::isfinite(a) || !std::isfinite(b) || (a == 0 && b == 0)) continue;
        const Place from = grid.corner(column, row), to = grid.corner(column + (up ? 0 : 1), row + (up ? 1 : 0));
        if ((a < 0) != (b < 0)) {
          const Place place = crossing(grid, from, to, a);
          // a pole changes sign too, and is not a zero
          if (std::abs(grid.at(place)) <= std::min(std::abs(a), std::abs(b)) + 1e-300) nodes[edge.id(grid)] = place;
        } else if (const auto place = touched(grid, edge, a, b)) {
          nodes[edge.id(grid)] = *place;
        }
      }
  return nodes;
}

using NodePair = std::array<int, 2>;  // two nodes

/// Joins the nodes of a square into segments. Four nodes are paired by the sign at the centre of the square.
void addSegments(const Grid& grid, const Nodes& nodes, int column, int row, std::vector<NodePair>& segments) {
  const int bottom = Edge{column, row, false}.id(grid), left = Edge{column, row, true}.id(grid);
  const int top = Edge{column, row + 1, false}.id(grid), right = Edge{column + 1, row, true}.id(grid);
  std::vector<int> here;
  for (const int id : {bottom, right, top, left})
    if (nodes.contains(id)) here.push_back(id);
  if (here.size() == 2 || here.size() == 3) {
    segments.push_back({here[0], here[1]});
    if (here.size() == 3) segments.push_back({here[1], here[2]});
  } else if (here.size() == 4) {
    const Place a = grid.corner(column, row), b = grid.corner(column + 1, row + 1);
    const bool likeCorner = (grid.at(between(a, b, 0.5)) < 0) == (grid.value(column, row) < 0);
    segments.push_back(likeCorner ? NodePair{bottom, right} : NodePair{bottom, left});
    segments.push_back(likeCorner ? NodePair{top, left} : NodePair{top, right});
  }
}

/// Joins segments that share a node into lines. Walks start at nodes where the number of segments is not two; the
/// segments that remain form closed lines.
std::vector<std::vector<Place>> joined(const Nodes& nodes, const std::vector<NodePair>& segments) {
  std::map<int, std::vector<std::size_t>> at;
  for (std::size_t i = 0; i < segments.size(); ++i)
    for (const int node : segments[i])
      at[node].push_back(i);
  std::vector<bool> used(segments.size());
  std::vector<std::vector<Place>> lines;
  const auto walk = [&](int node) {
    std::vector<Place> line{nodes.at(node)};
    for (bool more = true; more;) {
      more = false;
      for (const std::size_t i : at[node]) {
        if (used[i]) continue;
        used[i] = true;
        node = segments[i][0] == node ? segments[i][1] : segments[i][0];
        line.push_back(nodes.at(node));
        more = true;
        break;
      }
    }
    if (line.size() > 1) lines.push_back(std::move(line));
  };
  for (const auto& [node, ends] : at)
    if (ends.size() != 2) walk(node);
  for (const auto& [node, ends] : at)
    walk(node);
  return lines;
}

}  // namespace

std::vector<std::vector<std::array<double, 2>>> nullcline(const VectorField& field, std::span<const double> parameters,
                                                          int component, const PlaneBox& box, int cells) {
  if (field.dimension() != 2 || component < 0 || component > 1) return {};
  if (!(box.xMin < box.xMax && box.yMin < box.yMax) || !std::isfinite(box.xMax - box.xMin + box.yMax - box.yMin))
    return {};
  const Grid grid(field, parameters, component, box, cells);
  const Nodes nodes = findNodes(grid);
  std::vector<NodePair> segments;
  for (int row = 0; row + 1 < grid.rows(); ++row)
    for (int column = 0; column + 1 < grid.columns(); ++column)
      addSegments(grid, nodes, column, row, segments);
  return joined(nodes, segments);
}

}  // namespace sepx::dynamics
