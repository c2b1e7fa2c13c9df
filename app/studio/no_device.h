// SPDX-License-Identifier: Apache-2.0
// Without a Vulkan device there is no window to say why: a dialog says it, for a person who did not start the program
// from a terminal.
#pragma once

#include "engine/core/result.h"

namespace sepx::app {

/// Makes the application, shows what is wrong and what to install, and waits for the person. Main thread; with a
/// display, and before any other QApplication.
void showNoDevice(int argc, char** argv, const Error& error);

}  // namespace sepx::app
