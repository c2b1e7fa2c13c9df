// SPDX-License-Identifier: Apache-2.0
// Compares the update rules with steps computed by hand and with numbers from the published pseudo-code of torch.optim
// (SGD, Adam, AdamW), evaluated independently of this program with 50 decimal digits.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "engine/nn/optimiser.h"

namespace {

using namespace sepx;
using nn::OptimiserOptions;
using nn::Rule;

/// The gradient of x^2 + x y/2 + 3 y^2 (y - 1).
template <class T>
std::array<T, 2> slope(const std::array<T, 2>& at) {
  return {2 * at[0] + at[1] / 2, at[0] / 2 + 9 * at[1] * at[1] - 6 * at[1]};
}

template <class T>
std::array<T, 2> after(const OptimiserOptions& options, int steps) {
  std::array<T, 2> theta{T(1), T(-0.5)};
  nn::OptimiserState<T> state;
  for (int i = 0; i < steps; ++i) {
    const std::array<T, 2> g = slope(theta);
    nn::step<T>(options, theta, g, state);
  }
  REQUIRE(state.steps == steps);
  return theta;
}

struct Known {
  const char* name;
  OptimiserOptions options;
  int steps;
  std::array<double, 2> end;
};

std::vector<Known> known() {
  OptimiserOptions sgd;
  sgd.learningRate = 0.01;
  OptimiserOptions decayed = sgd;
  decayed.weightDecay = 0.1;
  OptimiserOptions momentum = decayed;
  momentum.momentum = 0.9;
  OptimiserOptions nesterov = momentum;
  nesterov.nesterov = true;
  OptimiserOptions adam;
  adam.rule = Rule::Adam;
  adam.learningRate = 0.05;
  OptimiserOptions adamDecayed = adam;
  adamDecayed.weightDecay = 0.1;
  OptimiserOptions adamw = adamDecayed;
  adamw.rule = Rule::AdamW;
  OptimiserOptions other = adamw;
  other.beta1 = 0.8, other.beta2 = 0.95, other.epsilon = 1e-3;
  return {{"SGD", sgd, 5, {0.91924229773202959, -0.90085290200601431}},
          {"SGD, decay", decayed, 5, {0.91458009533501572, -0.8963757520529525}},
          {"momentum", momentum, 5, {0.77860895699542754, -1.6175642967340149}},
          {"Nesterov", nesterov, 5, {0.73968632636206, -2.566265466992689}},
          {"Adam", adam, 5, {0.75240633073457586, -0.75111283014304719}},
          {"Adam, coupled decay", adamDecayed, 5, {0.75235074605873009, -0.75111235756669947}},
          {"AdamW", adamw, 5, {0.73035893485338454, -0.73625391332734125}},
          {"AdamW, other betas", other, 100, {1.2717823663620789, -5.1395541713887276}}};
}

}  // namespace

TEST_CASE("The update rules agree with the published ones") {
  for (const Known& k : known()) {
    INFO(k.name);
    const std::array<double, 2> end = after<double>(k.options, k.steps);
    const std::array<float, 2> single = after<float>(k.options, k.steps);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(end[i] == Approx(k.end[i]).epsilon(1e-12));
      CHECK(single[i] == Approx(k.end[i]).epsilon(1e-4));
    }
  }
}

TEST_CASE("SGD, momentum, Nesterov momentum and weight decay agree with two steps by hand") {
  // theta = 1, and g is 2, then 4.
  const auto twoSteps = [](const OptimiserOptions& options) {
    std::vector<double> theta{1};
    nn::OptimiserState<double> state;
    nn::step<double>(options, theta, std::vector<double>{2}, state);
    nn::step<double>(options, theta, std::vector<double>{4}, state);
    return theta[0];
  };
  OptimiserOptions options;
  options.learningRate = 0.5;
  CHECK(twoSteps(options) == Approx(1 - 0.5 * 2 - 0.5 * 4));
  options.momentum = 0.5;  // m: 2, then 0.5 * 2 + 4 = 5
  CHECK(twoSteps(options) == Approx(1 - 0.5 * 2 - 0.5 * 5));
  options.nesterov = true;  // 2 + 0.5 * 2 = 3, then 4 + 0.5 * 5 = 6.5
  CHECK(twoSteps(options) == Approx(1 - 0.5 * 3 - 0.5 * 6.5));
  options = {};
  options.learningRate = 0.5, options.weightDecay = 0.1;  // (1 - 0.05) 1 - 1 = -0.05; then 0.95 (-0.05) - 2
  CHECK(twoSteps(options) == Approx(0.95 * -0.05 - 2));
}

TEST_CASE(
    "The first step of Adam is the sign of the gradient, and AdamW decays weights independently of the gradient") {
  OptimiserOptions options;
  options.rule = Rule::AdamW;
  options.learningRate = 0.01;
  std::vector<double> theta{3, -2, 5};
  nn::OptimiserState<double> state;
  nn::step<double>(options, theta, std::vector<double>{1e-3, -400, 0}, state);
  CHECK(theta[0] == Approx(2.99).epsilon(1e-5));
  CHECK(theta[1] == Approx(-1.99).epsilon(1e-9));
  CHECK(theta[2] == 5);
  // Without a gradient only the decay moves theta, by the factor 1 - eta lambda per step.
  options.weightDecay = 0.5;
  std::vector<double> still{2};
  nn::OptimiserState<double> none;
  for (int i = 0; i < 3; ++i)
    nn::step<double>(options, still, std::vector<double>{0}, none);
  CHECK(still[0] == Approx(2 * std::pow(1 - 0.01 * 0.5, 3)).epsilon(1e-14));
}

TEST_CASE("A saved and restored state continues without a difference") {
  for (const Known& k : known()) {
    INFO(k.name);
    std::array<double, 2> theta{1, -0.5};
    nn::OptimiserState<double> state;
    for (int i = 0; i < k.steps; ++i) {
      const nn::OptimiserState<double> saved{state.steps, std::vector<double>(state.first),
                                             std::vector<double>(state.second)};
      state = saved;
      nn::step<double>(k.options, theta, slope(theta), state);
    }
    CHECK(theta == after<double>(k.options, k.steps));
  }
}

namespace {

std::vector<double> numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<double> out(count);
  for (double& x : out)
    x = normal(generator);
  return out;
}

bool decays(const nn::FlatStep& flat, std::size_t i) {
  return flat.decayAll || std::any_of(flat.decayed.begin(), flat.decayed.end(),
                                      [i](const nn::FlatRange& range) { return i >= range.first && i < range.last; });
}

/// The rules of optimiser.h for a single number, in long double.
struct Slow {
  long double theta, m = 0, v = 0;
  void step(const OptimiserOptions& o, long double g, bool decayed, int t) {
    const long double lambda = decayed ? o.weightDecay : 0, eta = o.learningRate;
    if (o.rule != Rule::AdamW) g += lambda * theta;
    if (o.rule == Rule::Sgd) {
      m = o.momentum * m + g;
      theta -= eta * (o.nesterov ? g + o.momentum * m : m);
      return;
    }
    if (o.rule == Rule::AdamW) theta *= 1 - eta * lambda;
    m = o.beta1 * m + (1 - o.beta1) * g;
    v = o.beta2 * v + (1 - o.beta2) * g * g;
    const long double b1 = 1 - std::pow(static_cast<long double>(o.beta1), t);
    const long double b2 = 1 - std::pow(static_cast<long double>(o.beta2), t);
    theta -= eta / b1 * m / (std::sqrt(v / b2) + o.epsilon);
  }
};

template <class T>
struct Trained {
  std::vector<T> theta;
  nn::OptimiserState<T> state;
};

constexpr std::size_t kModel = 40001;  // several blocks and a remainder
constexpr int kSteps = 4;

template <class T>
Trained<T> train(int threads, const OptimiserOptions& options, const nn::FlatStep& flat) {
  ThreadPool pool(threads);
  const std::vector<double> start = numbers(kModel, 1);
  Trained<T> trained{{start.begin(), start.end()}, {}};
  for (int t = 1; t <= kSteps; ++t) {
    const std::vector<double> g = numbers(kModel, 100 + static_cast<unsigned>(t));
    std::vector<T> gradient(g.begin(), g.end());
    const std::vector<T> before = gradient;
    nn::step<T>(pool, options, trained.theta, gradient, trained.state, flat);
    CHECK(gradient == (flat.clearGradient ? std::vector<T>(kModel, T{0}) : before));
  }
  return trained;
}

std::vector<nn::FlatStep> flatSteps() {
  nn::FlatStep some;
  some.decayAll = false;
  some.gradientFactor = 0.25;
  some.decayed = {{0, 3}, {17, 18}, {18, 16384}, {16390, 33000}, {40000, 40001}};
  nn::FlatStep none;
  none.decayAll = false;
  none.clearGradient = true;
  return {nn::FlatStep{}, some, none};
}

}  // namespace

TEST_CASE("The step of a whole model applies the rule to every number, with decay only in the given ranges") {
  for (const Known& k : known())
    for (const nn::FlatStep& flat : flatSteps()) {
      INFO(k.name << ", factor " << flat.gradientFactor);
      const Trained<double> fast = train<double>(1, k.options, flat);
      CHECK(fast.state.steps == kSteps);
      CHECK(fast.state.first.size() == (nn::statesPerParameter(k.options) > 0 ? kModel : 0));
      CHECK(fast.state.second.size() == (nn::statesPerParameter(k.options) > 1 ? kModel : 0));
      const std::vector<double> start = numbers(kModel, 1);
      std::vector<Slow> slow;
      for (const double x : start)
        slow.push_back({x});
      for (int t = 1; t <= kSteps; ++t) {
        const std::vector<double> g = numbers(kModel, 100 + static_cast<unsigned>(t));
        for (std::size_t i = 0; i < kModel; ++i)
          slow[i].step(k.options, g[i] * flat.gradientFactor, decays(flat, i), t);
      }
      double worst = 0;
      for (std::size_t i = 0; i < kModel; ++i)
        worst = std::max(worst, std::abs(fast.theta[i] - static_cast<double>(slow[i].theta)));
      CHECK(worst < 1e-13);
      const Trained<float> single = train<float>(1, k.options, flat);
      for (std::size_t i = 0; i < kModel; ++i)
        worst = std::max(worst, std::abs(single.theta[i] - fast.theta[i]));
      CHECK(worst < 1e-4);
      const Trained<float> shared = train<float>(2, k.options, flat);
      CHECK(shared.theta == single.theta);
      CHECK(shared.state == single.state);
    }
}

TEST_CASE("The norm of a gradient, its clip factor and the average of the parameters are correct") {
  ThreadPool one(1), two(2);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{15}, std::size_t{16385}, kModel}) {
    const std::vector<double> g = numbers(count, 5);
    const std::vector<float> single(g.begin(), g.end());
    long double sum = 0;
    for (const float x : single)
      sum += static_cast<long double>(x) * x;
    const double norm = nn::norm<float>(one, single);
    CHECK(norm == Approx(static_cast<double>(std::sqrt(sum))).epsilon(1e-14));
    CHECK(nn::norm<float>(two, single) == norm);
    CHECK(nn::norm<double>(two, g) == nn::norm<double>(one, g));
  }
  CHECK(nn::clipFactor(5, 0) == 1);
  CHECK(nn::clipFactor(0.5, 1) == 1);
  CHECK(nn::clipFactor(4, 1) == Approx(0.25).epsilon(1e-6));
  CHECK(std::isnan(nn::clipFactor(std::nan(""), 1)) == false);  // the step itself then reports the NaN

  CHECK(nn::averageDecay(0.9999, 0) == Approx(0.1));
  CHECK(nn::averageDecay(0.9999, 90) == Approx(0.91));
  CHECK(nn::averageDecay(0.5, 90) == 0.5);
  std::vector<double> average(kModel, 2.0);
  const std::vector<double> theta = numbers(kModel, 6);
  nn::updateAverage<double>(two, theta, average, 0.75);
  for (std::size_t i = 0; i < kModel; i += 997)
    CHECK(average[i] == Approx(1.5 + 0.25 * theta[i]).epsilon(1e-14));
  nn::scale<double>(two, average, -2);
  CHECK(average[kModel - 1] == Approx(-3 - 0.5 * theta[kModel - 1]).epsilon(1e-14));
}

TEST_CASE("Invalid options are refused with a message") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(nn::check(OptimiserOptions{}));
  for (const double bad : {-1.0, nan, std::numeric_limits<double>::infinity()}) {
    OptimiserOptions options;
    options.learningRate = bad;
    CHECK_FALSE(nn::check(options));
    options = {};
    options.weightDecay = bad;
    CHECK_FALSE(nn::check(options));
    options = {};
    options.momentum = bad;
    CHECK_FALSE(nn::check(options));
    options = {};
    options.beta2 = bad;
    CHECK_FALSE(nn::check(options));
    options = {};
    options.epsilon = bad;
    CHECK_FALSE(nn::check(options));
  }
  OptimiserOptions nesterov;
  nesterov.nesterov = true;
  CHECK_FALSE(nn::check(nesterov));
  nesterov.momentum = 0.1;
  CHECK(nn::check(nesterov));
}

TEST_CASE("The learning rate warms up linearly and falls as half a cosine") {
  const nn::Schedule constant{0.3, 0, 0, 0};
  CHECK(nn::learningRateAt(constant, 0) == 0.3);
  CHECK(nn::learningRateAt(constant, 1000000) == 0.3);
  const nn::Schedule schedule{0.4, 4, 104, 0.1};
  CHECK(nn::learningRateAt(schedule, 0) == Approx(0.1));
  CHECK(nn::learningRateAt(schedule, 3) == Approx(0.4));
  CHECK(nn::learningRateAt(schedule, 4) == Approx(0.4));
  CHECK(nn::learningRateAt(schedule, 54) == Approx(0.25));
  CHECK(nn::learningRateAt(schedule, 29) == Approx(0.1 + 0.3 * (1 + std::sqrt(0.5)) / 2));
  CHECK(nn::learningRateAt(schedule, 104) == Approx(0.1));
  CHECK(nn::learningRateAt(schedule, 5000) == Approx(0.1));
}
