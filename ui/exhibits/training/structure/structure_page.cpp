// SPDX-License-Identifier: Apache-2.0
// The page Structure of a race: W_qk of the chosen layer and head in one large pane per run, and below the panes the
// scores of all layers over the steps. Frame thread.
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

constexpr double kMatricesShare = 0.62;  // of the height

class StructurePage final : public RacePage {
 public:
  StructurePage()
      : RacePage({"structure", N_("Structure"), "training.structure."},
                 {.curves = true, .steps = true, .matrices = true, .watches = true}) {}
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.caption = [&shared] { return raceCaption(shared); };
    return now;
  }

 protected:
  void ask(const RaceFrame& frame, ExhibitContext&) override {
    if (frame.shared.requestQk) frame.shared.requestQk();
  }
  Views views(const RaceFrame& frame) const override;
};

Views StructurePage::views(const RaceFrame& frame) const {
  const RaceShared& shared = frame.shared;
  if (std::string text = noRunsSentence(shared); !text.empty()) return sentenceAlone(std::move(text));
  Views made;
  Arrangement matrices = addRunMatrices(made, frame);
  matrices.weight = kMatricesShare;
  made.arrangement = {.kind = Arrangement::Kind::Column,
                      .parts = {std::move(matrices)},
                      .gap = frame.theme.space,
                      .margin = frame.theme.space};
  std::vector<RaceMetric> scores;
  for (const RaceMetric metric : {RaceMetric::Symmetry, RaceMetric::Directionality, RaceMetric::RowColumnCv})
    if (hasNumbers(shared, metric)) scores.push_back(metric);
  if (!frame.compact && !scores.empty()) {
    Arrangement charts = addCharts(made, frame, scores, 3);
    charts.weight = 1 - kMatricesShare;
    made.arrangement.parts.push_back(std::move(charts));
  } else if (!frame.figure && !scores.empty()) {
    made.arrangement.parts.push_back(leftOut(tr("the charts of scores")));
  }
  made.views.front().numbers = [&shared] { return runNumbers(shared); };
  return made;
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
