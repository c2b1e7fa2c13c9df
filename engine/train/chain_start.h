// SPDX-License-Identifier: Apache-2.0
// initial.scheme "bigram" and "unigram": the full transformers whose existence Theorems 4 and 5 of Local-to-Global
// state, built for the chain that a run learns. Both are canonical points (App. D says that its parameterization covers
// them; Theorems 1 and 6), with the e and b that the chain asks for and the |w| that the config gives:
//   bigram   e^2 (1 + 2 w|w|) = log((1-p)(1-q)/(pq)), b = log(p/(1-p)) + e^2/2; W_2 = -W_1^T where p + q > 1 (w < 0),
//            else W_2 = W_1^T. It predicts the kernel; its loss is the entropy rate.
//   unigram  e = 0, b = log(p/q), w >= 0. It predicts pi; its loss is H(pi). A minimum for p + q > 1 alone.
// Any thread.
#pragma once

#include "engine/core/result.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// The start as nn::initialise() takes it: of the two schemes a canonical one, else config.initial. `config` has passed
/// checkChainStart().
nn::Initial initialOf(const RunConfig& config);

/// Usage unless the data are a chain of order 1 with 0 < p, q < 1, and where "bigram" with p + q > 1 has |w| at or
/// below 1/sqrt2, so that 1 + 2w|w| has not the sign of the logarithm. Nothing to say of other schemes.
Result<void> checkChainStart(const RunConfig& config);

}  // namespace sepx::train
