// SPDX-License-Identifier: Apache-2.0
// Chooses the display before QApplication exists, because Qt aborts when it cannot open one. Does not use Qt.
#pragma once

namespace sepx::app {

/// Native: windows on an X server. Image: another platform of Qt such as offscreen, widgets without a Vulkan surface.
/// None: no X server to open a window on.
enum class Display { Native, Image, None };

/// Sets QT_QPA_PLATFORM=xcb when the user chose no platform (on Wayland, XWayland is used). Main thread, before any
/// other thread is started.
Display chooseDisplay();

}  // namespace sepx::app
