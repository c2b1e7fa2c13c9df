// SPDX-License-Identifier: Apache-2.0
// What the page Checkpoint measures beside attention: gradient and probability of Figures 4 and 6 of Reversal, while a
// model that this program trained on pairs of letters goes on with forward queries alone. The measurement reads files
// (workers); the chart is pure.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/reversal/forward_only.h"
#include "ui/canvas/theme.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

struct TransferRequest {
  std::string path;  ///< of the checkpoint
  int steps = 60;
  double rate = 0.003;
  bool operator==(const TransferRequest&) const = default;
};
struct TransferResult {
  std::size_t pairs = 0;
  std::vector<reversal::TransferPoint> points;  ///< by step, the first of the checkpoint as it stands
};
using TransferPointer = std::shared_ptr<const TransferResult>;

/// Usage with one sentence of a checkpoint whose gradient the engine does not have, or that does not hide letters.
Result<TransferPointer> measureTransfer(const TransferRequest& request, ThreadPool& pool,
                                        const std::function<bool()>& cancelled,
                                        const std::function<void(double)>& progress);

/// Both probabilities and the cosine over the steps.
LineChart transferChart(const TransferResult& result, const Theme& theme);

}  // namespace sepx::ui
