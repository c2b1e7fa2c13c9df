// SPDX-License-Identifier: Apache-2.0
// Field lines through a lattice of directions and the weighted mean of noise along them. Worker threads only; rows are
// independent, so the result does not depend on the thread count.
#include "engine/dynamics/lic.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <numbers>

#include "engine/core/random.h"

namespace sepx::dynamics {

namespace {

constexpr std::size_t kLicRowsPerBlock = 4;
constexpr std::uint32_t kNoiseKey = 0x4c4943u;  // keeps this noise apart from other draws with the same seed
/// If an interpolated direction is shorter than this, neighbouring directions cancel and the line ends. The same number
/// is in lic.comp.
constexpr double kLeastDirection = 0.2;
/// Standard deviation of a grain (uniform on an interval of length 1) after interpolation between four pixels.
constexpr double kGrainDeviation = 0.24;

std::size_t sizeOf(int pixels) {
  return static_cast<std::size_t>(std::max(pixels, 0));
}

/// A cell in one register, so that its values are interpolated together.
using Lanes = float __attribute__((vector_size(16)));

Lanes lanesOf(const LicLattice::Cell& cell) {
  Lanes lanes;
  static_assert(sizeof lanes == sizeof cell);
  std::memcpy(&lanes, &cell, sizeof lanes);
  return lanes;
}

class Line {
 public:
  Line(const LicLattice& lattice, const std::vector<float>& weights)
      : cells_(lattice.cells.data()),
        width_(lattice.window.width),
        height_(lattice.window.height),
        weights_(weights),
        steps_(static_cast<int>(weights.size() / 2)) {}

  /// Computes the levels of `count` pixels, at most kTogether, from (column, row) on. Their lines advance together, so
  /// that the processor can overlap the steps of different lines, while each step of one line depends on the previous
  /// one.
  static constexpr int kTogether = 4;
  void levels(int column, int row, int count, double contrast, std::uint8_t* out) const {
    const LicLattice::Cell* own = cells_ + sizeOf(row) * sizeOf(width_) + sizeOf(column);
    std::array<Walk, 2 * kTogether> walks;
    int alive = 0;
    for (int i = 0; i < count; ++i)
      for (const int way : {1, -1})
        if (own[i].dx != 0 || own[i].dy != 0) walks[sizeOf(alive++)] = Walk(i, column + i, row, own[i], way);
    std::array<Sums, kTogether> sums{};
    for (int i = 0; i < count; ++i)
      sums[sizeOf(i)].add(weights_[sizeOf(steps_)], own[i].noise);
    for (int step = 1; step <= steps_ && alive > 0; ++step)
      for (int k = 0; k < alive; ++k) {
        Walk& walk = walks[sizeOf(k)];
        if (advance(walk, step)) continue;
        sums[sizeOf(walk.pixel)].add(walk.sums);
        walk = walks[sizeOf(--alive)];
        --k;
      }
    for (int k = 0; k < alive; ++k)
      sums[sizeOf(walks[sizeOf(k)].pixel)].add(walks[sizeOf(k)].sums);
    for (int i = 0; i < count; ++i)
      out[i] = own[i].dx == 0 && own[i].dy == 0 ? kLicNeutral : sums[sizeOf(i)].level(contrast);
  }

 private:
  struct Sums {
    double noise = 0, squares = 0;
    void add(double weight, double grain) {
      noise += weight * grain;
      squares += weight * weight;
    }
    void add(const Sums& other) {
      noise += other.noise;
      squares += other.squares;
    }
    /// A weighted mean of independent grains has the standard deviation sigma sqrt(sum k^2)/sum k.
    std::uint8_t level(double contrast) const {
      if (!(squares > 0)) return kLicNeutral;
      const double z = contrast * noise / (std::sqrt(squares) * kGrainDeviation);
      return static_cast<std::uint8_t>(std::lround(128 + 127 * z / std::sqrt(1 + z * z)));
    }
  };

  /// The line through a pixel, followed in one direction.
  struct Walk {
    Walk() = default;
    Walk(int of, int column, int row, const LicLattice::Cell& own, int along)
        : pixel(of), way(along), x(column), y(row), dx(along * own.dx), dy(along * own.dy), beforeX(dx), beforeY(dy) {}
    int pixel = 0, way = 1;
    double x = 0, y = 0, dx = 0, dy = 0, beforeX = 0, beforeY = 0;
    Sums sums;
  };

  /// Advances one step; false if the line ends.
  bool advance(Walk& walk, int step) const {
    walk.x += 1.5 * walk.dx - 0.5 * walk.beforeX;
    walk.y += 1.5 * walk.dy - 0.5 * walk.beforeY;
    // There are no data outside the pixel centres.
    if (!(walk.x >= 0 && walk.y >= 0 && walk.x <= width_ - 1 && walk.y <= height_ - 1)) return false;
    const Lanes here = at(walk.x, walk.y);
    walk.sums.add(weights_[sizeOf(steps_ + walk.way * step)], static_cast<double>(here[2]));
    walk.beforeX = walk.dx;
    walk.beforeY = walk.dy;
    const double nextX = walk.way * static_cast<double>(here[0]), nextY = walk.way * static_cast<double>(here[1]);
    const double length = std::sqrt(nextX * nextX + nextY * nextY);
    // The line ends, or would reverse.
    if (!(length > kLeastDirection) || nextX * walk.dx + nextY * walk.dy <= 0) return false;
    walk.dx = nextX / length;
    walk.dy = nextY / length;
    return true;
  }

  /// Direction and noise, interpolated between four pixel centres.
  Lanes at(double x, double y) const {
    const int column = std::min(static_cast<int>(x), std::max(width_ - 2, 0));
    const int row = std::min(static_cast<int>(y), std::max(height_ - 2, 0));
    const auto u = static_cast<float>(x - column), v = static_cast<float>(y - row);
    const std::size_t first = sizeOf(row) * sizeOf(width_) + sizeOf(column);
    const std::size_t right = width_ > 1 ? 1 : 0, down = height_ > 1 ? sizeOf(width_) : 0;
    const Lanes a = lanesOf(cells_[first]), b = lanesOf(cells_[first + right]), c = lanesOf(cells_[first + down]),
                d = lanesOf(cells_[first + down + right]);
    const Lanes above = a + u * (b - a), below = c + u * (d - c);
    return above + v * (below - above);
  }

  const LicLattice::Cell* cells_;
  int width_, height_;
  const std::vector<float>& weights_;
  int steps_;
};

/// The directions of one row, in pixels.
void directionsOf(const VectorField& field, std::span<const double> parameters, const BasinWindow& window, int row,
                  LicLattice::Cell* cells) {
  const std::size_t width = sizeOf(window.width);
  thread_local std::vector<double> numbers;  // reused by the thread for its next row
  numbers.resize(4 * width);
  const std::span<double> x(numbers.data(), width), y(x.data() + width, width), fx(y.data() + width, width),
      fy(fx.data() + width, width);
  for (std::size_t i = 0; i < width; ++i)
    x[i] = window.x(static_cast<int>(i));
  std::fill(y.begin(), y.end(), window.y(row));
  field.evaluateMany(x, y, parameters, fx, fy);
  // In units of the larger side of a pixel, so that no quotient overflows.
  const double dx = (window.xMax - window.xMin) / window.width, dy = (window.yMax - window.yMin) / window.height;
  const double largest = std::max(dx, dy), perX = largest / dx, perY = -largest / dy;
  for (std::size_t i = 0; i < width; ++i) {
    const double a = fx[i] * perX, b = fy[i] * perY;
    const double size = std::max(std::abs(a), std::abs(b));
    cells[i].dx = cells[i].dy = 0;
    if (!(size > 0) || !std::isfinite(size)) continue;
    const double length = std::hypot(a / size, b / size);
    cells[i].dx = static_cast<float>(a / size / length);
    cells[i].dy = static_cast<float>(b / size / length);
  }
}

std::uint32_t wrapped(double grains) {
  constexpr double kTurn = 4294967296.0;
  if (!std::isfinite(grains)) return 0;
  const double rest = std::fmod(std::floor(grains), kTurn);
  return static_cast<std::uint32_t>(rest < 0 ? rest + kTurn : rest);
}

}  // namespace

int licSteps(const LicOptions& options) {
  if (!(options.length >= 1)) return 1;
  return static_cast<int>(std::min(std::round(options.length), static_cast<double>(kMostLicSteps)));
}

std::vector<float> licWeights(const LicOptions& options) {
  const int steps = licSteps(options);
  std::vector<float> weights;
  weights.reserve(2 * sizeOf(steps) + 1);
  for (int step = -steps; step <= steps; ++step) {
    double weight = 0.5 * (1 + std::cos(std::numbers::pi * step / (steps + 1)));
    if (options.phase) weight *= 1 + std::cos(2 * std::numbers::pi * (1.5 * step / steps + *options.phase));
    weights.push_back(static_cast<float>(weight));
  }
  return weights;
}

NoiseOrigin noiseOrigin(const BasinWindow& window, double grain) {
  const double dx = (window.xMax - window.xMin) / window.width, dy = (window.yMax - window.yMin) / window.height;
  return {wrapped(window.xMin / dx / grain), wrapped(-window.yMax / dy / grain)};
}

float licNoise(std::uint32_t column, std::uint32_t row, std::uint64_t seed) {
  const auto words = philox({column >> 2, row, 0, 0},
                            {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32) ^ kNoiseKey});
  return static_cast<float>(words[column & 3u] >> 8) * 0x1p-24f - 0.5f;
}

LicLattice makeLicLattice(const VectorField& field, std::span<const double> parameters, const BasinWindow& window,
                          const LicOptions& options, ThreadPool& pool, const std::function<bool()>& cancelled) {
  LicLattice lattice{window, std::vector<LicLattice::Cell>(sizeOf(window.width) * sizeOf(window.height))};
  const double grain = std::max(1.0, options.grain);
  const NoiseOrigin origin = noiseOrigin(window, grain);
  pool.parallelFor(0, sizeOf(window.height), kLicRowsPerBlock, [&](std::size_t first, std::size_t last) {
    if (cancelled && cancelled()) return;
    for (std::size_t row = first; row < last; ++row) {
      LicLattice::Cell* cells = lattice.cells.data() + row * sizeOf(window.width);
      directionsOf(field, parameters, window, static_cast<int>(row), cells);
      const auto grainRow = origin.row + static_cast<std::uint32_t>(static_cast<double>(row) / grain);
      for (std::size_t column = 0; column < sizeOf(window.width); ++column)
        cells[column].noise = licNoise(origin.column + static_cast<std::uint32_t>(static_cast<double>(column) / grain),
                                       grainRow, options.seed);
    }
  });
  return lattice;
}

FlowTexture convolve(const LicLattice& lattice, const LicOptions& options, ThreadPool& pool,
                     const std::function<bool()>& cancelled, const std::function<void(double)>& progress) {
  const BasinWindow& window = lattice.window;
  FlowTexture texture{window, std::vector<std::uint8_t>(lattice.cells.size(), kLicNeutral)};
  const std::vector<float> weights = licWeights(options);
  const Line line(lattice, weights);
  const double contrast = std::isfinite(options.contrast) ? options.contrast : 0.0;
  std::atomic<std::size_t> rowsDone{0};
  pool.parallelFor(0, sizeOf(window.height), kLicRowsPerBlock, [&](std::size_t first, std::size_t last) {
    if (cancelled && cancelled()) return;
    for (std::size_t row = first; row < last; ++row)
      for (int column = 0; column < window.width; column += Line::kTogether)
        line.levels(column, static_cast<int>(row), std::min(Line::kTogether, window.width - column), contrast,
                    texture.levels.data() + row * sizeOf(window.width) + sizeOf(column));
    const std::size_t done = rowsDone.fetch_add(last - first) + (last - first);
    if (progress) progress(static_cast<double>(done) / static_cast<double>(window.height));
  });
  return texture;
}

FlowTexture lineIntegralConvolution(const VectorField& field, std::span<const double> parameters,
                                    const BasinWindow& window, const LicOptions& options, ThreadPool& pool,
                                    const std::function<bool()>& cancelled,
                                    const std::function<void(double)>& progress) {
  return convolve(makeLicLattice(field, parameters, window, options, pool, cancelled), options, pool, cancelled,
                  progress);
}

}  // namespace sepx::dynamics
