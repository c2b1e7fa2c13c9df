// SPDX-License-Identifier: Apache-2.0
// Energy (4), (10), the separatrix's level and the angle that the reduced Airy equation conserves in 3-D: with s = e^2
// - 4a^2, da/ds = a^2 + s/4, hence a = -y'/y with y an Airy function of -k s. Pure functions.
#include "engine/markov/energy.h"

#include <cmath>
#include <numbers>

#include "engine/markov/airy.h"

namespace sepx::markov {

std::optional<double> energy(Model model, const State& theta) {
  const double e = theta[0], w = theta[1], a = hasAttention(model) ? theta[2] : 0.0;
  if (w == 0) return std::nullopt;
  return e * e - w * w - std::copysign(1.0, w) * std::log(std::abs(w)) - 2 * a * a;
}

double saddleEnergy() {
  return -(1 + std::numbers::ln2) / 2;
}

double separatrixSquared(double w) {
  constexpr double kRoot2Rest = -9.667293313452913e-17;  // sqrt(2) minus the double nearest to it
  const double distance = std::fma(-w, std::numbers::sqrt2, -1.0) - w * kRoot2Rest;
  const double r = std::abs(distance) < 0.5 ? std::log1p(distance) : std::log(-w * std::numbers::sqrt2);
  if (std::abs(r) < 1e-3) return r * r * (1 + r * (2.0 / 3 + r * (1.0 / 3 + r * (2.0 / 15 + r * (2.0 / 45)))));
  return std::expm1(2 * r) / 2 - r;
}

double airyAngle(const State& theta) {
  const double e = theta[0], a = theta[2];
  const double x = -kAiry * (e * e - 4 * a * a);
  // Beyond this x, Bi exceeds Ai by 200 powers of ten and a Bi - k Bi' does not vanish, so the angle is 0 to within
  // rounding.
  constexpr double kBiWins = 50;
  if (x > kBiWins) return 0;
  const Quiet quiet;
  const double ai = a * boost::math::airy_ai(x, quiet) - kAiry * boost::math::airy_ai_prime(x, quiet);
  const double bi = a * boost::math::airy_bi(x, quiet) - kAiry * boost::math::airy_bi_prime(x, quiet);
  const double angle = std::atan2(ai, bi);
  const double folded = angle < 0 ? angle + std::numbers::pi : angle;
  return folded >= std::numbers::pi ? 0 : folded;
}

}  // namespace sepx::markov
