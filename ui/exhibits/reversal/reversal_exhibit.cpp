// SPDX-License-Identifier: Apache-2.0
// Implements the Reversal exhibit: a race (ui/race) with the pages and experiments of the reversal curse. Frame thread
// only.
#include "ui/exhibits/reversal/reversal_exhibit.h"

#include "ui/exhibits/reversal/reversal_pages.h"
#include "ui/exhibits/reversal/shared/reversal_races.h"
#include "ui/exhibits/reversal/shared/reversal_read_outs.h"
#include "ui/race/race_exhibit.h"

namespace sepx::ui {

namespace {

class ReversalExhibit final : public RaceExhibit {
 public:
  ReversalExhibit() : RaceExhibit(reversalRaces()) { setPages(makeReversalPages()); }

  std::string name() const override { return tr("Reversal"); }
  std::string about() const override {
    return tr(
        "Train on \"A is B\" alone and ask \"B is …\": why masked diffusion reads backwards what it learnt forwards, "
        "and an autoregressive model does not.");
  }
  Document contrastState(const Document& mine) const override {
    return mine.with("reversal.experiment", mine.at("reversal.experiment") == "encodings" ? "mdm-arm" : "encodings");
  }

 private:
  void declareShared(PropertyRegistry& registry, Property page) override {
    RaceExhibit::declareShared(registry, std::move(page));
    declareReversal(registry);
    declareReversalReadOuts(registry, shared());
  }
  std::vector<PropertyGroup> sharedGroups() const override {
    std::vector<PropertyGroup> all = RaceExhibit::sharedGroups();
    all.push_back({"encodings", N_("Encodings")});
    return all;
  }
  bool listsRuns() const override { return false; }
  std::vector<std::string> columnReadOuts() const override {
    return {"state", "step", "accuracy.forward", "accuracy.reverse"};
  }
};

}  // namespace

std::unique_ptr<Exhibit> makeReversalExhibit() {
  return std::make_unique<ReversalExhibit>();
}

}  // namespace sepx::ui
