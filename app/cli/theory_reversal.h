// SPDX-License-Identifier: Apache-2.0
// sepx theory rope-trace | rope-integral | cantelli | asymmetric: the bounds of Reversal, B.1-B.3, for given
// dimensions.
#pragma once

#include <cstdint>
#include <string>

#include "app/cli/json_out.h"
#include "engine/core/result.h"

namespace sepx::app::cli {

/// Arguments as typed; an empty one has the paper's value.
struct ReversalTheory {
  std::string dimensions, base;
  std::string reach;             ///< rope-trace: the largest Delta
  std::string distances;         ///< cantelli, rope-integral: values of Delta
  std::string least;             ///< cantelli: values of c
  std::string forward, reverse;  ///< asymmetric: both distances; neither: the pair of 0 ... 30 with the smallest bound
  std::string samples;           ///< asymmetric: number of draws in addition to the quadrature
  bool isEmpty() const {
    return dimensions.empty() && base.empty() && reach.empty() && distances.empty() && least.empty() &&
           forward.empty() && reverse.empty() && samples.empty();
  }
};

struct TheoryAnswer {
  Json json;
  std::string text;
};
/// Whether `what` is one of the four.
bool isReversalTheory(const std::string& what);
/// Usage with one sentence for values outside their range, including an odd D, and for options of another theory.
Result<TheoryAnswer> reversalTheory(const std::string& what, const ReversalTheory& given, std::uint64_t seed);

}  // namespace sepx::app::cli
