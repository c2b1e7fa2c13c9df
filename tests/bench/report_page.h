// SPDX-License-Identifier: Apache-2.0
// Makes the page tests/bench/RESULTS.md from the measurements of ./dev bench (tests/bench/results.json).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sepx::bench {

/// One table per subject, with the figures of peers and the ratios beside ours. Parts that the document lacks are left
/// out or marked as not measured.
std::string reportPage(const nlohmann::ordered_json& document);

}  // namespace sepx::bench
