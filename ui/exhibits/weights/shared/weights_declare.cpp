// SPDX-License-Identifier: Apache-2.0
// The parameters of the Weights exhibit. A layer or head that the open model does not have is refused with the range
// that it has; where no model is open yet (a session that is being read), the nearest one is shown later.
#include "ui/exhibits/weights/shared/weights_page_kit.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/ends.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr const char* kDefinition = "Attention-Structure, Definition 3.2";

checkpoint::Stack stackOf(const Document& document, const checkpoint::AttentionMap& map) {
  const Json& said = document.at("weights.stack");
  const auto stack = said.is_string() ? checkpoint::stackNamed(said.get<std::string>()) : std::nullopt;
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

/// The head of the layer that the document names, which may not be the one in sight yet.
Result<Document> headFollows(const WeightsShared& live, const Document& with) {
  const Json &head = with.at("weights.head"), &number = with.at("weights.layer");
  if (!live.model || !live.layer || !head.is_number()) return with;
  const checkpoint::AttentionLayer* const named =
      live.model->map.find(stackOf(with, live.model->map), number.is_number() ? number.get<int>() : 0);
  const int heads = named ? named->heads : live.layer->heads;
  if (head.get<double>() < heads) return with;
  return fail(ErrorKind::Usage,
              trFormat("head {}: this layer has heads 0 to {}, or all (−1)", head.get<double>(), heads - 1));
}

Result<Document> stackFollows(const WeightsShared& live, const Document& with) {
  const Json& said = with.at("weights.stack");
  const auto stack = said.is_string() ? checkpoint::stackNamed(said.get<std::string>()) : std::nullopt;
  if (!stack || !live.model || live.model->map.layers.empty() || live.model->map.layersOf(*stack) > 0) return with;
  std::string there;
  for (const checkpoint::Stack one : live.model->map.stacks())
    there += (there.empty() ? "" : ", ") + std::string(checkpoint::word(one));
  return fail(ErrorKind::Usage, trFormat("stack {}: this model has {}", checkpoint::word(*stack), there));
}

/// The edges that nobody has said yet are those of the whole matrix.
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

/// Another checkpoint begins with its whole matrix, and the assistant is for the one before.
Result<Document> checkpointFollows(const Document& before, const Document& with) {
  if (before.at("weights.checkpoint") == with.at("weights.checkpoint")) return with;
  Document next = withWeightsView(with, std::nullopt);
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
      N_("What is shown: one matrix, all heads at once, scores by layer, two checkpoints, the score of two tokens "
         "built up term by term, or how tensors were mapped.");
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
  constexpr double kUnknown = std::numeric_limits<double>::infinity();  // without a matrix
  const auto edge = [&live](const char* key, const char* label) {
    return Property{.key = key, .label = label, .min = -kFarthest, .max = kFarthest, .step = 1, .fallback = 0.0,
                    .help = N_("An edge of the part of the matrix that is shown: columns to the right, rows downwards as "
                               "negative numbers."),
                    .follow = [&live, name = std::string("weights.view.") + key[0]](const Document& before,
                                                                                    const Document& with) {
                      return endsFollow({name + "Min", name + "Max", -kUnknown, kUnknown}, kFarthest,
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
       .help = N_("The order of rows and columns: as in the file, or by falling norm.")},
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
       .help = N_("Which share of the rows and of the columns has a norm above a value. The three parts of a matrix leave "
                  "room for these curves in a large window: there they are always shown.")}});
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
       .help = N_("What the squared distances are divided by: n − 1 goes with the excess, n with the sum.")},
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

}  // namespace sepx::ui
