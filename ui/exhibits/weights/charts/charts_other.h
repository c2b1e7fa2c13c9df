// SPDX-License-Identifier: Apache-2.0
// Scores by layer of the second checkpoint, for the scatter plot: opened and computed in a job. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ui/exhibit/exhibit_context.h"
#include "ui/exhibit/lane.h"
#include "ui/exhibits/weights/shared/weights_page.h"

namespace sepx::ui {

class OtherScores {
 public:
  /// Takes over what is finished, starts what is stale. An empty path: there is none.
  void update(const std::string& path, const WeightsState& state, ExhibitContext& context);
  const std::shared_ptr<const checkpoint::Model>& model() const { return made().model; }
  const std::vector<LayerScores>& board() const { return board_; }
  const std::string& failure() const { return made().failure; }
  std::uint64_t revision() const { return revision_; }
  bool complete() const { return lane_.complete(); }

 private:
  struct Request {
    std::string path, rules;
    checkpoint::FactorOptions options;
    bool operator==(const Request&) const = default;
  };
  struct Made {
    std::shared_ptr<const checkpoint::Model> model;
    std::vector<std::shared_ptr<const attention::Moments>> moments;  ///< in the order of the map's layers
    std::string failure;
  };
  static Made make(const Request& request, ThreadPool& pool, const LaneWork& work);
  const Made& made() const { return lane_.result() ? *lane_.result() : nothing_; }
  void score(const attention::ScoreOptions& options);

  Lane<Request, Made> lane_{"weights.charts.other"};
  const Made nothing_;  ///< while there is no second checkpoint
  std::vector<LayerScores> board_;
  attention::ScoreOptions scored_;
  std::uint64_t scoredOf_ = 0, revision_ = 1;  ///< scoredOf_: the lane's revision
};

}  // namespace sepx::ui
