// SPDX-License-Identifier: Apache-2.0
// What the pages of the Weights exhibit share, kept in step with the document: the open model, the factors and moments
// of the chosen layer and head, the scores of all layers and heads ("the board"), the band of random matrices. Each is
// made in a job on a lane of its own; results of before are dropped by their stamp. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/exchange.h"
#include "ui/exhibit/exhibit.h"
#include "ui/exhibits/weights/shared/weights_page.h"

namespace sepx::ui {

/// The layer that is shown where the document asks for one that the model does not have: the nearest of its stack.
const checkpoint::AttentionLayer* chosenLayer(const checkpoint::AttentionMap& map, const WeightsState& state);
/// Nothing, all heads, or a head that the layer has.
int chosenHead(const checkpoint::AttentionLayer& layer, const WeightsState& state);

class WeightsStore {
 public:
  /// `live`: the exhibit's state, which update() is given; it outlives the store.
  explicit WeightsStore(const WeightsState& live);

  /// Takes over what is finished, starts what is stale. The state's stack, layer and head become those that are shown.
  /// `further`: files behind the picture beside the open one.
  void update(WeightsState& state, const std::vector<std::string>& further, ExhibitContext& context);
  /// Moments of the chosen factors, once `pictureThere`. After the page's own update.
  void updateMoments(bool pictureThere, ExhibitContext& context);
  /// The layer and head of the open model that `state` asks for become those that are shown.
  void choose(WeightsState& state);
  const WeightsShared& shared() const { return shared_; }
  WeightsShared& shared() { return shared_; }
  bool complete() const;
  /// The files the pictures are made from; their hashes are computed for figures.
  std::vector<SourceFile> sources() const { return sources_; }
  /// Where the open model lies, also the bundled one.
  const std::string& path() const { return path_; }

 private:
  using ModelPointer = std::shared_ptr<const checkpoint::Model>;
  struct Opened {
    std::uint64_t stamp = 0;
    ModelPointer model;
    std::string failure;
  };
  struct FactorsRequest {
    ModelPointer model;
    checkpoint::AttentionLayer layer;
    checkpoint::FactorOptions options;
    bool isSame(const FactorsRequest& other) const;
  };
  struct FactorsPart {
    std::uint64_t stamp = 0;
    std::shared_ptr<const attention::LayerFactors> factors;
    std::string failure;
  };
  struct MomentsPart {
    std::uint64_t stamp = 0;
    std::shared_ptr<const attention::Moments> moments;
  };
  struct BandRequest {
    int n = 0, rank = 0;
    attention::ScoreOptions options;
    bool operator==(const BandRequest& other) const;
  };
  struct BandPart {
    std::uint64_t stamp = 0;
    attention::RandomBands band;
  };
  struct BoardRequest {
    ModelPointer model;
    checkpoint::HeadPairing pairing = checkpoint::HeadPairing::Grouped;
    bool foldNorm = false;
    attention::ScoreOptions options;
    bool sameMoments(const BoardRequest& other) const;
    bool operator==(const BoardRequest& other) const;
  };
  struct BoardPart {
    std::uint64_t stamp = 0;
    std::vector<LayerScores> layers;
    bool finished = false;
  };
  struct HashPart {
    std::uint64_t stamp = 0;
    std::vector<SourceFile> sources;
  };

  void updateModel(WeightsState& state, ExhibitContext& context);
  void open(std::string path, ExhibitContext& context);
  void updateFactors(const WeightsState& state, ExhibitContext& context);
  void updateScores(const WeightsState& state);
  void updateBand(const WeightsState& state, ExhibitContext& context);
  void updateBoard(const WeightsState& state, ExhibitContext& context);
  void startBoard(ExhibitContext& context);
  void updateSources(const std::vector<std::string>& further, ExhibitContext& context);
  void forget(ExhibitContext& context);
  void forgetFactors(ExhibitContext& context);

  WeightsShared shared_;
  std::string path_;
  bool opened_ = false;  ///< `path_` was asked for
  std::optional<checkpoint::AttentionLayer> layer_;
  std::vector<LayerScores> board_;
  bool idle_ = true, boardWanted_ = false;
  std::uint64_t stamp_ = 0, modelStamp_ = 0, factorsStamp_ = 0, momentsStamp_ = 0, bandStamp_ = 0, boardStamp_ = 0,
                hashStamp_ = 0;
  bool modelDone_ = true, factorsDone_ = true, momentsDone_ = true, bandDone_ = true, boardDone_ = true,
       hashDone_ = true;
  std::optional<FactorsRequest> factorsRequest_;
  std::shared_ptr<const attention::LayerFactors> momentsOf_;  ///< whose moments are there or under way
  std::optional<BandRequest> bandRequest_;
  std::optional<BoardRequest> boardRequest_;
  std::optional<attention::ScoreOptions> scored_;
  std::uint64_t scoredRevision_ = 0;
  std::vector<SourceFile> sources_;
  std::shared_ptr<Exchange<Opened>> openedChannel_;
  std::shared_ptr<Exchange<FactorsPart>> factorsChannel_;
  std::shared_ptr<Exchange<MomentsPart>> momentsChannel_;
  std::shared_ptr<Exchange<BandPart>> bandChannel_;
  std::shared_ptr<Exchange<BoardPart>> boardChannel_;
  std::shared_ptr<Exchange<HashPart>> hashChannel_;
};

}  // namespace sepx::ui
