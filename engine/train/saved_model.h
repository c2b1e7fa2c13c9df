// SPDX-License-Identifier: Apache-2.0
// Reads a trained model of this program from the disk: a checkpoint of a run with its state, or a folder that has only
// the weights, under the names of a family (those of assets/models, or one that was passed on). Any thread; reads the
// parameters of one model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// The whole config of a run from a checkpoint's config.json. Fails with BadInput if the folder is not a checkpoint of
/// this program.
Result<RunConfig> savedConfig(const std::string& checkpointFolder);

struct SavedModel {
  std::string folder;          ///< of the checkpoint
  RunConfig config;            ///< model.vocabulary is known
  std::int64_t step = -1;      ///< -1: the folder does not contain it
  std::vector<float> theta;    ///< in the layout of nn::ParameterLayout(config.model)
  std::vector<float> average;  ///< of EMA; empty: none, or not kept
};

/// The checkpoint folder of a model. `path` is a run (its checkpoint at `step`, or the newest one), a checkpoint, or a
/// file in one. Fails with Usage if the run has no checkpoint at `step` (the message lists those that exist), or if a
/// step is given for a checkpoint.
Result<std::string> findSaved(const std::string& path, std::optional<std::int64_t> step);
/// `checkpointFolder` comes from findSaved(), `config` from savedConfig(). Fails with BadInput if the files are damaged
/// or not written by this program.
Result<SavedModel> readSaved(const std::string& checkpointFolder, const RunConfig& config);

}  // namespace sepx::train
