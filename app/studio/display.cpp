// SPDX-License-Identifier: Apache-2.0
// See display.h.
#include "app/studio/display.h"

#include <cstdlib>
#include <string_view>

#include <xcb/xcb.h>

namespace sepx::app {

namespace {

bool serverAnswers() {
  xcb_connection_t* connection = xcb_connect(nullptr, nullptr);
  const bool answers = connection && xcb_connection_has_error(connection) == 0;
  xcb_disconnect(connection);
  return answers;
}

}  // namespace

Display chooseDisplay() {
  const char* chosen = std::getenv("QT_QPA_PLATFORM");
  const std::string_view platform = chosen && *chosen ? chosen : "xcb";
  if (platform.rfind("offscreen", 0) == 0 || platform.rfind("minimal", 0) == 0) return Display::Image;
  if (!chosen || !*chosen) setenv("QT_QPA_PLATFORM", "xcb", 1);
  if (platform.rfind("xcb", 0) != 0) return Display::Image;
  return serverAnswers() ? Display::Native : Display::None;
}

}  // namespace sepx::app
