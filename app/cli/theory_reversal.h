// SPDX-License-Identifier: Apache-2.0
// sepx theory rope-trace | rope-integral | cantelli | asymmetric: the bounds of Reversal, B.1-B.3, for dimensions of
// one's own.
#pragma once

#include <cstdint>
#include <string>

#include "app/cli/json_out.h"
#include "engine/core/result.h"

namespace sepx::app::cli {

/// As typed; empty: the paper's.
struct ReversalTheory {
  std::string dimensions, base;
  std::string reach;             ///< rope-trace: the largest Delta
  std::string distances;         ///< cantelli, rope-integral: values of Delta
  std::string least;             ///< cantelli: values of c
  std::string forward, reverse;  ///< asymmetric: both distances, or neither: the least of 0 ... 30
  std::string samples;           ///< asymmetric: draws beside the quadrature
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
/// Usage with one sentence for values outside their range, an odd D among them, and for options of another theory.
Result<TheoryAnswer> reversalTheory(const std::string& what, const ReversalTheory& given, std::uint64_t seed);

}  // namespace sepx::app::cli
