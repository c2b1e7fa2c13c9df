// SPDX-License-Identifier: Apache-2.0
// Where the time of a start goes: each milestone is a line of the log at level info, in milliseconds since the kernel
// made the process, so that dynamic linking is in it (tests/bench reads them). Any thread.
#pragma once

namespace sepx::app {

/// "start: NAME after 123.4 ms". Costs two small reads of /proc where the log is at info, else nothing.
void logMilestone(const char* name);

}  // namespace sepx::app
