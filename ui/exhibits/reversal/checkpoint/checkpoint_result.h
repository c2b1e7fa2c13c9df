// SPDX-License-Identifier: Apache-2.0
// The measurements of the page Checkpoint: the planes of RoPE of all heads of layer 0 over a sample of tokens, and the
// correlation of forward and reverse scores of prompts by layer and head; also their charts and the map of heads. The
// measurement reads files and runs on worker threads; the rest is pure.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/studies/prompt_scores.h"
#include "ui/views/view.h"

namespace sepx::ui {

inline constexpr int kFarthestHeads = 2000;  ///< largest distance in the chart of distances

/// The choices of the user.
struct HeadsRequest {
  std::string path;     ///< of the checkpoint; empty: none
  std::string prompts;  ///< a file; empty: none
  std::string tokens;   ///< ids separated by commas; empty: a sample
  int mask = -1;        ///< -1: that of the config
  int sample = 64, layers = 1;
  bool ships = false;  ///< the shipped model of pairs, whose capitals are the sample
  auto key() const { return std::tie(path, prompts, tokens, mask, sample, layers, ships); }
  bool operator==(const HeadsRequest& other) const { return key() == other.key(); }
};

struct HeadsResult {
  HeadsRequest request;
  std::string title;  ///< "stories260K (LLaMA)"
  int mask = -1;      ///< the id of [M]
  std::size_t sampled = 0, pairs = 0;
  std::vector<reversal::RopePlanes> heads;                 ///< of layer 0
  std::vector<studies::PromptLayer> layers;                ///< empty: no prompts
  std::shared_ptr<const std::vector<float>> correlations;  ///< [layers, heads] over the prompts; null: no prompts
  std::string promptFailure;                               ///< why there are none although a file is named
};
using HeadsPointer = std::shared_ptr<const HeadsResult>;
Result<HeadsPointer> measureHeads(const HeadsRequest& request, ThreadPool& pool, const std::function<bool()>& cancelled,
                                  const std::function<void(double)>& progress);

/// Correlation by head of layer 0 at Δ1 = Δ2 = `distance`: measured, and under Assumption 4.2.
LineChart headsChart(const HeadsResult& result, int distance, const Theme& theme);
/// Correlation of one head over Δ1 = Δ2.
LineChart headDistances(const reversal::RopePlanes& planes, int head, const Theme& theme);
/// Tr R(2Δ)/D of a head's planes.
double traceOfPlanes(const reversal::RopePlanes& planes, double distance);

/// The correlations over the prompts as a map of layers by heads; a click on a cell selects both.
MatrixContent promptMap(const HeadsResult& result, int layer, int head);

}  // namespace sepx::ui
