// SPDX-License-Identifier: Apache-2.0
// The page Sentence put together: what it asks for, its panel, commands, caption and numbers.
#include "ui/exhibits/weights/sentence/sentence_page.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/page/number_table.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

std::unique_ptr<WeightsPage> makeSentencePage() {
  return std::make_unique<SentencePage>();
}

void SentencePage::read(const Document& document, const PropertyRegistry& registry, const WeightsShared&) {
  registry.read(document, state_, "weights.sentence.");
}

void SentencePage::ask(const PageFrame& frame, ExhibitContext& context) {
  made_.update(frame.shared, state_, context);
  const PropertyRegistry& registry = context.editor.properties();
  const Document& document = context.editor.document();
  fields_.clear();
  const char* const key = made_.words() || !state_.text.empty() ? "weights.sentence.text" : "weights.sentence.ids";
  if (std::optional<FieldRow> row = fieldRow(registry, document, key)) fields_.push_back(*std::move(row));
  results_.follow(Digest().add(made_.effectsDone(), made_.effectsPending(), made_.continues()).value());
}

std::string emptySentence(const WeightsShared& shared, const SentenceResults& results) {
  if (!shared.failure.empty()) return shared.failure;
  if (!shared.model) return tr("Opening the checkpoint…");
  if (!results.forward()) {
    const std::string failure = results.failure();
    return failure.empty() ? std::string(tr("Finding out how the model is computed…")) : failure;
  }
  // What is wrong with a text stands below the field in which it is changed.
  if (results.tokens() || !results.failure().empty()) return {};
  return tr("Reading the tokens…");
}

std::vector<NoteLine> sentenceNotes(const SentenceResults& results) {
  std::vector<NoteLine> notes;
  const auto add = [&notes](const std::string& text, NoteLine::Role role) {
    if (!text.empty()) notes.push_back({{sentenceCase(text)}, role});
  };
  for (const std::string* const failure :
       {&results.secondFailure(), &results.changedFailure(), &results.patchedFailure(), &results.effectsFailure(),
        &results.lensFailure()})
    add(*failure, NoteLine::Role::Error);
  if (results.forward()) {
    std::string missing;
    for (const std::string& one : results.forward()->plan().missing)
      missing += (missing.empty() ? "" : "; ") + one;
    add(missing, NoteLine::Role::Accent);
  }
  if (!results.tokenizerFailure().empty())
    add(trFormat("{} Tokens are typed as ids, or a tokenizer is chosen.", sentenceCase(results.tokenizerFailure())),
        NoteLine::Role::Muted);
  if (results.words()) {
    add(results.words()->note(), NoteLine::Role::Muted);
    const std::int64_t rows = results.forward() ? results.forward()->plan().vocabulary : 0;
    if (rows > 0 && static_cast<std::int64_t>(results.words()->size()) > rows)
      add(trFormat("The tokenizer has {} tokens and the model's table {} rows: they may not belong together.",
                   results.words()->size(), rows),
          NoteLine::Role::Error);
  }
  if (results.pass() && results.pass()->run.nonfinite > 0)
    add(trFormat("{} numbers of this pass are NaN or infinite.", results.pass()->run.nonfinite), NoteLine::Role::Error);
  return notes;
}

void SentencePage::panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) {
  const auto press = [&](const std::string& label, const char* command, bool enabled = true) {
    if (panel.button(label, command, enabled)) run(frame, context, command);
  };
  panel.group(tr("Text"), "weights.sentence.", {"replacement", "special", "tokens", "from"});
  if (made_.words()) panel.row("weights.sentence.ids");
  press(tr("Choose a tokenizer…"), "weights.sentence-open-tokenizer", static_cast<bool>(context.chooseFile));
  panel.row("weights.sentence.tokenizer");
  panel.group(tr("Prediction"), "weights.sentence.", {"place", "best", "probability", "entropy", "truth", "rank"});
  panel.group(tr("Continuation"), "weights.sentence.", {"more", "temperature", "seed"});
  panel.group(tr("Heads"), "weights.sentence.",
              {"order", "look", "model", "head", "head.entropy", "head.distance", "head.first", "head.symmetry"});
  panel.group(tr("Why this score"), "weights.sentence.",
              {"query", "key", "score", "weight", "parts.symmetric", "parts.skew", "parts.biases", "parts.distance",
               "parts.gain", "parts.rotation"});
  press(tr("The strongest score"), "weights.sentence-strongest", state_.query >= 0);
  panel.sameLine();
  press(tr("Token pair"), "weights.sentence-pair", made_.score().has_value());
  panel.group(tr("What if"), "weights.sentence.", {"part", "where", "how", "scale", "kl"});
  press(tr("Choose a second checkpoint…"), "weights.sentence-open-second", static_cast<bool>(context.chooseFile));
  panel.rows("weights.sentence.", {"second", "other"});
  panel.row("weights.sentence.effects");
  panel.rows("weights.sentence.", {"effects.done", "effects.strongest"});
  panel.sentence(tr(
      "A click on a token chooses it, a double click masks it. A click on a small picture shows the head, one on its "
      "pattern takes that score apart. A click on a prediction puts the token into the text."));
}

void SentencePage::toggleMask(ExhibitContext& context) const {
  const SentenceTokensPointer& tokens = made_.tokens();
  const int place = made_.place();
  const auto mask = tokens && tokens->words ? tokens->words->mask() : std::nullopt;
  if (!mask || place < 0 || place >= tokens->size()) return;
  const SentenceToken& token = tokens->tokens[static_cast<std::size_t>(place)];
  ui::apply(context.editor, replaced(*tokens, state_, place, token.masked ? token.original : *mask));
}

/// The two tokens of the score on the page Token pair, with the stream that enters the layer.
void SentencePage::openPair(const PageFrame& frame, ExhibitContext& context) const {
  if (!made_.score() || !frame.shared.keepStream || !frame.shared.layer) return;
  const SentencePass& pass = *made_.pass();
  const ScorePlace& at = *made_.score();
  auto stream = std::make_shared<StreamVectors>();
  stream->stack = frame.shared.layer->stack;
  stream->layer = frame.shared.layer->layer;
  stream->n = pass.n();
  stream->d = pass.run.d_model;
  stream->values = at.layer == 0 ? pass.run.embedding : pass.run.blocks[static_cast<std::size_t>(at.layer) - 1].hidden;
  for (const SentenceToken& token : pass.tokens->tokens)
    stream->names.push_back(token.shown);
  frame.shared.keepStream(std::move(stream));
  ui::apply(context.editor, {{"weights.form.source", std::string("stream")},
                             {"weights.form.query", static_cast<double>(at.query)},
                             {"weights.form.key", static_cast<double>(at.key)},
                             {"weights.form.offset", static_cast<double>(at.key - at.query)},
                             {"weights.head", static_cast<double>(at.head)},
                             {"weights.page", std::string("form")}});
}

std::vector<WeightsPage::Command> SentencePage::commands(const WeightsShared&, const Document&) {
  const char* const menu = tr("Exhibit");
  const bool there = made_.pass() != nullptr,
             causal = there && made_.forward() && made_.forward()->plan().causal && !made_.pass()->places.empty();
  const bool masks = made_.tokens() && made_.tokens()->words && made_.tokens()->words->mask();
  const auto set = [](Changes changes) {
    return [changes = std::move(changes)](ExhibitContext& context) { ui::apply(context.editor, changes); };
  };
  std::vector<Command> all;
  all.push_back({"weights.sentence-mask", tr("Mask or show the chosen token"), "M", menu, there && masks,
                 [this](ExhibitContext& context) { toggleMask(context); }});
  all.push_back({"weights.sentence-restore", tr("Restore the text's own tokens"), "", menu, !state_.edits.empty(),
                 set({{"weights.sentence.edits", std::string()}})});
  all.push_back({"weights.sentence-continue", tr("Continue the text"), "N", menu, causal && !made_.continues(),
                 [this](ExhibitContext& context) { made_.continueText(state_, context); }});
  all.push_back({"weights.sentence-stop", tr("Stop the continuation"), "", menu, made_.continues(),
                 [this] { made_.stopContinuation(); }});
  all.push_back({"weights.sentence-strongest", tr("The strongest score of the head"), "", menu, there,
                 set({{"weights.sentence.query", -1.0}, {"weights.sentence.key", -1.0}})});
  all.push_back({"weights.sentence-pair", tr("This pair on the page Token pair"), "", menu, made_.score().has_value(),
                 [this](const PageFrame& frame, ExhibitContext& context) { openPair(frame, context); }});
  all.push_back({"weights.sentence-take-out", tr("Take the chosen part out"), "", menu, there && !state_.changes(),
                 set({{"weights.sentence.how", std::string("zero")}})});
  all.push_back({"weights.sentence-whole", tr("The whole model"), "", menu, state_.changes(),
                 set({{"weights.sentence.how", std::string("scale")}, {"weights.sentence.scale", 1.0}})});
  all.push_back({"weights.sentence-effects",
                 state_.effects ? tr("Leave the effects of the heads") : tr("Effects of all heads"), "", menu, there,
                 [on = state_.effects](ExhibitContext& context) {
                   ui::apply(context.editor, {{"weights.sentence.effects", !on}});
                 }});
  all.push_back(
      {"weights.sentence-open-tokenizer", tr("Choose a tokenizer…"), "", menu, true, [](ExhibitContext& context) {
         if (context.chooseFile) context.chooseFile("weights.sentence.tokenizer");
       }});
  all.push_back(
      {"weights.sentence-open-second", tr("Choose a second checkpoint…"), "", menu, true, [](ExhibitContext& context) {
         if (context.chooseFile) context.chooseFile("weights.sentence.second");
       }});
  return all;
}

std::string SentencePage::caption(const WeightsShared& shared) const {
  if (!shared.model || !made_.pass()) return {};
  const HeadPattern* const head = made_.head();
  std::string text = trFormat("A sentence of {} tokens through {}", made_.pass()->n(), shared.title());
  if (head) text += trFormat("; attention of {}: rows are queries, columns keys", headWords(*head));
  return text + ".";
}

Numbers SentencePage::numbers() const {
  Numbers numbers;
  const SentencePassPointer& pass = made_.pass();
  if (!pass) return numbers;
  const auto& tokens = pass->tokens->tokens;
  numbers.tables.push_back(numberTable("tokens", tokens, NumberColumn{"id", &SentenceToken::id},
                                       NumberColumn{"token", [](const SentenceToken& token) { return token.shown; }}));
  numbers.tables.push_back(numberTable(
      "heads", pass->heads, NumberColumn{"layer", &HeadPattern::layer}, NumberColumn{"head", &HeadPattern::head},
      NumberColumn{"entropy", &HeadPattern::entropy}, NumberColumn{"distance", &HeadPattern::distance},
      NumberColumn{"first", &HeadPattern::first}, NumberColumn{"symmetry", &HeadPattern::symmetry}));
  struct Row {
    int place;
    forward::Prediction prediction;
    double entropy;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < pass->places.size(); ++i)
    for (const forward::Prediction& one : pass->places[i].best)
      rows.push_back({static_cast<int>(i), one, pass->places[i].entropy});
  numbers.tables.push_back(
      numberTable("predictions", rows, NumberColumn{"place", &Row::place},
                  NumberColumn{"id", [](const Row& row) { return row.prediction.id; }},
                  NumberColumn{"probability", [](const Row& row) { return row.prediction.probability; }},
                  NumberColumn{"entropy", &Row::entropy}));
  const auto side = static_cast<std::size_t>(pass->n());
  if (const HeadPattern* const head = made_.head())
    numbers.grids.push_back(
        {"attention", {side, side}, std::vector<double>(head->weights->begin(), head->weights->end())});
  if (const auto& parts = made_.parts()) {
    const auto writers = parts->parts.writers.size();
    numbers.tables.push_back(
        numberTable("writers", parts->parts.writers,
                    NumberColumn{"writer", [](const forward::Writer& one) { return writerWords(one); }}));
    numbers.tables.push_back(
        numberTable("score", parts->parts.byKind,
                    NumberColumn{"part", [](const forward::ScoreParts::Named& one) { return one.name; }},
                    NumberColumn{"value", &forward::ScoreParts::Named::value}));
    numbers.grids.push_back({"pairs", {writers, writers}, parts->parts.pairs});
  }
  return numbers;
}

}  // namespace sepx::ui
