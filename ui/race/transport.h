// SPDX-License-Identifier: Apache-2.0
// The transport bar below every page: start, pause, single step, rewind, the factor of the learning rate, the progress
// of the runs, and the slider over the steps that all pages share. It is drawn in the scene and not with ImGui, so that
// every pane has it. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/race/race_page.h"
#include "ui/views/strip.h"

namespace sepx::ui {

class Transport {
 public:
  /// Places it at the lower edge of the area. Its height is 0 if `wanted` is false or there is no room for it.
  void place(const RaceFrame& frame, bool wanted);
  double height() const { return box_.height(); }
  void scene(const RaceFrame& frame, std::vector<render::Layer>& into);
  /// True if the transport handled the event.
  bool input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event);
  /// Empty if the pointer is elsewhere.
  std::optional<Cursor> cursor(const RaceFrame& frame) const;
  void report(const RaceFrame& frame, const ExhibitContext& context) const;
  /// The step at page coordinate `x` of the slider.
  std::int64_t stepAt(const RaceShared& shared, double x) const;

 private:
  void placeForRoom(const RaceFrame& frame);
  double placeOf(const RaceShared& shared, std::int64_t step) const;
  void seek(const RaceFrame& frame, ExhibitContext& context, double x) const;
  std::vector<render::Item> items(const RaceFrame& frame) const;

  render::Rect box_, track_;
  Strip strip_;  ///< buttons and texts, in page coordinates
  bool held_ = false;
  PageLayers layers_;
};

/// Moves the slider to a step, or to the live end for a step at or after the newest one. Not an undo step.
void showStep(Editor& editor, const RaceShared& shared, std::int64_t step);

}  // namespace sepx::ui
