// SPDX-License-Identifier: Apache-2.0
// A trained single-layer transformer as a point (e, w, a, b) of the canonical model [Local-to-Global, A.1, C, D, H.1],
// and how far its parameters are from such a point.
//
// Along one direction alpha of the residual stream the canonical model is
//   embedding e alpha,  positions p_n = -(e/2) alpha,  W_1 = h alpha^T,  W_2 = alpha g^T,  W_O W_V = alpha v^T,
//   W_Q^T W_K = kappa alpha alpha^T
// with any hidden vectors h, g. Whatever h and g are, its two logits differ by S = e^2 (1 + a e^2)(1 + 2 w|w|), where
//   w|w| = <h, g>/4,   a = scale kappa <v, alpha>/4 (linear attention; softmax has no a),
// plus a constant that depends on h and g and is counted in b. So the loss of such a network is L(e, w, a, b).
//
// The projection: alpha is the direction that keeps most of the squared norms of embedding, positions (their mean over
// n), W_1, W_2 and W_O W_V; the other values follow from the formulas above. The residual is the distance to the point
// of that form, relative to the norm.
//
// Equivalent points. (e, alpha) and (-e, -alpha) with the same matrices are one network. The sign is chosen so that
// most of sum |h_k g_k| belongs to hidden units with h_k > 0, as it does where initial.scheme "canonical" starts; in a
// tie, e >= 0. L(e, w, a) with the best bias is even in e; L(e, w, a, b) is not, because the constant is odd in e
// (remark l2g-12). A rotation of the stream or of the head, a permutation of the hidden units, and the scaling (c h_k,
// g_k/c) with c > 0 change no number here except `uneven`. Any thread.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/nn/model_config.h"
#include "engine/nn/parameters.h"

namespace sepx::nn {

/// One matrix compared with the nearest one of the canonical form, in Frobenius norms.
struct CanonicalPart {
  const char* name = "";  ///< "e", "p", "W_1", "W_2", "W_O W_V", "W_Q^T W_K", "biases"
  double norm = 0;        ///< of the trained matrix; for p divided by sqrt(N)
  double distance = 0;
  /// distance over the larger of the two norms: 0 on the canonical set, 1 when nothing of the matrix is canonical.
  double residual = 0;
};
inline constexpr std::size_t kCanonicalParts = 7;

struct CanonicalProjection {
  double e = 0, w = 0, a = 0, b = 0;
  std::vector<double> alpha;  ///< [d_model], norm 1
  std::array<CanonicalPart, kCanonicalParts> parts;
  /// Residual of all parts together: root of the sum of squares of the distances over that of the larger norms.
  /// W_Q^T W_K counts only in linear attention: with softmax it has no effect on the canonical set.
  double residual = 0;
  /// Distance of (h, g) from hidden units that are all equal up to sign, h = 2|w|/sqrt(r) (+-1, ...), g = 2w/sqrt(r)
  /// (the same signs), relative to the larger norm: 0 where initial.scheme "canonical" starts.
  double uneven = 0;
  /// Share of sum |h_k g_k| that belongs to hidden units with h_k > 0; beta/r of App. C. 1 where the sum is 0.
  double positive = 1;
};

/// Fails with ErrorKind::Usage and a message for a model that the canonical one does not describe. It needs input
/// "bit", one layer, one head, no norms, learned positions, ReLU, a feed-forward part and tied output.
Result<void> checkProjection(const ModelConfig& config);

/// `config` has passed checkProjection(); theta is in the order of `layout`. Sums are computed in double.
template <class T>
CanonicalProjection projectCanonical(const ModelConfig& config, const ParameterLayout& layout,
                                     std::span<const T> theta);

extern template CanonicalProjection projectCanonical<float>(const ModelConfig&, const ParameterLayout&,
                                                            std::span<const float>);
extern template CanonicalProjection projectCanonical<double>(const ModelConfig&, const ParameterLayout&,
                                                             std::span<const double>);

}  // namespace sepx::nn
