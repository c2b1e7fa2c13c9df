// SPDX-License-Identifier: Apache-2.0
// Binary Markov chains of order k: P(x_{n+1} = 1 | x_{n-k+1} ... x_n). The chain of the last k bits has 2^k states,
// s -> 2 s mod 2^k + x; its stationary distribution pi is solved for, the first k bits of a sequence are drawn from it,
// and the entropy bounds follow from it, in nats:
//   H(pi) of one bit;  H(x_{n+1} | x_n) = sum over a of pi_a h(P(1 | a));  rate sum over s of pi_s h(P(1 | s)). Any
//   thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/result.h"
#include "engine/data/source.h"

namespace sepx::data {

constexpr int kMostOrder = 10;  ///< of a chain

/// The states that the chain never leaves. Usage with a sentence when entries lie outside [0, 1] or several classes of
/// states are never left.
Result<std::vector<std::size_t>> statesForever(std::span<const double> kernel);

/// pi of the 2^k states (the oldest bit the highest) under `kernel` [2^k] = P(1 | s). Usage with a sentence when
/// entries lie outside [0, 1] or several classes of states are never left, so that there is no one distribution.
Result<std::vector<double>> stationary(std::span<const double> kernel);

/// The bounds named above; the rate only where k > 1.
std::vector<Bound> markovBounds(std::span<const double> kernel, std::span<const double> pi);

/// `kernel` has passed stationary().
std::unique_ptr<Source> makeMarkov(std::uint64_t seed, std::vector<double> kernel, std::vector<double> pi);

}  // namespace sepx::data
