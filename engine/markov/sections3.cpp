// SPDX-License-Identifier: Apache-2.0
// Traces surfaces on the triangles of a grid (two per cell, so that no case is ambiguous) and joins pieces by the edges
// that they share. Any thread.
#include "engine/markov/sections3.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sepx::markov {

namespace {

class Tracing {
 public:
  Tracing(const Level3& level, const SectionPlane& plane, const Box3& box, int cells)
      : level_(level),
        plane_(plane),
        xs_(gridNodes(box.low[plane.x()], box.high[plane.x()], cells)),
        ys_(gridNodes(box.low[plane.y()], box.high[plane.y()], cells)) {}

  std::vector<SectionLine> lines() {
    for (const double y : ys_)
      for (const double x : xs_)
        inside_.push_back(level_.f(plane_.place(x, y)) < 0);
    for (std::size_t j = 0; j + 1 < ys_.size(); ++j)
      for (std::size_t i = 0; i + 1 < xs_.size(); ++i) {
        const std::size_t a = j * xs_.size() + i, b = a + 1, c = a + xs_.size(), d = c + 1;
        triangle(a, b, d);
        triangle(a, d, c);
      }
    return joined();
  }

 private:
  using Edge = std::pair<std::size_t, std::size_t>;  ///< nodes, the lower first

  static Edge edgeOf(std::size_t a, std::size_t b) { return {std::min(a, b), std::max(a, b)}; }

  void triangle(std::size_t a, std::size_t b, std::size_t c) {
    const bool inA = inside_[a], inB = inside_[b], inC = inside_[c];
    if (inA == inB && inB == inC) return;
    const std::size_t alone = inB == inC ? a : inA == inC ? b : c;
    const std::size_t first = alone == a ? b : a, second = alone == c ? b : c;
    const Edge one = edgeOf(alone, first), other = edgeOf(alone, second);
    next_[one].push_back(other);
    next_[other].push_back(one);
  }

  SectionPoint pointOn(const Edge& edge) const {
    const auto place = [this](std::size_t node) {
      return plane_.place(xs_[node % xs_.size()], ys_[node / xs_.size()]);
    };
    const Place3 at = rootBetween(level_.f, place(edge.first), place(edge.second));
    return {at[plane_.x()], at[plane_.y()]};
  }

  /// Follows one line from an edge as far as it goes; used edges are removed.
  SectionLine follow(Edge edge) {
    SectionLine line{pointOn(edge)};
    while (true) {
      std::vector<Edge>& ahead = next_[edge];
      if (ahead.empty()) return line;
      const Edge to = ahead.back();
      ahead.pop_back();
      std::vector<Edge>& back = next_[to];
      back.erase(std::find(back.begin(), back.end(), edge));
      line.push_back(pointOn(to));
      edge = to;
    }
  }

  std::vector<SectionLine> joined() {
    std::vector<SectionLine> lines;
    std::vector<Edge> ends, rest;
    for (const auto& [edge, ahead] : next_)
      (ahead.size() == 1 ? ends : rest).push_back(edge);
    for (const auto* edges : {&ends, &rest})
      for (const Edge& edge : *edges)
        if (!next_[edge].empty()) lines.push_back(follow(edge));
    return lines;
  }

  const Level3& level_;
  const SectionPlane& plane_;
  std::vector<double> xs_, ys_;
  std::vector<bool> inside_;
  std::map<Edge, std::vector<Edge>> next_;
};

}  // namespace

Place3 SectionPlane::place(double horizontal, double vertical) const {
  Place3 place{};
  place[across()] = at;
  place[x()] = horizontal;
  place[y()] = vertical;
  return place;
}

std::vector<SectionLine> traceOf(const Level3& level, const SectionPlane& plane, const Box3& box, int cells) {
  if (box.empty() || !(plane.at >= box.low[plane.across()] && plane.at <= box.high[plane.across()])) return {};
  return Tracing(level, plane, box, cells).lines();
}

std::vector<SectionPoint> crossings(const std::vector<Place3>& path, const SectionPlane& plane) {
  std::vector<SectionPoint> points;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double before = path[i - 1][plane.across()] - plane.at, after = path[i][plane.across()] - plane.at;
    if (!((before < 0) != (after < 0))) continue;
    const double share = before / (before - after);
    const auto along = [&](std::size_t axis) {
      return path[i - 1][axis] + share * (path[i][axis] - path[i - 1][axis]);
    };
    points.push_back({along(plane.x()), along(plane.y())});
  }
  return points;
}

}  // namespace sepx::markov
