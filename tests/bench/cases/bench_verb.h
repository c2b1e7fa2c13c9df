// SPDX-License-Identifier: Apache-2.0
// `sepx-bench [NAME…] [--json]` measures kernels and frames, and accepts the flags that every binary has. Main thread.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace sepx::app::cli {

/// Returns the exit status. A benchmark that is named must run. In a run of the whole list, benchmarks that need a
/// device are skipped if there is none.
int runBench(std::vector<std::string> arguments, std::ostream& out, std::ostream& err);

}  // namespace sepx::app::cli
