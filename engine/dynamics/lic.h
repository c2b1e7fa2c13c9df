// SPDX-License-Identifier: Apache-2.0
// Line integral convolution (Cabral & Leedom 1993): grey noise averaged along the field line through every pixel, so
// that a plane field shows as a texture of its lines. The double-precision twin of shaders/compute/lic.comp.
//
// On the page the field has the direction d = (fx/dx, -fy/dy)/|.| of pixels; it is sampled at the pixels' centres and
// interpolated between them. A line is followed both ways in steps of one pixel, x += (3 d - d_before)/2 (Adams and
// Bashforth's of second order: one sample a step), `length` pixels each way, and ends where it leaves the window or
// where neighbouring directions cancel (a critical point or curve). With weights k(s) = (1 + cos(pi s/length))/2 the
// mean m of the noise along it is brought to its standard deviation, so that short lines have the contrast of long
// ones, and then to a level 1 to 255; 128 says nothing, also where there is no direction. Workers only; deterministic
// on any thread count.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/dynamics/basin_map.h"
#include "engine/dynamics/vector_field.h"

namespace sepx::dynamics {

struct LicOptions {     ///< how the texture looks
  double length = 24;   ///< pixels each way, 1 to kMostLicSteps
  double contrast = 1;  ///< of the levels: 1 spreads one standard deviation over two thirds of the range
  double grain = 1;     ///< pixels a side of a grain of noise, at least 1
  /// Streaks that run with the flow: k(s) times 1 + cos(2 pi (3 s/(2 length) + phase)). Nothing: they stand.
  std::optional<double> phase;  ///< turns
  std::uint64_t seed = 0;
  bool operator==(const LicOptions&) const = default;
};
inline constexpr int kMostLicSteps = 256;         ///< samples each way
inline constexpr std::uint8_t kLicNeutral = 128;  ///< level where there is no flow

/// Levels of the texture, [height, width], row 0 at the top.
struct FlowTexture {
  BasinWindow window;
  std::vector<std::uint8_t> levels;
};

/// What lines are followed through: one direction (pixels, y down, length 1; 0 where there is none) and one grain of
/// noise, -0.5 to 0.5, a pixel.
struct LicLattice {
  struct alignas(16) Cell {  ///< flow and noise of a pixel
    float dx = 0, dy = 0, noise = 0, padding = 0;
  };
  BasinWindow window;
  std::vector<Cell> cells;  ///< [height, width]
};

/// Where the window lies among the grains of the whole plane, so that a pan takes its noise along; modulo 2^32.
struct NoiseOrigin {
  std::uint32_t column = 0, row = 0;
};
NoiseOrigin noiseOrigin(const BasinWindow& window, double grain);
/// Grain (column, row) of the plane; the shaders have the same bits.
float licNoise(std::uint32_t column, std::uint32_t row, std::uint64_t seed);

/// The weight of each sample along a line: [0, steps) backward from the farthest, then the pixel itself, then forward.
std::vector<float> licWeights(const LicOptions& options);
/// Steps each way.
int licSteps(const LicOptions& options);
/// Flow and noise on the pixels of a window.
LicLattice makeLicLattice(const VectorField& field, std::span<const double> parameters, const BasinWindow& window,
                          const LicOptions& options, ThreadPool& pool, const std::function<bool()>& cancelled = {});
/// The texture; stops at `cancelled`.
FlowTexture convolve(const LicLattice& lattice, const LicOptions& options, ThreadPool& pool,
                     const std::function<bool()>& cancelled = {},
                     const std::function<void(double share)>& progress = {});

/// Both. A cancelled texture is neutral where it did not get to.
FlowTexture lineIntegralConvolution(const VectorField& field, std::span<const double> parameters,
                                    const BasinWindow& window, const LicOptions& options, ThreadPool& pool,
                                    const std::function<bool()>& cancelled = {},
                                    const std::function<void(double share)>& progress = {});

}  // namespace sepx::dynamics
