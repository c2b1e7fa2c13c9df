// SPDX-License-Identifier: Apache-2.0
// The transport below every page: start, pause, one step, rewind, the factor of the learning rate, how far the runs
// are, and the slider over the steps that all pages share. It is drawn, not ImGui, so that it is there in every pane.
// Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/race/race_page.h"
#include "ui/views/strip.h"

namespace sepx::ui {

class Transport {
 public:
  /// At the lower edge of `area`; of height 0 where there is no room for it, or it is not wanted.
  void place(const RaceFrame& frame, bool wanted);
  double height() const { return box_.height(); }
  void scene(const RaceFrame& frame, std::vector<render::Layer>& into);
  /// True: the event was for it.
  bool input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event);
  /// Nothing where the pointer is elsewhere.
  std::optional<Cursor> cursor(const RaceFrame& frame) const;
  void report(const RaceFrame& frame, const ExhibitContext& context) const;
  /// The step of a place of the slider.
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

/// Where the slider goes: a step, or the live end for what lies at or behind the newest. Not an undo step.
void showStep(Editor& editor, const RaceShared& shared, std::int64_t step);

}  // namespace sepx::ui
