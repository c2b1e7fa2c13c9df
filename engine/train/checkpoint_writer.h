// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a run: a folder that Hugging Face opens (config.json, model.safetensors under the names of the nearest
// family: BERT, ModernBERT, GPT-2, GPT-NeoX or LLaMA, and the words of the vocabulary) with state.safetensors beside it
// (our parameters, averages, optimiser, data position) for a resume bit for bit. Written aside and renamed, so that a
// folder that is there is whole. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/result.h"
#include "engine/nn/model_config.h"
#include "engine/nn/parameters.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// Everything that a step depends on besides the config.
struct TrainState {
  std::int64_t step = 0;             ///< steps made
  std::vector<float> theta;          ///< flat, of the layout
  std::vector<float> first, second;  ///< of the optimiser; empty where the rule has none
  std::int64_t optimiserSteps = 0;
  std::vector<float> average;  ///< of EMA; empty: none
  std::uint64_t sequence = 0;  ///< next index of the training split
  double rateFactor = 1;       ///< of SetRate
  bool operator==(const TrainState&) const = default;
};

/// Writes folder/checkpoints/step-0001240. OutputFailed names path and reason; what was there stays.
Result<void> writeCheckpoint(const std::string& folder, const RunConfig& config, const nn::ParameterLayout& layout,
                             const TrainState& state, const std::vector<std::string>& words);
/// Reads state.safetensors. BadInput when it is damaged (every value is covered by a checksum) or of another model,
/// with the field.
Result<TrainState> readCheckpoint(const std::string& checkpointFolder, const nn::ParameterLayout& layout);
/// Keeps the newest `keep` (0: all). Failures are not errors. A kill leaves each folder whole or gone.
void pruneCheckpoints(const std::string& folder, int keep);
void dropCheckpoint(const std::string& folder, std::int64_t step);

/// One tensor of a parameter file, row-major float32. Large ones point into the model: `values` outlives this.
struct TensorOut {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<const float> values;
  bool transposed = false;  ///< `values` lie as [shape[1], shape[0]]
  std::vector<float> own;   ///< in place of `values` when not empty
  float fill = 0;           ///< every value, when there are neither
};
/// The values as they will stand in the file.
std::vector<float> valuesOf(const TensorOut& tensor);
Result<void> writeSafetensors(const std::string& path, std::span<const TensorOut> tensors,
                              const std::map<std::string, std::string>& metadata);

}  // namespace sepx::train
