// SPDX-License-Identifier: Apache-2.0
// Computes the particle cloud on the device. Particles, counts and trails never leave the device. The levels of a step
// are written to one of two buffers. The host reads it when the timeline shows that the step has finished, while the
// other one is being written. Frame thread.
#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "engine/gpu/check.h"
#include "engine/gpu/kernels/attractors.h"
#include "engine/gpu/kernels/compute_program.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/gpu/kernels/tile_ring.h"
#include "shaders/include/kernel_params.h"

namespace sepx::gpu {

namespace {

using dynamics::ParticlePicture;
using glsl::DensityParams;
using glsl::ParticlesParams;

static_assert(sizeof(ParticlesParams) == 116 && offsetof(ParticlesParams, count) == 56);
static_assert(offsetof(ParticlesParams, sigma) == 76 && offsetof(ParticlesParams, splatReach) == 112);
static_assert(sizeof(DensityParams) == 16);

constexpr std::size_t kRing = 2;
constexpr std::size_t kMostPixels = std::size_t{1} << 23;
constexpr std::size_t kTallies = dynamics::kParticleLabels + 1;  // the particles of each label, and those at rest
constexpr std::size_t kParticleBytes = 12;
constexpr std::uint32_t kSets = 8;  // more than are bound at a time, because replaced sets are freed later

struct ParticleSlot {
  Buffer levels;
  DescriptorSet set;
  std::uint64_t sequence = 0, steps = 0;
};

class ParticlesOnDevice final : public ParticlesKernel, private TileWork {
 public:
  ParticlesOnDevice(Context& context, const dynamics::VectorField& field)
      : context_(context),
        field_(field),
        advect_(context, fmt::format("particles_advect.comp.{}", field.info().key), sizeof(ParticlesParams), kSets, 4),
        density_(context, "particles_density.comp", sizeof(DensityParams), kSets, 4),
        ring_(context, "ParticlesKernel", kRing) {}

  Result<void> start(const dynamics::ParticleOptions& options, const dynamics::BasinWindow& window) override;
  Result<void> look(const dynamics::BasinWindow& window) override;
  bool step(std::span<const double> parameters, const dynamics::ParticleStep& step) override;
  bool collect() override;
  const ParticlePicture& picture() const override { return picture_; }
  bool inFlight() const override { return ring_.inFlight(); }
  Result<void> finish() override { return ring_.finish(*this); }
  double stepMs() const override { return ring_.lastMs(); }

 private:
  bool workLeft() const override { return false; }  // step() submits the work
  TileCost record(VkCommandBuffer, std::size_t, double) override { return {}; }
  void take(std::size_t slot) override;
  Buffer storage(std::size_t bytes, const char* name, MemoryUse memory = MemoryUse::Gpu);
  void makeCloud();
  void makePicture();
  std::size_t pixels() const { return picture_.levels.size(); }
  void takeAttractors(std::span<const double> parameters);
  ParticlesParams paramsOf(std::span<const double> parameters, const dynamics::ParticleStep& step) const;
  void recordStep(VkCommandBuffer commands, ParticleSlot& slot, const ParticlesParams& params, double fade);

  Context& context_;
  const dynamics::VectorField& field_;
  ComputeProgram advect_, density_;
  TileRing ring_;
  Buffer attractors_, particles_, counts_, trails_, tallies_;
  DescriptorSet set_;
  std::array<ParticleSlot, kRing> slots_;
  dynamics::ParticleOptions options_;
  dynamics::BasinWindow home_;
  ParticlePicture picture_;
  std::uint64_t sequence_ = 0, steps_ = 0;
  std::uint64_t lastOtherWindow_ = 0,
                taken_ = 0;  ///< sequence numbers: the last step in another window, and that of picture_
  std::uint32_t attractorCount_ = 0;
  bool starting_ = false, clearing_ = false;
};

Buffer ParticlesOnDevice::storage(std::size_t bytes, const char* name, MemoryUse memory) {
  return Buffer(context_, {.size = bytes, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .memory = memory, .name = name});
}

void ParticlesOnDevice::makeCloud() {
  set_ = {};
  particles_ = storage(static_cast<std::size_t>(options_.count) * kParticleBytes, "particles");
  if (!tallies_) tallies_ = storage(kTallies * sizeof(std::uint32_t), "particle tallies");
  if (!attractors_) attractors_ = storage(kMostAttractors * sizeof(glsl::vec2), "attractors", MemoryUse::Upload);
}

void ParticlesOnDevice::makePicture() {
  set_ = {};
  counts_ = storage(pixels() * sizeof(std::uint32_t), "particle counts");
  trails_ = storage(pixels() * sizeof(float), "particle trails");
  for (ParticleSlot& slot : slots_) {
    slot.set = {};
    slot.levels =
        storage(((pixels() + 3) / 4 + kTallies) * sizeof(std::uint32_t), "particle levels", MemoryUse::Readback);
    slot.set = density_.bind({&counts_, &trails_, &tallies_, &slot.levels});
  }
  ring_.forget();
}

Result<void> ParticlesOnDevice::start(const dynamics::ParticleOptions& options, const dynamics::BasinWindow& window) {
  const bool grows = !particles_ || options.count != options_.count;
  options_ = options;
  options_.count = std::clamp(options.count, 1, dynamics::kMostParticles);
  home_ = window;
  try {
    if (context_.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, "ParticlesKernel");
    if (grows) makeCloud();
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
  steps_ = 0;
  starting_ = true;
  picture_.ends = {};
  picture_.ends[0] = static_cast<std::uint32_t>(options_.count);
  picture_.resting = 0;
  return look(window);
}

Result<void> ParticlesOnDevice::look(const dynamics::BasinWindow& window) {
  lastOtherWindow_ = sequence_;
  const std::size_t count =
      static_cast<std::size_t>(std::max(window.width, 0)) * static_cast<std::size_t>(std::max(window.height, 0));
  if (count == 0 || count > kMostPixels)
    return fail(ErrorKind::Usage, fmt::format("a picture of particles has 1 to {} pixels", kMostPixels));
  picture_.window = window;
  picture_.levels.assign(count, 0);
  clearing_ = true;
  try {
    if (context_.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, "ParticlesKernel");
    if (counts_.size() != count * sizeof(std::uint32_t)) makePicture();
    if (!set_) set_ = advect_.bind({&attractors_, &particles_, &counts_, &tallies_});
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
  return {};
}

void ParticlesOnDevice::takeAttractors(std::span<const double> parameters) {
  const std::vector<glsl::vec2> attractors = attractorsOf(field_, parameters);
  attractorCount_ = static_cast<std::uint32_t>(attractors.size());
  std::ranges::copy(attractors, reinterpret_cast<glsl::vec2*>(attractors_.mapped()));
}

ParticlesParams ParticlesOnDevice::paramsOf(std::span<const double> parameters,
                                            const dynamics::ParticleStep& step) const {
  const dynamics::BasinWindow& w = picture_.window;
  const auto pair = [](double x, double y) { return glsl::vec2{static_cast<float>(x), static_cast<float>(y)}; };
  ParticlesParams params{};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    params.parameters[i] = static_cast<float>(parameters[i]);
  const double width = w.xMax - w.xMin, height = w.yMax - w.yMin;
  params.corner = pair(w.xMin, w.yMax);
  params.pixels = pair(w.width / width, -w.height / height);
  params.heights = pair(static_cast<double>(w.width) / w.height / width, 1 / height);
  params.homeMin = pair(home_.xMin, home_.yMin);
  params.homeSize = pair(home_.xMax - home_.xMin, home_.yMax - home_.yMin);
  params.count = static_cast<std::uint32_t>(options_.count);
  params.width = static_cast<std::uint32_t>(w.width);
  params.height = static_cast<std::uint32_t>(w.height);
  params.starting = step.still ? 2 : 0;
  params.gauss = options_.start == dynamics::ParticleStart::Gauss ? 1 : 0;
  params.sigma = static_cast<float>(options_.sigma);
  params.seedLow = static_cast<std::uint32_t>(options_.seed);
  params.seedHigh = static_cast<std::uint32_t>(options_.seed >> 32);
  params.unitSpeed = step.clock == dynamics::ParticleClock::UnitSpeed ? 1 : 0;
  params.amount = static_cast<float>(step.amount);
  params.rest = static_cast<float>(dynamics::kRestingPixels / w.height);
  params.respawn = step.respawn ? 1 : 0;
  params.attractorCount = attractorCount_;
  params.attractorRadius = static_cast<float>(dynamics::kCaptureRadius);
  params.splatReach = static_cast<std::uint32_t>(dynamics::splatSide(options_.count) / 2);
  return params;
}

void ParticlesOnDevice::recordStep(VkCommandBuffer commands, ParticleSlot& slot, const ParticlesParams& params,
                                   double fade) {
  DensityParams density{};
  density.pixels = static_cast<std::uint32_t>(pixels());
  density.fade = static_cast<float>(fade);
  density.gain = static_cast<float>(dynamics::densityGain(options_.count, picture_.window, fade));
  const auto invocations = static_cast<std::uint32_t>(std::max((pixels() + 3) / 4, kTallies));
  if (clearing_) {
    DensityParams clear = density;
    clear.clearing = 1;
    clear.fade = 0;  // a buffer that was never written may hold any value
    density_.record(commands, slot.set, std::as_bytes(std::span(&clear, 1)), invocations);
  }
  if (starting_) {
    ParticlesParams start = params;
    start.starting = 1;
    advect_.record(commands, set_, std::as_bytes(std::span(&start, 1)),
                   std::max(params.count, std::uint32_t{kTallies}));
  }
  advect_.record(commands, set_, std::as_bytes(std::span(&params, 1)), params.count);
  density_.record(commands, slot.set, std::as_bytes(std::span(&density, 1)), invocations);
  clearing_ = starting_ = false;
}

bool ParticlesOnDevice::step(std::span<const double> parameters, const dynamics::ParticleStep& step) {
  assert(parameters.size() <= 4 && "parameters travel as one vec4");
  if (context_.lost() || !set_) return false;
  const std::optional<std::size_t> free = ring_.freeSlot();
  if (!free) return false;
  // Steps in flight read the buffer of attractors. It changes only with the parameters, and then only a little.
  takeAttractors(parameters);
  ParticleSlot& slot = slots_[*free];
  if (!step.still) ++steps_;
  slot.sequence = ++sequence_;
  slot.steps = steps_;
  try {
    ring_.submit(*free, [&](VkCommandBuffer commands) -> TileCost {
      recordStep(commands, slot, paramsOf(parameters, step),
                 step.fade > 0 ? std::min(step.fade, dynamics::kMostFade) : 0.0);
      return {};
    });
  } catch (const VulkanError&) {
    context_.markLost();
    return false;
  }
  return true;
}

void ParticlesOnDevice::take(std::size_t index) {
  const ParticleSlot& slot = slots_[index];
  if (slot.sequence <= std::max(lastOtherWindow_, taken_)) return;
  const std::size_t words = (pixels() + 3) / 4;
  std::memcpy(picture_.levels.data(), slot.levels.mapped(), pixels());
  const auto* tallies = reinterpret_cast<const std::uint32_t*>(slot.levels.mapped()) + words;
  std::copy_n(tallies, picture_.ends.size(), picture_.ends.begin());
  picture_.resting = tallies[dynamics::kParticleLabels];
  picture_.steps = slot.steps;
  taken_ = slot.sequence;
}

bool ParticlesOnDevice::collect() {
  const std::uint64_t before = taken_;
  ring_.collect(*this);
  return taken_ != before;
}

}  // namespace

Result<std::unique_ptr<ParticlesKernel>> ParticlesKernel::create(Context& context, const dynamics::VectorField& field) {
  return makeForField<ParticlesOnDevice, ParticlesKernel>(context, field, "particles_advect", "particles");
}

}  // namespace sepx::gpu
