// SPDX-License-Identifier: Apache-2.0
// The properties and read-outs of the page Matrices.
#include <cmath>

#include "ui/exhibits/training/matrices/matrices_page.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

constexpr const char* kRankOne = "Local-to-Global, A.3.1";
constexpr const char* kCosine = "|\\cos(v_1, e)|";

Options matrixOptions() {
  Options options;
  for (const train::LayerMatrixInfo& info : train::layerMatrices())
    options.emplace_back(info.word, info.word);
  return options;
}

/// A fixed scale begins with the present one.
Result<Document> scaleFollows(double limit, const Document& before, const Document& with) {
  if (with.at("training.matrices.colors.scale") != "fixed" || before.at("training.matrices.colors.scale") == "fixed" ||
      with.has("training.matrices.colors.limit") || !(limit > 0))
    return with;
  return with.with("training.matrices.colors.limit", limit);
}

}  // namespace

// clang-format off
void MatricesPage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages("training.page", "experiments", {"matrices"});
  declareParameters(registry, {.prefix = "training.matrices.", .applies = here}, {
      {.key = "name",
       .into = &MatricesPage::which_, .label = N_("Matrix"), .options = matrixOptions(), .fallback = "W_1",
       .help = N_("The matrix that is shown, of the selected layer and head: W_1, W_2 and W_gate of the feed-forward part, W_V, "
                  "W_O, W_Q and W_K of attention, their products W_O W_V and W_qk, or the embedding E. Matrices are "
                  "[out, in]: y = W x; W_qk has the query side in its rows."), .equation = kRankOne},
      {.key = "colors.scale", .into = &MatricesPage::scale_, .label = N_("Colour scale"),
       .options = {{"own", N_("moving, one a run")}, {"shared", N_("moving, one for all runs")}, {"fixed", N_("fixed")}},
       .help = N_("The ends of the colours: 99.5 % of the entries at the step shown, or a fixed number."),
       .follow = [this](const Document& before, const Document& with) { return scaleFollows(sharedLimit(), before, with); }},
      {.key = "colors.limit",
       .into = &MatricesPage::fixedLimit_, .label = N_("Colour limit"), .min = 1e-12, .max = 1e12, .scale = Scale::Logarithmic,
       .step = 0.1, .digits = 4, .fallback = 1.0,
       .help = N_("The entry at the end of a fixed colour scale; the other end is its negative."),
       .applies = [](const Document& document) { return document.at("training.matrices.colors.scale") == "fixed"; }}});
  declareReadOutsOfRuns(registry);
}

void MatricesPage::declareReadOutsOfRuns(PropertyRegistry& registry) {
  const Condition here = onPages("training.page", "experiments", {"matrices"});
  const auto side = [this](int index) {
    return index >= 0 && static_cast<std::size_t>(index) < sides_.size() ? sides_[static_cast<std::size_t>(index)].get() : nullptr;
  };
  const Getters whole(side);
  const Getters of([side](int index) { const MatricesSide* const one = side(index); return one ? one->view().get() : nullptr; });
  const Getters chosen([side](int index) -> const MatrixRow* {
    const MatricesSide* const one = side(index);
    return one && one->view() ? one->view()->chosen() : nullptr;
  });
  const auto cosine = [](const MatrixRow& row) { return row.reading.main() ? row.reading.main()->cosine : std::nan(""); };
  const auto corner = [](const MatrixRow& row) { return row.reading.main() ? row.reading.main()->corner : std::nan(""); };
  declareReadOuts(registry, {.prefix = "training.runs[].matrices.", .applies = here, .equation = kRankOne}, {
      {.key = "step", .label = N_("Step of the matrix"),
       .help = N_("The step that the matrix shown is of: a past step is shown by the newest stored copy or checkpoint at or before it."),
       .digits = 0, .get = of(&MatricesView::step)},
      {.key = "source", .label = N_("From"),
       .help = N_("Where the matrix comes from: the live run, the matrices that the run stores, or a checkpoint."),
       .get = of([](const MatricesView& view) { return std::string(view.source == ModelSource::Live ? "live" : view.source == ModelSource::Stored ? "stored" : "checkpoint"); })},
      {.key = "rows", .label = N_("Rows"), .help = N_("The rows of the matrix: numbers that it writes."), .digits = 0, .get = of(&MatricesView::rows), .detail = true},
      {.key = "columns", .label = N_("Columns"), .help = N_("The columns of the matrix: numbers that it reads."), .digits = 0, .get = of(&MatricesView::columns), .detail = true},
      {.key = "ratio", .label = N_("σ₁/σ₂"),
       .help = N_("The largest singular value of the matrix over the second: large where it is nearly of rank one."),
       .formula = "\\sigma_1/\\sigma_2", .get = chosen([](const MatrixRow& row) { return row.reading.ratio; }), .numberWords = formatReading},
      {.key = "inverse", .label = N_("σ₂/σ₁"),
       .help = N_("The second singular value over the largest: 0 where the matrix is of rank one."), .formula = "\\sigma_2/\\sigma_1",
       .get = chosen([](const MatrixRow& row) { return 1 / row.reading.ratio; }), .numberWords = formatReading},
      {.key = "cosine", .label = N_("Cosine with e"),
       .help = N_("The modulus of the cosine of e with the leading singular vector of the side that lies in the residual stream: the "
                  "right one of what reads from there, the left one of W_2 and W_O. 1: the matrix has the direction of the embedding."),
       .formula = kCosine, .digits = 4, .get = chosen(cosine)},
      {.key = "cosine_left", .label = N_("Cosine with e, left"), .help = N_("The same of the left singular vector, where that side lies in the residual stream."),
       .formula = "|\\cos(u_1, e)|", .digits = 4, .get = chosen([](const MatrixRow& row) { return row.reading.left ? row.reading.left->cosine : std::nan(""); }), .detail = true},
      {.key = "corner", .label = N_("max|v|/min|v|"),
       .help = N_("The largest over the smallest modulus of the entries of that leading vector: 1 at a corner of the hypercube."),
       .formula = "\\max_i|v_i|/\\min_i|v_i|", .get = chosen(corner), .numberWords = formatReading},
      {.key = "embedding", .label = N_("max|e|/min|e|"),
       .help = N_("The largest over the smallest modulus of the entries of e: 1 at a corner of the hypercube. e is the vector of the "
                  "bit, the difference of two embeddings, or the leading direction of a table of more tokens."),
       .formula = "\\max_i|e_i|/\\min_i|e_i|", .get = of(&MatricesView::embeddingCorner), .numberWords = formatReading},
      {.key = "points", .label = N_("Points"), .help = N_("How many steps of the run have a point in the curves of the selected matrix."), .digits = 0,
       .get = whole([](const MatricesSide& one) { return static_cast<double>(one.points().size()); }), .detail = true},
      {.key = "failure", .label = N_("Why there is no matrix"), .help = N_("Why the matrix of the run cannot be shown; empty: it can."),
       .get = whole([](const MatricesSide& one) { return one.view() ? one.view()->sentence : one.sentence(); })}});
  for (const train::LayerMatrixInfo& info : train::layerMatrices()) {
    const Getters row([side, which = info.which](int index) -> const MatrixRow* {
      const MatricesSide* const one = side(index);
      return one && one->view() ? one->view()->row(which) : nullptr;
    });
    const auto label = [word = std::string(info.word)](const char* text) {
      return [word, text](const Document&) { return trFormat("{} of {}", tr(text), word); };
    };
    declareReadOuts(registry, {.prefix = std::string("training.runs[].matrices.") + info.word + ".", .applies = here, .equation = kRankOne, .detail = true}, {
        {.key = "ratio", .label = N_("Singular values"), .symbol = "σ₁/σ₂", .help = N_("The two largest singular values of this matrix of the layer, the first over the second."),
         .formula = "\\sigma_1/\\sigma_2", .get = row([](const MatrixRow& one) { return one.reading.ratio; }), .liveLabel = label(N_("σ₁/σ₂")), .numberWords = formatReading},
        {.key = "cosine", .label = N_("Cosine with e"), .help = N_("The modulus of the cosine of e with the leading singular vector of this matrix that lies in the residual stream."),
         .formula = kCosine, .digits = 4, .get = row(cosine), .liveLabel = label(N_("cosine with e"))},
        {.key = "corner", .label = N_("Leading vector"), .help = N_("The largest over the smallest modulus of the entries of the leading vector of this matrix."),
         .formula = "\\max_i|v_i|/\\min_i|v_i|", .get = row(corner), .liveLabel = label(N_("max|v|/min|v|")), .numberWords = formatReading}});
  }
}
// clang-format on

}  // namespace sepx::ui
