// SPDX-License-Identifier: Apache-2.0
// The parameters of the Weights exhibit. A layer or head that the open model does not have is refused with the range
// that it has; where no model is open yet (a session that is being read), the nearest one is shown later.
#include "ui/exhibits/weights/shared/weights_declare.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kPaper = "Attention-Structure";

std::string equation(const char* place) {
  return std::string(kPaper) + ", " + place;
}

Property property(Kind kind, std::string key, std::string label, Value fallback, std::string help) {
  Property made;
  made.kind = kind;
  made.key = std::move(key);
  made.label = std::move(label);
  made.fallback = std::move(fallback);
  made.help = std::move(help);
  return made;
}

using Choices = std::vector<std::pair<std::string, std::string>>;  ///< key and what it is called

Property choice(std::string key, std::string label, const Choices& choices, std::string help) {
  Property made = property(Kind::Choice, std::move(key), std::move(label), choices.front().first, std::move(help));
  for (const auto& [word, words] : choices)
    made.choices.push_back(word);
  made.choiceLabel = [choices](const std::string& word) {
    for (const auto& [known, words] : choices)
      if (known == word) return tr(words);
    return word;
  };
  return made;
}

Property toggle(std::string key, std::string label, bool fallback, std::string help) {
  return property(Kind::Toggle, std::move(key), std::move(label), fallback, std::move(help));
}

Property whole(std::string key, std::string label, double least, double most, double fallback, std::string help) {
  Property made = property(Kind::Integer, std::move(key), std::move(label), fallback, std::move(help));
  made.min = least;
  made.max = most;
  made.step = 1;
  made.digits = 0;
  return made;
}

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
  return fail(ErrorKind::Usage, fmt::format(fmt::runtime(tr("layer {}: this model's stack has layers 0 to {}")),
                                            layer.get<double>(), count - 1));
}

Result<Document> headFollows(const WeightsShared& live, const Document& with) {
  const Json& head = with.at("weights.head");
  if (!live.layer || !head.is_number() || head.get<double>() < live.layer->heads) return with;
  return fail(ErrorKind::Usage,
              fmt::format(fmt::runtime(tr("head {}: this layer has heads 0 to {}; −1 is all of them")),
                          head.get<double>(), live.layer->heads - 1));
}

Result<Document> stackFollows(const WeightsShared& live, const Document& with) {
  const Json& said = with.at("weights.stack");
  const auto stack = said.is_string() ? checkpoint::stackNamed(said.get<std::string>()) : std::nullopt;
  if (!stack || !live.model || live.model->map.layers.empty() || live.model->map.layersOf(*stack) > 0) return with;
  std::string there;
  for (const checkpoint::Stack one : live.model->map.stacks())
    there += (there.empty() ? "" : ", ") + std::string(checkpoint::word(one));
  return fail(ErrorKind::Usage,
              fmt::format(fmt::runtime(tr("stack {}: this model has {}")), checkpoint::word(*stack), there));
}

/// The edges that nobody has said yet are those of the whole matrix.
Result<Document> viewFollows(const WeightsShared& live, const Document& with) {
  Document next = with;
  if (!live.layer) return next;
  const std::pair<const char*, double> whole[] = {{"weights.view.xMin", 0},
                                                  {"weights.view.xMax", live.layer->d_key},
                                                  {"weights.view.yMin", -live.layer->d_model},
                                                  {"weights.view.yMax", 0}};
  for (const auto& [key, value] : whole)
    if (!next.at(key).is_number()) next = next.with(key, value);
  return next;
}

/// Another checkpoint begins with its whole matrix.
Result<Document> checkpointFollows(const Document& before, const Document& with) {
  if (before.at("weights.checkpoint") == with.at("weights.checkpoint")) return with;
  return withWeightsView(with, std::nullopt);
}

}  // namespace

void declareWeightsChoice(PropertyRegistry& registry, const WeightsShared& live, Property page) {
  Property file = property(Kind::Text, "weights.checkpoint", N_("Checkpoint"), std::string(),
                           N_("The weight file, index or folder that is open; empty: the model that ships with the "
                              "program."));
  file.file = true;
  file.follow = checkpointFollows;
  registry.declare(file);
  page.help =
      N_("What is shown: one matrix, all heads at once, scores by layer, two checkpoints, the score of two tokens "
         "built up term by term, or how tensors were mapped.");
  registry.declare(std::move(page));
  Property stack = choice("weights.stack", N_("Stack"),
                          {{"self", N_("self-attention")},
                           {"encoder", N_("encoder")},
                           {"decoder", N_("decoder")},
                           {"cross", N_("cross attention")}},
                          N_("Which attention of the model: an encoder-decoder has three kinds, which are scored "
                             "apart."));
  stack.follow = [&live](const Document&, const Document& with) { return stackFollows(live, with); };
  registry.declare(stack);
  Property layer = whole("weights.layer", N_("Layer"), 0, 100000, 0, N_("The layer, counted from 0 in its stack."));
  layer.follow = [&live](const Document&, const Document& with) { return layerFollows(live, with); };
  registry.declare(layer);
  Property head = whole("weights.head", N_("Head"), -1, 100000, -1,
                        N_("The query head, counted from 0; −1: the sum over all heads of the layer."));
  head.equation = equation("(1)-(4)");
  head.follow = [&live](const Document&, const Document& with) { return headFollows(live, with); };
  registry.declare(head);
  Property part = choice(
      "weights.part", N_("Part"),
      {{"full", N_("full")}, {"symmetric", N_("symmetric")}, {"skew", N_("skew")}, {"three", N_("three panes")}},
      N_("The matrix itself, half its sum with its transpose (symmetric), half its difference from it (skew), or "
         "the three side by side."));
  part.equation = equation("Definition 3.1");
  registry.declare(part);
}

void declareWeightsView(PropertyRegistry& registry, const WeightsShared& live) {
  constexpr double kFarthest = 1e9;
  const auto edge = [&](const char* key, const char* label) {
    Property made = property(Kind::Real, key, label, 0.0,
                             N_("An edge of the part of the matrix that is shown: columns to the right, rows "
                                "downwards as negative numbers."));
    made.min = -kFarthest;
    made.max = kFarthest;
    made.step = 1;
    made.undoable = false;
    made.follow = [&live](const Document&, const Document& with) { return viewFollows(live, with); };
    made.applies = onPage("matrix");
    registry.declare(made);
  };
  edge("weights.view.xMin", N_("Left edge"));
  edge("weights.view.xMax", N_("Right edge"));
  edge("weights.view.yMin", N_("Lower edge"));
  edge("weights.view.yMax", N_("Upper edge"));
  Property colors = choice("weights.colors", N_("Colours"),
                           {{"diverging", N_("diverging, zero in the middle")},
                            {"sequential", N_("sequential, modulus")},
                            {"logarithmic", N_("logarithmic, sign kept")}},
                           N_("How entries become colours. The logarithmic scale keeps the sign and shows small "
                              "entries beside large ones."));
  colors.applies = onPage("matrix");
  registry.declare(colors);
  Property order = choice("weights.order", N_("Sorted"),
                          {{"stored", N_("as stored")},
                           {"row-norm", N_("rows by norm")},
                           {"column-norm", N_("columns by norm")},
                           {"both", N_("both by norm")}},
                          N_("The order of rows and columns: as in the file, or by falling norm."));
  order.applies = onPage("matrix");
  registry.declare(order);
  Property pool =
      choice("weights.pool", N_("A pixel shows"), {{"extreme", N_("largest modulus")}, {"mean", N_("mean")}},
             N_("What a pixel says of the block of entries under it, where the matrix has more entries "
                "than the picture pixels."));
  pool.applies = onPage("matrix");
  registry.declare(pool);
  const auto shown = [&](Property made) {
    made.applies = onPage("matrix");
    registry.declare(std::move(made));
  };
  shown(toggle("weights.show.margins", N_("Norms at the margins"), true,
               N_("Column norms above and row norms at the left of the matrix, with the thresholds of the "
                  "directionality score as lines that can be dragged.")));
  shown(toggle("weights.show.values", N_("Values in cells"), true, N_("Prints entries where cells are large enough.")));
  shown(toggle("weights.show.spectrum", N_("Spectrum"), false,
               N_("Singular values and eigenvalues of the matrix, computed when this is on.")));
  shown(toggle("weights.show.survival", N_("Survival curves"), false,
               N_("Which share of the rows and of the columns has a norm above a value.")));
}

void declareWeightsScore(PropertyRegistry& registry) {
  Property gamma = property(Kind::Real, "weights.score.gamma", N_("Threshold"), 2.0,
                            N_("A row or column counts in the directionality when its norm exceeds the mean by γ "
                               "deviations."));
  gamma.symbol = "γ";
  gamma.min = -5;
  gamma.max = 50;
  gamma.step = 0.1;
  gamma.digits = 3;
  gamma.equation = equation("Definition 3.2");
  registry.declare(gamma);
  Property variant = choice("weights.score.variant", N_("Directionality"),
                            {{"excess", N_("excess over the threshold")}, {"sum", N_("sum of norms")}},
                            N_("What the outliers contribute: the excess of their norms over the threshold, as in the "
                               "code behind the published tables, or their whole norms, as the definition prints."));
  variant.equation = equation("Definition 3.2");
  registry.declare(variant);
  Property ddof = choice("weights.score.ddof", N_("Deviation"),
                         {{"automatic", N_("by the variant")}, {"0", N_("of all, n")}, {"1", N_("of a sample, n − 1")}},
                         N_("What the squared distances are divided by: n − 1 goes with the excess, n with the sum."));
  registry.declare(ddof);
  registry.declare(choice("weights.gqa", N_("Grouped heads"),
                          {{"grouped", N_("as the model computes")}, {"published", N_("as published")}},
                          N_("Which key head a query head of grouped-query attention goes with: h / (H/K) as the model "
                             "computes, or h mod K as the code behind the published tables has it.")));
  registry.declare(toggle("weights.norm.folded", N_("Norm's gain folded in"), false,
                          N_("Multiplies the gain of the norm before the projections into W_Q and W_K; the published "
                             "scores leave it out.")));
}

void declareWeights(PropertyRegistry& registry, const WeightsShared& live, Property page) {
  declareWeightsChoice(registry, live, std::move(page));
  declareWeightsScore(registry);
  declareWeightsView(registry, live);
  declareWeightsReadOuts(registry, live);
  declareWeightsCards(registry, live);
}

}  // namespace sepx::ui
