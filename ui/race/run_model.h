// SPDX-License-Identifier: Apache-2.0
// Reads the model of a run at a step for pages. A run that trains here is read from its snapshot, a past step from the
// matrices that the run stores between its checkpoints or from the newest checkpoint at or before it. modelRequest()
// chooses the source on the frame thread, and a job reads it.
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

/// The data source of a run, created at the first use and kept for the next. A mutex admits one worker thread at a
/// time.
class RunData {
 public:
  /// `use(const data::Source&)` returns a Result. `dataFolders`: Run::dataFolders().
  template <class Use>
  auto with(const data::SourceConfig& config, const std::vector<std::string>& dataFolders, Use use)
      -> decltype(use(std::declval<const data::Source&>())) {
    const std::lock_guard lock(mutex_);
    if (Result<void> made = make(config, dataFolders); !made) return fail(made.error().kind, made.error().message);
    return use(*source_);
  }
  /// Call only inside `use`. P_k of a token (train::placeShares), computed once per token and length.
  const std::vector<double>& placeShares(std::int32_t token, int length);

 private:
  Result<void> make(const data::SourceConfig& config, const std::vector<std::string>& dataFolders);

  std::mutex mutex_;
  std::optional<data::SourceConfig> of_;
  std::unique_ptr<data::Source> source_;
  std::map<std::pair<std::int32_t, int>, std::vector<double>> shares_;  ///< by token and length
};

/// The last of ascending steps that is at or before `step`; -1: none.
std::int64_t lastAtOrBefore(const std::vector<std::int64_t>& steps, std::int64_t step);

/// Where parameters come from.
enum class ModelSource { Live, Stored, Checkpoint };
/// "live", "stored", "checkpoint": translated.
std::string wordsOf(ModelSource source);

using LiveParameters = std::shared_ptr<const std::vector<train::MatrixSnapshot>>;

struct ModelRequest {
  std::string folder;  ///< of the run
  train::RunConfig config;
  ModelSource source = ModelSource::Checkpoint;
  std::int64_t step = -1;   ///< step of the source
  std::int64_t saved = -1;  ///< newest checkpoint at or before it, if stored matrices lack what is needed; -1: none
  LiveParameters live;
  std::shared_ptr<RunData> data;
  std::vector<std::string> dataFolders;  ///< Run::dataFolders()
  bool operator==(const ModelRequest& other) const {
    return folder == other.folder && source == other.source && step == other.step && saved == other.saved &&
           config == other.config && dataFolders == other.dataFolders;
  }
};

/// Frame thread. `names`: the parameters that are needed; empty: all parameters of the model, which only the live run
/// and checkpoints have. `before`: the previous request, so that a live model is copied only once; null: none. If the
/// run has none of these, the result is empty and `sentence` says why.
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
/// Any thread. BadInput with one sentence if it cannot be read.
Result<WholeModel> readModel(const ModelRequest& request);

/// Some parameters of a model.
struct SomeMatrices {
  std::int64_t step = -1;
  ModelSource source = ModelSource::Checkpoint;
  train::NamedMatrices parameters;
};
/// Any thread. Returns all of `needed`, and those of `wanted` that exist at the step of the request. If the stored
/// matrices lack one of `needed`, the checkpoint before that step is read instead, if there is one.
Result<SomeMatrices> readMatrices(const ModelRequest& request, const std::vector<std::string>& needed,
                                  const std::vector<std::string>& wanted);

}  // namespace sepx::ui
