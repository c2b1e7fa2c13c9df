// SPDX-License-Identifier: Apache-2.0
// What a bare start shows in every host: what a kill left behind, the exhibits, the lessons, the files last used, and
// beside them an exhibit that shows itself. All of it is reached by arrow keys and Enter as well as by the pointer. It
// changes nothing: a choice is answered to the Workbench. Frame thread.
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
  /// What is opened goes into the document there is, as a step that can be undone: nothing is lost by it.
  bool joins = false;
};

class StartPage {
 public:
  /// `picture` may be null: then the list stands alone.
  void show(std::vector<StartEntry> entries, std::unique_ptr<StartPicture> picture);
  void close();
  /// The picture goes with this frame, its place stays: something else is drawn there.
  void hold() { held_ = true; }
  bool shown() const { return shown_; }

  /// Arrow keys, Home, End, Tab, Enter and Escape; true: the key was for the page. Other keys without Ctrl are the
  /// page's too, for what they would change is not seen.
  bool key(const KeyPressed& press);

  /// Lays out, and lets the picture live. `like`: area is that of the whole page, points.
  /// `parametersShown`: a native panel beside the page shows those of the person's document.
  void update(const ExhibitContext& like, bool parametersShown);
  /// Where the picture goes; no width when the window is too narrow for one.
  const render::Rect& pictureArea() const { return picture_; }
  const StartPicture* picture() const { return picture_.width() > 0 && !held_ ? shows_.get() : nullptr; }

  struct Answer {
    bool close = false;
    std::optional<StartEntry> chosen;
    std::optional<render::Point> pressed;  ///< where the left button went down over the picture, points
  };
  /// ImGui. What was chosen in this frame, by pointer or by key.
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
