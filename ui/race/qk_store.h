// SPDX-License-Identifier: Apache-2.0
// W_qk of one run at one step: of the live run from its snapshot, of a past step from the newest stored matrices or
// checkpoint at or before it. Products are made in a job; the matrix of before stays until the new one is there. Frame
// thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/attention/factors.h"
#include "ui/page/lane.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

/// Where a matrix is to come from.
struct QkRequest {
  std::string folder;       ///< of the checkpoint; empty: there is none, or `live`
  std::string run;          ///< folder of the run whose stored matrices are newer than the checkpoint; empty: none are
  nn::ModelConfig model;    ///< of the run
  std::int64_t step = 0;    ///< that the matrix is to be of
  std::int64_t saved = -1;  ///< of the checkpoint
  int layer = 0, head = -1;
  std::shared_ptr<const attention::LayerFactors> live;  ///< of a run that trains
  bool operator==(const QkRequest& other) const {
    return folder == other.folder && run == other.run && step == other.step && layer == other.layer &&
           head == other.head;
  }
};
/// Any thread.
Result<QkMatrix> makeQkMatrix(const QkRequest& request);
/// The factors of a layer in a snapshot of a run; null where they are not all there. W_Q is stored [heads d_h,
/// d_model].
std::shared_ptr<const attention::LayerFactors> liveFactors(const Run& run, int layer);
/// The parameters to watch for W_qk of every layer; of `layer` alone where those would be very large. `whole`: for
/// more than W_qk (RaceShared::wantModel), of a model of `parameters` numbers (0: not known yet).
std::vector<std::string> watchedNames(const nn::ModelConfig& model, int layer, bool whole = false,
                                      std::int64_t parameters = 0);

class QkStore {
 public:
  explicit QkStore(const std::string& lane) : lane_(lane) {}
  /// Takes over what is finished, starts what is stale. True: there is another matrix or failure.
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
