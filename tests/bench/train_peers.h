// SPDX-License-Identifier: Apache-2.0
// Compares whole training steps of the fixed configurations in sepx (`sepx-bench train-*`) and in PyTorch
// (peers/train_torch.py), measured one after the other on the same machine with the same number of threads.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sepx::bench {

/// `bin` contains sepx-bench, `folder` contains peers/. Returns a message instead of figures if python3-torch is
/// missing or sepx-bench does not run.
nlohmann::ordered_json measureTrainPeers(const std::string& bin, const std::string& folder);
/// The same as one table in Markdown, with the ratios.
std::string trainTable(const nlohmann::ordered_json& measured);

}  // namespace sepx::bench
