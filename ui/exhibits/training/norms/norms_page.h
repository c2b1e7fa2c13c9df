// SPDX-License-Identifier: Apache-2.0
// A bench for Theorem 2.3 of Attention-Structure: sampled updates against (S56), survival curves of norms (18), the
// directionality that really follows, and a counterexample to Lemma A.11. It needs no run. Results come from a job.
// Frame thread.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibit/lane.h"
#include "ui/exhibits/training/norms/norms_charts.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

class NormsPage final : public RacePage {
 public:
  PageLabel label() const override { return {"norms", N_("Norms")}; }
  RaceTraits traits() const override { return {.runs = false}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void update(const RaceFrame& frame, ExhibitContext& context) override;
  void scene(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  void report(const RaceFrame&, const ExhibitContext&) const override {}
  bool complete() const override { return bench_.complete(); }
  Numbers numbers(const RaceShared& shared) const override;
  std::string caption(const RaceShared& shared) const override;
  std::string status(const RaceShared& shared) const override;
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 private:
  struct Kept {
    std::string name;
    LayerKey key;
    PlacedChart chart;
  };
  const studies::GrowthBench* bench() const { return bench_.result(); }
  void declareResults(PropertyRegistry& registry);
  void layOut(const RaceFrame& frame);
  void place(std::size_t slot, const char* name, const LayerKey& key, const render::Rect& box,
             const std::function<LineChart()>& make, const Theme& theme);
  std::vector<std::string> findings() const;
  std::vector<render::Item> words(const RaceFrame& frame) const;

  NormsState state_;
  Lane<studies::GrowthOptions, studies::GrowthBench> bench_{"training.norms"};
  std::vector<Kept> charts_;
  render::Rect words_;
  PageLayers layers_;
};

}  // namespace sepx::ui
