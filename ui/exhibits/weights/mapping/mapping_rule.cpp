// SPDX-License-Identifier: Apache-2.0
// The assistant's rule: document, trial, declarations.
#include "ui/exhibits/weights/mapping/mapping_rule.h"

#include <cctype>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "engine/checkpoint/family_match.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::size_t countOf(const checkpoint::Checkpoint& checkpoint, const std::string& pattern) {
  if (pattern.empty()) return 0;
  return checkpoint::NameIndex(checkpoint).find(pattern).size();
}

RuleTrial tried(const checkpoint::Checkpoint& checkpoint, const checkpoint::FamilyRule& rule) {
  RuleTrial trial;
  const checkpoint::StackRule& stack = rule.stacks.front();
  trial.query = countOf(checkpoint, stack.query);
  trial.key = countOf(checkpoint, stack.key);
  if (stack.query.empty() || stack.key.empty()) {
    trial.failure = tr("Write a pattern for the queries and one for the keys; {layer} stands for the layer's number.");
    return trial;
  }
  Result<checkpoint::AttentionMap> map = checkpoint::tryRule(checkpoint, rule);
  if (map)
    trial.map = std::move(*map);
  else
    trial.failure = map.error().sentence;
  return trial;
}

}  // namespace

std::string ruleKeyOf(const std::string& name) {
  std::string key;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte))
      key += static_cast<char>(std::tolower(byte));
    else if (!key.empty() && key.back() != '-')
      key += '-';
  }
  while (!key.empty() && key.back() == '-')
    key.pop_back();
  return key.empty() ? "own" : key;
}

checkpoint::FamilyRule ruleOf(const Document& document, const PropertyRegistry& registry) {
  checkpoint::FamilyRule rule;
  rule.name = registry.text(document, "weights.rule.name");
  rule.key = ruleKeyOf(rule.name);
  rule.heads = static_cast<int>(registry.real(document, "weights.rule.heads"));
  rule.kvHeads = static_cast<int>(registry.real(document, "weights.rule.kv_heads"));
  checkpoint::StackRule stack;
  stack.query = registry.text(document, "weights.rule.query");
  stack.key = registry.text(document, "weights.rule.key");
  stack.queryBias = registry.text(document, "weights.rule.query_bias");
  stack.keyBias = registry.text(document, "weights.rule.key_bias");
  stack.fusion =
      checkpoint::fusionNamed(registry.text(document, "weights.rule.fusion")).value_or(checkpoint::Fusion::Separate);
  stack.transposed = registry.toggle(document, "weights.rule.transposed");
  stack.causal = registry.toggle(document, "weights.rule.causal");
  rule.stacks.push_back(std::move(stack));
  return rule;
}

Document withRule(const Document& document, const checkpoint::FamilyRule& rule) {
  Document next = document.with("weights.rule.heads", rule.heads).with("weights.rule.kv_heads", rule.kvHeads);
  if (rule.stacks.empty()) return next;
  const checkpoint::StackRule& stack = rule.stacks.front();
  return next.with("weights.rule.query", stack.query)
      .with("weights.rule.key", stack.key)
      .with("weights.rule.query_bias", stack.queryBias)
      .with("weights.rule.key_bias", stack.keyBias)
      .with("weights.rule.fusion", std::string(checkpoint::word(stack.fusion)))
      .with("weights.rule.transposed", stack.transposed)
      .with("weights.rule.causal", stack.causal);
}

std::string mapWords(const checkpoint::AttentionMap& map) {
  std::string text;
  for (const checkpoint::Stack stack : map.stacks()) {
    const checkpoint::AttentionLayer* first = nullptr;
    for (const checkpoint::AttentionLayer& layer : map.layers)
      if (!first && layer.stack == stack) first = &layer;
    if (!first) continue;
    if (!text.empty()) text += "; ";
    const int layers = map.layersOf(stack);
    text += fmt::format("{}: {} {}, {} {} × {}, d_model {}", stackWords(stack), layers,
                        layers == 1 ? tr("layer") : tr("layers"), first->heads,
                        first->heads == 1 ? tr("head") : tr("heads"), first->d_h, first->d_model);
    if (first->kvHeads != first->heads) text += fmt::format(", {} {}", first->kvHeads, tr("key heads"));
    if (first->d_key != first->d_model) text += fmt::format(", {} {}", tr("keys of width"), first->d_key);
  }
  return text;
}

bool MappingRule::Request::operator==(const Request& other) const {
  const auto said = [](const checkpoint::FamilyRule& of) {
    const checkpoint::StackRule& s = of.stacks.front();
    return std::tie(s.query, s.key, s.queryBias, s.keyBias, s.fusion, s.transposed, s.causal, of.heads, of.kvHeads);
  };
  return model == other.model && said(rule) == said(other.rule);
}

void MappingRule::update(const std::shared_ptr<const checkpoint::Model>& model, const checkpoint::FamilyRule& rule,
                         ExhibitContext& context) {
  lane_.refresh(context.jobs);
  if (!model) {
    lane_.clear();
    return;
  }
  lane_.request(context.jobs, {model, rule}, tr("trying the rule"),
                [](const Request& request, auto&) { return tried(*request.model->checkpoint, request.rule); });
}

namespace {

Property text(const char* key, const char* label, const char* fallback, const char* help) {
  Property property;
  property.key = key;
  property.label = label;
  property.kind = Kind::Text;
  property.fallback = std::string(fallback);
  property.help = help;
  return property;
}

Property whole(const char* key, const char* label, const char* help) {
  Property property = text(key, label, "", help);
  property.kind = Kind::Integer;
  property.min = 0;
  property.max = 4096;
  property.step = 1;
  property.digits = 0;
  property.fallback = 0.0;
  return property;
}

Property toggle(const char* key, const char* label, const char* help) {
  Property property = text(key, label, "", help);
  property.kind = Kind::Toggle;
  property.fallback = false;
  return property;
}

}  // namespace

void declareRule(PropertyRegistry& registry, const MappingRule& rule,
                 const std::function<bool(const Document&)>& applies) {
  const auto declare = [&](Property property) {
    property.applies = applies;
    registry.declare(std::move(property));
  };

  declare(text("weights.rule.query", N_("Queries"), "",
               N_("Names of the tensors with W_Q, {layer} in place of the layer's number: "
                  "layers.{layer}.attention.query.weight. What stands before it does not matter.")));
  registry.declare(
      text("weights.rule.key", N_("Keys"), "",
           N_("Names of the tensors with W_K; the same as for the queries where both lie in one tensor.")));
  declare(text("weights.rule.query_bias", N_("Query bias"), "",
               N_("Names of the biases of the queries; empty where there are none. W_qk leaves them out.")));
  declare(text("weights.rule.key_bias", N_("Key bias"), "",
               N_("Names of the biases of the keys; empty where there are none.")));
  Property fusion =
      text("weights.rule.fusion", N_("Layout"), "separate",
           N_("Whether queries and keys are tensors of their own, lie block after block in one tensor, or "
              "head after head."));
  fusion.kind = Kind::Choice;
  fusion.choices = {"separate", "blocks", "per-head"};
  fusion.choiceLabel = [](const std::string& key) {
    return std::string(key == "blocks"     ? tr("one tensor, in blocks")
                       : key == "per-head" ? tr("one tensor, head by head")
                                           : tr("tensors of their own"));
  };
  declare(fusion);
  declare(toggle("weights.rule.transposed", N_("Transposed"),
                 N_("Off: rows of the tensor are outputs, as nn.Linear stores it. On: columns are, as GPT-2's "
                    "Conv1D does.")));
  declare(toggle("weights.rule.causal", N_("Causal"), N_("Whether a token sees only those before it.")));
  declare(whole("weights.rule.heads", N_("Heads"), N_("Query heads of a layer; 0: as the config says.")));
  registry.declare(
      whole("weights.rule.kv_heads", N_("Key heads"),
            N_("Key heads of a layer where fewer than query heads; 0: as the config says, else as many.")));
  declare(text("weights.rule.name", N_("Rule's name"), "my model",
               N_("Under this name the rule is saved, and models that it fits are recognised by it.")));

  const auto readOut = [&](const char* key, const char* label, const char* help, auto get) {
    ReadOut made;
    made.key = key;
    made.label = label;
    made.help = help;
    made.digits = 0;
    made.applies = applies;
    made.get = [get](int) -> Value { return get(); };
    registry.declare(std::move(made));
  };
  readOut("weights.rule.matches.query", N_("Query tensors"), N_("How many tensors the pattern of the queries finds."),
          [&rule]() -> Value { return static_cast<double>(rule.trial().query); });
  readOut("weights.rule.matches.key", N_("Key tensors"), N_("How many tensors the pattern of the keys finds."),
          [&rule]() -> Value { return static_cast<double>(rule.trial().key); });
  readOut("weights.rule.result", N_("The rule gives"),
          N_("Layers, heads and widths as the rule maps them, or what does "
             "not fit."),
          [&rule]() -> Value { return rule.fits() ? mapWords(*rule.trial().map) : rule.trial().failure; });
}

}  // namespace sepx::ui
