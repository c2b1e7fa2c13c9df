// SPDX-License-Identifier: Apache-2.0
// Every case of the reference groups of Local-to-Global.
#include "engine/markov/basin.h"
#include "engine/markov/energy.h"
#include "engine/markov/flow.h"
#include "engine/markov/gaussian.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;
using namespace sepx::markov::test;
using nlohmann::json;

namespace {

std::string named(const json& item) {
  return json(item).dump().substr(0, 120);
}

std::string referenceName(LimitKind kind) {
  switch (kind) {
    case LimitKind::GlobalMin:
      return "star";
    case LimitKind::LocalMin:
      return "min";
    case LimitKind::Saddle:
      return "sad";
    case LimitKind::LocalMax:
      return "max";
    default:
      return "undecided";
  }
}

void checkPointCase(const json& item, Model optimal, Model free) {
  INFO(named(item));
  const Chain chain = chainOf(item);
  const double atol = toleranceOf(item);
  State theta = state({item.at("e"), item.at("w")});
  if (hasAttention(optimal)) theta = state({item.at("e"), item.at("w"), item.at("a")});
  const Evaluation at = evaluate(chain, optimal, theta);
  const Lambda l = lambda(chain, at.S);
  checkClose(at.S, item.at("S"), atol, "S");
  checkClose(reducedS(optimal, theta), item.at("S"), atol, "S alone");
  checkClose(l.c, item.at("c"), atol, "c");
  checkClose(at.bias, item.at("bstar"), atol, "bstar");
  checkClose(optimalBias(chain, optimal, theta), item.at("bstar"), atol, "bstar alone");
  checkClose(at.loss, item.at("loss"), atol, "loss");
  checkClose(loss(chain, optimal, theta), item.at("loss"), atol, "loss alone");
  checkClose(l.f1, item.at("f1"), atol, "f1");
  checkClose(l.f2, item.at("f2"), atol, "f2");
  checkClose(l.first, item.at("dLam"), atol, "dLam");
  checkClose(l.second, item.at("d2Lam"), atol, "d2Lam");
  checkClose(at.gradient, item.at("grad"), atol, "grad");
  checkClose(gradient(chain, optimal, theta), item.at("grad"), atol, "grad alone");
  checkClose(at.hessian, item.at("hess"), kHessianTolerance, "hess");
  checkClose(hessianEigenvalues(at.hessian), item.at("hess_eig"), kHessianTolerance, "hess_eig");
  const auto E = energy(optimal, theta);
  REQUIRE(E.has_value() == !item.at("energy").is_null());
  if (E) checkClose(*E, item.at("energy"), atol, "energy");

  State withBias(theta.size() + 1);
  withBias << theta, item.at("b").get<double>();
  const Evaluation free_ = evaluate(chain, free, withBias);
  checkClose(free_.loss, item.at("loss_b"), atol, "loss_b");
  checkClose(loss(chain, free, withBias), item.at("loss_b"), atol, "loss_b alone");
  checkClose(free_.gradient, item.at("grad_b"), atol, "grad_b");
  checkClose(gradient(chain, free, withBias), item.at("grad_b"), atol, "grad_b alone");
  checkClose(free_.hessian, item.at("hess_b"), kHessianTolerance, "hess_b");
}

}  // namespace

TEST_CASE("markov_const") {
  REQUIRE_FALSE(fixtureGroup("markov_const").empty());
  for (const json& item : fixtureGroup("markov_const")) {
    INFO(named(item));
    const Chain chain = chainOf(item);
    const double atol = toleranceOf(item);
    checkClose(chain.pi0(), item.at("pi0"), atol, "pi0");
    checkClose(chain.pi1(), item.at("pi1"), atol, "pi1");
    checkClose(chain.entropyRate(), item.at("H_cond"), atol, "H_cond");
    checkClose(chain.marginalEntropy(), item.at("H_pi"), atol, "H_pi");
    checkClose(chain.mutualInformation(), item.at("mutual_info"), atol, "mutual_info");
    checkClose(chain.S_star(), item.at("S_star"), atol, "S_star");
    checkClose(lambda(chain, 0).first, item.at("dLam0"), atol, "dLam0");
    const Lambda star = lambda(chain, chain.S_star());
    checkClose(star.second, item.at("d2Lam_star"), atol, "d2Lam_star");
    checkClose(star.c, item.at("c_star"), atol, "c_star");
    CHECK(std::abs(star.first) < 1e-15);
  }
}

TEST_CASE("markov_lambda") {
  REQUIRE_FALSE(fixtureGroup("markov_lambda").empty());
  for (const json& item : fixtureGroup("markov_lambda")) {
    INFO(named(item));
    const Chain chain = chainOf(item);
    const double S = item.at("S"), atol = toleranceOf(item);
    const Lambda l = lambda(chain, S);
    checkClose(l.c, item.at("c"), atol, "c");
    checkClose(lambdaC(chain, S), item.at("c"), atol, "c alone");
    checkClose(l.value, item.at("Lam"), atol, "Lam");
    checkClose(l.first, item.at("dLam"), atol, "dLam");
    checkClose(lambdaFirst(chain, S), item.at("dLam"), atol, "dLam alone");
    checkClose(l.second, item.at("d2Lam"), atol, "d2Lam");
  }
}

TEST_CASE("markov_point2") {
  REQUIRE_FALSE(fixtureGroup("markov_point2").empty());
  for (const json& item : fixtureGroup("markov_point2"))
    checkPointCase(item, Model::EW, Model::EWB);
}

TEST_CASE("markov_point3") {
  REQUIRE_FALSE(fixtureGroup("markov_point3").empty());
  for (const json& item : fixtureGroup("markov_point3")) {
    checkPointCase(item, Model::EWA, Model::EWAB);
    checkClose(airyAngle(state({item.at("e"), item.at("w"), item.at("a")})), item.at("airy_angle"), toleranceOf(item),
               "airy_angle");
  }
}

TEST_CASE("markov_basin2") {
  REQUIRE_FALSE(fixtureGroup("markov_basin2").empty());
  for (const json& item : fixtureGroup("markov_basin2")) {
    INFO(named(item));
    const Chain chain = chainOf(item);
    const double e = item.at("e0"), w = item.at("w0"), atol = toleranceOf(item);
    CHECK(referenceName(basinLabel(chain, e, w)) == item.at("label"));
    const auto limit = exactLimit(chain, e, w);
    REQUIRE(limit.has_value());
    CHECK(referenceName(limit->kind) == item.at("label"));
    checkClose(limit->theta, json::array({item.at("e_lim"), item.at("w_lim")}), atol, "limit");
    // 1e-200 is compared as well: the absolute tolerance would accept anything there
    const double wLimit = item.at("w_lim");
    CHECK(std::abs(limit->theta[1] - wLimit) <= 1e-9 * std::abs(wLimit));
    checkClose(limit->loss, item.at("loss_lim"), atol, "loss_lim");
    const auto E = energy(Model::EW, state({e, w}));
    REQUIRE(E.has_value() == !item.at("energy").is_null());
    if (E) checkClose(*E, item.at("energy"), atol, "energy");
  }
}

TEST_CASE("markov_traj") {
  REQUIRE_FALSE(fixtureGroup("markov_traj").empty());
  for (const json& item : fixtureGroup("markov_traj")) {
    INFO(named(item));
    const State start = stateOf(item.at("theta0"));
    const auto path = flowAt(chainOf(item), start.size() == 2 ? Model::EW : Model::EWA, start,
                             item.at("t").get<std::vector<double>>());
    REQUIRE(path.has_value());
    REQUIRE(path->theta.size() == item.at("theta").size());
    for (std::size_t i = 0; i < path->theta.size(); ++i)
      checkClose(path->theta[i], item.at("theta")[i], toleranceOf(item), "theta at " + std::to_string(path->t[i]));
  }
}

TEST_CASE("markov_basin3") {
  REQUIRE_FALSE(fixtureGroup("markov_basin3").empty());
  for (const json& item : fixtureGroup("markov_basin3")) {
    INFO(named(item));
    const auto flow = flowFrom(chainOf(item), Model::EWA, stateOf(item.at("theta0")));
    REQUIRE(flow.has_value());
    CHECK(referenceName(flow->label) == item.at("label"));
    CHECK(flow->status == FlowStatus::Reached);
    CHECK_FALSE(flow->exact);
    REQUIRE(flow->limit.has_value());
    checkClose(flow->limit->theta, item.at("theta_lim"), toleranceOf(item), "theta_lim");
    checkClose(flow->limit->loss, item.at("loss_lim"), toleranceOf(item), "loss_lim");
  }
}

TEST_CASE("markov_gauss") {
  REQUIRE_FALSE(fixtureGroup("markov_gauss").empty());
  for (const json& item : fixtureGroup("markov_gauss")) {
    INFO(named(item));
    const double value = probabilityLocalMinimum(item.at("sigma"), item.at("regime") == "p+q>1");
    checkClose(value, item.at("prob_min"), 1e-18, "prob_min");  // the least is 1.1e-13
  }
}
