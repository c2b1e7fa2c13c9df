// SPDX-License-Identifier: Apache-2.0
// The canonical transformer with the softmax attention of Local-to-Global, (13) and (19), which the paper replaces by
// linear attention (H.1). Its scalars are e and w as in the plane, the value scalar v = <v, alpha> and the score factor
// k = q^2 sqrt(d) (alpha of norm 1; remark l2g-13):
//   y_n = e (h_n) alpha,  h_n = (x_n - 1/2) + v sum_i att_ni (x_i - 1/2),  att_ni ~ exp(k e^2 (x_n - 1/2)(x_i - 1/2))
//   logit_n = e^2 h_n + 4 w|w| e relu(e h_n) + b
// With linear attention h_n is (x_n - 1/2)(1 + a e^2), a = v k/4, whatever the past is. With softmax attention h_n
// depends on the number of ones among x_1 .. x_n, so L depends on N. The results that follow and all formulas below are
// ours, not the paper's. In the limit of long sequences that number is n pi_1, and h depends on x_n alone:
//   h_1 = (1 + v tanh(t + m))/2, h_0 = (-1 + v tanh(m - t))/2,  t = k e^2/4,  m = log(p/q)/2
// so L with the best bias is again Lambda(S), where S is the difference of the two logits. At p = q, S = e^2 (1 + v
// tanh t)(1 + 2 w|w|), where v tanh t is close to a e^2 for small e and never exceeds v. Any thread.
#pragma once

#include <memory>

#include "engine/dynamics/vector_field.h"
#include "engine/markov/chain.h"

namespace sepx::markov {

struct SoftmaxScalar {
  double v = 1;  ///< >= 0 for softmaxField()
  double k = 2;
};

/// sum_i att_i (x_i - 1/2) after `bit`, where `ones` is the fraction of ones among x_1 .. x_n.
double softmaxMean(int bit, double ones, double e, double k);
/// The logit of the next bit after `bit`, without b.
double softmaxLogit(int bit, double ones, double e, double w, const SoftmaxScalar& attention);

struct BestLoss {  ///< least loss over b, and the b that attains it
  double loss = 0, bias = 0;
};
/// L with the best bias for sequences of N bits, computed exactly by a sum over the numbers of ones. O(N^2).
BestLoss softmaxLoss(const Chain& chain, double e, double w, const SoftmaxScalar& attention, int N);

/// S of the limit N -> infinity, with its derivatives with respect to e and w. For e < 0 these are the values of the
/// network at that negative e; S(-e, w) = S(e, w) holds only if p = q.
struct SoftmaxLimit {
  double S = 0;
  dynamics::State gradient;  ///< [2]
  dynamics::Jacobian hessian;
};
SoftmaxLimit softmaxLimit(const Chain& chain, double e, double w, const SoftmaxScalar& attention);

/// A constant of the limit flow at p = q, for w != 0: Phi(e^2) - w^2 - sgn(w) log|w| with Phi' = D/(D + t dD/dt),
/// D = 1 + v tanh t. For v = 0 it is the energy (4).
double softmaxEnergy(double e, double w, const SoftmaxScalar& attention);

/// The gradient flow of the limit in (e, w): key "softmax", parameters p, q, v, k. With v >= 0 its critical points are
/// S = S_star and e = 0, as on the plane without attention.
std::unique_ptr<dynamics::VectorField> makeSoftmaxField();

}  // namespace sepx::markov
