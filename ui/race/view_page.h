// SPDX-License-Identifier: Apache-2.0
// A page of a race that says what is shown as data (ui/views): it asks for its results in ask(), and makes its views
// from state and results in views(), which is pure. Where they stand, how they are drawn, what the pointer does there,
// the numbers to export and the gestures follow from the views. Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/exhibit/lane_result.h"
#include "ui/race/timed_page.h"
#include "ui/views/board.h"

namespace sepx::ui {

class ViewPage : public TimedPage {
 public:
  Numbers numbers(const RaceShared&) const override { return board_.numbers(); }
  std::vector<std::pair<std::string, std::string>> gestures() const override { return board_.gestures(); }

 protected:
  /// `name`: "reversal.checkpoint"; its layers are "reversal.checkpoint.VIEW".
  explicit ViewPage(const std::string& name) : board_(name + ".") {}
  /// Once a frame: takes over finished results and asks for what is stale.
  virtual void ask(const RaceFrame& frame, ExhibitContext& context) = 0;
  /// What is shown now: from the document, what the pages share, and results that count in results_.
  virtual Views views(const RaceFrame& frame) const = 0;

  /// The step that is shown as a line in a chart over steps, and its drag as one of the slider.
  void showSteps(ChartContent& chart, const RaceFrame& frame) const;

  /// The charts of these metrics, `perRow` in a row, below the legend of the layers where scores of layers are among
  /// them.
  Arrangement addCharts(Views& into, const RaceFrame& frame, const std::vector<RaceMetric>& metrics,
                        std::size_t perRow) const;

  ResultSet results_;

  void updateContent(const RaceFrame& frame, ExhibitContext& context) final;
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) final;
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) final;
  Strip controls(const RaceFrame&) const override { return board_.controls(); }

 private:
  void place(const RaceFrame& frame);

  ViewBoard board_;
  std::uint64_t madeOf_ = 0;  ///< digest of what the views were made of
};

}  // namespace sepx::ui
