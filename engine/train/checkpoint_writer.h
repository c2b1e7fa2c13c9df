// SPDX-License-Identifier: Apache-2.0
// Writes and reads the checkpoints of a run. A checkpoint is a folder that Hugging Face can open (config.json,
// model.safetensors with the names of the nearest family: BERT, ModernBERT, GPT-2, GPT-NeoX, LLaMA or ViT, and the
// words of the vocabulary) with state.safetensors next to it (our parameters, averages, optimiser, data position) for a
// bit-exact resume. It is written under a temporary name, then renamed: a folder that exists is complete. One thread.
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
  std::vector<float> theta;          ///< flat, as in the layout
  std::vector<float> first, second;  ///< of the optimiser; empty where the rule has none
  std::int64_t optimiserSteps = 0;
  std::vector<float> average;  ///< of EMA; empty: none
  std::uint64_t sequence = 0;  ///< next index of the training split
  double rateFactor = 1;       ///< factor on the learning rate, from SetRate
  bool operator==(const TrainState&) const = default;
};

/// Writes folder/checkpoints/step-0001240. Fails with OutputFailed (path and reason); an existing checkpoint then
/// stays.
Result<void> writeCheckpoint(const std::string& folder, const RunConfig& config, const nn::ParameterLayout& layout,
                             const TrainState& state, const std::vector<std::string>& words);
/// Reads state.safetensors. Fails with BadInput if it is damaged (a checksum covers every value) or belongs to another
/// model; the message names the field.
Result<TrainState> readCheckpoint(const std::string& checkpointFolder, const nn::ParameterLayout& layout);
/// Deletes all but the newest `keep` checkpoints (0: keeps all). Failures are ignored. After a kill each folder is
/// complete or gone.
void pruneCheckpoints(const std::string& folder, int keep);
void dropCheckpoint(const std::string& folder, std::int64_t step);

/// One tensor of a parameter file, row-major float32. Large tensors point into the model: the memory of `values` must
/// outlive this object.
struct ExportedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<const float> values;
  bool transposed = false;  ///< `values` are stored as [shape[1], shape[0]]
  std::vector<float> own;   ///< used instead of `values` if not empty
  float fill = 0;           ///< every value, if both are empty
};
/// The values in the order of the file.
std::vector<float> valuesOf(const ExportedTensor& tensor);
Result<void> writeSafetensors(const std::string& path, std::span<const ExportedTensor> tensors,
                              const std::map<std::string, std::string>& metadata);

}  // namespace sepx::train
