// SPDX-License-Identifier: Apache-2.0
// A family as data: patterns of tensor names and how queries and keys lie in them. The families that ship and those
// that a person maps by hand are the same kind of rule. Rules are saved as JSON. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/checkpoint/attention_map.h"
#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// How queries, keys and values lie in one tensor.
enum class Fusion {
  Separate,  ///< a tensor each
  Blocks,    ///< all queries, then all keys, then all values (grouped: H + K + K heads)
  PerHead,   ///< head after head: its query, key and value (GPT-NeoX); with fewer key heads group after group: its
             ///< queries, its key, its value (Falcon 40B)
};
const char* toString(Fusion fusion);  ///< "separate", "blocks", "per-head"
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

/// The rest of a family: how a whole model of it is computed (model_plan.h), and how a trained model is written under
/// its names (train/checkpoint_writer.h). Names are those of linear layers and norms, without ".weight" and ".bias", or
/// whole names where it says so; an empty one: the family has no such part. Where queries and keys are, whether it is
/// causal, how it norms, rotates and lays its tensors out, say its stack and rule.
struct FamilyParts {
  std::string prefix;                   ///< written before all names but those of the head: "bert."; read behind any
  std::string value, projection;        ///< of a layer; value: where it is a tensor of its own
  std::string gate, up, down;           ///< of its feed-forward part
  bool gateInUp = false;                ///< `up` holds the gate, then what it multiplies
  std::string attentionNorm;            ///< after the attention's sum; before the attention it is the stack's
  std::string feedForwardNorm;          ///< at the same place of the feed-forward part
  bool bareFirstLayer = false;          ///< no norm before the first attention
  std::string segments, embeddingNorm;  ///< segments: the whole name of the table
  /// Of models that read images; the class token and the positions are whole names of tables [1, rows, d_model].
  std::string classToken, patches, patchPositions;
  std::string finalNorm;                ///< before the head
  std::string headTransform, headNorm;  ///< of the head, without the prefix
  std::string head;                     ///< whole name, where it is not tied to the embedding
  std::vector<std::string> outputBias;  ///< whole names
  bool wordsInLines = false;            ///< vocab.txt in place of vocab.json
  /// config.json; values "{length}" and so on are the model's (family_export_config.cpp lists them). A switch that
  /// stands here ("{attention_bias}", "{kv_heads}", "{head_dim}", "{scaled}") is free, any other is as usual. Null:
  /// models are read and computed under these names, and not written.
  const char* config = nullptr;

  // What only the computation needs.
  bool gateLast = false;                             ///< with gateInUp: the gate is the second half (OLMo 1)
  std::string attentionOutNorm, feedForwardOutNorm;  ///< of what a branch adds, before the sum (Gemma 2, OLMo 2)
  bool bareLayers = false;  ///< layers may lack the norm before the attention, whatever the stack says
  bool plainGate = false;   ///< the gate is [out, in], whatever the rest is
  std::string attentionGain, feedForwardGain;  ///< whole names: factors of what a branch adds (DINOv2)
  bool parallel = false;                       ///< both branches read the block's input
  std::optional<NormSource::Kind> norm;        ///< of all norms, where the stack does not tell (GGUF)
  bool normsWithoutWeights = false;            ///< OLMo 1
  bool separateHead = false;                   ///< the head is never tied to the embedding (Qwen 1)
  double epsilon = 0;                          ///< of the norms where the config is silent; 0: as usual
  FeedForwardActivation activation = FeedForwardActivation::GeluTanh;  ///< where the config is silent
  bool ownActivation = false;          ///< the code does not ask the config for the activation
  std::string embeddingProjection;     ///< of embeddings narrower than the layers
  std::string secondToken;             ///< whole name of DeiT's distillation token
  std::string patchNorm, patchedNorm;  ///< before and after the linear layer of the patches
  bool patchFirst = false;             ///< numbers of a patch: row, column, channel
  /// Names that depend on the config or on what the file has; before anything is looked up.
  std::function<void(const Checkpoint&, const ModelConfig&, FamilyParts&)> adapt;
  /// Windows, caps, scales, biases of distance; after everything else. BadInput, one sentence: what the config says
  /// cannot be computed.
  std::function<Result<void>(const Checkpoint&, const ModelConfig&, ModelPlan&)> compute;
};

struct FamilyRule {
  std::string key, name;                ///< "gpt2", "GPT-2"
  std::vector<std::string> modelTypes;  ///< model_type of config.json, general.architecture of GGUF
  std::vector<StackRule> stacks;
  /// 0: from the config. A config that says another number of query heads goes before these, unless they stand in place
  /// of that very number (`insteadOf`); the map's notes say what was taken.
  int heads = 0, kvHeads = 0;
  int insteadOf = 0;  ///< query heads that the config said of the checkpoint for which a person wrote `heads`

  // What families that ship say besides; not saved.
  bool byNames = true;             ///< may be recognised without its model type; false: its names are another's
  std::vector<std::string> needs;  ///< patterns that must find something, "!" before those that must not
  std::string tokenEmbedding, positionEmbedding;  ///< names without "{layer}", behind any prefix
  std::int64_t positionOffset = 0;
  std::vector<std::string> notes;
  std::optional<FamilyParts> parts;  ///< none: its models are not computed, and none is written under its names
  /// The family's own ways, after everything else.
  std::function<void(const Checkpoint&, const ModelConfig&, AttentionMap&)> finish;
};

/// Those that ship, most particular first.
const std::vector<FamilyRule>& allFamilies();

}  // namespace sepx::checkpoint
