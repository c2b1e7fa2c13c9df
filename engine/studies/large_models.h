// SPDX-License-Identifier: Apache-2.0
// Table 7 of Reversal: models of 4 to 8 billion parameters, fine-tuned on one direction of a relation and tested on the
// other. Only the published numbers, because this training is out of scope for the program. Plain data.
#pragma once

#include <span>

namespace sepx::studies {

struct LargeModelResult {           ///< a printed row
  const char* relation = "";        ///< "Parent → Child"
  const char* model = "";           ///< "LLaDA-8B"
  bool diffusion = false;           ///< masked diffusion; else autoregressive
  double forward = 0, reverse = 0;  ///< exact matches of the trained and of the held-out direction, percent
};
/// By relation, then by model, as printed.
std::span<const LargeModelResult> publishedLargeModels();

}  // namespace sepx::studies
