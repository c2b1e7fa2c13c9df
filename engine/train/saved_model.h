// SPDX-License-Identifier: Apache-2.0
// A trained model as it lies on the disk, whoever trained it here: a checkpoint of a run with its state, or a folder
// that has weights alone under the names of a family (those of assets/models, or one that was passed on). Any thread;
// reads the parameters of one model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// The whole config of a run as it stands in a checkpoint's config.json. BadInput where the folder is not a checkpoint
/// of this program.
Result<RunConfig> savedConfig(const std::string& checkpointFolder);

struct SavedModel {
  std::string folder;          ///< of the checkpoint
  RunConfig config;            ///< model.vocabulary is known
  std::int64_t step = -1;      ///< -1: the folder does not say
  std::vector<float> theta;    ///< of nn::ParameterLayout(config.model)
  std::vector<float> average;  ///< of EMA; empty: none, or not kept
};

/// Where a model lies: `path` is a run (then its checkpoint at `step`, the newest without one), a checkpoint, or a file
/// in one. Usage: a step that the run has not saved (names those there are), or a step for a checkpoint.
Result<std::string> findSaved(const std::string& path, std::optional<std::int64_t> step);
/// `checkpointFolder` as findSaved() answers it, `config` as savedConfig() does. BadInput: damaged, or not written by
/// this program.
Result<SavedModel> readSaved(const std::string& checkpointFolder, const RunConfig& config);

}  // namespace sepx::train
