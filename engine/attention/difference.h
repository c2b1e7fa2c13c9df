// SPDX-License-Identifier: Apache-2.0
// Two forms of one shape compared, from their factors: |A - B|_F and the cosine of A and B without forming either.
// Double precision; any thread.
#pragma once

#include "engine/attention/factors.h"

namespace sepx::attention {

struct Difference {
  double norm = 0;      ///< |A - B|_F
  double relative = 0;  ///< |A - B|_F / sqrt(|A|_F |B|_F); 0 when both are 0
  double cosine = 0;    ///< <A, B> / (|A| |B|); NaN when one is 0
  double normA = 0, normB = 0;
};

/// Shapes must agree.
Difference difference(const LayerFactors& a, const LayerFactors& b);

}  // namespace sepx::attention
