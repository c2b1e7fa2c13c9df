// SPDX-License-Identifier: Apache-2.0
// The measurement of the page Checkpoint for Figures 4 and 6 of Reversal: gradient cosine and probability while a model
// that this program trained on pairs of letters trains on with forward queries only. The measurement reads files and
// runs on worker threads; the chart is pure.
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
  std::vector<reversal::TransferPoint> points;  ///< by step; the first is that of the unchanged checkpoint
};
using TransferPointer = std::shared_ptr<const TransferResult>;

/// Usage with one sentence if the engine cannot compute the gradient of the checkpoint, or if the model does not hide
/// letters.
Result<TransferPointer> measureTransfer(const TransferRequest& request, ThreadPool& pool,
                                        const std::function<bool()>& cancelled,
                                        const std::function<void(double)>& progress);

/// Both probabilities and the cosine over the steps.
LineChart transferChart(const TransferResult& result, const Theme& theme);

}  // namespace sepx::ui
