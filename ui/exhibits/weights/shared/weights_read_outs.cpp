// SPDX-License-Identifier: Apache-2.0
// The read-outs that all pages share, with their cards: formulas as corrected (remarks att-1 to att-5), the
// same with the present numbers, and which of the paper's errors a person should know there. Getters answer monostate
// for what is not there now; they compute no more than a formula.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kSymmetryPlace = "Attention-Structure, Definition 3.1";
constexpr const char* kDirectionalityPlace = "Attention-Structure, Definition 3.2";

std::string n(double value) {
  return formulaNumber(value, 4);
}

constexpr const char* kSymmetry =
    "s = \\frac{\\mathrm{Tr}(MM)}{\\Vert M\\Vert_F^2} = "
    "\\frac{\\Vert M_s\\Vert_F^2-\\Vert M_n\\Vert_F^2}{\\Vert M\\Vert_F^2},\\quad "
    "M_{s,n} = \\frac{M\\pm M^\\top}{2}";
constexpr const char* kOutlying = "\\Vert m_{i,\\cdot}\\Vert>\\tau_r";
constexpr const char* kTail = " \\\\ \\tau &= \\mu+\\gamma\\,\\sigma";

/// `term`: what an outlying row adds to r.
std::string directionalityOf(const std::string& term) {
  std::string formula = "d &= \\frac{r-c}{r+c},\\quad r = \\sum_{";
  formula += kOutlying;
  formula += "}";
  formula += term;
  formula += ",\\quad c\\text{ ";
  formula += tr("likewise of columns");
  formula += "}";
  return formula += kTail;
}

std::string symmetryNumbers(const WeightsShared& live) {
  if (!live.moments || !std::isfinite(live.scores.symmetry)) return {};
  return fmt::format("s = \\frac{{{}}}{{{}}} = {}", n(live.moments->traceMM), n(live.moments->frobenius2),
                     formulaFixed(live.scores.symmetry));
}

/// `excess`: that variant; the parts are of the variant that is chosen.
std::string directionalityNumbers(const WeightsShared& live, bool excess) {
  if (!live.moments) return {};
  const auto variant = excess ? attention::Directionality::Excess : attention::Directionality::Sum;
  attention::ScoreOptions options = live.state.score;
  if (options.variant != variant) options = {options.gamma, variant, attention::ScoreOptions::usualDdof(variant)};
  const attention::DirectionalityParts parts = attention::directionality(*live.moments, options);
  if (!std::isfinite(parts.value)) return {};
  const double r = excess ? parts.rows.excess : parts.rows.sum, c = excess ? parts.columns.excess : parts.columns.sum;
  return fmt::format(
      "\\tau_r &= {}+{}\\cdot{} = {},\\quad \\tau_c = {}+{}\\cdot{} = {} \\\\ r &= {},\\quad c = {} \\\\ d &= "
      "\\frac{{{}-{}}}{{{}+{}}} = {}",
      n(parts.rows.mean), formulaFactor(options.gamma, 3), n(parts.rows.deviation), n(parts.rows.threshold),
      n(parts.columns.mean), formulaFactor(options.gamma, 3), n(parts.columns.deviation), n(parts.columns.threshold),
      n(r), n(c), n(r), n(c), n(r), n(c), formulaFixed(parts.value));
}

std::string thresholdNumbers(const attention::Side& side) {
  return fmt::format("\\tau = {}+{}\\cdot\\sigma = {}", n(side.mean),
                     n(side.deviation > 0 ? (side.threshold - side.mean) / side.deviation : 0), n(side.threshold));
}

// clang-format off
void declareScores(PropertyRegistry& registry, const WeightsShared& live) {
  const Getters scored([&live](int) { return live.moments ? &live : nullptr; });
  const auto score = [&](double attention::Scores::*member) {
    return scored([member](const WeightsShared& of) { return of.scores.*member; });
  };
  const auto side = [&](attention::Side attention::DirectionalityParts::*which) {
    return Getters([&live, which](int) { return live.moments ? &(live.parts.*which) : nullptr; });
  };
  const auto rows = side(&attention::DirectionalityParts::rows), columns = side(&attention::DirectionalityParts::columns);
  const auto numbers = [&live](auto excess) {
    return [&live, excess](int) { return directionalityNumbers(live, excess(live)); };
  };
  const Common common{.prefix = "weights.", .equation = kDirectionalityPlace, .errata = {"att-4"}};
  declareReadOuts(registry, common, {
      {.key = "symmetry", .label = N_("Symmetry"), .symbol = "s",
       .help = N_("1 for a symmetric matrix, −1 for a skew one, near 0 for a random one. Pale inside the 95 % "
                  "interval of random matrices of the same shape and rank."),
       .equation = kSymmetryPlace, .formula = kSymmetry, .withNumbers = scored.text(symmetryNumbers),
       .errata = {"att-1", "att-2", "att-3"}, .get = score(&attention::Scores::symmetry)},
      {.key = "directionality", .label = N_("Directionality"), .symbol = "d",
       .help = N_("Positive where outlying rows (queries) dominate, negative where outlying columns (keys) do."),
       .formula = directionalityFormula(),
       .withNumbers = numbers([](const WeightsShared& of) {
         return of.state.score.variant == attention::Directionality::Excess;
       }),
       .errata = {"att-4", "att-5"}, .get = score(&attention::Scores::directionality)},
      {.key = "directionality.excess", .label = N_("d (default)"),
       .help = N_("The variant behind the published tables: sums by how much the norms of outliers exceed the "
                  "threshold."),
       .formula = directionalityOf("\\left(\\Vert m_{i,\\cdot}\\Vert-\\tau_r\\right)"),
       .withNumbers = numbers([](const WeightsShared&) { return true; }), .errata = {"att-4", "att-5"},
       .get = scored(&WeightsShared::excess), .detail = true},
      {.key = "directionality.sum", .label = N_("d (as printed)"),
       .help = N_("The variant of the printed definition: sums the whole norms of outliers."),
       .formula = directionalityOf("\\Vert m_{i,\\cdot}\\Vert"),
       .withNumbers = numbers([](const WeightsShared&) { return false; }), .errata = {"att-4", "att-5"},
       .get = scored(&WeightsShared::sum), .detail = true},
      {.key = "threshold.row", .label = N_("Row threshold"), .help = N_("Norm above which a row is an outlier."),
       .formula = "\\tau_r = \\mu_r+\\gamma\\,\\sigma_r", .withNumbers = rows.text(thresholdNumbers),
       .get = rows(&attention::Side::threshold), .detail = true},
      {.key = "threshold.column", .label = N_("Column threshold"),
       .help = N_("Norm above which a column is an outlier."), .formula = "\\tau_c = \\mu_c+\\gamma\\,\\sigma_c",
       .withNumbers = columns.text(thresholdNumbers), .get = columns(&attention::Side::threshold), .detail = true},
      {.key = "outliers.rows", .label = N_("Outlying rows"), .help = N_("Rows above their threshold."),
       .formula = "\\sum_i\\mathbb{1}\\left[\\Vert m_{i,\\cdot}\\Vert>\\tau_r\\right]", .digits = 0,
       .get = rows(&attention::Side::outliers)},
      {.key = "outliers.columns", .label = N_("Outlying columns"), .help = N_("Columns above their threshold."),
       .formula = "\\sum_j\\mathbb{1}\\left[\\Vert m_{\\cdot,j}\\Vert>\\tau_c\\right]", .digits = 0,
       .get = columns(&attention::Side::outliers)}});
}

void declareModel(PropertyRegistry& registry, const WeightsShared& live) {
  const Getters model([&live](int) { return live.model.get(); });
  const Getters layer([&live](int) { return live.layer; });
  const Getters moments([&live](int) { return live.moments.get(); });
  const auto why = [](const WeightsShared& of) {
    if (!of.failure.empty()) return of.failure;
    if (!of.factorsFailure.empty()) return of.factorsFailure;
    return of.model ? of.model->map.noForm : std::string();
  };
  declareReadOuts(registry, {.prefix = "weights."}, {
      {.key = "model", .label = N_("Model"), .help = N_("The open checkpoint, by the name of its file or folder."),
       .digits = 4, .get = model([&live](const checkpoint::Model& of) { return live.title(of); })},
      {.key = "family", .label = N_("Family"),
       .help = N_("The architecture that was recognised, or that a rule of yours names."), .digits = 4,
       .get = model([](const checkpoint::Model& of) { return of.map.familyName; })},
      {.key = "layers", .label = N_("Layers"), .help = N_("Number of layers of the selected stack."), .digits = 0,
       .get = layer([&live](const checkpoint::AttentionLayer& of) { return live.model->map.layersOf(of.stack); })},
      {.key = "heads", .label = N_("Query heads"), .symbol = "H", .help = N_("Query heads of the layer."), .digits = 0,
       .get = layer(&checkpoint::AttentionLayer::heads)},
      {.key = "kv_heads", .label = N_("Key heads"), .symbol = "K",
       .help = N_("Key heads of the layer; several query heads may share one."), .digits = 0,
       .get = layer(&checkpoint::AttentionLayer::kvHeads)},
      {.key = "d_model", .label = N_("Width"), .symbol = "d", .help = N_("Rows of W_qk: the width of the query side."),
       .digits = 0, .get = layer(&checkpoint::AttentionLayer::d_model)},
      {.key = "d_h", .label = N_("Width of a head"), .symbol = "d_h", .help = N_("The rank of one head's form."),
       .digits = 0, .get = layer(&checkpoint::AttentionLayer::d_h)},
      {.key = "tensors", .label = N_("Tensors"), .help = N_("Tensors in the checkpoint."), .digits = 0,
       .get = model([](const checkpoint::Model& of) { return of.checkpoint->tensors().size(); }), .detail = true},
      {.key = "parameters", .label = N_("Parameters"),
       .help = N_("Numbers in all tensors; aliases and integers are not counted."), .digits = 0,
       .get = model([](const checkpoint::Model& of) { return of.checkpoint->parameters(); }),
       .numberWords = countText},
      {.key = "note", .label = N_("Note"), .help = N_("Why there is no matrix to show."), .digits = 4,
       .get = gettersOf(live)([why](const WeightsShared& of) { return notEmpty(why(of)); })},
      {.key = "nonfinite", .label = N_("NaN/Inf entries"),
       .help = N_("Weights of this layer or head that are NaN or infinite; there is no score where there are any."),
       .digits = 0, .get = moments(&attention::Moments::nonfinite)}});
}

void declareBands(PropertyRegistry& registry, const WeightsShared& live) {
  using Ends = double attention::Band::*;
  const auto row = [&live](const char* key, const char* label, attention::Band attention::RandomBands::*which, Ends end,
                           const char* symbol) {
    const Getters band([&live, which](int) { return live.band.samples > 0 ? &(live.band.*which) : nullptr; });
    return ReadOut{
        .key = key, .label = label,
        .help = N_("End of the interval that holds the scores of 95 % of random matrices of the same shape and rank."),
        .withNumbers = band.text([&live, symbol](const attention::Band& of) {
          if (!live.factors) return std::string();
          return fmt::format("n = {},\\quad {}\\le {}\\le {}", live.factors->rows(), n(of.low), symbol, n(of.high));
        }),
        .digits = 5, .get = band(end), .detail = true};
  };
  const auto table = [&](const char* equation, const char* formula, const char* erratum, ReadOut low, ReadOut high) {
    low.formula = high.formula = formula;
    declareReadOuts(registry, {.prefix = "weights.band.", .equation = equation, .errata = {erratum}},
                    {std::move(low), std::move(high)});
  };
  const auto symmetry = &attention::RandomBands::symmetry, directionality = &attention::RandomBands::directionality;
  const Ends low = &attention::Band::low, high = &attention::Band::high;
  table("Attention-Structure, Proposition A.15",
        "\\mathrm{E}[s] &= \\frac1n \\\\ \\mathrm{sd}[s] &\\approx \\frac{\\sqrt2}{n}", "att-3",
        row("symmetry.low", N_("Random s from"), symmetry, low, "s"),
        row("symmetry.high", N_("Random s to"), symmetry, high, "s"));
  table("Attention-Structure, Proposition A.16", "\\mathrm{E}[d] = 0", "att-5",
        row("directionality.low", N_("Random d from"), directionality, low, "d"),
        row("directionality.high", N_("Random d to"), directionality, high, "d"));
}

void declareBoard(PropertyRegistry& registry, const WeightsShared& live) {
  const auto all = gettersOf(live);
  const Getters entry([&live](int index) {
    const bool there = index >= 0 && static_cast<std::size_t>(index) < live.board->size();
    return there ? &(*live.board)[static_cast<std::size_t>(index)] : nullptr;
  });
  /// Across the layers of the stack in sight.
  const auto median = [&](double attention::Scores::*score) {
    return all([score](const WeightsShared& of) {
      std::vector<double> values;
      for (const LayerScores& layer : *of.board)
        if (of.layer && layer.stack == of.layer->stack) values.push_back(layer.scores.*score);
      return attention::quartiles(std::move(values)).median;
    });
  };
  const auto scored = [](const WeightsShared& of) {
    return std::count_if(of.board->begin(), of.board->end(), [](const LayerScores& layer) { return !!layer.moments; });
  };
  declareReadOuts(registry, {.prefix = "weights."}, {
      {.key = "median.symmetry", .label = N_("Median symmetry"), .symbol = "s",
       .help = N_("Across the layers of the stack."), .equation = kSymmetryPlace, .formula = kSymmetry,
       .errata = {"att-1"}, .digits = 4, .get = median(&attention::Scores::symmetry)},
      {.key = "median.directionality", .label = N_("Median directionality"), .symbol = "d",
       .help = N_("Across the layers of the stack."), .equation = kDirectionalityPlace,
       .formula = directionalityFormula(), .errata = {"att-4"}, .digits = 4,
       .get = median(&attention::Scores::directionality)}});
  declareReadOuts(registry, {.prefix = "weights.", .detail = true}, {
      {.key = "board.count", .label = N_("Layers of all stacks"),
       .help = N_("How many layers the model has, stack by stack."), .digits = 0,
       .get = all([](const WeightsShared& of) { return of.board->size(); })},
      {.key = "board.scored", .label = N_("Scored layers"), .help = N_("Number of layers whose scores are computed."),
       .digits = 0, .get = all(scored)},
      {.key = "board[].stack", .label = N_("Stack"), .help = N_("Which attention the layer belongs to."), .digits = 0,
       .get = entry([](const LayerScores& of) { return checkpoint::word(of.stack); })},
      {.key = "board[].layer", .label = N_("Layer"), .help = N_("The layer, counted from 0 in its stack."),
       .digits = 0, .get = entry(&LayerScores::layer)},
      {.key = "board[].symmetry", .label = N_("Symmetry"), .symbol = "s", .help = N_("The symmetry score of a layer, all heads together."),
       .equation = kSymmetryPlace, .formula = kSymmetry, .errata = {"att-1"},
       .get = entry([](const LayerScores& of) { return of.scores.symmetry; })},
      {.key = "board[].directionality", .label = N_("Directionality"), .symbol = "d",
       .help = N_("The directionality score of a layer, all heads together."), .equation = kDirectionalityPlace,
       .formula = directionalityFormula(), .errata = {"att-4"},
       .get = entry([](const LayerScores& of) { return of.scores.directionality; })}});
}
// clang-format on

}  // namespace

std::string directionalityFormula() {
  std::string term = "\\begin{cases}\\Vert m_{i,\\cdot}\\Vert-\\tau_r & \\text{";
  term += tr("excess");
  term += "} \\\\ \\Vert m_{i,\\cdot}\\Vert & \\text{";
  term += tr("sum");
  return directionalityOf(term += "}\\end{cases}");
}

void declareWeightsReadOuts(PropertyRegistry& registry, const WeightsShared& live) {
  declareScores(registry, live);
  declareModel(registry, live);
  declareBands(registry, live);
  declareBoard(registry, live);
}

}  // namespace sepx::ui
