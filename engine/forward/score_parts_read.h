// SPDX-License-Identifier: Apache-2.0
// Reads what score_parts.cpp needs from a checkpoint, in double precision: vectors, rows of tables, norms, and what
// every head writes through its columns of W_O. BadInput if a tensor is missing or has another size; Interrupted soon
// after `cancelled`. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "engine/attention/factors.h"
#include "engine/checkpoint/attention_map.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"

namespace sepx::forward {

using attention::Matrix;
using Eigen::Index;
using Eigen::VectorXd;

/// Values [first, first + size) of a vector, whatever its shape; `size` -1: all of it.
Result<VectorXd> readVector(const checkpoint::Checkpoint& checkpoint, const std::string& name, Index first = 0,
                            Index size = -1);
/// x [in] -> W x [out], without the bias.
Result<VectorXd> timesLinear(const checkpoint::Checkpoint& checkpoint, const checkpoint::LinearSource& source,
                             const VectorXd& x, const checkpoint::Cancelled& cancelled);
/// The bias of a linear layer; empty if there is none.
Result<VectorXd> biasOf(const checkpoint::Checkpoint& checkpoint, const checkpoint::LinearSource& source);
/// What each head writes. Row h of a result [heads, out] is the columns of W_O for head h times its part of a context
/// [heads d_v]. One result for each context; the matrix is read once.
Result<std::vector<Matrix>> headWrites(const checkpoint::Checkpoint& checkpoint, const checkpoint::LinearSource& W_O,
                                       const std::vector<VectorXd>& contexts, Index heads,
                                       const checkpoint::Cancelled& cancelled);

/// A norm whose denominator is fixed at its value for one vector, so that it is linear except for its bias.
///   x -> gain (x - mean(x)) / sqrt(var(at) + eps),  x -> gain x / sqrt(mean(at^2) + eps)
struct FrozenNorm {
  bool centred = false;
  double inverse = 1;  ///< 1 / denominator
  VectorXd gain;       ///< empty: 1
  VectorXd bias;       ///< empty: 0

  /// Applies the norm to rows [m, width] in place, without the bias. `withGain` false: with a gain of 1.
  void apply(Eigen::Ref<Matrix> rows, bool withGain = true) const;
};
/// The norm with its denominator for `at`. BadInput if gain or bias has another length than `at`.
Result<FrozenNorm> frozenAt(const checkpoint::Checkpoint& checkpoint, const checkpoint::NormSource& source,
                            const VectorXd& at);
/// Gain (1 + the stored gain if the source says so) and bias of a norm; `inverse` stays 1.
Result<FrozenNorm> readNorm(const checkpoint::Checkpoint& checkpoint, const checkpoint::NormSource& source);
/// 1 / denominator of `at`.
double inverseOf(const checkpoint::NormSource& source, const VectorXd& at);

}  // namespace sepx::forward
