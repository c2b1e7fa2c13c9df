// SPDX-License-Identifier: Apache-2.0
// Benchmarks of the training engine: products of matrices in the shapes of training against the peak of this machine,
// and whole steps (forward, loss, backward, AdamW, clip where said) of the fixed configurations that tests/bench/peers
// runs in PyTorch. Random inputs are made outside the timed region. Frame thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/nn/batch.h"
#include "engine/nn/model_config.h"
#include "tests/bench/cases/bench.h"

namespace sepx::app::cli {

struct TrainBenchCase {
  std::string_view name;  ///< a10 | a40 | b8 | b64 | c15 | d | vit
  nn::ModelConfig model;
  int batch = 1;  ///< sequences
  double clip = 0;
  enum class Loss { NextToken, Masked15, Diffusion, Classes } loss = Loss::NextToken;
};
const std::vector<TrainBenchCase>& trainBenchCases();
/// Random tokens or pixels, and targets of the case; the same for a seed.
nn::Batch trainBenchBatch(const TrainBenchCase& one, std::uint64_t seed);
/// Median of a step's wall time, milliseconds.
Result<double> trainBenchStep(const TrainBenchCase& one, ThreadPool& pool);
/// Multiplications and additions of one step in its products: linear layers and attention, forward and twice as many
/// backward, over the rows and pairs that the loss can see.
double trainBenchOperations(const TrainBenchCase& one, const nn::Batch& batch);

}  // namespace sepx::app::cli
