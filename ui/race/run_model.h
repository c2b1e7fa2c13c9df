// SPDX-License-Identifier: Apache-2.0
// The model of a run at a step, as pages ask for it: of a run that trains here from its snapshot, of a past step from
// the matrices that the run stores between its checkpoints or from the newest checkpoint at or before it. What is to be
// read is decided in the frame (modelRequest()), and read in a job.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/data/source.h"
#include "engine/nn/parameters.h"
#include "engine/train/layer_matrices.h"
#include "engine/train/run_config.h"
#include "engine/train/snapshot.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

/// The data of a run, made at the first use and kept for the next. Workers take turns.
class RunData {
 public:
  /// `use(const data::Source&)` answers a Result. `reach`: Run::reach().
  template <class Use>
  auto with(const data::SourceConfig& config, const std::vector<std::string>& reach, Use use)
      -> decltype(use(std::declval<const data::Source&>())) {
    const std::lock_guard lock(mutex_);
    if (Result<void> made = make(config, reach); !made) return fail(made.error().kind, made.error().message);
    return use(*source_);
  }
  /// Inside `use`: P_k of a token (train::placeShares), each counted once.
  const std::vector<double>& placeShares(std::int32_t token, int length);

 private:
  Result<void> make(const data::SourceConfig& config, const std::vector<std::string>& reach);

  std::mutex mutex_;
  std::optional<data::SourceConfig> of_;
  std::unique_ptr<data::Source> source_;
  std::map<std::pair<std::int32_t, int>, std::vector<double>> shares_;  ///< by token and length
};

/// The last of ascending steps that is at or before `step`; -1: none.
std::int64_t lastUntil(const std::vector<std::int64_t>& steps, std::int64_t step);

/// Where parameters come from.
enum class ModelSource { Live, Stored, Checkpoint };
/// "live", "stored", "checkpoint": translated.
std::string wordsOf(ModelSource source);

using LiveParameters = std::shared_ptr<const std::vector<train::MatrixSnapshot>>;

struct ModelRequest {
  std::string folder;  ///< of the run
  train::RunConfig config;
  ModelSource source = ModelSource::Checkpoint;
  std::int64_t step = -1;   ///< that the source has
  std::int64_t saved = -1;  ///< newest checkpoint at or before it, where stored matrices lack what is needed; -1: none
  LiveParameters live;
  std::shared_ptr<RunData> data;
  std::vector<std::string> reach;  ///< Run::reach()
  bool operator==(const ModelRequest& other) const {
    return folder == other.folder && source == other.source && step == other.step && saved == other.saved &&
           config == other.config && reach == other.reach;
  }
};

/// Frame thread. `names`: parameters that suffice; empty: all of the model are wanted, which only the live run and
/// checkpoints have. `before`: what was asked for last, so that a live model is copied once; null: nothing. Nothing,
/// with the sentence that stands in their place, where the run keeps none.
std::optional<ModelRequest> modelRequest(const RacingRun& racing, const RaceShared& shared,
                                         const std::vector<std::string>& names, const std::shared_ptr<RunData>& data,
                                         const ModelRequest* before, std::string& sentence);

/// All parameters of a model.
struct WholeModel {
  train::RunConfig config;  ///< resolved (train::resolve)
  std::int64_t step = -1;
  ModelSource source = ModelSource::Checkpoint;
  std::vector<float> theta;  ///< of nn::ParameterLayout(config.model)
};
/// Any thread. BadInput with one sentence where it cannot be read.
Result<WholeModel> readModel(const ModelRequest& request);

/// Some parameters of a model.
struct SomeMatrices {
  std::int64_t step = -1;
  ModelSource source = ModelSource::Checkpoint;
  train::NamedMatrices parameters;
};
/// Any thread. Those of `wanted` that are kept at the step of the request, with all of `needed`; where stored matrices
/// lack one of these, those of the checkpoint before.
Result<SomeMatrices> readMatrices(const ModelRequest& request, const std::vector<std::string>& needed,
                                  const std::vector<std::string>& wanted);

}  // namespace sepx::ui
