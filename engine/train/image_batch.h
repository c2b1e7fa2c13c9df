// SPDX-License-Identifier: Apache-2.0
// Adds the pixels of a batch of images, with the augmentation of training: each image is cropped and flipped with its
// own random stream, then the batch is mixed (engine/data/augment.h). The result does not depend on the number of
// threads. Called by one thread at a time; the pool's threads work inside.
#pragma once

#include <cstdint>

#include "engine/core/thread_pool.h"
#include "engine/data/images.h"
#include "engine/nn/batch.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// Adds the pixels of sequences first, first + 1, ... of the split to a batch made by the objective "classify". In
/// training a mixed image has two targets that share its weight, and labels are smoothed.
void addImages(const RunConfig& config, const data::ImageSource& source, data::Split split, std::uint64_t first,
               ThreadPool& pool, nn::Batch& batch);

}  // namespace sepx::train
