// SPDX-License-Identifier: Apache-2.0
// Line integral convolution (Cabral & Leedom 1993): grey noise averaged along the field line through every pixel, so
// that a plane field shows as a texture of its lines. The double-precision twin of shaders/compute/lic.comp.
//
// In pixels the field has the direction d = (fx/dx, -fy/dy)/|.|, which is sampled at the pixel centres and interpolated
// between them. A line is followed `length` pixels in both directions in steps of one pixel, x += (3 d - d_before)/2
// (second-order Adams-Bashforth: one sample per step). It ends where it leaves the window or where neighbouring
// directions cancel (a critical point or curve). The mean m of the noise along the line, with the weights
// k(s) = (1 + cos(pi s/length))/2, is divided by its standard deviation, so that short lines have the contrast of long
// ones, and mapped to a level from 1 to 255. Level 128 is neutral, also where there is no direction. Worker threads
// only; deterministic for any thread count.
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
  double length = 24;   ///< pixels in each direction, 1 to kMostLicSteps
  double contrast = 1;  ///< at 1, one standard deviation on each side covers about two thirds of the range of levels
  double grain = 1;     ///< side of a grain of noise in pixels, at least 1
  /// Phase of streaks that move with the flow: multiplies k(s) by 1 + cos(2 pi (3 s/(2 length) + phase)). Empty: no
  /// streaks.
  std::optional<double> phase;  ///< turns
  std::uint64_t seed = 0;
  bool operator==(const LicOptions&) const = default;
};
inline constexpr int kMostLicSteps = 256;         ///< samples in each direction
inline constexpr std::uint8_t kLicNeutral = 128;  ///< level where there is no flow

/// Levels of the texture, [height, width], row 0 at the top.
struct FlowTexture {
  BasinWindow window;
  std::vector<std::uint8_t> levels;
};

/// The input of convolve(): for each pixel a direction (pixels, y down, length 1; 0 where there is none) and a value of
/// the noise, -0.5 to 0.5.
struct LicLattice {
  struct alignas(16) Cell {  ///< flow and noise of a pixel
    float dx = 0, dy = 0, noise = 0, padding = 0;
  };
  BasinWindow window;
  std::vector<Cell> cells;  ///< [height, width]
};

/// Position of the window in the grains of noise of the whole plane, modulo 2^32, so that the noise moves with a pan.
struct NoiseOrigin {
  std::uint32_t column = 0, row = 0;
};
NoiseOrigin noiseOrigin(const BasinWindow& window, double grain);
/// Value of grain (column, row) of the plane; the shaders compute the same bits.
float licNoise(std::uint32_t column, std::uint32_t row, std::uint64_t seed);

/// Weights of the samples along a line: [0, steps) backward from the farthest on, then the pixel itself, then forward.
std::vector<float> licWeights(const LicOptions& options);
/// Number of steps in each direction.
int licSteps(const LicOptions& options);
/// Flow and noise on the pixels of a window.
LicLattice makeLicLattice(const VectorField& field, std::span<const double> parameters, const BasinWindow& window,
                          const LicOptions& options, ThreadPool& pool, const std::function<bool()>& cancelled = {});
/// Computes the texture; stops when `cancelled` returns true.
FlowTexture convolve(const LicLattice& lattice, const LicOptions& options, ThreadPool& pool,
                     const std::function<bool()>& cancelled = {},
                     const std::function<void(double share)>& progress = {});

/// Makes the lattice and the texture. After a cancellation, the pixels not yet computed are neutral.
FlowTexture lineIntegralConvolution(const VectorField& field, std::span<const double> parameters,
                                    const BasinWindow& window, const LicOptions& options, ThreadPool& pool,
                                    const std::function<bool()>& cancelled = {},
                                    const std::function<void(double share)>& progress = {});

}  // namespace sepx::dynamics
