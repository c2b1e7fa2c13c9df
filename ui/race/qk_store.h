// SPDX-License-Identifier: Apache-2.0
// W_qk of one run at one step. For a live run it comes from the snapshot, for a past step from the newest stored
// matrices or checkpoint at or before that step. A job computes the product, and the previous matrix stays until the
// new one is ready. Frame thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/attention/factors.h"
#include "ui/page/lane.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

/// Which matrix is requested, and the source that it is computed from.
struct QkRequest {
  std::string folder;       ///< folder of the checkpoint; empty: there is none, or `live` is used
  std::string run;          ///< folder of the run whose stored matrices are newer than the checkpoint; empty: none
  nn::ModelConfig model;    ///< of the run
  std::int64_t step = 0;    ///< step of the matrix
  std::int64_t saved = -1;  ///< step of the checkpoint
  int layer = 0, head = -1;
  std::shared_ptr<const attention::LayerFactors> live;  ///< factors of a run that is training; null: not live
  bool operator==(const QkRequest& other) const {
    return folder == other.folder && run == other.run && step == other.step && layer == other.layer &&
           head == other.head;
  }
};
/// Any thread.
Result<QkMatrix> makeQkMatrix(const QkRequest& request);
/// The factors of a layer from the snapshot of a run; null if W_Q or W_K is missing or has another shape. Snapshots
/// store W_Q as [heads d_h, d_model].
std::shared_ptr<const attention::LayerFactors> liveFactors(const Run& run, int layer);
/// The parameters that snapshots must carry for W_qk of every layer, or of `layer` alone if those of all layers would
/// be very large. `whole`: also what pages with RaceShared::requestModel need. `parameters`: number of parameters of
/// the model; 0: not known yet.
std::vector<std::string> watchedNames(const nn::ModelConfig& model, int layer, bool whole = false,
                                      std::int64_t parameters = 0);

class QkStore {
 public:
  explicit QkStore(const std::string& lane) : lane_(lane) {}
  /// Takes over a finished result and starts a job if the request changed. True if the matrix or the failure changed.
  bool update(const Run& run, const RaceState& state, std::int64_t step, bool live, ExhibitContext& context);
  bool refresh(const ExhibitContext& context);
  const std::shared_ptr<const QkMatrix>& matrix() const { return matrix_; }
  const std::string& failure() const { return failure_; }
  bool complete() const { return lane_.complete(); }
  void clear();

 private:
  Lane<QkRequest, Result<QkMatrix>> lane_;
  std::shared_ptr<const QkMatrix> matrix_;
  std::string failure_, folder_;
};

}  // namespace sepx::ui
