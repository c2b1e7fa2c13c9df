// SPDX-License-Identifier: Apache-2.0
// What the studio must know about the display before QApplication exists, because Qt aborts when it cannot open one. No
// Qt.
#pragma once

namespace sepx::app {

/// Native: windows on an X server. Image: Qt's offscreen platform, widgets without a Vulkan surface. None: nothing to
/// open a window on.
enum class Display { Native, Image, None };

/// Sets QT_QPA_PLATFORM=xcb when the person chose no platform (Wayland runs it through XWayland). Main thread, before
/// any other thread.
Display chooseDisplay();

}  // namespace sepx::app
