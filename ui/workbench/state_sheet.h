// SPDX-License-Identifier: Apache-2.0
// Shares the state of the window: commands that copy it as text and paste it from the clipboard, and a sheet that shows
// it as a QR code, updated while the sheet is open. Frame thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ui/workbench/commands.h"
#include "ui/workbench/qr_code.h"
#include "ui/workbench/window_state.h"

namespace sepx::ui {

class StateSheet {
 public:
  StateSheet(Workbench& workbench, WindowState& window) : workbench_(workbench), window_(window) {}

  void addCommands(Commands& to);
  void draw();
  bool shown() const { return open_; }
  void show(bool shown);
  /// Returns false if it was not open.
  bool close();

 private:
  Result<void> copy();
  Result<void> paste();
  void follow();
  void drawCode(float side) const;
  void drawContent(float side);

  Workbench& workbench_;
  WindowState& window_;
  bool open_ = false;
  std::uint64_t of_ = ~0ull;  ///< revision of the document that the text describes
  std::string text_, refusal_;
  std::optional<QrCode> code_;
};

}  // namespace sepx::ui
