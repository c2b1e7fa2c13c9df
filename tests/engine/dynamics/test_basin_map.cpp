// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "engine/dynamics/basin_map.h"
#include "engine/markov/basin.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/flow.h"

using namespace sepx::dynamics;
using sepx::ThreadPool;
using sepx::markov::Chain;

namespace {

const FieldRegistry& mappedFields() {
  static const FieldRegistry registry = [] {
    FieldRegistry fields = textbookFields();
    sepx::markov::addCanonicalFields(fields);
    return fields;
  }();
  return registry;
}

std::vector<double> fallbacks(const VectorField& field) {
  std::vector<double> values;
  for (const FieldParameter& parameter : field.info().parameters)
    values.push_back(parameter.fallback);
  return values;
}

}  // namespace

TEST_CASE("Pixels are sampled at their centres, and the y axis points upwards") {
  const BasinWindow window{-2, 2, -1, 1, 4, 2};
  CHECK(window.x(0) == -1.5);
  CHECK(window.x(3) == 1.5);
  CHECK(window.y(0) == 0.5);
  CHECK(window.y(1) == -0.5);
}

TEST_CASE("Integration finds the basins of Theorems 2 and 8 away from the separatrix") {
  ThreadPool pool;
  const FieldRegistry& registry = mappedFields();
  const VectorField& ew = *registry.find("ew");
  const BasinWindow window{-2.03, 1.97, -2.01, 1.99, 64, 64};
  for (const auto& [p, q] : {std::pair{0.5, 0.8}, {0.2, 0.3}, {0.9, 0.8}, {0.1, 0.6}, {0.35, 0.6}, {0.5, 0.501}}) {
    INFO(p << " " << q);
    const Chain chain{p, q};
    const std::vector<double> parameters{p, q};
    const BasinMap integrated = integrateBasinMap(ew, parameters, window, {}, pool);
    const BasinMap exact = sepx::markov::exactBasinMap(chain, window, pool);
    int away = 0;
    for (int row = 0; row < window.height; ++row)
      for (int column = 0; column < window.width; ++column) {
        const auto i = static_cast<std::size_t>(row * window.width + column);
        if (integrated.labels[i] == exact.labels[i]) continue;
        // Test whether the separatrix is closer than 0.1 % of e.
        const double e = window.x(column), w = window.y(row);
        const bool close = sepx::markov::sideOfSeparatrix(e * 1.001, w) != sepx::markov::sideOfSeparatrix(e * 0.999, w);
        away += close ? 0 : 1;
      }
    CHECK(away == 0);
    CHECK(disagreement(integrated, exact) < 0.001);
  }
}

TEST_CASE("Lanes and the scalar path give the same map except within a thousandth of |e| of the separatrix") {
  ThreadPool pool;
  const FieldRegistry& registry = mappedFields();
  const VectorField& ew = *registry.find("ew");
  for (const auto& [p, q] : {std::pair{0.5, 0.8}, {0.2, 0.3}, {0.5, 0.501}}) {
    INFO(p << " " << q);
    const BasinWindow window{-2.03, 1.97, -2.01, 1.99, 67, 45};
    BasinMapOptions scalar;
    scalar.scalar = true;
    const BasinMap slow = integrateBasinMap(ew, std::vector<double>{p, q}, window, scalar, pool);
    const BasinMap fast = integrateBasinMap(ew, std::vector<double>{p, q}, window, {}, pool);
    int away = 0;
    for (int row = 0; row < window.height; ++row)
      for (int column = 0; column < window.width; ++column) {
        const auto i = static_cast<std::size_t>(row * window.width + column);
        const double e = window.x(column), w = window.y(row);
        const bool close = sepx::markov::sideOfSeparatrix(e * 1.001, w) != sepx::markov::sideOfSeparatrix(e * 0.999, w);
        away += slow.labels[i] != fast.labels[i] && !close;
      }
    CHECK(away == 0);
    // The lanes agree exactly with the theorems.
    CHECK(disagreement(fast, sepx::markov::exactBasinMap(Chain{p, q}, window, pool)) == 0);
  }
}

TEST_CASE("Integration also finds the basins of Theorems 2 and 8 in large windows") {
  ThreadPool pool;
  const FieldRegistry& registry = mappedFields();
  const VectorField& ew = *registry.find("ew");
  for (const double reach : {5.0, 10.0, 20.0, 100.0, 1000.0})
    for (const auto& [p, q] : {std::pair{0.5, 0.8}, {0.2, 0.3}, {0.9, 0.8}, {0.1, 0.6}}) {
      INFO(reach << " " << p << " " << q);
      const BasinWindow window{-reach, reach, -reach, reach, 48, 48};
      const BasinMap integrated =
          integrateBasinMap(ew, std::vector<double>{p, q}, window, basinMapOptions(window), pool);
      const BasinMap exact = sepx::markov::exactBasinMap(Chain{p, q}, window, pool);
      int away = 0;
      for (int row = 0; row < window.height; ++row)
        for (int column = 0; column < window.width; ++column) {
          const auto i = static_cast<std::size_t>(row * window.width + column);
          if (integrated.labels[i] == exact.labels[i]) continue;
          const double e = window.x(column), w = window.y(row);
          const bool close =
              w < 0 && sepx::markov::sideOfSeparatrix(e * 1.001, w) != sepx::markov::sideOfSeparatrix(e * 0.999, w);
          away += close ? 0 : 1;
        }
      CHECK(away == 0);
      CHECK(disagreement(integrated, exact) <= (p + q > 1 ? 0.0 : 0.042));  // at most the pixels of the two diagonals
    }
}

TEST_CASE("A thin strip along an invariant line keeps its sides and its separatrix") {
  ThreadPool pool;
  const FieldRegistry& registry = mappedFields();
  const VectorField& ew = *registry.find("ew");
  for (const double height : {1e-2, 1e-5, 1e-9}) {
    INFO(height);
    const BasinWindow window{-8, 8, -height, height, 64, 40};
    const BasinMap integrated =
        integrateBasinMap(ew, std::vector<double>{0.5, 0.8}, window, basinMapOptions(window), pool);
    CHECK(disagreement(integrated, sepx::markov::exactBasinMap(Chain{0.5, 0.8}, window, pool)) < 0.001);
  }
}

TEST_CASE("The basins of the double well are symmetric and cover the plane") {
  ThreadPool pool;
  const FieldRegistry& registry = mappedFields();
  const VectorField& duffing = *registry.find("duffing");
  const BasinWindow window{-2, 2, -2, 2, 40, 40};
  const BasinMap map = integrateBasinMap(duffing, fallbacks(duffing), window, {}, pool);
  const auto left = static_cast<std::uint8_t>(LimitKind::Attractor);
  int undecided = 0;
  for (std::size_t i = 0; i < map.labels.size(); ++i) {
    const int label = map.labels[i], mirrored = map.labels[map.labels.size() - 1 - i];
    undecided += label == 0;
    CHECK((label == 0 ? mirrored == 0 : label + mirrored == 2 * left + 1));
  }
  CHECK(undecided == 0);
  const auto shares = map.shares(left + 2);
  CHECK(shares[left] == Approx(0.5));
  CHECK(std::accumulate(shares.begin(), shares.end(), 0.0) == Approx(1.0));
  // Close to the bottom of a well the orbit stays there.
  const BasinMap bottom = integrateBasinMap(duffing, fallbacks(duffing), {0.9, 1.1, -0.1, 0.1, 4, 4}, {}, pool);
  for (const std::uint8_t label : bottom.labels)
    CHECK(label == left + 1);
}

TEST_CASE("With weak damping pixels are labelled where possible and otherwise undecided") {
  ThreadPool pool;
  const FieldRegistry& registry = mappedFields();
  const VectorField& duffing = *registry.find("duffing");
  const BasinWindow window{-2, 2, -2, 2, 24, 24};
  const auto undecided = [&](double delta) {
    return integrateBasinMap(duffing, std::vector<double>{delta}, window, basinMapOptions(window), pool).shares(1)[0];
  };
  CHECK(undecided(0.05) == 0);
  CHECK(undecided(0.01) < 0.5);
  // So little energy is lost that orbits from the farther half of the plane never reach a well.
  CHECK(undecided(0.001) > 0.5);
  CHECK(undecided(0.001) < 0.9);  // but points in the wells are labelled at once
}

TEST_CASE("For the double well lanes and the scalar path agree except on boundary pixels") {
  ThreadPool pool;
  const VectorField& duffing = *mappedFields().find("duffing");
  for (const double delta : {0.1, 0.2, 0.9}) {
    INFO(delta);
    const BasinWindow window{-2.1, 1.9, -2, 2, 61, 53};
    BasinMapOptions scalar;
    scalar.scalar = true;
    scalar.tolerance = 1e-6;
    scalar.maxSteps = 100000;
    const std::vector<double> parameters{delta};
    const BasinMap slow = integrateBasinMap(duffing, parameters, window, scalar, pool);
    const BasinMap fast = integrateBasinMap(duffing, parameters, window, {}, pool);
    int inside = 0, differ = 0;
    for (int row = 1; row + 1 < window.height; ++row)
      for (int column = 1; column + 1 < window.width; ++column) {
        const auto at = [&](int dx, int dy) {
          return slow.labels[static_cast<std::size_t>((row + dy) * window.width + column + dx)];
        };
        bool same = true;
        for (int k = 0; k < 9; ++k)
          same = same && at(k % 3 - 1, k / 3 - 1) == at(0, 0);
        if (!same) continue;
        ++inside;
        differ += fast.labels[static_cast<std::size_t>(row * window.width + column)] != at(0, 0);
      }
    CHECK(inside > 1000);
    CHECK(differ == 0);
    CHECK(disagreement(slow, fast) < 0.01);
  }
}

TEST_CASE("The budget of a picture grows with its window up to a limit") {
  CHECK(basinMapOptions({-1, 1, -1, 1, 64, 64}).maxLength == BasinMapOptions{}.maxLength);
  CHECK(basinMapOptions({-1000, 1, -1, 1, 64, 64}).maxLength >= 8000);
  CHECK(basinMapOptions({-1, 1, -1, 1, 64, 64}).maxSteps == BasinMapOptions{}.maxSteps);
  CHECK(basinMapOptions({-1, 1, -1, 1, 320, 200}).maxSteps < BasinMapOptions{}.maxSteps);
  CHECK(basinMapOptions({-1, 1, -1, 1, 16384, 4096}).maxSteps >= 1000);
  CHECK(std::isfinite(basinMapOptions({-std::nan(""), 1, -1, 1, 0, 0}).maxLength));
}

TEST_CASE("Maps do not depend on the number of threads") {
  ThreadPool one(1), three(3);
  for (const auto& field : mappedFields().all()) {
    INFO(field->info().key);
    const BasinWindow window{-1.5, 1.5, -1.5, 1.5, 13, 11};
    const BasinMap a = integrateBasinMap(*field, fallbacks(*field), window, {}, one);
    CHECK(a.labels == integrateBasinMap(*field, fallbacks(*field), window, {}, three).labels);
    CHECK(a.labels.size() == 13 * 11);
  }
}

TEST_CASE("A tighter tolerance gives the same map") {
  ThreadPool pool;
  const FieldRegistry& registry = mappedFields();
  for (const char* key : {"ew", "duffing"}) {
    const VectorField& field = *registry.find(key);
    const BasinWindow window{-1.9, 2.1, -2.1, 1.9, 20, 20};
    BasinMapOptions tight;
    tight.tolerance = 1e-5;
    tight.maxSteps = 40000;
    const BasinMap usual = integrateBasinMap(field, fallbacks(field), window, {}, pool);
    CHECK(disagreement(usual, integrateBasinMap(field, fallbacks(field), window, tight, pool)) <= 0.01);
  }
}

TEST_CASE("A cancelled map is undecided, and progress ends at one") {
  ThreadPool pool(2);
  const FieldRegistry& registry = mappedFields();
  const VectorField& ew = *registry.find("ew");
  const BasinWindow window{-2, 2, -2, 2, 16, 16};
  std::atomic<int> asked{0};
  const BasinMap none = integrateBasinMap(ew, fallbacks(ew), window, {}, pool, [&asked] { return ++asked > 0; });
  CHECK(asked == 4);
  for (const std::uint8_t label : none.labels)
    CHECK(label == 0);
  std::atomic<double> most{0};
  integrateBasinMap(ew, fallbacks(ew), window, {}, pool, {}, [&most](double share) {
    double seen = most.load();
    while (share > seen && !most.compare_exchange_weak(seen, share)) {
    }
  });
  CHECK(most == 1.0);
}

TEST_CASE("p + q = 1 has no basins, and unusual windows are handled") {
  ThreadPool pool(2);
  const FieldRegistry& registry = mappedFields();
  const VectorField& ew = *registry.find("ew");
  const std::vector<double> degenerate{0.4, 0.6};
  for (const std::uint8_t label : integrateBasinMap(ew, degenerate, {-1, 1, -1, 1, 6, 6}, {}, pool).labels)
    CHECK(label == 0);
  CHECK(integrateBasinMap(ew, fallbacks(ew), {-1, 1, -1, 1, 0, 5}, {}, pool).labels.empty());
  // The window contains the axis itself. Then a window far away.
  const BasinMap axis = integrateBasinMap(ew, fallbacks(ew), {-1, 1, -2, 2, 5, 4}, {}, pool);
  const BasinMap exact = sepx::markov::exactBasinMap(Chain{0.5, 0.8}, {-1, 1, -2, 2, 5, 4}, pool);
  CHECK(axis.labels == exact.labels);
  const BasinMap far = integrateBasinMap(ew, fallbacks(ew), {-1e6, 1e6, -1e6, 1e6, 3, 3}, {}, pool);
  CHECK(far.labels.size() == 9);
}
