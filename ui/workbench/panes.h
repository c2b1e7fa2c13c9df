// SPDX-License-Identifier: Apache-2.0
// The panes of the window: which are shown and active, where they are, which pane a key belongs to, linked cameras and
// shared colour limits. A pane that is no longer shown keeps its sections in the document, so that it shows the same
// when the split is restored. Frame thread.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/workbench/commands.h"
#include "ui/workbench/pane.h"
#include "ui/workbench/window_properties.h"

namespace sepx::ui {

class Panes {
 public:
  /// `declareReadOuts`: declares the read-outs of the window in the registry of a pane.
  Panes(WindowState& window, Jobs& jobs, ThreadPool& pool, std::function<void(PropertyRegistry&)> declareReadOuts);

  int shown() const { return paneCount(window_.history.present()); }
  int activeNumber() const { return activePane(window_.history.present()); }
  /// The pane is created on the first call. `number`: 1 to kMostPanes.
  Pane& at(int number);
  Pane& active() { return at(activeNumber()); }
  /// No-op for a pane that is not shown.
  void activate(int number);
  void addCommands(Commands& to);
  /// What the exhibit of a pane may use in this frame.
  ExhibitContext context(int number);

  /// Splits a key into its pane and the key within the pane; BadInput for a pane that is not shown.
  Result<PaneKey> resolve(std::string_view key) const;
  std::optional<PropertyRegistry::Found> find(std::string_view key);
  /// BadInput when there is no such key.
  Result<Value> get(std::string_view key);
  /// Usage for what the registry refuses.
  Result<void> set(std::string_view key, const Value& value, std::string group = {});
  /// Checks every known field of a document in every pane; BadInput names the first one that is refused.
  Result<void> check(const Document& document);
  /// The document without the fields that undo does not restore.
  Document withoutCarried(const Document& document) const { return withoutPaths(document, carried_); }
  /// Whether the document equals that of a new window, apart from fields that undo does not restore.
  bool untouched() const { return withoutCarried(window_.history.present()) == withoutCarried(Document{}); }

  /// Gives every pane its place in this frame's layout. `none`: no pane has a place, because another page is shown.
  void arrange(bool none);
  const std::vector<PanePlace>& places() const { return places_; }
  /// Number of the pane whose picture is at a position in the window, points; 0: none.
  int paneAt(render::Point at) const;
  /// Calls visit(Pane&) for every pane that has a place in this frame.
  template <class Visit>
  void eachShown(Visit visit) {
    for (std::size_t i = 0; i < places_.size(); ++i)
      visit(at(static_cast<int>(i) + 1));
  }
  /// All shown panes process their input and results; then the shared limits are computed.
  void update();
  /// Draws the pictures of all shown panes, which may depend on results of other panes.
  std::vector<render::PlacedScene> scenes();
  void drawEdges() const;
  void drawTitles();

  /// Converts data coordinates to points in the window, like Workbench::toPixels.
  std::optional<render::Point> toWindow(std::string_view canvas, render::Point data);
  /// The shared limits of the last update, whether the panes use them or not.
  const std::optional<ColorLimits>& sharedLimits() const { return sharedLimits_; }
  bool complete();
  bool animating();
  void releaseGpu();

 private:
  FigureChoice choiceOf(int number);
  Result<void> split(const std::string& layout);
  Result<void> setWindow(std::string_view key, const Value& value, std::string group);
  void shareLimits();
  void drawTitle(int number, bool isActive, ImVec2 strip);

  WindowState& window_;
  Jobs& jobs_;
  ThreadPool& pool_;
  std::function<void(PropertyRegistry&)> declareReadOuts_;
  std::vector<std::string> carried_;  ///< keys that undo does not restore, of all panes
  std::array<std::unique_ptr<Pane>, kMostPanes> panes_;
  std::vector<PanePlace> places_;  ///< of the panes in this frame
  std::optional<ColorLimits> sharedLimits_;
};

}  // namespace sepx::ui
