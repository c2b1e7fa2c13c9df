// SPDX-License-Identifier: Apache-2.0
// See accuracy_study.h.
#include "engine/studies/accuracy_study.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/core/try.h"
#include "engine/data/source_config.h"
#include "engine/studies/run_all.h"
#include "engine/studies/transfer_study.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

namespace sepx::studies {

namespace {

using reversal::Direction;

constexpr double kApart = 5;  // percentage points

constexpr PublishedAccuracy kTable1[] = {{PairModel::Arm, 10, 99.83, 0.0}, {PairModel::Rope, 10, 99.31, 43.10},
                                         {PairModel::Arm, 20, 99.80, 0.0}, {PairModel::Rope, 20, 97.36, 55.70},
                                         {PairModel::Arm, 30, 99.93, 0.0}, {PairModel::Rope, 30, 96.91, 33.89},
                                         {PairModel::Arm, 40, 99.93, 0.0}, {PairModel::Rope, 40, 97.27, 38.37}};
constexpr PublishedAccuracy kTable2[] = {{PairModel::Absolute, 10, 98.3, 11.5}, {PairModel::Rope, 10, 99.3, 43.1},
                                         {PairModel::Alibi, 10, 99.7, 99.8},    {PairModel::Absolute, 20, 97.8, 27.8},
                                         {PairModel::Rope, 20, 96.8, 55.7},     {PairModel::Alibi, 20, 99.5, 99.5}};

train::RunConfig quickConfig(train::RunConfig config) {
  config.model.d_model = 64;
  config.optimisation.rule.learningRate = 1e-3;
  config.optimisation.warmUp = 100;
  config.schedule.steps = 1500;
  return config;
}

/// The accuracy of the model with the parameters `theta`, without dropout.
reversal::AccuracyReport measured(const train::RunConfig& config, std::span<const float> theta,
                                  const std::vector<reversal::Pair>& pairs, ThreadPool& pool) {
  nn::ModelConfig still = config.model;
  still.embeddingDropout = still.attentionDropout = still.residualDropout = 0;
  nn::Transformer<float> model(still, pool);
  std::copy(theta.begin(), theta.end(), model.theta().begin());
  return *reversal::measureAccuracy(
      model, {.reading = reversal::readingOf(config.objective), .pairs = pairs, .batch = 256, .cancelled = {}});
}

double percentOf(const AccuracyPoint& point, Direction direction, bool letters) {
  const reversal::Answers& answers = point.report.of(direction);
  return 100 * (letters ? answers.letters : answers.accuracy);
}

}  // namespace

const char* toString(PairModel model) {
  static constexpr const char* kWords[] = {"ARM", "absolute", "RoPE", "ALiBi"};
  return kWords[static_cast<std::size_t>(model)];
}

double AccuracyRun::mean(Direction direction, bool letters) const {
  if (points.empty() || !failure.empty()) return std::nan("");
  double sum = 0;
  for (const AccuracyPoint& point : points)
    sum += percentOf(point, direction, letters);
  return sum / static_cast<double>(points.size());
}

double AccuracyRun::atEnd(Direction direction, bool letters) const {
  return points.empty() || !failure.empty() ? std::nan("") : percentOf(points.back(), direction, letters);
}

std::span<const PublishedAccuracy> publishedAccuracies(int table) {
  return table == 1 ? std::span<const PublishedAccuracy>(kTable1) : std::span<const PublishedAccuracy>(kTable2);
}

std::optional<PublishedAccuracy> publishedAccuracy(int table, PairModel model, int length) {
  for (const PublishedAccuracy& row : publishedAccuracies(table))
    if (row.model == model && row.length == length) return row;
  return std::nullopt;
}

template <class Of>
double AccuracyTable::over(PairModel model, int length, const Of& of) const {
  double sum = 0;
  int count = 0;
  for (const AccuracyRun& run : runs) {
    if (run.model != model || run.length != length) continue;
    sum += of(run);
    ++count;
  }
  return count > 0 ? sum / count : std::nan("");
}

double AccuracyTable::mean(PairModel model, int length, Direction direction, bool letters) const {
  return over(model, length, [=](const AccuracyRun& run) { return run.mean(direction, letters); });
}

double AccuracyTable::atEnd(PairModel model, int length, Direction direction, bool letters) const {
  return over(model, length, [=](const AccuracyRun& run) { return run.atEnd(direction, letters); });
}

bool AccuracyTable::has(PairModel model, int length) const {
  return std::any_of(runs.begin(), runs.end(),
                     [=](const AccuracyRun& run) { return run.model == model && run.length == length; });
}

/// A model that is missing or failed is judged: its number is NaN, which satisfies no bound.
const char* AccuracyTable::whyNotJudged(std::initializer_list<PairModel> compared, bool chosenBound) const {
  if (quick) return N_("the quick setting is not that of the table");
  for (const PairModel model : compared)
    if (atEnd(model, 10, Direction::Forward) < kLearntAccuracy)
      return N_("a model has not learnt the forward queries: it answers less than 90 % of them at the end");
  for (const AccuracyRun& run : runs)
    if (chosenBound && run.length == 10 && notJudgedSeed(run.seed)) return kThresholdSeed;
  return nullptr;
}

void AccuracyTable::add(std::vector<Check>& into, const char* what, std::initializer_list<PairModel> compared,
                        double value, const char* relation, double bound, bool chosenBound) const {
  std::int64_t points = 0;
  for (const AccuracyRun& run : runs)
    points += static_cast<std::int64_t>(run.points.size());
  into.push_back({0, 0, sentence(what), points, value, relation, bound, whyNotJudged(compared, chosenBound)});
}

std::vector<Check> AccuracyTable::checks() const {
  std::vector<Check> all;
  const auto reverse = [this](PairModel model) { return mean(model, 10, Direction::Reverse); };
  using enum PairModel;
  if (number == 1) {
    add(all, N_("reverse accuracy of the ARM, percent"), {Arm}, reverse(Arm), "<=", 0, false);
    add(all, N_("reverse accuracy, MDM with RoPE minus ARM, points"), {Rope, Arm}, reverse(Rope) - reverse(Arm),
        ">=", kApart, true);
    return all;
  }
  add(all, N_("reverse accuracy, ALiBi minus RoPE, points"), {Alibi, Rope}, reverse(Alibi) - reverse(Rope),
      ">=", kApart, true);
  add(all, N_("reverse accuracy, RoPE minus absolute, points"), {Rope, Absolute}, reverse(Rope) - reverse(Absolute),
      ">=", kApart, true);
  return all;
}

train::RunConfig accuracyConfig(PairModel model, int length, std::uint64_t seed) {
  train::RunConfig config = transferConfig(length, seed, kAccuracySteps, 64);
  if (model == PairModel::Absolute) config.model.positions = nn::Positions::Learned;
  if (model == PairModel::Alibi) config.model.positions = nn::Positions::Alibi;
  if (model != PairModel::Arm) return config;
  nn::ModelConfig gpt;  // biases and tied embeddings
  gpt.vocabulary = 0;
  gpt.length = length;
  gpt.layers = gpt.heads = 1;
  gpt.d_model = config.model.d_model;
  gpt.embeddingDropout = gpt.attentionDropout = gpt.residualDropout = 0.02;
  config.model = gpt;
  config.objective = {};
  config.objective.kind = nn::ObjectiveKind::NextToken;
  config.initial = {};
  return config;
}

Result<AccuracyRun> followAccuracy(PairModel model, const train::RunConfig& given, std::int64_t every,
                                   const std::function<void(double share)>& made,
                                   const std::function<bool()>& cancelled) {
  train::RunConfig config = given;
  SEPX_ASSIGN(const auto source, data::makeSource(config.data));
  SEPX_TRY(train::resolve(config, *source));
  SEPX_TRY(train::check(config));
  AccuracyRun run;
  run.model = model;
  run.length = config.model.length;
  run.seed = config.seed;
  const std::vector<reversal::Pair> pairs = reversal::allPairs(run.length);
  ThreadPool alone(1);
  train::Stepper stepper(config, *source, alone);
  stepper.begin();
  const std::int64_t steps = config.schedule.steps;
  while (run.failure.empty() && stepper.made() < steps) {
    if (cancelled && cancelled()) return interrupted();
    if (const auto step = stepper.step(steps); !step) {
      run.failure = step.error().message;
    } else if (stepper.made() % every == 0) {
      run.points.push_back({stepper.made(), measured(config, stepper.theta(), pairs, alone)});
      made(static_cast<double>(stepper.made()) / static_cast<double>(steps));
    }
  }
  return run;
}

Result<AccuracyTable> computeAccuracy(int number, const Work& work) {
  AccuracyTable table;
  table.number = number;
  table.quick = work.quick;
  std::vector<double> costs;
  for (const PublishedAccuracy& row : publishedAccuracies(number)) {
    if (work.quick && row.length != 10) continue;
    const std::uint64_t seeds = work.quick || row.length != 10 ? 1 : kAccuracySeeds;
    for (std::uint64_t seed = work.seed; seed < work.seed + seeds; ++seed) {
      AccuracyRun& run = table.runs.emplace_back();
      run.model = row.model;
      run.length = row.length;
      run.seed = seed;
      costs.push_back(row.length);
    }
  }
  const auto configOf = [&](const AccuracyRun& run) {
    const train::RunConfig config = accuracyConfig(run.model, run.length, run.seed);
    return work.quick ? quickConfig(config) : config;
  };
  const train::RunConfig first = configOf(table.runs.front());
  table.steps = first.schedule.steps;
  table.batch = first.schedule.batch;
  table.width = first.model.d_model;
  SEPX_TRY(runAll(work, costs, [&](std::size_t i, const std::function<void(double)>& made) -> Result<void> {
    const AccuracyRun& wanted = table.runs[i];
    auto followed =
        followAccuracy(wanted.model, configOf(wanted), work.quick ? 250 : kAccuracyEvery, made, work.cancelled);
    if (!followed) return tl::unexpected(followed.error());
    table.runs[i] = std::move(*followed);
    return {};
  }));
  return table;
}

}  // namespace sepx::studies
