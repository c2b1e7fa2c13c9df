// SPDX-License-Identifier: Apache-2.0
// See update_page.h: updates, panel, exported numbers and properties of the page.
#include "ui/exhibits/training/update/update_page.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

void UpdateSide::update(const RacingRun* racing, const RaceShared& shared, const UpdateChoice& choice,
                        ExhibitContext& context) {
  if (std::exchange(folder_, racing ? racing->folder : std::string()) != folder_) {
    probe_.clear();
    pair_.clear();
  }
  if (!racing) return;
  pair_.refresh(context.jobs);
  probe_.refresh(context.jobs);
  if (probe_.pending()) return;  // wait: a slider moves faster than probes are made
  std::string missing;
  std::optional<ModelRequest> model =
      modelRequest(*racing, shared, {}, data_, probe_.requested() ? &probe_.requested()->model : nullptr, missing);
  if (!model) return probe_.clear(std::move(missing));
  // A probe has one head: each head has its own beta.
  probe_.ask(context.jobs, {std::move(*model), shared.state.layer, std::max(0, shared.state.head), choice.text},
             tr("taking the update apart"), [](const UpdateRequest& request, auto&) { return makeUpdate(request); });
}

void UpdateSide::updatePair(int i, int j, const UpdateChoice& choice, ExhibitContext& context) {
  if (!result()) return pair_.clear();
  if (!result()->isForm)
    return pair_.clear(
        tr("With a rotary encoding a score depends on i − j as well as on W_qk. G is not the gradient of a single "
           "matrix, and there is no pair term."));
  if (i < 0 || j < 0) return pair_.clear(tr("There is no pair."));
  if (i >= result()->places() || j >= result()->places())
    return pair_.clear(
        trFormat("There is no pair ({}, {}): the sequence has positions 0 to {}.", i, j, result()->places() - 1));
  pair_.ask(context.jobs, {result(), i, j, choice.column, choice.row}, "",
            [](const PairRequest& request, auto&) { return Result<PairPointer>(makePair(request)); });
}

PairPointer UpdateSide::pair() const {
  return pair_.value() && pair_.value()->of == result() ? pair_.value() : nullptr;
}

void UpdatePage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  registry.read(document, choice_);
}

void UpdatePage::ask(const RaceFrame& frame, ExhibitContext& context) {
  for (std::size_t i = 0; i < kRuns; ++i)
    sides_[i].update(i < frame.shared.runs.size() ? &frame.shared.runs[i] : nullptr, frame.shared, choice_, context);
  i_ = choice_.i;
  j_ = choice_.j;
  for (std::size_t i = 0; i < kRuns && (i_ < 0 || j_ < 0); ++i) {
    const UpdatePointer& result = sides_[i].result();
    if (!result || result->strongest.empty()) continue;
    i_ = result->strongest.front().i;
    j_ = result->strongest.front().j;
  }
  for (UpdateSide& side : sides_)
    side.updatePair(i_, j_, choice_, context);
}

void UpdatePage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("Sequence"), "training.", {"update.text", "layer", "head"});
  panel.group(tr("Pair"), "training.update.", {"i", "j", "shows", "column", "row"});
  for (std::size_t i = 0; i < kRuns && i < frame.shared.runs.size(); ++i) {
    panel.heading(frame.shared.runs[i].name());
    const std::string prefix = "training.runs[" + std::to_string(i) + "].update.";
    panel.rows(prefix, {"correlation", "score", "mirrored", "mirrored_published", "row_sum", "cosine", "gradient",
                        "pair.beta_ij", "pair.beta_ji", "pair.symmetry", "token.word", "token.context", "token.target",
                        "token.ratio", "token.exact", "step_difference", "step_biases"});
  }
  panel.heading(tr("What is shown"));
  panel.sentence(tr(
      "The gradient of the loss of one sequence at the weights of the newest checkpoint at or before the step of the "
      "slider. β_ij is the derivative of the loss with respect to the raw score of query i and key j, and G = Σ β_ij "
      "x_i x_j^T is exactly the gradient of W_qk of the head, for softmax and linear attention without a rotary "
      "encoding. The β of the paper is minus the gradient."));
  panel.sentence(tr(
      "A causal model has β_ij = 0 for j > i, so that no term comes in both orders. In an encoder all terms do, "
      "except in the last layer: there only predicted positions have a gradient, and the share is that of (S111). The "
      "share counts every term that is not exactly 0. The symmetry of β weighs them: it is near 0 where one of the "
      "two is much larger than the other. An encoder predicts the tokens in brackets."));
  if (showsToken())
    panel.sentence(tr(
        "Proposition 2.2: as context a token adds to every column of G the same sum of the vectors of its queries, "
        "times its own entry k, and to every row its own vector; as a target it is the other way round. Descent moves "
        "W_qk through W_Q and W_K, so a column of its step is a mixture of columns of G: the line is made of the sums "
        "over all tokens, the rings are made of the gradients of the backward pass, which does not use β. Both are "
        "drawn with the length of the column of G. The paper leaves out biases; what they add is shown."));
  if (frame.shared.state.head < 0)
    panel.sentence(tr("Each head has its own β. While all heads are selected, head 0 is shown."));
}

std::string UpdatePage::caption(const RaceShared& shared) const {
  for (std::size_t i = 0; i < kRuns && i < shared.runs.size(); ++i) {
    const UpdatePointer& result = sides_[i].result();
    if (!result) continue;
    return trFormat(
        "{}: the gradient of one sequence at step {}, layer {}, head {}, taken apart. G = Σ β_ij x_i x_j^T; the "
        "printed β is minus the gradient.",
        tr(shared.experiment->title), stepText(result->step), result->layer, result->head);
  }
  return raceCaption(shared);
}

/// Adds the column and the row of every run; each entry is one row of the table.
void UpdatePage::addLineNumbers(Numbers& numbers, const RaceShared& shared) const {
  std::vector<std::string> run, line;
  std::vector<double> at, entry, context, target, whole, byTokens, ofEngine;
  for (std::size_t one = 0; one < kRuns && one < shared.runs.size(); ++one) {
    const PairPointer pair = sides_[one].pair();
    for (const bool column : {true, false}) {
      if (!pair) continue;
      const LineResult& of = column ? pair->column : pair->row;
      for (std::size_t i = 0; i < of.whole.size(); ++i) {
        run.push_back(shared.runs[one].name());
        line.emplace_back(column ? "column" : "row");
        at.push_back(of.at);
        entry.push_back(static_cast<double>(i));
        context.push_back(of.context[i]);
        target.push_back(of.target[i]);
        whole.push_back(of.whole[i]);
        byTokens.push_back(of.byTokens[i]);
        ofEngine.push_back(of.ofEngine[i]);
      }
    }
  }
  if (run.empty()) return;
  numbers.tables.push_back({"token_lines",
                            {{"run", "", std::move(run)},
                             {"line", "", std::move(line)},
                             {"at", "", std::move(at)},
                             {"entry", "", std::move(entry)},
                             {"as_context", "", std::move(context)},
                             {"as_target", "", std::move(target)},
                             {"all_tokens", "", std::move(whole)},
                             {"step_by_tokens", "", std::move(byTokens)},
                             {"step_backward", "", std::move(ofEngine)}}});
}

Numbers UpdatePage::exported(const RaceShared& shared) const {
  Numbers numbers = runNumbers(shared);
  std::vector<std::string> run, query, key;
  std::vector<double> i, j, beta;
  for (std::size_t one = 0; one < kRuns && one < shared.runs.size(); ++one) {
    const UpdatePointer& result = sides_[one].result();
    if (!result) continue;
    for (int row = 0; row < result->places(); ++row) {
      for (int column = 0; column < result->places(); ++column) {
        run.push_back(shared.runs[one].name());
        query.push_back(result->tokens[static_cast<std::size_t>(row)].word);
        key.push_back(result->tokens[static_cast<std::size_t>(column)].word);
        i.push_back(row);
        j.push_back(column);
        beta.push_back(result->beta(row, column));
      }
    }
  }
  addLineNumbers(numbers, shared);
  if (!run.empty())
    numbers.tables.push_back({"beta",
                              {{"run", "", std::move(run)},
                               {"i", "", std::move(i)},
                               {"j", "", std::move(j)},
                               {"query", "", std::move(query)},
                               {"key", "", std::move(key)},
                               {"beta", "", std::move(beta)}}});
  return numbers;
}

std::unique_ptr<RacePage> makeUpdatePage() {
  return std::make_unique<UpdatePage>();
}

// The properties and read-outs of the page Update.

namespace {

constexpr const char* kCorrelation = "\\mathrm{corr}(\\beta_{ij},\\,\\beta_{ji})";
constexpr const char* kProposition = "Attention-Structure, Proposition 2.2";
constexpr const char* kTheorem = "Attention-Structure, Theorem 2.4";

}  // namespace

// clang-format off
void UpdatePage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages("training.page", "experiments", {"update"});
  const Condition tokens = [](const Document& document) { return document.at("training.update.shows") == "token"; };
  declareParameters(registry, {.prefix = "training.update.", .applies = here}, {
      {.key = "text", .into = &UpdateChoice::text, .label = N_("Text"), .fallback = "",
       .help = N_("The sequence whose gradient is taken apart, in the tokens of the run's data. Empty: the first validation "
                  "sequence. Where the objective hides tokens, the run's seed chooses them.")},
      {.key = "i",
       .into = &UpdateChoice::i,
       .label = N_("Query"), .symbol = "i", .kind = Kind::Integer, .min = -1, .max = 1e6, .step = 1,
       .options = {{"-1", N_("strongest")}}, .fallback = -1.0,
       .help = N_("The position of the query in the selected pair, counted from 0. Strongest, or −1 in scripts: the "
                  "strongest pair of the first run.")},
      {.key = "j",
       .into = &UpdateChoice::j,
       .label = N_("Key"), .symbol = "j", .kind = Kind::Integer, .min = -1, .max = 1e6, .step = 1,
       .options = {{"-1", N_("strongest")}}, .fallback = -1.0,
       .help = N_("The position of the key in the selected pair, counted from 0. Strongest, or −1 in scripts: the "
                  "strongest pair of the first run.")},
      {.key = "shows", .into = &UpdateChoice::shows, .label = N_("Beside β"),
       .options = {{"pair", N_("term of the pair")}, {"token", N_("column and row of the token")}},
       .help = N_("The term that the pair adds to G, or what the token of its key adds to one column and one row of W_qk, "
                  "as context and as target, beside the step of W_qk itself."),
       .equation = kProposition},
      {.key = "column",
       .into = &UpdateChoice::column,
       .label = N_("Column"), .symbol = "k", .kind = Kind::Integer, .min = -1, .max = 1e6, .step = 1,
       .options = {{"-1", N_("strongest")}}, .fallback = -1.0,
       .help = N_("The column of W_qk, counted from 0. Strongest, or −1 in scripts: the one whose step is longest, in each "
                  "run."),
       .equation = kProposition, .errata = {"att-12"}, .applies = tokens},
      {.key = "row",
       .into = &UpdateChoice::row,
       .label = N_("Row"), .symbol = "m", .kind = Kind::Integer, .min = -1, .max = 1e6, .step = 1,
       .options = {{"-1", N_("strongest")}}, .fallback = -1.0,
       .help = N_("The row of W_qk, counted from 0. Strongest, or −1 in scripts: the one whose step is longest, in each run."),
       .equation = kProposition, .errata = {"att-12"}, .applies = tokens}});
  declareReadOutsOfRuns(registry);
}

void UpdatePage::declareReadOutsOfRuns(PropertyRegistry& registry) {
  const Condition here = onPages("training.page", "experiments", {"update"});
  const auto side = [this](int index) {
    return index >= 0 && static_cast<std::size_t>(index) < kRuns ? &sides_[index] : nullptr;
  };
  const Getters of([side](int index) { const UpdateSide* const one = side(index); return one ? one->result().get() : nullptr; });
  const Getters pair([side](int index) { const UpdateSide* const one = side(index); return one ? one->pair().get() : nullptr; });
  const Getters whole(side);
  declareReadOuts(registry, {.prefix = "training.runs[].update.", .applies = here}, {
      {.key = "step", .label = N_("Step of the update"),
       .help = N_("The saved step whose gradient is taken apart: the newest at or before the step that is shown."), .digits = 0,
       .get = of(&UpdateResult::step)},
      {.key = "head", .label = N_("Head of the update"),
       .help = N_("The head whose gradient is taken apart. Each head has its own β: while all heads are selected it is head 0."), .digits = 0,
       .get = of(&UpdateResult::head)},
      {.key = "loss", .label = N_("Loss of the sequence"), .unit = N_("nats"),
       .help = N_("The loss of this one sequence at these weights, without dropout."), .digits = 4, .get = of(&UpdateResult::loss)},
      {.key = "tokens", .label = N_("Tokens"), .help = N_("The number of tokens of the sequence."), .digits = 0,
       .get = of(&UpdateResult::places)},
      {.key = "predicted", .label = N_("Predicted positions"),
       .help = N_("The positions of the sequence whose prediction counts in the loss."), .digits = 0, .get = of(&UpdateResult::predicted)},
      {.key = "correlation", .label = N_("Correlation of β"),
       .help = N_("Pearson's correlation of β_ij and β_ji over the pairs of which both exist. A causal model has no such pairs."),
       .equation = kTheorem, .formula = kCorrelation, .errata = {"att-6"}, .digits = 3,
       .get = of([](const UpdateResult& result) { return result.symmetry.correlation; })},
      {.key = "score", .label = N_("Symmetry of β"),
       .help = N_("The symmetry score of β without its diagonal: 1 where β is symmetric, 0 in a causal model."),
       .equation = kTheorem, .formula = "\\frac{\\sum_{i\\ne j}\\beta_{ij}\\beta_{ji}}{\\sum_{i\\ne j}\\beta_{ij}^2}",
       .errata = {"att-6"}, .digits = 3, .get = of([](const UpdateResult& result) { return result.symmetry.score; })},
      {.key = "mirrored", .label = N_("In both orders"),
       .help = N_("The share of the terms β_ij, i ≠ j, that are not 0 and whose β_ji is not 0 either, however small. The "
                  "symmetry of β weighs them."),
       .equation = "Attention-Structure, (S111)", .errata = {"att-11"}, .digits = 4,
       .get = of([](const UpdateResult& result) { return result.mirrored.share(); }), .numberWords = shownShare},
      {.key = "mirrored_published", .label = N_("By (S111)"),
       .help = N_("The share that counting pairs of two masked tokens gives, with the masks of this sequence. It is that of the "
                  "last layer, where only the predicted positions have a gradient. None where nothing is masked."),
       .equation = "Attention-Structure, (S111)", .formula = "\\frac{pN-1}{N-1}", .errata = {"att-11"}, .digits = 4,
       .get = of([](const UpdateResult& result) { return result.paperShare; }), .numberWords = shownShare},
      {.key = "row_sum", .label = N_("Row sum of β"),
       .help = N_("The largest modulus of a row sum of β. Under softmax attention every row sums to 0."),
       .formula = "\\max_i|\\sum_j\\beta_{ij}|", .errata = {"att-6"},
       .get = of(&UpdateResult::rowSum), .numberWords = formatReading},
      {.key = "cosine", .label = N_("cos(update, G)"),
       .help = N_("The cosine of what plain gradient descent subtracts from W_qk, to first order, with G. It is 1 only where the "
                  "two are proportional. None with a rotary encoding."),
       .equation = "Attention-Structure, (S38)", .formula = "W_QW_Q^\\top G+GW_KW_K^\\top", .errata = {"att-7"}, .digits = 3,
       .get = of(&UpdateResult::cosine)},
      {.key = "step_difference", .label = N_("Step: sums minus engine"),
       .help = N_("What one step of gradient descent on W_Q and W_K adds to W_qk of the head, by the sums over tokens "
                  "and by the gradients of the backward pass: the norm of the difference over that of the step. This "
                  "is rounding error."),
       .equation = "Attention-Structure, Proposition 2.2, Remark A.6",
       .formula = "W_Q\\,(\\partial L/\\partial W_K)^\\top+(\\partial L/\\partial W_Q)\\,W_K^\\top-\\eta\\,(\\partial L/\\partial W_Q)(\\partial L/\\partial W_K)^\\top",
       .errata = {"att-7"}, .get = of([](const UpdateResult& result) { return result.change.difference; }),
       .numberWords = formatReading},
      {.key = "step_biases", .label = N_("Step: part of the biases"),
       .help = N_("The norm of what the biases of queries and keys add to that step, over the norm of the step. The paper "
                  "has no biases. Under softmax attention that of the keys adds nothing, since every row of "
                  "β sums to 0."),
       .equation = "Attention-Structure, Remark A.6", .digits = 4,
       .get = of([](const UpdateResult& result) { return result.change.biases; }), .numberWords = shownShare},
      {.key = "gradient", .label = N_("Symmetry of G"), .help = N_("The symmetry score of the gradient of W_qk of the head."),
       .equation = kTheorem, .formula = "G=\\sum_{ij}\\beta_{ij}x_ix_j^\\top", .errata = {"att-6"}, .digits = 3,
       .get = of(&UpdateResult::gradient)},
      {.key = "own", .label = N_("Part of own terms"),
       .help = N_("The symmetry score of the part of G that a token has with itself. It is symmetric whatever β is: 1."),
       .equation = kTheorem, .formula = "\\sum_i\\beta_{ii}x_ix_i^\\top", .errata = {"att-6"}, .digits = 3,
       .get = of(&UpdateResult::own)},
      {.key = "both", .label = N_("Part in both orders"),
       .help = N_("The symmetry score of the part of G whose terms come in both orders: the more similar β_ij and "
                  "β_ji are, the higher. A causal model has no such part."),
       .equation = kTheorem, .errata = {"att-6"}, .digits = 3, .get = of(&UpdateResult::both)},
      {.key = "single", .label = N_("Part in one order"),
       .help = N_("The symmetry score of the part of G whose terms come in one order only: the closer the tokens' "
                  "vectors are to parallel, the higher."),
       .equation = kTheorem, .errata = {"att-6"}, .digits = 3, .get = of(&UpdateResult::single)},
      {.key = "failure", .label = N_("Why there is no update"),
       .help = N_("Why the update of the run cannot be taken apart; empty: it can."),
       .get = whole([](const UpdateSide& one) { return one.sentence(); })}});
  declareReadOuts(registry, {.prefix = "training.runs[].update.pair.", .applies = here,
                             .equation = "Attention-Structure, (20)"}, {
      {.key = "i", .label = N_("Query of the pair"), .help = N_("The position of the query, counted from 0."), .digits = 0,
       .get = pair([](const PairResult& result) { return result.pair.i; })},
      {.key = "j", .label = N_("Key of the pair"), .help = N_("The position of the key, counted from 0."), .digits = 0,
       .get = pair([](const PairResult& result) { return result.pair.j; })},
      {.key = "beta_ij", .label = N_("Pair"), .symbol = "β_ij",
       .help = N_("The derivative of the loss with respect to the raw score of the query i and the key j. The printed β is minus this."),
       .errata = {"att-6"}, .get = pair([](const PairResult& result) { return result.pair.beta_ij; }), .numberWords = formatReading},
      {.key = "beta_ji", .label = N_("Pair"), .symbol = "β_ji",
       .help = N_("The same with j as the query and i as the key."), .errata = {"att-6"},
       .get = pair([](const PairResult& result) { return result.pair.beta_ji; }), .numberWords = formatReading},
      {.key = "norm", .label = N_("Norm of the pair's term"), .help = N_("The Frobenius norm of both terms of the pair."),
       .formula = "|\\beta_{ij}x_ix_j^\\top+\\beta_{ji}x_jx_i^\\top|", .errata = {"att-12"},
       .get = pair([](const PairResult& result) { return result.pair.norm; }), .numberWords = formatReading},
      {.key = "symmetry", .label = N_("Pair"), .symbol = "s",
       .help = N_("The symmetry of both terms of the pair: 1 where β_ij = β_ji."),
       .formula = "\\beta_{ij}x_ix_j^\\top+\\beta_{ji}x_jx_i^\\top", .errata = {"att-12"}, .digits = 3,
       .get = pair([](const PairResult& result) { return result.pair.symmetry; })}});
  declareTokens(registry);
}

/// Declares how often the token of the chosen key is context and target.
void UpdatePage::declareTokens(PropertyRegistry& registry) {
  const Condition here = onPages("training.page", "experiments", {"update"});
  const Getters of([this](int index) -> const TokenResult* {
    const PairResult* const pair = index >= 0 && static_cast<std::size_t>(index) < kRuns ? sides_[index].pair().get() : nullptr;
    return pair ? &pair->token : nullptr;
  });
  declareReadOuts(registry, {.prefix = "training.runs[].update.token.", .applies = here}, {
      {.key = "word", .label = N_("Key token"),
       .help = N_("The token at the key of the pair. The numbers below count all its positions in the sequence, masked or not."),
       .get = of(&TokenResult::word)},
      {.key = "context", .label = N_("As context"),
       .help = N_("The terms β_ij, i ≠ j, that are not 0 and have the token as key j: how often it is context."),
       .equation = "Attention-Structure, (13), (14)", .errata = {"att-6"}, .digits = 0, .get = of(&TokenResult::context)},
      {.key = "target", .label = N_("As target"),
       .help = N_("The terms β_ij, i ≠ j, that are not 0 and have the token as query i: how often the model predicts "
                  "from it. The last position of a causal model predicts nothing."),
       .equation = "Attention-Structure, (15), (16)", .errata = {"att-6", "att-12"}, .digits = 0, .get = of(&TokenResult::target)},
      {.key = "ratio", .label = N_("Ratio, counted"), .help = N_("The ratio of both counts of this sequence. None "
           "where the token is not a target."), .digits = 4, .get = of(&TokenResult::ratio)},
      {.key = "exact", .label = N_("Ratio, exact"),
       .help = N_("The ratio that Proposition A.9 gives, with the token's frequency at every position of 512 training "
                  "sequences: (N − mu)/(mu − 1) with its mean position mu in a causal model, 1 in a bidirectional "
                  "one."),
       .equation = "Attention-Structure, Proposition A.9", .formula = "\\frac{\\mu_c}{\\mu_p}=\\frac{N-\\mu}{\\mu-1}",
       .errata = {"att-10"}, .digits = 4, .get = of(&TokenResult::exactRatio)},
      {.key = "context_norm", .label = N_("Update as context"),
       .help = N_("The Frobenius norm of what the token's positions add to G as keys."),
       .equation = "Attention-Structure, (13), (14)", .errata = {"att-6"}, .get = of(&TokenResult::contextNorm),
       .numberWords = formatReading},
      {.key = "target_norm", .label = N_("Update as target"),
       .help = N_("The Frobenius norm of what the token's positions add to G as queries."),
       .equation = "Attention-Structure, (15), (16)", .errata = {"att-6", "att-12"}, .get = of(&TokenResult::targetNorm),
       .numberWords = formatReading}});
}
// clang-format on

}  // namespace sepx::ui
