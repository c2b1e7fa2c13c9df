// SPDX-License-Identifier: Apache-2.0
// A page of a race: what it shows, which it says as data (ui/views/page_of_views.h), stands above the transport and,
// where runs failed, below what went wrong. Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/race/race_page.h"
#include "ui/race/transport.h"
#include "ui/views/page_of_views.h"

namespace sepx::ui {

class ViewPage : public PageOfViews<RacePage> {
 public:
  void read(const Document&, const PropertyRegistry&, const RaceShared&) override { ++documents_; }
  void update(const RaceFrame& frame, ExhibitContext& context) final;
  void scene(const RaceFrame& frame, std::vector<render::Layer>& into) final;
  Cursor input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) final;
  Cursor cursor(const RaceFrame& frame, Cursor last) const final { return transport_.cursor(frame).value_or(last); }
  void report(const RaceFrame& frame, const ExhibitContext& context) const final;
  bool complete() const override { return true; }
  /// The keys of the slider.
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;
  bool animating() const override { return replays_; }

 protected:
  using PageOfViews::PageOfViews;

  /// Whether it shows the step of the slider: then the slider stands below it.
  virtual bool showsSteps() const { return true; }
  /// Whether it shows the runs of the race: then what went wrong with one of them is said above.
  virtual bool showsRuns() const { return true; }
  /// The step that is shown as a line in a chart over steps, and its drag as one of the slider.
  void showSteps(ChartContent& chart, const RaceFrame& frame) const;

  /// The charts of these metrics, `perRow` in a row, below the legend of the layers where scores of layers are among
  /// them.
  Arrangement addCharts(Views& into, const RaceFrame& frame, const std::vector<RaceMetric>& metrics,
                        std::size_t perRow) const;

  std::uint64_t madeOf(const RaceFrame& frame) const override;
  bool moving(const RaceFrame& frame) const override { return frame.shared.trains() || frame.shared.replays; }

 private:
  /// Where the views stand.
  RaceFrame content(const RaceFrame& frame) const;

  Transport transport_;
  PageLayers failures_;
  std::uint64_t documents_ = 0;
  bool replays_ = false;
};

}  // namespace sepx::ui
