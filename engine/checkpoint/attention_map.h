// SPDX-License-Identifier: Apache-2.0
// Where the attention of a model lies among its tensors: for every layer which rows of which tensor are W_Q and W_K of
// which head, with the biases, the norm and the rotary encoding that W_qk leaves out. Found from config or names of
// tensors by rules (family_rule.h); shown to the person as it is. Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// `Self` where a model has one stack of attention, encoder or decoder alone.
enum class Stack { Self, Encoder, Decoder, Cross };
const char* toString(Stack stack);  ///< "self", "encoder", "decoder", "cross"
std::optional<Stack> stackNamed(std::string_view word);

/// Outputs of a projection inside a tensor seen as [out, in] (`transposed`: [in, out], as Conv1D stores it). Output a
/// of head h is number offset + h * headStride + a; where `groupHeads` is not 0, heads lie in groups and it is number
/// offset + (h / groupHeads) * groupStride + (h % groupHeads) * headStride + a (Falcon 40B, InternLM 2).
struct ProjectionSource {
  std::string tensor;                            ///< its name in the checkpoint
  bool transposed = false;                       ///< [in, out]
  std::int64_t offset = 0, headStride = 0;       ///< first output of head 0; outputs from a head to the next
  std::int64_t groupHeads = 0, groupStride = 0;  ///< heads of a group, 0: no groups; outputs from a group to the next
  /// The tensor has three dimensions, [heads, in, out] as `W_Q` of [H, d, d_h] (a bias: [heads, out]); offset and
  /// strides are unused then.
  bool perHead = false;

  /// Number of the first output of head h.
  std::int64_t firstOf(std::int64_t head) const;
};

/// What happens to x before W_Q and W_K see it.
struct NormSource {
  enum class Kind { Layer, Rms } kind = Kind::Layer;  ///< LayerNorm, or RMSNorm
  std::string gain, bias;                             ///< tensors; empty: none
  double epsilon = 1e-5;                              ///< added to the variance under the root
  bool onePlusGain = false;                           ///< Gemma: the gain is 1 + what is stored
};

struct RopeSource {          ///< rotary positions of a layer
  double base = 10000;       ///< theta_s = base^(-2s/dimensions)
  int dimensions = 0;        ///< of d_h that are rotated
  bool interleaved = false;  ///< pairs (2i, 2i+1), GPT-J and llama2.c; else (i, i + dimensions/2)
};

/// One attention: [d_model, d_model] form of rank at most heads * d_h.
struct AttentionLayer {
  int layer = 0;               ///< from 0 within its stack
  Stack stack = Stack::Self;   ///< of a model with two stacks
  int d_model = 0;             ///< width of the query side; rows of W_qk
  int d_key = 0;               ///< width of the key side; columns. Differs from d_model only in cross attention
  int heads = 0, kvHeads = 0;  ///< query head h uses key head h / (heads / kvHeads), rounded down
  int d_h = 0;                 ///< width of a head
  ProjectionSource W_Q, W_K;   ///< of heads and of kvHeads heads
  std::optional<ProjectionSource> b_Q, b_K;  ///< biases, as vectors of the same layout
  std::optional<NormSource> norm;            ///< before the projections (pre-norm models only)
  bool normOfKeys = true;                    ///< false in cross attention: the norm is of the query side alone
  std::optional<NormSource> q_norm, k_norm;  ///< of the head's query and key (Qwen 3, Gemma 3, ViT-22B …)
  std::optional<RopeSource> rope;            ///< none: W_qk does not depend on the distance
  double scale = 1;                          ///< the model's own factor on x W_qk x: 1/sqrt(d_h), 1 in T5 and GPT-Neo
  bool causal = false;                       ///< query i sees keys j <= i alone
};

/// A row of the mapping as a person reads it: "W_Q of head h" <- "h.{layer}.attn.c_attn.weight, columns 64 h …".
struct MappingRow {
  std::string what, from;  ///< the two columns
};

struct AttentionMap {
  std::string family;                  ///< key of the rule: "gpt2"
  std::string familyName;              ///< "GPT-2"
  std::string recognisedBy;            ///< "config.json says model_type gpt2", "names of tensors"
  std::vector<AttentionLayer> layers;  ///< stack by stack, each in order
  std::vector<MappingRow> mapping;     ///< how each part was found, for people
  std::vector<std::string> notes;      ///< "layers share one set of weights", "biases are left out of W_qk"
  std::string noQkReason;              ///< why there is no d x d W_qk, one sentence; empty when there is one
  std::string tokenEmbedding;          ///< tensor [vocabulary, d_model]; empty: none
  std::string positionEmbedding;       ///< learned positions [positions, d_model]; empty: none
  std::int64_t positionOffset = 0;     ///< first row that is a position (RoBERTa, BART: 2)

  std::vector<Stack> stacks() const;                         ///< those there are, in order
  int layersOf(Stack stack) const;                           ///< how many of `layers` are of this stack
  const AttentionLayer* find(Stack stack, int layer) const;  ///< null when there is none
};

struct FamilyRule;

/// Recognises the family by config, then by names; `own`: rules that the person saved, tried first. A checkpoint that
/// no rule fits answers with layers empty, noQkReason saying what was looked for, and family empty.
AttentionMap mapAttention(const Checkpoint& checkpoint, const std::vector<FamilyRule>& own);
AttentionMap mapAttention(const Checkpoint& checkpoint);

}  // namespace sepx::checkpoint
