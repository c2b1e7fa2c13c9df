// SPDX-License-Identifier: Apache-2.0
// Measures forward and reverse gradients of a model at a step (engine/reversal): the cosine by group of parameters, the
// factors of the storage gradient, a step down the forward loss at several rates, the signs of Proposition 4.1, and the
// cosine at every saved step. Pure, except that it reads the files of the run; any thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/reversal/alignment.h"
#include "engine/reversal/ideal_cosines.h"
#include "engine/reversal/query.h"
#include "engine/reversal/storage_gradient.h"
#include "ui/exhibits/reversal/shared/shown_model.h"

namespace sepx::ui {

/// The loss that is differentiated.
enum class GradientsOf {
  Pair,  ///< that of the selected pair
  Mean   ///< the mean over kMeanPairs pairs, with letters and places in turn
};
inline constexpr int kMeanPairs = 52;

struct GradientsRequest {
  ShownModel model;
  GradientsOf of = GradientsOf::Pair;
  std::int32_t letter = 3;
  int lower = 0, upper = 4;  ///< places of the pair
  double rate = 1e-3;        ///< eta
  bool operator==(const GradientsRequest&) const = default;
};

struct GradientsResult {
  std::string title;      ///< of the model
  std::int64_t step = 0;  ///< -1: a shipped model
  int pairs = 1;
  int length = 0;
  reversal::Pair pair;
  reversal::Alignment alignment;
  reversal::StepEffect effect;                ///< at the chosen rate
  std::vector<reversal::StepEffect> effects;  ///< over rates, ascending
  // For the selected pair. Empty if the model does not have a single storage; storageSentence then says so.
  std::optional<reversal::StorageFactors> factors;
  double scoreForward = 0, scoreReverse = 0;    ///< dL/dS_B of the pair in both queries
  std::optional<reversal::IdealCosines> ideal;  ///< of the selected pair; empty for a mean
  std::string storageSentence;
};
using GradientsPointer = std::shared_ptr<const GradientsResult>;

/// Usage or BadInput with one sentence. If `shouldContinue(share)` returns false, the work ends and the result is null.
/// It is also called between groups of sequences, since one pass of a large model over all pairs takes seconds.
Result<GradientsPointer> measureGradients(const GradientsRequest& request,
                                          const std::function<bool(double share)>& shouldContinue);

/// Measurements over kMeanPairs single pairs, which take many times as long as the gradients of one.
struct SinglesRequest {
  ShownModel model;
  double rate = 1e-3;  ///< eta
  bool operator==(const SinglesRequest&) const = default;
};
struct SinglePairs {
  std::int64_t step = 0;
  int pairs = 0;
  double cosine = std::nan("");                 ///< mean of the pairs' cosines
  std::optional<reversal::StorageSigns> signs;  ///< empty if the model does not have a single storage
};
using SinglesPointer = std::shared_ptr<const SinglePairs>;
/// If `shouldContinue(share)` returns false, the work ends and the result is null.
Result<SinglesPointer> measureSingles(const SinglesRequest& request,
                                      const std::function<bool(double share)>& shouldContinue);

struct CosineHistory {
  std::vector<std::int64_t> steps;
  std::vector<reversal::Alignment> alignments;
};
using HistoryPointer = std::shared_ptr<const CosineHistory>;
/// Cosines at the saved steps of a run, of the mean over kMeanPairs pairs.
struct CosineHistoryRequest {
  std::string folder;
  train::RunConfig config;
  std::vector<std::int64_t> steps;  ///< saved, ascending
  std::shared_ptr<RunData> data;
  HistoryPointer known;  ///< an earlier result of this run; null: none
  bool operator==(const CosineHistoryRequest& other) const {
    return folder == other.folder && config == other.config && steps == other.steps;
  }
};
Result<void> measureHistory(const CosineHistoryRequest& request,
                            const std::function<bool(HistoryPointer, double share, bool last)>& made);

/// kMeanPairs pairs of a length, or all if there are fewer: letters in turn, places spread.
std::vector<reversal::Pair> meanPairs(int length);

}  // namespace sepx::ui
