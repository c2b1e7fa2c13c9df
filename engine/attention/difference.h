// SPDX-License-Identifier: Apache-2.0
// Compares two forms of the same shape from their factors: |A - B|_F and the cosine of A and B, without forming A or B.
// With A = Q_a K_a^T and B = Q_b K_b^T:  <A, B> = Tr((Q_a^T Q_b) (K_b^T K_a)). The difference is not |A|^2 + |B|^2 -
// 2 <A, B>, which loses half the digits where A and B are close. Narrow factors of the same shape give A - B = (Q_a -
// Q_b) K_a^T + Q_b (K_a - K_b)^T; otherwise the products are subtracted block by block. Double precision; any thread.
#pragma once

#include <functional>
#include <optional>

#include "engine/attention/factors.h"
#include "engine/core/thread_pool.h"

namespace sepx::attention {

struct Difference {
  double norm = 0;      ///< |A - B|_F
  double relative = 0;  ///< |A - B|_F / sqrt(|A|_F |B|_F); 0 if both are 0, infinite if only one is
  double cosine = 0;    ///< <A, B> / (|A| |B|); NaN if one is 0
  double normA = 0, normB = 0;
};

/// The shapes must agree. All members are NaN if a factor holds a non-finite number.
Difference difference(const LayerFactors& a, const LayerFactors& b);
/// The same for wide layers, on the pool. Empty optional if `cancelled`, which is called from several threads, returns
/// true.
std::optional<Difference> difference(const LayerFactors& a, const LayerFactors& b, ThreadPool* pool,
                                     const std::function<bool()>& cancelled);

}  // namespace sepx::attention
