// SPDX-License-Identifier: Apache-2.0
// Binary Markov chains of order k: P(x_{n+1} = 1 | x_{n-k+1} ... x_n). The chain of the last k bits has 2^k states,
// s -> 2 s mod 2^k + x. The first k bits of a sequence are drawn from its stationary distribution pi, which also gives
// the entropy bounds, in nats:
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

constexpr int kMostOrder = 10;  ///< highest order of a chain

/// The states of the only closed class, which the chain never leaves. Usage if an entry lies outside [0, 1] or there
/// are several closed classes.
Result<std::vector<std::size_t>> statesForever(std::span<const double> kernel);

/// Stationary distribution pi of the 2^k states (the oldest bit is the most significant) for `kernel` [2^k] = P(1 | s).
/// Usage if an entry lies outside [0, 1] or there are several closed classes, so that pi is not unique.
Result<std::vector<double>> stationary(std::span<const double> kernel);

/// The entropy bounds listed above; the rate only if k > 1.
std::vector<Bound> markovBounds(std::span<const double> kernel, std::span<const double> pi);

/// `pi` must be the result of stationary(kernel).
std::unique_ptr<Source> makeMarkov(std::uint64_t seed, std::vector<double> kernel, std::vector<double> pi);

}  // namespace sepx::data
