// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/transfer_study.h"

#include <algorithm>
#include <limits>

#include "engine/core/try.h"
#include "engine/data/pairs.h"
#include "engine/nn/transformer.h"
#include "engine/reversal/letter_scores.h"
#include "engine/studies/run_all.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

namespace sepx::studies {
namespace {

constexpr int kPoints = 20;
constexpr double kPublishedCosine = 0.6;

/// Up to `wanted` pairs, evenly spaced among all pairs, with each letter in turn.
std::vector<reversal::Pair> somePairs(int length, int wanted) {
  const std::uint64_t count = data::pairCount(length), number = std::min(static_cast<std::uint64_t>(wanted), count);
  std::vector<reversal::Pair> pairs;
  for (std::uint64_t i = 0; i < number; ++i) {
    reversal::Pair pair = reversal::pairAt(i * count / number, length);
    pair.letter = static_cast<std::int32_t>(i % data::kPairLetters);
    pairs.push_back(pair);
  }
  return pairs;
}

double meanProbability(nn::Transformer<float>& model, std::span<const reversal::Pair> pairs,
                       reversal::Direction direction) {
  std::vector<double> losses(pairs.size());
  model.evaluate(reversal::queryBatch(pairs, direction), losses);
  double sum = 0;
  for (const double loss : losses)
    sum += std::exp(-loss);
  return sum / static_cast<double>(pairs.size());
}

reversal::ScoreCorrelation correlationOf(const nn::ModelConfig& model, std::span<const float> theta, ThreadPool& pool) {
  const auto scores = reversal::letterScores<float>(model, theta, 0, pool);
  return scores ? reversal::scoreCorrelation(*scores) : reversal::ScoreCorrelation{};
}

std::vector<int> lengthsOf(int number) {
  return number == 3 ? std::vector{10} : std::vector{10, 20, 30, 40};
}

/// The least mean correlation over the sums Delta1 + Delta2.
double leastOf(const reversal::ScoreCorrelation& correlation) {
  return correlation.mean.empty() ? std::nan("") : *std::min_element(correlation.mean.begin(), correlation.mean.end());
}

constexpr const char* kNotLearnt =
    N_("the model has not learnt the pairs: at the end its forward probability is below 0.1");
constexpr const char* kQuickSetting = N_("the quick setting is not that of the paper");

/// Adds a check that `value` is at least `bound`. For a failed run the value is NaN, which is judged and satisfies no
/// bound.
void addCheck(std::vector<Check>& into, const TransferRun& run, const char* what, double value, double bound,
              const char* notJudged, const char* published = "") {
  const bool whole = run.failure.empty() && !run.points.empty();
  into.push_back({0, 0, what, static_cast<std::int64_t>(run.points.size()), whole ? value : std::nan(""), ">=", bound,
                  whole ? notJudged : nullptr, sentence(N_("L = {}, seed {}"), run.length, run.seed), published});
}

}  // namespace

double TransferRun::leastCosine() const {
  double least = std::numeric_limits<double>::infinity();
  for (const TransferPoint& point : points)
    least = std::min(least, point.alignment.all.cosine());
  return least;
}

bool TransferRun::learnt() const {
  return failure.empty() && !points.empty() && points.back().forward >= kLearntProbability;
}

std::vector<Check> TransferFigure::checks() const {
  std::vector<Check> all;
  for (const TransferRun& run : runs)
    addCheck(all, run, N_("minimum cosine of the forward and the reverse gradient over the steps"), run.leastCosine(),
             0, run.learnt() ? notJudgedSeed(run.seed) : kNotLearnt);
  return all;
}

std::vector<Check> TransferFigure::observations() const {
  std::vector<Check> all;
  for (const TransferRun& run : runs) {
    const double first = run.points.empty() ? 0 : run.points.front().reverse,
                 last = run.points.empty() ? 0 : run.points.back().reverse;
    const char* const notJudged = quick ? kQuickSetting : run.learnt() ? nullptr : kNotLearnt;
    addCheck(all, run, N_("correlation of scores at the end, mean over all pairs of distances"), run.end.whole, 0,
             notJudged, N_("positive"));
    addCheck(all, run, N_("minimum correlation over Δ1 + Δ2 at the end"), leastOf(run.end), 0, notJudged,
             N_("the correlations remain positive"));
    if (number == 3)
      addCheck(all, run, N_("minimum cosine of gradients over the steps"), run.leastCosine(), kPublishedCosine,
               notJudged, N_("it stays above 0.6"));
    addCheck(all, run, N_("probability of the target in reverse queries, end minus start"), last - first, 0, notJudged,
             N_("it increases"));
  }
  return all;
}

train::RunConfig transferConfig(int length, std::uint64_t seed, std::int64_t steps, int batch) {
  train::RunConfig run;
  run.seed = seed;
  run.data.kind = data::SourceKind::Pairs;
  run.data.seed = seed;
  nn::ModelConfig& model = run.model;
  model.vocabulary = 0;  // that of the data
  model.length = length;
  model.layers = 1;
  model.d_model = 256;
  model.heads = 1;
  model.output = nn::Output::Untied;
  model.causal = false;
  model.positions = nn::Positions::Rope;
  model.attentionBias = model.projectionBias = false;
  model.outputBias = true;
  model.residualDropout = 0.02;
  run.objective.kind = nn::ObjectiveKind::Diffusion;
  run.initial.scheme = nn::InitialScheme::Uniform;
  run.initial.normBiasStart = 1;
  run.optimisation.rule.rule = nn::Rule::AdamW;
  run.optimisation.rule.learningRate = 3e-4;
  run.optimisation.rule.weightDecay = 0;
  run.optimisation.warmUp = 1000;
  run.optimisation.clip = 1;
  run.schedule.steps = steps;
  run.schedule.batch = batch;
  return run;
}

TransferPoint transferPoint(const nn::ModelConfig& given, std::span<const float> theta, std::int64_t step,
                            ThreadPool& pool) {
  nn::ModelConfig config = given;
  config.embeddingDropout = config.attentionDropout = config.residualDropout = 0;
  nn::Transformer<float> model(config, pool);
  std::copy(theta.begin(), theta.end(), model.theta().begin());
  const std::vector<reversal::Pair> pairs = somePairs(config.length, kTransferPairs),
                                    singles = somePairs(config.length, kSinglePairs);
  TransferPoint point;
  point.step = step;
  point.forward = meanProbability(model, pairs, reversal::Direction::Forward);
  point.reverse = meanProbability(model, pairs, reversal::Direction::Reverse);
  point.alignment = reversal::alignmentOf(model.layout(), reversal::queryGradients<float>(model, pairs));
  point.single = 0;
  for (const reversal::Pair& pair : singles)
    point.single += reversal::alignmentOf(model.layout(), reversal::queryGradients<float>(model, std::span(&pair, 1)))
                        .all.cosine() /
                    static_cast<double>(singles.size());
  point.correlation = correlationOf(config, theta, pool).whole;
  return point;
}

Result<TransferRun> followTransfer(const train::RunConfig& given, int points,
                                   const std::function<void(double share)>& made,
                                   const std::function<bool()>& cancelled) {
  train::RunConfig config = given;
  SEPX_ASSIGN(const auto source, data::makeSource(config.data));
  SEPX_TRY(train::resolve(config, *source));
  SEPX_TRY(train::check(config));
  SEPX_TRY(reversal::checkReadsPairs(config.model));
  TransferRun run;
  run.length = config.model.length;
  run.seed = config.seed;
  ThreadPool alone(1);
  train::Stepper stepper(config, *source, alone);
  stepper.begin();
  const std::int64_t steps = config.schedule.steps, every = std::max<std::int64_t>(1, steps / points);
  const auto look = [&] {
    run.points.push_back(transferPoint(config.model, stepper.theta(), stepper.made(), alone));
    run.end = correlationOf(config.model, stepper.theta(), alone);
  };
  look();
  run.start = run.end;
  while (run.failure.empty() && stepper.made() < steps) {
    if (cancelled && cancelled()) return interrupted();
    if (const auto step = stepper.step(steps); !step) {
      run.failure = step.error().message;
    } else if (stepper.made() % every == 0 || stepper.made() == steps) {
      look();
      made(static_cast<double>(stepper.made()) / static_cast<double>(steps));
    }
  }
  return run;
}

Result<TransferFigure> computeTransfer(int number, const Work& work) {
  TransferFigure figure;
  figure.number = number;
  figure.quick = work.quick;
  figure.steps = work.quick ? 1000 : 3000;
  figure.batch = work.quick ? 64 : 256;
  std::vector<double> costs;
  for (const int length : lengthsOf(number))
    for (std::uint64_t seed = work.seed; seed < work.seed + (number == 3 && !work.quick ? 3 : 1); ++seed) {
      TransferRun& run = figure.runs.emplace_back();
      run.length = length;
      run.seed = seed;
      costs.push_back(length);
    }
  SEPX_TRY(runAll(work, costs, [&](std::size_t i, const std::function<void(double)>& made) -> Result<void> {
    const TransferRun& wanted = figure.runs[i];
    auto followed = followTransfer(transferConfig(wanted.length, wanted.seed, figure.steps, figure.batch), kPoints,
                                   made, work.cancelled);
    if (!followed) return tl::unexpected(followed.error());
    figure.runs[i] = std::move(*followed);
    return {};
  }));
  return figure;
}

}  // namespace sepx::studies
