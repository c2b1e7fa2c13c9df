// SPDX-License-Identifier: Apache-2.0
// Gradient flow on the forward loss of the idealised layer with one token of evidence [Reversal, C.3, Propositions C.2
// and C.3]: the logits are alpha Y, alpha = sigma(S/sqrt D), and both queries share Y and the routing,
//   RoPE   S_fwd = q^T R(Delta1) k, S_rev = q^T R(-Delta2) k; k trains, q is fixed
//   ALiBi  S_fwd = q.k + b Delta1, S_rev = q.k - b Delta2; q and k are fixed or both train
//   dY/dt = -eta alpha_fwd (p_fwd - e_A),  dS/dt along -eta alpha (1 - alpha)/sqrt D (p_fwd - e_A)^T Y grad S
// The paper proves p_fwd and p_rev -> 1, for RoPE under q^T R(Delta1 + Delta2) q > 0. Pure; any thread.
#pragma once

#include <span>
#include <vector>

#include "engine/core/result.h"

namespace sepx::reversal {

enum class TransferKind { Rope, AlibiFixed, AlibiTrained };

struct TransferFlow {
  TransferKind kind = TransferKind::Rope;
  std::vector<double> q, k;  ///< of [M] and B at t = 0, D coordinates; planes of RoPE: 2s and 2s + 1
  int vocabulary = 4, target = 0;
  double forward = 1, reverse = 1;  ///< Delta1, Delta2
  double slope = -0.25;             ///< b
  double rate = 1;                  ///< eta
  double base = 10000;
};

struct TransferState {
  double t = 0;
  double forward = 0, reverse = 0;            ///< p_fwd(A), p_rev(A)
  double forwardAlpha = 0, reverseAlpha = 0;  ///< attention to B
  std::vector<double> Y;                      ///< [vocabulary]
};

/// Usage with one sentence: q and k of different or (RoPE) odd length, a vocabulary below 2, a target outside it.
Result<void> check(const TransferFlow& flow);
/// Ours: with k = 0 at the start S_rev = rho S_fwd, rho = q^T R(Delta1 + Delta2) q/|q|^2. As dS_fwd/dY goes as
/// (1 - alpha_fwd) Y, 1 - alpha_fwd goes as Y^-2 and, for rho < 0, alpha_rev as Y^(2 rho): alpha_rev Y as Y^(1 + 2 rho).
/// In the limit p_rev(A) is 1 for rho > -1/2, also where the paper's condition is violated, and 1/V for rho < -1/2.
inline constexpr double kLeastRopeCondition = -0.5;
/// q^T R(Delta1 + Delta2) q; `flow` has passed check() and is of RoPE.
double ropeCondition(const TransferFlow& flow);
/// At `times` >= 0 in ascending order; Y = 0 at t = 0. Steps are equal in log(1 + t): 1 - p falls as 1/t. The error is
/// below 1e-10 for scores of a few units.
std::vector<TransferState> transferStates(const TransferFlow& flow, std::span<const double> times);

}  // namespace sepx::reversal
