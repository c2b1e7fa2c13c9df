// SPDX-License-Identifier: Apache-2.0
// Declares the properties of the Weights exhibit. A layer or head that the open model does not have is refused with the
// range of the model. If no model is open yet (while a session is read), it is accepted, and the nearest one is shown
// later.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/formula.h"
#include "ui/properties/interval_ends.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr const char* kDefinition = "Attention-Structure, Definition 3.2";

checkpoint::Stack stackOf(const Document& document, const checkpoint::AttentionMap& map) {
  const Json& stackName = document.at("weights.stack");
  const auto stack = stackName.is_string() ? checkpoint::stackNamed(stackName.get<std::string>()) : std::nullopt;
  if (stack && map.layersOf(*stack) > 0) return *stack;
  return map.layers.empty() ? checkpoint::Stack::Self : map.layers.front().stack;
}

Result<Document> layerFollows(const WeightsShared& live, const Document& with) {
  const Json& layer = with.at("weights.layer");
  if (!live.model || live.model->map.layers.empty() || !layer.is_number()) return with;
  const int count = live.model->map.layersOf(stackOf(with, live.model->map));
  if (layer.get<double>() < count) return with;
  return fail(ErrorKind::Usage,
              trFormat("layer {}: this model's stack has layers 0 to {}", layer.get<double>(), count - 1));
}

/// Checks the head against the layer that the document names, which may not be in sight yet.
Result<Document> headFollows(const WeightsShared& live, const Document& with) {
  const Json &head = with.at("weights.head"), &number = with.at("weights.layer");
  if (!live.model || !live.layer || !head.is_number()) return with;
  constexpr double kMostLayers = 1e6;
  const double layer = number.is_number() ? std::clamp(number.get<double>(), 0.0, kMostLayers) : 0;
  const checkpoint::AttentionLayer* const named =
      live.model->map.find(stackOf(with, live.model->map), static_cast<int>(layer));
  const int heads = named ? named->heads : live.layer->heads;
  if (head.get<double>() < heads) return with;
  return fail(ErrorKind::Usage,
              trFormat("head {}: this layer has heads 0 to {}, or all (−1)", head.get<double>(), heads - 1));
}

Result<Document> stackFollows(const WeightsShared& live, const Document& with) {
  const Json& stackName = with.at("weights.stack");
  const auto stack = stackName.is_string() ? checkpoint::stackNamed(stackName.get<std::string>()) : std::nullopt;
  if (!stack || !live.model || live.model->map.layers.empty() || live.model->map.layersOf(*stack) > 0) return with;
  std::string there;
  for (const checkpoint::Stack one : live.model->map.stacks())
    there += (there.empty() ? "" : ", ") + std::string(checkpoint::toString(one));
  return fail(ErrorKind::Usage, trFormat("stack {}: this model has {}", checkpoint::toString(*stack), there));
}

/// Sets the edges that the document lacks to those of the whole matrix.
Document withWholeEdges(const WeightsShared& live, const Document& document) {
  Document next = document;
  if (!live.layer) return next;
  const std::pair<const char*, double> whole[] = {{"weights.view.xMin", 0},
                                                  {"weights.view.xMax", live.layer->d_key},
                                                  {"weights.view.yMin", -live.layer->d_model},
                                                  {"weights.view.yMax", 0}};
  for (const auto& [key, value] : whole)
    if (!next.at(key).is_number()) next = next.with(key, value);
  return next;
}

/// A new checkpoint begins with its whole matrix, and values that belong to the previous checkpoint are removed: the
/// tokens of the sentence and the mapping assistant.
Result<Document> checkpointFollows(const Document& before, const Document& with) {
  if (before.at("weights.checkpoint") == with.at("weights.checkpoint")) return with;
  Document next = withWeightsView(with, std::nullopt);
  for (const char* const stale : {"weights.sentence.ids", "weights.sentence.edits", "weights.sentence.place",
                                  "weights.sentence.query", "weights.sentence.key"})
    if (next.has(stale)) next = next.without(stale);
  return next.has("weights.rule.show") ? next.without("weights.rule.show") : next;
}

// clang-format off
void declareWeightsChoice(PropertyRegistry& registry, const WeightsShared& live, Property page) {
  const auto follows = [&live](auto check) {
    return [&live, check](const Document&, const Document& with) { return check(live, with); };
  };
  const auto severalStacks = [&live](const Document&) { return live.model && live.model->map.stacks().size() > 1; };
  const auto square = [&live](const Document&) { return !live.layer || live.layer->d_model == live.layer->d_key; };
  declareParameters(registry, {.prefix = "weights."}, {
      {.key = "checkpoint", .into = &WeightsState::path, .label = N_("Checkpoint"), .fallback = "",
       .help = N_("The weight file, index or folder that is open; empty: the model that ships with the program."),
       .file = true, .follow = checkpointFollows}});
  page.help =
      N_("What is shown: one matrix, all heads at once, scores by layer, two checkpoints, a sentence "
         "that goes through the model, the score of two tokens built up term by term, or how tensors were mapped.");
  registry.declare(std::move(page));
  declareParameters(registry, {.prefix = "weights."}, {
      {.key = "stack", .into = &WeightsState::stack, .label = N_("Stack"),
       .options = {{"self", N_("self-attention")}, {"encoder", N_("encoder")}, {"decoder", N_("decoder")},
                   {"cross", N_("cross attention")}},
       .help = N_("The kind of attention. An encoder-decoder has three, which are scored separately."),
       .applies = severalStacks, .follow = follows(stackFollows)},
      {.key = "layer",
       .into = &WeightsState::layer, .label = N_("Layer"), .kind = Kind::Integer, .max = 100000, .fallback = 0.0,
       .help = N_("The layer, counted from 0 in its stack."), .follow = follows(layerFollows)},
      {.key = "head", .into = &WeightsState::head, .label = N_("Head"), .kind = Kind::Integer, .min = -1, .max = 100000,
       .options = {{"-1", N_("all")}}, .fallback = -1.0,
       .help = N_("The query head, counted from 0; all, or −1 in scripts: the sum over all heads of the layer."),
       .equation = "Attention-Structure, (1)-(4)", .formula = "W_{qk} = \\sum_{h=1}^{H} W_Q^h\\,(W_K^h)^\\top",
       .follow = follows(headFollows)},
      {.key = "part", .into = &WeightsState::part, .label = N_("Part"),
       .options = {{"full", N_("full")}, {"symmetric", N_("symmetric")}, {"skew", N_("skew")},
                   {"three", N_("three panes")}},
       .help = N_("The matrix itself, half its sum with its transpose (symmetric), half its difference from it (skew), "
                  "or the three side by side."),
       .equation = "Attention-Structure, Definition 3.1",
       .formula = "M = M_s+M_n,\\quad M_{s,n} = \\frac{M\\pm M^\\top}{2}", .errata = {"att-1"}, .applies = square}});
}

void declareWeightsView(PropertyRegistry& registry, const WeightsShared& live) {
  constexpr double kFarthest = 1e9;
  const Condition onMatrix = onPage("matrix");
  constexpr double kUnknown = std::numeric_limits<double>::infinity();  // no limit without a matrix
  const auto edge = [&live](const char* key, const char* label) {
    return Property{.key = key, .label = label, .min = -kFarthest, .max = kFarthest, .step = 1, .fallback = 0.0,
                    .help = N_("An edge of the part of the matrix that is shown: columns to the right, rows downwards as "
                               "negative numbers."),
                    .follow = [&live, name = std::string("weights.view.") + key[0]](const Document& before,
                                                                                    const Document& with) {
                      return withOrderedEnds({name + "Min", name + "Max", -kUnknown, kUnknown}, kFarthest,
                                        withWholeEdges(live, before), withWholeEdges(live, with));
                    }};
  };
  declareParameters(registry, {.prefix = "weights.view.", .applies = onMatrix, .undoable = false},
                    {edge("xMin", N_("Left edge")), edge("xMax", N_("Right edge")), edge("yMin", N_("Lower edge")),
                     edge("yMax", N_("Upper edge"))});
  const auto pool = [](WeightsState& state, const Value& word) {
    state.pool = toString(word) == "mean" ? attention::Pool::Mean : attention::Pool::Extreme;
  };
  declareParameters(registry, {.prefix = "weights.", .applies = onMatrix}, {
      {.key = "colors", .into = &WeightsState::scale, .label = N_("Colours"),
       .options = {{"diverging", N_("diverging, zero in the middle")}, {"sequential", N_("sequential, modulus")},
                   {"logarithmic", N_("logarithmic, sign kept")}},
       .help = N_("How entries become colours. The logarithmic scale keeps the sign and shows small entries beside large "
                  "ones.")},
      {.key = "order", .into = &WeightsState::order, .label = N_("Sorted"),
       .options = {{"stored", N_("as stored")}, {"row-norm", N_("rows by norm")},
                   {"column-norm", N_("columns by norm")}, {"both", N_("both by norm")}},
       .help = N_("The order of rows and columns: as in the file, or by descending norm.")},
      {.key = "pool", .into = Into::by<WeightsState>(pool), .label = N_("Downsample by"),
       .options = {{"extreme", N_("largest |value|")}, {"mean", N_("mean")}},
       .help = N_("What a pixel shows of the block of entries under it, when the matrix has more entries than the "
                  "picture has pixels.")},
      {.key = "show.margins", .into = &WeightsState::margins, .label = N_("Norms at the margins"), .fallback = true,
       .help = N_("Column norms above and row norms at the left of the matrix, with the thresholds of the directionality "
                  "score as lines that can be dragged.")},
      {.key = "show.values", .into = &WeightsState::values, .label = N_("Values in cells"), .fallback = true,
       .help = N_("Prints entries where cells are large enough.")},
      {.key = "show.spectrum", .into = &WeightsState::spectrum, .label = N_("Spectrum"), .fallback = false,
       .help = N_("Singular values and eigenvalues of the matrix, computed when this is on.")},
      {.key = "show.survival", .into = &WeightsState::survival, .label = N_("Survival curves"), .fallback = false,
       .help = N_("The share of the rows and of the columns whose norm exceeds a value.")},
      {.key = "show.beside", .into = &WeightsState::curvesBeside, .label = N_("Curves where there is room"),
       .fallback = true,
       .help = N_("Shows the survival curves, and the spectrum of a matrix with at most 1,024 rows, beside the matrix "
                  "if there is room. They do not make the matrix smaller, and a figure has only what is switched on "
                  "above.")}});
}

void declareWeightsScore(PropertyRegistry& registry, const WeightsShared& live) {
  const auto grouped = [&live](const Document&) { return live.layer && live.layer->kvHeads < live.layer->heads; };
  const auto normed = [&live](const Document&) { return live.layer && live.layer->norm.has_value(); };
  const auto ddof = [](WeightsState& state, const Value& word) {
    state.score.ddof = toString(word) == "0" ? 0 : toString(word) == "1" ? 1 : kByVariant;
  };
  declareParameters(registry, {.prefix = "weights."}, {
      {.key = "score.gamma",
       .into = {&WeightsState::score, &attention::ScoreOptions::gamma},
       .label = N_("Threshold"), .symbol = "γ", .min = -5, .max = 50, .step = 0.1,
       .fallback = 2.0,
       .help = N_("A row or column is an outlier when its norm exceeds the mean by γ standard deviations."),
       .equation = kDefinition, .formula = "\\tau = \\mu+\\gamma\\,\\sigma", .errata = {"att-4"}},
      {.key = "score.variant",
       .into = {&WeightsState::score, &attention::ScoreOptions::variant}, .label = N_("Directionality"),
       .options = {{"excess", N_("default: excess over the threshold")}, {"sum", N_("as printed: sum of norms")}},
       .help = N_("What the outliers contribute to d: the excess of their norms over the threshold, as in the code "
                  "behind the published tables, or their whole norms, as in the printed definition."),
       .equation = kDefinition, .formula = directionalityFormula(), .errata = {"att-4"}},
      {.key = "score.ddof", .into = Into::by<WeightsState>(ddof), .label = N_("Deviation"),
       .options = {{"automatic", N_("by the variant")}, {"0", N_("population, n")}, {"1", N_("sample, n − 1")}},
       .help = N_("Divisor of the sum of squared deviations: n − 1 goes with the excess, n with the sum.")},
      {.key = "gqa", .into = &WeightsState::pairing, .label = N_("Grouped heads"),
       .options = {{"grouped", N_("as the model computes")}, {"published", N_("as published")}},
       .help = N_("The key head of query head h in grouped-query attention: h / (H/K) rounded down, as the model "
                  "computes, or h mod K, as in the code behind the published tables "
                  "(github.com/matteosaponati/attention-geometry)."),
       .applies = grouped},
      {.key = "norm.folded", .into = &WeightsState::foldNorm, .label = N_("Norm's gain folded in"), .fallback = false,
       .help = N_("Multiplies the gain of the norm before the projections into W_Q and W_K; the published scores leave "
                  "it out."),
       .applies = normed}});
}
// clang-format on

}  // namespace

void declareWeights(PropertyRegistry& registry, const WeightsShared& live, Property page) {
  declareWeightsChoice(registry, live, std::move(page));
  declareWeightsScore(registry, live);
  declareWeightsView(registry, live);
  declareWeightsReadOuts(registry, live);
}

// The read-outs that all pages share, with their cards: the corrected formulas (remarks att-1 to att-5), the same
// formulas with the present numbers, and the errors of the paper that concern them. Getters return monostate if there
// is no value now, and evaluate at most a formula.

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

/// `term`: the contribution of an outlying row to r.
std::string directionalityOf(const std::string& term) {
  std::string formula = "d &= \\frac{r-c}{r+c},\\quad r = \\sum_{";
  formula += kOutlying;
  formula += "}";
  formula += term;
  formula += ",\\quad c\\ \\text{";
  formula += N_("likewise for columns");
  formula += "}";
  return formula += kTail;
}

std::string symmetryNumbers(const WeightsShared& live) {
  if (!live.moments || !std::isfinite(live.scores.symmetry)) return {};
  return fmt::format("s = \\frac{{{}}}{{{}}} = {}", n(live.moments->traceMM), n(live.moments->frobenius2),
                     formulaFixed(live.scores.symmetry));
}

/// The formula with numbers. `excess`: the variant. The parts are computed again, because `live.parts` is of the
/// selected variant.
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

std::string thresholdNumbers(const attention::OutlyingNorms& side) {
  return fmt::format("\\tau = {}+{}\\cdot\\sigma = {}", n(side.mean),
                     n(side.deviation > 0 ? (side.threshold - side.mean) / side.deviation : 0), n(side.threshold));
}

// clang-format off
void declareScores(PropertyRegistry& registry, const WeightsShared& live) {
  const Getters scored([&live](int) { return live.moments ? &live : nullptr; });
  const auto score = [&](double attention::Scores::*member) {
    return scored([member](const WeightsShared& of) { return of.scores.*member; });
  };
  const auto side = [&](attention::OutlyingNorms attention::DirectionalityParts::*which) {
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
       .help = N_("The variant behind the published tables: sums the amounts by which the norms of outliers exceed "
                  "the threshold."),
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
       .get = rows(&attention::OutlyingNorms::threshold), .detail = true},
      {.key = "threshold.column", .label = N_("Column threshold"),
       .help = N_("Norm above which a column is an outlier."), .formula = "\\tau_c = \\mu_c+\\gamma\\,\\sigma_c",
       .withNumbers = columns.text(thresholdNumbers), .get = columns(&attention::OutlyingNorms::threshold), .detail = true},
      {.key = "outliers.rows", .label = N_("Outlying rows"), .help = N_("Number of rows whose norm exceeds the threshold."),
       .formula = "\\sum_i\\mathbb{1}\\left[\\Vert m_{i,\\cdot}\\Vert>\\tau_r\\right]", .digits = 0,
       .get = rows(&attention::OutlyingNorms::outliers)},
      {.key = "outliers.columns", .label = N_("Outlying columns"), .help = N_("Number of columns whose norm exceeds the threshold."),
       .formula = "\\sum_j\\mathbb{1}\\left[\\Vert m_{\\cdot,j}\\Vert>\\tau_c\\right]", .digits = 0,
       .get = columns(&attention::OutlyingNorms::outliers)}});
}

void declareModel(PropertyRegistry& registry, const WeightsShared& live) {
  const Getters model([&live](int) { return live.model.get(); });
  const Getters layer([&live](int) { return live.layer; });
  const Getters moments([&live](int) { return live.moments.get(); });
  const auto why = [](const WeightsShared& of) {
    if (!of.failure.empty()) return of.failure;
    if (!of.factorsFailure.empty()) return of.factorsFailure;
    return of.model ? of.model->map.noQkReason : std::string();
  };
  declareReadOuts(registry, {.prefix = "weights."}, {
      {.key = "model", .label = N_("Model"), .help = N_("The open checkpoint, by the name of its file or folder."),
       .digits = 4, .get = model([&live](const checkpoint::Model& of) { return live.title(of); })},
      {.key = "family", .label = N_("Family"),
       .help = N_("The architecture that was recognised or that your mapping rule names."), .digits = 4,
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
       .help = N_("Number of values in all tensors; aliases and integers are not counted."), .digits = 0,
       .get = model([](const checkpoint::Model& of) { return of.checkpoint->parameters(); }),
       .numberWords = countText},
      {.key = "note", .label = N_("Note"), .help = N_("Why there is no matrix to show."), .digits = 4,
       .get = gettersOf(live)([why](const WeightsShared& of) { return notEmpty(why(of)); })},
      {.key = "nonfinite", .label = N_("NaN/Inf entries"),
       .help = N_("Weights of this layer or head that are NaN or infinite; if there are any, there is no score."),
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
  /// The median across the layers of the stack in sight.
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
       .help = N_("Median across the layers of the stack."), .equation = kSymmetryPlace, .formula = kSymmetry,
       .errata = {"att-1"}, .digits = 4, .get = median(&attention::Scores::symmetry)},
      {.key = "median.directionality", .label = N_("Median directionality"), .symbol = "d",
       .help = N_("Median across the layers of the stack."), .equation = kDirectionalityPlace,
       .formula = directionalityFormula(), .errata = {"att-4"}, .digits = 4,
       .get = median(&attention::Scores::directionality)}});
  declareReadOuts(registry, {.prefix = "weights.", .detail = true}, {
      {.key = "board.count", .label = N_("Layers of all stacks"),
       .help = N_("How many layers the model has, stack by stack."), .digits = 0,
       .get = all([](const WeightsShared& of) { return of.board->size(); })},
      {.key = "board.scored", .label = N_("Scored layers"), .help = N_("Number of layers whose scores are computed."),
       .digits = 0, .get = all(scored)},
      {.key = "board[].stack", .label = N_("Stack"), .help = N_("The kind of attention of the layer."), .digits = 0,
       .get = entry([](const LayerScores& of) { return checkpoint::toString(of.stack); })},
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
  term += N_("excess");
  term += "} \\\\ \\Vert m_{i,\\cdot}\\Vert & \\text{";
  term += N_("sum");
  return directionalityOf(term += "}\\end{cases}");
}

void declareWeightsReadOuts(PropertyRegistry& registry, const WeightsShared& live) {
  declareScores(registry, live);
  declareModel(registry, live);
  declareBands(registry, live);
  declareBoard(registry, live);
}

}  // namespace sepx::ui
