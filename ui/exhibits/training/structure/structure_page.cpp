// SPDX-License-Identifier: Apache-2.0
// The structure of attention: W_qk of the chosen layer and head, a large pane a run, and below it the scores of all
// layers over steps. Frame thread.
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

constexpr double kFormsShare = 0.62;  // of the height

class StructurePage final : public TimedPage {
 public:
  PageLabel label() const override { return {"structure", N_("Structure")}; }
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
  ChartGrid charts_;
  FormPanes forms_;
  PageLayers layers_;
};

void StructurePage::updateContent(const RaceFrame& frame, ExhibitContext&) {
  if (frame.shared.wantForms) frame.shared.wantForms();
}

void StructurePage::drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) {
  if (const std::string text = noRunsSentence(frame.shared); !text.empty()) {
    layers_.addSentence(into, "training.sentence", frame, text);
    return;
  }
  const double pad = frame.theme.space;
  render::Rect forms{{frame.area.min.x + pad, frame.area.min.y + pad},
                     {frame.area.max.x - pad, frame.area.max.y - pad}};
  std::vector<ChartPlacing> places;
  render::Rect legend;
  if (!frame.compact) {
    render::Rect lower = forms;
    lower.min.y = forms.min.y + kFormsShare * forms.height();
    forms.max.y = lower.min.y - pad;
    legend = lower;
    legend.min.x += 2 * pad;
    lower.min.y += ChartGrid::legendHeight(frame, legend.width());
    std::vector<RaceMetric> shown;
    for (const RaceMetric metric : {RaceMetric::Symmetry, RaceMetric::Directionality, RaceMetric::RowColumnCv})
      if (hasNumbers(frame.shared, metric)) shown.push_back(metric);
    const std::vector<render::Rect> boxes = gridOf(lower, shown.size(), 3, pad);
    for (std::size_t i = 0; i < shown.size(); ++i)
      places.push_back({shown[i], boxes[i], true});
  }
  const LayerKey key = keyOf(frame);
  charts_.update(frame, places, key);
  charts_.scene(frame, into);
  if (!places.empty()) charts_.addLegend(frame, into, legend, key);
  forms_.place(frame, forms);
  forms_.scene(frame, into, key);
}

Cursor StructurePage::inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  return charts_.input(frame, context, event).value_or(Cursor::Arrow);
}

void StructurePage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("Matrix"), "training.", {"layer", "head", "colors.scale", "colors.limit"});
  panel.heading(tr("Charts"));
  if (frame.shared.layers > 1) panel.row("training.layers");
  panel.row("training.log.steps");
}

}  // namespace

std::unique_ptr<RacePage> makeStructurePage() {
  return std::make_unique<StructurePage>();
}

}  // namespace sepx::ui
