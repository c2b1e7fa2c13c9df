// SPDX-License-Identifier: Apache-2.0
// Computes the scores of all layers of a model, and of their heads if requested, layer by layer in a job. Scores that
// need no new moments are computed from the existing ones. Frame thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/page/lane.h"

namespace sepx::ui {

class ScoreBoard {
 public:
  /// `lane`: the name of its lane within a pane, "weights.board". `heads`: also single heads and bands of random
  /// matrices.
  ScoreBoard(std::string lane, bool heads) : heads_(heads), lane_(std::move(lane)) {}

  /// Takes over finished results. Returns whether there were any.
  bool refresh(ExhibitContext& context);
  /// Starts a job if the scores are stale. Returns whether new moments are needed, so that layers() has no scores yet.
  bool update(const std::shared_ptr<const checkpoint::Model>& model, const WeightsState& state, const char* jobName,
              ExhibitContext& context);
  void clear();
  /// In the order of the map's layers.
  const std::vector<LayerScores>& layers() const { return layers_; }
  bool requested() const { return lane_.requested() != nullptr; }
  bool complete() const { return lane_.complete(); }

 private:
  struct Request {
    std::shared_ptr<const checkpoint::Model> model;
    checkpoint::FactorOptions options;
    attention::ScoreOptions score;
    bool sameMoments(const Request& other) const { return model == other.model && options == other.options; }
    bool operator==(const Request&) const = default;
  };
  const bool heads_;
  std::vector<LayerScores> layers_;
  Lane<Request, std::vector<LayerScores>> lane_;
};

}  // namespace sepx::ui
