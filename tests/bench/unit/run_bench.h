// SPDX-License-Identifier: Apache-2.0
// sepx-bench in-process, beside the helpers for sepx.
#pragma once

#include <string>
#include <vector>

#include "tests/app/cli/run_sepx.h"

namespace sepx::test {

/// `sepx-bench <arguments…>`
Ran bench(std::vector<std::string> arguments);
/// With --json added; fails the test unless it ends with 0 and prints one JSON document.
Json benchJson(std::vector<std::string> arguments);
/// Fails the test unless it ends with `status` and one line that holds `part`.
void requireBenchRefused(std::vector<std::string> arguments, int status, const std::string& part);

}  // namespace sepx::test
