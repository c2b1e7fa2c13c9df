// SPDX-License-Identifier: Apache-2.0
// The gradient of W_qk of one head and one sequence, taken apart [Attention-Structure, Propositions 2.1, 2.2 and
// Theorem 2.4 as corrected: remarks att-6, att-11, att-12]. beta_ij = dL/d(q_i . k_j), row i the query, column j the
// key; x_i the row of X that the projections read:
//   G = sum_ij beta_ij x_i x_j^T                                    (the paper's beta is -beta)
//   pair {i, j}: beta_ij x_i x_j^T + beta_ji x_j x_i^T               (20)
// Gradient descent adds -eta times what stands here (update.h has the exact change of W_Q W_K^T). beta [T, T],
// X [T, d]. Pure; any thread.
#pragma once

#include <span>
#include <vector>

#include "engine/attention/factors.h"

namespace sepx::attention {

/// beta_ij x_i x_j^T, [d, d].
Matrix rankOneTerm(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta, int i, int j);
/// Both terms of a pair, [d, d]; i == j: the one term.
Matrix pairTerm(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta, int i, int j);

/// A pair in numbers, without the matrix.
struct Pair {
  int i = 0, j = 0;  ///< i < j
  double beta_ij = 0, beta_ji = 0;
  double norm = 0;      ///< Frobenius norm of the pair's term
  double symmetry = 0;  ///< s of the pair's term, in [-1, 1]: 1 where beta_ij = beta_ji; NaN where the term is 0
};
Pair pairOf(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta, int i, int j);
/// The `most` pairs of largest norm, falling; equal norms by i, then j.
std::vector<Pair> strongestPairs(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta,
                                 std::size_t most);

/// Which terms off the diagonal are there in both orders. A term is there where its beta is not 0.
struct MirroredTerms {
  std::int64_t mirrored = 0;  ///< ordered terms (i, j), i != j, of which (j, i) is there too
  std::int64_t single = 0;    ///< of which it is not
  double energy = 0;          ///< share of sum beta_ij^2, i != j, that the mirrored ones have; NaN where the sum is 0
  /// Beside MaskedPairs::ratio and MaskedPairs::share of counts.h [(S111)]; NaN of 0/0.
  double ratio() const { return static_cast<double>(mirrored) / static_cast<double>(single); }
  double share() const { return static_cast<double>(mirrored) / static_cast<double>(mirrored + single); }
};
MirroredTerms mirroredTerms(const Eigen::Ref<const Matrix>& beta);

/// G by parts, each [d, d]: their sum is G. `own` is symmetric whatever beta is; `mirrored` is as symmetric as beta_ij
/// and beta_ji are alike (Theorem 2.4), and its symmetric part is sum (beta_ij + beta_ji)/2 (x_i x_j^T + x_j x_i^T)
/// over the pairs; `single` is as symmetric as the x are parallel, and is all that a causal model has beside `own`.
struct GradientParts {
  Matrix own;       ///< sum of beta_ii x_i x_i^T
  Matrix mirrored;  ///< the pairs of which both terms are there
  Matrix single;    ///< the terms whose mirror is not there
};
GradientParts gradientParts(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta);

/// How alike beta_ij and beta_ji are.
struct BetaSymmetry {
  /// Pearson's correlation of (beta_ij, beta_ji) over the pairs of which both are there, each pair in both orders; NaN
  /// for fewer than two pairs: a causal model has none.
  double correlation = 0;
  /// sum beta_ij beta_ji / sum beta_ij^2 over i != j, the symmetry score of beta without its diagonal: 0 in a causal
  /// model. NaN where beta has nothing off the diagonal.
  double score = 0;
  std::int64_t pairs = 0;  ///< {i, j} of which both are there
};
BetaSymmetry betaSymmetry(const Eigen::Ref<const Matrix>& beta);

/// What the places of one token add [(13)-(16)]: as context (t_j = t*) column k is [x_*]_k sum_i beta_i* x_i and row m
/// is (sum_i beta_i* [x_i]_m) x_*; as what asks (t_i = t*, predicted in the paper's words) the same with rows and
/// columns exchanged. Summed over the places, whose x differ behind the first layer. A term of two of the places is in
/// both.
struct TokenUpdate {
  Matrix context;                   ///< sum over j in places of (sum_i beta_ij x_i) x_j^T, [d, d]
  Matrix predicted;                 ///< sum over i in places of x_i (sum_j beta_ij x_j)^T, [d, d]
  std::int64_t contextTerms = 0;    ///< terms with j in places, i != j, that are there
  std::int64_t predictedTerms = 0;  ///< terms with i in places, j != i, that are there
};
TokenUpdate tokenUpdate(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta,
                        std::span<const int> places);

/// sum_j beta_ij of every row: 0 under softmax attention, which a linear model does not keep.
Eigen::VectorXd rowSums(const Eigen::Ref<const Matrix>& beta);

}  // namespace sepx::attention
