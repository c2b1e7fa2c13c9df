// SPDX-License-Identifier: Apache-2.0
// `sepx-bench [NAME…] [--json]`: measures kernels and frames with the flags that every binary has. Main thread.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace sepx::app::cli {

/// The exit status. What was asked for by name must run; of the whole list, what needs a device is skipped without one.
int runBench(std::vector<std::string> arguments, std::ostream& out, std::ostream& err);

}  // namespace sepx::app::cli
