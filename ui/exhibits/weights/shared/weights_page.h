// SPDX-License-Identifier: Apache-2.0
// The base class of the pages of the Weights exhibit. Each page is a view of the open model. The exhibit owns what the
// pages share and passes it in. Frame thread; long work runs in jobs, on lanes whose names begin with "weights.".
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

/// The results for a layer or for one head; null: not yet computed.
struct PlaceScores {
  const attention::Scores* scores = nullptr;
  const attention::Moments* moments = nullptr;
  const attention::RandomBands* band = nullptr;
};

/// Scores of one layer of the open model and of its heads, as far as a background job has computed them.
struct LayerScores {
  checkpoint::Stack stack = checkpoint::Stack::Self;
  int layer = 0;
  std::shared_ptr<const attention::Moments> moments;                   ///< null: not yet computed
  std::shared_ptr<const std::vector<attention::Moments>> headMoments;  ///< null: not yet computed
  attention::Scores scores;                                            ///< with the present options; NaN: none yet
  std::vector<attention::Scores> headScores;
  attention::RandomBands band, headBand;  ///< samples 0: not yet computed

  bool complete() const { return moments && headMoments; }
  /// The results for a head; -1: for the whole layer.
  PlaceScores of(int head) const {
    if (head < 0) return {moments ? &scores : nullptr, moments.get(), &band};
    const auto h = static_cast<std::size_t>(head);
    return {h < headScores.size() ? &headScores[h] : nullptr,
            headMoments && h < headMoments->size() ? &(*headMoments)[h] : nullptr, &headBand};
  }
};

/// The residual stream that enters a layer when the text of the page Sentence goes through the model.
struct StreamVectors {
  checkpoint::Stack stack = checkpoint::Stack::Self;
  int layer = 0, n = 0, d = 0;
  std::vector<float> values;       ///< [n, d]
  std::vector<std::string> names;  ///< of the tokens
};

/// The data that pages read. Pointers are null while something is being opened or computed, or if it does not exist.
struct WeightsShared {
  const WeightsState& state;
  std::shared_ptr<const checkpoint::Model> model;
  std::string assets;   ///< folder of what ships with the program; empty before the first frame
  std::string failure;  ///< why `model` is null: one sentence, empty while it is being opened
  const checkpoint::AttentionLayer* layer = nullptr;       ///< the selected one
  std::shared_ptr<const attention::LayerFactors> factors;  ///< of the selected layer and head
  std::shared_ptr<const attention::Moments> moments;       ///< of these factors
  bool momentsPending = false;                             ///< the moments are still to come
  const std::vector<LayerScores>* board = nullptr;         ///< in the order of the map's layers, never null
  std::uint64_t modelRevision = 0, factorsRevision = 0, boardRevision = 0;  ///< change with the content
  std::string factorsFailure;            ///< why an existing layer has no factors: one sentence
  attention::Scores scores;              ///< of `moments` with the present options; NaN: not yet computed
  attention::DirectionalityParts parts;  ///< of `moments` with the present options
  double excess = 0, sum = 0;            ///< directionality in both variants, each with the selected or its usual ddof
  attention::RandomBands band;           ///< for the shape of the selected layer or head; samples 0: not yet computed
  /// A page in sight that needs the board calls this every frame. Otherwise very large models have no board.
  std::function<void()> requestBoard;
  /// Drops the model and opens it again, because the rules have changed.
  std::function<void()> reopen;
  std::shared_ptr<const StreamVectors> stream;  ///< for the page Token pair; null: none was kept
  std::function<void(std::shared_ptr<const StreamVectors>)> keepStream;
  /// The name of a model for the user. Without an argument: of the open model, which must not be null.
  std::string title(const checkpoint::Model& of) const { return modelName(of.checkpoint->path(), assets); }
  std::string title() const { return title(*model); }
};

using PageFrame = FrameOf<WeightsShared>;

/// Digest of what pages show of the shared data.
std::uint64_t contentDigest(const WeightsShared& shared);

/// The properties of a page that the exhibit needs.
struct WeightsTraits {
  bool aboutMatrix = false;  ///< it shows the selected matrix: the strip offers its parts, and the column and
                             ///< the caption contain its scores
  /// The files that its picture is made from, besides the open checkpoint; null: none.
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
