// SPDX-License-Identifier: Apache-2.0
// See vision_study.h.
#include "engine/studies/vision_study.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/attention/scores.h"
#include "engine/core/try.h"
#include "engine/data/source_config.h"
#include "engine/studies/run_all.h"
#include "engine/train/metrics.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

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

const char* visionStartWord(bool symmetric) {
  return symmetric ? "symmetric" : "standard";
}

StudyTable visionTable() {
  StudyTable table;
  table.name = "vision";
  table.onPage = true;
  table.columns = {
      {.key = "model", .title = N_("model and data"), .width = -34, .share = 2.4},
      {.key = "start", .title = N_("initial point"), .width = -12, .share = 1.2},
      {.key = "train_loss", .title = N_("train loss"), .width = 12, .digits = 3, .share = 1, .briefDigits = 2},
      {.key = "loss", .title = N_("eval loss"), .width = 12, .digits = 3, .share = 1, .briefDigits = 2},
      {.key = "accuracy", .title = N_("accuracy"), .width = 10, .digits = 3, .share = 1, .briefDigits = 2},
      {.key = "symmetry", .shown = false}};
  table.verdict = table.narrowVerdict = 1.5;
  return table;
}

Row visionRow(Sentence model, bool symmetric, double trainLoss, double loss, double accuracy) {
  return {{Cell(std::move(model)), Cell(symmetric ? "W_K = W_Q" : N_("standard"), visionStartWord(symmetric)),
           trainLoss, loss, accuracy}};
}

StudyTable publishedVisionTable() {
  StudyTable table = visionTable();
  for (const PublishedVision& row : kTable3) {
    Row& made = table.rows.emplace_back(visionRow(sentence(N_("{} layers, {}"), row.layers, row.data), row.symmetric,
                                                  row.trainLoss, row.loss, row.accuracy));
    made.published = true;
    made.facts = {{"data", row.data}, {"layers", row.layers}};
  }
  return table;
}

Json visionRunJson(const VisionRun& run) {
  Json json{{"start", visionStartWord(run.symmetric)}, {"seed", run.seed}};
  const auto over = [&run](auto which) {
    return overPoints(run.points, [which](const VisionPoint& point) { return point.*which; });
  };
  json["step"] = over(&VisionPoint::step);
  json["train_loss"] = over(&VisionPoint::trainLoss);
  json["loss"] = over(&VisionPoint::loss);
  json["accuracy"] = over(&VisionPoint::accuracy);
  json["symmetry"] = over(&VisionPoint::symmetry);
  json["failure"] = run.failure;
  return json;
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
  addVisionCheck(all, N_("difference in accuracy between the starts"), std::abs(tied - plain), "<=", kAccuracyApart);
  addVisionCheck(all, N_("difference in validation loss between the starts"),
                 std::abs(mean(true, &VisionPoint::loss) - mean(false, &VisionPoint::loss)), "<=", kLossApart);
  return all;
}

StudyResult resultOf(const VisionTable& table) {
  StudyResult result;
  result.study = &studyOf("attention-structure-table-3");
  result.quick = table.quick;
  const train::RunConfig& config = table.config;
  const auto& [d, steps, batch] = std::tie(config.model.d_model, config.schedule.steps, config.schedule.batch);
  const std::size_t seeds = table.runs.size() / 2;
  result.head = {
      result.study->title, result.study->assumptions,
      table.quick
          ? sentence(N_("quick: d = {}, {} batches of {} generated images of 16 x 16 pixels, one seed; without --quick "
                        "the files of CIFAR-10 and three seeds"),
                     d, steps, batch)
          : sentence(N_("d = {}, {} batches of {} images of CIFAR-10 (about 3 passes), random crop and flip, {} seeds"),
                     d, steps, batch, seeds)};
  result.setting = table.quick
                       ? sentence(N_("Quick: d = {}, {} batches of {} generated images, one seed; nothing is judged."),
                                  d, steps, batch)
                       : sentence(N_("d = {}, {} batches of {} images of CIFAR-10, {} seeds."), d, steps, batch, seeds);
  StudyTable& shown = result.tables.emplace_back(publishedVisionTable());
  for (const bool symmetric : {false, true}) {
    const auto mean = [&](double VisionPoint::*which) { return table.mean(symmetric, which); };
    shown.rows.push_back(visionRow(
        sentence(N_("{} layers, {}"), config.model.layers, table.quick ? N_("generated figures") : "CIFAR-10"),
        symmetric, mean(&VisionPoint::trainLoss), mean(&VisionPoint::loss), mean(&VisionPoint::accuracy)));
    shown.rows.back().cells.emplace_back(mean(&VisionPoint::symmetry));
  }
  for (const VisionRun& run : table.runs)
    if (!run.failure.empty())
      shown.notes.push_back(sentence("  {} {}: {}", visionStartWord(run.symmetric), run.seed, run.failure));
  result.checks = table.checks();
  result.numbers["setup"] = {{"data", table.quick ? "shapes" : "cifar10"},
                             {"layers", config.model.layers},
                             {"d_model", d},
                             {"heads", config.model.heads},
                             {"steps", steps},
                             {"batch", batch}};
  result.numbers["published"] = rowsOf(shown, true);
  result.numbers["rows"] = rowsOf(shown, false);
  result.numbers["runs"] = overPoints(table.runs, visionRunJson);
  return result;
}

std::vector<Study> describeVision() {
  return {
      {.id = "attention-structure-table-3",
       .form = StudyForm::Table,
       .paper = kAttentionStructure,
       .title = N_("Loss and accuracy of a ViT from a symmetric start"),
       .about = N_("training: a small ViT from both starts, on CIFAR-10's files or generated images (--quick)"),
       .claim =
           N_("On CIFAR-10, after about 3 passes, the mean accuracy of the standard start is at least 0.2, and the "
              "two starts end within 0.05 of each other in accuracy and within 0.15 in validation loss."),
       .assumptions =
           N_("a small stand-in of 4 layers, without mixup and cutmix; the paper's models have 6 and 12 layers and "
              "train for 500 and 200 passes"),
       .thresholds = N_("The bounds are ours: set in November 2026 before any run on CIFAR-10."),
       .label = N_("Table 3"),
       .says = {N_("CIFAR-10, 6 layers: both starts end at an accuracy of 0.9."),
                N_("ImageNet-1k, 12 layers: both starts end at an accuracy of 0.76."),
                N_("So a symmetric start neither helps nor harms these vision transformers.")},
       .scale = N_("The paper trains ViTs of 6 and 12 layers for 500 and 200 passes over their images. Here a ViT of "
                   "4 layers trains on the files of CIFAR-10 where they are present, or, in the quick study, on "
                   "generated figures."),
       .printed = publishedVisionTable,
       .compute = [](const Work& work) { return resultOf(computeVision(work)); }}};
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
      run.failure = step.error().message;
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
    config.data.seed = table.config.data.seed;  // all runs use the same source
    SEPX_ASSIGN(table.runs[i], followVision(config, *source, kVisionPoints, made, work.cancelled));
    return {};
  }));
  if (work.isCancelled()) return interrupted();
  return table;
}

}  // namespace sepx::studies
