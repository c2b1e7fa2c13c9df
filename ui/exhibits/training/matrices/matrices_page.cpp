// SPDX-License-Identifier: Apache-2.0
// See matrices_page.h: what the page follows, its input, panel, numbers and words.
#include "ui/exhibits/training/matrices/matrices_page.h"

#include <algorithm>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

MatricesPage::MatricesPage() {
  for (std::size_t i = 0; i < kMostRuns; ++i)
    sides_.push_back(std::make_unique<MatricesSide>(i));
}

void MatricesPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) {
  TimedPage::read(document, registry, shared);
  which_ = train::layerMatrix(registry.text(document, "training.matrices.name")).value_or(train::LayerMatrix::Up);
  const std::string scale = registry.text(document, "training.matrices.colors.scale");
  scale_ = scale == "shared" ? RaceScale::Shared : scale == "fixed" ? RaceScale::Fixed : RaceScale::Own;
  fixedLimit_ = registry.real(document, "training.matrices.colors.limit");
}

bool MatricesPage::complete() const {
  return std::all_of(sides_.begin(), sides_.end(), [](const auto& side) { return side->complete(); });
}

void MatricesPage::updateContent(const RaceFrame& frame, ExhibitContext& context) {
  if (frame.shared.wantModel) frame.shared.wantModel();
  bool news = false;
  double limit = 0;
  for (std::size_t i = 0; i < kMostRuns; ++i) {
    const RacingRun* const racing = i < frame.shared.runs.size() ? &frame.shared.runs[i] : nullptr;
    news = sides_[i]->update(racing, frame.shared, which_, context) || news;
    if (sides_[i]->view()) limit = std::max(limit, sides_[i]->view()->limit);
  }
  limit_ = limit;
  if (news) ++changes_;
}

double MatricesPage::limitOf(const MatricesView& view) const {
  const double limit = scale_ == RaceScale::Own ? view.limit : scale_ == RaceScale::Fixed ? fixedLimit_ : limit_;
  return limit > 0 ? limit : 1;
}

Cursor MatricesPage::inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (const std::optional<Cursor> cursor = charts_.input(frame, context, event)) return *cursor;
  if (!frame.pointer) return Cursor::Arrow;
  const Places places = placesOf(frame);
  if (!(places.table.height() > 0) || !places.table.contains(*frame.pointer)) return Cursor::Arrow;
  const std::optional<std::size_t> row = tableOf(frame).rowAt(lookOf(frame, places.table), 0, *frame.pointer);
  const auto* const press = std::get_if<PointerPressed>(&event);
  if (row && press && press->down && press->button == Button::Left)
    setAsStep(context.editor, "training.matrices.name", std::string(train::infoOf(rowsOf(frame)[*row]).word));
  return row ? Cursor::Hand : Cursor::Arrow;
}

void MatricesPage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.heading(tr("Matrix"));
  panel.control("training.matrices.name");
  panel.control("training.layer");
  panel.control("training.head");
  panel.control("training.matrices.colors.scale");
  panel.control("training.matrices.colors.limit");
  panel.control("training.log.steps");
  for (std::size_t i = 0; i < shown(frame.shared); ++i) {
    panel.heading(frame.shared.runs[i].name());
    const std::string prefix = "training.runs[" + std::to_string(i) + "].matrices.";
    for (const char* const key : {"step", "ratio", "inverse", "cosine", "corner", "embedding"})
      panel.readOut(prefix + key);
  }
  panel.heading(tr("What is shown"));
  panel.sentence(
      tr("A matrix is [out, in] as stored: y = W x. W_1, W_Q, W_K and W_V read from the residual stream, so that their "
         "right singular vectors lie in the space of the embedding; W_2 and W_O write to it, with their left ones."));
  panel.sentence(
      tr("Local-to-Global, A.3.1: at convergence the matrices are nearly of rank one, their vector in the stream is "
         "that of the embedding, and the embedding has the entries ±1 up to a scale. Then σ₁/σ₂ is large, the cosine "
         "is 1 and max|e_i|/min|e_i| is 1. e is the vector of the bit, the difference of two embeddings, or with more "
         "tokens the leading direction of their table."));
  panel.sentence(
      tr("Between two checkpoints a run has the matrices that it stores (schedule.film_every); a pane names the step "
         "and where its matrix comes from."));
}

std::vector<std::pair<std::string, std::string>> MatricesPage::gestures() const {
  return {{tr("click a row of the table"), tr("show this matrix")},
          {tr("hover over a matrix"), tr("the entry under the pointer")}};
}

std::string MatricesPage::caption(const RaceShared& shared) const {
  if (shared.runs.empty()) return {};
  const std::string head =
      shared.state.head < 0 ? std::string(tr("all heads")) : trFormat("head {}", shared.state.head);
  return trFormat(
      "{}: {} of layer {}, {}, at step {}; its two largest singular values and its leading vector against "
      "the embedding.",
      tr(shared.experiment->title), train::infoOf(which_).word, shared.state.layer, head, stepText(shared.step));
}

Numbers MatricesPage::numbers(const RaceShared& shared) const {
  Numbers numbers = runNumbers(shared);
  std::vector<std::string> run, matrix;
  std::vector<double> step, ratio, cosine, corner;
  for (std::size_t i = 0; i < shown(shared); ++i) {
    for (const auto& [at, point] : sides_[i]->points()) {
      run.push_back(shared.runs[i].name());
      matrix.emplace_back(train::infoOf(which_).word);
      step.push_back(static_cast<double>(at));
      ratio.push_back(point.ratio);
      cosine.push_back(point.cosine);
      corner.push_back(point.corner);
    }
    const MatricesPointer& view = sides_[i]->view();
    if (!view || !view->values) continue;
    numbers.grids.push_back({"matrix" + std::to_string(i),
                             {static_cast<std::size_t>(view->rows), static_cast<std::size_t>(view->columns)},
                             std::vector<double>(view->values->begin(), view->values->end())});
  }
  if (!run.empty())
    numbers.tables.push_back({"matrices",
                              {{"run", "", std::move(run)},
                               {"matrix", "", std::move(matrix)},
                               {"step", "", std::move(step)},
                               {"sigma_ratio", "", std::move(ratio)},
                               {"cosine", "", std::move(cosine)},
                               {"corner", "", std::move(corner)}}});
  return numbers;
}

std::unique_ptr<RacePage> makeMatricesPage() {
  return std::make_unique<MatricesPage>();
}

}  // namespace sepx::ui
