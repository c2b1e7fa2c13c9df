// SPDX-License-Identifier: Apache-2.0
// Gradient flow on the forward loss of the idealised layer with one token of evidence [Reversal, C.3, Propositions C.2
// and C.3]: the logits are alpha Y, alpha = sigma(S/sqrt D), and both queries share Y and the routing,
//   RoPE   S_fwd = q^T R(Delta1) k, S_rev = q^T R(-Delta2) k; k trains, q is fixed
//   ALiBi  S_fwd = q.k + b Delta1, S_rev = q.k - b Delta2; q and k are fixed or both train
//   dY/dt = -eta alpha_fwd (p_fwd - e_A),  dS/dt along -eta alpha (1 - alpha)/sqrt D (p_fwd - e_A)^T Y grad S
// The paper proves p_fwd and p_rev -> 1, for RoPE under q^T R(Delta1 + Delta2) q > 0. Pure; any thread.
//
// Y begins at 0 and all tokens except A are equivalent, so the whole state is the margin m = Y_A - Y_C and one number
// lambda that measures how far q and k have moved. With 1 - p = 1 - p_fwd(A):
//   dm/dt = eta alpha_fwd (1 - p) V/(V-1),  dlambda/dt = eta alpha_fwd (1 - alpha_fwd)/sqrt D (1 - p) m
//   RoPE           k = k(0) + lambda R(-Delta1) q
//   ALiBi trained  q.k = q(0).k(0) cosh 2 lambda + (|q(0)|^2 + |k(0)|^2)/2 sinh 2 lambda
#pragma once

#include <span>
#include <vector>

#include "engine/core/result.h"

namespace sepx::reversal {

enum class TransferKind { Rope, AlibiFixed, AlibiTrained };  ///< positional encoding; whether q and k train with ALiBi

struct TransferFlow {
  TransferKind kind = TransferKind::Rope;
  std::vector<double> q, k;  ///< of [M] and B at t = 0, D coordinates; planes of RoPE: 2s and 2s + 1
  int vocabulary = 4, target = 0;
  double forward = 1, reverse = 1;  ///< Delta1, Delta2
  double slope = -0.25;             ///< b
  double rate = 1;                  ///< eta
  double base = 10000;
};

struct TransferState {  ///< at one time
  double t = 0;
  double forward = 0, reverse = 0;            ///< p_fwd(A), p_rev(A)
  double forwardMiss = 0, reverseMiss = 0;    ///< 1 - p of both: the sum of the others, exact where p rounds to 1
  double forwardAlpha = 0, reverseAlpha = 0;  ///< attention to B
  double target = 0, other = 0;               ///< Y_A, and Y_C of each token C that is not A
};

/// A Usage error with a message if q and k are empty or of different or (RoPE) odd length, the RoPE base is not above
/// 1, the vocabulary is below 2, or the target is outside it.
Result<void> check(const TransferFlow& flow);
/// The least rho at which p_rev(A) does not tend to 1/V. This result is ours, not the paper's. With s = S_fwd/sqrt D,
/// m = Y_A - Y_C and c = |q|^2/D (V-1)/V, s + e^s - c m^2/2 is conserved, because ds/dm = c m (1 - alpha_fwd). So
/// 1 - alpha_fwd scales as m^-2. S_rev changes by rho = q^T R(Delta1 + Delta2) q/|q|^2 times the change of S_fwd, so
/// alpha_rev m scales as m^(1 + 2 rho) for rho < 0 and as m for rho >= 0, where 1 - alpha_rev scales as m^(-2 rho). In
/// the limit p_rev(A) is 1 for rho > -1/2, also where the paper's condition is violated, strictly between 1/V and 1 for
/// rho = -1/2, and 1/V for rho < -1/2. 1 - p_fwd decays as 1/t. 1 - p_rev decays as 1/t for rho >= 1/2, where
/// (1 - alpha_rev) m stays bounded, and more slowly otherwise; under ALiBi with fixed scores it decays as
/// t^(-alpha_rev/alpha_fwd).
inline constexpr double kLeastRopeCondition = -0.5;
/// q^T R(Delta1 + Delta2) q; `flow` must have passed check() and be of kind Rope.
double ropeCondition(const TransferFlow& flow);
/// q^T R(r) q for each r of `sums`, in place of the Delta1 + Delta2 of `flow`, which must have passed check() and be of
/// kind Rope.
std::vector<double> ropeConditions(const TransferFlow& flow, std::span<const double> sums);
/// The states at `times` >= 0 in ascending order; Y = 0 at t = 0. Steps are equal in log(1 + t), because the margin
/// grows like log t. The error is below 1e-9 for scores of a few units. Takes half a millisecond for t = 1e6.
std::vector<TransferState> transferStates(const TransferFlow& flow, std::span<const double> times);

}  // namespace sepx::reversal
