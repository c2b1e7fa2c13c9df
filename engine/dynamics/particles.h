// SPDX-License-Identifier: Apache-2.0
// A cloud of particles that follow dx/dt = f(x), seen as a density on the pixels of a window: the double-precision twin
// of shaders/compute/particles_advect.comp and particles_density.comp.
//
// A step is the midpoint rule with a time h of its own: at unit speed h = length/|f|, on the flow's clock
// h = time/(1 + time |f|/kFarthestStep), |.| in heights of the window, so that stiff places are passed in bounded steps
// along the same orbit. Where f turns back within half a step the particle goes to where it vanishes (one secant) and
// rests. A particle that rests or left begins a new life at a new start if `respawn` says so. Of every first life the
// end is counted once it is certain (VectorField::classify, trap, attractors): an unbiased sample of the starts. Starts
// are drawn by particle and life (Philox), so nothing depends on the thread count. Workers only.
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
enum class ParticleClock { UnitSpeed, Flow };  ///< length of a step: equal for all, or the flow's own

struct ParticleOptions {                       ///< set once, at the start
  int count = 100000;                          ///< 1 to kMostParticles
  ParticleStart start = ParticleStart::Gauss;  ///< Uniform: over the window that the cloud was started with
  double sigma = 0.3;                          ///< of N(0, sigma^2 I)
  std::uint64_t seed = 0;
  bool operator==(const ParticleOptions&) const = default;
};

struct ParticleStep {  ///< set for each step
  ParticleClock clock = ParticleClock::Flow;
  double amount = 1.0 / 60;  ///< time, or at unit speed length in heights of the window
  double fade = 0.9;         ///< of the trails a step: 0 none, below 1
  bool respawn = true;
  bool still = false;  ///< nobody moves, no step is counted: the picture alone is made anew
  bool operator==(const ParticleStep&) const = default;
};

inline constexpr int kMostParticles = 1 << 20;  ///< of one cloud
inline constexpr int kParticleLabels = 16;      ///< kinds of ends that are counted
// The same numbers are in shaders/include/particles.glsl.
inline constexpr double kFarthestStep = 0.02;    ///< of a step, heights of the window
inline constexpr double kRestingPixels = 0.002;  ///< a step shorter than this is a rest
inline constexpr double kLeftWindows = 4;        ///< farther from the window's middle, in its sides, is gone
inline constexpr std::uint32_t kJudgeEvery = 8;  ///< steps between two questions where a particle will end
inline constexpr std::uint32_t kSplatUnit = 16;  ///< of a particle on its pixel
inline constexpr double kMostFade = 0.999;       ///< of trails a step
inline constexpr double kDensityTop = 100;       ///< times the even density is the highest level

struct ParticlePicture {  ///< what one step made
  BasinWindow window;
  std::vector<std::uint8_t> levels;  ///< [height, width], row 0 at the top; 0: nothing, 255: kDensityTop and more
  std::array<std::uint32_t, kParticleLabels> ends{};  ///< first lives by their LimitKind; [0]: not yet certain
  std::uint32_t resting = 0;                          ///< particles now at rest (without `respawn`)
  std::uint64_t steps = 0;
};

/// What a particle is beside its place, one word: life, age in steps (since it rests), end of its first life, rest.
struct ParticleWord {
  static constexpr std::uint32_t kAgeBits = 12, kLifeBits = 11, kLabelShift = 23, kLabelBits = 8;
  std::uint32_t life = 0, age = 0, label = 0;
  bool resting = false;
  std::uint32_t packed() const;                  ///< as the kernel keeps it
  static ParticleWord of(std::uint32_t packed);  ///< the inverse of packed()
};

/// Where life `life` of particle `index` begins.
std::array<double, 2> particleStart(const ParticleOptions& options, const BasinWindow& home, std::uint32_t index,
                                    std::uint32_t life);
/// Pixels a side that one particle covers: 3 of few, 1 of many.
int splatSide(int count);
/// Level = 255 log(1 + gain c)/log(1 + kDensityTop) of a density c in particles a pixel.
double densityGain(int count, const BasinWindow& window, double fade);

class ParticleCloud {  ///< the cloud on the processor
 public:
  /// The field must outlive the cloud.
  ParticleCloud(const VectorField& field, const ParticleOptions& options, const BasinWindow& window, ThreadPool& pool);

  void look(const BasinWindow& window);  ///< clears the trails; lives go on
  /// Moves all lives and fades the trails.
  void step(std::span<const double> parameters, const ParticleStep& step, ThreadPool& pool);
  /// Of the last step; before the first, the starts.
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
  BasinWindow home_;  ///< where uniform starts lie
  std::vector<double> x_, y_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> counts_;  ///< of the present step, kSplatUnit a particle
  std::vector<float> trails_;          ///< particles
  ParticlePicture picture_;
};

}  // namespace sepx::dynamics
