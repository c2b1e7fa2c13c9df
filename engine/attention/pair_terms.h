// SPDX-License-Identifier: Apache-2.0
// The gradient of W_qk for one head and one sequence, split into its terms [Attention-Structure, Propositions 2.1, 2.2
// and Theorem 2.4 as corrected: remarks att-6, att-11, att-12]. beta_ij = dL/d(q_i . k_j), row i the query, column j
// the key; x_i the row of X that enters the projections:
//   G = sum_ij beta_ij x_i x_j^T                                    (the paper's beta is -beta)
//   pair {i, j}: beta_ij x_i x_j^T + beta_ji x_j x_i^T               (20)
// Gradient descent adds -eta times these terms (update.h has the exact change of W_Q W_K^T). beta [T, T],
// X [T, d]. Pure; any thread.
#pragma once

#include <span>
#include <vector>

#include "engine/attention/factors.h"

namespace sepx::attention {

/// beta_ij x_i x_j^T, [d, d].
Matrix rankOneTerm(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta, int i, int j);
/// The sum of both terms of a pair, [d, d]; the single term if i == j.
Matrix pairTerm(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta, int i, int j);

/// Scalar properties of a pair, without its matrix.
struct Pair {
  int i = 0, j = 0;  ///< i < j
  double beta_ij = 0, beta_ji = 0;
  double norm = 0;      ///< Frobenius norm of the pair's term
  double symmetry = 0;  ///< s of the pair's term, in [-1, 1]: 1 if beta_ij = beta_ji; NaN if the term is 0
};
Pair pairOf(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta, int i, int j);
/// The `most` pairs of largest norm, in descending order; equal norms by i, then j.
std::vector<Pair> strongestPairs(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta,
                                 std::size_t most);

/// Counts the off-diagonal terms that exist in both orders. A term exists if its beta is not 0.
struct MirroredTerms {
  std::int64_t mirrored = 0;  ///< ordered terms (i, j), i != j, for which (j, i) also exists
  std::int64_t single = 0;    ///< ordered terms (i, j), i != j, for which (j, i) does not exist
  double energy = 0;          ///< share of the mirrored terms in sum beta_ij^2, i != j; NaN if the sum is 0
  /// To be compared with MaskedPairs::ratio and MaskedPairs::share of counts.h [(S111)]; NaN for 0/0.
  double ratio() const { return static_cast<double>(mirrored) / static_cast<double>(single); }
  double share() const { return static_cast<double>(mirrored) / static_cast<double>(mirrored + single); }
};
MirroredTerms mirroredTerms(const Eigen::Ref<const Matrix>& beta);

/// G as a sum of three parts, each [d, d]. `own` is symmetric for every beta. `mirrored` is the more symmetric the
/// closer beta_ij and beta_ji are (Theorem 2.4); its symmetric part is sum (beta_ij + beta_ji)/2 (x_i x_j^T + x_j
/// x_i^T) over the pairs. `single` is the more symmetric the closer the x are to parallel. A causal model has only
/// `own` and `single`.
struct GradientParts {
  Matrix own;       ///< sum of beta_ii x_i x_i^T
  Matrix mirrored;  ///< the pairs for which both terms exist
  Matrix single;    ///< the terms whose mirror does not exist
};
GradientParts gradientParts(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta);

/// Similarity of beta_ij and beta_ji.
struct BetaSymmetry {
  /// Pearson's correlation of (beta_ij, beta_ji) over the pairs for which both exist, each pair in both orders. NaN for
  /// fewer than two pairs; a causal model has none.
  double correlation = 0;
  /// sum beta_ij beta_ji / sum beta_ij^2 over i != j, the symmetry score of beta without its diagonal: 0 in a causal
  /// model. NaN if beta is diagonal.
  double score = 0;
  std::int64_t pairs = 0;  ///< number of pairs {i, j} for which both exist
};
BetaSymmetry betaSymmetry(const Eigen::Ref<const Matrix>& beta);

/// The contribution of the positions of one token to G [(13)-(16)]: as context (t_j = t*) column k is [x_*]_k sum_i
/// beta_i* x_i and row m is (sum_i beta_i* [x_i]_m) x_*; as query (t_i = t*, called predicted in the paper) the same
/// with rows and columns exchanged. Summed over the positions, whose x differ after the first layer. A term between two
/// of the positions is in both sums.
struct TokenUpdate {
  Matrix context;                   ///< sum over j in places of (sum_i beta_ij x_i) x_j^T, [d, d]
  Matrix predicted;                 ///< sum over i in places of x_i (sum_j beta_ij x_j)^T, [d, d]
  std::int64_t contextTerms = 0;    ///< existing terms with j in places, i != j
  std::int64_t predictedTerms = 0;  ///< existing terms with i in places, j != i
};
TokenUpdate tokenUpdate(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta,
                        std::span<const int> places);

/// sum_j beta_ij of every row: 0 for softmax attention, in general not 0 for linear attention.
Eigen::VectorXd rowSums(const Eigen::Ref<const Matrix>& beta);

}  // namespace sepx::attention
