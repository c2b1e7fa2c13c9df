// SPDX-License-Identifier: Apache-2.0
// Compares the time to converge with the flow at that time, also at special points.
#include <limits>

#include "engine/core/random.h"
#include "engine/markov/convergence_time.h"
#include "engine/markov/flow.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;
using sepx::markov::test::state;

namespace {

const Chain kAbove{0.5, 0.8}, kBelow{0.2, 0.3};

/// The share of the loss above the limit that remains at a time, from the integrated flow.
double leftAt(const Chain& chain, Model model, const State& start, double limit, double time) {
  const auto path = flowAt(chain, model, start, {time});
  REQUIRE(path.has_value());
  return (loss(chain, model, path->theta.back()) - limit) / (loss(chain, model, start) - limit);
}

}  // namespace

TEST_CASE("At the time to converge the requested share of the loss above the limit remains") {
  sepx::RandomStream random(7);
  for (int i = 0; i < 60; ++i) {
    const Chain chain{random.uniform(0.05, 0.95), random.uniform(0.05, 0.95)};
    const State start = state({1.1 * random.normal(), 1.1 * random.normal()});
    const double share = i % 3 == 0 ? 0.1 : 0.01;
    INFO("p " << chain.p << " q " << chain.q << " at " << start.transpose());
    const auto limit = exactLimit(chain, start[0], start[1]);
    const auto time = convergenceTime(chain, Model::EW, start, share);
    REQUIRE(limit.has_value());
    REQUIRE(time.has_value());
    CHECK(*time > 0);
    CHECK(leftAt(chain, Model::EW, start, limit->loss, *time) == Approx(share).epsilon(1e-6));
  }
}

TEST_CASE("The time to converge is also correct with attention and with a free bias") {
  sepx::RandomStream random(8);
  for (const Model model : {Model::EWA, Model::EWB, Model::EWAB})
    for (int i = 0; i < 4; ++i) {
      const Chain chain = i % 2 == 0 ? kAbove : kBelow;
      State start(dimension(model));
      for (Eigen::Index k = 0; k < start.size(); ++k)
        start[k] = 0.7 * random.normal();
      INFO(modelName(model) << " at " << start.transpose());
      const auto flow = flowFrom(chain, model, start);
      REQUIRE(flow.has_value());
      REQUIRE(flow->limit.has_value());
      const auto time = convergenceTime(chain, model, start);
      REQUIRE(time.has_value());
      CHECK(leftAt(chain, model, start, flow->limit->loss, *time) == Approx(0.01).epsilon(1e-4));
    }
}

TEST_CASE("Near e = 0 the time to converge follows from the linear rate") {
  // L - H(pi) = Lambda'(0) v e^2 falls as exp(-4 pi0 pi1 (p+q-1) v t) (remark l2g-18).
  const double w = 0.4, v = 1 + 2 * w * w;
  const double rate = 4 * kAbove.pi0() * kAbove.pi1() * kAbove.switching() * v;
  for (const double e : {1e-3, 1e-9, 1e-60}) {
    const auto time = convergenceTime(kAbove, Model::EW, state({e, w}));
    REQUIRE(time.has_value());
    CHECK(*time == Approx(std::log(100.0) / rate).epsilon(1e-5));
  }
}

TEST_CASE("Times near e = 0 scale as 1/(p + q - 1), and no time depends on the sign of e") {
  const State small = state({1e-5, 0.3}), start = state({0.9, 0.3}), mirrored = state({-0.9, 0.3});
  const double near = *convergenceTime({0.5, 0.5001}, Model::EW, small);
  const double nearer = *convergenceTime({0.5, 0.50001}, Model::EW, small);
  CHECK(nearer / near == Approx(10).epsilon(0.01));
  CHECK(*convergenceTime(kAbove, Model::EW, start) == *convergenceTime(kAbove, Model::EW, mirrored));
}

TEST_CASE("Special points have a time or none, and the computation always ends") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const State& bad : {state({nan, 0}), state({1, inf}), state({1e300, 1}), state({1, -1e300}), state({1, 1, 1})})
    CHECK_FALSE(convergenceTime(kAbove, Model::EW, bad).has_value());
  for (const State& rest : {state({0, 0.5}), state({0, -2}), state({0, -std::sqrt(0.5)}), state({0, 0})})
    CHECK(convergenceTime(kAbove, Model::EW, rest) == 0.0);
  CHECK(convergenceTime(kAbove, Model::EW, state({1, 0})).value_or(0) > 0);
  CHECK(convergenceTime(kAbove, Model::EW, state({30, 30})).value_or(0) > 0);
  CHECK(convergenceTime(kAbove, Model::EW, state({1e100, 1e-100})).value_or(1) >= 0);
  CHECK(convergenceTime({0.5, 0.5}, Model::EW, state({0.8, -0.2})).value_or(0) >
        0);  // degenerate: the loss still decreases
  CHECK(convergenceTime(kAbove, Model::EWA, state({0.7, 0.2, -0.3})).value_or(0) > 0);
  CHECK_FALSE(convergenceTime(kAbove, Model::EW, state({1, 1}), 0).has_value());
  CHECK_FALSE(convergenceTime(kAbove, Model::EW, state({1, 1}), nan).has_value());
}

TEST_CASE("The map contains the times of its pixels, and a cancelled map stops") {
  sepx::ThreadPool pool(2);
  const sepx::dynamics::BasinWindow window{-2, 2, -2, 2, 24, 18};
  const std::vector<float> map = convergenceTimeMap(kBelow, window, pool);
  REQUIRE(map.size() == 24 * 18);
  for (const int pixel : {0, 31, 200, 431}) {
    const State at = state({window.x(pixel % 24), window.y(pixel / 24)});
    CHECK(map[pixel] == Approx(*convergenceTime(kBelow, Model::EW, at)).epsilon(1e-3));
  }
  const std::vector<float> none = convergenceTimeMap(kBelow, window, pool, [] { return true; });
  CHECK(std::isnan(none.front()));
}
