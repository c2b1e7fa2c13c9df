// SPDX-License-Identifier: Apache-2.0
// Runs sepx-bench in-process; complements the helpers for sepx.
#pragma once

#include <string>
#include <vector>

#include "tests/app/cli/run_sepx.h"

namespace sepx::test {

/// Runs `sepx-bench <arguments…>`.
Ran bench(std::vector<std::string> arguments);
/// Runs sepx-bench with --json added. Fails the test unless the exit status is 0 and the output is one JSON document.
Json benchJson(std::vector<std::string> arguments);
/// Fails the test unless the exit status is `status` and the only output is an error line that contains `part`.
void requireBenchRefused(std::vector<std::string> arguments, int status, const std::string& part);

}  // namespace sepx::test
