// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/transfer_flow.h"

#include <cmath>

#include <catch2/catch.hpp>

using namespace sepx::reversal;

namespace {

const double kTimes[] = {0, 1, 100, 1e6};

/// A query of one plane, which turns by one radian a place.
TransferFlow plane(double reverse) {
  TransferFlow flow;
  flow.q = {2, 0};
  flow.k = {0, 0};
  flow.reverse = reverse;
  return flow;
}

}  // namespace

TEST_CASE("transfer flow: both probabilities begin at 1/V and end at 1 where RoPE's condition holds", "[transfer]") {
  const TransferFlow flow = plane(0);
  REQUIRE(check(flow));
  CHECK(ropeCondition(flow) == Approx(4 * std::cos(1.0)));
  const auto states = transferStates(flow, kTimes);
  CHECK(states[0].forward == Approx(0.25));
  CHECK(states[0].reverse == Approx(0.25));
  CHECK(states[3].forward > 0.9999);
  CHECK(states[3].reverse > 0.99);
}

TEST_CASE("transfer flow: against the condition attention of the reverse query falls while that of the forward rises",
          "[transfer]") {
  const TransferFlow flow = plane(2);  // cos 3 < 0
  CHECK(ropeCondition(flow) < 0);
  const auto states = transferStates(flow, kTimes);
  CHECK(states[3].forward > 0.9999);
  CHECK(states[3].forwardAlpha > states[0].forwardAlpha);
  CHECK(states[3].reverseAlpha < states[0].reverseAlpha);
  CHECK(states[3].reverse < 0.9);
}

TEST_CASE("transfer flow: without the condition alpha Y of the reverse query goes as Y^(1 + 2 rho)", "[transfer]") {
  TransferFlow flow = plane(0);
  flow.forward = 0;
  for (const double rho : {-0.8, -0.3}) {
    flow.reverse = std::acos(rho);  // one plane of one radian a place: rho = cos(Delta1 + Delta2)
    const double times[] = {1e100, 1e200};
    const auto states = transferStates(flow, times);
    const auto product = [](const TransferState& at) { return at.reverseAlpha * at.Y[0]; };
    const double power = std::log(product(states[1]) / product(states[0])) / std::log(states[1].Y[0] / states[0].Y[0]);
    CHECK(power == Approx(1 + 2 * rho).margin(0.05));
    CHECK((states[1].reverse > states[0].reverse) == (rho > kLeastRopeCondition));
  }
}

TEST_CASE("transfer flow: ALiBi needs no condition, with routing fixed or trained", "[transfer]") {
  for (const TransferKind kind : {TransferKind::AlibiFixed, TransferKind::AlibiTrained}) {
    TransferFlow flow = plane(2);
    flow.kind = kind;
    flow.k = {0.5, -0.5};
    const auto states = transferStates(flow, kTimes);
    CHECK(states[3].forward > 0.9999);
    CHECK(states[3].reverse > 0.9999);
    CHECK((states[3].forwardAlpha > states[0].forwardAlpha) == (kind == TransferKind::AlibiTrained));
    double sum = 0;  // the flow keeps the sum of Y
    for (const double y : states[3].Y)
      sum += y;
    CHECK(sum == Approx(0).margin(1e-9));
  }
}

TEST_CASE("transfer flow: what no layer can be is refused", "[transfer]") {
  TransferFlow flow = plane(1);
  flow.k = {0, 0, 0};
  CHECK(!check(flow));
  flow = plane(1);
  flow.q = flow.k = {1, 2, 3};
  REQUIRE(!check(flow));
  CHECK(check(flow).error().sentence.find("even") != std::string::npos);
  flow.kind = TransferKind::AlibiFixed;
  CHECK(check(flow));
  flow.target = 4;
  CHECK(!check(flow));
}
