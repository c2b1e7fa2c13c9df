// SPDX-License-Identifier: Apache-2.0
// See update_page.h: what the page follows, its panel, numbers and words.
#include "ui/exhibits/training/update/update_page.h"

#include <algorithm>
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
  if (probe_.pending()) return;  // it ends first: a slider moves faster than probes are made
  std::string missing;
  std::optional<ModelRequest> model =
      modelRequest(*racing, shared, {}, data_, probe_.requested() ? &probe_.requested()->model : nullptr, missing);
  if (!model) return probe_.clear(std::move(missing));
  // A probe has one head: each head has its own beta.
  probe_.ask(context.jobs, {std::move(*model), shared.state.layer, std::max(0, shared.state.head), choice.text},
             tr("taking the update apart"), [](const UpdateRequest& request, auto&) { return makeUpdate(request); });
}

void UpdateSide::updatePair(int i, int j, const UpdateChoice& choice, ExhibitContext& context) {
  if (!view()) return pair_.clear();
  if (!view()->isForm)
    return pair_.clear(
        tr("With a rotary encoding a score depends on i − j besides W_qk. There is no one matrix of which G is the "
           "gradient, and no pair term."));
  if (i < 0 || j < 0) return pair_.clear(tr("No pair is there."));
  if (i >= view()->places() || j >= view()->places())
    return pair_.clear(
        trFormat("The pair ({}, {}) is not there: the sequence has positions 0 to {}.", i, j, view()->places() - 1));
  pair_.ask(context.jobs, {view(), i, j, choice.column, choice.row}, "",
            [](const PairRequest& request, auto&) { return Result<PairPointer>(makePair(request)); });
}

PairPointer UpdateSide::pair() const {
  return pair_.value() && pair_.value()->of == view() ? pair_.value() : nullptr;
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
    const UpdatePointer& view = sides_[i].view();
    if (!view || view->strongest.empty()) continue;
    i_ = view->strongest.front().i;
    j_ = view->strongest.front().j;
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
      "slider. β_ij is the derivative of the loss by "
      "the raw score of query i and key j, and G = Σ β_ij x_i x_j^T is exactly the gradient of W_qk of the head, for "
      "softmax and linear attention without a rotary encoding. The β of the paper is minus the gradient."));
  panel.sentence(tr(
      "A causal model has β_ij = 0 for j > i, so that no term comes in both orders. In an encoder all terms do, but "
      "for the last layer: there only predicted positions have a gradient, and the share is that of (S111). The share "
      "counts every term that is not exactly 0. The symmetry of β weighs them: it is near 0 where one of the two "
      "is much larger than the other. An encoder predicts the tokens in brackets."));
  if (showsToken())
    panel.sentence(tr(
        "Proposition 2.2: as context a token adds to every column of G the same sum of the vectors of its queries, times "
        "its own entry k, and to every row its own vector; as a target it is the other way round. Descent moves W_qk "
        "through W_Q and W_K, so that a column of its step is a mixture of columns of G: the line is made of the sums "
        "over all tokens, the rings are made of the gradients of the backward pass, which knows no β. Both are drawn "
        "with the length of the column of G. The paper leaves out biases; what they add is said."));
  if (frame.shared.state.head < 0)
    panel.sentence(tr("Each head has its own β. While all heads are selected, head 0 is shown."));
}

std::string UpdatePage::caption(const RaceShared& shared) const {
  for (std::size_t i = 0; i < kRuns && i < shared.runs.size(); ++i) {
    const UpdatePointer& view = sides_[i].view();
    if (!view) continue;
    return trFormat(
        "{}: the gradient of one sequence at step {}, layer {}, head {}, taken apart. G = Σ β_ij x_i x_j^T; the "
        "printed β is minus the gradient.",
        tr(shared.experiment->title), stepText(view->step), view->layer, view->head);
  }
  return raceCaption(shared);
}

/// Column and row of every run, an entry a row of the table.
void UpdatePage::addLineNumbers(Numbers& numbers, const RaceShared& shared) const {
  std::vector<std::string> run, line;
  std::vector<double> at, entry, context, target, whole, byTokens, ofEngine;
  for (std::size_t one = 0; one < kRuns && one < shared.runs.size(); ++one) {
    const PairPointer pair = sides_[one].pair();
    for (const bool column : {true, false}) {
      if (!pair) continue;
      const LineView& of = column ? pair->column : pair->row;
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
    const UpdatePointer& view = sides_[one].view();
    if (!view) continue;
    for (int row = 0; row < view->places(); ++row) {
      for (int column = 0; column < view->places(); ++column) {
        run.push_back(shared.runs[one].name());
        query.push_back(view->tokens[static_cast<std::size_t>(row)].word);
        key.push_back(view->tokens[static_cast<std::size_t>(column)].word);
        i.push_back(row);
        j.push_back(column);
        beta.push_back(view->beta(row, column));
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

}  // namespace sepx::ui
