// SPDX-License-Identifier: Apache-2.0
// The page Curves of a race: a large chart of the loss, W_qk of the chosen layer beside it, and below them the other
// charts that are switched on: scores by layer, gradient norm, learning rate, singular values. All show the step of the
// slider. Frame thread.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ui/properties/tr.h"
#include "ui/race/race_page.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"
#include "ui/race/run_matrices.h"
#include "ui/views/left_out.h"

namespace sepx::ui {

namespace {

constexpr double kMatricesShare = 0.42;                  // of the width
constexpr double kLeastMatrices = 260;                   // points; in a narrower pane the matrices are left out
constexpr double kUpperShare = 0.56;                     // of the height, if there are charts below
constexpr double kLeastChart = 230;                      // points, width of a small chart
constexpr double kLegendHeight = 13, kLegendWidth = 26;  // multiples of the type size; a smaller chart has no legend

class CurvesPage final : public RacePage {
 public:
  CurvesPage()
      : RacePage({"curves", N_("Curves"), "training.curves."}, {.curves = true, .steps = true, .matrices = true}) {}
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.caption = [&shared] { return raceCaption(shared); };
    return now;
  }

 protected:
  void ask(const RaceFrame& frame, ExhibitContext&) override {
    if (showsMatrices(frame) && frame.shared.requestQk) frame.shared.requestQk();
  }
  Views views(const RaceFrame& frame) const override;

 private:
  static bool showsMatrices(const RaceFrame& frame) {
    return frame.shared.layers > 0 && kMatricesShare * frame.area.width() >= kLeastMatrices;
  }
};

Views CurvesPage::views(const RaceFrame& frame) const {
  const RaceShared& shared = frame.shared;
  const double pad = frame.theme.space, unit = frame.theme.textSize;
  if (std::string text = noRunsSentence(shared); !text.empty()) return sentenceAlone(std::move(text));
  std::vector<RaceMetric> below;
  for (std::size_t i = 1; i < kRaceMetrics; ++i) {
    const auto metric = static_cast<RaceMetric>(i);
    if (shared.state.shows(metric) && hasNumbers(shared, metric)) below.push_back(metric);
  }
  const bool more = frame.compact && !frame.figure && !below.empty();  // some charts have no room
  if (frame.compact) below.clear();
  Views made;
  Arrangement upper{.kind = Arrangement::Kind::Row, .gap = pad, .weight = kUpperShare};
  if (shared.state.shows(RaceMetric::Loss) || below.empty()) {
    // A low page, such as one above the text of a lesson, can still have room for a legend.
    const double width = (showsMatrices(frame) ? 1 - kMatricesShare : 1) * frame.area.width();
    const bool small =
        frame.compact && (frame.area.height() - 2 * pad < kLegendHeight * unit || width < kLegendWidth * unit);
    ChartContent loss{makeRunChart(shared, RaceMetric::Loss, frame.theme, small)};
    showSteps(loss, frame);
    made.views.push_back({wordOf(RaceMetric::Loss), std::move(loss)});
    upper.parts.push_back(viewNamed(wordOf(RaceMetric::Loss)));
    upper.parts.back().weight = 1 - kMatricesShare;
  }
  if (showsMatrices(frame)) {
    upper.parts.push_back(addRunMatrices(made, frame));
    upper.parts.back().weight = kMatricesShare;
  } else if (shared.layers > 0 && !frame.figure) {
    upper.parts.push_back(leftOut(tr("the matrices")));
  }
  made.arrangement = {.kind = Arrangement::Kind::Column, .parts = {std::move(upper)}, .gap = pad, .margin = pad};
  if (more) made.arrangement.parts.push_back(leftOut(tr("the other charts")));
  if (!below.empty()) {
    const auto most = static_cast<std::size_t>(std::max(1.0, frame.area.width() / kLeastChart));
    const std::size_t rows = below.size() > std::min<std::size_t>(most, 4) ? 2 : 1;
    made.arrangement.parts.push_back(addCharts(made, frame, below, (below.size() + rows - 1) / rows));
    made.arrangement.parts.back().weight = 1 - kUpperShare;
  }
  made.views.front().numbers = [&shared] { return runNumbers(shared); };
  return made;
}

void CurvesPage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.heading(tr("Charts"));
  for (std::size_t i = 0; i < kRaceMetrics; ++i) {
    if (hasNumbers(frame.shared, static_cast<RaceMetric>(i)))
      panel.row(std::string("training.show.") + wordOf(static_cast<RaceMetric>(i)));
  }
  panel.rows("training.show.", {"validation", "bounds", "raw"});
  panel.rows("training.", {"smooth", "log.steps", "log.values"});
  if (frame.shared.layers > 1) panel.row("training.layers");
  panel.rows("training.colors.", {"scale", "limit"});
}

}  // namespace

std::unique_ptr<RacePage> makeCurvesPage() {
  return std::make_unique<CurvesPage>();
}

}  // namespace sepx::ui
