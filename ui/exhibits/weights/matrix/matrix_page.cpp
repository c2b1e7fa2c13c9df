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

namespace sepx::ui {

namespace {

constexpr double kZoomStep = 1.25;

/// Why there is no picture; empty while there is or will be one.
std::string reason(const WeightsShared& shared) {
  if (!shared.failure.empty()) return shared.failure;
  if (!shared.model) return tr("Opening the checkpoint …");
  if (!shared.model->map.noForm.empty()) return shared.model->map.noForm;
  if (shared.model->map.layers.empty())
    return tr(
        "No attention was recognised in this checkpoint: the page Mapping shows its tensors and maps them by hand.");
  if (!shared.factorsFailure.empty()) return shared.factorsFailure;
  return {};
}

void addRect(LayerKey& key, const render::Rect& rect) {
  for (const double value : {rect.min.x, rect.min.y, rect.max.x, rect.max.y})
    key.push_back(bits(value));
}

void addScale(LayerKey& key, const MatrixScale& scale) {
  key.push_back(static_cast<std::uint64_t>(scale.kind));
  key.push_back(bits(scale.limits.low));
  key.push_back(bits(scale.limits.high));
}

LayerKey with(LayerKey key, std::initializer_list<std::uint64_t> more) {
  key.insert(key.end(), more);
  return key;
}

}  // namespace

MatrixLayout MatrixPage::layout(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  if (!shared.layer || !reason(shared).empty()) return {};
  MatrixLayout layout = layoutMatrix(frame, std::max(1, shared.layer->d_model), std::max(1, shared.layer->d_key));
  return layout;
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
  results_.update(frame, now, context);
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
  if (text.empty()) return;
  const Theme& theme = frame.theme;
  const bool mapped = frame.shared.model && !frame.figure && frame.area.height() > 8 * theme.textSize;
  const std::string words = tr("Show the mapping");
  if (mapped) {
    const double half = textWidth(words, theme.textSize) / 2 + 2 * theme.space;
    const double x = (frame.area.min.x + frame.area.max.x) / 2, y = frame.area.max.y - 3.5 * theme.textSize;
    button_ = render::Rect{{x - half, y - theme.textSize}, {x + half, y + theme.textSize}};
  }
  const bool over = button_ && frame.pointer && button_->contains(*frame.pointer);
  layers_.add(
      into, "matrix.sentence", with(frameKey(frame), {bits(std::string_view(text)), mapped, over}),
      [&] {
        std::vector<render::Item> items;
        addSentence(items, frame.area, text, theme);
        if (!button_) return items;
        addBox(items, *button_, theme.radius, over ? theme.accentMuted : theme.surfaceRaised, theme.border);
        items.push_back(textAt({(button_->min.x + button_->max.x) / 2, (button_->min.y + button_->max.y) / 2}, words,
                               theme.textSize, theme.text, render::AlignX::Center));
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
  LayerKey pixels = with(frameKey(frame),
                         {results_.revision(), shared.factorsRevision, static_cast<std::uint64_t>(shared.state.part)});
  pixels.push_back(isStale(drawn));
  addScale(pixels, scale_);
  for (const MatrixPane& pane : now.panes)
    addRect(pixels, pane.plot);
  LayerKey seen = pixels;
  addRect(seen, now.view);
  addMatrix(drawn, pixels, seen, into);
  addBeside(drawn, pixels, seen, into);
  LayerKey under = seen;
  if (hover_)
    under = with(under, {bits(double(hover_->row)), bits(double(hover_->column)), bits(hover_->value),
                         bits(hover_->rowNorm), hover_->rowOutlier, hover_->columnOutlier});
  if (frame.pointer && !now.readOut) under = with(under, {bits(frame.pointer->x), bits(frame.pointer->y)});
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
      into, "matrix.picture", several || hatched ? with(seen, {hatched}) : with(pixels, {inside}),
      [&] { return pictureItems(drawn); }, true, !several);
  layers_.add(
      into, "matrix.mask", pixels, [&] { return maskItems(drawn); }, true, false);
  layers_.add(
      into, "matrix.cells", with(seen, {static_cast<std::uint64_t>(shared.state.values)}),
      [&] { return cellItems(drawn); }, true, !several);
  layers_.add(
      into, "matrix.axes", with(seen, {static_cast<std::uint64_t>(shared.state.order)}),
      [&] { return matrixAxisItems(drawn); }, true, false);
}

void MatrixPage::addBeside(const MatrixFrame& drawn, const LayerKey& pixels, const LayerKey& seen,
                           std::vector<render::Layer>& into) {
  const MatrixLayout& now = drawn.layout;
  const WeightsShared& shared = drawn.page.shared;
  const std::optional<render::Point>& pointer = drawn.page.pointer;
  const std::uint64_t held = input_.held() ? static_cast<std::uint64_t>(*input_.held()) + 1 : 0;
  const LayerKey thresholds{bits(shared.parts.rows.threshold), bits(shared.parts.columns.threshold)};
  LayerKey norms = with(seen, {held, static_cast<std::uint64_t>(shared.state.margins)});
  norms.insert(norms.end(), thresholds.begin(), thresholds.end());
  layers_.add(
      into, "matrix.ramp", seen, [&] { return rampItems(drawn); }, true, false);
  layers_.add(
      into, "matrix.scale", with(pixels, {static_cast<std::uint64_t>(shared.state.locked.has_value())}),
      [&] { return scaleItems(drawn); }, true, false);
  LayerKey curves = with(pixels, {now.survival.has_value()});
  if (now.survival) addRect(curves, *now.survival);
  curves.insert(curves.end(), thresholds.begin(), thresholds.end());
  layers_.add(
      into, "matrix.survival", curves, [&] { return survivalItems(drawn, rows_, columns_); }, true, false);
  layers_.add(
      into, "matrix.margins", norms, [&] { return marginItems(drawn); }, false, false);
  layers_.add(
      into, "matrix.minimap", with(seen, {now.minimap.has_value()}), [&] { return minimapItems(drawn); }, false, false);
  LayerKey spectral = with(frameKey(drawn.page), {spectrum_.revision(), now.spectrum.has_value()});
  if (now.spectrum) addRect(spectral, *now.spectrum);
  if (pointer && now.spectrum && now.spectrum->contains(*pointer))
    spectral = with(spectral, {bits(pointer->x), bits(pointer->y)});
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
    if (press && press->down && press->button == Button::Left) {
      context.editor.seal();
      const Result<void> done = context.editor.set("weights.page", std::string("mapping"));
      if (!done) context.editor.say(done.error().sentence);
      context.editor.seal();
    }
    return Cursor::Hand;
  }
  return input_.handle(event, {frame, now, scale_}, context);
}

void MatrixPage::panel(const PageFrame& frame, ExhibitContext&, PagePanel& panel) {
  if (!frame.shared.layer) return;
  panel.heading(tr("Picture"));
  const bool square = frame.shared.layer->d_model == frame.shared.layer->d_key;
  if (square) panel.control("weights.part");
  panel.control("weights.colors");
  panel.control("weights.limits.mode");
  panel.control("weights.limits.low");
  panel.control("weights.limits.high");
  panel.control("weights.limits.percentile");
  panel.control("weights.order");
  panel.control("weights.pool");
  panel.heading(tr("What is shown"));
  for (const char* key :
       {"weights.show.margins", "weights.show.values", "weights.show.survival", "weights.show.spectrum"})
    panel.control(key);
  if (!frame.shared.state.spectrum) return;
  if (!spectrum_.complete() && panel.button(tr("Cancel the spectrum"), "weights.spectrum-cancel")) spectrum_.cancel();
  if (spectrum_.cancelled() && panel.button(tr("Compute the spectrum"), "weights.spectrum-resume")) spectrum_.resume();
  panel.readOut("weights.spectrum.rank");
  panel.readOut("weights.spectrum.stable_rank");
  panel.readOut("weights.spectrum.largest");
}

bool MatrixPage::hasPicture(const WeightsShared& shared) const {
  return results_.complete() || results_.factors() == shared.factors;
}

bool MatrixPage::complete() const {
  return results_.complete() && spectrum_.complete();
}

Numbers MatrixPage::numbers(const WeightsShared& shared) const {
  Numbers numbers = matrixNumbers(shared, results_, view_);
  if (shared.state.spectrum && spectrum_.result()) {
    Numbers more = spectrum_.numbers();
    for (Table& table : more.tables)
      numbers.tables.push_back(std::move(table));
  }
  return numbers;
}

std::string MatrixPage::caption(const WeightsShared& shared) const {
  if (!shared.layer || !view_) return reason(shared);
  std::string text;
  const render::Rect whole{{0, -double(shared.layer->d_model)}, {double(shared.layer->d_key), 0}};
  if (!(*view_ == whole))
    text += fmt::format(fmt::runtime(tr("Rows {:.0f} to {:.0f}, columns {:.0f} to {:.0f}.")), std::floor(-view_->max.y),
                        std::ceil(-view_->min.y) - 1, std::floor(view_->min.x), std::ceil(view_->max.x) - 1) +
            " ";
  const WeightsPart part = squareMatrix_ ? shared.state.part : WeightsPart::Full;
  if (part == WeightsPart::Symmetric) text += std::string(tr("The symmetric part.")) + " ";
  if (part == WeightsPart::Skew) text += std::string(tr("The skew part.")) + " ";
  if (part == WeightsPart::Three)
    text += std::string(tr("From the left: the matrix, its symmetric part, its skew part.")) + " ";
  if (shared.moments && shared.moments->nonfinite > 0)
    text += fmt::format(fmt::runtime(tr("{} weights are NaN or infinite (hatched).")), shared.moments->nonfinite) + " ";
  if (shared.state.order != WeightsOrder::AsStored) text += std::string(tr("Sorted by norm.")) + " ";
  return text + fmt::format(fmt::runtime(tr("Colours from {} to {}{}.")), shownFixed(scale_.limits.low, 4),
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

std::vector<ExhibitCommand> MatrixPage::commands(const WeightsShared&, const Document&) const {
  return {{"view.reset", tr("Reset view"), "R", tr("View"), true},
          {"view.zoom-in", tr("Zoom in"), "+", tr("View"), true},
          {"view.zoom-out", tr("Zoom out"), "-", tr("View"), true}};
}

bool MatrixPage::run(const PageFrame& frame, ExhibitContext& context, std::string_view command) {
  const MatrixLayout now = layout(frame);
  if (command == "view.reset") {
    context.editor.replace(withWeightsView(context.editor.document(), std::nullopt));
  } else if (command == "view.zoom-in" || command == "view.zoom-out") {
    MatrixInput::zoom({frame, now, scale_}, context, frame.pointer,
                      command == "view.zoom-in" ? kZoomStep : 1 / kZoomStep);
  } else {
    return false;
  }
  return true;
}

std::unique_ptr<WeightsPage> makeMatrixPage() {
  return std::make_unique<MatrixPage>();
}

}  // namespace sepx::ui
