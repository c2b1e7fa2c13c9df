// SPDX-License-Identifier: Apache-2.0
// sepx theory entropy: the entropies in nats of a binary chain of order k: of one bit, of blocks of bits, and their
// rate. Local-to-Global names orders beyond k = 1 as an open question; everything here is our own work.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/cli/theory_reversal.h"

namespace sepx::app::cli {

/// The entropies H_1 ... H_N of blocks of n bits of the stationary chain with `kernel` [2^k] = P(1 | the last k bits),
/// the oldest bit the highest, and stationary distribution `pi` [2^k]. From n = k on, every further bit adds the rate.
std::vector<double> blockEntropies(std::span<const double> kernel, std::span<const double> pi, int N);

/// Arguments as typed: the 2^k numbers of the kernel, and N, by default k + 2. Usage with one sentence for a kernel of
/// another size, without a unique stationary distribution, or with numbers outside [0, 1].
Result<TheoryAnswer> entropyTheory(const std::string& kernel, const std::string& blocks);

}  // namespace sepx::app::cli
