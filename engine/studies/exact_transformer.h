// SPDX-License-Identifier: Apache-2.0
// A transformer on a binary chain with its population loss (1) of Local-to-Global. It uses no sample but all 2^(N+1)
// sequences of N + 1 bits with their probabilities, in double precision, through the engine's own forward and backward
// pass. One thread at a time.
#pragma once

#include <span>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/markov/chain.h"
#include "engine/nn/transformer.h"

namespace sepx::studies {

class ExactTransformer {
 public:
  /// `config` must have passed nn::check() and read at most 10 bits (nn::Input::Bit). The parameters are zero. `pool`
  /// must outlive this object.
  ExactTransformer(const markov::Chain& chain, const nn::ModelConfig& config, ThreadPool& pool);

  nn::Transformer<double>& model() { return model_; }  ///< for tests
  /// Nats per bit.
  double loss();
  /// dL/d theta, in the layout of the model.
  std::vector<double> gradient();
  /// Largest |P(x_{n+1} = 1 | x_1 .. x_n) - wanted[x_n]| over all sequences and places.
  double farthestFrom(double afterZero, double afterOne);
  /// Loss at theta + step minus the loss at theta; theta itself is not changed. The differences are formed place by
  /// place, so that only changes below 1e-16 of a place's loss are lost to rounding.
  double lossChange(std::span<const double> step);

 private:
  std::vector<double> placeLosses();
  markov::Chain chain_;
  int places_;
  nn::Transformer<double> model_;
  nn::Batch all_;                      ///< every sequence once
  std::vector<double> probabilities_;  ///< of the sequences
};

}  // namespace sepx::studies
