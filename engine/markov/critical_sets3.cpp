// SPDX-License-Identifier: Apache-2.0
// Critical sets and invariant surfaces of the three-dimensional flow. Gradients are derived by hand (docs/science.md).
// Any thread.
#include "engine/markov/critical_sets3.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/markov/energy.h"
#include "engine/markov/unbounded_surface.h"

namespace sepx::markov {

namespace {

std::function<double(const Place3&)> lossOf(const Chain& chain) {
  return [chain](const Place3& at) { return loss(chain, Model::EWA, stateOf(at)); };
}

}  // namespace

Box3 sideOf(const Box3& box, double w) {
  Box3 side = box;
  if (w > 0) side.low[1] = std::max(side.low[1], 0.0);
  if (w < 0) side.high[1] = std::min(side.high[1], 0.0);
  if (w == 0) side.high[1] = side.low[1];
  return side;
}

Level3 thetaStarLevel(const Chain& chain) {
  const double S_star = chain.S_star();
  Level3 level;
  level.f = [S_star](const Place3& at) {
    const auto [e, w, a] = at;
    return e * e * (1 + a * e * e) * (1 + 2 * w * std::abs(w)) - S_star;
  };
  level.gradient = [](const Place3& at) {
    const auto [e, w, a] = at;
    const double v = 1 + 2 * w * std::abs(w), u = 1 + a * e * e;
    return Place3{2 * e * (1 + 2 * a * e * e) * v, 4 * e * e * u * std::abs(w), e * e * e * e * v};
  };
  level.value = [](const Place3& at) { return at[2]; };
  return level;
}

Level3 energyLevel(const Chain& chain, const Place3& through) {
  const double E0 = energy(Model::EWA, stateOf(through)).value_or(0), sign = through[1] < 0 ? -1 : 1;
  Level3 level;
  level.f = [E0, sign](const Place3& at) {
    const auto [e, w, a] = at;
    return e * e - w * w - sign * std::log(std::abs(w)) - 2 * a * a - E0;
  };
  level.gradient = [sign](const Place3& at) {
    const auto [e, w, a] = at;
    return Place3{2 * e, -2 * w - sign / w, -4 * a};
  };
  level.value = lossOf(chain);
  return level;
}

Level3 unboundedLevel(const Chain& chain) {
  Level3 level;
  level.f = [](const Place3& at) { return std::abs(at[0]) - unboundedSurfaceE(at[2]); };
  level.gradient = [](const Place3& at) {
    // da/ds = e^2/4 with s = e^2 - 4a^2 along the curve: da (4/e^2 + 8a) = 2 e de
    const double e = std::abs(at[0]), slope = e > 0 ? (4 / (e * e) + 8 * at[2]) / (2 * e) : 0;
    return Place3{at[0] < 0 ? -1.0 : 1.0, 0, -slope};
  };
  level.value = lossOf(chain);
  return level;
}

Sheet3 thetaStarSheet(const Chain& chain, const Box3& box, int cells, ThreadPool* pool) {
  if (chain.degenerate()) return {};
  return levelSheet(thetaStarLevel(chain), box, cells, pool);
}

Sheet3 energySheet(const Chain& chain, const Place3& through, const Box3& box, int cells, ThreadPool* pool) {
  if (!energy(Model::EWA, stateOf(through))) return {};
  return levelSheet(energyLevel(chain, through), sideOf(box, through[1]), cells, pool);
}

std::vector<std::vector<Place3>> unboundedCurves(const Box3& box, int samples) {
  std::vector<std::vector<Place3>> curves;
  const int steps = std::max(samples, 8);
  const double low = box.low[2], high = box.high[2];
  std::vector<Place3> whole;  // the curve for e > 0, over the box's range of a
  for (int i = 0; i <= steps; ++i) {
    const double a = i == steps ? high : low + (high - low) * i / steps;
    whole.push_back({unboundedSurfaceE(a), 0, a});
  }
  for (const double sign : {1.0, -1.0}) {
    const auto within = [&](const Place3& at) { return sign * at[0] >= box.low[0] && sign * at[0] <= box.high[0]; };
    // |e| grows with a, so the part in the box is one interval of a
    std::vector<Place3> curve;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      if (i > 0 && within(whole[i - 1]) != within(whole[i])) {
        Place3 in = whole[within(whole[i]) ? i : i - 1], out = whole[within(whole[i]) ? i - 1 : i];
        for (int k = 0; k < 40; ++k) {
          const double a = 0.5 * (in[2] + out[2]);
          const Place3 middle{unboundedSurfaceE(a), 0, a};
          (within(middle) ? in : out) = middle;
        }
        curve.push_back(in);
      }
      if (within(whole[i])) curve.push_back(whole[i]);
    }
    for (Place3& at : curve)
      at[0] *= sign;
    if (curve.size() > 1) curves.push_back(std::move(curve));
  }
  return curves;
}

Sheet3 unboundedSheet(const Chain& chain, const Box3& box, int cells) {
  Sheet3 sheet;
  if (chain.degenerate() || chain.switching() <= 0 || box.empty() || box.high[1] <= 0) return sheet;
  const double low = std::max(box.low[1], 0.0), high = box.high[1];
  const Level3 level = unboundedLevel(chain);
  const auto across = static_cast<std::uint32_t>(std::max(cells / 2, 2));
  for (const std::vector<Place3>& curve : unboundedCurves(box, 2 * cells)) {
    Sheet3 half;
    for (std::size_t i = 0; i < curve.size(); ++i)
      for (std::uint32_t j = 0; j <= across; ++j) {
        const Place3 place{curve[i][0], j == across ? high : low + (high - low) * j / across, curve[i][2]};
        const Place3 n = level.gradient(place);
        const double length = std::hypot(n[0], n[2]);
        half.points.push_back(place);
        half.normals.push_back({n[0] / length, 0, n[2] / length});
        half.values.push_back(level.value(place));
        if (i == 0 || j == 0) continue;
        const auto d = static_cast<std::uint32_t>(i) * (across + 1) + j, c = d - 1, b = d - (across + 1), a = b - 1;
        half.triangles.push_back({a, b, d});
        half.triangles.push_back({a, d, c});
      }
    sheet.append(half);
  }
  return sheet;
}

std::vector<AxisPlane> axisPlanes(const Chain& chain, const Box3& box, int cells) {
  std::vector<AxisPlane> planes;
  if (chain.degenerate() || box.empty() || box.low[0] > 0 || box.high[0] < 0) return planes;
  const bool above = chain.switching() > 0;
  const auto height = [](const Place3& at) { return at[2]; };
  const auto add = [&](LimitKind kind, double low, double high) {
    Box3 part = box;
    part.low[1] = low;
    part.high[1] = high;
    if (low < high) planes.push_back({kind, flatSheet(0, 0, part, cells, height)});
  };
  add(above ? LimitKind::LocalMin : LimitKind::LocalMax, std::max(box.low[1], kSaddleW), box.high[1]);
  add(above ? LimitKind::LocalMax : LimitKind::LocalMin, box.low[1], std::min(box.high[1], kSaddleW));
  return planes;
}

std::vector<Curve3> criticalCurves(const Chain& chain, const Box3& box, int samples) {
  std::vector<Curve3> curves;
  if (chain.degenerate() || box.empty() || !(box.low[1] <= kSaddleW && box.high[1] >= kSaddleW)) return curves;
  if (box.low[0] <= 0 && box.high[0] >= 0)
    curves.push_back({Curve3::Set::Saddle, {{0, kSaddleW, box.low[2]}, {0, kSaddleW, box.high[2]}}});
  for (const double sign : {1.0, -1.0}) {
    const double far = sign > 0 ? box.high[0] : -box.low[0], near = sign > 0 ? box.low[0] : -box.high[0];
    if (!(box.low[2] < 0) || !(far > 0)) continue;
    // a = -1/e^2 rises with |e|, from the floor of the box to its ceiling
    const double first = std::max(near, 1 / std::sqrt(-box.low[2]));
    const double last = box.high[2] < 0 ? std::min(far, 1 / std::sqrt(-box.high[2])) : far;
    if (!(first < last)) continue;
    Curve3 curve{Curve3::Set::Station, {}};
    for (int i = 0; i <= samples; ++i) {
      // evenly in 1/e, because the curve is steep where e is small
      const double inverse = 1 / first + (1 / last - 1 / first) * i / samples, e = 1 / inverse;
      curve.points.push_back({sign * e, kSaddleW, -inverse * inverse});
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<Level3> flatMinima() {
  const auto height = [](const Place3& at) { return at[2]; };
  return {{[](const Place3& at) { return at[1] + 1 / std::numbers::sqrt2; },
           [](const Place3&) {
             return Place3{0, 1, 0};
           },
           height},
          {[](const Place3& at) { return 1 + at[2] * at[0] * at[0]; },
           [](const Place3& at) {
             return Place3{2 * at[2] * at[0], 0, at[0] * at[0]};
           },
           height}};
}

}  // namespace sepx::markov
