// SPDX-License-Identifier: Apache-2.0
// The panes of the window: which are shown and active, where they stand, whose a key is, cameras that move together and
// colour limits that are shared. A pane that is no longer shown keeps its sections in the document, so that a split
// that comes back shows what it did. Frame thread.
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
  /// `declareReadOuts`: of the window, into the registry of every pane.
  Panes(WindowState& window, Jobs& jobs, ThreadPool& pool, std::function<void(PropertyRegistry&)> declareReadOuts);

  int shown() const { return paneCount(window_.history.present()); }
  int activeNumber() const { return activePane(window_.history.present()); }
  /// Made when it is asked for first. `number`: 1 to kMostPanes.
  Pane& at(int number);
  Pane& active() { return at(activeNumber()); }
  /// Nothing happens for a pane that is not shown.
  void activate(int number);
  void addCommands(Commands& to);
  /// What the exhibit of a pane may use in this frame.
  ExhibitContext context(int number);

  /// Whose key this is; BadInput for a pane that is not shown.
  Result<PaneKey> resolve(std::string_view key) const;
  std::optional<PropertyRegistry::Found> find(std::string_view key);
  /// BadInput when there is no such key.
  Result<Value> get(std::string_view key);
  /// Usage for what the registry refuses.
  Result<void> set(std::string_view key, const Value& value, std::string group = {});
  /// Every field of a document that is known, of every pane: BadInput names the first that is refused.
  Result<void> check(const Document& document);
  /// The document without what undo leaves alone.
  Document withoutCarried(const Document& document) const { return withoutPaths(document, carried_); }
  /// Nothing that differs from a fresh window but what undo leaves alone.
  bool untouched() const { return withoutCarried(window_.history.present()) == withoutCarried(Document{}); }

  /// Gives every pane its place in this frame's layout; none: behind another page.
  void arrange(bool none);
  const std::vector<PanePlace>& places() const { return places_; }
  /// Which pane's picture is at a place in the window, points; 0: none.
  int paneAt(render::Point at) const;
  /// Calls visit(Pane&) for every pane that has a place in this frame.
  template <class Visit>
  void eachShown(Visit visit) {
    for (std::size_t i = 0; i < places_.size(); ++i)
      visit(at(static_cast<int>(i) + 1));
  }
  /// All panes take their input and results; then what they share is known.
  void update();
  /// The pictures, which may depend on what the other panes found.
  std::vector<render::PlacedScene> scenes();
  void drawEdges() const;
  void drawTitles();

  /// Data to points in the window, as Workbench::toPixels.
  std::optional<render::Point> toWindow(std::string_view canvas, render::Point data);
  /// Of the last update, whether panes show them or not.
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
  std::vector<std::string> carried_;  ///< keys that undo leaves alone, of all panes
  std::array<std::unique_ptr<Pane>, kMostPanes> panes_;
  std::vector<PanePlace> places_;  ///< of the panes in this frame
  std::optional<ColorLimits> sharedLimits_;
};

}  // namespace sepx::ui
