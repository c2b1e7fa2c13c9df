// SPDX-License-Identifier: Apache-2.0
// A transformer of one layer and one head that gives access to every intermediate quantity of the forward pass of one
// query row, in double precision. Storage and routing (routing.h) and the causal switches (switches.h) are built on it;
// a test compares its logits with those of engine/nn. Query row i of a sequence t, keys k:
//   x_k = E_{t_k} (+ p_k);  n_k = norm x_k;  q_i, k_k, v_k = W_Q n_i, W_K n_k, W_V n_k (+ biases)
//   alpha_ik = softmax_k(scale q_i . k_k + term of the positional encoding);  c = sum_k alpha_ik v_k
//   h = x_i + W_O c (+ bias);  h += W_2 act(W_1 norm h);  logits = U norm h (+ bias)
// Without model.residual x_i is omitted. Immutable; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "engine/core/result.h"
#include "engine/nn/model_config.h"
#include "engine/nn/parameters.h"

namespace sepx::reversal {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  ///< row-major
using Vector = Eigen::VectorXd;                                                       ///< a column

/// A Usage error with a message if the model has more than one layer or head, a norm after the sum, linear attention,
/// images or bits as input, a transform before the logits, or a feed-forward part without a residual stream.
Result<void> checkOneLayer(const nn::ModelConfig& config);

/// A norm as a linear map and a shift: y = gain * (x - mean) / deviation + bias.
struct NormParts {
  nn::Norm kind = nn::Norm::None;
  double epsilon = 0;
  Vector gain, bias;  ///< [d]; empty: 1, 0

  /// sqrt(variance + epsilon), for RMS norm sqrt(mean square + epsilon); 1 if there is no norm.
  double deviation(const Vector& x) const;
  /// gain * (x - mean), not divided by the deviation and without bias: linear in x.
  Vector linear(const Vector& x) const;
  /// The bias, or zeros.
  Vector shift(Eigen::Index d) const;
  Vector operator()(const Vector& x) const { return linear(x) / deviation(x) + shift(x.size()); }
};

class OneLayer {
 public:
  /// `theta` has the model's layout. `positions`: replaces the positional encoding of the training. A Usage error if it
  /// is "learned" and the model has no table, or "rope" and the head width is odd.
  static Result<OneLayer> make(const nn::ModelConfig& config, std::span<const float> theta);
  static Result<OneLayer> make(const nn::ModelConfig& config, std::span<const float> theta, nn::Positions positions);

  /// The configuration, with the positional encoding in use.
  const nn::ModelConfig& config() const { return config_; }

  /// Attention of row `row` over the sequence. It sums to 1; for a causal model it is 0 for keys after the row.
  /// `places`: the places that the encoding uses for the tokens; empty: the actual places. The sequence has at most
  /// model.length tokens.
  Vector alpha(std::span<const std::int32_t> tokens, int row, std::span<const int> places = {}) const;
  /// W_V n of a token at a place, with bias, [d_h].
  Vector value(std::int32_t token, int place) const { return values_.row(entry(token, place)); }
  /// Stream before the attention, x, [d].
  Vector stream(std::int32_t token, int place) const { return streams_.row(entry(token, place)); }
  /// The input of the value map: n without the bias of the norm, [d].
  Vector read(std::int32_t token, int place) const;
  Vector context(std::span<const std::int32_t> tokens, const Vector& alpha, std::span<const int> places = {}) const;

  /// The part after the attention, one query per row: contexts [n, d_h], streams x_i [n, d] -> logits [n, V].
  Rows logits(const Rows& contexts, const Rows& streams) const;
  /// After the attention, for one query: h without the output of the feed-forward part, and that output, [d] each.
  Vector attended(const Vector& context, const Vector& stream) const;
  Vector feedForwardOutput(const Vector& attended) const;

  // Weights, as y = W x + b.
  const Rows& W_V() const { return W_V_; }
  const Rows& W_O() const { return W_O_; }
  const Rows& U() const { return U_; }
  const Vector& valueBias() const { return b_V_; }   ///< [d_h], zeros where there is none; the next two likewise
  const Vector& outputBias() const { return b_O_; }  ///< of W_O, [d]
  const Vector& logitBias() const { return b_U_; }   ///< [V]
  const NormParts& firstNorm() const { return norm1_; }
  const NormParts& finalNorm() const { return finalNorm_; }

 private:
  OneLayer() = default;
  void fillTables();
  /// Row of the tables: of a token, or of a token at a place if the stream contains positions.
  Eigen::Index entry(std::int32_t token, int place) const {
    return absolute_ ? static_cast<Eigen::Index>(place) * config_.vocabulary + token : token;
  }
  double score(const Vector& query, std::int32_t token, int place, int from, int to) const;
  Vector turned(const Vector& x, int place) const;

  nn::ModelConfig config_;
  bool absolute_ = false;
  Rows E_, P_;  ///< P_: [length, d] vectors of positions; empty: none
  NormParts embeddingNorm_, norm1_, norm2_, finalNorm_;
  Rows W_Q_, W_K_, W_V_, W_O_, W_1_, W_2_, U_;
  Vector b_Q_, b_K_, b_V_, b_O_, b_1_, b_2_, b_U_;
  Rows streams_, queries_, keys_, values_;  ///< of each entry
  Rows cosine_, sine_;                      ///< [length, d_h / 2] of RoPE
  double slope_ = 0;                        ///< of ALiBi
};

}  // namespace sepx::reversal
