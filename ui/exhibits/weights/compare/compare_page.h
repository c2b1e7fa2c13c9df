// SPDX-License-Identifier: Apache-2.0
// The comparison of two checkpoints: the same layer and head of both side by side with one view, their difference, or
// one after the other in the same place; beside it how far apart all layers and heads are. Frame thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/weights/compare/compare_board.h"
#include "ui/exhibits/weights/compare/compare_pictures.h"
#include "ui/exhibits/weights/shared/matrix_input.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/plots/matrix_scale.h"
#include "ui/views/board.h"

namespace sepx::ui {

/// Choices of `weights.compare.measure`.
enum class CompareMeasure { Relative, Cosine };

/// Where the parts of the page are.
struct CompareLayout {
  MatrixLayout matrix;             ///< panes empty: no room, or nothing to show
  std::vector<CompareSide> sides;  ///< one a pane
  render::Rect head, table;
  std::vector<render::Rect> bars;  ///< of colours: one for all panes, or one each
};

class ComparePage final : public WeightsPage {
 public:
  PageLabel label() const override { return {"compare", N_("Compare")}; }
  std::vector<std::string> furtherFiles(const WeightsState& state) const override {
    return state.comparePath.empty() ? std::vector<std::string>() : std::vector{state.comparePath};
  }
  std::vector<PropertyGroup> groups() const override { return {{"compare", N_("Comparison")}}; }
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void update(const PageFrame& frame, ExhibitContext& context) override;
  void scene(const PageFrame& frame, std::vector<render::Layer>& into) override;
  Cursor input(const PageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return board_.complete() && pictures_.complete(); }
  bool animating() const override { return (playing_ && blinking_) || pictures_.resting(); }
  Numbers numbers(const WeightsShared& shared) const override;
  std::string caption(const WeightsShared& shared) const override;
  std::string status(const WeightsShared& shared) const override;
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  const CompareBoard& board() const { return board_; }
  const ComparePictures& pictures() const { return pictures_; }
  bool secondShown() const { return secondShown_; }
  CompareLayout layoutOf(const PageFrame& frame) const;

 private:
  static void declareChoices(PropertyRegistry& registry);
  std::string sentenceOf(const PageFrame& frame) const;
  void blink(ExhibitContext& context);
  int columns() const;
  MatrixScale handScale(const PageFrame& frame, const CompareLayout& layout) const;
  MatrixScale scaleOf(const PageFrame& frame, CompareSide side) const;
  std::string nameOf(const PageFrame& frame, CompareSide side) const;
  std::string numbersLine(const WeightsShared& shared) const;
  double measureOf(const attention::Difference& difference) const;
  std::pair<double, double> measureRange() const;
  std::vector<render::Item> pictureItems(const PageFrame& frame, const CompareLayout& layout) const;
  std::vector<render::Item> paneItems(const PageFrame& frame, const CompareLayout& layout) const;
  void addValues(std::vector<render::Item>& items, const PageFrame& frame, const CompareLayout& layout,
                 std::size_t pane) const;
  void addHead(std::vector<render::Item>& items, const PageFrame& frame, const CompareLayout& layout) const;
  void addScales(std::vector<render::Item>& items, const PageFrame& frame, const CompareLayout& layout) const;
  MatrixContent distances(const PageFrame& frame) const;
  Views tableViews(const PageFrame& frame, const CompareLayout& layout) const;
  std::vector<render::Item> tipItems(const PageFrame& frame, const CompareLayout& layout) const;

  PageLayers layers_;
  ViewBoard table_{"compare."};  ///< how far apart layers and heads are
  std::uint64_t tableOf_ = 0;    ///< digest of what it was made of
  CompareBoard board_;
  ComparePictures pictures_;
  CompareMeasure measure_ = CompareMeasure::Relative;
  bool secondShown_ = false;  ///< of a blink
  bool ownScales_ = false;    ///< each checkpoint has its own colours
  bool playing_ = false, blinking_ = false;
  double flipped_ = 0;  ///< host time of the last flip
  MatrixInput input_;
};

/// With enough decimals that it is not 1 where it only nearly is.
std::string cosineText(double cosine);

}  // namespace sepx::ui
