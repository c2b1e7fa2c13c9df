// SPDX-License-Identifier: Apache-2.0
// Compares forward passes of GPT-2's shape in sepx (`sepx-bench forward`) and in PyTorch (peers/forward_torch.py),
// measured one after the other on the same machine with the same number of threads.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sepx::bench {

/// `bin` contains sepx-bench, `folder` contains peers/. If python3-torch is missing, a message replaces the figures of
/// PyTorch; if sepx-bench does not run, a message replaces the whole result.
nlohmann::ordered_json measureForwardPeers(const std::string& bin, const std::string& folder);
/// The same as tables in Markdown, with the ratios.
std::string forwardTable(const nlohmann::ordered_json& measured);

}  // namespace sepx::bench
