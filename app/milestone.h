// SPDX-License-Identifier: Apache-2.0
// Measures how long the start takes: each milestone is a log line at level info, in milliseconds since the kernel
// created the process, so that dynamic linking is included (tests/bench reads these lines). Any thread.
#pragma once

namespace sepx::app {

/// Logs "start: NAME after 123.4 ms". Costs two small reads of /proc if the log level includes info, else nothing.
void logMilestone(const char* name);

}  // namespace sepx::app
