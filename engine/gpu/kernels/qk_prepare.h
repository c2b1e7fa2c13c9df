// SPDX-License-Identifier: Apache-2.0
// The factors of W_qk as the device wants them. Any thread: a worker prepares, the frame thread uploads (qk_kernel.h).
#pragma once

#include <memory>
#include <vector>

#include "engine/attention/factors.h"
#include "engine/core/thread_pool.h"

namespace sepx::gpu {

struct QkData;

/// The factors as the device wants them: floats, in order. Any thread: a worker prepares, the frame thread uploads.
std::shared_ptr<const QkData> prepareQk(std::shared_ptr<const attention::LayerFactors> factors, ThreadPool* pool,
                                        const std::vector<int>& rowOrder = {},
                                        const std::vector<int>& columnOrder = {});

}  // namespace sepx::gpu
