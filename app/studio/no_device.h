// SPDX-License-Identifier: Apache-2.0
// Shows a dialog with the reason when there is no Vulkan device, since there is no window then. For users who did not
// start the program from a terminal.
#pragma once

#include "engine/core/result.h"

namespace sepx::app {

/// Creates the application, shows what is wrong and what to install, and waits until the user closes the dialog. Main
/// thread; requires a display, and must come before any other QApplication.
void showNoDevice(int argc, char** argv, const Error& error);

}  // namespace sepx::app
