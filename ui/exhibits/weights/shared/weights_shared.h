// SPDX-License-Identifier: Apache-2.0
// What the pages of the Weights exhibit share, kept in step with the document: the open model, the factors and moments
// of the chosen layer and head, the scores of all layers and heads ("the board"), the band of random matrices. Each is
// made on a lane of its own. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/weights/shared/score_board.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

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
  using FactorsPointer = std::shared_ptr<const attention::LayerFactors>;
  struct OpenRequest {
    std::string path, rules;
  };
  struct FactorsRequest {
    ModelPointer model;
    checkpoint::AttentionLayer layer;
    checkpoint::FactorOptions options;
    bool operator==(const FactorsRequest& other) const;
  };
  struct BandRequest {
    int n = 0, rank = 0;
    attention::ScoreOptions options;
    bool operator==(const BandRequest&) const = default;
  };
  struct HashRequest {
    std::vector<SourceFile> sources;
    std::string rules;
  };

  void updateModel(WeightsState& state, ExhibitContext& context);
  void open(std::string path, ExhibitContext& context);
  void updateFactors(const WeightsState& state, ExhibitContext& context);
  void updateScores(const WeightsState& state);
  void updateBand(const WeightsState& state, ExhibitContext& context);
  void updateBoard(const WeightsState& state, ExhibitContext& context);
  void updateSources(const std::vector<std::string>& further, ExhibitContext& context);
  void forget();
  void forgetFactors();
  bool momentsPending() const;

  WeightsShared shared_;
  std::string path_;
  bool opened_ = false;  ///< `path_` was asked for
  std::optional<checkpoint::AttentionLayer> layer_;
  ScoreBoard board_{"weights.board", true};
  bool boardWanted_ = false;
  std::uint64_t revision_ = 0;  ///< given out last: of model, factors and board
  std::optional<attention::ScoreOptions> scored_;
  std::uint64_t scoredRevision_ = 0;
  std::vector<SourceFile> sources_;
  Lane<OpenRequest, Result<ModelPointer>> modelLane_{"weights.open"};
  Lane<FactorsRequest, Result<FactorsPointer>> factorsLane_{"weights.factors"};
  Lane<FactorsPointer, std::shared_ptr<const attention::Moments>> momentsLane_{"weights.moments"};
  Lane<BandRequest, attention::RandomBands> bandLane_{"weights.band"};
  Lane<HashRequest, std::vector<SourceFile>> hashLane_{"weights.hash"};
};

}  // namespace sepx::ui
