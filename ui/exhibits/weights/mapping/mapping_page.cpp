// SPDX-License-Identifier: Apache-2.0
// The mapping page put together: filter, lists, pointer, panel, commands.
#include "ui/exhibits/weights/mapping/mapping_page.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c); });
  return text;
}

/// Every word of the filter is somewhere in the text.
bool passes(const std::string& text, const std::string& filter) {
  std::size_t at = 0;
  while (at < filter.size()) {
    const std::size_t end = std::min(filter.find(' ', at), filter.size());
    if (text.find(filter.substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

}  // namespace

std::unique_ptr<WeightsPage> makeMappingPage() {
  return std::make_unique<MappingPage>();
}

bool MappingPage::byHand(const WeightsShared& shared) const {
  return shared.model && (ruleShown_ || shared.model->map.layers.empty());
}

void MappingPage::filter(const WeightsShared& shared, const std::string& text) {
  if (shownOf_ == shared.modelRevision && filter_ == text) return;
  shownOf_ = shared.modelRevision;
  filter_ = text;
  shown_.clear();
  if (!shared.model) return;
  const std::string wanted = lower(text);
  const std::vector<checkpoint::TensorInfo>& tensors = shared.model->checkpoint->tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (passes(lower(tensors[i].name) + " " + shapeText(tensors[i].shape) + " " + lower(tensors[i].dtypeName), wanted))
      shown_.push_back(static_cast<std::uint32_t>(i));
  // What a training run left of its optimiser comes after the model.
  std::stable_partition(shown_.begin(), shown_.end(), [&](std::uint32_t i) {
    const std::string& name = tensors[i].name;
    return lower(name.substr(0, name.find('.'))).find("optim") == std::string::npos;
  });
}

/// The rule that is written; its heads are meant in place of those that this model's config says.
checkpoint::FamilyRule MappingPage::ruleFor(const WeightsShared& shared, const ExhibitContext& context) {
  checkpoint::FamilyRule rule = ruleOf(context.editor.document(), context.editor.properties());
  if (rule.heads > 0 && shared.model) rule.insteadOf = checkpoint::headsOfConfig(*shared.model->checkpoint);
  return rule;
}

void MappingPage::read(const Document& document, const PropertyRegistry& registry, const WeightsShared& live) {
  WeightsPage::read(document, registry, live);
  registry.read(document, *this);
}

void MappingPage::ask(const PageFrame& frame, ExhibitContext& context) {
  const WeightsShared& shared = frame.shared;
  filter(shared, context.editor.properties().text(context.editor.document(), "weights.mapping.filter"));
  const checkpoint::FamilyRule rule = ruleFor(shared, context);
  ruleNamed_ = !rule.name.empty();
  rule_.update(byHand(shared) ? shared.model : nullptr, rule, context);
  statistics_.update(shared.model, tensor_, context);
}

void MappingPage::panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Tensors"), "weights.mapping.", {"filter", "tensors"});
  panel.rows("weights.tensor.", {"min", "max", "mean", "median", "zeros", "nonfinite"});
  panel.row("weights.mapping.embedding");
  if (panel.button(tr("Take the selected tensor"), "weights.mapping-embedding", !tensor_.empty()))
    run(frame, context, "weights.mapping-embedding");
  panel.heading(tr("Map by hand"));
  if (frame.shared.model && !frame.shared.model->map.layers.empty()) panel.row("weights.rule.show");
  if (!byHand(frame.shared)) return;
  if (panel.button(tr("Guess from the names"), "weights.rule-guess")) run(frame, context, "weights.rule-guess");
  panel.rows("weights.rule.",
             {"query", "key", "query_bias", "key_bias", "fusion", "transposed", "causal", "heads", "kv_heads"});
  panel.rows("weights.rule.matches.", {"query", "key"});
  const RuleTrial& trial = rule_.trial();
  panel.sentence(rule_.fits() ? mapWords(*trial.map) : trial.failure);
  panel.row("weights.rule.name");
  if (panel.button(tr("Save the rule and open with it"), "weights.rule-save", rule_.fits()))
    run(frame, context, "weights.rule-save");
}

namespace {

/// A rule never replaces another one: "my model" becomes "my model 2". The rule by which the model is open now is
/// corrected under its own name.
void takeFreeName(checkpoint::FamilyRule& rule, const checkpoint::AttentionMap& map, const std::string& folder) {
  const std::string key = rule.key, name = rule.name;
  std::error_code ignored;
  for (int n = 2; rule.key != map.family && std::filesystem::exists(folder + "/" + rule.key + ".json", ignored); ++n) {
    rule.key = key + "-" + std::to_string(n);
    rule.name = name + " " + std::to_string(n);
  }
}

}  // namespace

void MappingPage::takeEmbedding(ExhibitContext& context) const {
  if (tensor_.empty()) return context.editor.say(tr("Choose a tensor in the list first."));
  setAsStep(context.editor, "weights.mapping.embedding", tensor_);
}

void MappingPage::guess(const WeightsShared& shared, ExhibitContext& context) {
  if (!shared.model) return;
  const checkpoint::FamilyRule guess = checkpoint::guessRule(*shared.model->checkpoint);
  if (guess.stacks.empty() || guess.stacks.front().query.empty())
    return context.editor.say(
        tr("No name looks like queries or keys; write the patterns by hand from the list of tensors."));
  context.editor.seal();
  context.editor.commit(withRule(context.editor.document(), guess).with("weights.rule.show", true),
                        tr("guess patterns"));
  context.editor.seal();
}

void MappingPage::saveRule(const WeightsShared& shared, ExhibitContext& context) const {
  if (!shared.model) return;
  checkpoint::FamilyRule rule = ruleFor(shared, context);
  if (!context.rules.empty()) takeFreeName(rule, shared.model->map, context.rules);
  if (!rule_.fits()) return context.editor.say(rule_.trial().failure);
  if (context.rules.empty())
    return context.editor.say(tr("There is no folder for rules here, so the rule cannot be saved."));
  if (const Result<void> written = checkpoint::writeRule(context.rules, rule); !written)
    context.editor.say(written.error().sentence);
  else if (shared.reopen)
    shared.reopen();
}

std::vector<WeightsPage::Command> MappingPage::commands(const WeightsShared& shared, const Document&) {
  return {{"weights.mapping-embedding", tr("Take the selected tensor as token embedding"), "", tr("Exhibit"),
           !tensor_.empty(), [this](ExhibitContext& context) { takeEmbedding(context); }},
          {"weights.rule-guess", tr("Guess patterns from the names"), "", tr("Exhibit"), true,
           [&shared](ExhibitContext& context) { guess(shared, context); }},
          {"weights.rule-save", tr("Save the rule and open with it"), "", tr("Exhibit"), rule_.fits() && ruleNamed_,
           [this, &shared](ExhibitContext& context) { saveRule(shared, context); }}};
}

}  // namespace sepx::ui
