// SPDX-License-Identifier: Apache-2.0
// The matrices of one run of the race at the shown step, and the measures of the chosen one over the steps that the run
// keeps. They are computed in the background, a few steps at a time and each step once. Frame thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/training/matrices/matrices_result.h"
#include "ui/page/lane_result.h"

namespace sepx::ui {

class MatricesSide {
 public:
  MatricesSide(ResultSet& results, std::size_t number)
      : results_(results),
        matrices_(results, "training.matrices" + std::to_string(number)),
        history_("training.matrices.history" + std::to_string(number)) {}

  /// Takes over finished results and requests outdated ones again. `racing` null: the race has no such run.
  void update(const RacingRun* racing, const RaceShared& shared, train::LayerMatrix which, ExhibitContext& context);
  bool complete() const { return matrices_.complete() && history_.complete() && whole_; }

  const MatricesPointer& result() const { return matrices_.value(); }   ///< null: none
  const std::string& sentence() const { return matrices_.sentence(); }  ///< why result() is null
  /// The points of the chosen matrix, by step.
  const std::map<std::int64_t, MatrixPoint>& points() const { return points_; }

 private:
  struct Subject {  ///< what the points are of
    std::string folder;
    int layer = 0, head = -1;
    train::LayerMatrix which = train::LayerMatrix::Up;
    bool operator==(const Subject&) const = default;
  };
  void refresh(const ExhibitContext& context);
  void askForMatrices(const RacingRun& racing, const RaceShared& shared, ExhibitContext& context);
  void askForHistory(const Run& run, const RaceShared& shared, ExhibitContext& context);

  ResultSet& results_;
  LaneResult<MatricesRequest, MatricesPointer> matrices_;
  Lane<HistoryRequest, std::vector<MatrixPoint>> history_;
  std::shared_ptr<RunData> data_ = std::make_shared<RunData>();
  Subject of_;
  std::map<std::int64_t, MatrixPoint> points_;
  bool whole_ = true;  ///< every step has its point
};

}  // namespace sepx::ui
