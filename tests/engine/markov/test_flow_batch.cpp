// SPDX-License-Identifier: Apache-2.0
#include "engine/markov/flow_batch.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/core/random.h"
#include "engine/markov/attention_basin.h"
#include "engine/markov/energy.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx;
using namespace sepx::markov;

namespace {

struct Cloud {
  std::vector<double> e, w, a;
  Cloud(std::size_t count, double sigma, std::uint64_t seed) : e(count), w(count), a(count) {
    RandomStream stream(seed);
    for (std::size_t i = 0; i < count; ++i) {
      e[i] = sigma * stream.normal();
      w[i] = sigma * stream.normal();
      a[i] = sigma * stream.normal();
    }
  }
  FlowStarts plane() const { return {e, w, {}}; }
  FlowStarts space() const { return {e, w, a}; }
};

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}
bool same(const FlowBatch& a, const FlowBatch& b) {
  return sameBits(a.e, b.e) && sameBits(a.w, b.w) && sameBits(a.a, b.a) && sameBits(a.energyDrift, b.energyDrift) &&
         a.label == b.label && a.status == b.status && a.steps == b.steps;
}

const std::vector<Chain> kChains{{0.5, 0.8}, {0.2, 0.3}, {0.9, 0.8}, {0.5, 0.501}, {0.01, 0.02}, {0.7, 0.299}};

}  // namespace

TEST_CASE("Many orbits end at the limits of the closed form and conserve their energy") {
  ThreadPool pool(2);
  for (const double sigma : {0.05, 1.0, 30.0}) {
    const Cloud cloud(2000, sigma, 11);
    for (const Chain& chain : kChains) {
      const FlowBatch batch = flowBatch(chain, Model::EW, cloud.plane(), {}, pool);
      double worst = 0, drift = 0;
      int differ = 0, mostSteps = 0;
      for (std::size_t i = 0; i < cloud.e.size(); ++i) {
        const auto limit = exactLimit(chain, cloud.e[i], cloud.w[i]);
        REQUIRE(limit);
        differ += limit->kind != batch.label[i] || batch.status[i] != FlowStatus::Reached;
        worst = std::max(worst, (limit->theta - Eigen::Vector2d(batch.e[i], batch.w[i])).cwiseAbs().maxCoeff());
        drift = std::max(drift, batch.energyDrift[i]);
        mostSteps = std::max(mostSteps, batch.steps[i]);
      }
      INFO("sigma " << sigma << " p " << chain.p << " q " << chain.q << " steps " << mostSteps);
      CHECK(differ == 0);
      CHECK(worst < 1e-9);
      CHECK(drift < 1e-9);
      CHECK(mostSteps < 300);
    }
  }
}

TEST_CASE("With attention orbits end at critical points of the kind that both invariants predict") {
  ThreadPool pool(2);
  const Cloud cloud(1500, 1.0, 5);
  for (const Chain& chain : kChains) {
    const FlowBatch batch = flowBatch(chain, Model::EWA, cloud.space(), {}, pool);
    double gradientLeft = 0, drift = 0, angle = 0;
    int differ = 0;
    for (std::size_t i = 0; i < cloud.e.size(); ++i) {
      const Eigen::Vector3d start(cloud.e[i], cloud.w[i], cloud.a[i]), end(batch.e[i], batch.w[i], batch.a[i]);
      differ += basinLabel3(chain, start[0], start[1], start[2]) != batch.label[i];
      const double size = std::max(1.0, end.cwiseAbs().maxCoeff());
      gradientLeft = std::max(gradientLeft, gradient(chain, Model::EWA, end).norm() / std::pow(size, 6));
      drift = std::max(drift, batch.energyDrift[i]);
      if (std::abs(start[2]) < 2 && std::abs(start[0]) < 2) {
        const double turned = std::abs(airyAngle(end) - airyAngle(start));
        angle = std::max(angle, std::min(turned, std::abs(turned - std::acos(-1.0))));
      }
    }
    INFO("p " << chain.p << " q " << chain.q);
    CHECK(differ == 0);
    CHECK(drift < 1e-9);
    CHECK(gradientLeft < 1e-11);
    CHECK(angle < 1e-9);
  }
}

TEST_CASE("Vectorised integration agrees with the reference cases markov_basin2 and markov_basin3") {
  ThreadPool pool(1);
  const auto kindOf = [](const std::string& name) {
    return name == "star" ? LimitKind::GlobalMin : name == "min" ? LimitKind::LocalMin : LimitKind::LocalMax;
  };
  for (const auto& item : test::fixtureGroup("markov_basin2")) {
    INFO(item.dump());
    const std::vector<double> e{item.at("e0")}, w{item.at("w0")};
    const FlowBatch batch = flowBatch(test::chainOf(item), Model::EW, {e, w, {}}, {}, pool);
    CHECK(batch.label[0] == kindOf(item.at("label")));
    const double wLimit = item.at("w_lim");
    test::checkClose(batch.e[0], item.at("e_lim"), 1e-11, "e_lim");
    CHECK(std::abs(batch.w[0] - wLimit) <= 1e-10 * std::abs(wLimit));
    CHECK(batch.energyDrift[0] < 1e-9);
  }
  for (const auto& item : test::fixtureGroup("markov_basin3")) {
    INFO(item.dump());
    const State start = test::stateOf(item.at("theta0"));
    const std::vector<double> e{start[0]}, w{start[1]}, a{start[2]};
    const FlowBatch batch = flowBatch(test::chainOf(item), Model::EWA, {e, w, a}, {}, pool);
    CHECK(batch.label[0] == kindOf(item.at("label")));
    test::checkClose(State(Eigen::Vector3d(batch.e[0], batch.w[0], batch.a[0])), item.at("theta_lim"),
                     test::toleranceOf(item), "theta_lim");
  }
}

TEST_CASE("The bits of an orbit depend only on its start") {
  const Cloud cloud(1111, 1.0, 9);
  const Chain chain{0.5, 0.8};
  ThreadPool one(1), three(3);
  for (const Model model : {Model::EW, Model::EWA}) {
    const FlowStarts starts = model == Model::EW ? cloud.plane() : cloud.space();
    const FlowBatch batch = flowBatch(chain, model, starts, {}, one);
    CHECK(same(batch, flowBatch(chain, model, starts, {}, three)));
    // The same starts in reverse order, so that each has other neighbours.
    Cloud turned = cloud;
    for (std::vector<double>* values : {&turned.e, &turned.w, &turned.a})
      std::reverse(values->begin(), values->end());
    FlowBatch back = flowBatch(chain, model, model == Model::EW ? turned.plane() : turned.space(), {}, one);
    for (std::vector<double>* values : {&back.e, &back.w, &back.a, &back.energyDrift})
      std::reverse(values->begin(), values->end());
    CHECK(sameBits(back.e, batch.e));
    CHECK(sameBits(back.w, batch.w));
    CHECK(sameBits(back.a, batch.a));
    CHECK(sameBits(back.energyDrift, batch.energyDrift));
    for (const SimdLevel level : {SimdLevel::Generic, SimdLevel::Avx2}) {
      FlowBatchOptions lower;
      lower.level = level;
      const FlowBatch other = flowBatch(chain, model, starts, lower, one);
      CHECK(other.label == batch.label);
      double apart = 0;
      for (std::size_t i = 0; i < batch.e.size(); ++i)
        apart = std::max({apart, std::abs(other.e[i] - batch.e[i]), std::abs(other.w[i] - batch.w[i])});
      CHECK(apart < 1e-11);
    }
  }
}

TEST_CASE("Starts that need no integration, and those beyond the vectorised range, are handled") {
  ThreadPool pool(1);
  const Chain high{0.5, 0.8}, low{0.2, 0.3};
  const double root = std::sqrt(0.5), w = -0.4, g = std::sqrt(separatrixSquared(w)), inf = 1 / 0.0;
  const std::vector<double> e{0, 0, 0, g, std::nan(""), 1e300, 3, inf, 2e6, 0.5},
      ws{0.3, -1, -root, w, 0, 1, -1e-200, 0, 1, 0};
  const FlowBatch batch = flowBatch(high, Model::EW, {e, ws, {}}, {}, pool);
  CHECK(batch.label[0] == LimitKind::LocalMin);
  CHECK(batch.label[1] == LimitKind::LocalMax);
  CHECK(batch.label[2] == LimitKind::Saddle);
  CHECK(batch.status[3] == FlowStatus::OnSeparatrix);
  CHECK(batch.w[3] == Approx(-root));
  for (const std::size_t i : {4, 5, 7}) {
    CHECK(batch.label[i] == LimitKind::Undecided);
    CHECK(batch.status[i] == FlowStatus::TimeLimit);
  }
  CHECK(batch.label[6] == LimitKind::LocalMin);
  CHECK(batch.label[8] == LimitKind::LocalMin);
  CHECK(batch.e[8] == 0);
  CHECK(batch.label[9] == LimitKind::LocalMin);
  CHECK(batch.w[9] == 0);
  const FlowBatch outward = flowBatch(low, Model::EW, {e, ws, {}}, {}, pool);
  CHECK(outward.label[9] == LimitKind::GlobalMin);
  CHECK(outward.e[9] == Approx(std::sqrt(low.S_star())));
  CHECK(outward.label[0] == LimitKind::LocalMax);
  for (const FlowStatus status : flowBatch({0.4, 0.6}, Model::EW, {e, ws, {}}, {}, pool).status)
    CHECK(status == FlowStatus::Degenerate);
  CHECK(flowBatch(high, Model::EW, {{}, {}, {}}, {}, pool).e.empty());
  const FlowBatch stopped = flowBatch(high, Model::EW, {e, ws, {}}, {}, pool, [] { return true; });
  CHECK(stopped.status[9] == FlowStatus::TimeLimit);
  FlowBatchOptions few;
  few.maxSteps = 1;
  const std::vector<double> far{2.0}, near{0.01};
  CHECK(flowBatch(low, Model::EW, {near, far, {}}, few, pool).status[0] == FlowStatus::TimeLimit);
}

TEST_CASE("Corrected Theorem 3: the two sides of the unbounded surface end in different basins") {
  ThreadPool pool(1);
  const Chain chain{0.5, 0.8};
  const double surface = 0.689443330325249;
  const std::vector<double> e{surface - 1e-6, surface + 1e-6, surface}, w{0, 0, 0}, a{-1, -1, -1};
  const FlowBatch batch = flowBatch(chain, Model::EWA, {e, w, a}, {}, pool);
  CHECK(batch.label[0] == LimitKind::LocalMin);
  CHECK(batch.e[0] == 0);
  CHECK(batch.label[1] == LimitKind::GlobalMin);
  CHECK(reducedS(Model::EWA, Eigen::Vector3d(batch.e[1], batch.w[1], batch.a[1])) == Approx(chain.S_star()));
  CHECK(batch.status[2] == FlowStatus::Unbounded);
  CHECK(batch.label[2] == LimitKind::Undecided);
}

TEST_CASE("Labels computed without integration are those of the limits") {
  ThreadPool pool(2);
  for (const double sigma : {0.1, 1.0, 100.0}) {
    const Cloud cloud(1500, sigma, 21);
    for (const Chain& chain : kChains) {
      std::vector<std::uint8_t> labels(cloud.e.size());
      basinLabels(chain, Model::EW, cloud.plane(), labels.data());
      int differ = 0;
      for (std::size_t i = 0; i < labels.size(); ++i)
        differ += labels[i] != static_cast<std::uint8_t>(basinLabel(chain, cloud.e[i], cloud.w[i]));
      INFO("sigma " << sigma << " p " << chain.p << " q " << chain.q);
      CHECK(differ == 0);
    }
  }
  std::uint8_t label = 0;
  const std::vector<double> e{1.0}, w{-1e-200};
  basinLabels({0.5, 0.8}, Model::EW, {e, w, {}}, &label);
  CHECK(label == kNeedsGeneralPath);
}
