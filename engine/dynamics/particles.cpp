// SPDX-License-Identifier: Apache-2.0
// Moves particles in blocks: the field is evaluated for a whole block at once, and all decisions are made per particle.
// Densities are sums of integers, so that the order of the blocks does not matter. Worker threads only.
#include "engine/dynamics/particles.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numbers>

#include "engine/core/random.h"

namespace sepx::dynamics {

namespace {

constexpr std::size_t kBlock = 256;             // particles whose field is evaluated at once
constexpr std::size_t kBlocksPerTask = 16;      // blocks per task of the thread pool
constexpr std::uint32_t kParticleKey = 0x5051;  // keeps these draws apart from others with the same seed
constexpr int kFewParticles = 30000;
// In steps: the rest before a new life, and the length of a life without rest; Spread: their range over the particles.
// The same values are in particles.glsl.
constexpr std::uint32_t kRestSteps = 40, kRestSpread = 64, kLifeSteps = 900, kLifeSpread = 1024;
constexpr std::uint32_t kOldest = (1u << ParticleWord::kAgeBits) - 1;

std::size_t pixelsOf(const BasinWindow& window) {
  return static_cast<std::size_t>(std::max(window.width, 0)) * static_cast<std::size_t>(std::max(window.height, 0));
}

/// A hash of particle and life that spreads the ends of lives over time; any hash would do.
std::uint32_t spreadOf(std::uint32_t index, std::uint32_t life) {
  return (index * 0x9E3779B9u + life * 0x85EBCA6Bu) >> 16;
}

/// Table of levels, indexed by the upper 16 bits of a density; within half a level of the exact logarithm.
class ToneTable {
 public:
  explicit ToneTable(double gain) : levels_(std::size_t{1} << 15) {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const float middle = std::bit_cast<float>(static_cast<std::uint32_t>(i << 16 | 0x8000u));
      const double share = std::log1p(gain * static_cast<double>(middle)) / std::log1p(kDensityTop);
      levels_[i] =
          static_cast<std::uint8_t>(std::lround(255 * std::clamp(std::isfinite(share) ? share : 1.0, 0.0, 1.0)));
    }
    levels_[0] = 0;
  }
  std::uint8_t operator()(float density) const { return levels_[std::bit_cast<std::uint32_t>(density) >> 16]; }

 private:
  std::vector<std::uint8_t> levels_;
};

}  // namespace

std::uint32_t ParticleWord::packed() const {
  return std::min(age, kOldest) | (life & ((1u << kLifeBits) - 1)) << kAgeBits | label << kLabelShift |
         (resting ? 1u << 31 : 0u);
}

ParticleWord ParticleWord::of(std::uint32_t packed) {
  return {packed >> kAgeBits & ((1u << kLifeBits) - 1), packed & kOldest,
          packed >> kLabelShift & ((1u << kLabelBits) - 1), packed >> 31 != 0};
}

std::array<double, 2> particleStart(const ParticleOptions& options, const BasinWindow& home, std::uint32_t index,
                                    std::uint32_t life) {
  const auto words = philox({index, life, 0, 0}, {static_cast<std::uint32_t>(options.seed),
                                                  static_cast<std::uint32_t>(options.seed >> 32) ^ kParticleKey});
  // Strictly inside (0, 1), so that the logarithm is finite; 24 bits, as in single precision.
  const double a = (static_cast<double>(words[0] >> 8) + 0.5) * 0x1p-24;
  const double b = (static_cast<double>(words[1] >> 8) + 0.5) * 0x1p-24;
  if (options.start == ParticleStart::Uniform)
    return {home.xMin + a * (home.xMax - home.xMin), home.yMin + b * (home.yMax - home.yMin)};
  const double radius = options.sigma * std::sqrt(-2 * std::log(a)), angle = 2 * std::numbers::pi * b;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

int splatSide(int count) {
  return count <= kFewParticles ? 3 : 1;
}

double densityGain(int count, const BasinWindow& window, double fade) {
  return (1 - fade) * static_cast<double>(pixelsOf(window)) / std::max(count, 1);
}

/// Converts lengths from data units to window heights, and decides when a particle is too far away.
struct ParticleCloud::Metric {
  double perX = 1, perY = 1;  ///< window heights per data unit
  double middleX = 0, middleY = 0, farX = 1, farY = 1;
  double rest = 1e-6;  ///< window heights

  explicit Metric(const BasinWindow& w)
      : perX(static_cast<double>(w.width) / w.height / (w.xMax - w.xMin)),
        perY(1 / (w.yMax - w.yMin)),
        middleX(0.5 * (w.xMin + w.xMax)),
        middleY(0.5 * (w.yMin + w.yMax)),
        farX(kLeftWindows * (w.xMax - w.xMin)),
        farY(kLeftWindows * (w.yMax - w.yMin)),
        rest(kRestingPixels / w.height) {}
  double dot(double ax, double ay, double bx, double by) const { return perX * perX * ax * bx + perY * perY * ay * by; }
  double length(double x, double y) const { return std::sqrt(dot(x, y, x, y)); }
  bool left(double x, double y) const { return !(std::abs(x - middleX) <= farX) || !(std::abs(y - middleY) <= farY); }
};

/// Determines where a particle will certainly end; label 0: not yet known.
struct ParticleCloud::Judge {
  const VectorField& field;
  std::span<const double> parameters;
  std::vector<State> attractors;

  Judge(const VectorField& of, std::span<const double> with) : field(of), parameters(with) {
    if (field.hasClassifier()) return;
    for (const FixedPoint& point : field.fixedPoints(parameters))
      if (point.kind == LimitKind::Attractor) attractors.push_back(point.x);
  }
  std::uint32_t label(const std::array<double, 2>& start, double x, double y) const {
    const State at = field.lift(x, y, parameters);
    if (field.hasClassifier())
      return static_cast<std::uint32_t>(field.classify(field.lift(start[0], start[1], parameters), at, parameters));
    if (attractors.empty()) return 0;
    const auto first = static_cast<std::uint32_t>(LimitKind::Attractor);
    const auto trap = field.trap(at, parameters);
    if (trap && trap->excess < 0) return first + static_cast<std::uint32_t>(trap->attractor);
    for (std::size_t i = 0; i < attractors.size(); ++i)
      if ((at - attractors[i]).squaredNorm() < kCaptureRadius * kCaptureRadius)
        return first + static_cast<std::uint32_t>(i);
    return 0;
  }
};

/// The changes of the counts by one task.
struct ParticleCloud::Tally {
  std::array<std::int32_t, kParticleLabels> ends{};
  std::int32_t resting = 0;
};

ParticleCloud::ParticleCloud(const VectorField& field, const ParticleOptions& options, const BasinWindow& window,
                             ThreadPool& pool)
    : field_(field), options_(options), home_(window) {
  options_.count = std::clamp(options.count, 1, kMostParticles);
  const auto count = static_cast<std::size_t>(options_.count);
  x_.resize(count);
  y_.resize(count);
  words_.assign(count, 0);
  picture_.ends[0] = static_cast<std::uint32_t>(options_.count);
  pool.parallelFor(0, count, kBlock * kBlocksPerTask, [this](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto at = particleStart(options_, home_, static_cast<std::uint32_t>(i), 0);
      x_[i] = at[0];
      y_[i] = at[1];
    }
  });
  look(window);
  pool.parallelFor(0, count, kBlock * kBlocksPerTask,
                   [this](std::size_t first, std::size_t last) { splat(first, last); });
  tone(0, pool);
}

void ParticleCloud::look(const BasinWindow& window) {
  picture_.window = window;
  counts_.assign(pixelsOf(window), 0);
  trails_.assign(pixelsOf(window), 0);
  picture_.levels.assign(pixelsOf(window), 0);
}

void ParticleCloud::step(std::span<const double> parameters, const ParticleStep& step, ThreadPool& pool) {
  if (counts_.empty()) return;
  const Metric metric(picture_.window);
  const Judge judge(field_, parameters);
  std::array<std::atomic<std::int32_t>, kParticleLabels + 1> sums{};
  pool.parallelFor(0, size(), kBlock * kBlocksPerTask, [&](std::size_t first, std::size_t last) {
    Tally tally;
    for (std::size_t block = step.still ? last : first; block < last; block += kBlock)
      moveBlock(block, std::min(block + kBlock, last), metric, judge, step, tally);
    splat(first, last);
    for (std::size_t i = 0; i < tally.ends.size(); ++i)
      if (tally.ends[i] != 0) sums[i].fetch_add(tally.ends[i], std::memory_order_relaxed);
    sums.back().fetch_add(tally.resting, std::memory_order_relaxed);
  });
  for (std::size_t i = 0; i < picture_.ends.size(); ++i)
    picture_.ends[i] += static_cast<std::uint32_t>(sums[i].load());
  picture_.resting += static_cast<std::uint32_t>(sums.back().load());
  if (!step.still) ++picture_.steps;
  tone(step.fade > 0 ? std::min(step.fade, kMostFade) : 0.0, pool);
}

void ParticleCloud::moveBlock(std::size_t first, std::size_t last, const Metric& metric, const Judge& judge,
                              const ParticleStep& step, Tally& tally) {
  const std::size_t count = last - first;
  std::array<double, kBlock> fx, fy, x, y, gx, gy, h;
  const auto of = [count](std::array<double, kBlock>& numbers) { return std::span<double>(numbers.data(), count); };
  field_.evaluateMany(std::span(x_).subspan(first, count), std::span(y_).subspan(first, count), judge.parameters,
                      of(fx), of(fy));
  const double amount = step.amount, farthest = kFarthestStep;
  const bool unit = step.clock == ParticleClock::UnitSpeed;
  for (std::size_t i = 0; i < count; ++i) {
    const double speed = metric.length(fx[i], fy[i]);
    h[i] = unit ? std::min(amount, farthest) / speed : amount / (1 + amount / farthest * speed);
    x[i] = x_[first + i] + 0.5 * h[i] * fx[i];
    y[i] = y_[first + i] + 0.5 * h[i] * fy[i];
  }
  field_.evaluateMany(of(x), of(y), judge.parameters, of(gx), of(gy));
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, 2> f1{fx[i], fy[i]}, f2{gx[i], gy[i]};
    moveOne(first + i, f1.data(), f2.data(), h[i], metric, judge, step, tally);
  }
}

void ParticleCloud::moveOne(std::size_t i, const double* f1, const double* f2, double h, const Metric& metric,
                            const Judge& judge, const ParticleStep& step, Tally& tally) {
  ParticleWord word = ParticleWord::of(words_[i]);
  const auto index = static_cast<std::uint32_t>(i);
  ++word.age;
  bool rests = word.resting, left = false;
  const bool wasResting = word.resting;
  if (!rests) {
    const double speed = metric.length(f1[0], f1[1]), along = metric.dot(f1[0], f1[1], f2[0], f2[1]);
    double moved = 0;
    if (speed > 0) {
      const bool turns = along <= 0;
      const double t = turns ? 0.5 * h * speed * speed / (speed * speed - along) : h;
      const double dx = t * (turns ? f1[0] : f2[0]), dy = t * (turns ? f1[1] : f2[1]);
      moved = metric.length(dx, dy);
      const double held = moved > 2 * kFarthestStep ? 2 * kFarthestStep / moved : 1;
      x_[i] += held * dx;
      y_[i] += held * dy;
      rests = turns || moved < metric.rest;
    } else {
      rests = speed == 0;
    }
    left = metric.left(x_[i], y_[i]) || !std::isfinite(speed) || !std::isfinite(moved);
    if (word.life == 0 && word.label == 0 && !left && (rests || (index + word.age) % kJudgeEvery == 0)) {
      word.label = judge.label(particleStart(options_, home_, index, 0), x_[i], y_[i]);
      if (word.label != 0) {
        --tally.ends[0];
        ++tally.ends[std::min<std::uint32_t>(word.label, kParticleLabels - 1)];
      }
    }
    // In a first life whose end is not yet known, a particle that seems to rest is only slow.
    if (rests && word.life == 0 && word.label == 0 && word.age < kOldest) rests = false;
    if (rests) word.age = 0;
  }
  const std::uint32_t spread = spreadOf(index, word.life);
  const bool over = left || (rests && word.age >= kRestSteps + spread % kRestSpread) ||
                    (!rests && (word.life > 0 || word.label != 0) && word.age >= kLifeSteps + spread % kLifeSpread);
  if (step.respawn && over) {
    ++word.life;
    word.age = 0;
    rests = false;
    const auto at = particleStart(options_, home_, index, word.life & ((1u << ParticleWord::kLifeBits) - 1));
    x_[i] = at[0];
    y_[i] = at[1];
  } else if (left) {
    rests = true;
  }
  word.resting = rests;
  tally.resting += static_cast<int>(rests) - static_cast<int>(wasResting);
  words_[i] = word.packed();
}

void ParticleCloud::splat(std::size_t first, std::size_t last) {
  const BasinWindow& w = picture_.window;
  if (counts_.empty()) return;
  const double perX = w.width / (w.xMax - w.xMin), perY = w.height / (w.yMax - w.yMin);
  const auto add = [this, &w](int column, int row, std::uint32_t weight) {
    if (column < 0 || row < 0 || column >= w.width || row >= w.height) return;
    const std::size_t at =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(w.width) + static_cast<std::size_t>(column);
    std::atomic_ref<std::uint32_t>(counts_[at]).fetch_add(weight, std::memory_order_relaxed);
  };
  const int reach = splatSide(options_.count) / 2;
  for (std::size_t i = first; i < last; ++i) {
    const double x = (x_[i] - w.xMin) * perX, y = (w.yMax - y_[i]) * perY;
    if (!(x >= -1 && y >= -1 && x < w.width + 1 && y < w.height + 1)) continue;
    const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
    add(column, row, kSplatUnit);
    if (reach == 0) continue;
    for (const int side : {-1, 1}) {
      add(column + side, row, kSplatUnit / 2);
      add(column, row + side, kSplatUnit / 2);
      add(column + side, row - 1, kSplatUnit / 4);
      add(column + side, row + 1, kSplatUnit / 4);
    }
  }
}

void ParticleCloud::tone(double fade, ThreadPool& pool) {
  const ToneTable level(densityGain(options_.count, picture_.window, fade));
  const auto keep = static_cast<float>(fade);
  constexpr float kNothing = 1e-3f;
  constexpr std::size_t kPixelsPerBlock = std::size_t{1} << 15;
  pool.parallelFor(0, counts_.size(), kPixelsPerBlock, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const float density = keep * trails_[i] + static_cast<float>(counts_[i]) * (1.0f / kSplatUnit);
      counts_[i] = 0;
      trails_[i] = density < kNothing ? 0.0f : density;
      picture_.levels[i] = level(trails_[i]);
    }
  });
}

}  // namespace sepx::dynamics
