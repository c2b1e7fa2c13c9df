// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/transfer_flow.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

using namespace sepx::reversal;

namespace {

const double kTimes[] = {0, 1, 100, 1e6}, kLateTimes[] = {1e100, 1e200};

/// A query with one plane, which rotates by one radian per place.
TransferFlow plane(double reverse) {
  TransferFlow flow;
  flow.q = {2, 0};
  flow.k = {0, 0};
  flow.reverse = reverse;
  return flow;
}

/// A flow with one plane, which rotates by one radian per place: rho = cos(Delta1 + Delta2).
TransferFlow ofCondition(double rho) {
  TransferFlow flow = plane(std::acos(rho));
  flow.forward = 0;
  return flow;
}

/// R(r) x, planes (2s, 2s + 1).
std::vector<double> rotated(const TransferFlow& flow, const std::vector<double>& x, double r) {
  std::vector<double> out(x.size());
  for (std::size_t s = 0; 2 * s < x.size(); ++s) {
    const double angle = r * std::pow(flow.base, -2.0 * static_cast<double>(s) / static_cast<double>(x.size()));
    out[2 * s] = std::cos(angle) * x[2 * s] - std::sin(angle) * x[2 * s + 1];
    out[2 * s + 1] = std::sin(angle) * x[2 * s] + std::cos(angle) * x[2 * s + 1];
  }
  return out;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

/// Y, q and k of the flow as the paper states it, without the reductions that the engine uses.
struct Whole {
  std::vector<double> Y, q, k;
};

double forwardAlpha(const TransferFlow& flow, const Whole& at) {
  const double score = flow.kind == TransferKind::Rope ? dot(at.q, rotated(flow, at.k, flow.forward))
                                                       : dot(at.q, at.k) + flow.slope * flow.forward;
  return 1 / (1 + std::exp(-score / std::sqrt(static_cast<double>(at.q.size()))));
}

Whole wholeAt(const TransferFlow& flow, double time) {
  Whole at{std::vector<double>(static_cast<std::size_t>(flow.vocabulary), 0.0), flow.q, flow.k};
  const int steps = 20000;
  const double h = std::log1p(time) / steps;  // midpoint steps in log(1 + t)
  const auto slopeOf = [&](const Whole& state, double u) {
    const double alpha = forwardAlpha(flow, state), rate = std::exp(u) * flow.rate;
    double all = 0;
    for (const double y : state.Y)
      all += std::exp(alpha * y);
    Whole slope = state;
    double product = 0;
    for (std::size_t c = 0; c < state.Y.size(); ++c) {
      const double error = std::exp(alpha * state.Y[c]) / all - (static_cast<int>(c) == flow.target ? 1 : 0);
      slope.Y[c] = -rate * alpha * error;
      product += error * state.Y[c];
    }
    const double score = -rate * alpha * (1 - alpha) / std::sqrt(static_cast<double>(state.q.size())) * product;
    const std::vector<double> turned = rotated(flow, state.q, -flow.forward);
    for (std::size_t i = 0; i < state.q.size(); ++i) {
      const bool alibi = flow.kind == TransferKind::AlibiTrained;
      slope.q[i] = alibi ? score * state.k[i] : 0;
      slope.k[i] = flow.kind == TransferKind::Rope ? score * turned[i] : alibi ? score * state.q[i] : 0;
    }
    return slope;
  };
  const auto moved = [](Whole state, const Whole& slope, double by) {
    for (std::size_t i = 0; i < state.Y.size(); ++i)
      state.Y[i] += by * slope.Y[i];
    for (std::size_t i = 0; i < state.q.size(); ++i) {
      state.q[i] += by * slope.q[i];
      state.k[i] += by * slope.k[i];
    }
    return state;
  };
  for (int i = 0; i < steps; ++i) {
    const Whole middle = moved(at, slopeOf(at, i * h), h / 2);
    at = moved(at, slopeOf(middle, (i + 0.5) * h), h);
  }
  return at;
}

}  // namespace

TEST_CASE("transfer flow: the reduced flow agrees with the flow of Y, q and k", "[transfer]") {
  for (const TransferKind kind : {TransferKind::Rope, TransferKind::AlibiFixed, TransferKind::AlibiTrained}) {
    TransferFlow flow;
    flow.kind = kind;
    flow.q = {0.8, -0.3, 1.1, 0.4};
    flow.k = {-0.2, 0.9, 0.3, -0.7};
    flow.base = 50;
    flow.vocabulary = 5;
    flow.target = 2;
    flow.forward = 2;
    flow.reverse = 3;
    flow.rate = 0.7;
    const Whole whole = wholeAt(flow, 300);
    const double time = 300;
    const TransferState state = transferStates(flow, {&time, 1}).front();
    CHECK(state.target == Approx(whole.Y[2]).epsilon(1e-6));
    CHECK(state.other == Approx(whole.Y[0]).epsilon(1e-6));
    CHECK(state.other == Approx(whole.Y[4]).epsilon(1e-6));
    CHECK(state.forwardAlpha == Approx(forwardAlpha(flow, whole)).epsilon(1e-6));
    const double reverse = kind == TransferKind::Rope ? dot(whole.q, rotated(flow, whole.k, -flow.reverse))
                                                      : dot(whole.q, whole.k) - flow.slope * flow.reverse;
    CHECK(state.reverseAlpha == Approx(1 / (1 + std::exp(-reverse / 2))).epsilon(1e-6));
    CHECK(state.forwardMiss == Approx(1 - state.forward).margin(1e-12));
    CHECK(state.reverse == Approx(1 / (1 + 4 * std::exp(-state.reverseAlpha * (state.target - state.other)))));
  }
}

TEST_CASE("transfer flow: with RoPE the forward score and the margin have a conserved quantity", "[transfer]") {
  TransferFlow flow = plane(2);
  const auto states = transferStates(flow, kTimes);
  for (const TransferState& state : states) {
    const double s = std::log(state.forwardAlpha / (1 - state.forwardAlpha)), m = state.target - state.other;
    CHECK(s + std::exp(s) == Approx(1 + 4.0 / 2 * 3 / 4 * m * m / 2).epsilon(1e-8));  // s(0) = 0
  }
}

TEST_CASE("transfer flow: the conditions for several sums equal the condition of each sum", "[transfer]") {
  TransferFlow flow;
  flow.q = {0.8, -0.3, 1.1, 0.4};
  flow.k = flow.q;
  flow.base = 50;
  const double sums[] = {0, 1.5, 7};
  const std::vector<double> conditions = ropeConditions(flow, sums);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(conditions[i] == Approx(dot(flow.q, rotated(flow, flow.q, sums[i]))));
}

TEST_CASE("transfer flow: both probabilities begin at 1/V and tend to 1 where RoPE's condition holds", "[transfer]") {
  const TransferFlow flow = plane(0);
  REQUIRE(check(flow));
  CHECK(ropeCondition(flow) == Approx(4 * std::cos(1.0)));
  const auto states = transferStates(flow, kTimes);
  CHECK(states[0].forward == Approx(0.25));
  CHECK(states[0].reverse == Approx(0.25));
  CHECK(states[3].forward > 0.9999);
  CHECK(states[3].reverse > 0.99);
}

TEST_CASE(
    "transfer flow: if the condition fails, attention of the reverse query falls while that of the forward query rises",
    "[transfer]") {
  const TransferFlow flow = plane(2);  // cos 3 < 0
  CHECK(ropeCondition(flow) < 0);
  const auto states = transferStates(flow, kTimes);
  CHECK(states[3].forward > 0.9999);
  CHECK(states[3].forwardAlpha > states[0].forwardAlpha);
  CHECK(states[3].reverseAlpha < states[0].reverseAlpha);
  CHECK(states[3].reverse < 0.9);
}

TEST_CASE("transfer flow: alpha Y of the reverse query grows as Y^(1 + 2 rho) for rho < 0 and as Y for rho >= 0",
          "[transfer]") {
  for (const double rho : {-0.8, -0.3, 0.0, 0.05, 0.3, 0.5, 0.8}) {
    INFO("rho = " << rho);
    const auto states = transferStates(ofCondition(rho), kLateTimes);
    const auto product = [](const TransferState& at) { return at.reverseAlpha * at.target; };
    const double power =
        std::log(product(states[1]) / product(states[0])) / std::log(states[1].target / states[0].target);
    CHECK(power == Approx(1 + 2 * std::min(rho, 0.0)).margin(0.05));
    CHECK((states[1].reverseMiss < states[0].reverseMiss) == (rho > kLeastRopeCondition));
    CHECK((1 - states[1].forwardAlpha) * std::pow(states[1].target, 2) ==
          Approx((1 - states[0].forwardAlpha) * std::pow(states[0].target, 2)).epsilon(1e-3));
  }
}

TEST_CASE("transfer flow: at rho = -1/2 the reverse probability tends to a value between 1/V and 1", "[transfer]") {
  const TransferFlow flow = ofCondition(kLeastRopeCondition);
  const auto states = transferStates(flow, kLateTimes);
  // With k = 0 at the start, alpha_rev m tends to sqrt(2/c), c = |q|^2/D (V-1)/V = 3/2.
  const double odds = std::exp(std::sqrt(2 / 1.5)), limit = odds / (odds + 3);
  CHECK(limit > 0.25);
  CHECK(limit < 1);
  CHECK(states[1].reverse == Approx(limit).margin(1e-3));
  CHECK(std::abs(states[1].reverse - limit) < std::abs(states[0].reverse - limit));
}

TEST_CASE("transfer flow: 1 - p falls as 1/t for the forward query, and for the reverse query only if rho >= 1/2",
          "[transfer]") {
  const auto grows = [](const TransferFlow& flow, double TransferState::*miss) {
    const auto states = transferStates(flow, kLateTimes);
    return (states[1].t * states[1].*miss) / (states[0].t * states[0].*miss);
  };
  for (const double rho : {-0.8, 0.0, 0.3, 0.8})
    CHECK(grows(ofCondition(rho), &TransferState::forwardMiss) == Approx(1).margin(1e-3));
  for (const double rho : {0.5, 0.8})
    CHECK(grows(ofCondition(rho), &TransferState::reverseMiss) == Approx(1).margin(0.05));
  CHECK(grows(ofCondition(0.3), &TransferState::reverseMiss) > 10);
  CHECK(grows(ofCondition(0.05), &TransferState::reverseMiss) > 1e20);
}

TEST_CASE("transfer flow: under ALiBi with fixed scores 1 - p of the reverse query falls as t^(-alpha_rev/alpha_fwd)",
          "[transfer]") {
  TransferFlow flow = plane(1);
  flow.kind = TransferKind::AlibiFixed;
  flow.slope = std::sqrt(2.0);  // S/sqrt D = 1 and -1
  const auto states = transferStates(flow, kLateTimes);
  CHECK(states[0].reverseAlpha / states[0].forwardAlpha == Approx(std::exp(-1.0)));  // .368
  const double times = std::log(states[1].t / states[0].t);
  CHECK(std::log(states[1].forwardMiss / states[0].forwardMiss) / times == Approx(-1).margin(1e-6));
  CHECK(std::log(states[1].reverseMiss / states[0].reverseMiss) / times == Approx(-std::exp(-1.0)).margin(1e-6));
  const double million = 1e6;
  const TransferState then = transferStates(flow, {&million, 1}).front();
  CHECK(then.forwardMiss == Approx(1.8e-6).margin(0.5e-6));
  CHECK(then.reverseMiss > 0.01);
}

TEST_CASE("transfer flow: ALiBi needs no condition, with fixed or trained routing", "[transfer]") {
  for (const TransferKind kind : {TransferKind::AlibiFixed, TransferKind::AlibiTrained}) {
    TransferFlow flow = plane(2);
    flow.kind = kind;
    flow.k = {0.5, -0.5};
    const auto states = transferStates(flow, kTimes);
    CHECK(states[3].forward > 0.9999);
    CHECK(states[3].reverse > 0.9999);
    CHECK((states[3].forwardAlpha > states[0].forwardAlpha) == (kind == TransferKind::AlibiTrained));
    CHECK(states[3].target + 3 * states[3].other == Approx(0).margin(1e-9));  // the flow conserves the sum of Y
  }
}

TEST_CASE("transfer flow: a flow that no layer can have is refused", "[transfer]") {
  TransferFlow flow = plane(1);
  flow.k = {0, 0, 0};
  CHECK(!check(flow));
  flow = plane(1);
  flow.q = flow.k = {1, 2, 3};
  REQUIRE(!check(flow));
  CHECK(check(flow).error().message.find("even") != std::string::npos);
  flow.kind = TransferKind::AlibiFixed;
  CHECK(check(flow));
  flow.target = 4;
  CHECK(!check(flow));
}
