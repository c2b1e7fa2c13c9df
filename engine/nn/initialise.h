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

enum class InitialScheme {
  Gaussian,  ///< every matrix, embedding and position N(0, sigma^2); biases 0, gains 1
  Gpt2,      ///< N(0, .02^2), projections into the residual stream divided by sqrt(2 layers); biases 0, gains 1
  Bert,      ///< N(0, .02^2) cut at two deviations; biases 0, gains 1
  Uniform,   ///< torch's default of a linear layer: U(-1/sqrt(in), 1/sqrt(in)) weights and biases; embeddings N(0, 1)
  RankOne,   ///< Local-to-Global A.3.1 "low-rank initialization": random rank-one matrices, embeddings on the hypercube
  Canonical,  ///< from (e, w, a, b): Local-to-Global A.1, D, H.1
  Proposed,   ///< Local-to-Global A.3.2: e = .5, w_1 = 1, w_2 = -1
};
/// How A.3.2's three numbers are read (SCIENCE 1, item 15).
enum class ProposedReading {
  Scalars,  ///< the canonical (e, w) = (.5, -1), which lies in I_common
  Literal,  ///< every entry of e is .5, of W_1 1, of W_2 -1: (e, w) = (.5 sqrt(d), -d), outside I_common at d = 8
};
/// Of W_Q and W_K, after the scheme [002]: each head on its own.
enum class QueryKeyStart { Free, Symmetric, Skew };

struct Initial {
  InitialScheme scheme = InitialScheme::Gpt2;
  double sigma = 0.02;
  double e = 0.5, w = -1, a = 0, b = 0;  ///< of Canonical
  ProposedReading reading = ProposedReading::Scalars;
  QueryKeyStart queryKey = QueryKeyStart::Free;
  double normBiasStart = 0;  ///< the public code of Reversal starts at 1
  bool operator==(const Initial&) const = default;
};

/// Usage with a sentence: Canonical, Proposed and RankOne need one layer, one head, Input::Bit or a vocabulary of 2, no
/// norms; Canonical with a != 0 needs linear attention; Skew an even head dimension.
Result<void> check(const Initial& initial, const ModelConfig& config);

/// Fills theta. `alpha` of the canonical constructions is drawn from {-1, 1}^d / sqrt(d) (Literal: all +1).
template <class T>
void initialise(const Initial& initial, const ModelConfig& config, const ParameterLayout& layout, RandomStream& random,
                std::span<T> theta);

extern template void initialise<float>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                       std::span<float>);
extern template void initialise<double>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                        std::span<double>);

}  // namespace sepx::nn
