// SPDX-License-Identifier: Apache-2.0
// The settings of the trained figures of Local-to-Global, and the execution of one run.
#include "engine/studies/training_run.h"

#include <algorithm>
#include <cmath>

#include "engine/core/try.h"
#include "engine/data/source_config.h"
#include "engine/studies/canonical_start.h"
#include "engine/train/matrix_spectrum.h"
#include "engine/train/metrics.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

namespace sepx::studies {
namespace {

using train::RunConfig;

constexpr int kStandard = 0, kScalars = 1, kLiteral = 2, kRankOneStart = 3;

void adamW(RunConfig& run, train::Decay decay) {
  run.optimisation.rule.rule = nn::Rule::AdamW;
  run.optimisation.rule.learningRate = 1e-3;
  run.optimisation.rule.beta1 = 0.9;
  run.optimisation.rule.beta2 = 0.95;
  run.optimisation.rule.weightDecay = 1e-3;
  run.optimisation.decay = decay;
}

void sgd(RunConfig& run, double rate) {
  run.optimisation.rule.rule = nn::Rule::Sgd;
  run.optimisation.rule.learningRate = rate;
}

/// Tables 1 and 2: an embedding of two rows, norms without bias, no other bias; N and d from the printed grids.
RunConfig tableTwo(int N) {
  RunConfig run = sectionTwo({0.5, 0.8}, 8, N);
  run.model.input = nn::Input::Table;
  run.model.norm = nn::Norm::Layer;
  run.model.normBias = false;
  run.model.outputBias = false;
  adamW(run, train::Decay::Cosine);
  return run;
}

std::vector<TrainingSetting> settingsOfFour(bool quick) {
  const std::vector<int> starts{kStandard, kScalars, kLiteral};
  const int seeds = quick ? 1 : 3;
  std::vector<TrainingSetting> all;
  const auto add = [&](const char* name, const char* what, bool judged, int times, RunConfig config, int steps) {
    config.schedule.steps = steps;
    config.initial.sigma = 0.02;
    all.push_back({name, what, judged, starts, times, quick ? 10 : 40, std::move(config)});
  };
  RunConfig small = sectionTwo({0.5, 0.8}, 4, 64);
  adamW(small, train::Decay::Cosine);
  add("adamw-d4", N_("d = 4, N = 64, no norms, AdamW at 1e-3, cosine"), true, seeds, small, quick ? 1500 : 4000);
  RunConfig descent = sectionTwo({0.5, 0.8}, 8, 64);
  sgd(descent, 0.01);
  add("sgd-d8", N_("d = 8, N = 64, no norms, SGD at 0.01"), true, seeds, descent, quick ? 1000 : 4000);
  RunConfig plateau = sectionTwo({0.5, 0.8}, 8, 64);
  adamW(plateau, train::Decay::Cosine);
  add("adamw-d8", N_("d = 8, N = 64, no norms, AdamW at 1e-3, cosine: Table 2's optimiser"), false, seeds, plateau,
      quick ? 500 : 8000);
  add("table-2", N_("Table 2 as printed: d = 8, N = 512, layer norms, two tied rows, AdamW at 1e-3, cosine"), false, 1,
      tableTwo(quick ? 64 : 512), quick ? 400 : 8000);
  if (quick) all.back().what = N_("Table 2 with N = 64 in place of 512: d = 8, layer norms, two tied rows, AdamW");
  return all;
}

std::vector<TrainingSetting> settingsOfSpectra(bool rankOne, bool quick) {
  const std::vector<int> starts{rankOne ? kRankOneStart : kStandard};
  constexpr double kSmall = 0.001, kLarge = 0.02;
  std::vector<TrainingSetting> all;
  const auto add = [&](std::string name, const char* what, bool judged, bool descent, double sigma,
                       const markov::Chain& chain = {0.2, 0.3}, int seeds = 3) {
    RunConfig run = sectionTwo(chain, 8, quick ? 128 : 1024);
    run.schedule.steps = quick ? 400 : 800;
    run.initial.sigma = sigma;
    if (descent)
      sgd(run, 0.1);
    else
      adamW(run, train::Decay::Constant);
    all.push_back({std::move(name), what, judged, starts, quick ? 1 : seeds, quick ? 10 : 40, std::move(run)});
  };
  add(kPrinted, N_("printed settings of figure 3: SGD (learning rate not given, here 0.1), sigma = 0.001"), false, true,
      kSmall);
  add(kReleased,
      rankOne ? N_("as figure 3 was released: AdamW at 1e-3, sigma = 0.02")
              : N_("as released: AdamW at 1e-3, sigma = 0.02"),
      true, false, kLarge);
  add("sgd-large", N_("crossed: SGD at 0.1, sigma = 0.02"), false, true, kLarge);
  add("adamw-small", N_("crossed: AdamW at 1e-3, sigma = 0.001"), false, false, kSmall);
  for (const markov::Chain& chain : {markov::Chain{0.5, 0.8}, {0.9, 0.3}, {0.1, 0.6}})
    add(fmt::format("{}-{}-{}", kReleased, chain.p, chain.q), N_("another chain: AdamW at 1e-3, sigma = 0.02"), false,
        false, kLarge, chain, 1);
  return all;
}

nn::Initial initialOf(int start, double sigma) {
  nn::Initial initial;
  initial.sigma = sigma;
  initial.scheme = start == kStandard       ? nn::InitialScheme::Gaussian
                   : start == kRankOneStart ? nn::InitialScheme::RankOne
                                            : nn::InitialScheme::Proposed;
  initial.reading = start == kLiteral ? nn::ProposedReading::Literal : nn::ProposedReading::Scalars;
  return initial;
}

/// Adds the losses of the true unigram and bigram probabilities on the validation sequences of the run.
void addTruth(TrainingRun& run, const RunConfig& config, const data::Source& source) {
  const double p = config.data.p, q = config.data.q, one = p / (p + q);
  std::vector<std::int32_t> bits(static_cast<std::size_t>(config.model.length));
  double unigram = 0, bigram = 0, count = 0;
  for (int s = 0; s < config.schedule.evaluateSequences; ++s) {
    source.sequence(data::Split::Validation, static_cast<std::uint64_t>(s), config.model.length, bits);
    for (std::size_t n = 0; n + 1 < bits.size(); ++n, ++count) {
      const double toOne = bits[n] == 1 ? 1 - q : p;
      unigram -= std::log(bits[n + 1] == 1 ? one : 1 - one);
      bigram -= std::log(bits[n + 1] == 1 ? toOne : 1 - toOne);
    }
  }
  run.unigram = unigram / count;
  run.bigram = bigram / count;
}

class Weights {
 public:
  explicit Weights(const train::Stepper& stepper) : layout_(stepper.layout()), theta_(stepper.theta()) {}

  SpectrumPoint spectra(std::int64_t step) const {
    using nn::ParameterRole;
    const attention::MatrixF value = matrix(ParameterRole::Value), projection = matrix(ParameterRole::Projection);
    const std::array<attention::MatrixF, kWatched.size()> matrices{
        matrix(ParameterRole::Up),    matrix(ParameterRole::Down), projection * value, value,
        matrix(ParameterRole::Query), matrix(ParameterRole::Key)};
    SpectrumPoint point;
    point.step = step;
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      const train::MatrixSpectrum of =
          train::matrixSpectrum({matrices[i].data(), static_cast<std::size_t>(matrices[i].size())},
                                static_cast<int>(matrices[i].rows()), static_cast<int>(matrices[i].cols()));
      point.ratio[i] = of.ratio();
      const bool writes = i == 1 || i == 2;  // W_2, and W_O W_V = alpha v^T of App. C
      const Eigen::VectorXd side = writes ? of.left : of.right, e = embedding().cast<double>();
      point.alignment[i] = side.size() == e.size() ? std::abs(side.dot(e)) / e.norm() : std::nan("");
    }
    return point;
  }
  /// Smallest over largest |entry| of the embedding vector; with two rows, of their difference.
  double hypercube() const {
    const Eigen::VectorXf e = embedding();
    return static_cast<double>(e.cwiseAbs().minCoeff()) / static_cast<double>(e.cwiseAbs().maxCoeff());
  }

 private:
  Eigen::VectorXf embedding() const {
    const nn::Parameter* parameter = layout_.find(nn::ParameterRole::Embedding, nn::ParameterKind::Embedding);
    const Eigen::Map<const attention::MatrixF> rows(theta_.data() + parameter->offset, parameter->rows,
                                                    parameter->columns);
    Eigen::VectorXf e = rows.row(0);
    if (rows.rows() == 2) e = rows.row(1) - rows.row(0);
    return e;
  }
  attention::MatrixF matrix(nn::ParameterRole role) const {
    const nn::Parameter* parameter = layout_.find(role, nn::ParameterKind::Weight, 0);
    return Eigen::Map<const attention::MatrixF>(theta_.data() + parameter->offset, parameter->rows, parameter->columns);
  }
  const nn::ParameterLayout& layout_;
  std::span<const float> theta_;
};

void look(TrainingRun& run, train::Stepper& stepper, bool spectra) {
  run.curve.push_back({stepper.made(), stepper.validate().value});
  if (spectra) run.spectra.push_back(Weights(stepper).spectra(stepper.made()));
}

}  // namespace

std::vector<TrainingSetting> trainingSettings(int figure, bool quick) {
  return figure == 4 ? settingsOfFour(quick) : settingsOfSpectra(figure == 6, quick);
}

Result<TrainingRun> followTraining(const TrainingSetting& setting, int start, std::uint64_t seed,
                                   const std::function<void(double share)>& made,
                                   const std::function<bool()>& cancelled) {
  RunConfig config = setting.config;
  config.seed = config.data.seed = seed;
  config.initial = initialOf(start, config.initial.sigma);
  SEPX_ASSIGN(const auto source, data::makeSource(config.data));
  SEPX_TRY(train::resolve(config, *source));
  TrainingRun run;
  run.start = start;
  run.seed = seed;
  addTruth(run, config, *source);
  ThreadPool alone(1);
  train::Stepper stepper(config, *source, alone);
  stepper.begin();
  const bool spectra = start == kRankOneStart || setting.starts.size() == 1;
  const std::int64_t steps = config.schedule.steps, every = std::max<std::int64_t>(1, steps / setting.points);
  look(run, stepper, spectra);
  while (run.failure.empty() && stepper.made() < steps) {
    if (cancelled && cancelled()) return interrupted();
    if (const auto step = stepper.step(steps); !step) {
      run.failure = step.error().message;
    } else if (stepper.made() % every == 0 || stepper.made() == steps) {
      look(run, stepper, spectra);
      made(static_cast<double>(stepper.made()) / static_cast<double>(steps));
    }
  }
  run.hypercube = Weights(stepper).hypercube();
  return run;
}

}  // namespace sepx::studies
