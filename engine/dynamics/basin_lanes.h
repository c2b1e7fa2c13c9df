// SPDX-License-Identifier: Apache-2.0
// What a field that can follow many orbits at once offers to a basin map, beside VectorField. Any thread.
#pragma once

#include <cstdint>
#include <span>

namespace sepx::dynamics {

struct BasinMapOptions;

class BasinLanes {
 public:
  virtual ~BasinLanes() = default;
  /// Of a pixel that is left to the general path.
  static constexpr std::uint8_t kNeedsCare = 255;
  /// labels[i]: of the orbit from pixel (x[i], y[i]), by integration, as integrateBasinMap gives it or nearer to the
  /// truth; or kNeedsCare. A pixel's label depends on that pixel alone.
  virtual void basinLabels(std::span<const double> parameters, std::span<const double> x, std::span<const double> y,
                           const BasinMapOptions& options, std::uint8_t* labels) const = 0;
};

}  // namespace sepx::dynamics
