// SPDX-License-Identifier: Apache-2.0
// The comparison of two checkpoints: the same layer and head of both, side by side with the same view, as their
// difference, or alternating in the same place, with a table of the distances of all layers and heads. Frame thread.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibits/weights/compare/compare_board.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

/// Choices of `weights.compare.measure`.
enum class CompareMeasure { Relative, Cosine };

class ComparePage final : public WeightsPage {
 public:
  ComparePage()
      : WeightsPage({"compare", N_("Compare"), "compare.", {{"compare", N_("Comparison")}}},
                    {.furtherFiles = [](const WeightsState& state) {
                      return state.comparePath.empty() ? std::vector<std::string>() : std::vector{state.comparePath};
                    }}) {}
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const WeightsShared& shared) const override {
    PageFacts now = WeightsPage::facts(shared);
    now.complete = board_.complete() && pictures_.complete();
    now.animating = (playing_ && blinking_) || pictures_.resting();
    now.status = [this, &shared] { return status(shared); };
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    return now;
  }
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  const CompareBoard& board() const { return board_; }
  const ComparePictures& pictures() const { return pictures_; }
  bool secondShown() const { return secondShown_; }

 protected:
  void ask(const PageFrame& frame, ExhibitContext& context) override;
  Views views(const PageFrame& frame) const override;

 private:
  Numbers numbers(const WeightsShared& shared) const;
  std::string caption(const WeightsShared& shared) const;
  std::string status(const WeightsShared& shared) const;
  /// The layout of the page.
  struct Layout {
    MatrixPanes panes;               ///< without their pictures
    std::vector<CompareSide> sides;  ///< one per pane
    render::Rect head, table;
  };
  static void declareChoices(PropertyRegistry& registry);
  Layout layoutOf(const PageFrame& frame) const;
  void placeTable(Layout& layout, render::Rect& left, const PageFrame& frame) const;
  void placePanes(Layout& layout, const render::Rect& left, const PageFrame& frame) const;
  std::string sentenceOf(const WeightsShared& shared) const;
  void blink(ExhibitContext& context);
  int columns() const;
  MatrixScale scaleOf(const WeightsShared& shared, CompareSide side) const;
  std::string nameOf(const PageFrame& frame, CompareSide side) const;
  std::string numbersLine(const WeightsShared& shared) const;
  double measureOf(const attention::Difference& difference) const;
  void fill(Layout& layout, const PageFrame& frame) const;
  TextContent head(const PageFrame& frame, const Layout& layout) const;
  std::string measureWords() const;
  MatrixContent distances(const PageFrame& frame) const;
  ChartContent byLayer(const PageFrame& frame) const;
  void addTable(Views& into, const PageFrame& frame, const render::Rect& box) const;

  CompareBoard board_;
  ComparePictures pictures_;
  CompareMeasure measure_ = CompareMeasure::Relative;
  bool secondShown_ = false;  ///< while they alternate: the second one is shown
  bool ownScales_ = false;    ///< each checkpoint has its own colours
  bool playing_ = false, blinking_ = false;
  double flipped_ = 0;  ///< host time of the last flip
};

/// The cosine, with enough decimals to tell it from 1 or -1.
std::string cosineText(double cosine);

}  // namespace sepx::ui
