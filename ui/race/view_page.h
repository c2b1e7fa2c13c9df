// SPDX-License-Identifier: Apache-2.0
// A page of a race that says what is shown as data (ui/views/page_of_views.h). Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/race/timed_page.h"
#include "ui/views/page_of_views.h"

namespace sepx::ui {

class ViewPage : public PageOfViews<TimedPage> {
 protected:
  using PageOfViews::PageOfViews;

  /// The step that is shown as a line in a chart over steps, and its drag as one of the slider.
  void showSteps(ChartContent& chart, const RaceFrame& frame) const;

  /// The charts of these metrics, `perRow` in a row, below the legend of the layers where scores of layers are among
  /// them.
  Arrangement addCharts(Views& into, const RaceFrame& frame, const std::vector<RaceMetric>& metrics,
                        std::size_t perRow) const;

  std::uint64_t madeOf(const RaceFrame& frame) const override;
  bool moving(const RaceFrame& frame) const override { return frame.shared.trains() || frame.shared.replays; }
  void updateContent(const RaceFrame& frame, ExhibitContext& context) final { updateViews(frame, context); }
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) final { drawViews(frame, into); }
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) final {
    return inputViews(frame, context, event);
  }
  Strip controls(const RaceFrame&) const override { return board().controls(); }
};

}  // namespace sepx::ui
