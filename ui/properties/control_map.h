// SPDX-License-Identifier: Apache-2.0
// Where the controls of a frame are, so that scripts can click them and a press can be given to what lies under it, and
// what they refused. Frame thread.
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
  bool seen = true;     ///< false: scrolled out of the window that it is in
  unsigned window = 0;  ///< ImGui's id of that window; 0: none, it is a place in a picture
  ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};

/// Where the controls of the present frame are, by registry key (or command key for buttons), and what they refused.
/// One per ImGui context; it lives as long as that. Extra keys: "KEY#entry" is the field in which a number or text is
/// typed, "KEY#CHOICE" an entry of an open list, "KEY#explain" the button that opens a read-out's card.
class ControlMap {
 public:
  /// At the start of each frame: controls not drawn again are gone.
  void beginFrame();
  void report(std::string_view key, ImVec2 min, ImVec2 max);
  /// Of the last item that ImGui drew. For buttons that are no properties.
  void reportLastItem(std::string_view key);
  /// Scrolls to this control when it is drawn next.
  void want(std::string_view key) { wanted_ = std::string(key); }
  /// Nothing when the control was not drawn in this frame (or, before it is drawn, in the last one).
  std::optional<ControlRect> find(std::string_view key) const;
  /// Keys of the controls that a press at this place would reach: those of the topmost window there, or, where there is
  /// none, of the picture. Nothing where a window is there and none of its controls: a part that no key names.
  std::optional<std::vector<std::string>> reachedAt(ImVec2 at) const;
  /// The control whose field is being typed in; empty: none that is reported here.
  std::string edited() const;

  /// The sentence under a control until its value changes.
  void refuse(std::string_view key, std::string sentence);
  void accept(std::string_view key);
  const std::string* refusal(std::string_view key) const;

  /// A person asks for the card of this key (explain_card.h); the Workbench takes it up after the panels.
  void askToExplain(std::string_view key) { asked_ = std::string(key); }
  std::optional<std::string> takeAsked() { return std::exchange(asked_, std::nullopt); }

  ImVec4 errorColor{0.9f, 0.3f, 0.2f, 1};  ///< from the theme
  float labelWidth = 0;                    ///< pixels of the label column; 0: 40 % of the width

 private:
  friend struct ControlState;
  struct Entry {
    std::string text;        ///< what stands in the field while it is edited
    std::string before;      ///< what stood in it before
    std::string shownValue;  ///< of the last frame
    bool editing = false;
  };
  std::map<std::string, ControlRect, std::less<>> present_, last_;
  std::map<std::string, std::string, std::less<>> refusals_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::optional<std::string> asked_, wanted_;
};

}  // namespace sepx::ui
