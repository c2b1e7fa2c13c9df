// SPDX-License-Identifier: Apache-2.0
// The layout of the page Sentence: text and tokens at the top, below them the heads with the chosen pattern and the
// predictions, and at the bottom the parts of the chosen score. A small pane has tokens, pattern and predictions.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/sentence/heads_view.h"
#include "ui/sentence/image_view.h"
#include "ui/sentence/lens_view.h"
#include "ui/sentence/model_view.h"
#include "ui/sentence/parts_view.h"
#include "ui/sentence/pattern_view.h"
#include "ui/sentence/predictions_view.h"
#include "ui/sentence/sentence_core.h"
#include "ui/sentence/tokens_view.h"

namespace sepx::ui {

namespace {

using PartKind = Arrangement::Kind;

constexpr double kPairs = 84, kWideSentence = 118;  // in sizes of small text, widths
constexpr double kVeryTall = 72;                    // likewise, a height
constexpr double kLeastChoices = 18;                // in sizes of small text, least height of a pane with buttons
constexpr double kBothSums = 34;                    // likewise, for both sums of a score
constexpr double kBarLine = 1.65;                   // in sizes of small text, of a bar
constexpr std::size_t kHalves = 5;                  // bars, at most
constexpr double kTitleLine = 1.6;                  // in sizes of small text
constexpr double kScoreHeight = 17, kWideScoreHeight = 21;  // in sizes of small text

/// The views of one frame, added part by part.
class SentenceBoard {
 public:
  SentenceBoard(const SentenceShown& shown, const std::vector<FieldRow>& fields,
                const std::vector<ChoiceGroup>& further)
      : shown_(shown), fields_(fields), further_(further), small_(shown.theme().smallSize) {}

  Views make();

 private:
  Arrangement add(std::string name, decltype(View::content) content, bool natural = false) {
    made_.views.push_back({name, std::move(content), nothingExported});
    return natural ? asHighAsContent(std::move(name)) : viewNamed(std::move(name));
  }
  /// Adds a title line above a part.
  Arrangement titled(const std::string& name, std::string words, Arrangement part) {
    TextContent text{.lines = {{{std::move(words)}}}, .oneLine = true};
    Arrangement title = add(name + ".title", std::move(text));
    title.length = kTitleLine * small_;
    return {.kind = PartKind::Column, .parts = {std::move(title), std::move(part)}, .weight = 1};
  }
  Arrangement tokens(double width);
  Arrangement actions();
  Arrangement upper();
  bool besideWhole() const;
  Arrangement pattern(bool wide);
  Arrangement whyAlone();
  Arrangement bars();
  SmallPanel panel() const;
  ChoiceGroup panels() const;
  Arrangement predictions();
  Arrangement depth();
  Arrangement score();

  const SentenceShown& shown_;
  const std::vector<FieldRow>& fields_;
  const std::vector<ChoiceGroup>& further_;
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
  return state.second.empty() ? std::string(tr("changed model")) : source().secondName;
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

/// The label of the button that takes a part out, for the parameters Change and Where.
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

/// Buttons for the chosen token, the text and the heads.
Arrangement SentenceBoard::actions() {
  const SentenceResults& results = shown_.results;
  const SentenceTokensPointer& tokens = results.tokens();
  ChoicesContent content;
  if (results.readsImages())
    content.groups.push_back(commandButton(shown_.keys().command("open-image"), tr("Choose an image…"), false));
  if (tokens && tokens->words && tokens->words->mask())
    content.groups.push_back(
        commandButton(shown_.keys().command("mask"), tr("Mask"), false, results.pass() != nullptr));
  if (!shown_.state.edits.empty() || !shown_.state.hidden.empty())
    content.groups.push_back(commandButton(shown_.keys().command("restore"), tr("Restore the text"), false));
  const bool causal =
      results.pass() && !results.pass()->places.empty() && results.forward()->plan().causal && !results.readsImages();
  if (results.continues())
    content.groups.push_back(commandButton(shown_.keys().command("stop"), tr("Stop"), true));
  else if (causal)
    content.groups.push_back(commandButton(
        shown_.keys().command("continue"),
        shown_.state.more == 1 ? std::string(tr("Next token")) : trFormat("{} more tokens", shown_.state.more), false));
  if (results.pass() && !results.pass()->places.empty()) {
    std::string label = tr("Effects of all heads");
    if (results.effectsPending())
      label = trFormat("Effects: {} % (stop)", static_cast<int>(100 * results.effectsDone()));
    content.groups.push_back(commandButton(shown_.keys().command("effects"), std::move(label), shown_.state.effects));
  }
  if (results.head() && results.pass()) {
    const bool changes = shown_.state.changes();
    content.groups.push_back(commandButton(changes ? shown_.keys().command("whole") : shown_.keys().command("take-out"),
                                           changes ? tr("Whole model") : takeOutWords(shown_.state), changes));
  }
  content.groups.push_back({.key = shown_.keys().of("model"),
                            .choices = {{.value = shown_.state.model ? "false" : "true",
                                         .label = tr("Graph of the model"),
                                         .on = shown_.state.model}},
                            .right = true});
  if (results.score() && (!shown_.tall() || !shown_.roomy())) content.groups.push_back(panels());
  content.groups.insert(content.groups.end(), further_.begin(), further_.end());
  ChoiceGroup look{.key = shown_.keys().of("look"), .name = tr("pattern"), .right = true};
  look.choices = {{"matrix", tr("matrix"), shown_.state.look == PatternMode::Matrix},
                  {"lines", tr("lines"), shown_.state.look == PatternMode::Lines}};
  if (results.changed())
    look.choices.push_back({"difference", tr("difference"), shown_.state.look == PatternMode::Difference});
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

/// Charts of entropy and distance by layer.
Arrangement SentenceBoard::depth() {
  Arrangement row{.kind = PartKind::Row, .gap = small_};
  row.parts.push_back(add("entropy", depthChart(shown_, &HeadPattern::entropy, tr("entropy (nats)"))));
  row.parts.push_back(add("distance", depthChart(shown_, &HeadPattern::distance, tr("distance (tokens)"))));
  return row;
}

/// Whether the pattern of the whole or open model is shown beside that of the changed or second one.
bool SentenceBoard::besideWhole() const {
  const bool two = shown_.results.changed() && shown_.head() && shown_.state.look == PatternMode::Matrix;
  const bool wide = shown_.frame.area.width() >= kWideSentence * small_;
  return two && !shown_.frame.compact && (wide || !shown_.state.second.empty());
}

Arrangement SentenceBoard::pattern(bool wide) {
  if (!shown_.head()) {
    const HeadPattern* const head = shown_.results.head();
    std::string none = head ? trFormat("{} has no head {} in layer {}.", shown_.changedName(), head->head, head->layer)
                            : std::string(tr("This layer's attention is not computed."));
    return add("pattern.none", TextContent{.lines = {{{std::move(none)}, NoteLine::Role::Muted}}, .centred = true});
  }
  const std::string head = headWords(*shown_.head()), model = shown_.changedName();
  std::string words = head;
  if (!model.empty()) words += " · " + model;
  if (shown_.source().head < 0) words += std::string(" · ") + tr("lowest entropy of the layer");
  const bool lines = shown_.state.look == PatternMode::Lines && !wide;
  Arrangement shows = titled("pattern", std::move(words),
                             lines ? add("lines", patternLines(shown_)) : add("pattern", patternMatrix(shown_, false)));
  if (!besideWhole()) return shows;
  const std::string whole = shown_.state.second.empty() ? std::string(tr("whole model")) : shown_.source().title;
  Arrangement row{.kind = PartKind::Row, .gap = small_};
  row.parts.push_back(titled("whole", head + " · " + whole, add("whole", patternMatrix(shown_, true))));
  row.parts.push_back(std::move(shows));
  return row;
}

/// Layout of a page of small height: the pattern, and the parts of the chosen score.
Arrangement SentenceBoard::whyAlone() {
  Arrangement row{.kind = PartKind::Row, .gap = small_};
  row.parts.push_back(pattern(false));
  row.parts.back().weight = 0.7;
  row.parts.push_back(bars());
  row.parts.back().weight = 1.3;
  return row;
}

/// The parts of the score below each other.
Arrangement SentenceBoard::bars() {
  const auto& parts = shown_.results.parts();
  if (!parts) return score();
  const double line = kBarLine * small_;
  Arrangement column{.kind = PartKind::Column, .gap = 0.4 * small_};
  const auto part = [&](const char* name, PictureContent content, std::size_t lines) {
    column.parts.push_back(add(name, std::move(content)));
    column.parts.back().length = line * static_cast<double>(lines);
  };
  part("score.bars", scoreBars(shown_), parts->parts.byKind.size() + 1);
  if (shown_.frame.area.height() >= kBothSums * small_) {
    part("score.halves", scoreHalves(shown_), kHalves);
    column.parts.push_back(add("score.notes", scoreNotes(shown_)));
  }
  return titled("score", scoreTitle(shown_), std::move(column));
}

/// The panel beside the pattern, if there is a choice.
SmallPanel SentenceBoard::panel() const {
  const SmallPanel asked = shown_.state.panel;
  if (asked == SmallPanel::Why && !shown_.tall()) return asked;
  const bool heads = asked == SmallPanel::Heads || shown_.state.model;
  return heads && !shown_.roomy() ? SmallPanel::Heads : SmallPanel::Predictions;
}

ChoiceGroup SentenceBoard::panels() const {
  const SmallPanel now = panel();
  ChoiceGroup group{.key = shown_.keys().of("panel")};
  group.choices.push_back({"predictions", tr("Predictions"), now == SmallPanel::Predictions});
  if (!shown_.roomy()) group.choices.push_back({"heads", tr("All heads"), now == SmallPanel::Heads});
  if (!shown_.tall()) group.choices.push_back({"why", tr("Why this score"), now == SmallPanel::Why});
  return group;
}

Arrangement SentenceBoard::upper() {
  const render::Rect& area = shown_.frame.area;
  const bool roomy = shown_.roomy(), wide = area.width() >= kWideSentence * small_;
  Arrangement row{.kind = PartKind::Row, .gap = 1.2 * small_};
  if (shown_.results.tokens() && shown_.results.tokens()->image) {
    row.parts.push_back(titled("image", tr("patches: click to choose the query"), add("tokens", imagePatches(shown_))));
    row.parts.back().weight = 0.8;
  }
  const bool instead = !roomy && panel() == SmallPanel::Heads;
  if ((roomy || instead) && !shown_.heads().empty()) {
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
  row.parts.push_back(pattern(wide));
  if (wide && shown_.head() && !besideWhole()) {
    row.parts.back().weight = area.height() >= kVeryTall * small_ ? 1.7 : 1.3;
    row.parts.push_back(titled("lines", tr("from queries to keys"), add("lines", patternLines(shown_))));
    row.parts.back().weight = 0.8;
  } else if (besideWhole()) {
    row.parts.back().weight = wide ? 2.1 : 1.6;
  }
  if (!shown_.places().empty() && !instead) {
    row.parts.push_back(predictions());
    row.parts.back().weight = roomy ? 1.0 : 0.8;
  }
  if (wide && !shown_.places().empty() && !shown_.results.tokens()->image) {
    row.parts.push_back(titled("places", tr("at every position"), add("places", predictionsByPlace(shown_))));
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
  const bool works = !shown_.frame.figure && !shown_.frame.audience;  // a user can press and type
  const bool roomy = works && !shown_.frame.compact;
  if (roomy && !fields_.empty()) column.parts.push_back(add("text", FieldsContent{.rows = fields_}, true));
  if (!shown_.source().about.empty() && works)
    column.parts.push_back(
        add("about", TextContent{.lines = {{{shown_.source().about}, NoteLine::Role::Muted}}, .oneLine = true}, true));
  const bool image = shown_.results.tokens() && shown_.results.tokens()->image;
  if (shown_.results.tokens() && !image) column.parts.push_back(tokens(width));
  if (roomy)
    column.parts.push_back(actions());
  else if (works && shown_.results.score() && area.height() >= kLeastChoices * small_)
    column.parts.push_back(add("actions", ChoicesContent{.groups = {panels()}}, true));
  if (std::vector<NoteLine> notes = sentenceNotes(shown_.results); !notes.empty() && works)
    column.parts.push_back(add("notes", TextContent{.lines = std::move(notes), .oneLine = true}, true));
  const bool tall = shown_.tall();
  if (!shown_.results.pass()) {
    const std::string failure = shown_.results.failure();
    column.parts.push_back(add(
        "waiting", TextContent{.lines = {{{failure.empty() ? std::string(tr("Running the sentence through the model…"))
                                                           : failure}}},
                               .centred = true}));
  } else {
    const bool why = shown_.results.score().has_value();
    column.parts.push_back(why && panel() == SmallPanel::Why ? (shown_.frame.compact ? bars() : whyAlone()) : upper());
    if (why && tall) {
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

/// Why the page shows nothing, or nothing yet; empty: it shows something.
static std::string emptySentence(const SentenceSource& source, const SentenceResults& results) {
  if (!source.failure.empty() && !source.model) return source.failure;
  if (!source.model) return tr("Opening the checkpoint…");
  if (!results.forward()) {
    const std::string failure = results.failure();
    return failure.empty() ? std::string(tr("Finding out how the model is computed…")) : failure;
  }
  // Errors of a text are shown below its input field.
  if (results.tokens() || !results.failure().empty()) return {};
  return tr("Reading the tokens…");
}

Views SentenceCore::views(const SentenceFrame& frame) const {
  if (std::string text = emptySentence(frame.shared, made_); !text.empty()) return sentenceAlone(std::move(text));
  const SentenceShown shown{frame, requestedState_, made_};
  return SentenceBoard(shown, fields_, further).make();
}

}  // namespace sepx::ui
