// SPDX-License-Identifier: Apache-2.0
// A page of the Weights exhibit: a view of one open model. The exhibit owns what they share and passes it in. Frame
// thread; long work in jobs, on lanes that begin with "weights.".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/attention/random_band.h"
#include "engine/attention/scores.h"
#include "engine/checkpoint/model_cache.h"
#include "ui/exhibits/model_name.h"
#include "ui/exhibits/weights/shared/weights_state.h"
#include "ui/views/page.h"

namespace sepx::ui {

/// What is known of a layer or of one head; null: not yet.
struct PlaceScores {
  const attention::Scores* scores = nullptr;
  const attention::Moments* moments = nullptr;
  const attention::RandomBands* band = nullptr;
};

/// Scores of every layer and head of the open model, as far as a background job has got.
struct LayerScores {
  checkpoint::Stack stack = checkpoint::Stack::Self;
  int layer = 0;
  std::shared_ptr<const attention::Moments> moments;                   ///< null: not yet
  std::shared_ptr<const std::vector<attention::Moments>> headMoments;  ///< null: not yet
  attention::Scores scores;                                            ///< of the present options; NaN: not yet
  std::vector<attention::Scores> headScores;
  attention::RandomBands band, headBand;  ///< samples 0: not yet

  bool complete() const { return moments && headMoments; }
  /// Of a head; -1: of the whole layer.
  PlaceScores of(int head) const {
    if (head < 0) return {moments ? &scores : nullptr, moments.get(), &band};
    const auto h = static_cast<std::size_t>(head);
    return {h < headScores.size() ? &headScores[h] : nullptr,
            headMoments && h < headMoments->size() ? &(*headMoments)[h] : nullptr, &headBand};
  }
};

/// The stream that enters a layer while the page Sentence reads a text.
struct StreamVectors {
  checkpoint::Stack stack = checkpoint::Stack::Self;
  int layer = 0, n = 0, d = 0;
  std::vector<float> values;       ///< [n, d]
  std::vector<std::string> names;  ///< of the tokens
};

/// What pages read. Pointers are null while something is being opened or computed, or where there is nothing.
struct WeightsShared {
  const WeightsState& state;
  std::shared_ptr<const checkpoint::Model> model;
  std::string assets;   ///< folder of what ships with the program; empty before the first frame
  std::string failure;  ///< why `model` is null: one sentence, empty while it is being opened
  const checkpoint::AttentionLayer* layer = nullptr;       ///< the chosen one
  std::shared_ptr<const attention::LayerFactors> factors;  ///< of the chosen layer and head
  std::shared_ptr<const attention::Moments> moments;       ///< of these factors
  bool momentsPending = false;                             ///< they are still to come
  const std::vector<LayerScores>* board = nullptr;         ///< in the order of the map's layers, never null
  std::uint64_t modelRevision = 0, factorsRevision = 0, boardRevision = 0;  ///< change with the content
  std::string factorsFailure;            ///< why there are no factors of a layer that there is: one sentence
  attention::Scores scores;              ///< of `moments` by the present options; NaN: not yet
  attention::DirectionalityParts parts;  ///< of `moments` by the present options
  double excess = 0, sum = 0;   ///< directionality in both variants, each with its usual ddof or the chosen one
  attention::RandomBands band;  ///< of the chosen layer's or head's shape; samples 0: not yet
  /// A page in sight that needs the board asks for it every frame; very large models have none otherwise.
  std::function<void()> wantBoard;
  /// Forgets the model and opens it again: rules have changed.
  std::function<void()> reopen;
  std::shared_ptr<const StreamVectors> stream;  ///< for the page Token pair; null: none was kept
  std::function<void(std::shared_ptr<const StreamVectors>)> keepStream;
  /// What a person calls a model; the open one, which is there.
  std::string title(const checkpoint::Model& of) const { return modelName(of.checkpoint->path(), assets); }
  std::string title() const { return title(*model); }
};

using PageFrame = FrameOf<WeightsShared>;

/// What pages show of them.
std::uint64_t madeOf(const WeightsShared& shared);

/// What a page is about.
struct WeightsTraits {
  bool aboutMatrix = false;  ///< the chosen matrix: then the strip has the parts of it, the column and the caption its
                             ///< scores
  /// Files behind its picture beside the open checkpoint.
  std::vector<std::string> (*furtherFiles)(const WeightsState&) = nullptr;
};

class WeightsPage : public Page<WeightsShared> {
 public:
  const WeightsTraits& traits() const { return traits_; }

 protected:
  explicit WeightsPage(PageLabel label, WeightsTraits traits = {}) : Page(std::move(label)), traits_(traits) {}

 private:
  const WeightsTraits traits_;
};

}  // namespace sepx::ui
