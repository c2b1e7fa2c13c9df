// SPDX-License-Identifier: Apache-2.0
// Whole steps of training of the fixed configurations, ours (`sepx-bench train-*`) and PyTorch's
// (peers/train_torch.py), one after the other on the same machine at the same number of threads.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sepx::bench {

/// `bin`: where sepx is; `folder`: where peers/ is. A sentence in place of figures where python3-torch is missing.
nlohmann::ordered_json measureTrainPeers(const std::string& bin, const std::string& folder);
/// The same as one table in Markdown, with the ratios.
std::string trainTable(const nlohmann::ordered_json& measured);

}  // namespace sepx::bench
