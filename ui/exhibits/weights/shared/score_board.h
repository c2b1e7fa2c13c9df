// SPDX-License-Identifier: Apache-2.0
// The scores of all layers of a model, and of their heads where they are wanted, layer by layer in a job; scores that
// need no new moments are made from those that are there. Frame thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/page/lane.h"

namespace sepx::ui {

class ScoreBoard {
 public:
  /// `lane`: its name within a pane, "weights.board". `heads`: single heads and bands of random matrices as well.
  ScoreBoard(std::string lane, bool heads) : heads_(heads), lane_(std::move(lane)) {}

  /// Takes over what is finished; true: there was something.
  bool refresh(ExhibitContext& context);
  /// Starts what is stale; true: layers() is of another model now, without scores yet.
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
