// SPDX-License-Identifier: Apache-2.0
// Scores by layer of the second checkpoint, for the scatter plot: opened and computed in a job. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/exchange.h"
#include "ui/exhibit/exhibit.h"
#include "ui/exhibits/weights/shared/weights_page.h"

namespace sepx::ui {

class OtherScores {
 public:
  OtherScores();
  /// Takes over what is finished, starts what is stale. An empty path: there is none.
  void update(const std::string& path, const WeightsState& state, ExhibitContext& context);
  const std::shared_ptr<const checkpoint::Model>& model() const { return model_; }
  const std::vector<LayerScores>& board() const { return board_; }
  const std::string& failure() const { return failure_; }
  std::uint64_t revision() const { return revision_; }
  bool complete() const { return !running_; }

 private:
  struct Published {
    std::uint64_t ticket = 0;
    bool done = false;
    std::shared_ptr<const checkpoint::Model> model;
    std::vector<std::shared_ptr<const attention::Moments>> moments;  ///< in the order of the map's layers
    std::string failure;
  };
  static Published made(const std::string& path, const std::string& rules, checkpoint::HeadPairing pairing,
                        bool foldNorm, ThreadPool& pool, JobContext& job);
  void score(const attention::ScoreOptions& options);

  std::shared_ptr<Exchange<Published>> exchange_;
  std::string wanted_;  ///< path and options of the job that was started last
  std::uint64_t ticket_ = 0, revision_ = 1;
  bool running_ = false;
  std::shared_ptr<const checkpoint::Model> model_;
  std::vector<std::shared_ptr<const attention::Moments>> moments_;
  std::vector<LayerScores> board_;
  attention::ScoreOptions scored_;
  std::string failure_;
};

}  // namespace sepx::ui
