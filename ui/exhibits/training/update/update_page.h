// SPDX-License-Identifier: Apache-2.0
// The update taken apart: for the first two runs of the race beta of one sequence, the term of a pair, the strongest
// pairs, and the numbers that say how symmetric the update is. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/training/update/update_side.h"
#include "ui/plots/matrix_view.h"
#include "ui/plots/table.h"
#include "ui/race/timed_page.h"

namespace sepx::ui {

class UpdatePage final : public TimedPage {
 public:
  PageLabel label() const override { return {"update", N_("Update")}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return sides_[0].complete() && sides_[1].complete(); }
  Numbers numbers(const RaceShared& shared) const override;
  std::string caption(const RaceShared& shared) const override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;

 protected:
  void updateContent(const RaceFrame& frame, ExhibitContext& context) override;
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;

 private:
  static constexpr std::size_t kRuns = 2;
  /// A row of the page: one run.
  struct Row {
    render::Rect title, beta, term, facts, table;
  };
  struct Cell {
    std::size_t row = 0;
    MatrixCell at;
  };
  static std::vector<Row> rowsOf(const RaceFrame& frame);
  static std::vector<Row> columnsOf(const render::Rect& area, std::size_t count, double above, double below);
  void declareReadOutsOfRuns(PropertyRegistry& registry);
  void declareTokens(PropertyRegistry& registry);
  TableView tableOf(const RaceFrame& frame, std::size_t row) const;
  TableView::Look lookOf(const RaceFrame& frame, const Row& place) const;
  std::optional<Cell> betaAt(const RaceFrame& frame, render::Point page) const;
  void addRow(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t row, const Row& place) const;
  void addTerm(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t row, const Row& place) const;
  std::vector<render::Item> tip(const RaceFrame& frame) const;
  void choose(ExhibitContext& context, int i, int j) const;

  UpdateSide sides_[kRuns] = {UpdateSide("0"), UpdateSide("1")};
  UpdateChoice choice_;
  int i_ = -1, j_ = -1;  ///< the pair that is shown
  double scroll_[kRuns] = {0, 0};
  std::uint64_t changes_ = 0;
  PageLayers layers_;
};

}  // namespace sepx::ui
