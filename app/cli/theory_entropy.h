// SPDX-License-Identifier: Apache-2.0
// sepx theory entropy: the entropies of a binary chain of order k, which Local-to-Global names as an open question
// beyond k = 1: of one bit, of blocks of bits, and their rate, in nats. All of it is ours.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/cli/theory_reversal.h"

namespace sepx::app::cli {

/// H_1 ... H_N of blocks of n bits of the stationary chain under `kernel` [2^k] = P(1 | the last k bits), the oldest
/// bit the highest, with its distribution `pi` [2^k]. From n = k on every bit adds the rate.
std::vector<double> blockEntropies(std::span<const double> kernel, std::span<const double> pi, int N);

/// As typed: the 2^k numbers of the kernel, and N; without it k + 2. Usage with one sentence for a kernel of another
/// size, without one stationary distribution, or with numbers outside [0, 1].
Result<TheoryAnswer> entropyTheory(const std::string& kernel, const std::string& blocks);

}  // namespace sepx::app::cli
