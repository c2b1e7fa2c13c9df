// SPDX-License-Identifier: Apache-2.0
// A family as data: patterns of tensor names, and the layout of queries and keys in these tensors. Built-in families
// and those that a user maps by hand are the same kind of rule. The user's are saved as JSON. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/checkpoint/attention_map.h"
#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// Layout of queries, keys and values in tensors.
enum class Fusion {
  Separate,  ///< one tensor each
  Blocks,    ///< all queries, then all keys, then all values (grouped: H + K + K heads)
  PerHead,   ///< for each head its query, key and value (GPT-NeoX); with fewer key heads, for each group its queries,
             ///< its key and its value (Falcon 40B)
};
const char* toString(Fusion fusion);  ///< "separate", "blocks", "per-head"
std::optional<Fusion> fusionNamed(std::string_view word);

/// Which outputs of a head the rotary encoding rotates as a pair.
enum class Rotation { None, Halves, Pairs };

/// Attention of one stack. "{layer}" in a pattern is the layer's number; a pattern may follow any prefix.
struct StackRule {
  Stack stack = Stack::Self;
  std::string query, key;  ///< weights; the same pattern twice if they are fused
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
  bool scaled = true;              ///< the score is scaled by 1/sqrt(d_h); false: by 1
  std::vector<std::string> width;  ///< tensors whose first dimension is d_model, to tell a slice from the full width
};

class ModelConfig;

/// The other parts of a family: how a whole model is computed (model_plan.h), and how a trained model is written with
/// the family's names (train/checkpoint_writer.h). Names are those of linear layers and norms, without ".weight" and
/// ".bias", or whole names where it says so. An empty name means that the family has no such part. The stack and the
/// rule say where queries and keys are, whether the attention is causal, and which norms, rotations and tensor layouts
/// are used.
struct FamilyParts {
  std::string prefix;  ///< written before all names but those of the head: "bert."; any prefix is accepted when reading
  std::string value, projection;  ///< of a layer; value: only if it is a tensor of its own
  std::string gate, up, down;     ///< of its feed-forward part
  bool gateInUp = false;          ///< `up` holds the gate, followed by the part that the gate multiplies
  std::string attentionNorm;      ///< norm after the attention's sum; the norm before the attention is in the stack
  std::string feedForwardNorm;    ///< after the feed-forward sum if there is an attentionNorm, else before that part
  bool bareFirstLayer = false;    ///< the first attention has no norm before it
  std::string segments, embeddingNorm;  ///< segments: the whole name of the table
  /// For models that read images. The class token and the positions are whole names of tables [1, rows, d_model].
  std::string classToken, patches, patchPositions;
  std::string finalNorm;                ///< before the head
  std::string headTransform, headNorm;  ///< of the head, without the prefix
  std::string head;                     ///< whole name, if it is not tied to the embedding
  std::vector<std::string> outputBias;  ///< whole names
  bool wordsInLines = false;            ///< the vocabulary is vocab.txt instead of vocab.json
  /// Template of config.json; placeholders such as "{length}" stand for the model's values (family_export_config.cpp
  /// lists them). A switch is free if its placeholder is used ("{attention_bias}", "{kv_heads}", "{head_dim}",
  /// "{scaled}"), otherwise it has the usual value. Null: models are read and computed with these names, but not
  /// written.
  const char* config = nullptr;

  // Used only by the computation.
  bool gateLast = false;                             ///< with gateInUp: the gate is the second half (OLMo 1)
  std::string attentionOutNorm, feedForwardOutNorm;  ///< norms of a branch's output, before the sum (Gemma 2, OLMo 2)
  bool bareLayers = false;  ///< layers may lack the norm before the attention, even if the stack names one
  bool plainGate = false;   ///< the gate is [out, in], also if the other weights are [in, out]
  std::string attentionGain, feedForwardGain;  ///< whole names: factors on a branch's output (DINOv2)
  bool parallel = false;                       ///< both branches read the block's input
  std::optional<NormSource::Kind> norm;        ///< kind of all norms, if the stack does not tell it (GGUF)
  bool normsWithoutWeights = false;            ///< the norms have no weights (OLMo 1)
  bool separateHead = false;                   ///< the head is never tied to the embedding (Qwen 1)
  double epsilon = 0;                          ///< of the norms if the config gives none; 0: the default
  FeedForwardActivation activation = FeedForwardActivation::GeluTanh;  ///< if the config gives none
  bool ownActivation = false;                                          ///< the activation is not taken from the config
  std::string embeddingProjection;     ///< projection of embeddings that are narrower than the layers
  std::string secondToken;             ///< whole name of DeiT's distillation token
  std::string patchNorm, patchedNorm;  ///< before and after the linear layer of the patches
  bool patchFirst = false;             ///< order of the values of a patch: row, column, channel
  /// Adapts names to the config or to the tensors in the file. Called before any name is looked up.
  std::function<void(const Checkpoint&, const ModelConfig&, FamilyParts&)> adapt;
  /// Adds windows, caps, scales and distance biases to the plan. Called after all other steps. BadInput, in one
  /// sentence, if something that the config asks for cannot be computed.
  std::function<Result<void>(const Checkpoint&, const ModelConfig&, ModelPlan&)> compute;
};

struct FamilyRule {
  std::string key, name;                ///< "gpt2", "GPT-2"
  std::vector<std::string> modelTypes;  ///< model_type of config.json, general.architecture of GGUF
  std::vector<StackRule> stacks;
  /// Numbers of heads; 0: from the config. If the config gives a different number of query heads, the config wins,
  /// unless that number is `insteadOf`. The map's notes say which number was used.
  int heads = 0, kvHeads = 0;
  int insteadOf = 0;  ///< number of query heads in the config of the checkpoint for which the user set `heads`

  // Only in built-in families; not saved.
  bool byNames = true;  ///< may be recognised without its model type; false: another family has the same names
  std::vector<std::string> needs;  ///< patterns that must match; with "!" before them, patterns that must not
  std::string tokenEmbedding, positionEmbedding;  ///< names without "{layer}", after any prefix
  std::int64_t positionOffset = 0;
  std::vector<std::string> notes;
  std::optional<FamilyParts> parts;  ///< none: models of this family are neither computed nor written
  /// Adjusts the map for the particulars of the family, after its layers and embeddings were found.
  std::function<void(const Checkpoint&, const ModelConfig&, AttentionMap&)> finish;
};

/// The built-in families, the most specific first.
const std::vector<FamilyRule>& allFamilies();

}  // namespace sepx::checkpoint
