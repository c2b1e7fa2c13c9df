// SPDX-License-Identifier: Apache-2.0
// Figures 3, 4 and 6 of Local-to-Global, by training the full transformer here. 4: where the standard and the proposed
// initialisation end, in settings that are judged and in others whose outcome is only told. 3 and 6: singular values of
// the weights over the steps, from a Gaussian and from a rank-one start, as the text prints the setting (SGD, sigma
// .001) and as the released arrays fit it (AdamW, sigma .02). Each run has one thread; several run at once.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/json_out.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/render/scene.h"
#include "engine/train/run_config.h"
#include "ui/canvas/theme.h"

namespace sepx::app::cli {

struct TrainingFigureEntry {
  int figure;
  const char* id;  ///< "local-to-global-figure-4"
  const char* about;
};
const std::vector<TrainingFigureEntry>& trainingFigureEntries();

/// sigma1/sigma2 of these, in this order. The transformer of Section 2 has no W_O, so that its W_V is our W_O W_V
/// (Appendix C speaks of the product); W_V alone is what the released arrays hold.
inline constexpr std::array<const char*, 4> kWatched{"W_1", "W_2", "W_O W_V", "W_V"};
inline constexpr std::size_t kJudged = 3;  ///< the claim is about the first of them
struct SpectrumPoint {
  std::int64_t step = 0;
  std::array<double, kWatched.size()> ratio{};
};
struct LossPoint {
  std::int64_t step = 0;
  double loss = 0;  ///< on the validation sequences, nats
};

/// A setting: everything but start and seed.
struct TrainingSetting {
  std::string name;         ///< "adamw-d4"
  const char* what = "";    ///< one line, translated
  bool judged = true;       ///< else its outcome is told
  std::vector<int> starts;  ///< indices into kStarts
  int seeds = 1;            ///< from --seed upwards
  int points = 40;          ///< of a curve
  train::RunConfig config;
};
struct TrainingStart {
  const char* name;    ///< "standard"
  const char* words;   ///< translated
  bool expectsBigram;  ///< else the unigram entropy
};
inline constexpr std::array<TrainingStart, 4> kStarts{{{"standard", "standard", false},
                                                       {"proposed-scalars", "proposed, scalars", true},
                                                       {"proposed-literal", "proposed, literal entries", true},
                                                       {"rank-one", "rank one", true}}};

/// Where a run of figure 4 ended.
enum class TrainingEnd { Unigram, Bigram, Between, Above, Diverged };
const char* word(TrainingEnd end);

struct TrainingRun {
  std::size_t setting = 0;
  int start = 0;
  std::uint64_t seed = 0;
  std::vector<LossPoint> curve;
  std::vector<SpectrumPoint> spectra;  ///< of figures 3 and 6
  double unigram = 0, bigram = 0;      ///< what the true probabilities give on the same validation sequences
  double hypercube = 0;                ///< smallest over largest |entry| of the embedding vector at the end
  std::string failure;                 ///< why it stopped early; empty: it did not
  /// (loss - bigram)/(unigram - bigram) at the end.
  double share() const;
  TrainingEnd end() const;
  /// W_1, W_2 and W_O W_V have a ratio of kRankOne at least at the end, and it did not stop early.
  bool rankOne() const;
  bool rankOne(std::size_t matrix) const;  ///< index into kWatched
};
/// Shares at most this far from 0 or 1 have arrived.
inline constexpr double kArrived = 0.1;
/// sigma1^2 is nine tenths of sigma1^2 + sigma2^2 there. The papers give no number.
inline constexpr double kRankOne = 3;

struct TrainingFigure {
  int figure = 4;
  bool quick = false;
  std::vector<TrainingSetting> settings;
  std::vector<TrainingRun> runs;  ///< by setting, start, seed
  /// Figure 4: every run of a judged setting ended where it should. Else: the claim is shown by some setting.
  bool passed() const;
  /// Of figures 3 and 6: by all seeds of that setting.
  bool shows(std::size_t setting) const;
};

/// Internal when a setting is refused by its own checks.
Result<TrainingFigure> computeTrainingFigure(int figure, bool quick, std::uint64_t seed, ThreadPool& pool,
                                             const std::function<void(double share)>& progress);
Json trainingFigureJson(const TrainingFigure& figure);
std::string trainingFigureText(const TrainingFigure& figure);
std::string trainingFigureTitle(int figure);
/// A plot for each setting.
render::Scene trainingFigureScene(const TrainingFigure& figure, double width, double height, const ui::Theme& theme);

/// What is trained: the settings of a figure.
std::vector<TrainingSetting> trainingSettings(int figure, bool quick);
/// One run; `made` is called after every point of its curve with the share done.
Result<TrainingRun> followTraining(const TrainingSetting& setting, int start, std::uint64_t seed,
                                   const std::function<void(double share)>& made);

}  // namespace sepx::app::cli
