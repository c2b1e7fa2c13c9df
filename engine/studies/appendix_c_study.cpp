// SPDX-License-Identifier: Apache-2.0
// App. C of Local-to-Global, and (19) of App. D: compares the low-rank family (12)-(17) and its softmax (13) with the
// full transformer that has those parameters. Judged are the logits, the loss, the gradient with respect to the
// scalars, that the gradient of the full transformer stays in the family, the fixed points, when beta has no effect,
// and how the softmax scalar differs from the linear one that replaces it in the paper's theory.
#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Dense>

#include "engine/core/random.h"
#include "engine/dynamics/basin_map.h"
#include "engine/markov/basin.h"
#include "engine/markov/lambda.h"
#include "engine/markov/low_rank.h"
#include "engine/markov/softmax_scalar.h"
#include "engine/studies/canonical_start.h"
#include "engine/studies/exact_transformer.h"
#include "engine/studies/theorem_study.h"

namespace sepx::studies {
namespace {

using markov::Chain;
using markov::LowRank;
using markov::SoftmaxScalar;
using nn::ParameterKind;
using nn::ParameterRole;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kBits = 6;
constexpr double kEqual = 1e-11;
constexpr std::array<Chain, 4> kChains{Chain{0.5, 0.8}, {0.9, 0.3}, {0.2, 0.3}, {0.1, 0.6}};

Eigen::Map<Rows> matrixOf(nn::Transformer<double>& model, std::span<double> values, ParameterRole role,
                          ParameterKind kind, int layer) {
  const nn::Parameter* one = model.layout().find(role, kind, layer);
  return {values.data() + one->offset, one->rows, one->columns};
}
Eigen::Map<Rows> weightOf(nn::Transformer<double>& model, std::span<double> values, ParameterRole role) {
  return matrixOf(model, values, role, ParameterKind::Weight, 0);
}

/// The full transformer for given scalars, its alpha and the signs of its hidden units.
struct Network {
  ExactTransformer exact;
  Eigen::VectorXd alpha, signs;
};

nn::ModelConfig modelOf(const Chain& chain, int d, int r) {
  nn::ModelConfig model = sectionTwo(chain, d, kBits).model;
  model.d_ff = r;
  model.vocabulary = 2;
  return model;
}

void fillStream(nn::Transformer<double>& model, const Eigen::VectorXd& alpha, double e, double p, double b) {
  const std::span<double> theta = model.theta();
  matrixOf(model, theta, ParameterRole::Embedding, ParameterKind::Embedding, -1).row(0) = e * alpha.transpose();
  auto positions = matrixOf(model, theta, ParameterRole::Position, ParameterKind::Position, -1);
  for (Eigen::Index n = 0; n < positions.rows(); ++n)
    positions.row(n) = -p * alpha.transpose();
  matrixOf(model, theta, ParameterRole::OutputBias, ParameterKind::Bias, -1)(0, 0) = b;
}

/// The network of (12), (14), (15), with W_V W_O = 0.
Network lowRankNetwork(const Chain& chain, const LowRank& at, ThreadPool& pool, RandomStream& random) {
  Network made{ExactTransformer(chain, modelOf(chain, at.d, at.r), pool), Eigen::VectorXd(at.d),
               Eigen::VectorXd::Constant(at.r, -1)};
  for (double& entry : made.alpha)
    entry = random.uniform() < 0.5 ? -1 : 1;
  made.signs.head(at.beta).setOnes();
  nn::Transformer<double>& model = made.exact.model();
  fillStream(model, made.alpha, at.e, at.p, at.b);
  weightOf(model, model.theta(), ParameterRole::Up) = at.w * made.signs * made.alpha.transpose();
  weightOf(model, model.theta(), ParameterRole::Down) = at.sign * at.w * made.alpha * made.signs.transpose();
  return made;
}

/// The network of (18)-(21) with softmax attention; alpha has norm 1.
Network softmaxNetwork(const Chain& chain, double e, double w, double b, const SoftmaxScalar& attention,
                       ThreadPool& pool, RandomStream& random) {
  constexpr int kWidth = 4, kHidden = 16;
  Network made{ExactTransformer(chain, modelOf(chain, kWidth, kHidden), pool), Eigen::VectorXd(kWidth),
               Eigen::VectorXd::Ones(kHidden)};
  for (double& entry : made.alpha)
    entry = (random.uniform() < 0.5 ? -1 : 1) / std::sqrt(static_cast<double>(kWidth));
  nn::Transformer<double>& model = made.exact.model();
  const std::span<double> theta = model.theta();
  fillStream(model, made.alpha, e, e / 2, b);
  const double each = 2 / std::sqrt(static_cast<double>(kHidden));
  weightOf(model, theta, ParameterRole::Up) = each * std::abs(w) * made.signs * made.alpha.transpose();
  weightOf(model, theta, ParameterRole::Down) = each * w * made.alpha * made.signs.transpose();
  // W_Q^T W_K = k sqrt(d) alpha alpha^T, because the scores are divided by sqrt(d).
  const Eigen::VectorXd u = Eigen::VectorXd::Unit(kWidth, 0);
  const double root = std::sqrt(attention.k * std::sqrt(static_cast<double>(kWidth)));
  weightOf(model, theta, ParameterRole::Query) = root * u * made.alpha.transpose();
  weightOf(model, theta, ParameterRole::Key) = root * u * made.alpha.transpose();
  weightOf(model, theta, ParameterRole::Value) = attention.v * u * made.alpha.transpose();
  weightOf(model, theta, ParameterRole::Projection) = made.alpha * u.transpose();
  return made;
}

/// Largest distance of the logits of all sequences from `wanted(bit, ones, n)`: `bit` is the last of the n bits up to
/// the place, and `ones` of them are ones.
template <class Wanted>
double logitsOff(ExactTransformer& exact, const Wanted& wanted) {
  nn::Batch batch;
  batch.sequences = 1 << kBits;
  batch.length = kBits;
  std::vector<std::int32_t> rows;
  for (int s = 0; s < batch.sequences; ++s)
    for (int n = 0; n < kBits; ++n) {
      rows.push_back(static_cast<std::int32_t>(batch.tokens.size()));
      batch.tokens.push_back(s >> n & 1);
    }
  std::vector<double> logits(rows.size());
  exact.model().logits(batch, rows, logits);
  double worst = 0;
  for (std::size_t row = 0, ones = 0; row < logits.size(); ++row) {
    const auto n = row % kBits;
    ones = (n == 0 ? 0 : ones) + static_cast<std::size_t>(batch.tokens[row]);
    const double error =
        std::abs(logits[row] - wanted(batch.tokens[row], static_cast<int>(ones), static_cast<int>(n) + 1));
    worst = std::isfinite(error) ? std::max(worst, error) : INFINITY;
  }
  return worst;
}

/// dL/d(e, p, w, b) by the chain rule from the gradient of every parameter, and the largest part of the gradient that
/// leaves the family: parts orthogonal to alpha, and differences among positions or among hidden units of the same
/// sign.
struct FamilySlope {
  std::array<double, 4> scalars{};
  double off = 0;
};

double offAlpha(const Rows& rows, const Eigen::VectorXd& alpha) {
  return (rows - rows * alpha * alpha.transpose() / alpha.squaredNorm()).cwiseAbs().maxCoeff();
}
double unevenWithin(const Eigen::VectorXd& along, const Eigen::VectorXd& signs) {
  double worst = 0;
  for (const double sign : {1.0, -1.0}) {
    double low = INFINITY, high = -INFINITY;
    for (Eigen::Index i = 0; i < along.size(); ++i)
      if (signs[i] == sign) {
        low = std::min(low, along[i]);
        high = std::max(high, along[i]);
      }
    if (low <= high) worst = std::max(worst, high - low);
  }
  return worst;
}

FamilySlope familySlope(Network& network, const LowRank& at) {
  nn::Transformer<double>& model = network.exact.model();
  std::vector<double> gradient = network.exact.gradient();
  const Eigen::VectorXd &alpha = network.alpha, &signs = network.signs;
  const Rows embedding = matrixOf(model, gradient, ParameterRole::Embedding, ParameterKind::Embedding, -1);
  const Rows positions = matrixOf(model, gradient, ParameterRole::Position, ParameterKind::Position, -1);
  const Rows up = weightOf(model, gradient, ParameterRole::Up), down = weightOf(model, gradient, ParameterRole::Down);
  FamilySlope slope;
  slope.scalars = {(embedding * alpha).sum(), -(positions * alpha).sum(),
                   signs.dot(up * alpha) + at.sign * (alpha.transpose() * down).dot(signs),
                   matrixOf(model, gradient, ParameterRole::OutputBias, ParameterKind::Bias, -1)(0, 0)};
  const Eigen::VectorXd each = positions * alpha;
  slope.off = std::max({offAlpha(embedding, alpha), offAlpha(positions, alpha), offAlpha(up, alpha),
                        offAlpha(Rows(down.transpose()), alpha), each.maxCoeff() - each.minCoeff(),
                        unevenWithin(up * alpha, signs), unevenWithin(down.transpose() * alpha, signs)});
  return slope;
}

class AppendixC {
 public:
  explicit AppendixC(const Work& work) : work_(work), alone_(1) {}

  void family(const Chain& chain) {
    RandomStream random(work_.seed, 12);
    double logits = 0, loss = 0, slope = 0, off = 0;
    const int networks = work_.quick ? 6 : 40;
    for (int i = 0; i < networks && !work_.isCancelled(); ++i) {
      const LowRank at = draw(random);
      Network network = lowRankNetwork(chain, at, alone_, random);
      const auto wanted = markov::lowRankLogits(at);
      logits = std::max(
          logits, logitsOff(network.exact, [&](int bit, int, int) { return wanted[static_cast<std::size_t>(bit)]; }));
      loss = std::max(loss, std::abs(network.exact.loss() - markov::lowRankLoss(chain, at)));
      const FamilySlope found = familySlope(network, at);
      const auto formula = markov::lowRankGradient(chain, at);
      for (std::size_t k = 0; k < formula.size(); ++k)
        slope = std::max(slope, std::abs(found.scalars[k] - formula[k]));
      off = std::max(off, found.off);
    }
    add(chain, N_("distance of the logits from (17), all sequences and positions"), networks, logits, "<", kEqual);
    add(chain, N_("distance of the network's loss from that of the scalars, nats"), networks, loss, "<", kEqual);
    add(chain, N_("distance of the gradient in e, p, w, b from that of the backward pass, by the chain rule"), networks,
        slope, "<", kEqual);
    add(chain,
        N_("largest part of the network's gradient that is orthogonal to alpha, or differs between hidden units of "
           "one sign or between positions"),
        networks, off, "<", kEqual);
  }

  void minima(const Chain& chain) {
    RandomStream random(work_.seed, 13);
    double prediction = 0, slope = 0, same = 0, differ = 0;
    std::int64_t networks = 0;
    for (const double part : {0.3, 0.5, 0.7}) {
      double low = INFINITY, high = -INFINITY;
      for (const int beta : {0, 3, 8, 13, 16}) {
        LowRank at{.w = 0.5, .d = 4, .r = 16, .beta = beta, .sign = chain.switching() > 0 ? -1 : 1};
        const LowRank least = markov::lowRankMinimum(chain, at, part);
        if (std::isfinite(least.e)) {
          Network network = lowRankNetwork(chain, least, alone_, random);
          prediction = std::max(prediction, network.exact.farthestFrom(chain.p, 1 - chain.q));
          for (const double g : network.exact.gradient())
            slope = std::max(slope, std::abs(g));
          ++networks;
        }
        at.e = 0.2;
        at.p = part * at.e;
        at.b = markov::lowRankBias(chain, at);
        const double loss = markov::lowRankLoss(chain, at);
        low = std::min(low, loss);
        high = std::max(high, loss);
      }
      (part == 0.5 ? same : differ) = part == 0.5 ? high - low : std::max(differ, high - low);
    }
    add(chain, N_("distance of predictions from the kernel where the logits of the family differ by S_star"), networks,
        prediction, "<", kEqual);
    add(chain, N_("largest |dL/d theta_i| of all parameters there"), networks, slope, "<", kEqual);
    add(chain, N_("p = e/2: spread of the loss with the best bias over beta from 0 to r, nats"), 5, same, "<", kEqual);
    add(chain, N_("p = 0.3 e or 0.7 e: the same spread (ours: there beta matters)"), 10, differ, ">=", 1e-4);
  }

  void softmax(const Chain& chain) {
    RandomStream random(work_.seed, 14);
    double logits = 0, loss = 0, bias = 0;
    const int networks = work_.quick ? 4 : 20;
    for (int i = 0; i < networks && !work_.isCancelled(); ++i) {
      const SoftmaxScalar attention{random.uniform(-2, 2), random.uniform(0, 6)};
      const double e = random.uniform(-2, 2), w = random.uniform(-1.5, 1.5);
      const markov::BestLoss best = markov::softmaxLoss(chain, e, w, attention, kBits);
      Network network = softmaxNetwork(chain, e, w, best.bias, attention, alone_, random);
      logits = std::max(logits, logitsOff(network.exact, [&](int bit, int ones, int n) {
                          return best.bias + markov::softmaxLogit(bit, static_cast<double>(ones) / n, e, w, attention);
                        }));
      loss = std::max(loss, std::abs(network.exact.loss() - best.loss));
      std::vector<double> gradient = network.exact.gradient();
      bias = std::max(bias, std::abs(matrixOf(network.exact.model(), gradient, ParameterRole::OutputBias,
                                              ParameterKind::Bias, -1)(0, 0)));
    }
    add(chain, N_("softmax: distance of the logits from (13), (19), all sequences and positions"), networks, logits,
        "<", kEqual);
    add(chain, N_("softmax: distance of the network's loss from the sum over numbers of ones, nats"), networks, loss,
        "<", kEqual);
    add(chain, N_("softmax: |dL/db| of the network at the best bias"), networks, bias, "<", kEqual);
    limit(chain);
  }

  /// Ours: Lambda(S) as the limit for long sequences, its basins, and their agreement with the linear model.
  void limit(const Chain& chain) {
    RandomStream random(work_.seed, 15);
    const int shortest = work_.quick ? 32 : 64, longest = 16 * shortest, points = work_.quick ? 3 : 6;
    double largest = 0, largestShort = 0;
    for (int i = 0; i < points && !work_.isCancelled(); ++i) {
      const SoftmaxScalar attention{random.uniform(0.2, 2), random.uniform(0.5, 4)};
      const double e = random.uniform(0.3, 1.5), w = random.uniform(-1.2, 1.2);
      const double end = markov::lambda(chain, markov::softmaxLimit(chain, e, w, attention).S).value;
      const auto off = [&](int N) { return std::abs(markov::softmaxLoss(chain, e, w, attention, N).loss - end); };
      largest = std::max(largest, off(longest));
      largestShort = std::max(largestShort, off(shortest));
    }
    add(chain,
        sentence(
            N_("ours: ratio of the largest distance of the softmax loss from Lambda(S) at N = {} to that at N = {}"),
            longest, shortest),
        points, largest / largestShort, "<", 0.2);
    basins(chain);
  }

  void basins(const Chain& chain) {
    const int side = work_.quick ? 40 : 120;
    const dynamics::BasinWindow window{-2, 2, -2, 2, side, side};
    const auto field = markov::makeSoftmaxField();
    const auto map = [&](double v) {
      const std::array parameters{chain.p, chain.q, v, 2.0};
      return dynamics::integrateBasinMap(*field, parameters, window, dynamics::basinMapOptions(window), work_.pool,
                                         work_.cancelled);
    };
    const dynamics::BasinMap linear = markov::exactBasinMap(chain, window, work_.pool);
    const dynamics::BasinMap none = map(0), one = map(1);
    add(chain,
        N_("ours: share of a square of initial points whose limit under the softmax flow with v = 0 differs from "
           "Theorems 2 and 8"),
        side * side, dynamics::disagreement(none, linear), "<", 2.0 / side);
    add(chain, N_("ours: share of the square that is undecided with v = 1, k = 2"), side * side, one.shares(8)[0], "<",
        1e-3);
    add(chain,
        N_("ours: share of the square whose kind of limit with v = 1, k = 2 differs from that without attention"),
        side * side, dynamics::disagreement(one, linear), ">=", 1e-3);
  }

  /// At p = q, where the mean of the past has no effect: the conserved energy, and a = v k/4 for small e.
  void equalRates() {
    const Chain chain{0.7, 0.7};  // as curves, orbits are the same for every such chain
    RandomStream random(work_.seed, 16);
    double drift = 0, small = 0, large = 0;
    const int orbits = work_.quick ? 5 : 30;
    for (int i = 0; i < orbits && !work_.isCancelled(); ++i) {
      const SoftmaxScalar attention{random.uniform(0.2, 2.5), random.uniform(0.5, 6)};
      const double w = random.uniform(-1.2, 1.2);
      drift = std::max(drift, energyDrift(chain, random.uniform(0.3, 1.5), w, attention));
      small = std::max(small, std::abs(againstLinear(chain, 0.03, w, attention) - 1));
      large = std::max(large, againstLinear(chain, 6, w, attention));
    }
    add(chain, N_("ours: drift of the energy of the softmax flow, |E - E0|/(1 + |E0|)"), orbits, drift, "<", 1e-7);
    add(chain,
        N_("ratio of S with softmax to S with linear attention, a = v k/4, at e = 0.03: largest distance from 1"),
        orbits, small, "<", 1e-6);
    add(chain, N_("the same ratio at e = 6, largest (ours: a softmax cannot grow with e^2)"), orbits, large, "<", 0.99);
  }

  std::vector<Check> take() { return std::move(checks_); }

 private:
  void add(const Chain& chain, Sentence what, std::int64_t points, double value, const char* relation, double bound) {
    checks_.push_back({chain.p, chain.q, std::move(what), points, value, relation, bound});
  }

  /// Random scalars, also with p outside (0, e), where (17) needs N(c).
  static LowRank draw(RandomStream& random) {
    LowRank at;
    at.d = 1 + static_cast<int>(random.uniform(0, 8));
    at.r = 1 + static_cast<int>(random.uniform(0, 20));
    at.beta = static_cast<int>(random.uniform(0, at.r + 1));
    at.e = random.uniform(0.1, 0.8);
    at.p = random.uniform(-0.3, 1.3) * at.e;
    at.w = random.uniform(0.05, 0.6);
    at.b = random.uniform(-1, 1);
    at.sign = random.uniform() < 0.5 ? -1 : 1;
    return at;
  }

  static double againstLinear(const Chain& chain, double e, double w, const SoftmaxScalar& attention) {
    const double linear = e * e * (1 + attention.v * attention.k / 4 * e * e) * (1 + 2 * w * std::abs(w));
    return markov::softmaxLimit(chain, e, w, attention).S / linear;
  }

  /// Drift of the energy along grad S, whose orbits are those of the flow, by fourth-order Runge-Kutta steps. An orbit
  /// that runs into e = 0 is stopped close to it.
  static double energyDrift(const Chain& chain, double e, double w, const SoftmaxScalar& attention) {
    constexpr int kSteps = 400;
    constexpr double kStep = 0.0025, kClose = 0.05;
    Eigen::Vector2d x(e, w);
    const auto along = [&](const Eigen::Vector2d& at) -> Eigen::Vector2d {
      const Eigen::Vector2d slope = markov::softmaxLimit(chain, at[0], at[1], attention).gradient;
      return slope / (1e-9 + slope.norm());
    };
    const double start = markov::softmaxEnergy(e, w, attention);
    for (int i = 0; i < kSteps && x[0] > kClose; ++i) {
      const Eigen::Vector2d a = along(x), b = along(x + kStep / 2 * a), c = along(x + kStep / 2 * b),
                            d = along(x + kStep * c);
      x += kStep / 6 * (a + 2 * b + 2 * c + d);
    }
    return std::abs(markov::softmaxEnergy(x[0], x[1], attention) - start) / (1 + std::abs(start));
  }

  const Work& work_;
  ThreadPool alone_;
  std::vector<Check> checks_;
};

Result<StudyResult> checkAppendixC(const Work& work) {
  AppendixC appendix(work);
  for (std::size_t i = 0; i < kChains.size(); ++i) {
    if (work.isCancelled()) return interrupted();
    work.at(static_cast<double>(i) / kChains.size());
    appendix.family(kChains[i]);
    appendix.minima(kChains[i]);
    appendix.softmax(kChains[i]);
  }
  appendix.equalRates();
  if (work.isCancelled()) return interrupted();
  return checksOf("local-to-global-appendix-c", appendix.take(), work.quick);
}

}  // namespace

std::vector<Study> describeAppendixC() {
  return {
      {.id = "local-to-global-appendix-c",
       .paper = kLocalToGlobal,
       .title = N_("The low-rank family and its softmax"),
       .about = N_("low-rank family (12)-(17), softmax scalar (13), (19): logits, gradient, fixed points, basins"),
       .claim = N_("The full transformer of (12)-(15) has the logits (17), its gradient stays in the family, and it "
                   "predicts the kernel where its logits differ by S_star; with p = e/2 the number of ones, beta, has "
                   "no effect. With the softmax of (13), (19) the logits depend on the number of ones in the past; "
                   "for long sequences the loss is again a function of a single S (ours), which equals that of linear "
                   "attention only for p = q and small e."),
       .assumptions = N_("one layer of Section 2, N = 6, loss and gradient over all 128 sequences; d from 1 to 8, r "
                         "from 1 to 20, (17) extended to p outside (0, e); softmax with d = 4, r = 16"),
       .corrected = {"l2g-13"},
       .compute = checkAppendixC}};
}

}  // namespace sepx::studies
