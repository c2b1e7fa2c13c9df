// SPDX-License-Identifier: Apache-2.0
// Prepares the factors of W_qk for the device. Any thread: a worker thread prepares them, and the frame thread uploads
// them (qk_kernel.h).
#pragma once

#include <memory>
#include <vector>

#include "engine/attention/factors.h"
#include "engine/core/thread_pool.h"

namespace sepx::gpu {

struct QkData;

/// Converts the factors to floats, in the given orders. Any thread: a worker thread prepares them, and the frame thread
/// uploads them.
std::shared_ptr<const QkData> prepareQk(std::shared_ptr<const attention::LayerFactors> factors, ThreadPool* pool,
                                        const std::vector<int>& rowOrder = {},
                                        const std::vector<int>& columnOrder = {});

}  // namespace sepx::gpu
