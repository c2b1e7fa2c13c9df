// SPDX-License-Identifier: Apache-2.0
// The loss constraints of Attention-Structure (002), with their corrected meaning (remark att-13). M = W_qk of a layer,
// s its symmetry score:
//   symmetric  gamma |M|^2 / |M_s|^2 = 2 gamma / (1 + s), least at s = 1
//   skew       gamma |M|^2 / |M_n|^2 = 2 gamma / (1 - s), least at s = -1 (the text's "s = 0" is the code's score)
//   d/dM       -+2/(1 +- s)^2 (2 M^T/|M|^2 - 2 s M/|M|^2);  dW_Q = G W_K, dW_K = G^T W_Q
// The values are summed over layers. Where 1 +- s is below 1e-6, the value is held constant and the gradient is 0. Any
// thread.
#pragma once

#include <span>

#include "engine/nn/model_config.h"
#include "engine/nn/parameters.h"

namespace sepx::nn {

enum class ConstraintKind { None, Symmetric, Skew };  ///< which symmetry of W_qk is favoured

struct Constraint {
  ConstraintKind kind = ConstraintKind::None;
  double gamma = 0;
  bool operator==(const Constraint&) const = default;
};

/// Adds the constraint's gradient times `scale` to `gradient` (may be empty) and returns the constraint's value. Does
/// not form M where products of the factors are smaller.
template <class T>
double constrain(const Constraint& constraint, const ModelConfig& config, const ParameterLayout& layout,
                 std::span<const T> theta, std::span<T> gradient, double scale = 1);

extern template double constrain<float>(const Constraint&, const ModelConfig&, const ParameterLayout&,
                                        std::span<const float>, std::span<float>, double);
extern template double constrain<double>(const Constraint&, const ModelConfig&, const ParameterLayout&,
                                         std::span<const double>, std::span<double>, double);

}  // namespace sepx::nn
