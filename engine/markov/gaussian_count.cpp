// SPDX-License-Identifier: Apache-2.0
// Counts Gaussian initial points by where they end, and derives an interval for the probability from a count. Philox
// stream i belongs to draw i, so the counts do not depend on the number of threads. Pure functions.
#include "engine/markov/gaussian_count.h"

#include <algorithm>

#include <boost/math/special_functions/beta.hpp>

#include "engine/core/random.h"
#include "engine/dynamics/integrator.h"
#include "engine/markov/attention_basin.h"
#include "engine/markov/basin.h"
#include "engine/markov/flow_batch.h"
#include "engine/markov/flow_chart.h"

namespace sepx::markov {

namespace {

LimitKind exactLabel(const Chain& chain, Model model, const State& theta) {
  return hasAttention(model) ? basinLabel3(chain, theta[0], theta[1], theta[2]) : basinLabel(chain, theta[0], theta[1]);
}

/// The limit of one orbit that does not fit the lanes, followed by arc length along G/|G| (flow_chart.h) until
/// S = S_star, e = 0, or far out. Only a start that needs no integration takes its label from the closed form.
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

/// Consecutive draws, in the layout that the lanes of flow_batch.h need.
class Block {
 public:
  Block(Model model, double sigma, std::uint64_t seed, std::int64_t first, std::int64_t count) : model_(model) {
    for (std::int64_t i = first; i < first + count; ++i) {
      const State theta = gaussianStart(model, sigma, seed, static_cast<std::uint64_t>(i));
      e_.push_back(theta[0]);
      w_.push_back(theta[1]);
      if (hasAttention(model)) a_.push_back(theta[2]);
    }
  }
  std::size_t size() const { return e_.size(); }
  State start(std::size_t i) const {
    State theta(hasAttention(model_) ? 3 : 2);
    theta[0] = e_[i];
    theta[1] = w_[i];
    if (hasAttention(model_)) theta[2] = a_[i];
    return theta;
  }
  std::vector<LimitKind> integrated(const Chain& chain) const {
    std::vector<std::uint8_t> raw(size());
    basinLabels(chain, model_, {e_, w_, a_}, raw.data());
    std::vector<LimitKind> labels;
    for (std::size_t i = 0; i < raw.size(); ++i)
      labels.push_back(raw[i] == kNeedsGeneralPath ? integratedLabel(chain, model_, start(i))
                                                   : static_cast<LimitKind>(raw[i]));
    return labels;
  }

 private:
  Model model_;
  std::vector<double> e_, w_, a_;
};

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
  constexpr std::int64_t kBlock = 256;
  GaussCount count;
  std::int64_t hits = 0, followed = 0, done = 0;
  while (done < options.samples) {
    if (cancelled && cancelled()) break;
    if (progress) progress(static_cast<double>(done) / static_cast<double>(options.samples));
    const Block block(model, sigma, options.seed, done, std::min(kBlock, options.samples - done));
    const std::vector<LimitKind> found = options.integrate ? block.integrated(chain) : std::vector<LimitKind>{};
    for (std::size_t i = 0; i < block.size(); ++i) {
      const LimitKind exact = exactLabel(chain, model, block.start(i));
      hits += exact == LimitKind::LocalMin;
      if (found.empty()) continue;
      followed += found[i] == LimitKind::LocalMin;
      count.undecided += found[i] == LimitKind::Undecided;
      count.disagreements += found[i] != exact;
    }
    done += static_cast<std::int64_t>(block.size());
  }
  count.byTheory = binomialShare(hits, done);
  if (options.integrate) count.integrated = binomialShare(followed, done);
  return count;
}

}  // namespace sepx::markov
