// SPDX-License-Identifier: Apache-2.0
// All runs of a figure, and how they are judged.
#include "engine/studies/training_study.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/try.h"
#include "engine/studies/run_all.h"
#include "engine/studies/training_run.h"

namespace sepx::studies {
namespace {

std::vector<TrainingRun> listRuns(const TrainingFigure& figure, std::uint64_t seed) {
  std::vector<TrainingRun> runs;
  for (std::size_t i = 0; i < figure.settings.size(); ++i)
    for (const int start : figure.settings[i].starts)
      for (int k = 0; k < figure.settings[i].seeds; ++k) {
        TrainingRun run;
        run.setting = i;
        run.start = start;
        run.seed = seed + static_cast<std::uint64_t>(k);
        runs.push_back(std::move(run));
      }
  return runs;
}

/// The approximate cost of a run: how many values pass through the layer.
double costOf(const TrainingSetting& setting) {
  return static_cast<double>(setting.config.schedule.steps) * setting.config.model.length *
         (64 + setting.config.model.length);
}

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// Figure 4: compares where the run ended with where its initialisation should end.
Check endCheck(const TrainingFigure& figure, const TrainingRun& run) {
  const TrainingStart& start = startOf(run);
  const double share = run.end() == TrainingEnd::Diverged ? kNoNumber : run.share();
  const auto [p, q] = figure.settings[run.setting].chain();
  Check check{p,
              q,
              start.expectsBigram ? N_("distance from the bigram entropy, as a share of the gap")
                                  : N_("distance from the unigram entropy, as a share of the gap"),
              1,
              std::abs(share - (start.expectsBigram ? 0 : 1)),
              "<=",
              kArrived};
  check.about = sentence(N_("{}, {}, seed {}"), figure.settings[run.setting].name, start.words, run.seed);
  check.notJudged = notJudgedSeed(run.seed);
  return check;
}

/// Figures 3 and 6: a check of sigma1/sigma2 or of the direction, for each of `count` matrices from `first` on.
void addMatrixChecks(std::vector<Check>& into, const TrainingFigure& figure, const TrainingRun& run, std::size_t first,
                     std::size_t count, bool direction = false) {
  const auto [p, q] = figure.settings[run.setting].chain();
  for (std::size_t matrix = first; matrix < first + count; ++matrix) {
    const bool ended = run.failure.empty() && !run.spectra.empty();
    const double value = !ended      ? kNoNumber
                         : direction ? run.spectra.back().alignment[matrix]
                                     : run.spectra.back().ratio[matrix];
    into.push_back({p, q,
                    sentence(direction ? N_("|cosine| of the first singular vector of {} and the embedding at the end")
                                       : N_("sigma1/sigma2 of {} at the end"),
                             kWatched[matrix]),
                    1, value, ">=", direction ? kAligned : kRankOne, notJudgedSeed(run.seed),
                    sentence(N_("{}, seed {}"), figure.settings[run.setting].name, run.seed)});
    if (direction) into.back().published = N_("the same");
  }
}

}  // namespace

const TrainingStart& startOf(const TrainingRun& run) {
  return kStarts[static_cast<std::size_t>(run.start)];
}

const char* toString(TrainingEnd end) {
  switch (end) {
    case TrainingEnd::Unigram:
      return "unigram";
    case TrainingEnd::Bigram:
      return "bigram";
    case TrainingEnd::Between:
      return "between";
    case TrainingEnd::Above:
      return "above";
    default:
      return "diverged";
  }
}

double TrainingRun::share() const {
  return (curve.back().loss - bigram) / (unigram - bigram);
}

TrainingEnd TrainingRun::end() const {
  if (!failure.empty() || !std::isfinite(share())) return TrainingEnd::Diverged;
  if (std::abs(share()) <= kArrived) return TrainingEnd::Bigram;
  if (std::abs(share() - 1) <= kArrived) return TrainingEnd::Unigram;
  return share() > 1 ? TrainingEnd::Above : TrainingEnd::Between;
}

bool TrainingRun::rankOne() const {
  return rankOne(0) && rankOne(1) && rankOne(2);
}

bool TrainingRun::rankOne(std::size_t matrix) const {
  return failure.empty() && !spectra.empty() && spectra.back().ratio[matrix] >= kRankOne;
}

bool TrainingFigure::shows(std::size_t setting) const {
  return std::all_of(runs.begin(), runs.end(),
                     [setting](const TrainingRun& run) { return run.setting != setting || run.rankOne(); });
}

markov::Chain TrainingFigure::chain() const {
  const data::SourceConfig& data = settings.front().config.data;
  return {data.p, data.q};
}

std::optional<bool> TrainingFigure::asClaimed(const TrainingRun& run) const {
  if (figure != 4 || (quick && !settings[run.setting].judged)) return std::nullopt;
  return run.end() == (startOf(run).expectsBigram ? TrainingEnd::Bigram : TrainingEnd::Unigram);
}

std::vector<Check> TrainingFigure::checks() const {
  std::vector<Check> all;
  for (const TrainingRun& run : runs) {
    if (!settings[run.setting].judged) continue;
    if (figure == 4)
      all.push_back(endCheck(*this, run));
    else
      addMatrixChecks(all, *this, run, 0, kJudged);
  }
  return all;
}

std::vector<Check> TrainingFigure::observations() const {
  std::vector<Check> all;
  if (figure == 4) return all;
  for (const TrainingRun& run : runs) {
    const std::string& name = settings[run.setting].name;
    const bool otherChain = name.starts_with(kReleased) && name != kReleased;
    if (figure == 3 && (name == kPrinted || otherChain)) addMatrixChecks(all, *this, run, 0, kJudged);
    if (name != kReleased) continue;
    addMatrixChecks(all, *this, run, kQueryAndKey, kWatched.size() - kQueryAndKey);
    if (figure == 3) addMatrixChecks(all, *this, run, 0, kJudged, true);
  }
  for (Check& check : all) {
    if (*check.published.pattern == '\0') check.published = N_("approximately rank-one");
    if (quick) check.notJudged = N_("a quick run has fewer steps and shorter sequences than the paper's");
  }
  return all;
}

Result<TrainingFigure> computeTrainingFigure(int figure, const Work& work) {
  TrainingFigure result;
  result.figure = figure;
  result.quick = work.quick;
  result.settings = trainingSettings(figure, work.quick);
  result.runs = listRuns(result, work.seed);
  std::vector<double> costs;
  for (const TrainingRun& run : result.runs)
    costs.push_back(costOf(result.settings[run.setting]));
  SEPX_TRY(runAll(work, costs, [&](std::size_t i, const std::function<void(double)>& made) -> Result<void> {
    TrainingRun& run = result.runs[i];
    auto followed = followTraining(result.settings[run.setting], run.start, run.seed, made, work.cancelled);
    if (!followed) return tl::unexpected(followed.error());
    followed->setting = run.setting;
    run = std::move(*followed);
    return {};
  }));
  return result;
}

}  // namespace sepx::studies
