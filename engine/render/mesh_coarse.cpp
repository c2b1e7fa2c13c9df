// SPDX-License-Identifier: Apache-2.0
// Works in rounds. Every round sorts the edges by length and collapses those whose surroundings no collapse of this
// round has changed yet.
#include "engine/render/mesh_coarse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/render/mesh_edges.h"

namespace sepx::render {
namespace {

using Triangle = std::array<std::uint32_t, 3>;
using Vector = std::array<double, 3>;

Vector minus(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  return {double{a[0]} - b[0], double{a[1]} - b[1], double{a[2]} - b[2]};
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

class Coarsener {
 public:
  explicit Coarsener(const Mesh& mesh) : mesh_(mesh) {}

  std::shared_ptr<Mesh> run(std::size_t most);

 private:
  enum class Place : std::uint8_t { Inside, Rim, Fixed };
  struct Edge {
    std::uint32_t a, b;
    double square;
    bool rim;
  };
  void readTriangles();
  void scale();
  void prepare(std::size_t most);
  bool collapse(const Edge& edge);
  double quality(const Triangle& t) const;
  bool keepsShape(std::uint32_t gone, std::uint32_t stays) const;
  bool keepsRim(std::uint32_t gone, std::uint32_t stays) const;
  std::size_t shared(std::uint32_t a, std::uint32_t b) const;
  bool simplyLinked(std::uint32_t a, std::uint32_t b) const;
  Vector normal(const Triangle& t) const { return cross(minus(at_[t[1]], at_[t[0]]), minus(at_[t[2]], at_[t[0]])); }

  const Mesh& mesh_;
  std::vector<std::array<float, 3>> at_;  // scaled: the box of the mesh is a cube
  std::vector<Triangle> triangles_;
  std::vector<std::vector<std::uint32_t>> around_;   // triangles at every vertex
  std::vector<std::array<std::uint32_t, 2>> along_;  // neighbours of a vertex of the rim
  std::vector<Place> place_;
  std::vector<bool> touched_;
  std::vector<Edge> edges_;
  std::size_t removedCount_ = 0;  // triangles removed in this round
};

void Coarsener::readTriangles() {
  const std::size_t n = mesh_.positions.size();
  const auto good = [&](std::uint32_t i) {
    if (i >= n) return false;
    const auto& p = mesh_.positions[i];
    return std::abs(p[0]) < 1e18F && std::abs(p[1]) < 1e18F && std::abs(p[2]) < 1e18F;
  };
  for (std::size_t t = 0; t + 2 < mesh_.triangles.size(); t += 3) {
    const Triangle one{mesh_.triangles[t], mesh_.triangles[t + 1], mesh_.triangles[t + 2]};
    if (good(one[0]) && good(one[1]) && good(one[2]) && one[0] != one[1] && one[1] != one[2] && one[0] != one[2])
      triangles_.push_back(one);
  }
}

// The data axes have different units, so lengths are measured relative to the bounding box.
void Coarsener::scale() {
  Vector low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Triangle& t : triangles_) {
    for (const std::uint32_t i : t) {
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min<double>(low[k], mesh_.positions[i][k]);
        high[k] = std::max<double>(high[k], mesh_.positions[i][k]);
      }
    }
  }
  at_.assign(mesh_.positions.size(), {});
  for (std::size_t i = 0; i < at_.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      at_[i][k] = high[k] > low[k] ? static_cast<float>((mesh_.positions[i][k] - low[k]) / (high[k] - low[k])) : 0;
  }
}

// Finds the edges with their lengths, the triangles around every vertex, and the vertices that may move.
void Coarsener::prepare(std::size_t most) {
  const std::size_t n = at_.size();
  around_.assign(n, {});
  along_.assign(n, {~0U, ~0U});
  place_.assign(n, Place::Inside);
  touched_.assign(n, false);
  edges_.clear();
  Mesh now;
  now.positions = at_;
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    for (const std::uint32_t i : triangles_[t]) {
      around_[i].push_back(t);
      now.triangles.push_back(i);
    }
  }
  std::vector<std::uint32_t> ends(n, 0), pairs(n, 0);
  for (const MeshEdge& edge : edgesOf(now)) {
    const Vector step = minus(at_[edge.a], at_[edge.b]);
    const bool rim = edge.other == MeshEdge::kNone;
    edges_.push_back({edge.a, edge.b, dot(step, step), rim});
    for (const auto& [from, to] : {std::pair{edge.a, edge.b}, {edge.b, edge.a}}) {
      pairs[from] += rim ? 1 : 2;
      if (!rim) continue;
      if (ends[from] < 2) along_[from][ends[from]] = to;
      ++ends[from];
      place_[from] = Place::Rim;
    }
  }
  // Every triangle at a vertex has two of its edges. If the numbers do not match, or if rims meet, more than two
  // triangles share an edge, or two sheets share a point.
  for (std::size_t i = 0; i < n; ++i) {
    if (pairs[i] != 2 * around_[i].size() || ends[i] > 2) place_[i] = Place::Fixed;
  }
  std::sort(edges_.begin(), edges_.end(), [](const Edge& x, const Edge& y) {
    return x.square != y.square ? x.square < y.square : std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
  // A round considers only the shorter edges, so that the lengths stay even.
  const std::size_t excess = triangles_.size() > most ? triangles_.size() - most : 0;
  edges_.resize(std::min(edges_.size(), std::max<std::size_t>(edges_.size() / 4, excess / 2) + 16));
}

std::size_t Coarsener::shared(std::uint32_t a, std::uint32_t b) const {
  return static_cast<std::size_t>(std::count_if(around_[a].begin(), around_[a].end(), [&](std::uint32_t t) {
    return std::find(triangles_[t].begin(), triangles_[t].end(), b) != triangles_[t].end();
  }));
}

// Whether the two ends have no common neighbours except the third corners of the edge's own triangles. Otherwise a
// collapse would join separate parts.
bool Coarsener::simplyLinked(std::uint32_t a, std::uint32_t b) const {
  std::vector<std::uint32_t> ofA, ofB, both;
  const auto collect = [&](std::uint32_t vertex, std::vector<std::uint32_t>& found) {
    for (const std::uint32_t t : around_[vertex])
      for (const std::uint32_t i : triangles_[t])
        if (i != a && i != b) found.push_back(i);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  };
  collect(a, ofA);
  collect(b, ofB);
  std::set_intersection(ofA.begin(), ofA.end(), ofB.begin(), ofB.end(), std::back_inserter(both));
  return both.size() == shared(a, b);
}

// Square of twice the area, divided by the fourth power of the longest side: small for slivers.
double Coarsener::quality(const Triangle& t) const {
  const Vector u = minus(at_[t[1]], at_[t[0]]), v = minus(at_[t[2]], at_[t[1]]), w = minus(at_[t[0]], at_[t[2]]);
  const double longest = std::max({dot(u, u), dot(v, v), dot(w, w)}), area = dot(normal(t), normal(t));
  return longest > 0 ? area / longest / longest : 0;
}

// Whether no triangle at `gone` turns by more than 60 degrees or becomes a sliver when its corner moves to `stays`. A
// triangle that is already a sliver has no direction to keep.
bool Coarsener::keepsShape(std::uint32_t gone, std::uint32_t stays) const {
  constexpr double kSliver = 1e-3;
  for (const std::uint32_t t : around_[gone]) {
    Triangle moved = triangles_[t];
    if (std::find(moved.begin(), moved.end(), stays) != moved.end()) continue;
    const Vector before = normal(moved);
    const double was = quality(moved);
    std::replace(moved.begin(), moved.end(), gone, stays);
    const Vector after = normal(moved);
    if (quality(moved) < std::min(kSliver, was)) return false;
    const double sizes = std::sqrt(dot(before, before) * dot(after, after));
    if (was > 1e-6 && !(dot(before, after) >= 0.5 * sizes)) return false;
  }
  return true;
}

// Whether the rim is almost straight at `gone`, and `stays` is one of its two neighbours on the rim.
bool Coarsener::keepsRim(std::uint32_t gone, std::uint32_t stays) const {
  const auto [one, other] = along_[gone];
  if (one == ~0U || other == ~0U) return false;
  const Vector u = minus(at_[gone], at_[one]), v = minus(at_[other], at_[gone]);
  return (one == stays || other == stays) && dot(u, v) > 0.98 * std::sqrt(dot(u, u) * dot(v, v));
}

bool Coarsener::collapse(const Edge& edge) {
  for (const auto& [gone, stays] : {std::pair{edge.b, edge.a}, {edge.a, edge.b}}) {
    if (place_[gone] == Place::Fixed || touched_[gone] || touched_[stays]) continue;
    if (place_[gone] == Place::Rim && !(edge.rim && keepsRim(gone, stays))) continue;
    if (!keepsShape(gone, stays) || !simplyLinked(gone, stays)) continue;
    for (const std::uint32_t t : around_[gone]) {
      Triangle& triangle = triangles_[t];
      for (const std::uint32_t i : triangle)
        touched_[i] = true;
      const bool flat = std::find(triangle.begin(), triangle.end(), stays) != triangle.end();
      std::replace(triangle.begin(), triangle.end(), gone, stays);
      removedCount_ += flat ? 1 : 0;
    }
    for (const std::uint32_t t : around_[stays])
      for (const std::uint32_t i : triangles_[t])
        touched_[i] = true;
    return true;
  }
  return false;
}

std::shared_ptr<Mesh> Coarsener::run(std::size_t most) {
  readTriangles();
  scale();
  for (int round = 0; round < 60 && triangles_.size() > most; ++round) {
    prepare(most);
    removedCount_ = 0;
    for (const Edge& edge : edges_) {
      if (triangles_.size() <= most + removedCount_) break;
      collapse(edge);
    }
    if (removedCount_ == 0) break;
    std::erase_if(triangles_, [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[0] == t[2]; });
  }
  auto made = std::make_shared<Mesh>();
  const std::size_t n = mesh_.positions.size();
  const bool values = mesh_.values.size() == n, normals = mesh_.normals.size() == n;
  std::vector<std::uint32_t> number(n, ~0U);
  for (const Triangle& t : triangles_) {
    for (const std::uint32_t i : t) {
      if (number[i] == ~0U) {
        number[i] = static_cast<std::uint32_t>(made->positions.size());
        made->positions.push_back(mesh_.positions[i]);
        if (values) made->values.push_back(mesh_.values[i]);
        if (normals) made->normals.push_back(mesh_.normals[i]);
      }
      made->triangles.push_back(number[i]);
    }
  }
  return made;
}

}  // namespace

std::shared_ptr<Mesh> coarsened(const Mesh& mesh, std::size_t most) {
  return Coarsener(mesh).run(most);
}

}  // namespace sepx::render
