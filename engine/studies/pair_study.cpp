// SPDX-License-Identifier: Apache-2.0
// Theorem 2.4 of Attention-Structure, with Remark A.13 and (S102)-(S111): the update of W_qk by pairs of tokens,
// measured on real gradients of small models that learn generated text. For any beta, the backward pass gives the sum
// of (S105), and a pair's term is the more symmetric the more alike beta_ij and beta_ji are. The theorem assumes that
// they are alike, and this is measured: in the last layer of an encoder, where all pairs consist of two masked tokens,
// they are not. The symmetry of these pairs comes from their x, which are nearly parallel. There are no pairs in the
// last layer with the context of (S9), and none in any layer of a decoder. Worker threads only.
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "engine/attention/counts.h"
#include "engine/attention/pair_terms.h"
#include "engine/core/try.h"
#include "engine/data/source.h"
#include "engine/nn/transformer.h"
#include "engine/studies/emergence_run.h"
#include "engine/studies/emergence_study.h"
#include "engine/studies/run_all.h"
#include "engine/studies/study.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "engine/train/update_probe.h"

namespace sepx::studies {
namespace {

using attention::Matrix;

enum class Reader { Encoder, Unmasked, Decoder };
constexpr std::array kReaders{Reader::Encoder, Reader::Unmasked, Reader::Decoder};
constexpr const char* kReaderWords[] = {"encoder", "encoder-unmasked-context", "decoder"};
constexpr const char* kReaderNames[] = {N_("encoder"), N_("encoder, context of (S9)"), N_("decoder")};
constexpr int kTaken = 2;  // number of sequences whose gradients are compared with those of the backward pass

/// Measurements of one model at one step and layer, over sequences.
struct PairNumbers {
  std::int64_t step = 0;
  int layer = 0, sequences = 0;
  std::int64_t pairs = 0, terms = 0;  ///< terms: nonzero beta_ij with i != j
  double oneSign = 0;                 ///< share of the pairs with beta_ij beta_ji > 0
  double alike = 0;                   ///< mean of 2 sum beta_ij beta_ji / sum (beta_ij^2 + beta_ji^2) over the pairs
  double parallel = 0;  ///< mean square of the cosine of x_i and x_j, weighted by the size of the pair's terms
  double mirrored = 0, whole = 0;  ///< mean symmetry of the pairs' part of G, and of G
  double countDistance = 0;        ///< largest distance of the ratio of pairs to single terms from (S111)
  double sum = 0, formula = 0;     ///< largest distances: (S105) to the backward pass, relative; s of pairs to formula
};

struct PairRun {
  Reader reader = Reader::Encoder;
  std::uint64_t seed = 0;
  std::vector<PairNumbers> points;
  std::string failure;
};

double pairSymmetryOf(const Matrix& M) {
  return (M.array() * M.transpose().array()).sum() / M.squaredNorm();
}

/// dL/dW_Q of a layer by the backward pass, [d_q, d].
Matrix backwardOf(const train::RunConfig& config, std::span<const float> theta, const train::ProbeRequest& request,
                  const train::UpdateProbe& seen, ThreadPool& pool) {
  nn::Transformer<double> model(config.model, pool);
  std::copy(theta.begin(), theta.end(), model.theta().begin());
  nn::Batch batch;
  batch.sequences = 1;
  batch.length = static_cast<int>(seen.tokens.size());
  batch.tokens = seen.tokens;
  if (config.objective.kind == nn::ObjectiveKind::UnmaskedContext) batch.readable.assign(seen.tokens.size(), 1);
  for (const std::int32_t row : seen.targets) {
    if (!batch.readable.empty()) batch.readable[static_cast<std::size_t>(row)] = 0;
    const std::size_t answer = static_cast<std::size_t>(row) + (config.model.causal ? 1 : 0);
    batch.targets.push_back({row, request.tokens[answer], 1.0F / static_cast<float>(seen.targets.size())});
  }
  model.accumulate(batch, {});
  const nn::Parameter& query = *model.layout().find(nn::ParameterRole::Query, nn::ParameterKind::Weight, request.layer);
  return Eigen::Map<const Matrix>(model.gradient().data() + query.offset, query.rows, query.columns);
}

/// (S103), (S105): sum over i of beta_ii K_ii, and over i < j of (beta_ij + beta_ji) S_ij + (beta_ij - beta_ji) N_ij.
Matrix sumOfPairs(const Matrix& X, const Matrix& beta) {
  Matrix sum = Matrix::Zero(X.cols(), X.cols());
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    sum += beta(i, i) * X.row(i).transpose() * X.row(i);
    for (Eigen::Index j = i + 1; j < X.rows(); ++j) {
      const Matrix K = X.row(i).transpose() * X.row(j), S = (K + K.transpose()) / 2;
      sum += (beta(i, j) + beta(j, i)) * S + (beta(i, j) - beta(j, i)) * (K - S);
    }
  }
  return sum;
}

void compareWithBackward(const train::RunConfig& config, std::span<const float> theta,
                         const train::ProbeRequest& request, const train::UpdateProbe& seen, ThreadPool& pool,
                         PairNumbers& into) {
  const Matrix backward = backwardOf(config, theta, request, seen, pool);
  const Eigen::Index d_h = config.model.d_h();
  for (int h = 0; h < config.model.heads; ++h) {
    const Matrix& beta = seen.beta[static_cast<std::size_t>(h)];
    const Matrix own = backward.middleRows(h * d_h, d_h),
                 pairs = (sumOfPairs(seen.X, beta) * seen.factors.key(h)).transpose();
    into.sum = std::max(into.sum, (pairs - own).norm() / own.norm());
    for (const attention::Pair& pair : attention::strongestPairs(seen.X, beta, 20)) {
      const double measured = pairSymmetryOf(attention::pairTerm(seen.X, beta, pair.i, pair.j));
      const double a = pair.beta_ij, b = pair.beta_ji, x = seen.X.row(pair.i).squaredNorm(),
                   y = seen.X.row(pair.j).squaredNorm(), c = std::pow(seen.X.row(pair.i).dot(seen.X.row(pair.j)), 2);
      const double formula = ((a * a + b * b) * c + 2 * a * b * x * y) / ((a * a + b * b) * x * y + 2 * a * b * c);
      into.formula = std::max(into.formula, std::abs(measured - formula));
    }
  }
}

/// Adds one head of one sequence, and returns how alike its betas are; empty if it has no pair.
std::optional<double> addHead(const train::UpdateProbe& seen, std::size_t h, std::int64_t& oneSign, PairNumbers& into) {
  const Matrix &beta = seen.beta[h], &X = seen.X;
  double products = 0, squares = 0, sizes = 0, parallel = 0;
  for (Eigen::Index i = 0; i < beta.rows(); ++i)
    for (Eigen::Index j = 0; j < beta.cols(); ++j) {
      if (i == j || beta(i, j) == 0) continue;
      ++into.terms;
      if (i > j || beta(j, i) == 0) continue;
      ++into.pairs;
      oneSign += beta(i, j) * beta(j, i) > 0 ? 1 : 0;
      products += 2 * beta(i, j) * beta(j, i);
      const double both = beta(i, j) * beta(i, j) + beta(j, i) * beta(j, i), cross = X.row(i).dot(X.row(j));
      squares += both;
      parallel += both * cross * cross;
      sizes += both * X.row(i).squaredNorm() * X.row(j).squaredNorm();
    }
  into.whole += pairSymmetryOf(seen.gradient[h]);
  if (squares == 0) return {};
  into.mirrored += pairSymmetryOf(attention::gradientParts(X, beta).mirrored);
  into.parallel += parallel / sizes;
  return products / squares;
}

Result<PairNumbers> measurePairs(const train::RunConfig& config, const data::Source& source,
                                 std::span<const float> theta, int layer, std::int64_t step, int sequences,
                                 ThreadPool& pool) {
  PairNumbers numbers;
  numbers.step = step;
  numbers.layer = layer;
  numbers.sequences = sequences;
  std::vector<double> alike;
  std::int64_t oneSign = 0, heads = 0;
  for (int s = 0; s < sequences; ++s) {
    train::ProbeRequest request;
    request.layer = layer;
    request.seed = static_cast<std::uint64_t>(s);
    request.tokens.resize(static_cast<std::size_t>(config.model.length));
    source.sequence(data::Split::Validation, static_cast<std::uint64_t>(s), config.model.length, request.tokens);
    SEPX_ASSIGN(const train::UpdateProbe seen, train::probeUpdate(config, theta, request, pool));
    if (s < kTaken) compareWithBackward(config, theta, request, seen, pool, numbers);
    const double N = static_cast<double>(seen.tokens.size()), masked = static_cast<double>(seen.targets.size());
    double mean = 0;
    int have = 0;
    for (std::size_t h = 0; h < seen.beta.size(); ++h, ++heads) {
      const auto value = addHead(seen, h, oneSign, numbers);
      if (!value) continue;
      mean += *value;
      ++have;
      const double expected = layer + 1 < config.model.layers ? std::nan("")  // there all rows have gradients
                                                              : attention::maskedPairs(N, masked / N).ratio;
      const double distance = std::abs(attention::mirroredTerms(seen.beta[h]).ratio() - expected);
      if (std::isfinite(distance)) numbers.countDistance = std::max(numbers.countDistance, distance);
    }
    if (have > 0) alike.push_back(mean / have);
  }
  numbers.whole /= static_cast<double>(heads);
  const double count = static_cast<double>(alike.size());
  numbers.mirrored /= count * config.model.heads;
  numbers.parallel /= count * config.model.heads;
  numbers.oneSign = static_cast<double>(oneSign) / static_cast<double>(numbers.pairs);
  const Eigen::ArrayXd values = Eigen::Map<const Eigen::ArrayXd>(alike.data(), static_cast<Eigen::Index>(alike.size()));
  numbers.alike = values.size() > 0 ? values.mean() : std::nan("");
  return numbers;
}

train::RunConfig readerConfig(Reader reader, std::uint64_t seed, std::int64_t steps) {
  train::RunConfig config = emergenceConfig(emergenceSources(EmergenceId::Figure3).front(),
                                            reader == Reader::Decoder ? Trainee::Decoder : Trainee::Encoder, seed,
                                            steps, emergenceSigma(EmergenceId::Figure3));
  if (reader == Reader::Unmasked) config.objective.kind = nn::ObjectiveKind::UnmaskedContext;
  return config;
}

Result<void> followPairs(PairRun& run, std::int64_t steps, int sequences, const std::function<void(double)>& made,
                         const std::function<bool()>& cancelled) {
  train::RunConfig config = readerConfig(run.reader, run.seed, steps);
  SEPX_ASSIGN(const auto source, data::makeSource(config.data));
  SEPX_TRY(train::resolve(config, *source));
  SEPX_TRY(train::check(config));
  ThreadPool alone(1);
  train::Stepper stepper(config, *source, alone);
  stepper.begin();
  const auto look = [&]() -> Result<void> {
    for (int layer = 0; layer < config.model.layers; ++layer) {
      SEPX_ASSIGN(PairNumbers numbers,
                  measurePairs(config, *source, stepper.theta(), layer, stepper.made(), sequences, alone));
      run.points.push_back(numbers);
    }
    return {};
  };
  SEPX_TRY(look());
  while (run.failure.empty() && stepper.made() < steps) {
    if (cancelled && cancelled()) return interrupted();
    if (const auto step = stepper.step(steps); !step) run.failure = step.error().message;
    made(static_cast<double>(stepper.made()) / static_cast<double>(steps));
  }
  return look();
}

StudyTable pairRows(const std::vector<PairRun>& runs) {
  StudyTable table;
  table.name = "pairs";
  table.onPage = true;
  table.columns = {{.key = "model", .title = N_("model"), .width = -26, .share = 2},
                   {.key = "seed", .title = N_("seed"), .width = 6, .share = 0.5},
                   {.key = "step", .title = N_("step"), .width = 7, .share = 0.6},
                   {.key = "layer", .title = N_("layer"), .width = 7, .share = 0.6},
                   {.key = "pairs", .title = N_("pairs"), .width = 9, .share = 0.8},
                   {.key = "one_sign", .title = N_("same sign"), .width = 10, .form = '%', .digits = 0, .share = 0.8},
                   {.key = "alike", .title = N_("s of beta"), .width = 11, .digits = 3, .share = 0.8},
                   {.key = "parallel", .title = N_("x alike"), .width = 9, .digits = 3, .share = 0.8},
                   {.key = "pairs_symmetry", .title = N_("s of pairs"), .width = 12, .digits = 3, .share = 0.8},
                   {.key = "symmetry", .title = N_("s of G"), .width = 9, .digits = 3, .share = 0.8}};
  for (const PairRun& run : runs)
    for (const PairNumbers& point : run.points)
      table.rows.push_back(
          {{Cell(kReaderNames[static_cast<std::size_t>(run.reader)],
                 kReaderWords[static_cast<std::size_t>(run.reader)]),
            static_cast<int>(run.seed), static_cast<double>(point.step), point.layer, static_cast<double>(point.pairs),
            point.pairs > 0 ? point.oneSign : std::nan(""), point.alike, point.parallel, point.mirrored, point.whole}});
  return table;
}

void addPairChecks(const PairRun& run, std::vector<Check>& into) {
  const bool whole = run.failure.empty();
  const Sentence about = sentence(N_("{}, seed {}"), kReaderWords[static_cast<std::size_t>(run.reader)], run.seed);
  const auto add = [&](const char* what, std::int64_t points, double value, const char* relation, double bound,
                       const char* notJudged = nullptr) {
    into.push_back(
        {0, 0, what, points, whole ? value : std::nan(""), relation, bound, whole ? notJudged : nullptr, about});
  };
  double sum = 0, formula = 0, counts = 0;
  std::int64_t pairs = 0, points = 0, last = 0;
  for (const PairNumbers& point : run.points) {
    sum = std::max(sum, point.sum);
    formula = std::max(formula, point.formula);
    counts = std::max(counts, point.countDistance);
    points += point.sequences;
    if (point.layer == 1) pairs += point.pairs, last += point.terms;
  }
  add(N_("largest relative distance of dL/dW_Q by the sum of (S105) from that of the backward pass"), points, sum, "<",
      1e-9);
  add(N_("largest distance of the symmetry of a pair's term from its formula in beta_ij and beta_ji"), points, formula,
      "<", 1e-9);
  if (run.reader != Reader::Encoder) {
    add(N_("pairs of two terms in the last layer"), last, static_cast<double>(pairs), "=", 0);
    return;
  }
  add(N_("largest distance of the ratio of pairs to single terms in the last layer from the exact value of (S111)"),
      last, counts, "<", 1e-12);
  const PairNumbers& end = run.points.back();
  const char* const chosen = notJudgedSeed(run.seed);
  add(N_("last layer at the end: distance from one half of the share of pairs whose betas have the same sign"),
      end.pairs, std::abs(end.oneSign - 0.5), "<", 0.05, chosen);
  add(N_("last layer at the end: magnitude of the mean of 2 beta_ij beta_ji over beta_ij^2 + beta_ji^2"), end.pairs,
      std::abs(end.alike), "<", 0.1, chosen);
  add(N_("last layer at the end: mean square of the cosine of x_i and x_j of the pairs"), end.pairs, end.parallel,
      ">=", 0.1, chosen);
}

Result<StudyResult> checkPairs(const Work& work) {
  const std::int64_t steps = work.quick ? 300 : 1500;
  const int sequences = work.quick ? 12 : 48;
  std::vector<PairRun> runs;
  for (std::uint64_t seed = work.seed; seed < work.seed + (work.quick ? 1 : 3); ++seed)
    for (const Reader reader : kReaders)
      runs.push_back({reader, seed, {}, {}});
  SEPX_TRY(
      runAll(work, std::vector<double>(runs.size(), 1.0), [&](std::size_t i, const std::function<void(double)>& made) {
        return followPairs(runs[i], steps, sequences, made, work.cancelled);
      }));
  StudyResult result;
  result.study = &studyOf("attention-structure-theorem-2-4");
  result.quick = work.quick;
  result.head = {result.study->title, result.study->assumptions};
  result.setting = sentence(N_("{} steps, {} sequences"), steps, sequences);
  result.tables = {pairRows(runs)};
  for (const PairRun& run : runs)
    addPairChecks(run, result.checks);
  result.paperScale = false;
  result.numbers["setup"] = {{"steps", steps}, {"sequences", sequences}};
  result.numbers["rows"] = rowsOf(result.tables.front(), false);
  result.numbers["corrected"] = result.study->corrected;
  return result;
}

}  // namespace

std::vector<Study> describePairs() {
  return {
      {.id = "attention-structure-theorem-2-4",
       .paper = kAttentionStructure,
       .title = N_("Symmetry of the update by pairs of tokens"),
       .about = N_("real gradients by pairs: (S105), the pairs of (S111), whether beta_ij and beta_ji are similar"),
       .claim = N_("The backward pass gives the sum of (S105), and a pair's term is the more symmetric the more "
                   "similar beta_ij and beta_ji are. In the last layer an encoder has the pairs of two masked tokens "
                   "of (S111); a decoder and the context of (S9) have none. The theorem assumes that beta_ij and "
                   "beta_ji are similar; in the encoders trained here they are not: only half of the pairs have the "
                   "same sign. The symmetry that the pairs do have comes from x_i and x_j, which are similar for two "
                   "masked tokens."),
       .assumptions = N_("generated English by character, N = 64, 15 % masked; 2 layers, d = 64, 2 heads, no rotary "
                         "positions; G = dL/dW_qk of a head; beta_ij = dL/d(q_i . k_j)"),
       .corrected = {"att-6", "att-11", "att-12"},
       .thresholds = kOwnBounds,
       .label = N_("Theorem 2.4"),
       .says = {N_("Where beta_ij and beta_ji have the same sign and nearly the same size, the update by the pair is "
                   "nearly symmetric."),
                N_("(S111): about 25 % of the updates of an encoder with 15 to 30 % of masked tokens are symmetric.")},
       .scale = N_("The paper proves this for any model and measures nothing here. Ours: models of 2 layers that "
                   "learn generated text for 1,500 steps; s of beta is 1 where all pairs have beta_ij = beta_ji."),
       .compute = checkPairs}};
}

}  // namespace sepx::studies
