// SPDX-License-Identifier: Apache-2.0
// A family as data: patterns of tensor names and how queries and keys lie in them. The families that ship and those
// that a person maps by hand are the same kind of rule. Rules are saved as JSON. Any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/checkpoint/attention_map.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// How queries, keys and values lie in one tensor.
enum class Fusion {
  Separate,  ///< a tensor each
  Blocks,    ///< all queries, then all keys, then all values (grouped: H + K + K heads)
  PerHead,   ///< head after head: its query, key and value (GPT-NeoX); with fewer key heads group after group: its
             ///< queries, its key, its value (Falcon 40B)
};
const char* word(Fusion fusion);  ///< "separate", "blocks", "per-head"
std::optional<Fusion> fusionNamed(std::string_view word);

/// Which outputs of a head the rotary encoding turns together.
enum class Rotation { None, Halves, Pairs };

/// Attention of one stack. "{layer}" in a pattern is the layer's number; a pattern may stand behind any prefix.
struct StackRule {
  Stack stack = Stack::Self;
  std::string query, key;  ///< weights; the same pattern twice where they are fused
  std::string queryBias, keyBias;
  Fusion fusion = Fusion::Separate;
  bool transposed = false;         ///< [in, out]
  bool perHead = false;            ///< [heads, in, out]
  std::string normGain, normBias;  ///< of the norm before the projections; empty: post-norm or none
  bool rms = false;
  bool causal = false;
  std::string qNorm, kNorm;  ///< gains of norms of a head's query and key
  bool onePlusGain = false;
  Rotation rotation = Rotation::None;
  bool scaled = true;              ///< by 1/sqrt(d_h); false: 1
  std::vector<std::string> width;  ///< tensors whose first dimension is d_model, to tell a slice from the whole
};

class ModelConfig;

struct FamilyRule {
  std::string key, name;                ///< "gpt2", "GPT-2"
  std::vector<std::string> modelTypes;  ///< model_type of config.json, general.architecture of GGUF
  std::vector<StackRule> stacks;
  int heads = 0, kvHeads = 0;  ///< 0: from the config; a person's rule says them where no config does

  // What families that ship say besides; not saved.
  bool byNames = true;             ///< may be recognised without its model type; false: its names are another's
  std::vector<std::string> needs;  ///< patterns that must find something, "!" before those that must not
  std::string tokenEmbedding, positionEmbedding;  ///< names without "{layer}", behind any prefix
  std::int64_t positionOffset = 0;
  std::vector<std::string> notes;
  /// The family's own ways, after everything else.
  std::function<void(const Checkpoint&, const ModelConfig&, AttentionMap&)> finish;
};

/// Those that ship, most particular first.
const std::vector<FamilyRule>& families();
/// "BERT, RoBERTa, …" for sentences and help.
std::string familyNames();

/// A person's rules: JSON files in `folder`. BadInput names file and field. A folder that is not there has none.
Result<std::vector<FamilyRule>> readRules(const std::string& folder);
/// Writes `rule` as `folder`/key.json. OutputFailed.
Result<void> writeRule(const std::string& folder, const FamilyRule& rule);

/// What the assistant shows before a rule is saved: the map that it gives, or Usage with a sentence that says which
/// pattern finds nothing, or which shape does not go with the others.
Result<AttentionMap> tryRule(const Checkpoint& checkpoint, const FamilyRule& rule);
/// A rule to begin with, guessed from names that look like queries and keys; patterns empty where nothing does.
FamilyRule guessRule(const Checkpoint& checkpoint);

}  // namespace sepx::checkpoint
