// SPDX-License-Identifier: Apache-2.0
// The results of one forward pass that the page Sentence shows: the patterns of all heads with their statistics, the
// predictions at every place, and the same for a pass with a change. Computed in jobs; immutable once made.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/effects.h"
#include "engine/forward/forward_pass.h"
#include "engine/forward/predictions.h"
#include "engine/forward/reusable_pass.h"
#include "ui/sentence/sentence_words.h"

namespace sepx::ui {

using ForwardPointer = std::shared_ptr<const forward::ForwardModel>;

/// Limit on the numbers that a pass keeps for the page, 1 GiB.
inline constexpr double kMostNumbers = 268'435'456;
inline constexpr std::size_t kBest = 12;  ///< predictions that are kept per place
inline constexpr int kThumbSide = 24;     ///< cells along a side of a small picture of a pattern, at most

/// The pattern of one head: the weight that each query (row) gives each key (column).
struct HeadPattern {
  int block = 0, layer = 0, head = 0;
  std::shared_ptr<const std::vector<float>> weights;     ///< [n, n]
  std::shared_ptr<const std::vector<float>> thumb;       ///< [side, side], the largest weight in each block
  int side = 0;                                          ///< of `thumb`
  std::shared_ptr<const std::vector<float>> difference;  ///< minus the same head of the whole model; null: none
  double entropy = 0;                                    ///< mean over queries of -sum_j p_ij log p_ij, nats
  double distance = 0;                                   ///< mean over queries of sum_j p_ij |i - j|
  double first = 0;                                      ///< mean share of key 0, over the queries after it
  double symmetry = 0;                                   ///< sum_ij p_ij p_ji / sum_ij p_ij^2
  int query = 0, key = 0;                                ///< the cell that exceeds a uniform weight of its row the most
};

/// What the model predicts at a place: the next token, or the one that is masked there.
struct PlacePredictions {
  std::vector<forward::Prediction> best;
  double entropy = 0;  ///< nats
  /// Probability of the token at the predicted place, if there is one.
  std::optional<double> truth;
  std::int64_t rank = 0;  ///< rank of that token; 0: there is none
};

struct SentencePass {
  ForwardPointer forward;
  SentenceTokensPointer tokens;
  forward::ReusablePass<float> kept;     ///< reused by a pass of another text
  std::vector<HeadPattern> heads;        ///< ordered by block
  std::vector<PlacePredictions> places;  ///< empty: the file has no logits
  const forward::Activations<float>& run() const { return kept.run; }
  int n() const { return kept.run.positions; }
  /// Null: there is no such head.
  const HeadPattern* find(int layer, int head) const;
  int headsOf(int layer) const;
};
using SentencePassPointer = std::shared_ptr<const SentencePass>;

/// A pass with a change in the model, or of another model.
struct ChangedPass {
  SentencePassPointer whole;
  std::vector<HeadPattern> heads;
  std::vector<PlacePredictions> places;
  std::vector<double> divergence;  ///< by place: KL(whole || changed), nats
  /// By place: probabilities in the whole model of the tokens of `places[place].best`; empty: it has no logits there.
  std::vector<std::vector<double>> before;
  /// Null: there is no such head in it.
  const HeadPattern* find(int layer, int head) const;
};
using ChangedPassPointer = std::shared_ptr<const ChangedPass>;

/// Path patching: the streams of one text put into another one, and the two tokens whose logits are compared.
struct PatchedStreams {
  SentencePassPointer into;
  SentenceTokensPointer from;
  std::int32_t answer = 0, other = 0;  ///< likeliest token after `from`, and after `into`
  forward::Patching patching;
  std::shared_ptr<const std::vector<float>> effect;  ///< [layers, positions]
};
using PatchedPointer = std::shared_ptr<const PatchedStreams>;
/// Usage error if the texts differ in the number of tokens, or if the model predicts the same token after both.
Result<PatchedPointer> patchSentence(SentencePassPointer into, SentenceTokensPointer from, ThreadPool& pool,
                                     const checkpoint::Cancelled& cancelled,
                                     const std::function<void(PatchedPointer, double)>& publish);

/// Whether a place predicts its own token, instead of the next one.
bool predictsOwn(const checkpoint::ModelPlan& plan);
/// The place whose token is predicted at `place`.
int predictedBy(const checkpoint::ModelPlan& plan, int place);
/// The row of the logits that has the prediction at `place`.
int rowOfLogits(const checkpoint::ModelPlan& plan, int place);

/// Why a text of so many tokens cannot be shown; empty: it can.
std::string tooLong(const checkpoint::ModelPlan& plan, int tokens);

/// `before`: a pass of another text, whose rows before the first changed token are reused if the model allows it; null:
/// none. The result does not depend on it.
Result<SentencePassPointer> runSentence(ForwardPointer model, SentenceTokensPointer tokens,
                                        const SentencePassPointer& before, ThreadPool& pool,
                                        const checkpoint::Cancelled& cancelled,
                                        const std::function<void(double)>& progress);
/// Runs the same tokens through another model. `words`: words of that model; null: those beside its file. Usage error
/// if it has another number of tokens or other words. If both models have words, those of the sentence and a sample of
/// the vocabulary are compared.
Result<ChangedPassPointer> runSecond(SentencePassPointer whole, const forward::ForwardModel& second,
                                     SentenceWordsPointer words, ThreadPool& pool,
                                     const checkpoint::Cancelled& cancelled);
Result<ChangedPassPointer> runChanged(SentencePassPointer whole, std::vector<forward::Intervention> changes,
                                      ThreadPool& pool, const checkpoint::Cancelled& cancelled);

/// The statistics of a pattern [n, n], with `query` and `key`, without its pictures.
HeadPattern described(const float* weights, int n);

}  // namespace sepx::ui
