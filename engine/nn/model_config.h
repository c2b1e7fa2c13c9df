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

enum class Positions { None, Learned, Sinusoidal, Rope, Alibi };  ///< how a token knows its place
enum class Norm { None, Layer, Rms };                             ///< of each part's input
enum class Placement { Pre, Post };                               ///< before a part, or behind it
enum class Activation { Relu, GeluErf, GeluTanh, SwiGlu };        ///< of the feed-forward part
enum class AttentionKind {                                        ///< how rows weigh the others
  Softmax,
  Linear,  ///< out_i = mean over the allowed j of scale (q_i . k_j) v_j: no exponential, divided by their number
};
enum class Input {  ///< what becomes the stream
  Table,            ///< x_n = E[t_n] + p_n, E of `vocabulary` rows
  Bit,              ///< binary chains: x_n = t_n e + p_n with one vector e [Local-to-Global, (Embedding)]
  /// Images [Attention-Structure, C]: x_0 = c + p_0 with one class token c, x_n = E P_n + b_E + p_n of patch n = 1 ...
  /// patches(), row by row; P_n [channels, patch, patch] its pixels. The class is read from row 0.
  Patches,
};
enum class Output {  ///< what the stream becomes
  Tied,    ///< logits = h E^T (+ b); with Input::Bit one logit <e, h> + b of the next bit [Local-to-Global, (Linear)]
  Untied,  ///< logits = h U^T (+ b)
};

struct ModelConfig {
  int vocabulary = 2;  ///< of images: classes
  int length = 64;     ///< longest sequence N; rows of the learned positions; of images patches() + 1
  int layers = 1;      ///< blocks
  int d_model = 8;     ///< width of the stream x
  int heads = 1;       ///< query heads of a block
  int kvHeads = 0;     ///< grouped queries: divides `heads`; 0: as many as heads
  int headDim = 0;     ///< 0: d_model / heads
  int d_ff = -1;       ///< -1: 4 d_model; 0: no feed-forward part

  Input input = Input::Table;                        ///< what becomes the stream
  int image = 32;                                    ///< side of an image, pixels; of Input::Patches, as the next two
  int channels = 3;                                  ///< numbers of a pixel
  int patch = 4;                                     ///< side of a patch, pixels; divides `image`
  Output output = Output::Tied;                      ///< what the stream becomes
  bool causal = true;                                ///< a row sees itself and those before it alone
  AttentionKind attention = AttentionKind::Softmax;  ///< how rows weigh the others
  double attentionScale = 0;                         ///< 0: 1/sqrt(headDim)

  Positions positions = Positions::Learned;  ///< how a token knows its place
  double ropeBase = 10000;                   ///< theta_s = base^(-2s/headDim), pairs (s, s + headDim/2)
  double alibiSlope = 0;                     ///< of every head; 0: 2^(-8 h/heads) of head h = 1 ... heads
  bool alibiSigned = false;                  ///< bias +m (j - i) in place of -m |i - j|, i query, j key [Reversal, A.4]

  bool residual = true;     ///< false: a branch's output replaces the stream x in place of being added to it
  Norm norm = Norm::Layer;  ///< of each part's input
  Placement placement = Placement::Pre;          ///< before a part, or behind it
  double normEpsilon = 1e-5;                     ///< added to the variance under the root
  bool normBias = true;                          ///< of Norm::Layer
  bool embeddingNorm = false;                    ///< a norm right after the embedding (BERT)
  bool finalNorm = true;                         ///< a norm before the head; none where norm is None
  Activation activation = Activation::GeluTanh;  ///< of the feed-forward part

  bool attentionBias = true;    ///< of W_Q, W_K, W_V
  bool projectionBias = true;   ///< of W_O
  bool feedForwardBias = true;  ///< of W_1, W_2 (and the gate)
  bool outputBias = false;      ///< b of the logits
  bool headTransform = false;   ///< BERT: h <- norm(act(h W^T + b)) before the logits
  int segments = 0;             ///< rows of a segment table whose row 0 is added everywhere (BERT: 2)

  double embeddingDropout = 0;  ///< share of the stream's numbers that are zeroed after the embedding
  double attentionDropout = 0;  ///< of the attention probabilities
  double residualDropout = 0;   ///< of what a branch adds to x

  int kv() const { return kvHeads == 0 ? heads : kvHeads; }             ///< key heads
  int d_h() const { return headDim == 0 ? d_model / heads : headDim; }  ///< width of a head
  int ff() const { return d_ff < 0 ? 4 * d_model : d_ff; }              ///< width of the feed-forward part; 0: none
  int d_q() const { return heads * d_h(); }                             ///< width of Q and of the context
  int d_qkv() const { return (heads + 2 * kv()) * d_h(); }              ///< width of a fused row Q | K | V
  double scale() const;  ///< of the scores: attentionScale, or 1/sqrt(d_h) where it is 0
  /// Of Input::Patches: patches of an image, and numbers of a patch.
  int patches() const { return (image / patch) * (image / patch); }
  int patchValues() const { return channels * patch * patch; }
  bool readsImages() const { return input == Input::Patches; }
  /// Logits of a position: `vocabulary`, or 1 with Input::Bit.
  int logits() const { return input == Input::Bit ? 1 : vocabulary; }

  bool operator==(const ModelConfig&) const = default;
};

/// Usage with one sentence that names the field (as in the files of assets/configs) and what it may be; also when the
/// parameters would not fit 2^40 bytes.
Result<void> check(const ModelConfig& config);

/// By the closed formula, independent of the layout (parameters.h); a test compares the two.
std::int64_t parameterCount(const ModelConfig& config);

/// Bytes that training with batches of `sequences` x `length` needs: parameters, gradient, `statesPerParameter` arrays
/// of the optimiser, kept activations and the largest scratch, in elements of `elementSize` bytes. A small model on
/// `threads` threads (0: one per core) works on as many parts of a batch at once; gradient counts theirs too.
struct MemoryNeed {
  std::int64_t parameters = 0, gradient = 0, optimiser = 0, activations = 0, scratch = 0;  ///< bytes
  /// Bytes of all parts.
  std::int64_t total() const { return parameters + gradient + optimiser + activations + scratch; }
};
MemoryNeed memoryNeed(const ModelConfig& config, int sequences, int length, int targets, int statesPerParameter,
                      std::size_t elementSize = 4, int threads = 0);

}  // namespace sepx::nn
