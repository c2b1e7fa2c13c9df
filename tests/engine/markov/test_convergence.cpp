// SPDX-License-Identifier: Apache-2.0
// The rate at which |e| falls near a limit on e = 0 is compared with the Hessian there, with paths, and with the
// paper's value, which is half of it. Also tests the flow backward in time and forward again.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/markov/canonical_model.h"
#include "engine/markov/convergence.h"
#include "engine/markov/flow.h"

using namespace sepx;
using namespace sepx::markov;

namespace {

State at(double e, double w) {
  return Eigen::Vector2d(e, w);
}

std::optional<double> measured(const Chain& chain, double e, double w) {
  const auto flow = flowFrom(chain, Model::EW, at(e, w));
  REQUIRE(flow);
  return measuredDecayRate(chain, Model::EW, flow->path);
}

}  // namespace

TEST_CASE("The decay rate is the curvature of the loss in e", "[convergence]") {
  for (const auto& [p, q] : {std::pair(0.5, 0.8), std::pair(0.2, 0.3), std::pair(0.9, 0.95), std::pair(0.02, 0.9)}) {
    const Chain chain{p, q};
    for (const double w : {-2.0, -0.9, -0.5, 0.0, 0.4, 1.3}) {
      const Evaluation evaluation = evaluate(chain, Model::EW, at(0, w));
      CHECK(decayRate(chain, w) == Approx(evaluation.hessian(0, 0)).epsilon(1e-10).margin(1e-14));
    }
  }
  // Erratum 18: at p = 0.5, q = 0.8 the rate is 0.14201, not the 0.07101 of (110).
  CHECK(decayRate({0.5, 0.8}, 0) == Approx(0.1420118).margin(1e-7));
  CHECK(std::abs(decayRate({0.5, 0.8}, -1 / std::sqrt(2.0))) < 1e-15);
}

TEST_CASE("Paths approach e = 0 at the theoretical rate", "[convergence]") {
  struct Case {
    double p, q, e, w;
  };
  for (const auto& [p, q, e, w] :
       {Case{0.5, 0.8, 0.3, 0.2}, Case{0.5, 0.8, 0.05, 0}, Case{0.5, 0.8, -0.2, -0.4}, Case{0.7, 0.6, 1.2, 0.9},
        Case{0.2, 0.3, 0.3, -1.4}, Case{0.1, 0.85, -0.1, -0.9}, Case{0.9, 0.99, 0.01, 2.5}, Case{0.501, 0.5, 0.1, 0.1},
        Case{0.5, 0.8, 1e-6, 0.2}, Case{0.5, 0.8, -1e-12, 0.2}, Case{0.2, 0.3, 1e-200, -1.4}}) {
    const Chain chain{p, q};
    const auto flow = flowFrom(chain, Model::EW, at(e, w));
    REQUIRE(flow);
    REQUIRE(flow->label == LimitKind::LocalMin);
    const std::optional<double> rate = measured(chain, e, w);
    INFO(p << " " << q << " " << e << " " << w);
    REQUIRE(rate);
    CHECK(*rate == Approx(decayRate(chain, flow->limit->theta[1])).epsilon(1e-5));
  }
}

TEST_CASE("No rate is measured where e does not decay", "[convergence]") {
  CHECK_FALSE(measured({0.5, 0.8}, 0, 0.3));     // e stays 0
  CHECK_FALSE(measured({0.5, 0.8}, 1.4, -1.2));  // ends away from e = 0
  CHECK_FALSE(measured({0.2, 0.3}, 1e-3, 0.3));  // e = 0 is repelling
  CHECK_FALSE(measuredDecayRate({0.5, 0.8}, Model::EW, {}));
  CHECK_FALSE(measuredDecayRate({0.5, 0.8}, Model::EW, {{0}, {at(0, 0.3)}}));
}

TEST_CASE("Backward and then forward integration returns to the start", "[convergence]") {
  for (const auto& [p, q] : {std::pair(0.5, 0.8), std::pair(0.2, 0.3)}) {
    const Chain chain{p, q};
    for (const auto& [e, w] : {std::pair(0.3, 0.2), std::pair(0.9, -0.6), std::pair(-0.5, -1.1), std::pair(0.4, 0.0)}) {
      for (const double time : {0.5, 2.0, 8.0}) {
        FlowOptions back;
        back.backward = true;
        back.tMax = time;
        const auto earlier = flowFrom(chain, Model::EW, at(e, w), back);
        REQUIRE(earlier);
        const State start = earlier->path.theta.back();
        const double ago = -earlier->path.t.back();
        CHECK(ago <= time * (1 + 1e-12));
        if (start.cwiseAbs().maxCoeff() > 20) continue;  // the backward path leaves to far points within that time
        const auto again = flowAt(chain, Model::EW, start, {ago});
        REQUIRE(again);
        INFO(p << " " << e << " " << w << " " << time);
        CHECK((again->theta.back() - at(e, w)).norm() < 1e-6);
      }
    }
  }
}

TEST_CASE("Backward in time the loss rises, times decrease and the end is bounded", "[convergence]") {
  const Chain chain{0.5, 0.8};
  for (const auto& [e, w] : {std::pair(0.3, 0.2), std::pair(0.3, -1.3), std::pair(0.0, 0.4), std::pair(1e-200, -1.0),
                             std::pair(0.2, -1 / std::sqrt(2.0)), std::pair(50.0, 50.0), std::pair(1e100, -1e100)}) {
    FlowOptions back;
    back.backward = true;
    const auto flow = flowFrom(chain, Model::EW, at(e, w), back);
    REQUIRE(flow);
    INFO(e << " " << w);
    const Path& path = flow->path;
    REQUIRE_FALSE(path.t.empty());
    double last = -1;
    for (std::size_t i = 0; i < path.t.size(); ++i) {
      CHECK(std::isfinite(path.t[i]));
      if (i > 0) CHECK(path.t[i] <= path.t[i - 1]);
      const double loss = markov::loss(chain, Model::EW, path.theta[i]);
      if (std::isfinite(loss) && last >= 0) CHECK(loss >= last - 1e-9);
      if (std::isfinite(loss)) last = loss;
    }
    CHECK((flow->label == LimitKind::LocalMax || flow->status == FlowStatus::Unbounded || path.t.size() == 1 ||
           flow->status == FlowStatus::TimeLimit || flow->label == LimitKind::Saddle));
  }
}
