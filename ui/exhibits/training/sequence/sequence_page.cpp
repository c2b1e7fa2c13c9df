// SPDX-License-Identifier: Apache-2.0
// See sequence_page.h: updates, input, panel, exported numbers and views of the page.
#include "ui/exhibits/training/sequence/sequence_page.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/number.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"
#include "ui/views/left_out.h"

namespace sepx::ui {

std::vector<int> SequencePage::placesOf(const std::string& text) {
  std::vector<int> places;
  std::string part;
  for (const char c : text + ",") {
    if (c >= '0' && c <= '9') {
      part += c;
    } else if (!part.empty()) {
      if (const auto number = parseNumber(part); number && *number < 1e6) places.push_back(static_cast<int>(*number));
      part.clear();
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

SequencePage::SequencePage()
    : RacePage({"sequence", N_("Sentence"), "training.sequence."}, {.watches = true}),
      core_({.exhibit = "training.", .page = "sequence", .files = false, .placeIsPredicted = true, .hides = true},
            results_) {
  for (std::size_t i = 0; i < kMostRuns; ++i)
    sides_.push_back(std::make_unique<SequenceSide>(results_, i));
}

void SequencePage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  registry.read(document, *this);
  core_.read(document, registry);
  text_ = core_.state().text;
  hidden_ = core_.state().hidden;
  place_ = core_.state().place;
}

bool SequencePage::complete() const {
  return std::all_of(sides_.begin(), sides_.end(), [](const auto& side) { return side->complete(); }) &&
         (look_ == SequenceMode::Runs || (model_.complete() && second_.complete() && core_.complete()));
}

void SequencePage::ask(const RaceFrame& frame, ExhibitContext& context) {
  if (frame.shared.requestModel) frame.shared.requestModel();
  for (std::size_t i = 0; i < kMostRuns; ++i)
    sides_[i]->update(i < frame.shared.runs.size() ? &frame.shared.runs[i] : nullptr, frame.shared, text_, hidden_,
                      context);
  if (look_ == SequenceMode::Sentence) askForModels(frame, context);
}

Changes SequencePage::toggled(int place) const {
  std::vector<int> hidden = hidden_;
  if (const auto at = std::find(hidden.begin(), hidden.end(), place); at != hidden.end())
    hidden.erase(at);
  else
    hidden.insert(std::upper_bound(hidden.begin(), hidden.end(), place), place);
  return {{"training.sequence.hidden", fmt::format("{}", fmt::join(hidden, ", "))}};
}

std::vector<RacePage::Command> SequencePage::commands(const RaceShared& shared, const Document& document) {
  std::vector<Command> all = RacePage::commands(shared, document);
  const char* const menu = tr("Exhibit");
  if (look_ == SequenceMode::Sentence && refused().empty()) {
    for (ExhibitCommand& one : core_.commands())
      all.push_back({one.key, one.label, one.shortcut, one.menu, one.enabled, std::move(one.act)});
  }
  all.push_back({"training.sequence-hide", tr("Hide or show the selected position"), "H", menu, place_ >= 0,
                 [this](ExhibitContext& context) {
                   if (place_ >= 0) ui::apply(context.editor, toggled(place_));
                 }});
  all.push_back(
      {"training.sequence-show-all", tr("Show all positions"), "", menu, !hidden_.empty(),
       [](ExhibitContext& context) { setAsStep(context.editor, "training.sequence.hidden", std::string()); }});
  return all;
}

void SequencePage::panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Runs"), "training.sequence.", {"show", "beside"});
  panel.rows("training.", {"run", "compare.step", "compare.run"});
  if (look_ == SequenceMode::Sentence)
    return core_.panel(context, panel, [&](const std::string& command) { run(frame, context, command); });
  panel.group(tr("Sequence"), "training.sequence.", {"text", "hidden"});
  if (panel.button(tr("Show all"), "training.sequence.show-all", !hidden_.empty()))
    setAsStep(context.editor, "training.sequence.hidden", std::string());
  panel.rows("training.", {"sequence.place", "sequence.top", "layer", "head"});
  for (std::size_t i = 0; i < shown(frame.shared); ++i) {
    panel.heading(frame.shared.runs[i].name());
    const std::string prefix = "training.runs[" + std::to_string(i) + "].sequence.";
    panel.rows(prefix,
               {"step", "loss", "right", "predicted", "place.best", "place.share", "place.truth", "place.rank"});
  }
  panel.heading(tr("What is shown"));
  panel.sentence(tr(
      "Each run reads the sequence with its own vocabulary, at the slider's step: the live run, or the newest "
      "checkpoint at or before it. Rows of attention are queries, columns keys. A row of the table is a position: its "
      "token, the probability that the model gives this token, and the words that are most likely; the true one has a "
      "frame."));
  panel.sentence(tr(
      "A decoder predicts each token from those before it. An encoder predicts hidden tokens: click a token, or type "
      "[MASK], which has no true token. If you hide no token, each position is hidden in turn, and the attention is "
      "that of the whole sequence."));
}

std::string SequencePage::caption(const RaceShared& shared) const {
  if (look_ == SequenceMode::Sentence) return core_.caption(sourceOf(shared).title);
  for (std::size_t i = 0; i < shown(shared); ++i) {
    const SequencePointer& result = sides_[i]->result();
    if (!result) continue;
    return trFormat("{}: attention of layer {} for one sequence at step {}, and the words predicted for its positions.",
                    tr(shared.experiment->title), result->layer, stepText(result->step));
  }
  return raceCaption(shared);
}

Numbers SequencePage::exported(const RaceShared& shared) const {
  Numbers numbers = runNumbers(shared);
  if (look_ == SequenceMode::Sentence && refused().empty()) {
    Numbers own = core_.numbers();
    std::ranges::move(own.tables, std::back_inserter(numbers.tables));
    std::ranges::move(own.grids, std::back_inserter(numbers.grids));
    return numbers;
  }
  std::vector<std::string> run, token, word;
  std::vector<double> place, rank, share;
  for (std::size_t i = 0; i < shown(shared); ++i) {
    const SequencePointer& result = sides_[i]->result();
    if (!result) continue;
    for (std::size_t n = 0; n < result->places.size(); ++n) {
      const auto& prediction = result->places[n].prediction;
      for (std::size_t k = 0; prediction && k < prediction->best.size() && k < static_cast<std::size_t>(top_); ++k) {
        run.push_back(shared.runs[i].name());
        place.push_back(static_cast<double>(n));
        token.push_back(result->places[n].word);
        rank.push_back(static_cast<double>(k + 1));
        word.push_back(prediction->best[k].first);
        share.push_back(prediction->best[k].second);
      }
    }
    const auto side = static_cast<std::size_t>(result->tokens);
    for (std::size_t head = 0; head < result->attention.size(); ++head)
      numbers.grids.push_back({"attention" + std::to_string(i) + "_head" + std::to_string(head),
                               {side, side},
                               std::vector<double>(result->attention[head]->begin(), result->attention[head]->end())});
  }
  if (!run.empty())
    numbers.tables.push_back({"predictions",
                              {{"run", "", std::move(run)},
                               {"place", "", std::move(place)},
                               {"token", "", std::move(token)},
                               {"rank", "", std::move(rank)},
                               {"word", "", std::move(word)},
                               {"share", "", std::move(share)}}});
  return numbers;
}

std::unique_ptr<RacePage> makeSequencePage() {
  return std::make_unique<SequencePage>();
}

// The look with all runs side by side: one column per run, with the attention above and the predictions below.

namespace {

constexpr double kGap = 14, kBar = 8;  // points; kBar: width of the scroll bar
constexpr double kUpperShare = 0.52;   // of the height, for attention
constexpr double kLeastTable = 18;     // multiples of the small type size: least height of a page with a table
// Multiples of the small type size: widths of the columns for position, token, probability, a word and its share.
constexpr double kPlace = 2.5, kToken = 5, kTruth = 7.1, kWord = 2.5, kShare = 3.4;
constexpr double kChipPad = 3;  // points, beside a word and its share
constexpr double kNarrow = 24, kNarrowToken = 3, kNarrowTruth = 6;
constexpr double kSwatchRoom = 50;            // points, beside the name of a run
constexpr double kTitle = 1.7, kBelow = 1.5;  // multiples of the small type size: heights of lines

MatrixScale scaleOf(const SequenceResult& result) {
  return result.linear ? MatrixScale{ScaleKind::Diverging, {-result.limit, result.limit}}
                       : MatrixScale{ScaleKind::Sequential, {0, result.limit}};
}

std::string percent(double share) {
  if (share < 0.0005) return "< 0.1 %";
  return share >= 0.0995 ? fmt::format("{:.0f} %", 100 * share) : shownShare(share);
}

/// "3: the", and whether the model reads [MASK] there.
std::string placeWords(const SequenceResult& result, int place) {
  const SequencePlace& at = result.places[static_cast<std::size_t>(place)];
  return at.hidden ? trFormat("{}: {}, read as [MASK]", place, at.word) : fmt::format("{}: {}", place, at.word);
}

Changes choose(int place) {
  return {{"training.sequence.place", static_cast<double>(place)}};
}

std::string ofRun(const char* name, std::size_t run) {
  return name + std::to_string(run);
}

}  // namespace

MatrixContent SequencePage::attention(const SequencePointer& result, int head) const {
  MatrixContent made;
  if (head >= result->heads) {
    made.missing = trFormat("There is no head {}: the model has heads 0 to {}.", head, result->heads - 1);
    return made;
  }
  made.rows = made.columns = result->tokens;
  made.values = result->attention[static_cast<std::size_t>(head)];
  made.scale = scaleOf(*result);
  made.notes = {{{trFormat("head {}", head)}, NoteLine::Role::Muted}};
  const int row = result->masks ? place_ : place_ - 1;  // the query that predicts the place
  if (row >= 0 && row < result->tokens) made.chosenRow = row;
  for (int i = 0; i < result->tokens; ++i) {
    const SequencePlace& at = result->places[static_cast<std::size_t>(i)];
    made.rowTexts.push_back(at.hidden ? "[MASK]" : at.word);
  }
  made.tip = [result, values = made.values](MatrixCell cell) {
    const auto weight =
        static_cast<double>((*values)[static_cast<std::size_t>(cell.row * result->tokens + cell.column)]);
    return std::vector<std::string>{trFormat("weight {}", entryText(weight)),
                                    trFormat("query {}", placeWords(*result, cell.row)),
                                    trFormat("key {}", placeWords(*result, cell.column))};
  };
  made.pick = [masks = result->masks](MatrixCell cell) { return choose(masks ? cell.row : cell.row + 1); };
  return made;
}

TableContent SequencePage::predictions(const RaceFrame& frame, const SequencePointer& result) const {
  using Role = NoteLine::Role;
  const double small = frame.theme.smallSize;
  const auto runs = static_cast<double>(shown(frame.shared));
  const double all = frame.area.width() - 3 * frame.theme.space - 1.5 * kGap * (runs - 1);
  const double width = (all / runs - kBar) / small;  // multiples of the small type size
  const double token = width < kNarrow ? kNarrowToken : kToken, truth = width < kNarrow ? kNarrowTruth : kTruth;
  const double room = std::max(0.0, width - kPlace - token - truth);
  const auto words = static_cast<std::size_t>(std::min<double>(top_, room / (kWord + kShare)));
  TableContent table;
  table.columns = {{"", kPlace, true}, {tr("token"), token}, {tr("probability"), truth, true}};
  const std::string title = !result->masks       ? tr("most likely after the previous tokens")
                            : result->eachInTurn ? tr("most likely when masked, one at a time")
                                                 : tr("most likely at masked positions");
  for (std::size_t k = 0; k < words; ++k) {
    table.columns.push_back({.title = k == 0 ? title : std::string(), .share = kWord, .pad = kChipPad});
    table.columns.push_back({.title = "", .share = kShare, .right = true, .pad = kChipPad});
    table.bars.push_back({.column = 3 + 2 * k, .color = faded(frame.theme.accent, 0.28f), .behind = 2});
  }
  table.columns.push_back({"", room - static_cast<double>(words) * (kWord + kShare) + 0.01});
  const auto places = static_cast<int>(result->places.size());
  for (int place = 0; place < places; ++place) {
    const SequencePlace& at = result->places[static_cast<std::size_t>(place)];
    const bool end = place >= result->tokens;
    std::vector<std::string>& cells = table.cells.emplace_back();
    std::vector<Role>& roles = table.roles.emplace_back();
    const auto add = [&](std::string text, Role role) {
      cells.push_back(std::move(text));
      roles.push_back(role);
    };
    add(end ? "→" : std::to_string(place), Role::Muted);
    const std::string word = end ? tr("next") : at.hidden && at.word != "[MASK]" ? "[" + at.word + "]" : at.word;
    add(word, at.hidden ? Role::Accent : end ? Role::Muted : Role::Normal);
    const int rank = at.prediction ? at.prediction->rank : 0;
    add(rank == 0   ? ""
        : rank == 1 ? percent(at.prediction->truth)
                    : fmt::format("{} #{}", percent(at.prediction->truth), rank),
        rank == 1 ? Role::Normal : Role::Muted);
    for (std::size_t k = 0; k < words; ++k) {
      const bool there = at.prediction && k < at.prediction->best.size();
      table.bars[k].lengths.push_back(there ? at.prediction->best[k].second : std::nan(""));
      table.bars[k].framed.push_back(there && rank == static_cast<int>(k) + 1);
      add(there ? at.prediction->best[k].first : "", Role::Normal);
      add(there ? percent(at.prediction->best[k].second) : "", Role::Muted);
    }
    add("", Role::Normal);
  }
  if (place_ >= 0 && place_ < places) table.chosen = static_cast<std::size_t>(place_);
  table.scrollsWith = "places";
  table.pickCell = [this, tokens = result->tokens](std::size_t row, std::size_t column) {
    const int place = static_cast<int>(row);
    return column < 2 && place < tokens ? toggled(place) : choose(place);
  };
  return table;
}

Arrangement SequencePage::addRun(Views& into, const RaceFrame& frame, std::size_t run) const {
  const double small = frame.theme.smallSize;
  const SequencePointer& result = sides_[run]->result();
  const LegendEntry name{frame.shared.runs[run].name(), runLook(frame.theme, run)};
  if (!result) {
    const std::string& why = sides_[run]->sentence();
    into.views.push_back(
        {ofRun("missing", run),
         MatrixContent{.head = name, .missing = why.empty() ? tr("The sequence is being read…") : why, .longest = 0}});
    return viewNamed(ofRun("missing", run));
  }
  NoteLine facts{{trFormat("step {}, {}, layer {}", stepText(result->step), wordsOf(result->source), result->layer)},
                 NoteLine::Role::Muted};
  if (result->predicted() > 0)
    facts.parts.push_back(
        trFormat("{} of {} correct, loss {}", result->right(), result->predicted(), shownFixed(result->loss(), 3)));
  into.views.push_back({ofRun("name", run), LegendContent{{name}}});
  into.views.push_back({ofRun("facts", run), TextContent{.lines = {facts}, .oneLine = true}});
  Arrangement title{.kind = Arrangement::Kind::Row,
                    .parts = {viewNamed(ofRun("name", run)), viewNamed(ofRun("facts", run))},
                    .length = kTitle * small};
  title.parts.front().length = textWidth(name.name, small) + kSwatchRoom;
  title.parts.front().mostShare = 0.5;
  Arrangement column{.kind = Arrangement::Kind::Column, .parts = {std::move(title)}, .gap = 0.4 * small};
  if (!result->note.empty() && !frame.compact) {
    into.views.push_back({ofRun("note", run), TextContent{.lines = {{{result->note}, NoteLine::Role::Error}}}});
    column.parts.push_back(asHighAsContent(ofRun("note", run)));
  }
  const bool table = !frame.compact && frame.area.height() > kLeastTable * small;
  Arrangement heads{.kind = Arrangement::Kind::Grid,
                    .perRow = 0,
                    .gap = kGap,
                    .mostShare = table ? kUpperShare : 1,
                    .words = kBelow * small,
                    .natural = true};
  const int chosen = frame.state().head;
  for (int head = 0; head < result->heads; ++head) {
    if (chosen >= 0 && head > 0) break;
    const std::string part = ofRun("run", run) + ofRun(".head", static_cast<std::size_t>(head));
    into.views.push_back({part, attention(result, chosen >= 0 ? chosen : head), nothingExported});
    heads.parts.push_back(viewNamed(part));
  }
  column.parts.push_back(std::move(heads));
  if (table) {
    into.views.push_back({ofRun("predictions", run), predictions(frame, result)});
    column.parts.push_back(viewNamed(ofRun("predictions", run)));
  } else if (!frame.figure) {
    column.parts.push_back(leftOut(tr("the predictions")));
  }
  return column;
}

Views SequencePage::runViews(const RaceFrame& frame) const {
  const RaceShared& shared = frame.shared;
  Views made{{}, {.kind = Arrangement::Kind::Row, .gap = 1.5 * kGap, .margin = 1.5 * frame.theme.space}};
  for (std::size_t run = 0; run < shown(shared); ++run)
    made.arrangement.parts.push_back(addRun(made, frame, run));
  if (frame.figure || frame.compact) return made;
  made.views.push_back({"actions", ChoicesContent{.groups = {lookChoice()}}});
  Arrangement column{.kind = Arrangement::Kind::Column,
                     .parts = {asHighAsContent("actions")},
                     .gap = 0.4 * frame.theme.smallSize,
                     .margin = frame.theme.space};
  made.arrangement.margin = 0.5 * frame.theme.space;
  if (const std::string why = look_ == SequenceMode::Sentence ? refused() : std::string(); !why.empty()) {
    made.views.push_back({"refused", TextContent{.lines = {{{why}, NoteLine::Role::Muted}}, .oneLine = true}});
    column.parts.push_back(asHighAsContent("refused"));
  }
  column.parts.push_back(std::move(made.arrangement));
  made.arrangement = std::move(column);
  return made;
}

Views SequencePage::views(const RaceFrame& frame) const {
  if (std::string text = noRunsSentence(frame.shared); !text.empty()) return sentenceAlone(std::move(text));
  if (look_ == SequenceMode::Sentence && refused().empty()) return sentenceViews(frame);
  return runViews(frame);
}

}  // namespace sepx::ui
