// SPDX-License-Identifier: Apache-2.0
// tests/bench/RESULTS.md, a page to read, from what ./dev bench measured (tests/bench/results.json).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sepx::bench {

/// One table a subject, a peer's figure and the ratio beside ours. What the document lacks is left out or said to be.
std::string reportPage(const nlohmann::ordered_json& document);

}  // namespace sepx::bench
