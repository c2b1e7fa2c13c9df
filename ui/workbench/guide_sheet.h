// SPDX-License-Identifier: Apache-2.0
// The guide (guide.h) as a sheet over the picture, in every host: the guide to the visible page, or the results of a
// search over all pages. It only calls public functions of Workbench. Esc closes it. Frame thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/properties/widgets.h"
#include "ui/workbench/guide.h"

namespace sepx::ui {

class GuideSheet {
 public:
  explicit GuideSheet(Workbench& workbench) : workbench_(workbench) {}

  void toggle() { open_ = !open_; }
  bool isOpen() const { return open_; }
  /// False when it was not open.
  bool close();
  /// `window`: points. True: draw another frame soon.
  bool draw(render::Point window, const Theme& theme, ControlMap& controls);

 private:
  void follow();
  bool drawEntry(const GuideEntry& entry, float width, const Theme& theme, ControlMap& controls);
  /// True when it was pressed.
  bool drawButton(const char* words, const std::string& control, float right, ControlMap& controls);

  Workbench& workbench_;
  bool open_ = false;
  std::string query_;
  std::optional<GuideLibrary> library_;
  std::string lessonsOf_;  ///< the language that library_ was read in
  // The title and the inputs from which sections_ were made.
  std::string title_, madeOf_;
  std::vector<GuideSection> sections_;
  bool fresh_ = false;  ///< sections_ are new: the list scrolls to its top
};

}  // namespace sepx::ui
