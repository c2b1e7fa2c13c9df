// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/weights/sentence/sentence_page.h"

#include <utility>

#include "ui/exhibits/model_name.h"
#include "ui/page/requests.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

std::unique_ptr<WeightsPage> makeSentencePage() {
  return std::make_unique<SentencePage>();
}

SentencePage::SentencePage()
    : WeightsPage({"sentence", N_("Sentence"), "sentence.", {{"sentence", N_("Sentence")}}}),
      core_({.exhibit = "weights.", .page = "sentence"}, results_) {}

void SentencePage::declare(PropertyRegistry& registry, const WeightsShared&) {
  core_.declare(registry, onPage("sentence"), kExampleText,
                N_("The text that goes through the model, split by the tokenizer beside the weights."));
}

void SentencePage::read(const Document& document, const PropertyRegistry& registry, const WeightsShared&) {
  core_.read(document, registry);
}

SentenceSource SentencePage::sourceOf(const WeightsShared& shared) const {
  SentenceSource source{.keys = core_.keys(), .model = shared.model, .failure = shared.failure};
  source.layer = shared.state.layer;
  source.head = shared.state.head;
  if (shared.model) source.title = shared.title();
  source.secondName = modelName(state().second, shared.assets);
  source.matrix = [](int layer) {
    return Changes{{"weights.layer", static_cast<double>(layer)}, {"weights.page", std::string("matrix")}};
  };
  source.tensor = showTensor;
  return source;
}

void SentencePage::ask(const PageFrame& frame, ExhibitContext& context) {
  core_.ask(sourceOf(frame.shared), core_.state(), context);
}

Views SentencePage::views(const PageFrame& frame) const {
  const SentenceSource source = sourceOf(frame.shared);
  return core_.views(sentenceFrame(source, frame));
}

void SentencePage::panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) {
  core_.panel(context, panel, [&](const std::string& command) { run(frame, context, command); });
}

/// Shows the two tokens of the selected score on the page Token pair, with the stream that enters the layer.
void SentencePage::openPair(const PageFrame& frame, ExhibitContext& context) const {
  if (!results().score() || !frame.shared.keepStream || !frame.shared.layer) return;
  const SentencePass& pass = *results().pass();
  const ScorePlace& at = *results().score();
  auto stream = std::make_shared<StreamVectors>();
  stream->stack = frame.shared.layer->stack;
  stream->layer = frame.shared.layer->layer;
  stream->n = pass.n();
  stream->d = pass.run().d_model;
  stream->values =
      at.layer == 0 ? pass.run().embedding : pass.run().blocks[static_cast<std::size_t>(at.layer) - 1].hidden;
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
  std::vector<Command> all;
  for (ExhibitCommand& one : core_.commands())
    all.push_back({one.key, one.label, one.shortcut, one.menu, one.enabled, std::move(one.act)});
  all.push_back({"weights.sentence-pair", tr("Show this pair on the page Token pair"), "", tr("Exhibit"),
                 results().score().has_value(),
                 [this](const PageFrame& frame, ExhibitContext& context) { openPair(frame, context); }});
  return all;
}

}  // namespace sepx::ui
