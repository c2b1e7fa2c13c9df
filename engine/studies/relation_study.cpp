// SPDX-License-Identifier: Apache-2.0
// Propositions 4.1 and 4.5 of Reversal. 4.1 is tested with the training engine, on the model of Section 3 with the
// storage Y itself as a weight (W_E = W_V = W_O = 1, W_U = Y; no residual stream, norm or MLP), so that the backward
// pass gives dL/dY, at random Y and after gradient descent on forward queries. 4.5 is tested on the scores of models
// with ALiBi; letters and models form the joint distribution of query and key. The same weights with RoPE are used for
// comparison.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/core/random.h"
#include "engine/reversal/correlation.h"
#include "engine/reversal/storage_gradient.h"
#include "engine/studies/theorem_study.h"

namespace sepx::studies {
namespace {

using nn::ParameterKind;
using nn::ParameterRole;
using reversal::Direction;
using reversal::MaskedPass;
using reversal::Query;

constexpr int kPairLength = 10;
constexpr int kStoreWidth = data::kPairVocabulary;
constexpr double kStoreRate = 1e-3;
constexpr int kDescent = 300;

nn::ModelConfig bareOneLayer(nn::Positions positions, int width) {
  nn::ModelConfig model;
  model.vocabulary = data::kPairVocabulary;
  model.length = kPairLength;
  model.layers = model.heads = 1;
  model.d_model = width;
  model.d_ff = 0;
  model.causal = false;
  model.positions = positions;
  model.norm = nn::Norm::None;
  model.finalNorm = model.residual = false;
  model.output = nn::Output::Untied;
  model.outputBias = model.attentionBias = model.projectionBias = false;
  return model;
}

using StorageModel = nn::Transformer<double>;

void makeIdentityWeight(StorageModel& model, ParameterRole role, ParameterKind kind, int layer = -1) {
  const nn::Parameter& weight = *model.layout().find(role, kind, layer);
  const std::span<double> to = model.of(weight);
  std::fill(to.begin(), to.end(), 0.0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(weight.rows); ++i)
    to[i * static_cast<std::size_t>(weight.columns) + i] = 1;
}

void fillWithNormals(std::span<double> to, double scale, RandomStream& random) {
  for (double& value : to)
    value = scale * random.normal();
}

const nn::Parameter& storedY(const StorageModel& model) {
  return *model.layout().find(ParameterRole::Output, ParameterKind::Embedding);
}
std::size_t entryOfY(const nn::Parameter& Y, std::int32_t token, std::int32_t evidence) {
  return Y.offset + static_cast<std::size_t>(token) * static_cast<std::size_t>(Y.columns) +
         static_cast<std::size_t>(evidence);
}

/// The forward query of a pair, with its capital at up to `copies` further random places.
Query repeatedQuery(const reversal::Pair& pair, int copies, RandomStream& random) {
  Query query = reversal::maskedQuery(pair, Direction::Forward);
  for (int i = 0; i < copies; ++i) {
    const std::size_t place = random.below(query.tokens.size());
    if (query.tokens[place] == data::kPairPlaceholder) query.tokens[place] = pair.capital();
  }
  return query;
}

/// Counts of how far queries satisfy Proposition 4.1.
struct StoredRelation {
  std::int64_t queries = 0, entries = 0;
  double distance = 0;                   ///< largest relative distance of dL/dY_{C,B} from (p(C) - [C = A]) m_B
  std::int64_t above = 0, notBelow = 0;  ///< violated bounds of dL/dY_{A,B} and of dL/dY_{C,B}
  std::int64_t wrong = 0, repeated = 0;  ///< entries that a step moves the wrong way; queries with B at several places
  std::int64_t strict = 0, reverseNotReduced = 0;  ///< of those: bound of A is strict; reverse losses that do not fall
};

/// The loss of the reverse query of a pair.
double reverseLossOf(StorageModel& model, const reversal::Pair& pair) {
  const Query query = reversal::maskedQuery(pair, Direction::Reverse);
  nn::Batch batch;
  batch.sequences = 1;
  batch.length = kPairLength;
  batch.tokens = query.tokens;
  batch.targets = {{query.hidden, query.target, 1}};
  return model.evaluate(batch);
}

void measureQuery(StorageModel& model, const reversal::Pair& pair, const Query& query, StoredRelation& into) {
  constexpr double kRounding = 1e-12;
  const MaskedPass pass = maskedPass(model, query);
  const nn::Parameter& Y = storedY(model);
  const double alpha = pass.alpha[static_cast<std::size_t>(query.evidence)], mass = pass.evidenceMass();
  const bool several = mass > alpha * (1 + kRounding);
  ++into.queries;
  into.repeated += several ? 1 : 0;
  for (std::int32_t token = 0; token < data::kPairVocabulary; ++token) {
    const double slope = model.gradient()[entryOfY(Y, token, pair.capital())];
    const double error = pass.error[static_cast<std::size_t>(token)];  // p(C), or p(A) - 1 for A
    into.distance = std::max(into.distance, std::abs(slope - mass * error) / std::abs(mass * error));
    ++into.entries;
    const double bound = alpha * error;
    if (token == query.target) {
      into.above += slope <= bound * (1 - kRounding) ? 0 : 1;
      into.strict += several && slope < bound * (1 + kRounding) ? 1 : 0;
    } else {
      into.notBelow += slope >= bound * (1 - kRounding) ? 0 : 1;
    }
    into.wrong += (token == query.target ? slope < 0 : slope > 0) ? 0 : 1;
  }
  // One step on Y alone; the reverse query reads the same storage.
  const std::vector<double> before(model.theta().begin(), model.theta().end());
  const std::vector<double> gradient(model.gradient().begin(), model.gradient().end());
  const double loss = reverseLossOf(model, pair);
  for (std::size_t i = Y.offset; i < Y.offset + Y.size(); ++i)
    model.theta()[i] -= kStoreRate * gradient[i];
  into.reverseNotReduced += reverseLossOf(model, pair) < loss ? 0 : 1;
  std::copy(before.begin(), before.end(), model.theta().begin());
}

reversal::Pair pairDrawn(RandomStream& random) {
  return reversal::pairAt(random.below(data::pairCount(kPairLength)), kPairLength);
}

/// Plain gradient descent on Y with forward queries.
void descendOnY(StorageModel& model, RandomStream& random) {
  const nn::Parameter& Y = storedY(model);
  for (int step = 0; step < kDescent; ++step) {
    nn::Batch batch;
    batch.sequences = 32;
    batch.length = kPairLength;
    for (int b = 0; b < batch.sequences; ++b) {
      const Query query = reversal::maskedQuery(pairDrawn(random), Direction::Forward);
      batch.tokens.insert(batch.tokens.end(), query.tokens.begin(), query.tokens.end());
      batch.targets.push_back({b * kPairLength + query.hidden, query.target, 1.0F / 32});
    }
    model.clearGradient();
    model.accumulate(batch, {});
    for (std::size_t i = Y.offset; i < Y.offset + Y.size(); ++i)
      model.theta()[i] -= 20 * model.gradient()[i];
  }
}

Result<StudyResult> checkRelation(const Work& work) {
  const int queries = work.quick ? 30 : 300;
  constexpr std::array kScales{0.0, 1.0, 4.0};
  std::vector<Check> checks;
  ThreadPool alone(1);
  for (const nn::Positions positions : {nn::Positions::Rope, nn::Positions::Alibi}) {
    const char* const name = positions == nn::Positions::Rope ? "RoPE" : "ALiBi";
    RandomStream random(work.seed, positions == nn::Positions::Rope ? 1 : 2);
    StorageModel model(bareOneLayer(positions, kStoreWidth), alone);
    makeIdentityWeight(model, ParameterRole::Embedding, ParameterKind::Embedding);
    makeIdentityWeight(model, ParameterRole::Value, ParameterKind::Weight, 0);
    makeIdentityWeight(model, ParameterRole::Projection, ParameterKind::Weight, 0);
    StoredRelation seen;
    for (std::size_t state = 0; state <= kScales.size(); ++state) {
      if (work.isCancelled()) return interrupted();
      work.at((static_cast<double>(state) / (kScales.size() + 1) + (positions == nn::Positions::Rope ? 0 : 1)) / 2);
      for (const ParameterRole role : {ParameterRole::Query, ParameterRole::Key})
        fillWithNormals(model.of(*model.layout().find(role, ParameterKind::Weight, 0)), 1, random);
      fillWithNormals(model.of(storedY(model)), state < kScales.size() ? kScales[state] : 0, random);
      if (state == kScales.size()) descendOnY(model, random);
      for (int i = 0; i < queries; ++i) {
        const reversal::Pair pair = pairDrawn(random);
        measureQuery(model, pair, repeatedQuery(pair, i % 3, random), seen);
      }
    }
    const auto add = [&](const char* what, std::int64_t points, double value, const char* relation, double bound) {
      checks.push_back({0, 0, sentence(what, name), points, value, relation, bound});
    };
    const auto count = [](std::int64_t number) { return static_cast<double>(number); };
    add(N_("{}: largest relative distance of dL/dY_CB from (p(C) - [C = A]) times the attention to all B"),
        seen.entries, seen.distance, "<", 1e-8);
    add(N_("{}: dL/dY_AB above -alpha (1 - p(A))"), seen.queries, count(seen.above), "=", 0);
    add(N_("{}: dL/dY_CB below alpha p(C), C not A"), seen.entries - seen.queries, count(seen.notBelow), "=", 0);
    add(N_("{}: entries of column B that a gradient step moves in the wrong direction"), seen.entries,
        count(seen.wrong), "=", 0);
    add(N_("{}: queries with B at several positions where the bound of A is not strict"), seen.repeated,
        count(seen.repeated - seen.strict), "=", 0);
    add(N_("{}: pairs whose reverse loss does not decrease after a step of 1e-3 on Y"), seen.queries,
        count(seen.reverseNotReduced), "=", 0);
  }
  return checksOf("reversal-proposition-4-1", std::move(checks), work.quick);
}

/// Distributions of the weights, which determine those of query and key.
enum class PairLaw { Gauss, Heavy, Opposed };
constexpr std::array kPairLaws{PairLaw::Gauss, PairLaw::Heavy, PairLaw::Opposed};
constexpr const char* kPairLawNames[] = {"Gauss", "Gauss times exp(Gauss)", "W_K = -W_Q"};

/// Scores of [M] with a capital at +Delta1 and at -Delta2, over letters and models.
struct ScorePairs {
  std::vector<double> forward, reverse;
};

Result<void> addScores(const nn::ModelConfig& config, std::span<const double> theta, int forward, int reverse,
                       ScorePairs& into, ThreadPool& pool) {
  const auto scores = reversal::letterScores<double>(config, theta, 0, pool);
  if (!scores) return tl::unexpected(scores.error());
  const auto ahead = scores->at(0, forward), behind = scores->at(reverse, 0);
  into.forward.insert(into.forward.end(), ahead.begin(), ahead.end());
  into.reverse.insert(into.reverse.end(), behind.begin(), behind.end());
  return {};
}

std::vector<double> weightsByLaw(PairLaw law, const nn::ModelConfig& config, RandomStream& random) {
  const nn::ParameterLayout layout(config);
  std::vector<double> theta(layout.size());
  for (double& value : theta)
    value = random.normal() * (law == PairLaw::Heavy ? std::exp(random.normal()) : 1);
  if (law != PairLaw::Opposed) return theta;
  const nn::Parameter &query = *layout.find(ParameterRole::Query, ParameterKind::Weight, 0),
                      &key = *layout.find(ParameterRole::Key, ParameterKind::Weight, 0);
  for (std::size_t i = 0; i < query.size(); ++i)
    theta[key.offset + i] = -theta[query.offset + i];
  return theta;
}

/// Over all pairs of distances: least correlation, and largest distance of S_rev - S_fwd from `constant(Delta1,
/// Delta2)`, relative to 1 + the largest |score|.
struct LeastCorrelation {
  double correlation = 1, offset = 0;
};
template <class Constant>
Result<LeastCorrelation> leastCorrelation(PairLaw law, const nn::ModelConfig& config, int models, std::uint64_t seed,
                                          ThreadPool& pool, const Constant& constant) {
  LeastCorrelation least;
  for (int forward = 1; forward < kPairLength; ++forward)
    for (int reverse = 1; reverse < kPairLength; ++reverse) {
      ScorePairs pairs;
      for (int i = 0; i < models; ++i) {
        RandomStream random(seed, static_cast<std::uint64_t>(i));
        const auto added = addScores(config, weightsByLaw(law, config, random), forward, reverse, pairs, pool);
        if (!added) return tl::unexpected(added.error());
      }
      least.correlation = std::min(least.correlation, reversal::correlation(pairs.forward, pairs.reverse));
      double largest = 0;
      for (const double score : pairs.forward)
        largest = std::max(largest, std::abs(score));
      for (std::size_t i = 0; i < pairs.forward.size(); ++i)
        least.offset = std::max(
            least.offset, std::abs(pairs.reverse[i] - pairs.forward[i] - constant(forward, reverse)) / (1 + largest));
    }
  return least;
}

Result<StudyResult> checkSharedScore(const Work& work) {
  constexpr double kSlope = 0.25;
  const int models = work.quick ? 4 : 12;
  std::vector<Check> checks;
  ThreadPool alone(1);
  for (std::size_t law = 0; law < kPairLaws.size(); ++law) {
    if (work.isCancelled()) return interrupted();
    work.at(static_cast<double>(law) / kPairLaws.size());
    const auto measure = [&](nn::Positions positions, bool isSigned, const auto& constant) {
      nn::ModelConfig config = bareOneLayer(positions, 16);
      config.alibiSigned = isSigned;
      config.alibiSlope = kSlope;
      return leastCorrelation(kPairLaws[law], config, models, work.seed, alone, constant);
    };
    const std::int64_t distances = (kPairLength - 1) * (kPairLength - 1);
    const auto add = [&](const char* what, const char* encoding, double value, const char* relation, double bound) {
      checks.push_back({0, 0, sentence(what, kPairLawNames[law], encoding), distances, value, relation, bound});
    };
    const auto signedScores =
        measure(nn::Positions::Alibi, true, [](int forward, int reverse) { return -kSlope * (forward + reverse); });
    const auto standard =
        measure(nn::Positions::Alibi, false, [](int forward, int reverse) { return kSlope * (forward - reverse); });
    const auto rope = measure(nn::Positions::Rope, false, [](int, int) { return 0.0; });
    for (const auto* const one : {&signedScores, &standard, &rope})
      if (!*one) return tl::unexpected(one->error());
    for (const auto& [encoding, least] : {std::pair("b(Δ1), -b(Δ2)", *signedScores), {"-b|Δ|", *standard}}) {
      add(N_("{}, {}: 1 minus the minimum correlation over all pairs of distances"), encoding, 1 - least.correlation,
          "<", 1e-12);
      add(N_("{}, {}: largest distance of S_rev - S_fwd from a constant, relative to the largest score"), encoding,
          least.offset, "<", 1e-12);
    }
    add(N_("{}, {}: minimum correlation with the same weights, for comparison"), "RoPE", rope->correlation, "<", 0.99);
  }
  return checksOf("reversal-proposition-4-5", std::move(checks), work.quick);
}

}  // namespace

std::vector<Study> describeRelations() {
  return {
      {.id = "reversal-proposition-4-1",
       .paper = kReversal,
       .title = N_("What a forward step stores"),
       .about = N_("gradients of the storage Y by the training engine: signs, bounds, the reverse loss after a step"),
       .claim = N_("dL/dY_AB ≤ -α (1 - p(A)) < 0 and dL/dY_CB ≥ α p(C) > 0 for C ≠ A, with equality where B occurs at "
                   "one position; a gradient step on Y lowers the loss of the reverse query."),
       .assumptions = N_("the one-layer model of Section 3 with Y as the parameter: relative positions (RoPE, ALiBi), "
                         "no residual stream, norm or MLP; one masked position; random Y, and Y after gradient "
                         "descent on forward queries; pairs at L = 10"),
       .corrected = {"rev-9"},
       .label = N_("Proposition 4.1"),
       .says = {N_("One gradient step on a forward query increases Y_{A,B} and decreases Y_{C,B} for all C ≠ A."),
                N_("Theorem 4.6: its part in column B lowers the loss of the reverse query to first order.")},
       .compute = checkRelation},
      {.id = "reversal-proposition-4-5",
       .paper = kReversal,
       .title = N_("With ALiBi forward and reverse scores differ by a constant"),
       .about = N_("correlation of forward and reverse scores of models with ALiBi, over letters and models"),
       .claim = N_("With ALiBi, signed or standard, the correlation of forward and reverse scores is 1 for every pair "
                   "of distances and every joint law of query and key whose product varies."),
       .assumptions = N_("scores of models with random weights from three distributions, over 26 letters and 12 "
                         "models; slope 0.25; distances 1 to 9"),
       .corrected = {"rev-6"},
       .label = N_("Proposition 4.5"),
       .says = {N_("Corr(S_fwd, S_rev) = 1 for every joint law of query and key, where q·k varies.")},
       .compute = checkSharedScore}};
}

}  // namespace sepx::studies
