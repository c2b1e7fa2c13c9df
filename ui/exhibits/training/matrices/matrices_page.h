// SPDX-License-Identifier: Apache-2.0
// The weight matrices of a layer: the chosen one of every run as colours, all of them in a table with the ratio of
// their two largest singular values and how their leading vectors lie to the embedding, and the chosen one over the
// steps. Frame thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/training/matrices/matrices_side.h"
#include "ui/plots/matrix_view.h"
#include "ui/plots/table.h"
#include "ui/race/chart_grid.h"
#include "ui/race/timed_page.h"

namespace sepx::ui {

class MatricesPage final : public TimedPage {
 public:
  PageLabel label() const override { return {"matrices", N_("Matrices")}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override;
  Numbers numbers(const RaceShared& shared) const override;
  std::string caption(const RaceShared& shared) const override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;

 protected:
  void updateContent(const RaceFrame& frame, ExhibitContext& context) override;
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;

 private:
  struct Pane {
    render::Rect box, picture;
  };
  struct Places {
    std::vector<Pane> panes;
    render::Rect table, legend, charts;  ///< empty: there is no room
  };
  Places placesOf(const RaceFrame& frame) const;
  void declareReadOutsOfRuns(PropertyRegistry& registry);
  double limitOf(const MatricesView& view) const;
  void addPane(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t run, const Pane& pane) const;
  TableView tableOf(const RaceFrame& frame) const;
  TableView::Look lookOf(const RaceFrame& frame, const render::Rect& box) const;
  void addTable(std::vector<render::Item>& items, const RaceFrame& frame, const render::Rect& box) const;
  /// Matrices of the table's rows.
  std::vector<train::LayerMatrix> rowsOf(const RaceFrame& frame) const;
  enum class Curve { Ratio, Cosine, Corner };
  LineChart chartOf(const RaceFrame& frame, Curve curve) const;
  std::vector<render::Item> tip(const RaceFrame& frame, const Places& places) const;
  std::size_t shown(const RaceShared& shared) const { return std::min(kMostRuns, shared.runs.size()); }

  std::vector<std::unique_ptr<MatricesSide>> sides_;  ///< kMostRuns
  train::LayerMatrix which_ = train::LayerMatrix::Up;
  RaceScale scale_ = RaceScale::Own;
  double fixedLimit_ = 1;
  mutable double limit_ = 1;  ///< of all panes, moving
  std::uint64_t changes_ = 0;
  ChartGrid charts_;
  PageLayers layers_;

 public:
  MatricesPage();
};

}  // namespace sepx::ui
