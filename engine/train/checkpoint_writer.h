// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a run: a folder that Hugging Face opens (config.json, model.safetensors under the names of the nearest
// family: BERT, GPT-2 or LLaMA) with state.safetensors beside it (our parameters, averages, optimiser, generators, data
// position) for a resume bit for bit. Written aside and renamed, so that a folder that is there is whole. One thread.
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
/// Reads state.safetensors. BadInput when it is damaged or of another model, with the field.
Result<TrainState> readCheckpoint(const std::string& checkpointFolder, const nn::ParameterLayout& layout);
/// Keeps the newest `keep` (0: all). Failures are not errors.
void pruneCheckpoints(const std::string& folder, int keep);

/// A parameter file as it stands: tensors in order, metadata. Used for both files. Row-major float32.
struct TensorOut {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};
Result<void> writeSafetensors(const std::string& path, std::span<const TensorOut> tensors,
                              const std::map<std::string, std::string>& metadata);

/// The nearest family: its config.json and tensors; `deviation`: what that family's code would compute otherwise
/// (empty: nothing), written into config.json as "separatrix_deviation".
struct FamilyExport {
  std::string family;  ///< "bert", "gpt2", "llama"
  nlohmann::ordered_json config;
  std::vector<TensorOut> tensors;
  std::string deviation;
};
FamilyExport exportFamily(const RunConfig& config, const nn::ParameterLayout& layout, std::span<const float> theta,
                          const std::vector<std::string>& words);

}  // namespace sepx::train
