// SPDX-License-Identifier: Apache-2.0
// Computes pictures of W_qk for a window on the CPU or on the device, whichever is requested or faster. The device is
// driven by a thread with a Context of its own, which is created when first needed and shared by all sources. A job
// waits for its picture on that thread, so that neither a frame nor a script that runs jobs to completion waits for a
// job. No Vulkan types here. qkChoice: frame thread; the rest: worker threads.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/attention/tiles.h"

namespace sepx::gpu {

class Context;

enum class QkUse {  ///< where W_qk is computed
  Cpu,
  Gpu,    ///< even if it is slower
  Faster  ///< the one that was faster so far; always the CPU for small pictures
};

struct QkChoice {  ///< the setting of the user
  QkUse use = QkUse::Cpu;
  std::string device;  ///< as ContextOptions::device
  bool operator==(const QkChoice&) const = default;
};

/// Cpu if there is no device. `asked`: Gpu and Cpu are the user's decision. Faster also becomes Cpu for a software
/// driver, which uses the same cores less efficiently.
QkChoice qkChoice(const Context* context, QkUse asked);

struct QkSource {
  std::unique_ptr<attention::TileSource> source;  ///< never null: uses the CPU where the device cannot be used
  std::string note;                               ///< why the requested device is not used: one sentence, or empty
};
/// `device()` of the source names the device that computed its latest picture. An exception in picture(), for lack of
/// memory, is thrown to the caller, even if it occurred on the thread of the device.
QkSource makeQkSource(const QkChoice& choice, std::shared_ptr<const attention::LayerFactors> factors, ThreadPool* pool,
                      std::vector<int> rowOrder = {}, std::vector<int> columnOrder = {});

/// For tests: runs `task` on the device thread that sources of this choice use, and waits for it. The Context is null
/// if no kernel was created yet. Exceptions of the task are thrown to the caller.
void onQkThread(const QkChoice& choice, const std::function<void(Context*)>& task);

}  // namespace sepx::gpu
