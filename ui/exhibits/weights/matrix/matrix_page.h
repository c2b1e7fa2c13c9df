// SPDX-License-Identifier: Apache-2.0
// The matrix page: W_qk of a layer or head as a picture that can be zoomed down to single entries. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/survival.h"
#include "ui/exhibits/weights/matrix/spectrum_plot.h"
#include "ui/exhibits/weights/shared/matrix_results.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

/// The entry under the pointer: row and column as stored, the exact value in double precision from the factors, and the
/// norms of its row and column and whether they are outliers.
struct MatrixHover {
  int row = 0, column = 0;  ///< of W_qk
  attention::Part part = attention::Part::Full;
  double value = 0;
  double rowNorm = 0, columnNorm = 0;  ///< of W_qk; NaN: not yet computed
  bool rowOutlier = false, columnOutlier = false;
};

/// The layout of the page: one plot, or three of one shape, with norms at the margins, the colour scale, and notes,
/// minimap and curves in a column at the right, a free corner or a row below. In a small area, the parts named last are
/// left out first. Lengths are points of the page.
struct MatrixLayout {
  MatrixPanes panes;                        ///< without their pictures
  std::optional<render::Rect> columnNorms;  ///< above the first plot
  std::optional<render::Rect> rowNorms;     ///< at the left of the first plot
  std::optional<render::Rect> scale;        ///< the view of the colour scale
  bool histogram = false;                   ///< the colour scale has room for one
  std::optional<render::Rect> notes, minimap, survival, spectrum;
};

class MatrixPage final : public WeightsPage {
 public:
  MatrixPage()
      : WeightsPage({"matrix", N_("Matrix"), "matrix.", {{"spectrum", N_("Spectrum")}}, false, "matrix", N_("W_qk")},
                    {.aboutMatrix = true}) {}
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const WeightsShared& shared) const override {
    PageFacts now = WeightsPage::facts(shared);
    now.complete = pictures_.complete() && spectrum_.complete();
    now.animating = pictures_.resting();
    now.status = [this, &shared] { return status(shared); };
    now.ownLimits = pictures_.ownLimits();
    now.pictured = hasPicture(shared);
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    return now;
  }
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  const MatrixResults& pictures() const { return pictures_; }
  const std::optional<MatrixHover>& hover() const { return hover_; }
  const MatrixScale& scale() const { return scale_; }

 protected:
  void ask(const PageFrame& frame, ExhibitContext& context) override;
  Views views(const PageFrame& frame) const override;

 private:
  bool hasPicture(const WeightsShared& shared) const;
  Numbers numbers(const WeightsShared& shared) const;
  std::string caption(const WeightsShared& shared) const;
  std::string status(const WeightsShared& shared) const;
  static MatrixLayout layoutOf(const PageFrame& frame);
  MatrixScale scaleFor(const PageFrame& frame, const ExhibitContext& context) const;
  bool isStale(const WeightsShared& shared) const { return pictures_.factors() != shared.factors; }
  /// The data of a cell of a picture; empty optional: not known.
  std::optional<MatrixHover> hoverAt(const WeightsShared& shared, attention::Part part, MatrixCell cell) const;
  void fill(MatrixPanes& panes, const WeightsShared& shared) const;
  PictureContent margins(const MatrixLayout& layout, const WeightsShared& shared) const;
  ChartContent survival(const WeightsShared& shared, const Theme& theme) const;
  TextContent notes(const MatrixPanes& panes, const WeightsShared& shared) const;

  MatrixResults pictures_;
  MatrixScale scale_;
  SpectrumPlot spectrum_;
  std::optional<MatrixHover> hover_;
  attention::Survival rows_, columns_;
  std::uint64_t survivalOf_ = 0;
  std::optional<render::Rect> seen_;  ///< the entries in sight in the last frame
  bool spectrumShown_ = false;        ///< in the last frame
};

/// The layout for the selected layer, which must exist.
MatrixLayout layoutMatrix(const PageFrame& frame);
/// Why there is no picture; empty if there is one or if it is still to come.
std::string matrixSentence(const WeightsShared& shared);
/// Declares weights.hover.*, weights.limits.*, weights.scale.* and weights.device.
void declareMatrix(PropertyRegistry& registry, const MatrixPage& page);
/// The entries in sight as grids, a small number of them also as a table, and the norms as tables.
Numbers matrixNumbers(const WeightsShared& shared, const MatrixResults& pictures,
                      const std::optional<render::Rect>& seen);
/// The upper end of the scale of norms, slightly above the largest one. Rows and columns share one scale, so that their
/// bars can be compared.
double largestNorm(const WeightsShared& shared);

}  // namespace sepx::ui
