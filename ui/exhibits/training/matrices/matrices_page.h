// SPDX-License-Identifier: Apache-2.0
// The page Matrices with the weight matrices of a layer: the chosen one of every run in colours, a table of all of them
// with the ratio of their two largest singular values and the alignment of their leading vectors with the embedding,
// and curves of the chosen one over the steps. Frame thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/training/matrices/matrices_side.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

class MatricesPage final : public RacePage {
 public:
  MatricesPage();
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = complete();
    now.caption = [this, &shared] { return caption(shared); };
    return now;
  }

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  std::string caption(const RaceShared& shared) const;
  bool complete() const;
  enum class Curve { Ratio, Cosine, Corner };
  void declareReadOutsOfRuns(PropertyRegistry& registry);
  std::size_t shown(const RaceShared& shared) const { return std::min(kMostRuns, shared.runs.size()); }
  /// The limit of the colours if all runs share it.
  double sharedLimit() const;
  double limitOf(const MatricesResult& result) const;
  /// Matrices of the table's rows.
  std::vector<train::LayerMatrix> rowsOf(const RaceShared& shared) const;
  MatrixContent matrix(const RaceFrame& frame, std::size_t run) const;
  TableContent table(const RaceFrame& frame) const;
  ChartContent chart(const RaceFrame& frame, Curve curve) const;
  LegendContent legend(const RaceFrame& frame) const;
  /// The numbers of the runs, and those of the chosen matrix by step.
  Numbers pointNumbers(const RaceShared& shared) const;
  Arrangement arrangement(const RaceFrame& frame, const TableContent& rows) const;

  std::vector<std::unique_ptr<MatricesSide>> sides_;  ///< kMostRuns
  train::LayerMatrix which_ = train::LayerMatrix::Up;
  RaceScale scale_ = RaceScale::Own;
  double fixedLimit_ = 1;
};

}  // namespace sepx::ui
