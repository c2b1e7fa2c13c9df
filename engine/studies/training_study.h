// SPDX-License-Identifier: Apache-2.0
// Figures 3, 4 and 6 of Local-to-Global, by training the full transformer. 4: where the standard and the proposed
// initialisation end, in settings that are judged and in others whose outcome is shown. 3 and 6: singular values of
// the weights over the steps, from a Gaussian and from a rank-one start, as the text prints the setting of figure 3
// (SGD, sigma .001) and as the released arrays fit it (AdamW, sigma .02). These two differ in optimiser, rate and
// sigma, so there are the two crossed settings too, and the released setting with other chains. Judged is the setting
// as released, on seeds that did not set the bound; beside it stands what else the paper says of figure 3, of the
// setting as printed, of W_Q and W_K, of the direction and of other chains. Each run has one thread; several run at
// once. Workers only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/markov/chain.h"
#include "engine/studies/study.h"
#include "engine/train/run_config.h"

namespace sepx::studies {

/// sigma1/sigma2 of these, in this order. The transformer of Section 2 has no W_O, so that its W_V is our W_O W_V
/// (Appendix C speaks of the product); W_V alone is what the released arrays hold.
inline constexpr std::array<const char*, 6> kWatched{"W_1", "W_2", "W_O W_V", "W_V", "W_Q", "W_K"};
inline constexpr std::size_t kJudged = 3;       ///< the claim is about the first of them
inline constexpr std::size_t kQueryAndKey = 4;  ///< the last two
/// The name of the setting as the text prints it.
inline constexpr const char* kPrinted = "printed";
inline constexpr const char* kReleased = "released";
struct SpectrumPoint {  ///< of watched matrices at a step
  std::int64_t step = 0;
  std::array<double, kWatched.size()> ratio{};
  /// |cosine| of the embedding vector and the largest singular vector on the side of the stream: what the matrix reads,
  /// of W_2 and W_O W_V what it writes (App. C: W_O W_V = alpha v^T).
  std::array<double, kWatched.size()> alignment{};
};
struct LossPoint {  ///< at a step
  std::int64_t step = 0;
  double loss = 0;  ///< on the validation sequences, nats
};

/// A setting: everything but start and seed.
struct TrainingSetting {
  std::string name;         ///< "adamw-d4"
  const char* what = "";    ///< one line
  bool judged = true;       ///< else its outcome is shown
  std::vector<int> starts;  ///< indices into kStarts
  int seeds = 1;            ///< from --seed upwards
  int points = 40;          ///< of a curve
  train::RunConfig config;
  markov::Chain chain() const { return {config.data.p, config.data.q}; }
};
struct TrainingStart {  ///< where a training begins
  const char* name;     ///< "standard"
  const char* words;    ///< for people
  bool expectsBigram;   ///< else the unigram entropy
};
inline constexpr std::array<TrainingStart, 4> kStarts{{{"standard", "standard", false},
                                                       {"proposed-scalars", "proposed, scalars", true},
                                                       {"proposed-literal", "proposed, literal entries", true},
                                                       {"rank-one", "rank one", true}}};

/// Where a run of figure 4 ended.
enum class TrainingEnd { Unigram, Bigram, Between, Above, Diverged };
const char* toString(TrainingEnd end);

struct TrainingRun {  ///< one training
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
const TrainingStart& startOf(const TrainingRun& run);  ///< its start
/// Shares at most this far from 0 or 1 have arrived.
inline constexpr double kArrived = 0.1;
/// sigma1^2 is nine tenths of sigma1^2 + sigma2^2 there. Ours: the paper says "approximately rank-one" and no number.
inline constexpr double kRankOne = 3;
/// An angle of 26 degrees. Ours: the paper says that a component is "same as the embedding vector".
inline constexpr double kAligned = 0.9;

struct TrainingFigure {  ///< a figure, computed again
  int figure = 4;
  bool quick = false;
  std::vector<TrainingSetting> settings;
  std::vector<TrainingRun> runs;  ///< by setting, start, seed
  markov::Chain chain() const;    ///< that the settings learn whose name has no chain
  /// Of figure 4: the run ended where the paper says that its start does. Nothing for a quick run of a setting that is
  /// not judged: it is stopped long before its end.
  std::optional<bool> asClaimed(const TrainingRun& run) const;
  /// Of figures 3 and 6: all seeds of that setting end with rankOne().
  bool shows(std::size_t setting) const;
  /// Of the judged settings. Figure 4: the end of every run. Else: sigma1/sigma2 of every judged matrix of every run.
  std::vector<Check> checks() const;
  /// Of figures 3 and 6. The paper says that the matrices become (stay) approximately of rank one, the others too: W_Q
  /// and W_K as released; of figure 3 also the setting as printed, the direction, and other chains.
  std::vector<Check> observations() const;
  bool passed() const { return studies::passed(checks()); }
};

/// Quick: fewer steps and seeds, shorter sequences. Internal when a setting is refused by its own checks.
Result<TrainingFigure> computeTrainingFigure(int figure, const Work& work);

}  // namespace sepx::studies
