// SPDX-License-Identifier: Apache-2.0
// Pictures of W_qk for a window, from whichever of CPU and device is wanted or faster. The device works on a thread
// with a Context of its own, made when first needed and shared by all sources: a job waits there for its picture, and
// neither a frame nor a script that runs jobs to their end waits for a job. No Vulkan type in here. qkChoice: frame
// thread; the rest: worker threads.
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
  Gpu,    ///< also where it is slower
  Faster  ///< what was faster so far, for pictures that are worth asking
};

struct QkChoice {  ///< as a person set it
  QkUse use = QkUse::Cpu;
  std::string device;  ///< as ContextOptions::device
  bool operator==(const QkChoice&) const = default;
};

/// `asked`: Gpu and Cpu are what a person decided. Faster becomes Cpu where there is no device or only a software
/// driver, which works on the same cores with less skill.
QkChoice qkChoice(const Context* context, QkUse asked);

struct QkSource {
  std::unique_ptr<attention::TileSource> source;  ///< never null: the CPU's where the device cannot
  std::string note;                               ///< why not the device that was asked for: one sentence, or empty
};
/// `device()` of the source names what made its latest picture. What its picture() throws, for lack of memory, is
/// thrown to whoever asked, also from the thread of the device.
QkSource makeQkSource(const QkChoice& choice, std::shared_ptr<const attention::LayerFactors> factors, ThreadPool* pool,
                      std::vector<int> rowOrder = {}, std::vector<int> columnOrder = {});

/// For tests: runs `task` on the thread on which sources of this choice work, and waits for it. The Context is null
/// where no kernel was made yet. What the task throws is thrown here.
void onQkThread(const QkChoice& choice, const std::function<void(Context*)>& task);

}  // namespace sepx::gpu
