// SPDX-License-Identifier: Apache-2.0
#include "engine/attention/factors.h"

#include <algorithm>
#include <set>

namespace sepx::attention {

LayerFactors headOf(const LayerFactors& factors, int head) {
  return {1, factors.d_h, factors.query(head), factors.key(head), {0}};
}

Matrix keysOfHeads(const LayerFactors& factors) {
  Matrix keys(factors.columns(), Eigen::Index{factors.heads} * factors.d_h);
  for (int h = 0; h < factors.heads; ++h)
    keys.middleCols(Eigen::Index{h} * factors.d_h, factors.d_h) = factors.key(h);
  return keys;
}

int rankOf(const LayerFactors& factors) {
  const std::set<int> used(factors.keyHead.begin(), factors.keyHead.end());
  const Eigen::Index inner = static_cast<Eigen::Index>(used.size()) * factors.d_h;
  return static_cast<int>(std::min({inner, factors.rows(), factors.columns()}));
}

}  // namespace sepx::attention
