// SPDX-License-Identifier: Apache-2.0
// The matrix page: W_qk of a layer or head as a picture that can be walked down to its entries. Frame thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/weights/matrix/spectrum_plot.h"
#include "ui/exhibits/weights/shared/matrix_input.h"
#include "ui/exhibits/weights/shared/matrix_results.h"
#include "ui/exhibits/weights/shared/matrix_scene.h"
#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

class MatrixPage final : public WeightsPage {
 public:
  std::vector<PropertyGroup> groups() const override { return {{"spectrum", N_("Spectrum")}}; }
  std::vector<std::string> firstGroups() const override { return {}; }
  bool aboutMatrix() const override { return true; }
  PageLabel label() const override { return {"matrix", N_("Matrix")}; }
  Camera camera(const PageFrame& frame) const override;
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void update(const PageFrame& frame, ExhibitContext& context) override;
  void scene(const PageFrame& frame, std::vector<render::Layer>& into) override;
  Cursor input(const PageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override;
  bool animating() const override { return results_.resting(); }
  bool hasPicture(const WeightsShared& shared) const override;
  Numbers numbers(const WeightsShared& shared) const override;
  std::string caption(const WeightsShared& shared) const override;
  std::string status(const WeightsShared& shared) const override;
  std::optional<ColorLimits> ownLimits() const override { return results_.ownLimits(); }
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  const MatrixResults& results() const { return results_; }
  const std::optional<MatrixHover>& hover() const { return hover_; }
  const MatrixScale& scale() const { return scale_; }

 private:
  MatrixLayout layout(const PageFrame& frame) const;
  void sentence(const PageFrame& frame, std::vector<render::Layer>& into);
  /// `pixels`: what the picture depends on, `seen`: and which part of it is in sight.
  void addMatrix(const MatrixFrame& drawn, const LayerKey& pixels, const LayerKey& seen,
                 std::vector<render::Layer>& into);
  void addBeside(const MatrixFrame& drawn, const LayerKey& pixels, const LayerKey& seen,
                 std::vector<render::Layer>& into);
  MatrixScale scaleFor(const PageFrame& frame, const ExhibitContext& context) const;

  MatrixResults results_;
  MatrixInput input_;
  MatrixScale scale_;
  SpectrumPlot spectrum_;
  PageLayers layers_;
  std::optional<MatrixHover> hover_;
  attention::Survival rows_, columns_;
  std::uint64_t survivalOf_ = 0, spectrumRevision_ = 0;
  std::shared_ptr<const attention::LayerFactors> spectrumOf_;
  std::optional<render::Rect> view_;    ///< what was in sight in the last frame
  std::optional<render::Rect> button_;  ///< that leads to the mapping, where there is no matrix
  bool squareMatrix_ = true;
};

/// weights.hover.*, weights.limits.*, weights.scale.*, weights.device.
void declareMatrix(PropertyRegistry& registry, const MatrixPage& page, const WeightsShared& live);
/// The matrix in sight as a grid, norms as tables.
Numbers matrixNumbers(const WeightsShared& shared, const MatrixResults& results,
                      const std::optional<render::Rect>& view);

}  // namespace sepx::ui
