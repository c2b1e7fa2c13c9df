// SPDX-License-Identifier: Apache-2.0
// The start page, which every host shows when nothing was opened: recovery files, exhibits, lessons and recent files,
// and beside them an exhibit that plays by itself. Everything can be reached by arrow keys and Enter as well as by the
// pointer. The page changes nothing: draw() returns the choice to its owner. Frame thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/input.h"
#include "ui/canvas/theme.h"
#include "ui/properties/widgets.h"
#include "ui/workbench/start_picture.h"

namespace sepx::ui {

struct StartEntry {
  enum class Kind { Restore, Exhibit, Lesson, Open, Recent } kind = Kind::Exhibit;
  std::string what;    ///< path, or key of the exhibit
  std::string title;   ///< translated
  std::string detail;  ///< a sentence, or the folder of a file
  /// The content is added to the current document as an undoable step, so that nothing is lost.
  bool addsToCurrent = false;
};

class StartPage {
 public:
  /// `picture` may be null; the list is then shown alone.
  void show(std::vector<StartEntry> entries, std::unique_ptr<StartPicture> picture);
  void close();
  /// Removes the picture but keeps its place, because something else is drawn there.
  void hold() { held_ = true; }
  bool shown() const { return shown_; }

  /// Handles arrow keys, Home, End, Tab, Enter and Escape. True: the page used the key. It also takes other keys
  /// without Ctrl or Alt (except "?" and function keys), because what they would change is not visible.
  bool key(const KeyPressed& press);

  /// Lays out the page and updates the picture. `like`: its area is that of the whole page, points.
  /// `parametersShown`: a native panel beside the page shows the parameters of the user's document.
  void update(const ExhibitContext& like, bool parametersShown);
  /// Area of the picture; zero width when the window is too narrow for one.
  const render::Rect& pictureArea() const { return picture_; }
  const StartPicture* picture() const { return picture_.width() > 0 && !held_ ? shows_.get() : nullptr; }

  struct Answer {
    bool close = false;
    std::optional<StartEntry> chosen;
    std::optional<render::Point> pressed;  ///< where the left button went down over the picture, points
  };
  /// Draws with ImGui, and returns what was chosen in this frame, by pointer or by key.
  Answer draw(const Theme& theme, ControlMap& controls);

  bool animating() const;
  bool complete() const;
  void releaseGpu();

 private:
  void drawColumn(const Theme& theme, ControlMap& controls);
  void drawEntry(std::size_t index, const Theme& theme, ControlMap& controls);
  void drawFoot(const Theme& theme);
  void takePress(ControlMap& controls);

  bool shown_ = false;
  std::vector<StartEntry> entries_;
  std::unique_ptr<StartPicture> shows_;
  render::Rect page_, column_, picture_;
  std::size_t selected_ = 0;
  bool reveal_ = false;  // the selected row has to come into view
  bool opens_ = false;   // Ctrl+O opens a file
  bool held_ = false;    // hold() was called
  Answer answer_;
};

}  // namespace sepx::ui
