// SPDX-License-Identifier: Apache-2.0
// Chains of order k, which Local-to-Global names as an open question: trains the transformer of Section 2 with layer
// norms and one or two layers on chains of order 1, 2 and 3, and compares its loss with that of the true chain. No
// theory is claimed. The kernels are chosen so that a bit is informative mainly together with the others of its
// context: for k > 1 the best loss from the last bit alone is far from the entropy rate.
#include <algorithm>
#include <cmath>

#include "engine/core/try.h"
#include "engine/data/markov.h"
#include "engine/data/source_config.h"
#include "engine/studies/canonical_start.h"
#include "engine/studies/run_all.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

namespace sepx::studies {
namespace {

constexpr int kMost = 3;
constexpr double kReached = 0.2, kBelow = -0.002;  // seeds 0 to 2 had 0.08 at most, -2e-5 at least
/// P(1 | the last k bits), indexed by these bits with the oldest as the highest.
const std::vector<double>& kernelOfOrder(int k) {
  static const std::vector<double> kernels[kMost] = {
      {0.2, 0.7}, {0.15, 0.8, 0.75, 0.2}, {0.1, 0.85, 0.8, 0.2, 0.9, 0.15, 0.25, 0.8}};
  return kernels[k - 1];
}

struct OrderRun {
  int order = 1, layers = 1;
  std::uint64_t seed = 0;
  std::vector<double> steps, losses;
  std::vector<double> truth;  ///< [order + 1]: loss of the best predictor from the last j bits, on the same sequences
  std::string failure;
  /// 0: the loss of the true chain; 1: that of the letter frequencies.
  double share() const { return (losses.back() - truth.back()) / (truth.front() - truth.back()); }
  double lastBitShare() const { return (truth[1] - truth.back()) / (truth.front() - truth.back()); }
};

train::RunConfig configOf(const OrderRun& run, bool quick) {
  train::RunConfig config = sectionTwo({}, 16, quick ? 32 : 64);
  config.seed = config.data.seed = run.seed;
  config.data.order = run.order;
  config.data.kernel = kernelOfOrder(run.order);
  config.model.layers = run.layers;
  config.model.heads = 2;
  config.model.norm = nn::Norm::Layer;
  config.optimisation.rule.rule = nn::Rule::AdamW;
  config.optimisation.rule.learningRate = 3e-3;
  config.optimisation.decay = train::Decay::Cosine;
  config.schedule.batch = 32;
  config.schedule.steps = quick ? 300 : 3000;
  config.schedule.evaluateSequences = quick ? 64 : 256;
  return config;
}

/// P(next = 1 | the last j bits of `past`) for a stationary chain, by sums of pi over the states that agree with them.
double oneAfter(const std::vector<double>& kernel, const std::vector<double>& pi, int k,
                std::span<const std::int32_t> past, int j) {
  const int known = std::min({j, static_cast<int>(past.size()), k});
  std::size_t bits = 0;
  for (int i = 0; i < known; ++i)
    bits |= static_cast<std::size_t>(past[past.size() - 1 - static_cast<std::size_t>(i)]) << i;
  double one = 0, all = 0;
  for (std::size_t s = 0; s < pi.size(); ++s) {
    if ((s & ((std::size_t{1} << known) - 1)) != bits) continue;
    all += pi[s];
    one += pi[s] * kernel[s];
  }
  return one / all;
}

Result<void> addTruths(OrderRun& run, const train::RunConfig& config, const data::Source& source) {
  const std::vector<double>& kernel = config.data.kernel;
  SEPX_ASSIGN(const std::vector<double> pi, data::stationary(kernel));
  std::vector<std::int32_t> bits(static_cast<std::size_t>(config.model.length));
  run.truth.assign(static_cast<std::size_t>(run.order) + 1, 0.0);
  double count = 0;
  for (int s = 0; s < config.schedule.evaluateSequences; ++s) {
    source.sequence(data::Split::Validation, static_cast<std::uint64_t>(s), config.model.length, bits);
    for (std::size_t n = 0; n + 1 < bits.size(); ++n, ++count)
      for (int j = 0; j <= run.order; ++j) {
        const double one = oneAfter(kernel, pi, run.order, std::span(bits).first(n + 1), j);
        run.truth[static_cast<std::size_t>(j)] -= std::log(bits[n + 1] == 1 ? one : 1 - one);
      }
  }
  for (double& value : run.truth)
    value /= count;
  return {};
}

Result<void> follow(OrderRun& run, const Work& work, const std::function<void(double)>& made) {
  train::RunConfig config = configOf(run, work.quick);
  SEPX_TRY(train::check(config));
  SEPX_ASSIGN(const auto source, data::makeSource(config.data));
  SEPX_TRY(train::resolve(config, *source));
  SEPX_TRY(addTruths(run, config, *source));
  ThreadPool alone(1);
  train::Stepper stepper(config, *source, alone);
  stepper.begin();
  const std::int64_t steps = config.schedule.steps, every = steps / 20;
  const auto look = [&] {
    run.steps.push_back(static_cast<double>(stepper.made()));
    run.losses.push_back(stepper.validate().value);
  };
  look();
  while (stepper.made() < steps) {
    if (work.isCancelled()) return interrupted();
    if (const auto step = stepper.step(steps); !step) {
      run.failure = step.error().message;
      return {};
    }
    if (stepper.made() % every != 0) continue;
    look();
    made(static_cast<double>(stepper.made()) / static_cast<double>(steps));
  }
  return {};
}

Check shareCheck(const OrderRun& run, bool quick) {
  Check check{0,
              0,
              N_("loss minus that of the true chain, as a share of the gain from knowing the past"),
              1,
              run.failure.empty() ? run.share() : std::nan(""),
              "<=",
              kReached,
              notJudgedSeed(run.seed)};
  if (run.order == kMost && run.layers == 1)
    check.notJudged = N_("one layer did not reach this bound at this order in runs of the seeds 0 to 2");
  if (quick) check.notJudged = N_("a quick run stops long before it has learnt");
  check.about = sentence(N_("order {}, {} layers, seed {}"), run.order, run.layers, run.seed);
  return check;
}

/// The true chain is the best predictor in expectation; on these sequences a trained model may be slightly better.
Check floorCheck(const OrderRun& run) {
  Check check{0,
              0,
              N_("loss minus that of the true chain, on the same sequences"),
              1,
              run.failure.empty() ? run.losses.back() - run.truth.back() : std::nan(""),
              ">=",
              kBelow};
  check.about = sentence(N_("order {}, {} layers, seed {}"), run.order, run.layers, run.seed);
  return check;
}

StudyTable runTable(const std::vector<OrderRun>& runs) {
  StudyTable table;
  table.name = "runs";
  table.columns = {{.key = "order", .title = N_("order"), .width = 5},
                   {.key = "layers", .title = N_("layers"), .width = 8},
                   {.key = "seed", .title = N_("seed"), .width = 6},
                   {.key = "loss", .title = N_("loss"), .width = 10, .digits = 5},
                   {.key = "letters", .title = N_("letters"), .width = 10, .digits = 5},
                   {.key = "last_bit", .title = N_("last bit"), .width = 10, .digits = 5},
                   {.key = "chain", .title = N_("true chain"), .width = 12, .digits = 5},
                   {.key = "rate", .title = N_("entropy rate"), .width = 14, .digits = 5},
                   {.key = "share", .title = N_("share"), .width = 8, .digits = 3}};
  for (const OrderRun& run : runs) {
    const std::vector<double>& kernel = kernelOfOrder(run.order);
    const auto pi = data::stationary(kernel);
    Row& row = table.rows.emplace_back();
    row.cells = {run.order,
                 run.layers,
                 static_cast<int>(run.seed),
                 run.losses.back(),
                 run.truth[0],
                 run.truth[1],
                 run.truth.back(),
                 pi ? data::markovBounds(kernel, *pi).back().value : std::nan(""),
                 run.share()};
    row.note = run.failure;
  }
  table.notes = {
      N_("letters, last bit, true chain: loss of the best predictors from no bit, from the last bit and from the last "
         "k bits, on the validation sequences. share: 0 at the true chain, 1 at the letters.")};
  return table;
}

StudyResult resultOf(const std::vector<OrderRun>& runs, bool quick) {
  StudyResult result;
  result.study = &studyOf("local-to-global-order-k");
  result.quick = quick;
  result.head = {result.study->title, result.study->assumptions};
  StudyTable table = runTable(runs);
  result.numbers["rows"] = rowsOf(table, false);
  result.tables = {std::move(table)};
  for (int order = 1; order <= kMost; ++order) {
    StudyChart chart;
    chart.title = chart.whole = sentence(N_("order {}: loss, nats"), order);
    chart.xName = N_("step");
    chart.yName = N_("loss");
    for (const OrderRun& run : runs) {
      if (run.order != order) continue;
      chart.series.push_back({.look = static_cast<std::size_t>(run.layers - 1), .x = run.steps, .y = run.losses});
      chart.levels = {run.truth[0], run.truth[1], run.truth.back()};
    }
    result.charts.push_back(std::move(chart));
  }
  result.legend = {
      {N_("one layer"), 0}, {N_("two layers"), 1}, {N_("letters, last bit, true chain"), 0, StudyLegend::Mark::Level}};
  for (const OrderRun& run : runs) {
    result.checks.push_back(floorCheck(run));
    result.checks.push_back(shareCheck(run, quick));
  }
  return result;
}

Result<StudyResult> computeOrders(const Work& work) {
  std::vector<OrderRun> runs;
  for (int order = 1; order <= kMost; ++order)
    for (const int layers : {1, 2})
      for (std::uint64_t k = 0; k < (work.quick ? 1U : 3U); ++k)
        runs.push_back({.order = order, .layers = layers, .seed = work.seed + k});
  std::vector<double> costs;
  for (const OrderRun& run : runs)
    costs.push_back(run.layers);
  SEPX_TRY(runAll(work, costs,
                  [&](std::size_t i, const std::function<void(double)>& made) { return follow(runs[i], work, made); }));
  return resultOf(runs, work.quick);
}

}  // namespace

std::vector<Study> describeOrders() {
  return {
      {.id = "local-to-global-order-k",
       .form = StudyForm::Figure,
       .paper = kLocalToGlobal,
       .title = N_("Chains of order k"),
       .about = N_("training: chains of order 1, 2 and 3 beside their entropy rate"),
       .claim = N_("One layer on chains of order 1 and 2 and two layers on orders 1 to 3 end with a loss above that "
                   "of the true chain by at most a fifth of the gain from knowing the past; no run ends below it. No "
                   "theory is claimed: the paper has none beyond order 1."),
       .assumptions = N_("the transformer of Section 2 with layer norms, d = 16, two heads, N = 64, AdamW at 3e-3, "
                         "cosine, 3,000 steps of 32 sequences; quick: N = 32, 300 steps, one seed"),
       .thresholds = kOwnBounds,
       .compute = computeOrders}};
}

}  // namespace sepx::studies
