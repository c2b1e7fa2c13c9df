// SPDX-License-Identifier: Apache-2.0
// Initialisation of the parameters. All schemes draw from one random stream in the order of the layout, so that a seed
// determines the model. Any thread; one model at a time.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/random.h"
#include "engine/core/result.h"
#include "engine/nn/model_config.h"
#include "engine/nn/parameters.h"

namespace sepx::nn {

enum class InitialScheme {  ///< distribution of the initial weights
  Gaussian,                 ///< every matrix, embedding and position N(0, sigma^2); biases 0, gains 1
  Gpt2,     ///< the same, but projections into the residual stream divided by sqrt(2 layers) [sigma .02]
  Bert,     ///< Gaussian truncated at two deviations, not rescaled [sigma .02]
  Uniform,  ///< torch's default of a linear layer: U(-1/sqrt(in), 1/sqrt(in)) weights and biases; embeddings N(0, 1)
  /// Local-to-Global A.3.1 "low-rank initialization": each weight is sigma u v^T with u, v ~ N(0, I), so that an entry
  /// has the deviation sigma; each row of embeddings and positions is drawn from sigma {-1, 1}^d; biases 0, gains 1.
  RankOne,
  Canonical,  ///< from (e, w, a, b): Local-to-Global A.1, D, H.1
  Proposed,   ///< Local-to-Global A.3.2: e = .5, w_1 = 1, w_2 = -1
  /// Theorems 4 and 5 of Local-to-Global for the run's own chain, which this layer does not know. The caller replaces
  /// them by Canonical before it calls initialise() (engine/train/chain_start.h).
  Bigram,
  Unigram,
};
/// How the three numbers of A.3.2 are read (remark l2g-15). Parameters that A.3.2 does not cover are Gaussian in both.
enum class ProposedReading {
  Scalars,  ///< the canonical (e, w) = (.5, -1), which lies in I_common; positions -(e/2) alpha as well
  Literal,  ///< every entry of e is .5, of W_1 1, of W_2 -1: (e, w) = (.5 sqrt(d), -d), outside I_common at d = 8
};
/// How W_K is tied to W_Q after the scheme has run [002]: each head separately, biases tied like the weights.
///   Symmetric  W_K = W_Q
///   Skew       W_K = W_Q S^T, S = A - A^T, A ~ N(0, 1/(2 d_h)) per entry, so that W_K is as large as W_Q
/// With grouped queries, W_Q on the right side is the sum over the n query heads of the key head, divided by sqrt(n).
/// Then W_qk of the layer is symmetric (skew), but that of a single head is not.
enum class QueryKeyStart { Free, Symmetric, Skew };

struct Initial {  ///< a scheme and its parameters
  InitialScheme scheme = InitialScheme::Gpt2;
  double sigma = 0.02;
  double e = 0.5, w = -1, a = 0, b = 0;  ///< for Canonical; b also for Proposed
  ProposedReading reading = ProposedReading::Scalars;
  QueryKeyStart queryKey = QueryKeyStart::Free;
  double normBiasStart = 0;  ///< 1 in the public code of Reversal
  bool zeroOutput = false;   ///< an untied output layer starts at 0, as in the public code of Reversal
  bool operator==(const Initial&) const = default;
};

/// Fails with ErrorKind::Usage and a message where the model does not fit. Canonical, Bigram, Unigram and Proposed need
/// one layer, Input::Bit or a vocabulary of 2, and a feed-forward part with ReLU. All but Proposed also need one head,
/// learned positions, no norms, no head transform, queryKey Free, linear attention if a != 0, and a bias of the logits
/// if b != 0 (Bigram and Unigram: always). Skew needs an even head dimension (S of an odd one is singular), zeroOutput
/// an untied output.
Result<void> check(const Initial& initial, const ModelConfig& config);

/// Fills theta. `config` and `initial` have passed check(), and the scheme is neither Bigram nor Unigram. `alpha` of
/// the canonical constructions is drawn from {-1, 1}^d / sqrt(d) (Literal: all +1). Canonical, with r the
/// feed-forward width and u = (1, .., 1)/sqrt(d_h):
///   e-vector = e alpha, p_n = -(e/2) alpha, W_Q = W_K = 2/sqrt(|scale|) u alpha^T, W_V = a sign(scale) u alpha^T,
///   W_O = alpha u^T, W_1 = 2|w|/sqrt(r) 1 alpha^T, W_2 = 2w/sqrt(r) alpha 1^T (r = 4d: the paper's w/sqrt(d))
/// so that y_n = x_n (1 + a e^2) in linear attention and z_n = y_n + 4 w|w| relu(<alpha, y_n>) alpha. With a table, its
/// two rows are 0 and e alpha and their biases 0 and b, which gives the same function of the next bit.
template <class T>
void initialise(const Initial& initial, const ModelConfig& config, const ParameterLayout& layout, RandomStream& random,
                std::span<T> theta);

/// W_K = S W_Q, S = A - A^T, of one head, stored as our weights: W_Q and W_K [d_h, d_model], A [d_h, d_h], row-major.
template <class T>
void skewKeys(std::span<const T> A, std::span<const T> W_Q, int d_h, std::span<T> W_K);

extern template void initialise<float>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                       std::span<float>);
extern template void initialise<double>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                        std::span<double>);
extern template void skewKeys<float>(std::span<const float>, std::span<const float>, int, std::span<float>);
extern template void skewKeys<double>(std::span<const double>, std::span<const double>, int, std::span<double>);

}  // namespace sepx::nn
