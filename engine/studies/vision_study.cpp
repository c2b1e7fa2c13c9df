// SPDX-License-Identifier: Apache-2.0
// See vision_study.h.
#include "engine/studies/vision_study.h"

#include <algorithm>
#include <cmath>

#include "engine/attention/scores.h"
#include "engine/core/try.h"
#include "engine/data/source_config.h"
#include "engine/studies/run_all.h"
#include "engine/train/metrics.h"
#include "engine/train/step.h"

namespace sepx::studies {
namespace {

constexpr PublishedVision kTable3[] = {{"CIFAR-10", 6, false, 1.07, 0.40, 0.90},
                                       {"CIFAR-10", 6, true, 1.08, 0.42, 0.89},
                                       {"ImageNet-1k", 12, false, 2.49, 1.97, 0.76},
                                       {"ImageNet-1k", 12, true, 2.49, 1.96, 0.76}};
constexpr std::uint64_t kVisionSeeds = 3;
constexpr int kVisionPoints = 20;

double medianSymmetry(const train::Stepper& stepper) {
  const nn::ModelConfig& model = stepper.config().model;
  std::vector<double> layers;
  for (int layer = 0; layer < model.layers; ++layer) {
    const auto moments = attention::momentsOf(train::layerFactors(model, stepper.layout(), stepper.theta(), layer));
    layers.push_back(attention::scoresOf(*moments, {}).symmetry);
  }
  return attention::quartiles(layers).median;
}

void addPoint(VisionRun& run, train::Stepper& stepper, double trainLoss) {
  const train::MeanLoss loss = stepper.validate();
  run.points.push_back({stepper.made(), trainLoss, loss.value, loss.accuracy.value_or(0), medianSymmetry(stepper)});
}

void addVisionCheck(std::vector<Check>& into, const char* what, double value, const char* relation, double bound) {
  into.push_back({0, 0, what, static_cast<std::int64_t>(kVisionSeeds), value, relation, bound});
}

}  // namespace

std::span<const PublishedVision> publishedVision() {
  return kTable3;
}

double VisionTable::mean(bool symmetric, double VisionPoint::*which) const {
  double sum = 0;
  int count = 0;
  for (const VisionRun& run : runs) {
    if (run.symmetric != symmetric) continue;
    sum += run.failure.empty() && !run.points.empty() ? run.points.back().*which : std::nan("");
    ++count;
  }
  return count > 0 ? sum / count : std::nan("");
}

std::vector<Check> VisionTable::checks() const {
  std::vector<Check> all;
  if (quick) return all;
  constexpr double kGuess = 0.1, kAccuracyApart = 0.05, kLossApart = 0.15;
  const double plain = mean(false, &VisionPoint::accuracy), tied = mean(true, &VisionPoint::accuracy);
  addVisionCheck(all, N_("accuracy of the standard start"), plain, ">=", 2 * kGuess);
  addVisionCheck(all, N_("accuracy, the two starts apart"), std::abs(tied - plain), "<=", kAccuracyApart);
  addVisionCheck(all, N_("validation loss, the two starts apart"),
                 std::abs(mean(true, &VisionPoint::loss) - mean(false, &VisionPoint::loss)), "<=", kLossApart);
  return all;
}

train::RunConfig visionConfig(bool generated, bool symmetric, std::uint64_t seed) {
  train::RunConfig run;
  run.seed = seed;
  run.data.kind = generated ? data::SourceKind::Shapes : data::SourceKind::Cifar10;
  run.data.seed = seed;
  run.data.augmentation = {.crop = generated ? 1 : 4, .flip = !generated};
  nn::ModelConfig& model = run.model;
  model.vocabulary = 0;
  model.input = nn::Input::Patches;
  model.image = generated ? 16 : 32;
  model.length = model.patches() + 1;
  model.layers = 4;
  model.d_model = generated ? 64 : 96;
  model.heads = 4;
  model.d_ff = 2 * model.d_model;
  model.output = nn::Output::Untied;
  model.outputBias = true;
  model.causal = false;
  model.normEpsilon = 1e-6;
  model.activation = nn::Activation::GeluErf;
  run.objective = {.kind = nn::ObjectiveKind::Classify, .labelSmoothing = 0.01};
  run.initial.sigma = 0.05;
  if (symmetric) run.initial.queryKey = nn::QueryKeyStart::Symmetric;
  run.optimisation.rule.rule = nn::Rule::AdamW;
  run.optimisation.rule.learningRate = generated ? 2e-3 : 1e-3;
  run.optimisation.rule.weightDecay = 0.01;
  run.optimisation.decayMatricesOnly = true;
  run.optimisation.decay = train::Decay::Cosine;
  run.optimisation.warmUp = 100;
  run.optimisation.warmUpStart = 0.033;
  run.optimisation.clip = 1;
  run.schedule.steps = generated ? 400 : 2400;
  run.schedule.batch = 64;
  run.schedule.evaluateSequences = generated ? 512 : 2000;
  return run;
}

Result<VisionRun> followVision(const train::RunConfig& given, const data::Source& source, int points,
                               const std::function<void(double share)>& made, const std::function<bool()>& cancelled) {
  train::RunConfig config = given;
  SEPX_TRY(train::resolve(config, source));
  SEPX_TRY(train::check(config));
  VisionRun run;
  run.symmetric = config.initial.queryKey == nn::QueryKeyStart::Symmetric;
  run.seed = config.seed;
  ThreadPool alone(1);
  train::Stepper stepper(config, source, alone);
  stepper.begin();
  const std::int64_t steps = config.schedule.steps, every = std::max<std::int64_t>(1, steps / points);
  addPoint(run, stepper, std::nan(""));
  double sum = 0;
  std::int64_t count = 0;
  while (run.failure.empty() && stepper.made() < steps) {
    if (cancelled && cancelled()) return interrupted();
    const auto step = stepper.step(steps);
    if (!step) {
      run.failure = step.error().sentence;
      break;
    }
    sum += step->loss;
    ++count;
    if (stepper.made() % every != 0 && stepper.made() != steps) continue;
    addPoint(run, stepper, sum / static_cast<double>(count));
    sum = 0;
    count = 0;
    made(static_cast<double>(stepper.made()) / static_cast<double>(steps));
  }
  return run;
}

Result<VisionTable> computeVision(const Work& work) {
  VisionTable table;
  table.quick = work.quick;
  table.config = visionConfig(work.quick, false, work.seed);
  SEPX_ASSIGN(const auto source, data::makeSource(table.config.data));
  const std::uint64_t seeds = work.quick ? 1 : kVisionSeeds;
  table.runs.resize(static_cast<std::size_t>(2 * seeds));
  const std::vector<double> costs(table.runs.size(), 1.0);
  SEPX_TRY(runAll(work, costs, [&](std::size_t i, const std::function<void(double)>& made) -> Result<void> {
    train::RunConfig config = visionConfig(work.quick, i % 2 == 1, work.seed + i / 2);
    config.data.seed = table.config.data.seed;  // one source for all
    SEPX_ASSIGN(table.runs[i], followVision(config, *source, kVisionPoints, made, work.cancelled));
    return {};
  }));
  if (work.isCancelled()) return interrupted();
  return table;
}

}  // namespace sepx::studies
