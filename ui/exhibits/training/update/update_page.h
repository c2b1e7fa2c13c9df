// SPDX-License-Identifier: Apache-2.0
// The update taken apart: for the first two runs of the race beta of one sequence, the term of a pair, the strongest
// pairs, and the numbers that say how symmetric the update is. Frame thread.
#pragma once

#include <string>

#include "ui/exhibits/training/update/update_side.h"
#include "ui/race/view_page.h"

namespace sepx::ui {

class UpdatePage final : public ViewPage {
 public:
  UpdatePage() : ViewPage("training.update") {}
  PageLabel label() const override { return {"update", N_("Update")}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return sides_[0].complete() && sides_[1].complete(); }
  std::string caption(const RaceShared& shared) const override;

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  static constexpr std::size_t kRuns = 2;
  void declareReadOutsOfRuns(PropertyRegistry& registry);
  void declareTokens(PropertyRegistry& registry);
  MatrixContent beta(const RaceFrame& frame, std::size_t run) const;
  MatrixContent term(std::size_t run) const;
  TableContent table(std::size_t run) const;
  /// Of one run: below the squares, or in a column beside them.
  Arrangement stands(const RaceFrame& frame, std::size_t run, bool below) const;
  Numbers exported(const RaceShared& shared) const;

  UpdateSide sides_[kRuns] = {UpdateSide(results_, "0"), UpdateSide(results_, "1")};
  UpdateChoice choice_;
  int i_ = -1, j_ = -1;  ///< the pair that is shown
};

}  // namespace sepx::ui
