// SPDX-License-Identifier: Apache-2.0
// Where the parts of the page Sentence stand: text and tokens on top, heads with the chosen pattern and the predictions
// below them, and at the bottom what the chosen score is made of. A small pane has tokens, pattern and predictions.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/model_name.h"
#include "ui/exhibits/weights/sentence/sentence_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

using PartKind = Arrangement::Kind;

constexpr double kRoomy = 58, kPairs = 84, kWideSentence = 118;  // of the small type, widths
constexpr double kTallSentence = 46, kVeryTall = 72;             // likewise, heights
constexpr double kTitleLine = 1.6;                               // of the small type
constexpr double kScoreHeight = 17, kWideScoreHeight = 21;       // of the small type

/// The views of one frame, added part by part.
class SentenceBoard {
 public:
  SentenceBoard(const SentenceShown& shown, const std::vector<FieldRow>& fields)
      : shown_(shown), fields_(fields), small_(shown.theme().smallSize) {}

  Views make();

 private:
  Arrangement add(std::string name, decltype(View::content) content, bool natural = false) {
    made_.views.push_back({name, std::move(content), nothingExported});
    return natural ? asHighAsContent(std::move(name)) : viewNamed(std::move(name));
  }
  /// A line of words above a part.
  Arrangement titled(const std::string& name, std::string words, Arrangement part) {
    TextContent text{.lines = {{{std::move(words)}}}, .oneLine = true};
    Arrangement title = add(name + ".title", std::move(text));
    title.length = kTitleLine * small_;
    return {.kind = PartKind::Column, .parts = {std::move(title), std::move(part)}, .weight = 1};
  }
  Arrangement tokens(double width);
  Arrangement actions();
  Arrangement upper();
  Arrangement predictions();
  Arrangement depth();
  Arrangement score();

  const SentenceShown& shown_;
  const std::vector<FieldRow>& fields_;
  const double small_;
  Views made_;
};

}  // namespace

const std::vector<HeadPattern>& SentenceShown::heads() const {
  const ChangedPass* const changed = results.changed();
  return changed ? changed->heads : pass().heads;
}

const HeadPattern* SentenceShown::head() const {
  if (!results.pass() || !results.head()) return nullptr;
  const ChangedPass* const changed = results.changed();
  return changed ? changed->find(results.head()->layer, results.head()->head) : results.head();
}

std::string SentenceShown::changedName() const {
  if (!results.changed()) return {};
  return state.second.empty() ? std::string(tr("changed model")) : modelName(state.second, frame.shared.assets);
}

const std::vector<PlacePredictions>& SentenceShown::places() const {
  const ChangedPass* const changed = results.changed();
  return changed ? changed->places : pass().places;
}

namespace {

Arrangement SentenceBoard::tokens(double width) {
  Arrangement row = add("tokens", tokensRow(shown_));
  row.length = heightOfTokens(*shown_.results.tokens(), width, shown_.theme());
  return row;
}

/// What the button takes out, as the parameters Change and Where say it.
std::string takeOutWords(const SentenceState& state) {
  const bool one = state.where == ChangedWhere::One, layer = state.where == ChangedWhere::Layer;
  switch (state.part) {
    case ChangedPart::Head:
      return one ? tr("Take this head out") : layer ? tr("Take the layer's heads out") : tr("Take all heads out");
    case ChangedPart::Symmetric:
      return tr("Take the symmetric part out");
    case ChangedPart::Skew:
      return tr("Take the skew part out");
    case ChangedPart::FeedForward:
      break;
  }
  return tr("Take the feed-forward part out");
}

/// What is done with the chosen token, the text and the heads.
Arrangement SentenceBoard::actions() {
  const SentenceResults& results = shown_.results;
  const SentenceTokensPointer& tokens = results.tokens();
  ChoicesContent content;
  if (tokens && tokens->words && tokens->words->mask())
    content.groups.push_back(commandButton("weights.sentence-mask", tr("Mask"), false, results.pass() != nullptr));
  if (!shown_.state.edits.empty())
    content.groups.push_back(commandButton("weights.sentence-restore", tr("Restore the text"), false));
  const bool causal = results.pass() && !results.pass()->places.empty() && results.forward()->plan().causal;
  if (results.continues())
    content.groups.push_back(commandButton("weights.sentence-stop", tr("Stop"), true));
  else if (causal)
    content.groups.push_back(commandButton(
        "weights.sentence-continue",
        shown_.state.more == 1 ? std::string(tr("Next token")) : trFormat("{} more tokens", shown_.state.more), false));
  if (results.pass() && !results.pass()->places.empty()) {
    std::string label = tr("Effects of all heads");
    if (results.effectsPending())
      label = trFormat("Effects: {} % (stop)", static_cast<int>(100 * results.effectsDone()));
    content.groups.push_back(commandButton("weights.sentence-effects", std::move(label), shown_.state.effects));
  }
  if (results.head() && results.pass()) {
    const bool changes = shown_.state.changes();
    content.groups.push_back(commandButton(changes ? "weights.sentence-whole" : "weights.sentence-take-out",
                                           changes ? tr("Whole model") : takeOutWords(shown_.state), changes));
  }
  content.groups.push_back({.key = "weights.sentence.model",
                            .choices = {{.value = shown_.state.model ? "false" : "true",
                                         .label = tr("Steps of the model"),
                                         .on = shown_.state.model}},
                            .right = true});
  ChoiceGroup look{.key = "weights.sentence.look", .name = tr("pattern"), .right = true};
  look.choices = {{"matrix", tr("matrix"), shown_.state.look == PatternLook::Matrix},
                  {"lines", tr("lines"), shown_.state.look == PatternLook::Lines}};
  if (results.changed())
    look.choices.push_back({"difference", tr("difference"), shown_.state.look == PatternLook::Difference});
  content.groups.push_back(std::move(look));
  return add("actions", std::move(content), true);
}

Arrangement SentenceBoard::predictions() {
  const bool lens = shown_.results.lens() && shown_.frame.area.height() >= kVeryTall * small_;
  Arrangement column{.kind = PartKind::Column, .gap = 0.5 * small_};
  std::string title = predictionTitle(shown_);
  if (const ChangedPass* const changed = shown_.results.changed();
      changed && static_cast<std::size_t>(shown_.results.place()) < changed->divergence.size())
    title = trFormat("KL to the whole model {} nats",
                     formatReading(changed->divergence[static_cast<std::size_t>(shown_.results.place())]));
  Arrangement ranked = titled("ranked", std::move(title), add("ranked", predictionsRanked(shown_)));
  column.parts.push_back(std::move(ranked));
  if (lens) {
    column.parts.push_back(titled("lens", tr("predictions from every block's stream"), add("lens", lensTable(shown_))));
    column.parts.back().weight = 0.8;
    column.parts.push_back(add("lens.rank", lensChart(shown_)));
    column.parts.back().weight = 0.6;
  }
  return column;
}

/// Entropy and distance by depth.
Arrangement SentenceBoard::depth() {
  Arrangement row{.kind = PartKind::Row, .gap = small_};
  row.parts.push_back(add("entropy", depthChart(shown_, &HeadPattern::entropy, tr("entropy (nats)"))));
  row.parts.push_back(add("distance", depthChart(shown_, &HeadPattern::distance, tr("distance (tokens)"))));
  return row;
}

Arrangement SentenceBoard::upper() {
  const render::Rect& area = shown_.frame.area;
  const bool roomy = area.width() >= kRoomy * small_ && !shown_.frame.compact,
             wide = area.width() >= kWideSentence * small_;
  Arrangement row{.kind = PartKind::Row, .gap = 1.2 * small_};
  if (roomy && !shown_.heads().empty()) {
    Arrangement wall = shown_.state.model ? add("model", modelFlow(shown_))
                                          : titled("heads", trFormat("heads, by {}", orderWords(shown_.state.order)),
                                                   add("heads", headsWall(shown_)));
    if (area.height() >= kVeryTall * small_) {
      Arrangement below = depth();
      if (wide) below.kind = PartKind::Column;
      wall = {.kind = PartKind::Column, .parts = {std::move(wall), std::move(below)}, .gap = 0.5 * small_};
    }
    wall.weight = wide ? 0.85 : 0.9;
    row.parts.push_back(std::move(wall));
  }
  if (shown_.head()) {
    std::string words = headWords(*shown_.head());
    if (const std::string model = shown_.changedName(); !model.empty()) words += " · " + model;
    if (shown_.frame.state().head < 0) words += std::string(" · ") + tr("the most pointed of the layer");
    const bool lines = shown_.state.look == PatternLook::Lines;
    row.parts.push_back(titled(
        "pattern", words, lines && !wide ? add("lines", patternLines(shown_)) : add("pattern", patternMatrix(shown_))));
    if (wide) row.parts.back().weight = 1.3;
    if (wide) row.parts.push_back(titled("lines", tr("from queries to keys"), add("lines", patternLines(shown_))));
    if (wide) row.parts.back().weight = 0.8;
  } else {
    const HeadPattern* const head = shown_.results.head();
    std::string none = head ? trFormat("{} has no head {} in layer {}.", shown_.changedName(), head->head, head->layer)
                            : std::string(tr("This layer's attention is not computed."));
    row.parts.push_back(
        add("pattern.none", TextContent{.lines = {{{std::move(none)}, NoteLine::Role::Muted}}, .centred = true}));
  }
  if (!shown_.places().empty()) {
    row.parts.push_back(predictions());
    row.parts.back().weight = roomy ? 1.0 : 0.8;
  }
  if (wide && !shown_.places().empty()) {
    row.parts.push_back(titled("places", tr("at every place"), add("places", predictionsByPlace(shown_))));
    row.parts.back().weight = 1.05;
  }
  return row;
}

Arrangement SentenceBoard::score() {
  const auto& parts = shown_.results.parts();
  if (!parts) {
    const std::string& failure = shown_.results.partsFailure();
    return add("score.none",
               TextContent{.lines = {{{failure.empty() ? std::string(tr("Taking the score apart…")) : failure},
                                      NoteLine::Role::Muted}}});
  }
  const bool wide = shown_.frame.area.width() >= kPairs * small_;
  Arrangement row{.kind = PartKind::Row, .gap = 1.2 * small_};
  row.parts.push_back(add("score.bars", scoreBars(shown_)));
  row.parts.back().weight = 1.2;
  Arrangement halves{.kind = PartKind::Column, .gap = 0.4 * small_};
  halves.parts.push_back(add("score.halves", scoreHalves(shown_)));
  halves.parts.push_back(add("score.notes", scoreNotes(shown_)));
  row.parts.push_back(std::move(halves));
  if (wide && shown_.results.patched()) {
    row.parts.push_back(titled("patched", patchedTitle(shown_), add("patched", patchedMatrix(shown_))));
    row.parts.back().weight = 1.1;
  } else if (wide) {
    row.parts.push_back(
        titled("score.pairs", tr("writers: query side by key side"), add("score.pairs", scorePairs(shown_))));
    row.parts.back().weight = 1.1;
    if (shown_.frame.area.width() >= kWideSentence * small_) {
      row.parts.push_back(titled("score.largest", tr("the largest pairs"), add("score.largest", largestPairs(shown_))));
      row.parts.back().weight = 0.8;
    }
  }
  return titled("score", scoreTitle(shown_), std::move(row));
}

Views SentenceBoard::make() {
  const render::Rect& area = shown_.frame.area;
  const double space = shown_.theme().space, width = area.width() - 2 * space;
  Arrangement column{.kind = PartKind::Column, .gap = 0.6 * small_, .margin = space};
  const bool roomy = !shown_.frame.figure && !shown_.frame.compact;
  if (roomy && !fields_.empty()) column.parts.push_back(add("text", FieldsContent{.rows = fields_}, true));
  if (shown_.results.tokens()) column.parts.push_back(tokens(width));
  if (roomy) column.parts.push_back(actions());
  if (std::vector<NoteLine> notes = sentenceNotes(shown_.results); !notes.empty() && !shown_.frame.figure)
    column.parts.push_back(add("notes", TextContent{.lines = std::move(notes), .oneLine = true}, true));
  if (!shown_.results.pass()) {
    const std::string failure = shown_.results.failure();
    column.parts.push_back(add(
        "waiting",
        TextContent{.lines = {{{failure.empty() ? std::string(tr("The sentence goes through the model…")) : failure}}},
                    .centred = true}));
  } else {
    column.parts.push_back(upper());
    if (shown_.results.score() && area.height() >= kTallSentence * small_ && !shown_.frame.compact) {
      Arrangement below = score();
      below.length = (area.height() >= kVeryTall * small_ ? kWideScoreHeight : kScoreHeight) * small_;
      below.mostShare = 0.4;
      column.parts.push_back(std::move(below));
    }
  }
  made_.arrangement = std::move(column);
  return std::move(made_);
}

}  // namespace

Views SentencePage::views(const PageFrame& frame) const {
  if (std::string text = emptySentence(frame.shared, made_); !text.empty()) return sentenceAlone(std::move(text));
  const SentenceShown shown{frame, state_, made_};
  return SentenceBoard(shown, fields_).make();
}

}  // namespace sepx::ui
