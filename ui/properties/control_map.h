// SPDX-License-Identifier: Apache-2.0
// Records where the controls of a frame are, so that scripts can click them and a press can be attributed to the
// control under it, and which input the controls refused. Frame thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <imgui/imgui.h>

namespace sepx::ui {

/// A rectangle in ImGui's screen coordinates.
struct ControlRect {
  ImVec2 min, max;
  bool seen = true;     ///< false: scrolled out of view in its window
  unsigned window = 0;  ///< ImGui's id of that window; 0: none, the control is part of a picture
  ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};

/// The positions of the controls of the present frame, by registry key (or command key for buttons), and what they
/// refused. One per ImGui context, with the same lifetime. Additional keys: "KEY#entry" is the field in which a number
/// or text is typed, "KEY#CHOICE" an entry of an open list, "KEY#explain" the button that opens the card of a read-out.
class ControlMap {
 public:
  /// Call at the start of each frame. Removes controls that are not drawn again.
  void beginFrame();
  void report(std::string_view key, ImVec2 min, ImVec2 max);
  /// Reports the rectangle of the last ImGui item; for buttons that are not properties.
  void reportLastItem(std::string_view key);
  /// Scrolls to this control when it is drawn the next time.
  void requestScroll(std::string_view key) { wanted_ = std::string(key); }
  /// The rectangle of a control. Empty if the control was not drawn in this frame or, while this frame has drawn no
  /// control yet, in the previous one.
  std::optional<ControlRect> find(std::string_view key) const;
  /// Keys of the controls that a press at this position would reach: those of the topmost window there or, if there is
  /// no window, those of the picture. An empty optional if there is a window but no known control of it.
  std::optional<std::vector<std::string>> controlsAt(ImVec2 at) const;
  /// The key of the control whose field is being edited; empty if none of those reported here.
  std::string edited() const;

  /// Shows a sentence under a control until accept() is called, when its value changes.
  void refuse(std::string_view key, std::string sentence);
  void accept(std::string_view key);
  const std::string* refusal(std::string_view key) const;

  /// Requests the card of this key (explain_card.h). The Workbench handles the request after drawing the panels.
  void requestExplanation(std::string_view key) { explanationRequest_ = std::string(key); }
  std::optional<std::string> takeExplanationRequest() { return std::exchange(explanationRequest_, std::nullopt); }

  ImVec4 errorColor{0.9f, 0.3f, 0.2f, 1};  ///< from the theme
  float labelWidth = 0;                    ///< pixels of the label column; 0: 40 % of the width

 private:
  friend struct ControlState;
  struct Entry {
    std::string text;        ///< text of the field while it is edited
    std::string before;      ///< text of the field before editing
    std::string shownValue;  ///< the value shown in the last frame
    bool editing = false;
  };
  std::map<std::string, ControlRect, std::less<>> present_, last_;
  std::map<std::string, std::string, std::less<>> refusals_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::optional<std::string> explanationRequest_, wanted_;
};

}  // namespace sepx::ui
