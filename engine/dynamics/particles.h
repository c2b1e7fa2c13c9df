// SPDX-License-Identifier: Apache-2.0
// A cloud of particles that follow dx/dt = f(x), seen as a density on the pixels of a window: the double-precision twin
// of shaders/compute/particles_advect.comp and particles_density.comp.
//
// A step uses the midpoint rule with a time step h for each particle: h = length/|f| at unit speed, and on the clock of
// the flow h = time/(1 + time |f|/kFarthestStep), with |.| in window heights, so that stiff regions are passed in
// bounded steps along the same orbit. Where f reverses within half a step, the particle moves to the zero of f (one
// secant step) and rests. A particle that rests or has left begins a new life at a new start if `respawn` is set. The
// end of every first life is counted once it is certain (VectorField::classify, trap, attractors), which is an unbiased
// sample of the starts. A start depends only on particle and life (Philox), so nothing depends on the thread count.
// Worker threads only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/dynamics/basin_map.h"
#include "engine/dynamics/vector_field.h"

namespace sepx::dynamics {

enum class ParticleStart { Uniform, Gauss };   ///< where lives begin
enum class ParticleClock { UnitSpeed, Flow };  ///< step: the same length for all particles, or the same time

struct ParticleOptions {                       ///< set once, at the start
  int count = 100000;                          ///< 1 to kMostParticles
  ParticleStart start = ParticleStart::Gauss;  ///< Uniform: over the window that the cloud was started with
  double sigma = 0.3;                          ///< standard deviation of N(0, sigma^2 I)
  std::uint64_t seed = 0;
  bool operator==(const ParticleOptions&) const = default;
};

struct ParticleStep {  ///< set for each step
  ParticleClock clock = ParticleClock::Flow;
  double amount = 1.0 / 60;  ///< time, or at unit speed the length in window heights
  double fade = 0.9;         ///< share of the trails kept per step, 0 to below 1
  bool respawn = true;
  bool still = false;  ///< no particle moves and no step is counted; only the picture is recomputed
  bool operator==(const ParticleStep&) const = default;
};

inline constexpr int kMostParticles = 1 << 20;  ///< particles of one cloud
inline constexpr int kParticleLabels = 16;      ///< kinds of ends that are counted
// The same numbers are in shaders/include/particles.glsl.
inline constexpr double kFarthestStep = 0.02;    ///< longest step, window heights
inline constexpr double kRestingPixels = 0.002;  ///< a particle rests if its step is shorter than this, pixels
inline constexpr double kLeftWindows = 4;        ///< a particle farther from the window centre, in its sides, has left
inline constexpr std::uint32_t kJudgeEvery = 8;  ///< steps between two checks where a particle will end
inline constexpr std::uint32_t kSplatUnit = 16;  ///< weight of a particle on its pixel
inline constexpr double kMostFade = 0.999;       ///< largest ParticleStep::fade
inline constexpr double kDensityTop = 100;       ///< density of the highest level, in units of the even density

struct ParticlePicture {  ///< result of one step
  BasinWindow window;
  std::vector<std::uint8_t> levels;  ///< [height, width], row 0 at the top; 0: nothing, 255: kDensityTop and more
  std::array<std::uint32_t, kParticleLabels> ends{};  ///< first lives by their LimitKind; [0]: not yet certain
  std::uint32_t resting = 0;                          ///< particles now at rest (without `respawn`)
  std::uint64_t steps = 0;
};

/// The state of a particle besides its position, in one word: life, age in steps (since it rests), end of its first
/// life, and whether it rests.
struct ParticleWord {
  static constexpr std::uint32_t kAgeBits = 12, kLifeBits = 11, kLabelShift = 23, kLabelBits = 8;
  std::uint32_t life = 0, age = 0, label = 0;
  bool resting = false;
  std::uint32_t packed() const;                  ///< in the layout of the kernel
  static ParticleWord of(std::uint32_t packed);  ///< the inverse of packed()
};

/// Where life `life` of particle `index` begins.
std::array<double, 2> particleStart(const ParticleOptions& options, const BasinWindow& home, std::uint32_t index,
                                    std::uint32_t life);
/// Side in pixels of the square that one particle covers: 3 for few particles, 1 for many.
int splatSide(int count);
/// The gain in level = 255 log(1 + gain c)/log(1 + kDensityTop), for a density of c particles per pixel.
double densityGain(int count, const BasinWindow& window, double fade);

class ParticleCloud {  ///< the cloud on the CPU
 public:
  /// The field must outlive the cloud.
  ParticleCloud(const VectorField& field, const ParticleOptions& options, const BasinWindow& window, ThreadPool& pool);

  void look(const BasinWindow& window);  ///< sets the window and clears the trails; lives continue
  /// Moves all particles and fades the trails.
  void step(std::span<const double> parameters, const ParticleStep& step, ThreadPool& pool);
  /// The picture after the last step; before the first step, that of the starts.
  const ParticlePicture& picture() const { return picture_; }

  std::size_t size() const { return x_.size(); }
  double x(std::size_t i) const { return x_[i]; }
  double y(std::size_t i) const { return y_[i]; }
  ParticleWord word(std::size_t i) const { return ParticleWord::of(words_[i]); }

 private:
  struct Metric;
  struct Judge;
  struct Tally;
  void moveBlock(std::size_t first, std::size_t last, const Metric& metric, const Judge& judge,
                 const ParticleStep& step, Tally& tally);
  void moveOne(std::size_t i, const double* f1, const double* f2, double h, const Metric& metric, const Judge& judge,
               const ParticleStep& step, Tally& tally);
  void splat(std::size_t first, std::size_t last);
  void tone(double fade, ThreadPool& pool);

  const VectorField& field_;
  ParticleOptions options_;
  BasinWindow home_;  ///< window of the uniform starts
  std::vector<double> x_, y_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> counts_;  ///< of the current step, kSplatUnit per particle
  std::vector<float> trails_;          ///< density, in particles
  ParticlePicture picture_;
};

}  // namespace sepx::dynamics
