// SPDX-License-Identifier: Apache-2.0
// The page Gradients: the cosine of forward and reverse gradients by group of parameters at the step shown, with what
// the idealised theory says beside it, over the saved steps, the factors of the storage's gradient, the signs of
// Proposition 4.1, and the first-order prediction of a step against what the step does. Frame thread.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibit/lane.h"
#include "ui/exhibits/reversal/gradients/gradients_view.h"
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/plots/line_chart.h"
#include "ui/race/chart_grid.h"
#include "ui/race/timed_page.h"

namespace sepx::ui {

class GradientsPage final : public TimedPage {
 public:
  PageLabel label() const override { return {"gradients", N_("Gradients")}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& live) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return measure_.complete() && count_.complete() && history_.complete(); }
  Numbers numbers(const RaceShared& shared) const override;
  std::string caption(const RaceShared& shared) const override;

 protected:
  void updateContent(const RaceFrame& frame, ExhibitContext& context) override;
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;

 private:
  struct Boxes {
    render::Rect bars, facts, steps, rates;
  };
  Boxes boxesOf(const RaceFrame& frame) const;
  void declareResults(PropertyRegistry& registry);
  void declareGroups(PropertyRegistry& registry);
  void takeOver(const ExhibitContext& context);
  void ask(const RaceShared& shared, ExhibitContext& context);
  void askSingles(const ShownModel& model, ExhibitContext& context);
  void askHistory(const RacingRun& racing, ExhibitContext& context);
  void place(const RaceFrame& frame);
  bool oneStep() const;                 ///< weights of the run are saved at one step alone: there is no curve
  std::string historySentence() const;  ///< in place of the curve; empty: it is there
  std::vector<render::Item> words(const RaceFrame& frame, const render::Rect& box) const;

  GradientsRequest choice_;  ///< without a model
  Lane<GradientsRequest, Result<GradientsPointer>> measure_{"reversal.gradients"};
  Lane<SinglesRequest, Result<SinglesPointer>> count_{"reversal.gradients.singles"};
  Lane<CosineHistoryRequest, Result<HistoryPointer>> history_{"reversal.gradients.steps"};
  std::shared_ptr<RunData> data_ = std::make_shared<RunData>();
  std::string folder_, sentence_, historySentence_;
  GradientsPointer view_;
  SinglesPointer singles_;
  HistoryPointer past_;
  std::uint64_t changes_ = 0;
  std::optional<PlacedChart> rates_;
  LayerKey ratesKey_;
  ChartGrid steps_;
  PageLayers layers_;
};

}  // namespace sepx::ui
