// SPDX-License-Identifier: Apache-2.0
// What the matrix page asks for, and its words: panel, caption, status, commands.
#include "ui/exhibits/weights/matrix/matrix_page.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

std::unique_ptr<WeightsPage> makeMatrixPage() {
  return std::make_unique<MatrixPage>();
}

std::string matrixSentence(const WeightsShared& shared) {
  const std::string sentence = modelSentence(shared);
  return sentence.empty() ? shared.factorsFailure : sentence;
}

MatrixLayout MatrixPage::layoutOf(const PageFrame& frame) {
  return frame.shared.layer && matrixSentence(frame.shared).empty() ? layoutMatrix(frame) : MatrixLayout();
}

/// Positions that scripts say are those of the first plot: x = column, y = -row.
Camera MatrixPage::camera(const PageFrame& frame) const {
  const MatrixLayout layout = layoutOf(frame);
  return layout.panes.panes.empty() ? WeightsPage::camera(frame) : layout.panes.first().camera();
}

void MatrixPage::declare(PropertyRegistry& registry, const WeightsShared&) {
  declareMatrix(registry, *this);
  declareSpectrum(registry, spectrum_);
}

/// A diverging scale follows its limits at once; the others wait for the values that go with them.
MatrixScale MatrixPage::scaleFor(const PageFrame& frame, const ExhibitContext& context) const {
  const WeightsState& state = frame.shared.state;
  if (state.scale != ScaleKind::Diverging || pictures_.scale().kind != ScaleKind::Diverging) return pictures_.scale();
  std::optional<ColorLimits> limits = state.locked;
  if (!limits) limits = context.sharedLimits;
  if (!limits) limits = pictures_.ownLimits();
  return {ScaleKind::Diverging, fitting(limits.value_or(ColorLimits{-1, 1}), ScaleKind::Diverging)};
}

void MatrixPage::ask(const PageFrame& frame, ExhibitContext& context) {
  const WeightsShared& shared = frame.shared;
  const MatrixLayout layout = layoutOf(frame);
  const MatrixPanes& panes = layout.panes;
  pictures_.update(frame, shared.factors, panes, context);
  scale_ = scaleFor(frame, context);
  seen_ = panes.panes.empty() ? std::nullopt : std::optional(panes.seen);
  spectrum_.update(shared.factors, shared.state.spectrum && hasPicture(shared), context);
  if (shared.moments && survivalOf_ != shared.factorsRevision) {
    survivalOf_ = shared.factorsRevision;
    rows_ = attention::survivalOf(shared.moments->rowNorms);
    columns_ = attention::survivalOf(shared.moments->columnNorms);
  }
  hover_.reset();
  if (!frame.pointer || (layout.minimap && layout.minimap->contains(*frame.pointer))) return;
  const MatrixPane* const pane = panes.at(*frame.pointer);
  const std::optional<MatrixCell> cell = pane ? panes.in(*pane).cellAt(*frame.pointer) : std::nullopt;
  if (cell) hover_ = hoverAt(shared, pane->part, *cell);
}

std::uint64_t MatrixPage::madeOf(const PageFrame& frame) const {
  return Digest()
      .add(WeightsPage::madeOf(frame), pictures_.revision(), spectrum_.revision(), scale_.kind, scale_.limits.low,
           scale_.limits.high)
      .value();
}

std::optional<MatrixHover> MatrixPage::hoverAt(const WeightsShared& shared, attention::Part part,
                                               MatrixCell cell) const {
  const MatrixResults::Factors& factors = pictures_.factors();
  if (!factors || isStale(shared) || cell.row >= factors->rows() || cell.column >= factors->columns())
    return std::nullopt;
  const auto stored = [](const std::vector<int>& order, int place) {
    return static_cast<std::size_t>(place) < order.size() ? order[static_cast<std::size_t>(place)] : place;
  };
  MatrixHover hover{stored(pictures_.rowOrder(), cell.row), stored(pictures_.columnOrder(), cell.column), part};
  hover.value = entryOf(*factors, part, hover.row, hover.column);
  hover.rowNorm = hover.columnNorm = std::numeric_limits<double>::quiet_NaN();
  const std::shared_ptr<const attention::Moments>& moments = shared.moments;
  if (!moments || hover.row >= moments->rowNorms.size() || hover.column >= moments->columnNorms.size()) return hover;
  hover.rowNorm = moments->rowNorms[hover.row];
  hover.columnNorm = moments->columnNorms[hover.column];
  hover.rowOutlier = hover.rowNorm > shared.parts.rows.threshold;
  hover.columnOutlier = hover.columnNorm > shared.parts.columns.threshold;
  return hover;
}

void MatrixPage::panel(const PageFrame& frame, ExhibitContext&, PagePanel& panel) {
  if (!frame.shared.layer) return;
  panel.heading(tr("Picture"));
  const bool square = frame.shared.layer->d_model == frame.shared.layer->d_key;
  if (square) panel.row("weights.part");
  panel.rows("weights.", {"colors", "limits.mode", "limits.low", "limits.high", "limits.percentile", "order", "pool"});
  panel.group(tr("What is shown"), "weights.show.", {"margins", "values", "survival", "spectrum"});
  if (!frame.shared.state.spectrum) return;
  if (!spectrum_.complete() && panel.button(tr("Cancel the spectrum"), "weights.spectrum-cancel")) spectrum_.cancel();
  if (spectrum_.cancelled() && panel.button(tr("Compute the spectrum"), "weights.spectrum-resume")) spectrum_.resume();
  panel.rows("weights.spectrum.", {"rank", "stable_rank", "largest"});
}

bool MatrixPage::hasPicture(const WeightsShared& shared) const {
  return pictures_.complete() || !isStale(shared);
}

Numbers MatrixPage::numbers(const WeightsShared& shared) const {
  Numbers numbers = matrixNumbers(shared, pictures_, seen_);
  if (shared.state.spectrum)
    for (Table& table : spectrum_.numbers().tables)
      numbers.tables.push_back(std::move(table));
  return numbers;
}

std::string MatrixPage::caption(const WeightsShared& shared) const {
  if (!shared.layer || !seen_) return matrixSentence(shared);
  std::string text;
  const double rows = shared.layer->d_model, columns = shared.layer->d_key;
  const auto add = [&text](const std::string& sentence) { text += sentence + " "; };
  if (!(*seen_ == render::Rect{{0, -rows}, {columns, 0}}))
    add(trFormat("Rows {:.0f} to {:.0f}, columns {:.0f} to {:.0f}.", std::floor(-seen_->max.y),
                 std::ceil(-seen_->min.y) - 1, std::floor(seen_->min.x), std::ceil(seen_->max.x) - 1));
  const WeightsPart part = rows == columns ? shared.state.part : WeightsPart::Full;
  if (part == WeightsPart::Symmetric) add(tr("The symmetric part."));
  if (part == WeightsPart::Skew) add(tr("The skew part."));
  if (part == WeightsPart::Three) add(tr("From the left: the matrix, its symmetric part, its skew part."));
  if (shared.moments && shared.moments->nonfinite > 0)
    add(trFormat("{} weights are NaN or infinite (hatched).", shared.moments->nonfinite));
  if (shared.state.order != WeightsOrder::AsStored) add(tr("Sorted by norm."));
  return text + trFormat("Colours from {} to {}{}.", shownFixed(scale_.limits.low, 4),
                         shownFixed(scale_.limits.high, 4),
                         scale_.kind == ScaleKind::Logarithmic ? tr(", logarithmic with the sign kept") : "");
}

std::string MatrixPage::status(const WeightsShared&) const {
  std::string text;
  if (!pictures_.device().empty()) text = fmt::format("W_qk: {}", pictures_.device());
  if (!hover_) return text;
  if (!text.empty()) text += " · ";
  return text + fmt::format("W_qk[{}, {}] = {}", hover_->row, hover_->column, entryText(hover_->value, 5));
}

std::vector<WeightsPage::Command> MatrixPage::commands(const WeightsShared&, const Document&) {
  return viewCommands([](const PageFrame& frame) { return layoutOf(frame).panes; });
}

}  // namespace sepx::ui
