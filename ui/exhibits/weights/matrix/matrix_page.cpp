// SPDX-License-Identifier: Apache-2.0
// The page put together: layout of the frame, results in step, layers by what they depend on.
#include "ui/exhibits/weights/matrix/matrix_page.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

/// Why there is no picture; empty while there is or will be one.
std::string reason(const WeightsShared& shared) {
  const std::string sentence = modelSentence(shared);
  return sentence.empty() ? shared.factorsFailure : sentence;
}

}  // namespace

MatrixLayout MatrixPage::layout(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  if (!shared.layer || !reason(shared).empty()) return {};
  return layoutMatrix(frame, std::max(1, shared.layer->d_model), std::max(1, shared.layer->d_key));
}

Camera MatrixPage::camera(const PageFrame& frame) const {
  const MatrixLayout now = layout(frame);
  return now.panes.empty() ? WeightsPage::camera(frame) : now.camera();
}

void MatrixPage::declare(PropertyRegistry& registry, const WeightsShared& live) {
  declareMatrix(registry, *this, live);
  declareSpectrum(registry, spectrum_);
}

/// A diverging scale follows its limits at once; the others wait for the values that go with them.
MatrixScale MatrixPage::scaleFor(const PageFrame& frame, const ExhibitContext& context) const {
  const WeightsState& state = frame.shared.state;
  if (state.scale != ScaleKind::Diverging || results_.scale().kind != ScaleKind::Diverging) return results_.scale();
  std::optional<ColorLimits> limits = state.locked;
  if (!limits) limits = context.sharedLimits;
  if (!limits) limits = results_.ownLimits();
  return {ScaleKind::Diverging, fitting(limits.value_or(ColorLimits{-1, 1}), ScaleKind::Diverging)};
}

void MatrixPage::update(const PageFrame& frame, ExhibitContext& context) {
  const MatrixLayout now = layout(frame);
  const WeightsShared& shared = frame.shared;
  results_.update(frame, shared.factors, now, context);
  scale_ = scaleFor(frame, context);
  view_.reset();
  if (!now.panes.empty()) view_ = now.view;
  squareMatrix_ = !shared.layer || shared.layer->d_model == shared.layer->d_key;
  if (shared.factors && std::exchange(spectrumOf_, shared.factors) != shared.factors) ++spectrumRevision_;
  spectrum_.update(shared.factors, spectrumRevision_, shared.state.spectrum && shared.factors && hasPicture(shared),
                   context);
  if (shared.moments && survivalOf_ != shared.factorsRevision) {
    survivalOf_ = shared.factorsRevision;
    rows_ = attention::survivalOf(shared.moments->rowNorms);
    columns_ = attention::survivalOf(shared.moments->columnNorms);
  }
  const bool free = !input_.busy() || input_.held() == std::nullopt;
  hover_ = free ? hoverAt(shared, now, results_, frame.pointer) : std::nullopt;
  if (now.minimap && frame.pointer && now.minimap->contains(*frame.pointer)) hover_.reset();
}

void MatrixPage::sentence(const PageFrame& frame, std::vector<render::Layer>& into) {
  const std::string text = reason(frame.shared);
  button_.reset();
  if (text.empty() || frame.figure) return;
  const Theme& theme = frame.theme;
  const bool mapped = frame.shared.model && frame.area.height() > 8 * theme.textSize;
  const std::string words = tr("Show the mapping");
  if (mapped) {
    const double half = textWidth(words, theme.textSize) / 2 + 2 * theme.space;
    const double x = (frame.area.min.x + frame.area.max.x) / 2, y = frame.area.max.y - 3.5 * theme.textSize;
    button_ = render::Rect{{x - half, y - theme.textSize}, {x + half, y + theme.textSize}};
  }
  const bool over = button_ && frame.pointer && button_->contains(*frame.pointer);
  layers_.add(
      into, "matrix.sentence", keyWith(frameKey(frame), text, mapped, over),
      [&] {
        std::vector<render::Item> items;
        addSentence(items, frame.area, text, theme);
        if (!button_) return items;
        addButton(items, {.label = words, .box = *button_, .on = true, .size = theme.textSize}, theme, frame.pointer);
        return items;
      },
      true, false);
}

void MatrixPage::scene(const PageFrame& frame, std::vector<render::Layer>& into) {
  const MatrixLayout now = layout(frame);
  if (now.panes.empty()) {
    sentence(frame, into);
    return;
  }
  button_.reset();
  const WeightsShared& shared = frame.shared;
  const MatrixFrame drawn{frame, now, results_, scale_, hover_, input_.held()};
  LayerKey pixels = keyWith(frameKey(frame), results_.revision(), shared.factorsRevision, shared.state.part,
                            isStale(drawn), scale_.kind, scale_.limits.low, scale_.limits.high);
  for (const MatrixPane& pane : now.panes)
    pixels = keyWith(std::move(pixels), pane.plot);
  const LayerKey seen = keyWith(pixels, now.view);
  addMatrix(drawn, pixels, seen, into);
  addBeside(drawn, pixels, seen, into);
  LayerKey under = seen;
  if (hover_)
    under = keyWith(std::move(under), hover_->row, hover_->column, hover_->value, hover_->rowNorm, hover_->rowOutlier,
                    hover_->columnOutlier, frame.pointer.value_or(render::Point{}));
  layers_.add(
      into, "matrix.hover", under, [&] { return hoverItems(drawn); }, false, false);
}

void MatrixPage::addMatrix(const MatrixFrame& drawn, const LayerKey& pixels, const LayerKey& seen,
                           std::vector<render::Layer>& into) {
  const MatrixLayout& now = drawn.layout;
  const WeightsShared& shared = drawn.page.shared;
  const bool several = now.panes.size() > 1;
  // Of one pane the picture is placed in data coordinates: it need not be made anew when the view moves.
  const MatrixPart* const first = results_.part(now.panes.front().part);
  const render::Rect extent = first ? first->picture.extent() : render::Rect{};
  const bool inside = extent.min.x <= now.view.min.x && extent.max.x >= now.view.max.x &&
                      extent.min.y <= now.view.min.y && extent.max.y >= now.view.max.y;
  const bool hatched = shared.moments && shared.moments->nonfinite > 0;
  layers_.add(
      into, "matrix.picture", several || hatched ? keyWith(seen, hatched) : keyWith(pixels, inside),
      [&] { return pictureItems(drawn); }, true, !several);
  layers_.add(
      into, "matrix.mask", pixels, [&] { return maskItems(drawn); }, true, false);
  layers_.add(
      into, "matrix.cells", keyWith(seen, shared.state.values), [&] { return cellItems(drawn); }, true, !several);
  layers_.add(
      into, "matrix.axes", keyWith(seen, shared.state.order), [&] { return matrixAxisItems(drawn); }, true, false);
}

void MatrixPage::addBeside(const MatrixFrame& drawn, const LayerKey& pixels, const LayerKey& seen,
                           std::vector<render::Layer>& into) {
  const MatrixLayout& now = drawn.layout;
  const WeightsShared& shared = drawn.page.shared;
  const std::optional<render::Point>& pointer = drawn.page.pointer;
  const std::uint64_t held = input_.held() ? static_cast<std::uint64_t>(*input_.held()) + 1 : 0;
  const LayerKey thresholds = keyWith({}, shared.parts.rows.threshold, shared.parts.columns.threshold);
  layers_.add(
      into, "matrix.ramp", seen, [&] { return rampItems(drawn); }, true, false);
  layers_.add(
      into, "matrix.scale", keyWith(pixels, shared.state.locked.has_value()), [&] { return scaleItems(drawn); }, true,
      false);
  layers_.add(
      into, "matrix.survival", keyWith(pixels, now.survival.value_or(render::Rect{}), thresholds),
      [&] { return survivalItems(drawn, rows_, columns_); }, true, false);
  layers_.add(
      into, "matrix.margins", keyWith(seen, held, shared.state.margins, thresholds), [&] { return marginItems(drawn); },
      false, false);
  layers_.add(
      into, "matrix.minimap", keyWith(seen, now.minimap.has_value()), [&] { return minimapItems(drawn); }, false,
      false);
  LayerKey spectral = keyWith(frameKey(drawn.page), spectrum_.revision(), now.spectrum.value_or(render::Rect{}));
  if (pointer && now.spectrum && now.spectrum->contains(*pointer)) spectral = keyWith(std::move(spectral), *pointer);
  layers_.add(
      into, "matrix.spectrum", spectral,
      [&] {
        return now.spectrum ? spectrum_.items(*now.spectrum, drawn.page.theme, pointer) : std::vector<render::Item>();
      },
      false, false);
}

Cursor MatrixPage::input(const PageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  const MatrixLayout now = layout(frame);
  if (now.panes.empty() && button_ && frame.pointer && button_->contains(*frame.pointer)) {
    const auto* const press = std::get_if<PointerPressed>(&event);
    if (press && press->down && press->button == Button::Left)
      setAsStep(context.editor, "weights.page", std::string("mapping"));
    return Cursor::Hand;
  }
  return input_.handle(event, {frame, now, scale_}, context);
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
  return results_.complete() || results_.factors() == shared.factors;
}

bool MatrixPage::complete() const {
  return results_.complete() && spectrum_.complete();
}

Numbers MatrixPage::numbers(const WeightsShared& shared) const {
  Numbers numbers = matrixNumbers(shared, results_, view_);
  if (shared.state.spectrum)
    for (Table& table : spectrum_.numbers().tables)
      numbers.tables.push_back(std::move(table));
  return numbers;
}

std::string MatrixPage::caption(const WeightsShared& shared) const {
  if (!shared.layer || !view_) return reason(shared);
  std::string text;
  const render::Rect whole{{0, -double(shared.layer->d_model)}, {double(shared.layer->d_key), 0}};
  if (!(*view_ == whole))
    text += trFormat("Rows {:.0f} to {:.0f}, columns {:.0f} to {:.0f}.", std::floor(-view_->max.y),
                     std::ceil(-view_->min.y) - 1, std::floor(view_->min.x), std::ceil(view_->max.x) - 1) +
            " ";
  const WeightsPart part = squareMatrix_ ? shared.state.part : WeightsPart::Full;
  if (part == WeightsPart::Symmetric) text += std::string(tr("The symmetric part.")) + " ";
  if (part == WeightsPart::Skew) text += std::string(tr("The skew part.")) + " ";
  if (part == WeightsPart::Three)
    text += std::string(tr("From the left: the matrix, its symmetric part, its skew part.")) + " ";
  if (shared.moments && shared.moments->nonfinite > 0)
    text += trFormat("{} weights are NaN or infinite (hatched).", shared.moments->nonfinite) + " ";
  if (shared.state.order != WeightsOrder::AsStored) text += std::string(tr("Sorted by norm.")) + " ";
  return text + trFormat("Colours from {} to {}{}.", shownFixed(scale_.limits.low, 4),
                         shownFixed(scale_.limits.high, 4),
                         scale_.kind == ScaleKind::Logarithmic ? tr(", logarithmic with the sign kept") : "");
}

std::string MatrixPage::status(const WeightsShared& shared) const {
  std::string text;
  if (!results_.device().empty()) text = fmt::format("W_qk: {}", results_.device());
  if (!hover_) return text;
  (void)shared;
  if (!text.empty()) text += " · ";
  return text + fmt::format("W_qk[{}, {}] = {}", hover_->row, hover_->column, entryText(hover_->value, 5));
}

std::vector<WeightsPage::Command> MatrixPage::commands(const WeightsShared&, const Document&) {
  return MatrixInput::commands([this](const PageFrame& frame, const auto& with) {
    const MatrixLayout now = layout(frame);
    with({frame, now, scale_});
  });
}

std::unique_ptr<WeightsPage> makeMatrixPage() {
  return std::make_unique<MatrixPage>();
}

}  // namespace sepx::ui
