// SPDX-License-Identifier: Apache-2.0
// The pixels of a batch of images, and what training does to them: each image is cropped and flipped by a stream of
// its own, then the batch is mixed (engine/data/augment.h), so that nothing depends on the number of threads. One
// thread at a time calls it; the pool's work inside.
#pragma once

#include <cstdint>

#include "engine/core/thread_pool.h"
#include "engine/data/images.h"
#include "engine/nn/batch.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// Adds the pixels of sequences first, first + 1, ... of the split to a batch that the objective "classify" has made.
/// In training a mixed image has two targets that share its weight, and answers are smoothed.
void addImages(const RunConfig& config, const data::ImageSource& source, data::Split split, std::uint64_t first,
               ThreadPool& pool, nn::Batch& batch);

}  // namespace sepx::train
