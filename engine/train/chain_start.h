// SPDX-License-Identifier: Apache-2.0
// The initial points "bigram" and "unigram" of initial.scheme: the full transformers whose existence Theorems 4 and 5
// of Local-to-Global state, built for the chain that a run learns. Both are canonical points (App. D says that its
// parameterization covers them; Theorems 1 and 6). The chain determines e and b, and the config gives |w|:
//   bigram   e^2 (1 + 2 w|w|) = log((1-p)(1-q)/(pq)), b = log(p/(1-p)) + e^2/2; W_2 = -W_1^T where p + q > 1 (w < 0),
//            else W_2 = W_1^T. It predicts the kernel; its loss is the entropy rate.
//   unigram  e = 0, b = log(p/q), w >= 0. It predicts pi; its loss is H(pi). A minimum only for p + q > 1.
// Any thread.
#pragma once

#include "engine/core/result.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// The initial point in the form that nn::initialise() takes: a canonical one for these two schemes, otherwise
/// config.initial. `config` must have passed checkChainStart().
nn::Initial initialOf(const RunConfig& config);

/// Fails with Usage unless the data are a chain of order 1 with 0 < p, q < 1. Also fails for "bigram" with p + q > 1 if
/// |w| is at most 1/sqrt2, because 1 + 2w|w| then does not have the sign of the logarithm. Other schemes always pass.
Result<void> checkChainStart(const RunConfig& config);

}  // namespace sepx::train
