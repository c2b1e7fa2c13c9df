// SPDX-License-Identifier: Apache-2.0
// For the mapping assistant: tries a rule, with a sentence for each thing that may be wrong, and guesses an initial
// rule from names.
#include "engine/checkpoint/family_guess.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "engine/checkpoint/family_apply.h"
#include "engine/core/terminal_text.h"

namespace sepx::checkpoint {

namespace {

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct Pair {
  const char* query;
  const char* key;
};
constexpr std::array kPairs{Pair{"query", "key"}, Pair{"Query", "Key"}, Pair{"queries", "keys"}, Pair{"q", "k"},
                            Pair{"Q", "K"}};
constexpr std::array kFused{"qkv",     "query_key_value", "c_attn", "in_proj_weight",
                            "in_proj", "att_proj",        "Wqkv",   "wqkv"};

// The name with the last word for queries replaced by that for keys; empty when there is no such word.
std::string keyNameOf(const std::string& name, const Pair& pair) {
  const std::string_view word = pair.query;
  for (std::size_t at = name.rfind(word); at != std::string::npos;
       at = at == 0 ? std::string::npos : name.rfind(word, at - 1)) {
    const bool free =
        word.size() > 1 || ((at == 0 || !isLetter(name[at - 1]) || name[at - 1] == 'w' || name[at - 1] == 'W') &&
                            (at + 1 >= name.size() || !isLetter(name[at + 1])));
    if (free) return name.substr(0, at) + pair.key + name.substr(at + word.size());
  }
  return {};
}

bool isFused(const std::string& name) {
  return std::any_of(kFused.begin(), kFused.end(),
                     [&](const char* word) { return name.find(word) != std::string::npos; });
}

// Every pattern that the name may match, one for each of the last numbers in it.
std::vector<std::string> patternsOf(const std::string& name) {
  constexpr std::size_t kMostNumbers = 8;  // a name may be nothing but numbers
  std::vector<std::string> patterns;
  std::vector<std::pair<std::size_t, std::size_t>> numbers;  // begin and end
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() && isDigit(name[end]))
      ++end;
    const bool whole = end > at && (at == 0 || !isLetter(name[at - 1])) && (end == name.size() || !isLetter(name[end]));
    if (whole) numbers.emplace_back(at, end);
    at = end == at ? at + 1 : end;
  }
  if (numbers.size() > kMostNumbers) numbers.erase(numbers.begin(), numbers.end() - kMostNumbers);
  for (const auto& [at, end] : numbers)
    patterns.push_back(name.substr(0, at) + std::string(kLayerMark) + name.substr(end));
  if (patterns.empty()) patterns.push_back(name);
  return patterns;
}

Stack stackOf(const std::string& pattern) {
  const auto has = [&pattern](const char* word) { return pattern.find(word) != std::string::npos; };
  if (has("cross") || has("encoder_attn") || has("src_attn") || has("EncDec") || has("multihead_attn"))
    return Stack::Cross;
  if (has("decoder") || has("dec.")) return Stack::Decoder;
  return has("encoder") || has("enc.") ? Stack::Encoder : Stack::Self;
}

// A pattern of queries and that of the keys beside it, with the placeholder at the same number in the name.
struct Candidate {
  std::string query, key;
  std::size_t layers = 0;
};

StackRule stackRuleOf(const NameIndex& names, const Candidate& candidate) {
  StackRule rule;
  rule.stack = stackOf(candidate.query);
  rule.query = candidate.query;
  rule.key = candidate.key;
  const auto found = names.find(candidate.query);
  if (found.empty()) return rule;
  const TensorInfo& tensor = *found.front().tensor;
  rule.perHead = tensor.shape.size() == 3;
  if (candidate.query == candidate.key) {
    rule.fusion = Fusion::Blocks;
    rule.transposed = tensor.shape.size() == 2 && tensor.shape[1] > tensor.shape[0];
  }
  const auto bias = [&](std::string pattern) {
    const std::size_t at = pattern.rfind("weight");
    if (at == std::string::npos) return std::string();
    pattern.replace(at, 6, "bias");
    return names.has(pattern) ? pattern : std::string();
  };
  rule.queryBias = bias(rule.query);
  rule.keyBias = bias(rule.key);
  return rule;
}

}  // namespace

int headsOfConfig(const Checkpoint& checkpoint) {
  return ModelConfig(checkpoint).heads(Stack::Self, 0).value_or(0);
}

Result<AttentionMap> tryRule(const Checkpoint& checkpoint, const FamilyRule& rule) {
  if (rule.stacks.empty()) return fail(ErrorKind::Usage, "the rule has no patterns yet");
  const NameIndex names(checkpoint);
  for (const StackRule& stack : rule.stacks)
    for (const auto& [what, pattern] : {std::pair("queries", &stack.query), std::pair("keys", &stack.key)}) {
      if (pattern->empty())
        return fail(ErrorKind::Usage,
                    fmt::format("the pattern for the {} of the {} stack is empty", what, toString(stack.stack)));
      if (!names.has(*pattern))
        return fail(ErrorKind::Usage,
                    fmt::format("\"{}\" finds no tensor: {{layer}} stands for the layer's number, and any prefix that "
                                "ends with a dot may come before it",
                                excerpt(*pattern, 120)));
    }
  Attempt attempt = applyRule(checkpoint, names, ModelConfig(checkpoint), rule);
  if (!attempt.why.empty()) return fail(ErrorKind::Usage, attempt.why);
  attempt.map.recognisedBy = "the rule \"" + excerpt(rule.name.empty() ? rule.key : rule.name, 120) + "\"";
  return std::move(attempt.map);
}

FamilyRule guessRule(const Checkpoint& checkpoint) {
  constexpr std::size_t kMostLooked = 20'000;  // a guess need not read a list of a million names
  const NameIndex names(checkpoint);
  std::map<std::string, Candidate> candidates;
  std::size_t looked = 0;
  for (const TensorInfo& tensor : checkpoint.tensors()) {
    if (tensor.shape.size() < 2 || tensor.shape.size() > 3 || ++looked > kMostLooked) continue;
    const auto add = [&](const std::string& queryName, const std::string& keyName) {
      const std::vector<std::string> queries = patternsOf(queryName), keys = patternsOf(keyName);
      for (std::size_t i = 0; i < queries.size() && i < keys.size(); ++i) {
        Candidate& one = candidates[queries[i]];
        one.query = queries[i];
        one.key = keys[i];
        ++one.layers;
      }
    };
    if (isFused(tensor.name)) {
      add(tensor.name, tensor.name);
      continue;
    }
    for (const Pair& pair : kPairs) {
      const std::string key = keyNameOf(tensor.name, pair);
      if (key.empty() || checkpoint.find(key) == nullptr) continue;
      add(tensor.name, key);
      break;
    }
  }
  std::vector<Candidate> sorted;
  for (auto& [pattern, candidate] : candidates)
    sorted.push_back(std::move(candidate));
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.layers > b.layers; });
  FamilyRule rule;
  rule.key = "mine";
  rule.name = checkpoint.name();
  for (const Candidate& candidate : sorted) {
    const Stack stack = stackOf(candidate.query);
    if (std::none_of(rule.stacks.begin(), rule.stacks.end(), [&](const StackRule& one) { return one.stack == stack; }))
      rule.stacks.push_back(stackRuleOf(names, candidate));
  }
  if (rule.stacks.empty()) rule.stacks.emplace_back();
  if (rule.stacks.size() == 1) rule.stacks.front().stack = Stack::Self;
  const ModelConfig config(checkpoint);
  rule.heads = config.heads(rule.stacks.front().stack, 0).value_or(0);
  rule.kvHeads = config.kvHeads(0).value_or(0);
  return rule;
}

}  // namespace sepx::checkpoint
