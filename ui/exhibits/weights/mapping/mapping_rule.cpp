// SPDX-License-Identifier: Apache-2.0
// The assistant's rule: document, trial, declarations.
#include "ui/exhibits/weights/mapping/mapping_rule.h"

#include <cctype>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "engine/checkpoint/family_guess.h"
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
    trial.failure = map.error().message;
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
  registry.read(document, rule);
  rule.key = ruleKeyOf(rule.name);
  checkpoint::StackRule stack;
  registry.read(document, stack);
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
      .with("weights.rule.fusion", std::string(checkpoint::toString(stack.fusion)))
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
  const auto fieldsOf = [](const checkpoint::FamilyRule& of) {
    const checkpoint::StackRule& s = of.stacks.front();
    return std::tie(s.query, s.key, s.queryBias, s.keyBias, s.fusion, s.transposed, s.causal, of.heads, of.kvHeads);
  };
  return model == other.model && fieldsOf(rule) == fieldsOf(other.rule);
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

void declareRule(PropertyRegistry& registry, const MappingRule& rule, const Condition& applies) {
  const auto trial = [&rule](auto member) { return [&rule, member](int) { return valueOf(rule.trial().*member); }; };
  const auto result = [](const MappingRule& of) { return of.fits() ? mapWords(*of.trial().map) : of.trial().failure; };
  // clang-format off
  declareParameters(registry, {.prefix = "weights.rule.", .applies = applies}, {
      {.key = "query", .into = &checkpoint::StackRule::query, .label = N_("Queries"), .fallback = "",
       .help = N_("Names of the tensors with W_Q, with {layer} in place of the layer's number: "
                  "layers.{layer}.attention.query.weight. Any prefix before this is ignored.")},
      {.key = "key", .into = &checkpoint::StackRule::key, .label = N_("Keys"), .fallback = "",
       .help = N_("Names of the tensors with W_K; the same as for the queries where both lie in one tensor.")},
      {.key = "query_bias", .into = &checkpoint::StackRule::queryBias, .label = N_("Query bias"), .fallback = "",
       .help = N_("Names of the biases of the queries; empty where there are none. W_qk leaves them out.")},
      {.key = "key_bias", .into = &checkpoint::StackRule::keyBias, .label = N_("Key bias"), .fallback = "",
       .help = N_("Names of the biases of the keys; empty where there are none.")},
      {.key = "fusion", .into = &checkpoint::StackRule::fusion, .label = N_("Layout"),
       .options = {{"separate", N_("separate tensors")}, {"blocks", N_("one tensor, in blocks")},
                   {"per-head", N_("one tensor, head by head")}},
       .help = N_("Whether queries and keys are separate tensors, consecutive blocks of one tensor, or interleaved "
                  "head by head in one tensor.")},
      {.key = "transposed", .into = &checkpoint::StackRule::transposed, .label = N_("Transposed"), .fallback = false,
       .help = N_("Off: rows of the tensor are outputs, as in nn.Linear. On: columns are outputs, as in GPT-2's "
                  "Conv1D.")},
      {.key = "causal", .into = &checkpoint::StackRule::causal, .label = N_("Causal"), .fallback = false,
       .help = N_("Whether a token attends only to itself and earlier tokens.")},
      {.key = "heads",
       .into = &checkpoint::FamilyRule::heads,
       .label = N_("Heads"), .kind = Kind::Integer, .max = 4096, .fallback = 0.0,
       .help = N_("Query heads of a layer; 0: as the config says.")},
      {.key = "kv_heads",
       .into = &checkpoint::FamilyRule::kvHeads,
       .label = N_("Key heads"), .kind = Kind::Integer, .max = 4096, .fallback = 0.0,
       .help = N_("Key heads of a layer if fewer than query heads; 0: as the config says, otherwise as many as query heads.")},
      {.key = "name", .into = &checkpoint::FamilyRule::name, .label = N_("Rule's name"), .fallback = "my model",
       .help = N_("Name under which the rule is saved. Models that the rule fits are recognised by it.")}});
  declareReadOuts(registry, {.prefix = "weights.rule.", .applies = applies}, {
      {.key = "matches.query", .label = N_("Query tensors"),
       .help = N_("How many tensors the pattern of the queries finds."), .digits = 0, .get = trial(&RuleTrial::query)},
      {.key = "matches.key", .label = N_("Key tensors"), .help = N_("How many tensors the pattern of the keys finds."),
       .digits = 0, .get = trial(&RuleTrial::key)},
      {.key = "result", .label = N_("Rule's result"),
       .help = N_("Layers, heads and widths as the rule maps them, or what does not fit."), .digits = 0,
       .get = gettersOf(rule)(result)}});
  // clang-format on
}

}  // namespace sepx::ui
