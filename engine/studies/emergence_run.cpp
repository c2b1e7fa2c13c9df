// SPDX-License-Identifier: Apache-2.0
// The training settings of the emergence figures of Attention-Structure, and the execution of one run.
#include "engine/studies/emergence_run.h"

#include <algorithm>

#include "engine/core/try.h"
#include "engine/data/source_config.h"
#include "engine/train/metrics.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

namespace sepx::studies {
namespace {

data::SourceConfig english(data::Tokens tokens) {
  data::SourceConfig data;
  data.kind = data::SourceKind::English;
  data.tokens = tokens;
  data.vocabulary = tokens == data::Tokens::BytePairs ? 512 : 0;
  data.sentences = 40000;
  return data;
}

data::SourceConfig repeats() {
  data::SourceConfig data;
  data.kind = data::SourceKind::Repeats;
  return data;
}

void recordPoint(EmergenceRun& run, train::Stepper& stepper) {
  run.curve.push_back({stepper.made(), stepper.validate().value});
  ScorePoint point;
  point.step = stepper.made();
  const nn::ModelConfig& model = stepper.config().model;
  for (int layer = 0; layer < model.layers; ++layer) {
    const attention::LayerFactors factors = train::layerFactors(model, stepper.layout(), stepper.theta(), layer);
    const auto moments = *attention::momentsOf(factors);
    const attention::Scores scores = attention::scoresOf(moments, {});
    point.symmetry.push_back(scores.symmetry);
    point.directionality.push_back(scores.directionality);
    point.rowColumnCv.push_back(train::rowColumnCv(moments));
    std::vector<double>& headSymmetry = point.headSymmetry.emplace_back();
    std::vector<double>& headDirectionality = point.headDirectionality.emplace_back();
    const std::vector<attention::Moments> heads = *attention::momentsOfHeads(factors);
    for (const attention::Moments& head : heads) {
      const attention::Scores of = attention::scoresOf(head, {});
      headSymmetry.push_back(of.symmetry);
      headDirectionality.push_back(of.directionality);
    }
  }
  run.scores.push_back(std::move(point));
}

}  // namespace

std::vector<EmergenceSource> emergenceSources(EmergenceId id) {
  std::vector<EmergenceSource> sources{
      {"characters", N_("generated English, by character"), true, english(data::Tokens::Characters)}};
  if (id == EmergenceId::Figure3) {
    sources.push_back({"characters-4-layers", N_("generated English, by character, 4 layers"), false,
                       english(data::Tokens::Characters), 4});
    return sources;
  }
  if (id == EmergenceId::FigureS5) return sources;
  sources.push_back({"byte-pairs", N_("generated English, 512 byte pairs"), false, english(data::Tokens::BytePairs)});
  sources.push_back({"repeats", N_("ten tokens that repeat in random order"), false, repeats()});
  return sources;
}

double emergenceSigma(EmergenceId id) {
  return comparesStarts(id) ? 0.05 : 0.02;
}

train::RunConfig emergenceConfig(const EmergenceSource& source, Trainee trainee, std::uint64_t seed, std::int64_t steps,
                                 double sigma) {
  train::RunConfig run;
  run.seed = seed;
  run.data = source.data;
  run.data.seed = seed;
  nn::ModelConfig& model = run.model;
  model.vocabulary = 0;  // that of the data
  model.length = 64;
  model.layers = source.layers;
  model.d_model = 64;
  model.heads = 2;
  model.causal = trainee == Trainee::Decoder;
  run.objective.kind = model.causal ? nn::ObjectiveKind::NextToken : nn::ObjectiveKind::Masked;
  run.initial.scheme = nn::InitialScheme::Gaussian;
  run.initial.sigma = sigma;
  if (trainee == Trainee::SymmetricEncoder) run.initial.queryKey = nn::QueryKeyStart::Symmetric;
  run.optimisation.rule.rule = nn::Rule::AdamW;
  run.optimisation.rule.learningRate = 2e-3;
  run.optimisation.rule.weightDecay = 0.01;
  run.optimisation.decayMatricesOnly = true;
  run.optimisation.warmUp = 100;
  run.schedule.steps = steps;
  run.schedule.batch = 16;
  run.schedule.evaluateSequences = 128;
  return run;
}

Result<EmergenceRun> followEmergence(const train::RunConfig& given, int points,
                                     const std::function<void(double share)>& made,
                                     const std::function<bool()>& cancelled) {
  train::RunConfig config = given;
  SEPX_ASSIGN(const auto source, data::makeSource(config.data));
  SEPX_TRY(train::resolve(config, *source));
  SEPX_TRY(train::check(config));
  EmergenceRun run;
  run.seed = config.seed;
  ThreadPool alone(1);
  train::Stepper stepper(config, *source, alone);
  stepper.begin();
  const std::int64_t steps = config.schedule.steps, every = std::max<std::int64_t>(1, steps / points);
  recordPoint(run, stepper);
  while (run.failure.empty() && stepper.made() < steps) {
    if (cancelled && cancelled()) return interrupted();
    if (const auto step = stepper.step(steps); !step) {
      run.failure = step.error().message;
    } else if (stepper.made() % every == 0 || stepper.made() == steps) {
      recordPoint(run, stepper);
      made(static_cast<double>(stepper.made()) / static_cast<double>(steps));
    }
  }
  return run;
}

}  // namespace sepx::studies
