// SPDX-License-Identifier: Apache-2.0
// Forward passes of GPT-2's shape, ours (`sepx-bench forward`) and PyTorch's (peers/forward_torch.py), one after the
// other on the same machine at the same number of threads.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sepx::bench {

/// `bin`: where sepx-bench is; `folder`: where peers/ is. A sentence in place of figures where python3-torch is
/// missing.
nlohmann::ordered_json measureForwardPeers(const std::string& bin, const std::string& folder);
/// The same as one table in Markdown, with the ratios.
std::string forwardTable(const nlohmann::ordered_json& measured);

}  // namespace sepx::bench
