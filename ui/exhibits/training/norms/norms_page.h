// SPDX-License-Identifier: Apache-2.0
// The page Norms, a test bench for Theorem 2.3 of Attention-Structure. It compares sampled updates with (S56) and shows
// the survival curves of the norms (18), the directionality that really results, and a counterexample to Lemma A.11. It
// needs no run. The results are computed in a job. Frame thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/exhibits/training/norms/norms_charts.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

class NormsPage final : public RacePage {
 public:
  NormsPage()
      : RacePage({"norms", N_("Norms"), "training.norms."}, {.runs = false, .transport = false, .failures = false}) {}
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = bench_.complete();
    now.status = [this] { return bench_.sentence(); };
    now.caption = [this, &shared] { return caption(shared); };
    return now;
  }
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  std::string caption(const RaceShared& shared) const;
  using BenchPointer = std::shared_ptr<const studies::GrowthBench>;
  const studies::GrowthBench* bench() const { return bench_.value().get(); }
  void declareResults(PropertyRegistry& registry);
  TextContent findings() const;
  Numbers exported() const;

  NormsState state_;
  LaneResult<studies::GrowthOptions, BenchPointer> bench_{results_, "training.norms"};
};

}  // namespace sepx::ui
