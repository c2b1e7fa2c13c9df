// SPDX-License-Identifier: Apache-2.0
// Computes the square of (p,q) pixel by pixel. Only p <= q is computed; the rest is its mirror image. Runs on worker
// threads.
#include "engine/markov/chain_map.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "engine/markov/convergence_time.h"
#include "engine/markov/gaussian.h"
#include "engine/markov/gaussian_count.h"

namespace sepx::markov {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// p or q at the centre of pixel i; columns are counted from p = 0, rows from q = 0.
double centre(int i, int size) {
  return (i + 0.5) / size;
}

}  // namespace

double lossGap(const Chain& chain) {
  return std::max(chain.mutualInformation(), 0.0);
}

PlanePoint nearestMinimum(const Chain& chain) {
  if (chain.degenerate()) return {0, 0};
  const double S_star = chain.S_star(), root = std::sqrt(2 * std::abs(S_star));
  if (S_star >= 0) {
    if (S_star <= 0.5) return {std::sqrt(S_star), 0};
    return {std::sqrt(S_star / root), std::sqrt((root - 1) / 2)};
  }
  return {std::sqrt(-S_star / root), -std::sqrt((root + 1) / 2)};
}

double minimumDistance(const Chain& chain) {
  const PlanePoint nearest = nearestMinimum(chain);
  return std::hypot(nearest.e, nearest.w);
}

std::optional<double> medianTime(const Chain& chain, Model model, double sigma) {
  if (chain.degenerate()) return std::nullopt;
  constexpr std::uint64_t kSeed = 1;
  constexpr double kTolerance = 1e-5;  // four digits of a time are more than a colour shows
  std::vector<double> times;
  for (int i = 0; i < kTimeStarts; ++i) {
    const State theta = gaussianStart(model, sigma, kSeed, static_cast<std::uint64_t>(i));
    const std::optional<double> time = convergenceTime(chain, model, theta, 0.01, kTolerance);
    if (time && std::isfinite(*time)) times.push_back(*time);
  }
  if (2 * times.size() <= static_cast<std::size_t>(kTimeStarts)) return std::nullopt;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

double clockUnit(const Chain& chain) {
  if (chain.degenerate()) return std::numeric_limits<double>::infinity();
  return 1 / (2 * chain.pi0() * chain.pi1() * std::abs(chain.switching()));
}

double chainValue(ChainQuantity quantity, const Chain& chain, Model model, double sigma, double probability) {
  switch (quantity) {
    case ChainQuantity::Excess:
      return chain.degenerate() ? 0 : probability * lossGap(chain);
    case ChainQuantity::Gap:
      return lossGap(chain);
    case ChainQuantity::S_star:
      return chain.degenerate() ? 0 : chain.S_star();
    case ChainQuantity::Distance:
      return minimumDistance(chain);
    case ChainQuantity::Time:
      return medianTime(chain, model, sigma).value_or(kNothing);
  }
  return kNothing;
}

std::vector<float> chainMap(const ChainMapRequest& request, ThreadPool& pool, const std::function<bool()>& cancelled,
                            const std::function<void(double share)>& progress) {
  const int size = std::max(request.size, 0);
  const auto n = static_cast<std::size_t>(size);
  std::vector<float> values(n * n, std::numeric_limits<float>::quiet_NaN());
  const bool needed = request.quantity == ChainQuantity::Excess;
  const double above = needed ? probabilityLocalMinimum(request.model, request.sigma, true) : 0;
  const double below = needed ? probabilityLocalMinimum(request.model, request.sigma, false) : 0;
  std::atomic<std::size_t> done{0};
  pool.parallelFor(0, n, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row) {
      if (cancelled && cancelled()) return;
      for (std::size_t column = 0; column <= row; ++column) {
        const Chain chain{centre(static_cast<int>(column), size), centre(static_cast<int>(row), size)};
        const double value =
            chainValue(request.quantity, chain, request.model, request.sigma, chain.switching() > 0 ? above : below);
        const auto shown = static_cast<float>(request.quantity == ChainQuantity::Time ? std::log10(value) : value);
        values[(n - 1 - row) * n + column] = values[(n - 1 - column) * n + row] = shown;
      }
      // row r, counted from 0, computes r + 1 pixels
      const std::size_t pixels = done += row + 1;
      if (progress) progress(static_cast<double>(pixels) / (0.5 * static_cast<double>(n * (n + 1))));
    }
  });
  return values;
}

}  // namespace sepx::markov
