// SPDX-License-Identifier: Apache-2.0
// Gaussian starts counted by where they end, and what a count says of the probability. Philox stream i belongs to draw
// i, so counts are the same on any thread count. Pure functions.
#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/beta.hpp>

#include "engine/core/random.h"
#include "engine/dynamics/integrator.h"
#include "engine/markov/attention_basin.h"
#include "engine/markov/basin.h"
#include "engine/markov/flow_chart.h"
#include "engine/markov/gaussian.h"

namespace sepx::markov {

namespace {

LimitKind exactLabel(const Chain& chain, Model model, const State& theta) {
  return hasAttention(model) ? basinLabel3(chain, theta[0], theta[1], theta[2]) : basinLabel(chain, theta[0], theta[1]);
}

/// Where the orbit goes, followed by arc length along G/|G| (flow_chart.h) until S = S_star, e = 0, or far out: no
/// closed form helps, and none is asked.
LimitKind integratedLabel(const Chain& chain, Model model, const State& theta) {
  const FlowChart chart(chain, model, theta);
  const double S_star = chain.S_star(), S = chart.S(chart.start());
  if (chain.degenerate() || theta[0] == 0 || S == S_star) return exactLabel(chain, model, theta);
  constexpr double kFar = 1e3;
  std::vector<dynamics::Event> events(3);
  events[0].g = [&](double, const State& X) { return chart.S(X) - S_star; };
  events[1].g = [](double, const State& X) { return X[0]; };
  events[2].g = [](double, const State& X) { return kFar - X.cwiseAbs().maxCoeff(); };
  dynamics::IntegratorOptions options;
  options.relativeTolerance = 1e-8;
  options.absoluteTolerance = 1e-10;
  options.tEnd = 1e6;
  options.maxSteps = 5000;
  const double sign = (S > S_star ? -1.0 : 1.0) * (theta[0] < 0 ? -1.0 : 1.0);
  const auto along = [&chart, sign](double, const State& X) -> State { return sign * chart.direction(X); };
  const dynamics::Solution solution = dynamics::integrate(along, 0, chart.start(), options, events);
  if (solution.end != dynamics::IntegrationEnd::EventHit || solution.event == 2) return LimitKind::Undecided;
  if (solution.event == 0) return LimitKind::GlobalMin;
  return chain.switching() * chart.v(solution.x) > 0 ? LimitKind::LocalMin : LimitKind::Undecided;
}

}  // namespace

BinomialShare binomialShare(std::int64_t hits, std::int64_t samples) {
  BinomialShare result;
  result.hits = hits;
  result.samples = samples;
  if (samples <= 0) return result;
  constexpr double kTail = 0.025;
  const double k = static_cast<double>(hits), n = static_cast<double>(samples);
  result.low = hits == 0 ? 0 : boost::math::ibeta_inv(k, n - k + 1, kTail);
  result.high = hits == samples ? 1 : boost::math::ibetac_inv(k + 1, n - k, kTail);
  return result;
}

State gaussianStart(Model model, double sigma, std::uint64_t seed, std::uint64_t i) {
  RandomStream random(seed, i);
  State theta(hasAttention(model) ? 3 : 2);
  for (double& component : theta)
    component = sigma * random.normal();
  return theta;
}

GaussCount countLocalMinima(const Chain& chain, Model model, double sigma, const GaussCountOptions& options,
                            const std::function<bool()>& cancelled, const std::function<void(double share)>& progress) {
  constexpr std::int64_t kBlock = 64;
  GaussCount count;
  std::int64_t hits = 0, followed = 0, done = 0;
  for (; done < options.samples; ++done) {
    if (done % kBlock == 0) {
      if (cancelled && cancelled()) break;
      if (progress) progress(static_cast<double>(done) / static_cast<double>(options.samples));
    }
    const State theta = gaussianStart(model, sigma, options.seed, static_cast<std::uint64_t>(done));
    const LimitKind exact = exactLabel(chain, model, theta);
    hits += exact == LimitKind::LocalMin;
    if (!options.integrate) continue;
    const LimitKind found = integratedLabel(chain, model, theta);
    followed += found == LimitKind::LocalMin;
    count.undecided += found == LimitKind::Undecided;
    count.disagreements += found != exact;
  }
  count.byTheory = binomialShare(hits, done);
  if (options.integrate) count.integrated = binomialShare(followed, done);
  return count;
}

}  // namespace sepx::markov
