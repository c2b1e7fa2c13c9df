// SPDX-License-Identifier: Apache-2.0
// Paths and their ends: invariants, arrival, times, special points, bounded work.
#include "engine/core/random.h"
#include "engine/markov/attention_basin.h"
#include "engine/markov/energy.h"
#include "engine/markov/flow.h"
#include "engine/markov/unbounded_surface.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;
using sepx::markov::test::state;

namespace {

const Chain kAbove{0.5, 0.8}, kBelow{0.2, 0.3};

FlowResult flow(const Chain& chain, Model model, const State& theta, const FlowOptions& options = {}) {
  auto result = flowFrom(chain, model, theta, options);
  REQUIRE(result.has_value());
  return std::move(*result);
}

/// Checks what holds for every path: as many times as points, finite numbers, monotonic times.
void checkSound(const FlowResult& result, const State& start, bool backward = false) {
  const Path& path = result.path;
  REQUIRE_FALSE(path.theta.empty());
  REQUIRE(path.t.size() == path.theta.size());
  CHECK(path.theta.front() == start);
  CHECK(path.t.front() == 0);
  CHECK(path.t.back() == result.tEnd);
  bool finite = true, ordered = true;
  for (std::size_t i = 0; i < path.t.size(); ++i) {
    finite = finite && path.theta[i].allFinite() && std::isfinite(path.t[i]);
    if (i > 0) ordered = ordered && (backward ? path.t[i] <= path.t[i - 1] : path.t[i] >= path.t[i - 1]);
  }
  CHECK(finite);
  CHECK(ordered);
}

State drawPlane(sepx::RandomStream& random) {
  return state({1.2 * random.normal(), 1.2 * random.normal()});
}

}  // namespace

TEST_CASE("Paths in the plane conserve the energy, end at the exact limit and decrease the loss") {
  sepx::RandomStream random(31);
  for (int i = 0; i < 300; ++i) {
    const Chain chain{random.uniform(0.05, 0.95), random.uniform(0.05, 0.95)};
    const State start = drawPlane(random);
    INFO("p " << chain.p << " q " << chain.q << " at " << start.transpose());
    const FlowResult result = flow(chain, Model::EW, start);
    checkSound(result, start);
    CHECK(result.exact);
    CHECK(result.status == FlowStatus::Reached);
    CHECK(result.label == basinLabel(chain, start[0], start[1]));
    REQUIRE(result.limit.has_value());
    CHECK(result.path.theta.back() == result.limit->theta);
    // The integrated orbit itself arrives there.
    REQUIRE(result.path.theta.size() > 3);
    const State& last = result.path.theta[result.path.theta.size() - 2];
    CHECK((last - result.limit->theta).norm() < 1e-4 * (1 + start.norm()));
    CHECK(result.energyDrift.value() < 5e-8);
    double before = loss(chain, Model::EW, start);
    for (const State& theta : result.path.theta) {
      const double now = loss(chain, Model::EW, theta);
      REQUIRE(now <= before + 1e-12);
      before = now;
    }
  }
}

TEST_CASE("A path is sampled so densely that it looks smooth") {
  sepx::RandomStream random(32);
  for (int i = 0; i < 100; ++i) {
    const FlowResult result = flow(i % 2 ? kAbove : kBelow, Model::EW, drawPlane(random));
    const auto& theta = result.path.theta;
    const double extent = (theta.front() - theta.back()).norm();
    CHECK(theta.size() < 1000);
    for (std::size_t k = 2; k < theta.size(); ++k) {
      const State a = theta[k - 1] - theta[k - 2], b = theta[k] - theta[k - 1];
      if (std::min(a.norm(), b.norm()) < 0.02 * extent)
        continue;  // short pieces may turn, because the turn is not visible
      CHECK(a.dot(b) / (a.norm() * b.norm()) > std::cos(0.35));
    }
  }
}

TEST_CASE("The times of a path are those of the flow") {
  sepx::RandomStream random(33);
  for (const Model model : {Model::EW, Model::EWA, Model::EWB, Model::EWAB}) {
    for (int i = 0; i < 6; ++i) {
      State start(dimension(model));
      for (Eigen::Index k = 0; k < start.size(); ++k)
        start[k] = random.uniform(-1.2, 1.2);
      INFO(modelName(model) << " " << start.transpose());
      const FlowResult result = flow(kAbove, model, start);
      std::vector<double> times;
      std::vector<State> points;
      for (std::size_t k = 0; k + 1 < result.path.t.size() && result.path.t[k] < 60; k += 5) {
        if (!times.empty() && result.path.t[k] <= times.back()) continue;
        times.push_back(result.path.t[k]);
        points.push_back(result.path.theta[k]);
      }
      const auto exact = flowAt(kAbove, model, start, times);
      REQUIRE(exact.has_value());
      for (std::size_t k = 0; k < times.size(); ++k)
        CHECK((exact->theta[k] - points[k]).norm() < 2e-6);
    }
  }
}

TEST_CASE("flowAt is a semigroup and runs in both directions") {
  const State start = state({0.6, -0.4});
  const auto whole = flowAt(kAbove, Model::EW, start, {2, 5});
  REQUIRE(whole.has_value());
  const auto rest = flowAt(kAbove, Model::EW, whole->theta[0], {3});
  CHECK((rest->theta[0] - whole->theta[1]).norm() < 1e-11);
  const auto back = flowAt(kAbove, Model::EW, whole->theta[0], {-2});
  CHECK((back->theta[0] - start).norm() < 1e-11);
  CHECK(flowAt(kAbove, Model::EW, start, {0})->theta[0] == start);
  const auto late = flowAt(kAbove, Model::EW, start, {1e4, 1e12});
  REQUIRE(late.has_value());
  CHECK((late->theta[1] - exactLimit(kAbove, 0.6, -0.4)->theta).norm() < 1e-9);
  const auto atOnce = flowAt(kAbove, Model::EW, start, {1e12});
  REQUIRE(atOnce.has_value());
  CHECK((atOnce->theta[0] - late->theta[1]).norm() < 1e-9);
  // A tiny e that grows is not at rest.
  const auto grown = flowAt(kAbove, Model::EW, state({1e-200, -0.9}), {1e5});
  REQUIRE(grown.has_value());
  CHECK(grown->theta[0][0] > 0.1);
  CHECK_FALSE(flowAt(kAbove, Model::EW, start, {std::nan("")}).has_value());
  CHECK_FALSE(flowAt(kAbove, Model::EW, state({0.1, 0.2, 0.3}), {1}).has_value());
}

TEST_CASE("On the separatrix a path ends in the saddle, and beside it on its own side") {
  for (const auto& [chain, w] : {std::pair{kAbove, -0.3}, {kBelow, -1.3}}) {
    const double g = std::sqrt(separatrixSquared(w));
    for (const double sign : {1.0, -1.0}) {
      FlowResult result = flow(chain, Model::EW, state({sign * g, w}));
      CHECK(result.status == FlowStatus::OnSeparatrix);
      CHECK(result.label == LimitKind::Saddle);
      checkSound(result, state({sign * g, w}));
      CHECK(result.path.theta.back() == state({0, -1 / std::sqrt(2.0)}));
      for (const double off : {1e-13, 1e-11, 1e-9, 1e-7}) {
        INFO(off);
        const State above = state({sign * g * (1 + off), w}), below = state({sign * g * (1 - off), w});
        result = flow(chain, Model::EW, above);
        CHECK(result.label == LimitKind::GlobalMin);
        checkSound(result, above);
        const auto& path = result.path.theta;
        CHECK((path[path.size() - 2] - result.limit->theta).norm() < 1e-3);
        result = flow(chain, Model::EW, below);
        CHECK(result.label == LimitKind::LocalMin);
        checkSound(result, below);
        CHECK((result.path.theta[result.path.theta.size() - 2] - result.limit->theta).norm() < 1e-3);
      }
    }
  }
}

TEST_CASE("Points on the axes, tiny and far points give finite, labelled paths with bounded work") {
  for (const Chain& chain :
       {kAbove, kBelow, Chain{0.4, 0.6}, Chain{1e-6, 1e-6}, Chain{1 - 1e-9, 1 - 1e-9}, Chain{0.5, 0.5000001}})
    for (const double e : {0.0, 0.5, -0.5, 1e6, -1e6, 1e-200, 1e200})
      for (const double w : {0.0, 0.5, -0.5, -2.0, 1e6, -1e6, 1e-200, -1e-200, -std::sqrt(0.5)}) {
        INFO("p " << chain.p << " q " << chain.q << " e " << e << " w " << w);
        const FlowResult result = flow(chain, Model::EW, state({e, w}));
        checkSound(result, state({e, w}));
        CHECK(result.path.theta.size() < 2000);
        if (chain.degenerate()) {
          CHECK(result.status == FlowStatus::Degenerate);
          CHECK(result.label == LimitKind::Undecided);
          CHECK(result.limit.has_value() == (std::abs(e) < 1e100));
          // S is e^2 times a factor that vanishes. It is limited by the rounding of that factor.
          if (result.limit) CHECK(std::abs(reducedS(Model::EW, result.limit->theta)) < 1e-12 + 1e-15 * e * e);
        } else if (std::abs(e) < 1e100) {
          CHECK(result.label == basinLabel(chain, e, w));
          CHECK(result.path.theta.back() == result.limit->theta);
        }
      }
  CHECK(flow(kAbove, Model::EW, state({0, 0.5})).path.theta.size() == 1);
}

TEST_CASE("With p + q = 1 every start comes to rest on S = 0 and conserves its energy") {
  const Chain chain{0.5, 0.5};
  for (const auto& [e, w] : {std::pair(0.6, -0.9), std::pair(-0.6, -0.9), std::pair(1.2, -0.3), std::pair(0.3, 0.2),
                             std::pair(0.05, -1.4), std::pair(2.0, 0.0)}) {
    INFO(e << " " << w);
    const FlowResult result = flow(chain, Model::EW, state({e, w}));
    CHECK(result.status == FlowStatus::Degenerate);
    REQUIRE(result.limit);
    CHECK(result.limit->kind == LimitKind::GlobalMin);
    CHECK(result.limit->loss == chain.marginalEntropy());
    const State& end = result.limit->theta;
    CHECK((end[0] == 0 || end[1] == -1 / std::sqrt(2.0)));
    if (w != 0) CHECK(*energy(Model::EW, end) == Approx(*energy(Model::EW, state({e, w}))).margin(1e-9));
    CHECK(result.path.theta.back() == end);
  }
  const FlowResult known = flow(chain, Model::EW, state({0.6, -0.9}));  // remark l2g-17
  CHECK(known.limit->theta[0] == Approx(0.540).margin(5e-4));
  const FlowResult space = flow(chain, Model::EWA, state({0.8, 0.4, -2.0}));  // ends on 1 + a e^2 = 0
  REQUIRE(space.limit);
  CHECK(std::abs(reducedS(Model::EWA, space.limit->theta)) < 1e-9);
  const FlowResult bias = flow(chain, Model::EWB, state({0.6, -0.9, 0.3}));
  REQUIRE(bias.limit);
  CHECK(loss(chain, Model::EWB, bias.limit->theta) == Approx(chain.marginalEntropy()).margin(1e-9));
}

TEST_CASE("An invalid point is refused") {
  for (const State& bad :
       {state({std::nan(""), 0}), state({0, std::numeric_limits<double>::infinity()}), state({0.1, 0.2, 0.3})}) {
    const auto result = flowFrom(kAbove, Model::EW, bad);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == sepx::ErrorKind::Usage);
  }
}

TEST_CASE("The options number of points, end time and backward direction take effect") {
  const State start = state({0.6, -0.4});
  FlowOptions options;
  options.points = 40;
  const FlowResult even = flow(kAbove, Model::EW, start, options);
  checkSound(even, start);
  REQUIRE(even.path.theta.size() == 40);
  CHECK(even.path.theta.back() == even.limit->theta);
  double shortest = 1e9, longest = 0;
  for (std::size_t i = 1; i < 40; ++i) {
    const double length = (even.path.theta[i] - even.path.theta[i - 1]).norm();
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
  }
  CHECK(longest < 1.05 * shortest);

  options.tMax = 5;
  const FlowResult cut = flow(kAbove, Model::EW, start, options);
  REQUIRE(cut.path.t.size() == 40);
  CHECK(cut.tEnd == 5);
  CHECK(cut.status == FlowStatus::TimeLimit);
  CHECK(cut.label == LimitKind::GlobalMin);
  CHECK((cut.path.theta.back() - flowAt(kAbove, Model::EW, start, {5})->theta[0]).norm() < 1e-7);
  for (const Model model : {Model::EWB, Model::EWA}) {
    const FlowResult other = flow(kAbove, model, state({0.6, -0.4, 0.1}), options);
    CHECK(other.tEnd == Approx(5).epsilon(1e-12));
    CHECK(other.status == FlowStatus::TimeLimit);
  }

  FlowOptions backward;
  backward.backward = true;
  const FlowResult up = flow(kBelow, Model::EW, state({0.6, 0.9}), backward);
  checkSound(up, state({0.6, 0.9}), true);
  CHECK(up.label == LimitKind::LocalMax);
  const FlowResult away = flow(kAbove, Model::EW, start, backward);
  checkSound(away, start, true);
  CHECK(away.status == FlowStatus::Unbounded);
}

TEST_CASE("With attention energy and angle are conserved, and limits are critical") {
  sepx::RandomStream random(34);
  for (int i = 0; i < 150; ++i) {
    const Chain chain{random.uniform(0.1, 0.9), random.uniform(0.1, 0.9)};
    const State start = state({random.normal(), random.normal(), random.normal()});
    INFO("p " << chain.p << " q " << chain.q << " at " << start.transpose());
    const FlowResult result = flow(chain, Model::EWA, start);
    checkSound(result, start);
    CHECK_FALSE(result.exact);
    REQUIRE(result.status == FlowStatus::Reached);
    CHECK(result.energyDrift.value() < 1e-7);
    const double angle = airyAngle(start);
    for (std::size_t k = 0; k < result.path.theta.size(); k += 7) {
      const double turned = std::abs(airyAngle(result.path.theta[k]) - angle);
      CHECK(std::min(turned, M_PI - turned) < 1e-7);
    }
    CHECK(gradient(chain, Model::EWA, result.limit->theta).norm() < 1e-7);
    // The second invariant decides where w >= 0.
    if (start[1] >= 0 && chain.switching() > 0)
      CHECK((result.label == LimitKind::GlobalMin) == (sideOfUnboundedSurface(start) > 0));
    if (start[1] >= 0 && chain.switching() < 0) CHECK(result.label == LimitKind::GlobalMin);
  }
}

TEST_CASE("The energy drifts by less than 1e-9 over a thousand starts at the default tolerance") {
  for (const Model model : {Model::EW, Model::EWA}) {
    for (const Chain& chain : {Chain{0.5, 0.8}, Chain{0.2, 0.3}}) {
      sepx::RandomStream random(71);
      double worst = 0;
      for (int i = 0; i < 1000; ++i) {
        State start = state({random.normal(), random.normal()});
        if (model == Model::EWA) start = state({start[0], start[1], random.normal()});
        worst = std::max(worst, flow(chain, model, start).energyDrift.value_or(0));
      }
      INFO(modelName(model) << " p " << chain.p);
      CHECK(worst < 1e-9);
    }
  }
}

TEST_CASE("The unbounded surface is recognised (erratum 1), and its sides separate (erratum 2)") {
  const double e0 = 0.689443330325249;
  const FlowResult on = flow(kAbove, Model::EWA, state({e0, 0, -1}));
  CHECK(on.status == FlowStatus::Unbounded);
  CHECK(on.label == LimitKind::Undecided);
  checkSound(on, state({e0, 0, -1}));
  CHECK(flow(kAbove, Model::EWA, state({e0 - 1e-6, 0, -1})).label == LimitKind::LocalMin);
  CHECK(flow(kAbove, Model::EWA, state({e0 + 1e-6, 0, -1})).label == LimitKind::GlobalMin);
  CHECK(flow(kAbove, Model::EWA, state({1.27171, 0.4, 0})).label == LimitKind::GlobalMin);
  CHECK(flow(kAbove, Model::EWA, state({1.27169, 0.4, 0})).label == LimitKind::LocalMin);
}

TEST_CASE("With a free bias the energy is not conserved (erratum 16)") {
  const State start = state({0.6, -0.9, optimalBias(kAbove, Model::EW, state({0.6, -0.9}))});
  const FlowResult result = flow(kAbove, Model::EWB, start);
  CHECK_FALSE(result.energyDrift.has_value());
  REQUIRE(result.limit.has_value());
  CHECK(result.limit->theta[0] == Approx(0.718).margin(5e-4));
  CHECK(result.limit->theta[1] == Approx(-1.358).margin(5e-4));
  CHECK(*energy(Model::EWB, start) == Approx(-0.555).margin(5e-4));
  CHECK(*energy(Model::EWB, result.limit->theta) == Approx(-1.024).margin(5e-4));
}

TEST_CASE("Limits with a free bias are critical and have their stated loss") {
  sepx::RandomStream random(35);
  for (const Model model : {Model::EWB, Model::EWAB}) {
    for (int i = 0; i < 60; ++i) {
      const Chain chain{random.uniform(0.15, 0.85), random.uniform(0.15, 0.85)};
      State start(dimension(model));
      for (Eigen::Index k = 0; k < start.size(); ++k)
        start[k] = random.uniform(-1.3, 1.3);
      INFO(modelName(model) << " p " << chain.p << " q " << chain.q << " at " << start.transpose());
      const FlowResult result = flow(chain, model, start);
      checkSound(result, start);
      if (result.status != FlowStatus::Reached) continue;
      CHECK(gradient(chain, model, result.limit->theta).norm() < 1e-7);
      CHECK(std::abs(loss(chain, model, result.limit->theta) - result.limit->loss) < 1e-9);
    }
  }
}

TEST_CASE("Flows are reproducible") {
  const State start = state({0.6, -0.4, 0.3});
  for (const Model model : {Model::EWA, Model::EWB}) {
    const FlowResult a = flow(kAbove, model, start), b = flow(kAbove, model, start);
    CHECK(a.path.t == b.path.t);
    CHECK(a.path.theta == b.path.theta);
  }
}

TEST_CASE("Orbits with a free bias come to rest, stiff or not") {
  sepx::RandomStream random(34);
  const Chain steep{0.9, 0.3};
  int open = 0;
  for (int i = 0; i < 200; ++i) {
    const Model model = i % 2 ? Model::EWB : Model::EWAB;
    const Chain& chain = i % 4 < 2 ? kAbove : steep;
    State start(dimension(model));
    for (Eigen::Index k = 0; k < start.size(); ++k)
      start[k] = random.normal();
    start[start.size() - 1] = optimalBias(chain, model, start);
    INFO(modelName(model) << " p " << chain.p << " at " << start.transpose());
    const FlowResult result = flow(chain, model, start);
    checkSound(result, start);
    CHECK(result.statistics.steps + result.statistics.rejected <= 10000);
    if (result.label == LimitKind::Undecided) {
      ++open;
      continue;
    }
    CHECK(result.status == FlowStatus::Reached);
    CHECK(gradient(chain, model, result.limit->theta).norm() <
          1e-6 * (1 + evaluate(chain, model, start).hessian.norm()));
    double before = loss(chain, model, start);
    for (const State& theta : result.path.theta) {
      const double now = loss(chain, model, theta);
      REQUIRE(now <= before + 1e-8);
      before = now;
    }
    const double expected = result.label == LimitKind::GlobalMin ? chain.entropyRate() : chain.marginalEntropy();
    CHECK(loss(chain, model, result.path.theta.back()) == Approx(expected).margin(1e-9));
  }
  CHECK(open < 2);
}

TEST_CASE("A stiff orbit agrees with the explicit method at small tolerance") {
  const State start = state({1, -1, 3, optimalBias(kAbove, Model::EWAB, state({1, -1, 3, 0}))});
  const FlowResult result = flow(kAbove, Model::EWAB, start);
  CHECK(result.label == LimitKind::GlobalMin);
  CHECK(result.status == FlowStatus::Reached);
  const auto exact = flowAt(kAbove, Model::EWAB, start, {result.tEnd});
  REQUIRE(exact.has_value());
  CHECK((exact->theta[0] - result.path.theta.back()).norm() < 1e-6);
}

TEST_CASE("Far starts of (e,w,a) are not reported to end at a maximum") {
  for (const double far : {1e2, 1e3, 1e5, 1e9}) {
    INFO(far);
    const State start = state({far, -far, far});
    CHECK(basinLabel3(kAbove, far, -far, far) == LimitKind::GlobalMin);
    const FlowResult result = flow(kAbove, Model::EWA, start);
    CHECK(result.label != LimitKind::LocalMax);
    CHECK(result.label ==
          (far < 1e9 ? LimitKind::GlobalMin : LimitKind::Undecided));  // 1e9 exceeds the range of doubles
    if (!result.limit) continue;
    CHECK(result.limit->theta[0] > 0);
    CHECK(reducedS(Model::EWA, result.limit->theta) == Approx(kAbove.S_star()).epsilon(1e-6));
  }
}

TEST_CASE("A chain that almost never switches has a finite loss") {
  const Chain still{1e-300, 1e-300};
  for (const double S : {-10.0, 0.0, 3.0}) {
    const Lambda at = lambda(still, S);
    CHECK(std::isfinite(at.value));
    CHECK(std::isfinite(at.first));
  }
}
