// SPDX-License-Identifier: Apache-2.0
// Theorems 4 and 5 of Local-to-Global: checks the full transformers of the constructions (train/chain_start.h), for
// several widths d and r, with the exact loss over all sequences. Checked are predictions, loss, the gradient with
// respect to every parameter, and the effect of perturbations ("pushes"). The paper gives no construction of its own
// and refers to Makkuva et al.; App. D says that the canonical points cover it, and those are built here.
// Ours, and not in the paper: at the point of Theorem 5, the curvature of the full transformer along the embedding has
// a closed form. It shows where p + q > 1 is needed, and that points with -1/sqrt2 < w < -1/2, local minima of the
// canonical model for p + q > 1, are not local minima of the full one, whose positions need not follow the embedding.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/random.h"
#include "engine/core/try.h"
#include "engine/nn/initialise.h"
#include "engine/studies/canonical_start.h"
#include "engine/studies/exact_transformer.h"
#include "engine/studies/theorem_study.h"
#include "engine/train/chain_start.h"

namespace sepx::studies {
namespace {

using markov::Chain;

constexpr int kPlaces = 6;  // 128 sequences
constexpr double kExact = 1e-12;
constexpr std::array<Chain, 2> kAboveOne{Chain{0.5, 0.8}, {0.9, 0.3}};
constexpr std::array<Chain, 2> kBelowOne{Chain{0.2, 0.3}, {0.1, 0.6}};
constexpr Chain kEqualRows{0.4, 0.6};
struct Widths {
  int d, r;
};
constexpr std::array<Widths, 4> kWidths{{{2, 3}, {8, 32}, {4, 16}, {16, 20}}};

/// Builds the transformer of a theorem for a chain, with its initial parameters.
Result<ExactTransformer> build(const Chain& chain, Widths widths, nn::Initial initial, ThreadPool& pool,
                               std::uint64_t seed) {
  train::RunConfig run = sectionTwo(chain, widths.d, kPlaces);
  run.model.d_ff = widths.r;
  run.model.vocabulary = 2;
  run.initial = initial;
  SEPX_TRY(train::check(run));
  ExactTransformer built(chain, run.model, pool);
  RandomStream random(seed);
  nn::initialise<double>(train::initialOf(run), run.model, built.model().layout(), random, built.model().theta());
  return built;
}

/// Results over all widths and weights of one chain.
struct Found {
  std::int64_t networks = 0, pushes = 0;
  double prediction = 0, loss = 0, slope = 0;  ///< largest deviations
  double lowest = INFINITY;                    ///< least change of the loss by a push
  double order = 0;                            ///< largest distance of the ratio of two changes from 4, that of squares
  double curvature = 0;                        ///< largest relative distance from the closed form
  double least = INFINITY;                     ///< least loss
};

/// A random direction of norm `length`.
std::vector<double> direction(std::size_t size, double length, RandomStream& random) {
  std::vector<double> step(size);
  double squares = 0;
  for (double& value : step) {
    value = random.normal();
    squares += value * value;
  }
  for (double& value : step)
    value *= length / std::sqrt(squares);
  return step;
}

std::vector<double> scaled(std::vector<double> step, double factor) {
  for (double& value : step)
    value *= factor;
  return step;
}

/// Pushes all parameters at once in random directions, by small steps, and with `far` also by large ones, for a point
/// that is a global minimum.
void push(Found& found, ExactTransformer& at, bool far, int directions, RandomStream& random) {
  constexpr double kNear = 0.01;
  const std::size_t size = at.model().theta().size();
  for (int i = 0; i < directions; ++i) {
    const std::vector<double> step = direction(size, kNear, random);
    const double change = at.lossChange(step), half = at.lossChange(scaled(step, 0.5));
    found.lowest = std::min({found.lowest, change, half});
    found.order = std::max(found.order, std::abs(change / half - 4));
    found.pushes += 2;
    for (const double factor : {10.0, 100.0}) {
      if (!far) break;
      found.lowest = std::min(found.lowest, at.lossChange(scaled(step, factor)));
      ++found.pushes;
    }
  }
}

/// Compares the built network's predictions with (afterZero, afterOne), its loss with `loss` and its gradient with 0.
void look(Found& found, ExactTransformer& built, double afterZero, double afterOne, double loss) {
  ++found.networks;
  found.prediction = std::max(found.prediction, built.farthestFrom(afterZero, afterOne));
  const double own = built.loss();
  found.least = std::min(found.least, own);
  found.loss = std::max(found.loss, std::abs(own - loss));
  for (const double g : built.gradient())
    found.slope = std::isfinite(g) ? std::max(found.slope, std::abs(g)) : INFINITY;
}

/// The embedding of the bit.
std::span<double> embeddingOf(nn::Transformer<double>& model, std::vector<double>& values) {
  const nn::Parameter* row = model.layout().find(nn::ParameterRole::Embedding, nn::ParameterKind::Embedding);
  return std::span(values).subspan(row->offset, row->size());
}

/// At e = 0, pushes only the embedding, by h. The formula for the change of the loss is pi0 pi1 (p + q - 1) (|h|^2 + c
/// relu(x) x), where x is the component of h along alpha and c = 4 w|w|. Returns the change divided by |h|^2; `off`
/// receives its relative distance from the formula.
double embeddingPush(ExactTransformer& at, const Chain& chain, double w, std::span<const double> push, double& off) {
  constexpr double kSmall = 1e-3;
  nn::Transformer<double>& model = at.model();
  std::vector<double> step(model.theta().size(), 0.0);
  std::span<double> row = embeddingOf(model, step);
  const nn::Parameter* up = model.layout().find(nn::ParameterRole::Up, nn::ParameterKind::Weight, 0);
  double squares = 0, along = 0, alpha = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = kSmall * push[i];
    const double entry = model.theta()[up->offset + i];  // the first hidden unit: along alpha
    squares += row[i] * row[i];
    along += row[i] * entry;
    alpha += entry * entry;
  }
  along = alpha > 0 ? along / std::sqrt(alpha) : 0;
  const double gain = squares + 4 * w * std::abs(w) * std::max(along, 0.0) * along;
  const double wanted = chain.pi0() * chain.pi1() * chain.switching() * gain;
  const double change = at.lossChange(step);
  off = std::abs(change / wanted - 1);
  return change / squares;
}

class Constructions {
 public:
  explicit Constructions(const Work& work) : work_(work), alone_(1) {}

  Result<void> globalMinimum(const Chain& chain) {
    Found found;
    RandomStream random(work_.seed, 4);
    for (const Widths& widths : these())
      for (const double w : {1.0, 0.8}) {
        if (work_.isCancelled()) return interrupted();
        SEPX_ASSIGN(ExactTransformer built, of(chain, widths, nn::InitialScheme::Bigram, w));
        look(found, built, chain.p, 1 - chain.q, chain.entropyRate());
        push(found, built, true, directions(), random);
      }
    point(chain, found, N_("largest distance of a prediction from the kernel, all sequences and positions"),
          N_("distance of the loss from the entropy rate, nats"));
    nowhereLower(chain, found,
                 N_("lowest loss of perturbed networks (by 0.005 to 1, all parameters at once) minus that of the "
                    "construction"));
    if (!chain.degenerate())  // for p + q = 1 e is 0, and the change is of higher order for most pushes
      add(chain, N_("ratio of the loss change under a perturbation to that under half of it: largest distance from 4"),
          found.pushes, found.order, "<", 0.2);
    return {};
  }

  Result<void> unigram(const Chain& chain) {
    Found found;
    RandomStream random(work_.seed, 5);
    double lowestPush = INFINITY;
    for (const Widths& widths : these())
      for (const double w : {0.6, 1.0}) {
        if (work_.isCancelled()) return interrupted();
        SEPX_ASSIGN(ExactTransformer built, of(chain, widths, nn::InitialScheme::Unigram, w));
        look(found, built, chain.pi1(), chain.pi1(), chain.marginalEntropy());
        if (chain.switching() > 0) push(found, built, false, directions(), random);
        for (int i = 0; i < directions(); ++i)
          lowestPush = std::min(lowestPush, pushed(found, built, chain, w, random));
      }
    point(chain, found, N_("largest distance of a prediction from pi_1, all sequences and positions"),
          N_("distance of the loss from H(pi), nats"));
    add(chain, N_("loss change under perturbations of the embedding: relative distance from its closed form"),
        found.pushes, found.curvature, "<", 1e-2);
    if (chain.switching() < 0) {
      add(chain,
          N_("p + q < 1, where the theorem says nothing: largest decrease of the loss under such a perturbation h, "
             "over |h|^2"),
          found.pushes, -lowestPush, ">=", chain.pi0() * chain.pi1() * -chain.switching() / 2);
      return canonicalAlone(chain);
    }
    nowhereLower(chain, found,
                 N_("lowest loss of perturbed networks (by 0.005 and 0.01, all parameters at once) minus that of the "
                    "construction"));
    SEPX_ASSIGN(ExactTransformer better, of(chain, these().front(), nn::InitialScheme::Bigram, 1));
    add(chain, N_("loss above that of Theorem 4's network for the same chain, nats"), found.networks,
        found.least - better.loss(), ">=", chain.mutualInformation() / 2);
    return canonicalAlone(chain);
  }

  std::vector<Check> take() { return std::move(checks_); }

 private:
  std::span<const Widths> these() const { return std::span(kWidths).first(work_.quick ? 2 : kWidths.size()); }
  int directions() const { return work_.quick ? 4 : 16; }

  Result<ExactTransformer> of(const Chain& chain, Widths widths, nn::InitialScheme scheme, double w) {
    nn::Initial initial;
    initial.scheme = scheme;
    initial.w = w;
    return build(chain, widths, initial, alone_, work_.seed);
  }

  void add(const Chain& chain, Sentence what, std::int64_t points, double value, const char* relation, double bound) {
    checks_.push_back({chain.p, chain.q, std::move(what), points, value, relation, bound});
  }
  void point(const Chain& chain, const Found& found, Sentence prediction, Sentence loss) {
    add(chain, std::move(prediction), found.networks, found.prediction, "<", kExact);
    add(chain, std::move(loss), found.networks, found.loss, "<", kExact);
    add(chain, N_("largest |dL/d theta_i| of all parameters, by the backward pass"), found.networks, found.slope, "<",
        kExact);
  }
  void nowhereLower(const Chain& chain, const Found& found, Sentence what) {
    add(chain, std::move(what), found.pushes, found.lowest, ">=", -1e-14);
  }

  double pushed(Found& found, ExactTransformer& built, const Chain& chain, double w, RandomStream& random) {
    double off = 0;
    const double change = embeddingPush(
        built, chain, w, direction(static_cast<std::size_t>(built.model().config().d_model), 1, random), off);
    found.curvature = std::max(found.curvature, off);
    ++found.pushes;
    return change;
  }

  /// Local minima of L(e, w) at e = 0, where p_n = -(e/2) alpha, that are not local minima of the full transformer. For
  /// p + q > 1 these are the points with w below -1/2, shown by a push along alpha with the positions held; for p + q <
  /// 1 all of them, shown by a push orthogonal to alpha.
  Result<void> canonicalAlone(const Chain& chain) {
    const bool above = chain.switching() > 0;
    const double w = above ? -0.6 : -1;
    nn::Initial initial;
    initial.scheme = nn::InitialScheme::Canonical;
    initial.e = 0;
    initial.w = w;
    initial.b = std::log(chain.p / chain.q);
    SEPX_ASSIGN(ExactTransformer built, build(chain, these().back(), initial, alone_, work_.seed));
    const nn::Parameter* up = built.model().layout().find(nn::ParameterRole::Up, nn::ParameterKind::Weight, 0);
    std::vector<double> push;
    for (int i = 0; i < built.model().config().d_model; ++i)
      push.push_back(built.model().theta()[up->offset + static_cast<std::size_t>(i)]);
    if (!above) {
      const double first = push[0];
      push[0] = push[1];
      push[1] = -first;
      std::fill(push.begin() + 2, push.end(), 0.0);
    }
    double off = 0;
    const double change = embeddingPush(built, chain, w, push, off);
    add(chain,
        sentence(above ? N_("at w = {}, a local minimum of L(e, w): change of the loss under a perturbation h of the "
                            "embedding along alpha with fixed positions, over |h|^2")
                       : N_("at w = {}, a local minimum of L(e, w): change of the loss under a perturbation h of the "
                            "embedding orthogonal to alpha, over |h|^2"),
                 w),
        1, change, "<", 0);
    return {};
  }

  const Work& work_;
  ThreadPool alone_;
  std::vector<Check> checks_;
};

template <int Theorem>
Result<StudyResult> checkConstruction(const Work& work) {
  Constructions constructions(work);
  std::vector<Chain> chains(kAboveOne.begin(), kAboveOne.end());
  chains.insert(chains.end(), kBelowOne.begin(), kBelowOne.end());
  if (Theorem == 4) chains.push_back(kEqualRows);
  for (std::size_t i = 0; i < chains.size(); ++i) {
    work.at(static_cast<double>(i) / static_cast<double>(chains.size()));
    SEPX_TRY(Theorem == 4 ? constructions.globalMinimum(chains[i]) : constructions.unigram(chains[i]));
  }
  return checksOf(Theorem == 4 ? "local-to-global-theorem-4" : "local-to-global-theorem-5", constructions.take(),
                  work.quick);
}

constexpr const char* kNetworks = N_(
    "the transformer of Section 2 at the canonical points that App. D names, N = 6, (d, r) = (2, 3), (8, 32), (4, 16), "
    "(16, 20) (quick: the first two), two weights |w| each; loss and gradient over all 128 sequences, without sampling");

}  // namespace

std::vector<Study> describeConstructions() {
  return {
      {.id = "local-to-global-theorem-4",
       .paper = kLocalToGlobal,
       .title = N_("The full transformer at a global minimum"),
       .about = N_("the full transformer built for the chain: kernel, entropy rate, gradient, perturbations"),
       .claim = N_("For every chain there is a transformer that predicts the kernel, whose loss is the entropy rate "
                   "and whose gradient is 0; no perturbed one has a lower loss, and near it, except for p + q = 1, "
                   "the loss rises as the square of the perturbation."),
       .assumptions = kNetworks,
       .compute = checkConstruction<4>,
       .atOnce = true},
      {.id = "local-to-global-theorem-5",
       .paper = kLocalToGlobal,
       .title = N_("The full transformer at a bad local minimum"),
       .about = N_("the full transformer at the unigram point: predictions, H(pi), gradient, perturbations"),
       .claim = N_("For p + q > 1 there is a transformer that predicts pi, whose loss is H(pi), above the entropy "
                   "rate, and whose gradient is 0; no network close to it has a lower loss. For p + q < 1 the same "
                   "point is not a local minimum: perturbations of the embedding lower the loss (ours). Canonical "
                   "local minima for p + q < 1, and those for p + q > 1 with w below -1/2, are not local minima of "
                   "the full transformer (ours)."),
       .assumptions = kNetworks,
       .corrected = {"l2g-11"},
       .compute = checkConstruction<5>,
       .atOnce = true}};
}

}  // namespace sepx::studies
