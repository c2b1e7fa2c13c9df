// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/attention_map.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/checkpoint/family_apply.h"
#include "engine/core/terminal_text.h"

namespace sepx::checkpoint {

namespace {

constexpr std::array kStacks{Stack::Self, Stack::Encoder, Stack::Decoder, Stack::Cross};

}  // namespace

const char* toString(Stack stack) {
  switch (stack) {
    case Stack::Self:
      return "self";
    case Stack::Encoder:
      return "encoder";
    case Stack::Decoder:
      return "decoder";
    case Stack::Cross:
      return "cross";
  }
  return "self";
}

std::optional<Stack> stackNamed(std::string_view asked) {
  for (const Stack stack : kStacks)
    if (asked == toString(stack)) return stack;
  return std::nullopt;
}

std::int64_t ProjectionSource::firstOf(std::int64_t head) const {
  if (groupHeads == 0) return offset + head * headStride;
  return offset + head / groupHeads * groupStride + head % groupHeads * headStride;
}

std::vector<Stack> AttentionMap::stacks() const {
  std::vector<Stack> there;
  for (const AttentionLayer& layer : layers)
    if (std::find(there.begin(), there.end(), layer.stack) == there.end()) there.push_back(layer.stack);
  return there;
}

int AttentionMap::layersOf(Stack stack) const {
  return static_cast<int>(
      std::count_if(layers.begin(), layers.end(), [stack](const AttentionLayer& one) { return one.stack == stack; }));
}

const AttentionLayer* AttentionMap::find(Stack stack, int layer) const {
  const auto found = std::find_if(layers.begin(), layers.end(),
                                  [&](const AttentionLayer& one) { return one.stack == stack && one.layer == layer; });
  return found == layers.end() ? nullptr : &*found;
}

// Recognises the family of a checkpoint: from the user's own rules, then the type in the config, then the tensor names.

namespace {

class Recogniser {
 public:
  explicit Recogniser(const Checkpoint& checkpoint)
      : checkpoint_(checkpoint), names_(checkpoint), config_(checkpoint) {}

  AttentionMap map(const std::vector<FamilyRule>& own) {
    for (const FamilyRule& rule : own)
      if (fits(rule)) return taken("the rule \"" + rule.name + "\"");
    for (const std::string& type : config_.modelTypes()) {
      if (type.empty()) continue;
      for (const FamilyRule& rule : allFamilies())
        if (std::find(rule.modelTypes.begin(), rule.modelTypes.end(), type) != rule.modelTypes.end() && fits(rule))
          return taken(said(type));
    }
    for (const FamilyRule& rule : allFamilies())
      if (rule.byNames && fits(rule)) return taken(byNames());
    return none();
  }

 private:
  bool fits(const FamilyRule& rule) {
    Attempt attempt = applyRule(checkpoint_, names_, config_, rule);
    if (attempt.why.empty()) {
      map_ = std::move(attempt.map);
      return true;
    }
    // The first rule whose queries are found gives the most useful reason.
    if (attempt.namesFound && why_.empty()) why_ = attempt.why;
    return false;
  }

  AttentionMap taken(std::string by) {
    map_.recognisedBy = std::move(by);
    return std::move(map_);
  }

  std::string said(const std::string& type) const {
    return fmt::format("{} ({} {})", config_.from(), config_.isGguf() ? "architecture" : "model_type",
                       excerpt(type, 40));
  }

  std::string byNames() const {
    const std::string& type = config_.modelType();
    if (type.empty()) return "names of tensors";
    return config_.isGguf() ? said(type) : "names of tensors, not " + said(type);
  }

  AttentionMap none() {
    AttentionMap map;
    if (!why_.empty()) {
      map.noQkReason = why_;
    } else if (latent()) {
      map.noQkReason =
          "keys come from a compressed latent (kv_a_proj), and a part of them is rotated: no W_qk is formed of "
          "such attention";
    } else {
      map.noQkReason =
          "no tensors are named as the queries and keys of a known family (BERT, GPT-2, LLaMA, T5, ViT …); "
          "name the patterns in the mapping (page Mapping of the window), or in a file of the rules folder";
    }
    return map;
  }

  bool latent() const { return names_.has("layers.{layer}.self_attn.kv_a_proj_with_mqa.weight"); }

  const Checkpoint& checkpoint_;
  NameIndex names_;
  ModelConfig config_;
  AttentionMap map_;
  std::string why_;
};

}  // namespace

AttentionMap mapAttention(const Checkpoint& checkpoint) {
  return mapAttention(checkpoint, {});
}

AttentionMap mapAttention(const Checkpoint& checkpoint, const std::vector<FamilyRule>& own) {
  return Recogniser(checkpoint).map(own);
}

}  // namespace sepx::checkpoint
