// SPDX-License-Identifier: Apache-2.0
// The data that the pages of the Weights exhibit share, kept up to date with the document: the open model, the factors
// and moments of the selected layer and head, the scores of all layers and heads ("the board"), and the band of random
// matrices. Each is computed on its own lane. Frame thread.
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
  /// `live`: the exhibit's state, which is also passed to update(); it must outlive the store.
  explicit WeightsStore(const WeightsState& live);

  /// Takes over finished results and starts work for stale ones. Sets stack, layer and head of the state to those that
  /// are shown. `further`: files that the picture is made from, besides the open one.
  void update(WeightsState& state, const std::vector<std::string>& further, ExhibitContext& context);
  /// Computes the moments of the selected factors, once `pictureThere`. Call after the update of the page.
  void updateMoments(bool pictureThere, ExhibitContext& context);
  /// Selects the layer of the open model that `state` names, or the nearest one, and sets stack, layer and head of
  /// `state` to what is shown.
  void choose(WeightsState& state);
  const WeightsShared& shared() const { return shared_; }
  WeightsShared& shared() { return shared_; }
  bool complete() const;
  /// The files that a figure is made from, with their hashes. Empty outside figures.
  std::vector<SourceFile> sources() const { return sources_; }
  /// Path of the open model, also of the bundled one.
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
  bool opened_ = false;  ///< opening `path_` was requested
  std::optional<checkpoint::AttentionLayer> layer_;
  ScoreBoard board_{"weights.board", true};
  bool boardRequested_ = false;
  std::uint64_t revision_ = 0;  ///< the last revision given to model, factors or board
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
