// SPDX-License-Identifier: Apache-2.0
// A bench for Theorem 2.3 of Attention-Structure: sampled updates against (S56), survival curves of norms (18), the
// directionality that really follows, and a counterexample to Lemma A.11. It needs no run. Results come from a job.
// Frame thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/exhibits/training/norms/norms_charts.h"
#include "ui/race/view_page.h"

namespace sepx::ui {

class NormsPage final : public ViewPage {
 public:
  NormsPage() : ViewPage("training.norms") {}
  PageLabel label() const override { return {"norms", N_("Norms")}; }
  RaceTraits traits() const override { return {.runs = false}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return bench_.complete(); }
  std::string caption(const RaceShared& shared) const override;
  std::string status(const RaceShared&) const override { return bench_.sentence(); }
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;
  bool showsSteps() const override { return false; }
  bool showsRuns() const override { return false; }

 private:
  using BenchPointer = std::shared_ptr<const studies::GrowthBench>;
  const studies::GrowthBench* bench() const { return bench_.value().get(); }
  void declareResults(PropertyRegistry& registry);
  TextContent findings() const;
  Numbers exported() const;

  NormsState state_;
  LaneResult<studies::GrowthOptions, BenchPointer> bench_{results_, "training.norms"};
};

}  // namespace sepx::ui
