// SPDX-License-Identifier: Apache-2.0
// The parts of the page Sentence: its requests, panel, commands, caption and numbers.
#include "ui/sentence/sentence_core.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/page/number_table.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/sentence/heads_view.h"
#include "ui/sentence/parts_view.h"
#include "ui/sentence/tokens_view.h"

namespace sepx::ui {

void SentenceCore::ask(const SentenceSource& source, const SentenceState& state, ExhibitContext& context) {
  requestedState_ = state;
  made_.update(source, requestedState_, context);
  const PropertyRegistry& registry = context.editor.properties();
  const Document& document = context.editor.document();
  fields_.clear();
  const std::string key = keys_.of(made_.readsImages()                    ? "image"
                                   : made_.words() || !state.text.empty() ? "text"
                                                                          : "ids");
  if (std::optional<FieldRow> row = fieldRow(registry, document, key)) fields_.push_back(*std::move(row));
  results_.follow(Digest().add(made_.effectsDone(), made_.effectsPending(), made_.continues(), source.title).value());
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
  if (!results.tokenizerFailure().empty() && !results.readsImages())
    add(trFormat("{} Type tokens as ids, or choose a tokenizer.", sentenceCase(results.tokenizerFailure())),
        NoteLine::Role::Muted);
  if (results.words()) {
    add(results.words()->note(), NoteLine::Role::Muted);
    add(results.words()->beyond(results.forward() ? results.forward()->plan().vocabulary : 0), NoteLine::Role::Error);
  }
  if (const SentenceTokensPointer& tokens = results.tokens())
    add(tokens->note, tokens->image ? NoteLine::Role::Muted : NoteLine::Role::Error);
  if (results.pass() && results.pass()->run().nonfinite > 0)
    add(trFormat("{} numbers of this pass are NaN or infinite.", results.pass()->run().nonfinite),
        NoteLine::Role::Error);
  return notes;
}

void SentenceCore::panel(ExhibitContext& context, PagePanel& panel,
                         const std::function<void(const std::string&)>& run) {
  const std::string prefix = keys_.of("");
  const auto press = [&](const std::string& label, const char* command, bool enabled = true) {
    if (panel.button(label, keys_.command(command), enabled)) run(keys_.command(command));
  };
  panel.group(tr("Text"), prefix, {"replacement", "special", "tokens", "from"});
  if (made_.words()) panel.row(prefix + "ids");
  if (keys_.files) {
    press(tr("Choose a tokenizer…"), "open-tokenizer", static_cast<bool>(context.chooseFile));
    panel.row(prefix + "tokenizer");
    press(tr("Choose an image…"), "open-image", static_cast<bool>(context.chooseFile) && made_.readsImages());
    panel.row(prefix + "image");
  }
  panel.group(tr("Prediction"), prefix, {"place", "best", "probability", "entropy", "truth", "rank"});
  panel.group(tr("Continuation"), prefix, {"more", "temperature", "seed", "drawn"});
  panel.group(tr("Heads"), prefix,
              {"order", "look", "model", "head", "head.entropy", "head.distance", "head.first", "head.symmetry"});
  panel.group(tr("Why this score"), prefix,
              {"query", "key", "score", "weight", "parts.symmetric", "parts.skew", "parts.biases", "parts.distance",
               "parts.gain", "parts.rotation"});
  press(tr("The strongest score"), "strongest", state_.query >= 0);
  if (keys_.files) {
    panel.sameLine();
    press(tr("Token pair"), "pair", made_.score().has_value());
  }
  panel.group(tr("What if"), prefix, {"part", "where", "how", "scale", "kl"});
  if (keys_.files) press(tr("Choose a second checkpoint…"), "open-second", static_cast<bool>(context.chooseFile));
  panel.rows(prefix, {"second", "other"});
  panel.row(prefix + "effects");
  panel.rows(prefix, {"effects.done", "effects.strongest"});
  panel.sentence(tr(
      "A click on a token chooses it, a double click masks it. A click on a small picture shows the head, a click on "
      "a cell of its pattern decomposes that score. A click on a prediction puts the token into the text."));
}

void SentenceCore::toggleMask(ExhibitContext& context) const {
  const SentenceTokensPointer& tokens = made_.tokens();
  const int place = made_.place();
  const auto mask = tokens && tokens->words ? tokens->words->mask() : std::nullopt;
  if (!mask || place < 0 || place >= tokens->size()) return;
  const SentenceToken& token = tokens->tokens[static_cast<std::size_t>(place)];
  ui::apply(context.editor, replaced(keys_, *tokens, state_, place, token.masked ? token.original : *mask));
}

std::vector<ExhibitCommand> SentenceCore::commands() {
  const char* const menu = tr("Exhibit");
  const bool there = made_.pass() != nullptr,
             causal = there && made_.forward() && made_.forward()->plan().causal && !made_.pass()->places.empty();
  const bool masks = made_.tokens() && !made_.tokens()->image && made_.tokens()->words && made_.tokens()->words->mask();
  const auto set = [](Changes changes) {
    return [changes = std::move(changes)](ExhibitContext& context) { ui::apply(context.editor, changes); };
  };
  std::vector<ExhibitCommand> all;
  Changes restored{{keys_.of("edits"), std::string()}};
  if (keys_.hides) restored.emplace_back(keys_.of("hidden"), std::string());
  all.push_back({keys_.command("mask"), tr("Mask or show the chosen token"), "M", menu, there && masks,
                 [this](ExhibitContext& context) { toggleMask(context); }});
  all.push_back({keys_.command("restore"), tr("Restore the original tokens"), "", menu,
                 !state_.edits.empty() || !state_.hidden.empty(), set(std::move(restored))});
  all.push_back({keys_.command("continue"), tr("Continue the text"), "N", menu, causal && !made_.continues(),
                 [this](ExhibitContext& context) { made_.continueText(requestedState_, context); }});
  all.push_back({keys_.command("stop"), tr("Stop the continuation"), "", menu, made_.continues(),
                 [this](ExhibitContext&) { made_.stopContinuation(); }});
  all.push_back({keys_.command("strongest"), tr("The strongest score of the head"), "", menu, there,
                 set({{keys_.of("query"), -1.0}, {keys_.of("key"), -1.0}})});
  all.push_back({keys_.command("take-out"), tr("Take the chosen part out"), "", menu, there && !state_.changes(),
                 set({{keys_.of("how"), std::string("zero")}})});
  all.push_back({keys_.command("whole"), tr("The whole model"), "", menu, state_.changes(),
                 set({{keys_.of("how"), std::string("scale")}, {keys_.of("scale"), 1.0}})});
  all.push_back({keys_.command("effects"),
                 state_.effects ? tr("Hide the effects of all heads") : tr("Effects of all heads"), "", menu, there,
                 [on = state_.effects, key = keys_.of("effects")](ExhibitContext& context) {
                   ui::apply(context.editor, {{key, !on}});
                 }});
  const auto choose = [](std::string key) {
    return [key = std::move(key)](ExhibitContext& context) {
      if (context.chooseFile) context.chooseFile(key);
    };
  };
  if (!keys_.files) return all;
  all.push_back(
      {keys_.command("open-tokenizer"), tr("Choose a tokenizer…"), "", menu, true, choose(keys_.of("tokenizer"))});
  all.push_back(
      {keys_.command("open-image"), tr("Choose an image…"), "", menu, made_.readsImages(), choose(keys_.of("image"))});
  all.push_back(
      {keys_.command("open-second"), tr("Choose a second checkpoint…"), "", menu, true, choose(keys_.of("second"))});
  return all;
}

std::string SentenceCore::caption(const std::string& title) const {
  if (!made_.pass()) return {};
  const HeadPattern* const head = made_.head();
  std::string text = trFormat("A sentence of {} tokens through {}", made_.pass()->n(), title);
  if (head) text += trFormat("; attention of {}: rows are queries, columns keys", headWords(*head));
  return text + ".";
}

Numbers SentenceCore::numbers() const {
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
