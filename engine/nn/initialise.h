// SPDX-License-Identifier: Apache-2.0
// Where training starts. All draw from one stream in the order of the layout, so that a seed is a model.
// Any thread; one model at a time.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/random.h"
#include "engine/core/result.h"
#include "engine/nn/model_config.h"
#include "engine/nn/parameters.h"

namespace sepx::nn {

enum class InitialScheme {  ///< how weights begin
  Gaussian,                 ///< every matrix, embedding and position N(0, sigma^2); biases 0, gains 1
  Gpt2,     ///< the same, but projections into the residual stream divided by sqrt(2 layers) [sigma .02]
  Bert,     ///< Gaussian cut at two deviations, not widened again [sigma .02]
  Uniform,  ///< torch's default of a linear layer: U(-1/sqrt(in), 1/sqrt(in)) weights and biases; embeddings N(0, 1)
  /// Local-to-Global A.3.1 "low-rank initialization": each weight sigma u v^T with u, v ~ N(0, I), so that an entry has
  /// the deviation sigma; each row of embeddings and positions on sigma {-1, 1}^d; biases 0, gains 1.
  RankOne,
  Canonical,  ///< from (e, w, a, b): Local-to-Global A.1, D, H.1
  Proposed,   ///< Local-to-Global A.3.2: e = .5, w_1 = 1, w_2 = -1
  /// Theorems 4 and 5 of Local-to-Global for the run's own chain, which this layer does not know: Canonical by the time
  /// that initialise() is called (engine/train/chain_start.h).
  Bigram,
  Unigram,
};
/// How A.3.2's three numbers are read (remark l2g-15). What they do not speak of is Gaussian in both.
enum class ProposedReading {
  Scalars,  ///< the canonical (e, w) = (.5, -1), which lies in I_common; positions -(e/2) alpha as well
  Literal,  ///< every entry of e is .5, of W_1 1, of W_2 -1: (e, w) = (.5 sqrt(d), -d), outside I_common at d = 8
};
/// Of W_Q and W_K, after the scheme [002]: each head on its own, biases tied like the weights.
///   Symmetric  W_K = W_Q
///   Skew       W_K = W_Q S^T, S = A - A^T, A ~ N(0, 1/(2 d_h)) per entry, so that W_K is as large as W_Q
/// With grouped queries W_Q of the right side is the sum over the n query heads of the key head, divided by sqrt(n):
/// then W_qk of the layer is symmetric (skew), its single heads are not.
enum class QueryKeyStart { Free, Symmetric, Skew };

struct Initial {  ///< a scheme and its numbers
  InitialScheme scheme = InitialScheme::Gpt2;
  double sigma = 0.02;
  double e = 0.5, w = -1, a = 0, b = 0;  ///< of Canonical; b also of Proposed
  ProposedReading reading = ProposedReading::Scalars;
  QueryKeyStart queryKey = QueryKeyStart::Free;
  double normBiasStart = 0;  ///< the public code of Reversal starts at 1
  bool zeroOutput = false;   ///< an untied output layer starts at 0, as in the public code of Reversal
  bool operator==(const Initial&) const = default;
};

/// Usage with a sentence: Canonical, Bigram, Unigram and Proposed need one layer, Input::Bit or a vocabulary of 2, a
/// feed-forward part with ReLU; all but Proposed also one head, learned positions, no norms, with a != 0 linear
/// attention, with b != 0 (and Bigram and Unigram always) a bias of the logits; Skew an even head dimension (S of an
/// odd one is singular).
Result<void> check(const Initial& initial, const ModelConfig& config);

/// Fills theta. `config` and `initial` have passed check(), and the scheme is neither Bigram nor Unigram. `alpha` of
/// the canonical constructions is drawn from
/// {-1, 1}^d / sqrt(d) (Literal: all +1). Canonical, with u = (1, .., 1)/sqrt(d_h) and r the feed-forward width:
///   e-vector = e alpha, p_n = -(e/2) alpha, W_Q = W_K = 2/sqrt(|scale|) u alpha^T, W_V = a sign(scale) u alpha^T,
///   W_O = alpha u^T, W_1 = 2|w|/sqrt(r) 1 alpha^T, W_2 = 2w/sqrt(r) alpha 1^T (r = 4d: the paper's w/sqrt(d))
/// so that y_n = x_n (1 + a e^2) in linear attention and z_n = y_n + 4 w|w| relu(<alpha, y_n>) alpha. The two rows of a
/// table are 0 and e alpha, their biases 0 and b: the same function of the next bit.
template <class T>
void initialise(const Initial& initial, const ModelConfig& config, const ParameterLayout& layout, RandomStream& random,
                std::span<T> theta);

/// W_K = S W_Q, S = A - A^T, of one head as our weights stand: W_Q and W_K [d_h, d_model], A [d_h, d_h], row-major.
template <class T>
void skewKeys(std::span<const T> A, std::span<const T> W_Q, int d_h, std::span<T> W_K);

extern template void initialise<float>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                       std::span<float>);
extern template void initialise<double>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                        std::span<double>);
extern template void skewKeys<float>(std::span<const float>, std::span<const float>, int, std::span<float>);
extern template void skewKeys<double>(std::span<const double>, std::span<const double>, int, std::span<double>);

}  // namespace sepx::nn
