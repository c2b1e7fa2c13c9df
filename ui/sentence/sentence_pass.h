// SPDX-License-Identifier: Apache-2.0
// What the page Sentence shows of one forward pass: patterns of all heads with what describes them, predictions at
// every place, and the same of a pass in which something was changed. Made in jobs; immutable once made.
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
#include "engine/forward/kept_pass.h"
#include "engine/forward/predictions.h"
#include "ui/sentence/sentence_words.h"

namespace sepx::ui {

using ForwardPointer = std::shared_ptr<const forward::ForwardModel>;

/// Numbers that a pass may leave behind for the page: 1 GiB of them.
inline constexpr double kMostNumbers = 268'435'456;
inline constexpr std::size_t kBest = 12;  ///< predictions that are kept of a place
inline constexpr int kThumbSide = 24;     ///< cells of a small picture of a pattern

/// The pattern of one head: what each query (row) takes from each key (column).
struct HeadPattern {
  int block = 0, layer = 0, head = 0;
  std::shared_ptr<const std::vector<float>> weights;     ///< [n, n]
  std::shared_ptr<const std::vector<float>> thumb;       ///< [side, side], the largest weight of each part
  int side = 0;                                          ///< of `thumb`
  std::shared_ptr<const std::vector<float>> difference;  ///< from the same head of the whole model; null: none
  double entropy = 0;                                    ///< mean over queries of -sum_j p_ij log p_ij, nats
  double distance = 0;                                   ///< mean over queries of sum_j p_ij |i - j|
  double first = 0;                                      ///< mean share of key 0, over the queries after it
  double symmetry = 0;                                   ///< sum_ij p_ij p_ji / sum_ij p_ij^2
  int query = 0, key = 0;                                ///< the cell that exceeds an even share of its row the most
};

/// What the model predicts at a place: the next token, or the one that is masked there.
struct PlacePredictions {
  std::vector<forward::Prediction> best;
  double entropy = 0;  ///< nats
  /// The token that stands at the predicted place, where there is one.
  std::optional<double> truth;
  std::int64_t rank = 0;  ///< of it; 0: there is none
};

struct SentencePass {
  ForwardPointer forward;
  SentenceTokensPointer tokens;
  forward::KeptPass<float> kept;         ///< what a pass of another text takes up
  std::vector<HeadPattern> heads;        ///< block by block
  std::vector<PlacePredictions> places;  ///< empty: the file has no logits
  const forward::Activations<float>& run() const { return kept.run; }
  int n() const { return kept.run.positions; }
  /// Null: there is no such head.
  const HeadPattern* find(int layer, int head) const;
  int headsOf(int layer) const;
};
using SentencePassPointer = std::shared_ptr<const SentencePass>;

/// A pass in which something was changed, or of another model.
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

/// The streams of one text put into another one, and the two tokens whose logits are compared.
struct PatchedStreams {
  SentencePassPointer into;
  SentenceTokensPointer from;
  std::int32_t answer = 0, other = 0;  ///< likeliest after `from`, and after `into`
  forward::Patching patching;
  std::shared_ptr<const std::vector<float>> effect;  ///< [layers, positions]
};
using PatchedPointer = std::shared_ptr<const PatchedStreams>;
/// Usage: the texts have not as many tokens, or the model predicts the same token after both.
Result<PatchedPointer> patchSentence(SentencePassPointer into, SentenceTokensPointer from, ThreadPool& pool,
                                     const checkpoint::Cancelled& cancelled,
                                     const std::function<void(PatchedPointer, double)>& publish);

/// Whether a place predicts the token that stands there, instead of the next one.
bool predictsOwn(const checkpoint::ModelPlan& plan);
/// The place whose token is predicted at `place`.
int predictedBy(const checkpoint::ModelPlan& plan, int place);
/// The row of the logits in which the prediction at `place` stands.
int rowOfLogits(const checkpoint::ModelPlan& plan, int place);

/// Why a text of so many tokens is not shown; empty: it is.
std::string tooLong(const checkpoint::ModelPlan& plan, int tokens);

/// `before`: a pass of another text, whose rows before the first changed token are taken where the model allows it;
/// null: none. The result is the same with any.
Result<SentencePassPointer> runSentence(ForwardPointer model, SentenceTokensPointer tokens,
                                        const SentencePassPointer& before, ThreadPool& pool,
                                        const checkpoint::Cancelled& cancelled,
                                        const std::function<void(double)>& progress);
/// The same tokens through another model. `words`: of it; null: what lies beside its file. Usage: it has another number
/// of tokens, or other words, which are compared where both have some: those of the sentence, and a sample of the
/// vocabulary.
Result<ChangedPassPointer> runSecond(SentencePassPointer whole, const forward::ForwardModel& second,
                                     SentenceWordsPointer words, ThreadPool& pool,
                                     const checkpoint::Cancelled& cancelled);
Result<ChangedPassPointer> runChanged(SentencePassPointer whole, std::vector<forward::Intervention> changes,
                                      ThreadPool& pool, const checkpoint::Cancelled& cancelled);

/// What describes a pattern [n, n]; `query`, `key` too, without its pictures.
HeadPattern described(const float* weights, int n);

}  // namespace sepx::ui
