// SPDX-License-Identifier: Apache-2.0
// The functions that give one number of a state agree with evaluate() at the points of the reference file, whose
// numbers `sepx verify` compares (tests/app/cli/test_verify.cpp). Also tests the kinds of limits in that file.
#include "engine/markov/basin.h"
#include "engine/markov/flow.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;
using namespace sepx::markov::test;
using nlohmann::json;

namespace {

void checkOneByOne(const Chain& chain, Model model, const State& theta) {
  const Evaluation at = evaluate(chain, model, theta);
  CHECK(reducedS(model, theta) == Approx(at.S).margin(1e-12));
  CHECK(loss(chain, model, theta) == Approx(at.loss).margin(1e-12));
  CHECK((gradient(chain, model, theta) - at.gradient).norm() <= 1e-12 + 1e-11 * at.gradient.norm());
  if (!hasFreeBias(model)) CHECK(optimalBias(chain, model, theta) == Approx(at.bias).margin(1e-12));
}

}  // namespace

TEST_CASE("Functions for single numbers of a state agree with its evaluation") {
  for (const char* const group : {"markov_point2", "markov_point3"}) {
    const bool attention = std::string(group) == "markov_point3";
    REQUIRE_FALSE(fixtureGroup(group).empty());
    for (const json& item : fixtureGroup(group)) {
      INFO(item.dump().substr(0, 120));
      const Chain chain = chainOf(item);
      State theta = state({item.at("e"), item.at("w")});
      if (attention) theta = state({item.at("e"), item.at("w"), item.at("a")});
      State withBias(theta.size() + 1);
      withBias << theta, item.at("b").get<double>();
      checkOneByOne(chain, attention ? Model::EWA : Model::EW, theta);
      checkOneByOne(chain, attention ? Model::EWAB : Model::EWB, withBias);
    }
  }
  for (const json& item : fixtureGroup("markov_lambda")) {
    const Chain chain = chainOf(item);
    const double S = item.at("S");
    CHECK(lambdaC(chain, S) == Approx(lambda(chain, S).c).margin(1e-12));
    CHECK(lambdaFirst(chain, S) == Approx(lambda(chain, S).first).margin(1e-12));
  }
  for (const json& item : fixtureGroup("markov_const"))
    CHECK(std::abs(lambda(chainOf(item), chainOf(item).S_star()).first) < 1e-15);
}

TEST_CASE("A limit in closed form has the kind of its basin, even for a tiny w") {
  for (const json& item : fixtureGroup("markov_basin2")) {
    INFO(item.dump().substr(0, 120));
    const double e = item.at("e0"), w = item.at("w0"), wLimit = item.at("w_lim");
    const auto limit = exactLimit(chainOf(item), e, w);
    REQUIRE(limit.has_value());
    CHECK(limit->kind == basinLabel(chainOf(item), e, w));
    // Values such as 1e-200 are compared as well. An absolute tolerance would accept anything there.
    CHECK(std::abs(limit->theta[1] - wLimit) <= 1e-9 * std::abs(wLimit));
  }
}

TEST_CASE("The limit of the flow with attention is reached by integration") {
  for (const json& item : fixtureGroup("markov_basin3")) {
    const auto flow = flowFrom(chainOf(item), Model::EWA, stateOf(item.at("theta0")));
    REQUIRE(flow.has_value());
    CHECK(flow->status == FlowStatus::Reached);
    CHECK_FALSE(flow->exact);
  }
}
