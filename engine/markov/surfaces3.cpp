// SPDX-License-Identifier: Apache-2.0
// Marching tetrahedra: every cube of the grid is cut into six along its diagonal, so that neighbours agree on their
// common faces and no case is ambiguous. Any thread.
#include "engine/markov/surfaces3.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engine/core/thread_pool.h"

namespace sepx::markov {

namespace {

Place3 unit(Place3 v) {
  const double length = std::hypot(v[0], v[1], v[2]);
  if (!(length > 0) || !std::isfinite(length)) return {0, 0, 1};
  return {v[0] / length, v[1] / length, v[2] / length};
}

/// The corners of the six tetrahedra: from corner 0 to corner 7 along the axes in every order. Bit i of a corner: the
/// far side along axis i.
constexpr std::array<std::array<int, 4>, 6> kTetrahedra{
    {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}}};

class Marching {
 public:
  Marching(const Level3& level, const Box3& box, int cells) : level_(level) {
    for (std::size_t i = 0; i < 3; ++i) {
      nodes_[i] = gridNodes(box.low[i], box.high[i], cells);
      count_[i] = nodes_[i].size();
    }
  }

  void evaluate(ThreadPool* pool) {
    inside_.assign(count_[0] * count_[1] * count_[2], 0);
    const auto rows = [this](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        for (std::size_t j = 0; j < count_[1]; ++j)
          for (std::size_t k = 0; k < count_[2]; ++k)
            inside_[(i * count_[1] + j) * count_[2] + k] = level_.f({nodes_[0][i], nodes_[1][j], nodes_[2][k]}) < 0;
    };
    if (pool)
      pool->parallelFor(0, count_[0], 4, rows);
    else
      rows(0, count_[0]);
  }

  Sheet3 march() {
    for (std::size_t i = 0; i + 1 < count_[0]; ++i)
      for (std::size_t j = 0; j + 1 < count_[1]; ++j)
        for (std::size_t k = 0; k + 1 < count_[2]; ++k)
          cube(i, j, k);
    return std::move(sheet_);
  }

 private:
  std::size_t nodeOf(std::size_t i, std::size_t j, std::size_t k) const { return (i * count_[1] + j) * count_[2] + k; }
  Place3 placeOf(std::size_t node) const {
    const std::size_t k = node % count_[2], rest = node / count_[2];
    return {nodes_[0][rest / count_[1]], nodes_[1][rest % count_[1]], nodes_[2][k]};
  }

  void cube(std::size_t i, std::size_t j, std::size_t k) {
    std::array<std::size_t, 8> corners{};
    int within = 0;
    for (std::size_t c = 0; c < 8; ++c) {
      corners[c] = nodeOf(i + (c & 1), j + ((c >> 1) & 1), k + ((c >> 2) & 1));
      within += inside_[corners[c]];
    }
    if (within == 0 || within == 8) return;
    for (const auto& tetrahedron : kTetrahedra) {
      std::array<std::size_t, 4> in{}, out{};
      std::size_t ins = 0, outs = 0;
      for (const int corner : tetrahedron) {
        const std::size_t node = corners[static_cast<std::size_t>(corner)];
        if (inside_[node])
          in[ins++] = node;
        else
          out[outs++] = node;
      }
      if (ins == 1) triangle(vertex(in[0], out[0]), vertex(in[0], out[1]), vertex(in[0], out[2]));
      if (outs == 1) triangle(vertex(in[0], out[0]), vertex(in[1], out[0]), vertex(in[2], out[0]));
      if (ins != 2) continue;
      const std::uint32_t a = vertex(in[0], out[0]), b = vertex(in[0], out[1]), c = vertex(in[1], out[1]),
                          d = vertex(in[1], out[0]);
      triangle(a, b, c);
      triangle(a, c, d);
    }
  }

  std::uint32_t vertex(std::size_t a, std::size_t b) {
    const std::uint64_t key = static_cast<std::uint64_t>(std::min(a, b)) * inside_.size() + std::max(a, b);
    const auto [found, made] = vertices_.try_emplace(key, static_cast<std::uint32_t>(sheet_.points.size()));
    if (made) {
      const Place3 at = rootBetween(level_.f, placeOf(std::min(a, b)), placeOf(std::max(a, b)));
      sheet_.points.push_back(at);
      sheet_.normals.push_back(unit(level_.gradient(at)));
      sheet_.values.push_back(level_.value ? level_.value(at) : 0);
    }
    return found->second;
  }

  /// Adds a triangle, oriented along the normal of its first corner.
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const Place3 &p = sheet_.points[a], &q = sheet_.points[b], &r = sheet_.points[c], &n = sheet_.normals[a];
    const Place3 u{q[0] - p[0], q[1] - p[1], q[2] - p[2]}, v{r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    const Place3 cross{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    if (cross == Place3{0, 0, 0}) return;
    if (cross[0] * n[0] + cross[1] * n[1] + cross[2] * n[2] < 0) std::swap(b, c);
    sheet_.triangles.push_back({a, b, c});
  }

  const Level3& level_;
  std::array<std::vector<double>, 3> nodes_;
  std::array<std::size_t, 3> count_{};
  std::vector<std::uint8_t> inside_;
  std::unordered_map<std::uint64_t, std::uint32_t> vertices_;
  Sheet3 sheet_;
};

}  // namespace

bool Box3::contains(const Place3& at) const {
  for (std::size_t i = 0; i < 3; ++i)
    if (!(at[i] >= low[i] && at[i] <= high[i])) return false;
  return true;
}

void Sheet3::append(const Sheet3& other) {
  const auto base = static_cast<std::uint32_t>(points.size());
  points.insert(points.end(), other.points.begin(), other.points.end());
  normals.insert(normals.end(), other.normals.begin(), other.normals.end());
  values.insert(values.end(), other.values.begin(), other.values.end());
  for (const auto& [a, b, c] : other.triangles)
    triangles.push_back({base + a, base + b, base + c});
}

std::vector<double> gridNodes(double low, double high, int cells) {
  const int n = std::max(cells, 2);
  std::vector<double> nodes;
  for (int i = 0; i <= n; ++i)
    nodes.push_back(i == n ? high : low + (high - low) * i / n);
  if (!(low < 0 && high > 0)) return nodes;
  // Only an inner node is moved, so that the box keeps its ends. Next to an end a node is added instead.
  const double spacing = (high - low) / n;
  if (-low < 0.5 * spacing || high < 0.5 * spacing)
    nodes.insert(std::upper_bound(nodes.begin(), nodes.end(), 0.0), 0.0);
  else
    nodes[static_cast<std::size_t>(std::clamp<long>(std::lround(-low / spacing), 1, n - 1))] = 0;
  return nodes;
}

Place3 rootBetween(const std::function<double(const Place3&)>& f, Place3 a, Place3 b) {
  const auto between = [&](double t) {
    Place3 at{};
    for (std::size_t i = 0; i < 3; ++i)
      at[i] = a[i] == b[i] ? a[i] : a[i] + t * (b[i] - a[i]);
    return at;
  };
  const bool inA = f(a) < 0;
  double low = 0, high = 1;
  double atLow = f(a), atHigh = f(b);
  // Secant steps inside a bracket, each followed by a halving: f may be infinite at an end.
  for (int i = 0; i < 30 && high - low > 1e-15; ++i) {
    double t = 0.5 * (low + high);
    if (std::isfinite(atLow) && std::isfinite(atHigh) && i % 2 == 0 && atHigh != atLow) {
      const double secant = low - atLow * (high - low) / (atHigh - atLow);
      if (secant > low && secant < high) t = secant;
    }
    const double value = f(between(t));
    if (value == 0) return between(t);
    if ((value < 0) == inA)
      low = t, atLow = value;
    else
      high = t, atHigh = value;
  }
  const bool lowIsNearer = std::abs(atLow) < std::abs(atHigh);
  return between(lowIsNearer ? low : high);
}

Sheet3 levelSheet(const Level3& level, const Box3& box, int cells, ThreadPool* pool) {
  if (box.empty() || cells < 2) return {};
  Marching marching(level, box, cells);
  marching.evaluate(pool);
  return marching.march();
}

Sheet3 flatSheet(int axis, double at, const Box3& box, int cells, const std::function<double(const Place3&)>& value) {
  Sheet3 sheet;
  const auto across = static_cast<std::size_t>(axis);
  const std::size_t x = across == 0 ? 1 : 0, y = across == 2 ? 1 : 2;
  if (box.empty() || at < box.low[across] || at > box.high[across] || cells < 1) return sheet;
  const auto side = static_cast<std::uint32_t>(cells + 1);
  for (std::uint32_t i = 0; i < side; ++i)
    for (std::uint32_t j = 0; j < side; ++j) {
      Place3 place{}, normal{};
      place[across] = at;
      normal[across] = 1;
      place[x] = i + 1 == side ? box.high[x] : box.low[x] + (box.high[x] - box.low[x]) * i / cells;
      place[y] = j + 1 == side ? box.high[y] : box.low[y] + (box.high[y] - box.low[y]) * j / cells;
      sheet.points.push_back(place);
      sheet.normals.push_back(normal);
      sheet.values.push_back(value ? value(place) : 0);
      if (i == 0 || j == 0) continue;
      const std::uint32_t d = i * side + j, c = d - 1, b = d - side, a = b - 1;
      sheet.triangles.push_back({a, b, d});
      sheet.triangles.push_back({a, d, c});
    }
  return sheet;
}

}  // namespace sepx::markov
