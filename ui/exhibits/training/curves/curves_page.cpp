// SPDX-License-Identifier: Apache-2.0
// The curves of a race: the loss large, W_qk of the chosen layer beside it, below them what else is checked: scores by
// layer, gradient norm, learning rate, singular values. All at the step of the slider. Frame thread.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "ui/properties/tr.h"
#include "ui/race/chart_grid.h"
#include "ui/race/form_panes.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/timed_page.h"

namespace sepx::ui {

namespace {

constexpr double kFormsShare = 0.42;                     // of the width
constexpr double kLeastForms = 260;                      // points: in a narrower pane the matrices go
constexpr double kUpperShare = 0.56;                     // of the height, where there are charts below
constexpr double kLeastChart = 230;                      // points, width of a small chart
constexpr double kLegendHeight = 13, kLegendWidth = 26;  // sizes of the text: a smaller chart has no legend

class CurvesPage final : public TimedPage {
 public:
  PageLabel label() const override { return {"curves", N_("Curves")}; }
  RaceTraits traits() const override { return {.curves = true, .steps = true, .forms = true}; }
  void declare(PropertyRegistry&, const RaceShared&) override {}
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  Numbers numbers(const RaceShared& shared) const override { return runNumbers(shared); }
  std::string caption(const RaceShared& shared) const override { return raceCaption(shared); }

 protected:
  void updateContent(const RaceFrame& frame, ExhibitContext& context) override;
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;

 private:
  void place(const RaceFrame& frame);

  ChartGrid charts_;
  FormPanes forms_;
  std::vector<ChartPlacing> places_;
  render::Rect formsBox_, legend_;
  bool showsForms_ = false;
  PageLayers layers_;
};

void CurvesPage::place(const RaceFrame& frame) {
  places_.clear();
  legend_ = {};
  const double pad = frame.theme.space;
  const RaceShared& shared = frame.shared;
  render::Rect upper{{frame.area.min.x + pad, frame.area.min.y + pad},
                     {frame.area.max.x - pad, frame.area.max.y - pad}};
  std::vector<RaceMetric> below;
  for (std::size_t i = 1; i < kRaceMetrics; ++i) {
    const auto metric = static_cast<RaceMetric>(i);
    if (shared.state.shows(metric) && hasNumbers(shared, metric)) below.push_back(metric);
  }
  if (!below.empty() && !frame.compact) {
    render::Rect lower{{upper.min.x, upper.min.y + kUpperShare * upper.height() + pad / 2}, upper.max};
    upper.max.y = lower.min.y - pad / 2;
    if (std::any_of(below.begin(), below.end(), ofLayers)) {
      legend_ = lower;
      legend_.min.x += 2 * pad;
      lower.min.y += ChartGrid::legendHeight(frame, legend_.width());
    }
    const auto perRow = static_cast<std::size_t>(std::max(1.0, lower.width() / kLeastChart));
    const std::size_t rows = below.size() > std::min<std::size_t>(perRow, 4) ? 2 : 1;
    const std::vector<render::Rect> boxes = gridOf(lower, below.size(), (below.size() + rows - 1) / rows, pad);
    for (std::size_t i = 0; i < below.size(); ++i)
      places_.push_back({below[i], boxes[i], true});
  }
  showsForms_ = shared.layers > 0 && kFormsShare * upper.width() >= kLeastForms;
  formsBox_ = upper;
  if (showsForms_) {
    formsBox_.min.x = upper.max.x - kFormsShare * upper.width();
    upper.max.x = formsBox_.min.x - pad;
  }
  // A low page, as above a lesson's text, can still have a chart with a legend.
  const bool small = frame.compact && (upper.height() < kLegendHeight * frame.theme.textSize ||
                                       upper.width() < kLegendWidth * frame.theme.textSize);
  if (shared.state.shows(RaceMetric::Loss) || places_.empty())
    places_.insert(places_.begin(), {RaceMetric::Loss, upper, small});
}

void CurvesPage::updateContent(const RaceFrame& frame, ExhibitContext&) {
  place(frame);
  if (showsForms_ && frame.shared.wantForms) frame.shared.wantForms();
}

void CurvesPage::drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) {
  if (const std::string text = noRunsSentence(frame.shared); !text.empty()) {
    layers_.addSentence(into, "training.sentence", frame, text);
    return;
  }
  place(frame);
  const LayerKey key = keyOf(frame);
  charts_.update(frame, places_, key);
  charts_.scene(frame, into);
  if (legend_.width() > 0) charts_.addLegend(frame, into, legend_, key);
  forms_.place(frame, showsForms_ ? formsBox_ : render::Rect{});
  forms_.scene(frame, into, key);
}

Cursor CurvesPage::inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  return charts_.input(frame, context, event).value_or(Cursor::Arrow);
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
