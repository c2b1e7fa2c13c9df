// SPDX-License-Identifier: Apache-2.0
// Chains of order k: the stationary distribution is compared with closed forms and with pi P = pi, entropies with
// closed forms, and sequences with both.
#include "engine/data/markov.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "engine/core/random.h"
#include "tests/engine/data/sequences.h"

using namespace sepx;
using data::Split;

namespace {

double h(double x) {
  return -x * std::log(x) - (1 - x) * std::log(1 - x);
}

data::SourceConfig chain(int order, std::vector<double> kernel) {
  data::SourceConfig config;
  config.order = order;
  config.kernel = std::move(kernel);
  return config;
}

std::string refusal(const data::SourceConfig& config) {
  const auto source = data::makeSource(config);
  if (source) return {};
  CHECK(source.error().kind == ErrorKind::Usage);
  return source.error().message;
}

}  // namespace

TEST_CASE("The bounds of a first-order chain agree with the closed forms") {
  data::SourceConfig config;
  config.p = 0.5;
  config.q = 0.8;
  const auto bounds = test::sourceOf(config)->bounds();
  const double pi1 = 0.5 / 1.3;
  REQUIRE(bounds.size() == 2);
  CHECK(bounds[0].name == "H(pi)");
  CHECK(bounds[0].value == Approx(h(pi1)).margin(1e-14));
  CHECK(bounds[1].name == "H(x_{n+1} | x_n)");
  CHECK(bounds[1].value == Approx((1 - pi1) * h(0.5) + pi1 * h(0.8)).margin(1e-14));
  CHECK(bounds[0].value == Approx(.6663).margin(5e-5));  // computed independently of this program
  CHECK(bounds[1].value == Approx(.6190).margin(5e-5));
}

TEST_CASE("A second-order chain that depends only on the older bit has the bounds of two interleaved chains") {
  // x_{n+1} depends only on x_{n-1}, with p and q. The even and the odd positions are two independent chains. Hence
  // neighbours are independent, H(x_{n+1} | x_n) = H(pi), and the entropy rate is that of the first-order chain.
  const double p = 0.2, q = 0.3, pi1 = p / (p + q);
  const auto bounds = test::sourceOf(chain(2, {p, p, 1 - q, 1 - q}))->bounds();
  REQUIRE(bounds.size() == 3);
  CHECK(bounds[0].value == Approx(h(pi1)).margin(1e-14));
  CHECK(bounds[1].value == Approx(h(pi1)).margin(1e-14));
  CHECK(bounds[2].name == "H(x_{n+1} | the last 2 bits)");
  CHECK(bounds[2].value == Approx((1 - pi1) * h(p) + pi1 * h(q)).margin(1e-14));
  const auto pi = data::stationary(std::vector<double>{p, p, 1 - q, 1 - q});
  REQUIRE(pi);
  CHECK((*pi)[3] == Approx(pi1 * pi1).margin(1e-14));
}

TEST_CASE("The stationary distribution satisfies pi P = pi at every order, also with entries of 1") {
  for (int order = 1; order <= data::kMostOrder; ++order) {
    const std::size_t states = std::size_t{1} << order;
    RandomStream random(7, static_cast<std::uint64_t>(order));
    std::vector<double> kernel(states);
    for (double& x : kernel)
      x = random.uniform() < 0.1 && order > 2 ? 1.0 : random.uniform(0.001, 0.999);
    const auto pi = data::stationary(kernel);
    REQUIRE(pi);
    double sum = 0, worst = 0;
    for (std::size_t s = 0; s < states; ++s) {
      // The two predecessors of s are the states whose last k-1 bits are the first k-1 bits of s.
      double in = 0;
      for (const std::size_t from : {s >> 1, (s >> 1) + states / 2})
        in += (*pi)[from] * ((s & 1) == 1 ? kernel[from] : 1 - kernel[from]);
      worst = std::max(worst, std::abs(in - (*pi)[s]));
      sum += (*pi)[s];
    }
    CHECK(sum == Approx(1).margin(1e-12));
    CHECK(worst < 1e-14);
  }
}

TEST_CASE("A chain with transient states starts in its closed class") {
  // 00 -> 01 -> 10 -> 01 is the alternating sequence; 11 -> 10.
  const auto source = test::sourceOf(chain(2, {1, 0, 1, 0}));
  for (std::uint64_t index = 0; index < 50; ++index) {
    const auto bits = test::sequenceOf(*source, Split::Train, index, 20);
    for (std::size_t n = 1; n < bits.size(); ++n)
      CHECK(bits[n] == 1 - bits[n - 1]);
  }
  CHECK(source->bounds()[0].value == Approx(std::log(2.0)));
  CHECK(source->bounds()[2].value == 0);
}

TEST_CASE("Bits of a third-order chain have its frequencies from the first position on") {
  const std::vector<double> kernel{0.1, 0.9, 0.3, 0.6, 0.8, 0.2, 0.5, 0.35};
  const auto source = test::sourceOf(chain(3, kernel));
  const auto pi = data::stationary(kernel);
  REQUIRE(pi);
  constexpr int kDraws = 20000, kLength = 9;
  std::vector<double> start(8, 0), end(8, 0), ones(8, 0), seen(8, 0);
  for (std::uint64_t index = 0; index < kDraws; ++index) {
    const auto bits = test::sequenceOf(*source, Split::Train, index, kLength);
    const auto stateAt = [&](std::size_t n) {
      return static_cast<std::size_t>(4 * bits[n] + 2 * bits[n + 1] + bits[n + 2]);
    };
    ++start[stateAt(0)];
    ++end[stateAt(kLength - 3)];
    for (std::size_t n = 0; n + 3 < bits.size(); ++n) {
      ++seen[stateAt(n)];
      ones[stateAt(n)] += bits[n + 3];
    }
  }
  for (std::size_t s = 0; s < 8; ++s) {
    const double deviation = std::sqrt((*pi)[s] * (1 - (*pi)[s]) / kDraws);
    CHECK(std::abs(start[s] / kDraws - (*pi)[s]) < 5 * deviation);
    CHECK(std::abs(end[s] / kDraws - (*pi)[s]) < 5 * deviation);
    CHECK(std::abs(ones[s] / seen[s] - kernel[s]) < 5 * std::sqrt(kernel[s] * (1 - kernel[s]) / seen[s]));
  }
}

TEST_CASE("Chains are functions of seed, split and index") {
  CHECK(test::impure(chain(1, {}), 64).empty());
  CHECK(test::impure(chain(2, {0.2, 0.4, 0.6, 0.8}), 64).empty());
  const auto source = test::sourceOf(chain(3, {0.1, 0.9, 0.3, 0.6, 0.8, 0.2, 0.5, 0.35}));
  CHECK(source->vocabulary() == 2);
  CHECK(source->maskToken() == -1);
  const auto whole = test::sequenceOf(*source, Split::Train, 4, 8);
  const auto shorter = test::sequenceOf(*source, Split::Train, 4, 2);  // shorter than the order
  CHECK(std::equal(shorter.begin(), shorter.end(), whole.begin()));
}

TEST_CASE("Invalid chains are refused with a message") {
  data::SourceConfig config;
  config.p = 0;
  CHECK(refusal(config) == "data.p = 0 must be between 0 and 1, both excluded");
  config.p = std::nan("");
  CHECK(refusal(config).find("data.p = nan") == 0);
  CHECK(refusal(chain(0, {})) == "data.order = 0 must be from 1 to 10");
  CHECK(refusal(chain(11, {})) == "data.order = 11 must be from 1 to 10");
  CHECK(refusal(chain(2, {})).find("data.kernel has 0 entries and must have 4") == 0);
  CHECK(refusal(chain(2, {0.5, 0.5, 1.5, 0.5})).find("entry 2 is 1.5") != std::string::npos);
  // 000... and 111... are both absorbing.
  CHECK(refusal(chain(2, {0, 0.5, 0.5, 1})).find("several closed classes") != std::string::npos);
}
