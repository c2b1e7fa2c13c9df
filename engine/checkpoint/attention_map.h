// SPDX-License-Identifier: Apache-2.0
// Where the attention weights of a model are among its tensors: for every layer and head, which rows of which tensor
// are W_Q and W_K, and the biases, the norm and the rotary encoding that W_qk leaves out. Rules (family_rule.h) find
// this from the config or the tensor names; the user is shown it unchanged. Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// `Self` if the model has a single stack of attention, either an encoder or a decoder.
enum class Stack { Self, Encoder, Decoder, Cross };
const char* toString(Stack stack);  ///< "self", "encoder", "decoder", "cross"
std::optional<Stack> stackNamed(std::string_view word);

/// The outputs of a projection inside a tensor viewed as [out, in] (`transposed`: [in, out], as Conv1D stores it).
/// Output a of head h has the index offset + h * headStride + a. If `groupHeads` is not 0, the heads are in groups and
/// the index is offset + (h / groupHeads) * groupStride + (h % groupHeads) * headStride + a (Falcon 40B, InternLM 2).
struct ProjectionSource {
  std::string tensor;                       ///< its name in the checkpoint
  bool transposed = false;                  ///< [in, out]
  std::int64_t offset = 0, headStride = 0;  ///< index of the first output of head 0; outputs from one head to the next
  std::int64_t groupHeads = 0, groupStride = 0;  ///< heads per group, 0: no groups; outputs from one group to the next
  /// The tensor has three dimensions, [heads, in, out], such as `W_Q` of [H, d, d_h] (a bias: [heads, out]). The offset
  /// and the strides are then unused.
  bool perHead = false;

  /// Index of the first output of head h.
  std::int64_t firstOf(std::int64_t head) const;
};

/// A norm, such as the one applied to x before W_Q and W_K.
struct NormSource {
  enum class Kind { Layer, Rms } kind = Kind::Layer;  ///< LayerNorm, or RMSNorm
  std::string gain, bias;                             ///< tensors; empty: none
  double epsilon = 1e-5;                              ///< added to the variance under the root
  bool onePlusGain = false;                           ///< Gemma: the gain is 1 + the stored value
};

struct RopeSource {          ///< rotary position encoding of a layer
  double base = 10000;       ///< theta_s = base^(-2s/dimensions)
  int dimensions = 0;        ///< how many dimensions of d_h are rotated
  bool interleaved = false;  ///< pairs (2i, 2i+1) as in GPT-J and llama2.c; false: (i, i + dimensions/2)
};

/// The attention of one layer: W_qk is a [d_model, d_key] form of rank at most heads * d_h.
struct AttentionLayer {
  int layer = 0;               ///< from 0 within its stack
  Stack stack = Stack::Self;   ///< the stack that the layer is in
  int d_model = 0;             ///< width of the query side; rows of W_qk
  int d_key = 0;               ///< width of the key side; columns. Differs from d_model only in cross attention
  int heads = 0, kvHeads = 0;  ///< query head h uses key head h / (heads / kvHeads), rounded down
  int d_h = 0;                 ///< width of a head
  ProjectionSource W_Q, W_K;   ///< W_Q has `heads` heads, W_K has `kvHeads`
  std::optional<ProjectionSource> b_Q, b_K;  ///< biases, as vectors of the same layout
  std::optional<NormSource> norm;            ///< before the projections (pre-norm models only)
  bool normOfKeys = true;                    ///< false in cross attention: the norm applies to the query side only
  std::optional<NormSource> q_norm, k_norm;  ///< norms of the heads' queries and keys (Qwen 3, Gemma 3, ViT-22B …)
  std::optional<RopeSource> rope;            ///< none: W_qk does not depend on the distance
  double scale = 1;                          ///< the model's factor on x W_qk x: 1/sqrt(d_h), 1 in T5 and GPT-Neo
  bool causal = false;                       ///< query i attends only to keys j <= i
};

/// A row of the mapping as it is displayed: "W_Q of head h" <- "h.{layer}.attn.c_attn.weight, columns 64 h …".
struct MappingRow {
  std::string what, from;  ///< the two columns
};

struct AttentionMap {
  std::string family;                  ///< key of the rule: "gpt2"
  std::string familyName;              ///< "GPT-2"
  std::string recognisedBy;            ///< "config.json says model_type gpt2", "names of tensors"
  std::vector<AttentionLayer> layers;  ///< stack by stack, each in order
  std::vector<MappingRow> mapping;     ///< where each part was found, for display
  std::vector<std::string> notes;      ///< "layers share one set of weights", "biases are left out of W_qk"
  std::string noQkReason;              ///< why there is no d x d W_qk, one sentence; empty when there is one
  std::string tokenEmbedding;          ///< tensor [vocabulary, d_model]; empty: none
  std::string positionEmbedding;       ///< learned positions [positions, d_model]; empty: none
  std::int64_t positionOffset = 0;     ///< row of the first position (RoBERTa, BART: 2)

  std::vector<Stack> stacks() const;                         ///< the stacks of the model, in order
  int layersOf(Stack stack) const;                           ///< number of layers in this stack
  const AttentionLayer* find(Stack stack, int layer) const;  ///< null when there is none
};

struct FamilyRule;

/// Recognises the family from the config, then from the tensor names. `own`: rules that the user saved, tried first. If
/// no rule fits, `layers` and `family` are empty and noQkReason says what was looked for.
AttentionMap mapAttention(const Checkpoint& checkpoint, const std::vector<FamilyRule>& own);
AttentionMap mapAttention(const Checkpoint& checkpoint);

}  // namespace sepx::checkpoint
