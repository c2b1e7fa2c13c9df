// SPDX-License-Identifier: Apache-2.0
// The shape of a transformer: everything that decides which parameters it has and what it computes, nothing about how
// it is trained. Plain data; any thread.
//   x_n = E[t_n] + p_n;  each block: x += O attention(norm x), x += W_2 act(W_1 norm x)  (pre-norm; post-norm: the norm
//   of the sum);  logits = norm(x) U^T + b, U = E when tied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/core/result.h"

namespace sepx::nn {

enum class Positions { None, Learned, Sinusoidal, Rope, Alibi };  ///< position encoding
enum class Norm { None, Layer, Rms };                             ///< kind of all norms
enum class Placement { Pre, Post };                               ///< before a part, or after its residual sum
enum class Activation { Relu, GeluErf, GeluTanh, SwiGlu };        ///< nonlinearity of the feed-forward part
enum class AttentionKind {                                        ///< how a row weights the others
  Softmax,
  Linear,  ///< out_i = mean over the allowed j of scale (q_i . k_j) v_j; there is no exponential
};
enum class Input {  ///< how the input enters the residual stream
  Table,            ///< x_n = E[t_n] + p_n, E of `vocabulary` rows
  Bit,              ///< binary chains: x_n = t_n e + p_n with one vector e [Local-to-Global, (Embedding)]
  /// Images [Attention-Structure, C]: x_0 = c + p_0 with one class token c; x_n = E P_n + b_E + p_n for patch n = 1 ...
  /// patches(), row by row, where P_n [channels, patch, patch] holds its pixels. The class is read from row 0.
  Patches,
};
enum class Output {  ///< how the stream h becomes logits
  Tied,    ///< logits = h E^T (+ b); with Input::Bit one logit <e, h> + b of the next bit [Local-to-Global, (Linear)]
  Untied,  ///< logits = h U^T (+ b)
};

struct ModelConfig {
  int vocabulary = 2;  ///< number of tokens; for images: of classes
  int length = 64;     ///< longest sequence N; rows of the learned positions; for images: patches() + 1
  int layers = 1;      ///< number of blocks
  int d_model = 8;     ///< width of the stream x
  int heads = 1;       ///< query heads per block
  int kvHeads = 0;     ///< key heads of grouped-query attention: divides `heads`; 0: as many as heads
  int headDim = 0;     ///< width of a head; 0: d_model / heads
  int d_ff = -1;       ///< width of the feed-forward part; -1: 4 d_model; 0: no such part

  Input input = Input::Table;                        ///< how the input enters the residual stream
  int image = 32;                                    ///< side of an image, pixels; this and the next two: Patches only
  int channels = 3;                                  ///< channels of a pixel
  int patch = 4;                                     ///< side of a patch, pixels; divides `image`
  Output output = Output::Tied;                      ///< how the stream becomes logits
  bool causal = true;                                ///< a row attends only to itself and earlier rows
  AttentionKind attention = AttentionKind::Softmax;  ///< how a row weights the others
  double attentionScale = 0;                         ///< factor of the scores; 0: 1/sqrt(headDim)

  Positions positions = Positions::Learned;  ///< position encoding
  double ropeBase = 10000;                   ///< theta_s = base^(-2s/headDim), pairs (s, s + headDim/2)
  double alibiSlope = 0;                     ///< slope m of every head; 0: 2^(-8 h/heads) for head h = 1 ... heads
  bool alibiSigned = false;                  ///< bias +m (j - i) instead of -m |i - j|, i query, j key [Reversal, A.4]

  bool residual = true;     ///< false: a branch's output replaces the stream x instead of being added to it
  Norm norm = Norm::Layer;  ///< kind of all norms
  Placement placement = Placement::Pre;          ///< before a part, or after its residual sum
  double normEpsilon = 1e-5;                     ///< added to the variance under the square root
  bool normBias = true;                          ///< Norm::Layer has a bias
  bool embeddingNorm = false;                    ///< a norm right after the embedding (BERT)
  bool finalNorm = true;                         ///< a norm before the head; no effect where norm is None
  Activation activation = Activation::GeluTanh;  ///< nonlinearity of the feed-forward part

  bool attentionBias = true;    ///< W_Q, W_K and W_V have a bias
  bool projectionBias = true;   ///< W_O has a bias
  bool feedForwardBias = true;  ///< W_1, W_2 (and the gate) have a bias
  bool outputBias = false;      ///< the logits have a bias b
  bool headTransform = false;   ///< BERT: h <- norm(act(h W^T + b)) before the logits
  int segments = 0;             ///< rows of the segment table; row 0 is added at every position (BERT: 2 rows)

  double embeddingDropout = 0;  ///< probability of zeroing an entry of the stream after the embedding
  double attentionDropout = 0;  ///< the same for the attention probabilities
  double residualDropout = 0;   ///< the same for a branch's output before it is added to x

  int kv() const { return kvHeads == 0 ? heads : kvHeads; }             ///< number of key heads
  int d_h() const { return headDim == 0 ? d_model / heads : headDim; }  ///< width of a head
  int ff() const { return d_ff < 0 ? 4 * d_model : d_ff; }              ///< width of the feed-forward part; 0: none
  int d_q() const { return heads * d_h(); }                             ///< width of Q and of the context
  int d_qkv() const { return (heads + 2 * kv()) * d_h(); }              ///< width of a fused row Q | K | V
  double scale() const;  ///< factor of the scores: attentionScale, or 1/sqrt(d_h) where it is 0
  /// With Input::Patches: the number of patches of an image, and of values of a patch.
  int patches() const { return (image / patch) * (image / patch); }
  int patchValues() const { return channels * patch * patch; }
  bool readsImages() const { return input == Input::Patches; }
  /// Logits per position: `vocabulary`, or 1 with Input::Bit.
  int logits() const { return input == Input::Bit ? 1 : vocabulary; }

  bool operator==(const ModelConfig&) const = default;
};

/// Fails with ErrorKind::Usage and one sentence that names the field (as in the files of assets/configs) and its
/// allowed values. Also fails when the parameters would need more than 2^40 bytes.
Result<void> check(const ModelConfig& config);

/// The number of parameters by a closed formula that does not use the layout (parameters.h); a test compares the two.
std::int64_t parameterCount(const ModelConfig& config);

/// Bytes needed to train with batches of `sequences` x `length`: parameters, gradient, `statesPerParameter` optimiser
/// arrays, activations kept for the backward pass and the largest scratch, in elements of `elementSize` bytes. A small
/// model runs in lanes (memory.h), up to `threads` at once (0: one per core); `gradient` includes one gradient per
/// lane.
struct MemoryNeed {
  std::int64_t parameters = 0, gradient = 0, optimiser = 0, activations = 0, scratch = 0;  ///< bytes
  /// Sum of all fields.
  std::int64_t total() const { return parameters + gradient + optimiser + activations + scratch; }
};
MemoryNeed memoryNeed(const ModelConfig& config, int sequences, int length, int targets, int statesPerParameter,
                      std::size_t elementSize = 4, int threads = 0);

}  // namespace sepx::nn
