// SPDX-License-Identifier: Apache-2.0
// How the whole model is computed: for every block, which tensors hold its projections, norms and feed-forward part,
// and the constants that the family adds (windows, caps, scales, distance biases). Made from the map of the attention
// and the parts of the family's rule (family_rule.h); used by engine/forward. Plain data; any thread.
//   x_n = s E[t_n] + P[n + offset] + S[0];
//   block: x += N_o(W_O attention(N_a x));  x += N_d(W_down (act(W_gate N_f x) * W_up N_f x))     (before the sum)
//          x = N(x + …)                                                                          (after the sum)
//   logits = c U act(T N x) + b
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/checkpoint/attention_map.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// y = x W^T + b. W is the outputs [first, first + out) of `tensor`, viewed as [out, in] (`transposed`: [in, out]).
struct LinearSource {
  std::string tensor;                       ///< its name in the checkpoint
  bool transposed = false;                  ///< [in, out], as Conv1D stores it
  std::int64_t first = 0, out = 0, in = 0;  ///< first output; numbers of outputs, of inputs
  std::string bias;                         ///< empty: none
  std::int64_t biasFirst = 0;               ///< index of its first value
};
/// The activation between the two matrices.
enum class FeedForwardActivation { Relu, ReluSquared, GeluErf, GeluTanh, QuickGelu, Silu };

/// x -> down(act(gate x) * up x), or down(act(up x)) without a gate.
struct FeedForwardSource {
  std::optional<LinearSource> gate;                                    ///< none: down(act(up x))
  LinearSource up, down;                                               ///< to d_ff and back to d_model
  FeedForwardActivation activation = FeedForwardActivation::GeluTanh;  ///< act
};

/// Changes to the scores of one attention besides W_qk and the rotary encoding.
struct ScoreRule {
  int window = 0;  ///< causal: query i attends to key j if i - j < window; else if |i - j| <= window; 0: to all
  double cap = 0;  ///< s -> cap tanh(s / cap); 0: none
  std::vector<double> slopes;  ///< [heads] of ALiBi: -slope |i - j| is added; empty: none
  bool slopesSigned = false;   ///< slope (j - i) is added instead, query i, key j
  bool slopesScaled = false;   ///< added before the product is scaled (Falcon)
  std::string distanceBias;    ///< T5: table [buckets, heads] of learned distance biases; empty: none
  int distanceBuckets = 0, distanceFarthest = 0;  ///< of distanceBias: number of buckets; where the last one begins
};

/// Scaling of the rotary encoding as the config gives it. The frequency of a pair of dimensions is divided by its entry
/// of `factors`; empty: no scaling. `amplitude` multiplies cosine and sine (YaRN, LongRoPE).
struct RopeScaling {
  std::vector<double> factors;  ///< [dimensions/2]
  double amplitude = 1;         ///< 1: no change
};

struct BlockPlan {                      ///< one layer
  AttentionLayer attention;             ///< W_Q, W_K and their biases and norms, rotary encoding, scale, causal
  ProjectionSource W_V;                 ///< of kvHeads heads, as W_K
  std::optional<ProjectionSource> b_V;  ///< as b_Q
  int d_v = 0;                          ///< width of a head's value
  LinearSource W_O;  ///< [d_model, heads d_v]; no tensor: the file lacks it, and only the pattern can be computed
  ScoreRule score;   ///< windows, caps, distance biases
  RopeScaling ropeScaling;                                 ///< of the rotary encoding of `attention`
  bool normOfAllHeads = false;                             ///< q_norm, k_norm apply to all heads at once (OLMo 2)
  std::optional<NormSource> attentionOut, attentionAfter;  ///< norms of the branch before the sum, and of the sum
  /// Tensors [d_model] by which a branch's output is multiplied elementwise (DINOv2's layer scale); empty: none.
  std::string attentionGain, feedForwardGain;
  std::optional<FeedForwardSource> feedForward;
  /// Norms before the feed-forward part, of its output, and of the sum.
  std::optional<NormSource> feedForwardNorm, feedForwardOut, feedForwardAfter;
  /// Both branches read the block's input (GPT-J, Falcon). Without a feedForwardNorm the feed-forward part reads what
  /// the attention reads.
  bool parallel = false;
  double residualScale = 1;  ///< factor on a branch's output (Granite)
};

/// Images: x_0 = class token + p_0, x_n = patch n + p_n.
struct ImagePlan {
  std::string classToken, positions;       ///< [1, rows, d_model]; classToken empty: none
  std::string secondToken;                 ///< DeiT's distillation token
  LinearSource patches;                    ///< [d_model, channels side side]
  int image = 0, channels = 0, patch = 0;  ///< image, patch: side lengths in pixels
  bool patchFirst = false;  ///< values of a patch: row, column, channel (vit-pytorch); else channel, row, column
  std::optional<NormSource> patchNorm, patchedNorm;  ///< before and after the patches' linear layer (vit-pytorch)
};

struct HeadPlan {                         ///< from the last layer to logits
  std::optional<NormSource> finalNorm;    ///< before `transform` and `logits`
  std::optional<LinearSource> transform;  ///< BERT: h -> norm(act(T h)) before the logits
  FeedForwardActivation transformActivation = FeedForwardActivation::GeluErf;  ///< act of `transform`
  std::optional<NormSource> transformNorm;                                     ///< norm of `transform`
  LinearSource logits;                                                         ///< U [vocabulary, d_model]
  std::string outputBias;                                                      ///< if it is not the linear layer's own
  double cap = 0;                                                              ///< of the logits
  double scale = 1;                                                            ///< of the logits, before bias and cap
  bool masked = false;   ///< predicts the token at its own position (BERT, LLaDA); false: the next one
  bool shifted = false;  ///< masked, and the logits of position n are read at n - 1 (Dream)
};

struct ModelPlan {
  int d_model = 0;                                          ///< width of the residual stream
  std::int64_t vocabulary = 0;                              ///< rows of the token table; 0: reads images
  std::int64_t positions = 0;                               ///< maximum input length; 0: unlimited
  std::string tokenEmbedding, positionEmbedding, segments;  ///< row 0 of segments is added at every position
  std::int64_t positionOffset = 0;                          ///< row of positionEmbedding for the first position
  double embeddingScale = 1;                                ///< factor on the token embedding (Gemma: sqrt(d_model))
  std::optional<LinearSource> embeddingProjection;          ///< of narrower embeddings (ALBERT, OPT 350M)
  std::optional<NormSource> embeddingNorm;                  ///< after the sum of the embeddings (BERT, BLOOM)
  std::optional<ImagePlan> image;                           ///< how an image becomes rows; none: it reads tokens
  std::vector<BlockPlan> blocks;  ///< the leading blocks that can be computed; fewer than layers if `missing` says so
  std::optional<HeadPlan> head;   ///< none: the file has no logits
  bool causal = true;             ///< a position attends only to itself and to those before it
  /// What the file lacks or what this program does not compute, one sentence each: "there are no feed-forward weights
  /// in this file". Empty: everything is there.
  std::vector<std::string> missing;
  /// The comparison with an independent implementation, "compared with an independent one, 3e-6", for the families that
  /// forward_agreement.inc lists; empty: not compared.
  std::string agreement;
  std::vector<std::string> notes;  ///< what was assumed: "activation gelu, the config does not say"
};

/// Makes the plan of a checkpoint whose attention is mapped. BadInput, in one sentence, if not even the first layer's
/// attention can be computed from tokens or pixels ("… has no token embedding: a sentence cannot be read").
Result<ModelPlan> planModel(const Checkpoint& checkpoint, const AttentionMap& map);

}  // namespace sepx::checkpoint
