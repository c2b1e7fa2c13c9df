// SPDX-License-Identifier: Apache-2.0
// The gradient of a query with respect to the storage Y = W_U W_V W_E [Reversal, Proposition 4.1, Theorem 4.6, C.1],
// with attention alpha and prediction p of a trained model of one layer and one head:
//   grad_Y L = (p - e_A) m^T,  m_x = sum over k with x_k = x of alpha_k
//   <grad_Y L_f, grad_Y L_r>_column B = m_B m'_B <p - e_A, p' - e_A>,  cos_Y = cos(p - e_A, p' - e_A) cos(m, m')
//   dL/dS_k = alpha_k (mu_k - sum_l alpha_l mu_l)/sqrt D,  mu_k = (p - e_A)^T Y_{x_k}
// These are exact where Y itself is the parameter and the logits are sum_k alpha_k Y_{x_k}. A trained model also has a
// residual path, an MLP and norms; its dL/dS_k is taken from the model, and the formula is given for comparison. The
// sum of the other probabilities gives 1 - p(A), accurate also where p(A) rounds to 1. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/result.h"
#include "engine/nn/transformer.h"
#include "engine/reversal/query.h"

namespace sepx::reversal {

/// A Usage error with a message if the model has more than one layer or head, linear attention or a transform before
/// the logits, or if checkReadsPairs() fails.
Result<void> checkOneHead(const nn::ModelConfig& config);

/// What a model computes for one query at [M].
struct MaskedPass {
  Query query;
  double loss = 0;                    ///< -log p(A), nats
  std::vector<double> p;              ///< predicted probabilities at [M], [vocabulary]
  std::vector<double> error;          ///< p - e_A, [vocabulary]
  std::vector<double> alpha;          ///< attention of [M], [length]
  std::vector<double> mass;           ///< m, [vocabulary]
  std::vector<double> scoreGradient;  ///< dL/d(q . k_k) of the model itself, [length]
  /// Y_{:,x_k} = g_f U W_O W_V n(x_k), [length, vocabulary]: n without its bias, g_f the gain of the last norm (layer
  /// norm: without its mean). A learned position is included in x_k.
  std::vector<double> storage;
  /// alpha_k (mu_k - sum alpha mu) times the scale of attention, with this storage, [length].
  std::vector<double> idealScoreGradient;

  std::span<const double> column(int place) const {  ///< of one place
    return {storage.data() + static_cast<std::size_t>(place) * p.size(), p.size()};
  }
  double evidenceMass() const {  ///< total attention to the evidence
    return mass[static_cast<std::size_t>(query.tokens[static_cast<std::size_t>(query.evidence)])];
  }
};
/// `model` must pass checkOneHead() and have no dropout; the query must fit it. Overwrites gradient() and probe().
template <class T>
MaskedPass maskedPass(nn::Transformer<T>& model, const Query& query);

/// Both factors of cos_Y, and the quantities of Theorem 4.6.
struct StorageFactors {
  double forwardMass = 0, reverseMass = 0;  ///< m_B, m'_B
  double errorProduct = 0;                  ///< <p - e_A, p' - e_A>
  double errorCosine = 0;                   ///< at least 1/2
  double massCosine = 0;
  double columnProduct() const { return forwardMass * reverseMass * errorProduct; }
  double cosine() const { return errorCosine * massCosine; }
};
/// For the two queries of one pair. Cosines are NaN where a prediction is exact.
StorageFactors storageFactors(const MaskedPass& forward, const MaskedPass& reverse);

/// Counts, over pairs, of the signs stated in Proposition 4.1 and C.1, which a trained model does not guarantee.
struct StorageSigns {
  double rate = 0;  ///< eta of the plain step theta - eta g_fwd of each pair
  std::int64_t pairs = 0;
  std::int64_t rises = 0;                           ///< pairs whose Y_{A,B} rises
  std::int64_t falls = 0, others = 0;               ///< entries Y_{C,B}, C != A: how many fall, of how many
  std::int64_t forwardHelps = 0, reverseHelps = 0;  ///< pairs with dL/dS_B < 0: more attention to B lowers the loss
  std::int64_t sameSign = 0;                        ///< pairs in which both have the same sign
  std::int64_t agrees = 0, scores = 0;              ///< dL/dS_k with the sign of the formula; all k of both queries
};
/// Adds one pair.
template <class T>
void countSigns(nn::Transformer<T>& model, const Pair& pair, double rate, StorageSigns& into);

extern template MaskedPass maskedPass(nn::Transformer<float>&, const Query&);
extern template MaskedPass maskedPass(nn::Transformer<double>&, const Query&);
extern template void countSigns(nn::Transformer<float>&, const Pair&, double, StorageSigns&);
extern template void countSigns(nn::Transformer<double>&, const Pair&, double, StorageSigns&);

}  // namespace sepx::reversal
