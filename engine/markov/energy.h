// SPDX-License-Identifier: Apache-2.0
// Invariants of the gradient flow with optimal bias: the energy (4), (10) and, in 3-D, the conserved angle of the
// reduced Airy equation. With a free bias neither is conserved.
#pragma once

#include <numbers>
#include <optional>

#include "engine/markov/canonical_model.h"

namespace sepx::markov {

/// The saddle on the w-axis is (0, -1/sqrt 2).
inline constexpr double kSaddleW = -1 / std::numbers::sqrt2;

/// E = e^2 - w^2 - sgn(w) log|w| - 2 a^2; no value on the e-axis (w = 0).
std::optional<double> energy(Model model, const State& theta);
/// E_sad = -(1 + log 2)/2, the level of the separatrix.
double saddleEnergy();
/// g(w)^2 = w^2 - log(-w) + E_sad for w < 0: the separatrix is e^2 = g^2. Accurate near w = -1/sqrt(2).
double separatrixSquared(double w);
/// atan2(a Ai - k Ai', a Bi - k Bi') mod pi at -k s, s = e^2 - 4 a^2, k = 4^(-1/3).
double airyAngle(const State& theta);

}  // namespace sepx::markov
