// SPDX-License-Identifier: Apache-2.0
// See matrices_page.h: what the page follows, its input, panel, numbers and words.
#include "ui/exhibits/training/matrices/matrices_page.h"

#include <algorithm>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

MatricesPage::MatricesPage() : ViewPage("training.matrices") {
  for (std::size_t i = 0; i < kMostRuns; ++i)
    sides_.push_back(std::make_unique<MatricesSide>(results_, i));
}

void MatricesPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) {
  TimedPage::read(document, registry, shared);
  registry.read(document, *this);
}

bool MatricesPage::complete() const {
  return std::all_of(sides_.begin(), sides_.end(), [](const auto& side) { return side->complete(); });
}

void MatricesPage::ask(const RaceFrame& frame, ExhibitContext& context) {
  if (frame.shared.wantModel) frame.shared.wantModel();
  for (std::size_t i = 0; i < kMostRuns; ++i)
    sides_[i]->update(i < frame.shared.runs.size() ? &frame.shared.runs[i] : nullptr, frame.shared, which_, context);
}

double MatricesPage::sharedLimit() const {
  double limit = 0;
  for (const auto& side : sides_)
    if (side->view()) limit = std::max(limit, side->view()->limit);
  return limit;
}

double MatricesPage::limitOf(const MatricesView& view) const {
  const double limit = scale_ == RaceScale::Own ? view.limit : scale_ == RaceScale::Fixed ? fixedLimit_ : sharedLimit();
  return limit > 0 ? limit : 1;
}

void MatricesPage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("Matrix"), "training.",
              {"matrices.name", "layer", "head", "matrices.colors.scale", "matrices.colors.limit", "log.steps"});
  for (std::size_t i = 0; i < shown(frame.shared); ++i) {
    panel.heading(frame.shared.runs[i].name());
    const std::string prefix = "training.runs[" + std::to_string(i) + "].matrices.";
    panel.rows(prefix, {"step", "ratio", "inverse", "cosine", "corner", "embedding"});
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

std::string MatricesPage::caption(const RaceShared& shared) const {
  if (shared.runs.empty()) return {};
  const std::string head =
      shared.state.head < 0 ? std::string(tr("all heads")) : trFormat("head {}", shared.state.head);
  return trFormat(
      "{}: {} of layer {}, {}, at step {}; its two largest singular values and its leading vector against "
      "the embedding.",
      tr(shared.experiment->title), train::infoOf(which_).word, shared.state.layer, head, stepText(shared.step));
}

std::unique_ptr<RacePage> makeMatricesPage() {
  return std::make_unique<MatricesPage>();
}

}  // namespace sepx::ui
