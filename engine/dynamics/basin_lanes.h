// SPDX-License-Identifier: Apache-2.0
// The interface, besides VectorField, of a field that can integrate many orbits at once for a basin map. Any thread.
#pragma once

#include <cstdint>
#include <span>

namespace sepx::dynamics {

struct BasinMapOptions;

class BasinLanes {
 public:
  virtual ~BasinLanes() = default;
  /// Label of a pixel that is left to the general path.
  static constexpr std::uint8_t kNeedsGeneralPath = 255;
  /// labels[i] is the label of the orbit from pixel (x[i], y[i]), by integration at least as accurate as the general
  /// path of integrateBasinMap(), or kNeedsGeneralPath. The label of a pixel depends on that pixel alone.
  virtual void basinLabels(std::span<const double> parameters, std::span<const double> x, std::span<const double> y,
                           const BasinMapOptions& options, std::uint8_t* labels) const = 0;
};

}  // namespace sepx::dynamics
