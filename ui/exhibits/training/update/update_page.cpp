// SPDX-License-Identifier: Apache-2.0
// See update_page.h: what the page follows, its input, panel, numbers and words.
#include "ui/exhibits/training/update/update_page.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

constexpr double kRowsANotch = 3;

}  // namespace

void UpdatePage::read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) {
  TimedPage::read(document, registry, shared);
  registry.read(document, choice_);
}

void UpdatePage::updateContent(const RaceFrame& frame, ExhibitContext& context) {
  bool news = false;
  for (std::size_t i = 0; i < kRuns; ++i) {
    const RacingRun* const racing = i < frame.shared.runs.size() ? &frame.shared.runs[i] : nullptr;
    news = sides_[i].update(racing, frame.shared, choice_, context) || news;
  }
  i_ = choice_.i;
  j_ = choice_.j;
  for (std::size_t i = 0; i < kRuns && (i_ < 0 || j_ < 0); ++i) {
    const UpdatePointer& view = sides_[i].view();
    if (!view || view->strongest.empty()) continue;
    i_ = view->strongest.front().i;
    j_ = view->strongest.front().j;
  }
  for (UpdateSide& side : sides_)
    news = side.updatePair(i_, j_, context) || news;
  if (news) ++changes_;
}

void UpdatePage::choose(ExhibitContext& context, int i, int j) const {
  context.editor.commit(context.editor.document().with("training.update.i", i).with("training.update.j", j),
                        tr("choose a pair"), {});
}

std::optional<UpdatePage::Cell> UpdatePage::betaAt(const RaceFrame& frame, render::Point page) const {
  const std::vector<Row> rows = rowsOf(frame);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const UpdatePointer& view = sides_[row].view();
    if (!view || !rows[row].beta.contains(page)) continue;
    if (const auto at = wholeMatrix(rows[row].beta, view->places(), view->places()).cellAt(page)) return Cell{row, *at};
  }
  return std::nullopt;
}

TableView::Look UpdatePage::lookOf(const RaceFrame& frame, const Row& place) const {
  return {&frame.theme, place.table, std::nullopt, std::nullopt, frame.figure};
}

Cursor UpdatePage::inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (!frame.pointer) return Cursor::Arrow;
  const std::optional<Cell> cell = betaAt(frame, *frame.pointer);
  const auto* const press = std::get_if<PointerPressed>(&event);
  const bool chosen = press && press->down && press->button == Button::Left;
  if (cell && chosen) choose(context, cell->at.row, cell->at.column);
  const std::vector<Row> rows = rowsOf(frame);
  bool over = cell.has_value();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!sides_[i].view() || !rows[i].table.contains(*frame.pointer)) continue;
    const TableView table = tableOf(frame, i);
    const TableView::Look look = lookOf(frame, rows[i]);
    if (const auto* wheel = std::get_if<Scrolled>(&event))
      scroll_[i] = std::clamp(scroll_[i] - wheel->dy * kRowsANotch * TableView::rowHeight(frame.theme), 0.0,
                              table.mostScroll(look));
    const std::optional<std::size_t> row = table.rowAt(look, scroll_[i], *frame.pointer);
    over = over || row;
    if (row && chosen) choose(context, sides_[i].view()->strongest[*row].i, sides_[i].view()->strongest[*row].j);
  }
  return over ? Cursor::Hand : Cursor::Arrow;
}

void UpdatePage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("Sequence"), "training.", {"update.text", "layer", "head"});
  panel.group(tr("Pair"), "training.update.", {"i", "j"});
  for (std::size_t i = 0; i < kRuns && i < frame.shared.runs.size(); ++i) {
    panel.heading(frame.shared.runs[i].name());
    const std::string prefix = "training.runs[" + std::to_string(i) + "].update.";
    panel.rows(prefix, {"correlation", "score", "mirrored", "mirrored_published", "row_sum", "cosine", "gradient",
                        "pair.beta_ij", "pair.beta_ji", "pair.symmetry", "token.word", "token.context", "token.target",
                        "token.ratio", "token.exact"});
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
  if (frame.shared.state.head < 0)
    panel.sentence(tr("Each head has its own β. While all heads are selected, head 0 is shown."));
}

std::vector<std::pair<std::string, std::string>> UpdatePage::gestures() const {
  return {{tr("click an entry of β, or a pair of the table"), tr("show the term of this pair")},
          {tr("hover over β"), tr("the two tokens and both β")}};
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

Numbers UpdatePage::numbers(const RaceShared& shared) const {
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
