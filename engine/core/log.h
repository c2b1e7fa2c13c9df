// SPDX-License-Identifier: Apache-2.0
// Log lines for developers and bug reports (spdlog): standard error at the level of SEPX_LOG (default: warn). Messages
// that the user must see are returned through Result, not logged. Any thread.
#pragma once

#include <spdlog/spdlog.h>

namespace sepx {

/// Called once by main().
void setUpLog();

}  // namespace sepx
