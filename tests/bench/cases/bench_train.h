// SPDX-License-Identifier: Apache-2.0
// Benchmarks of the training engine: products of matrices in the shapes of training, and whole steps (forward, loss,
// backward, AdamW, and clipping if configured) of the fixed configurations that tests/bench/peers runs in PyTorch. The
// speed of a step is compared with the peak of this machine. Random inputs are generated outside the timed region.
// Frame thread.
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
/// Random tokens or pixels, and the targets of the case. The same seed gives the same batch.
nn::Batch trainBenchBatch(const TrainBenchCase& one, std::uint64_t seed);
/// Median of a step's wall time, milliseconds.
Result<double> trainBenchStep(const TrainBenchCase& one, ThreadPool& pool);
/// The number of multiplications and additions in the products of one step: linear layers and attention, forward and
/// twice as many backward. Only rows and pairs that affect the loss are counted.
double trainBenchOperations(const TrainBenchCase& one, const nn::Batch& batch);

}  // namespace sepx::app::cli
