// SPDX-License-Identifier: Apache-2.0
// The flow texture on the device: first the lattice, then the lines, in runs of pixels that fit the budget. The lattice
// stays on the device; levels lie in memory that the host reads once the timeline says so. A texture begins when what
// was in flight of the one before is finished: both use the same buffers. Frame thread.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "engine/gpu/check.h"
#include "engine/gpu/kernels/compute_program.h"
#include "engine/gpu/kernels/finish_tiles.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/core/clock.h"
#include "engine/gpu/kernels/tile_timer.h"
#include "shaders/include/kernel_params.h"

namespace sepx::gpu {

namespace {

using glsl::LicParams;

static_assert(sizeof(LicParams) == 88 && offsetof(LicParams, perPixel) == 32 && offsetof(LicParams, origin) == 40);
static_assert(offsetof(LicParams, width) == 48 && offsetof(LicParams, contrast) == 72);

constexpr std::size_t kLicSlots = 4;
constexpr std::uint32_t kPasses = 2;  // the lattice, the levels
constexpr std::size_t kCellBytes = sizeof(glsl::vec4);
/// Of one run: short on the slowest device. A budget asks for less once a pixel's time is known.
constexpr std::uint32_t kMostLicPixels = 1u << 18;
constexpr double kFirstPixelMs = 2e-4;  // of a pixel, before anything was measured

struct LicSlot {
  std::uint64_t value = 0;  // of the submission; 0: free
  std::uint64_t generation = 0;
  std::uint32_t pass = 0, first = 0, count = 0;
  double submittedAt = 0;
};

class LicOnDevice final : public LicKernel {
 public:
  LicOnDevice(Context& context, const dynamics::VectorField& field)
      : context_(context),
        program_(context, fmt::format("lic.comp.{}", field.info().key), sizeof(LicParams), kLicSlots, 3),
        timer_(context, kLicSlots) {}

  void start(std::span<const double> parameters, const dynamics::BasinWindow& window,
             const dynamics::LicOptions& options) override;
  void cancel() override;
  bool advance(double budgetMs) override;
  double progress() const override;
  const dynamics::FlowTexture& texture() const override { return texture_; }
  Result<void> finish() override;

 private:
  void makeBuffers();
  void collect();
  void submit(std::size_t index, std::uint32_t count);
  double inFlightMs() const;
  bool inFlight() const;  ///< of the present texture
  bool staleInFlight() const;
  std::size_t pixels() const { return texture_.levels.size(); }

  Context& context_;
  ComputeProgram program_;
  TileTimer timer_;
  Buffer weights_, lattice_, levels_;
  DescriptorSet set_;
  std::array<LicSlot, kLicSlots> slots_;
  LicParams params_{};
  std::vector<float> weightsWanted_;  ///< not yet in their buffer
  dynamics::FlowTexture texture_;
  std::uint32_t pass_ = kPasses, next_ = 0;  // what is submitted next
  std::size_t known_ = 0;                    // pixels with a level
  std::uint64_t generation_ = 0;
  std::array<double, kPasses> pixelMs_{kFirstPixelMs, kFirstPixelMs};
};

void LicOnDevice::makeBuffers() {
  constexpr std::size_t kWeightBytes = (2 * dynamics::kMostLicSteps + 1) * sizeof(float);
  const std::size_t count = pixels();
  set_ = {};
  weights_ = Buffer(context_, {.size = kWeightBytes,
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                               .memory = MemoryUse::Upload,
                               .name = "texture weights"});
  lattice_ = Buffer(
      context_, {.size = count * kCellBytes, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "texture lattice"});
  levels_ = Buffer(context_, {.size = count * sizeof(std::uint32_t),
                              .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                              .memory = MemoryUse::Readback,
                              .name = "texture levels"});
  set_ = program_.bind(context_, {&weights_, &lattice_, &levels_});
}

void LicOnDevice::start(std::span<const double> parameters, const dynamics::BasinWindow& window,
                        const dynamics::LicOptions& options) {
  assert(parameters.size() <= 4 && "parameters travel as one vec4");
  assert(window.width >= 0 && window.height >= 0);
  ++generation_;
  const auto width = static_cast<std::uint32_t>(window.width), height = static_cast<std::uint32_t>(window.height);
  texture_.window = window;
  texture_.levels.assign(std::size_t{width} * height, dynamics::kLicNeutral);
  pass_ = pixels() == 0 || pixels() > kMostTexture ? kPasses : 0;
  next_ = 0;
  known_ = 0;
  params_ = {};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    params_.parameters[i] = static_cast<float>(parameters[i]);
  const double dx = (window.xMax - window.xMin) / window.width, dy = (window.yMax - window.yMin) / window.height;
  const double largest = std::max(dx, dy), grain = std::max(1.0, options.grain);
  params_.middle = {static_cast<float>(0.5 * (window.xMin + window.xMax)),
                    static_cast<float>(0.5 * (window.yMin + window.yMax))};
  params_.halfPixel = {static_cast<float>(0.5 * dx), static_cast<float>(-0.5 * dy)};
  params_.perPixel = {static_cast<float>(largest / dx), static_cast<float>(-largest / dy)};
  const dynamics::NoiseOrigin origin = dynamics::noiseOrigin(window, grain);
  params_.origin = {origin.column, origin.row};
  params_.width = width;
  params_.height = height;
  params_.steps = static_cast<std::uint32_t>(dynamics::licSteps(options));
  params_.contrast = std::isfinite(options.contrast) ? static_cast<float>(options.contrast) : 0.0f;
  params_.grain = static_cast<float>(grain);
  params_.seedLow = static_cast<std::uint32_t>(options.seed);
  params_.seedHigh = static_cast<std::uint32_t>(options.seed >> 32);
  weightsWanted_ = dynamics::licWeights(options);
}

void LicOnDevice::cancel() {
  ++generation_;
  pass_ = kPasses;
}

bool LicOnDevice::inFlight() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [this](const LicSlot& slot) { return slot.value != 0 && slot.generation == generation_; });
}

bool LicOnDevice::staleInFlight() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [this](const LicSlot& slot) { return slot.value != 0 && slot.generation != generation_; });
}

double LicOnDevice::inFlightMs() const {
  double sum = 0;
  for (const LicSlot& slot : slots_)
    if (slot.value != 0) sum += slot.count * pixelMs_[slot.pass];
  return sum;
}

void LicOnDevice::collect() {
  const std::uint64_t completed = context_.queue().completed();
  for (std::size_t i = 0; i < kLicSlots; ++i) {
    LicSlot& slot = slots_[i];
    if (slot.value == 0 || slot.value > completed) continue;
    slot.value = 0;
    const double ms = timer_.milliseconds(i).value_or(steadyMilliseconds() - slot.submittedAt);
    double& perPixel = pixelMs_[slot.pass];
    const double measured = std::clamp(ms / slot.count, 1e-9, 1.0);
    perPixel = perPixel == kFirstPixelMs ? measured : 0.5 * (perPixel + measured);
    if (slot.generation != generation_ || slot.pass == 0) continue;
    const auto* levels = reinterpret_cast<const std::uint32_t*>(levels_.mapped()) + slot.first;
    std::transform(levels, levels + slot.count, texture_.levels.begin() + slot.first,
                   [](std::uint32_t level) { return static_cast<std::uint8_t>(level); });
    known_ += slot.count;
  }
}

void LicOnDevice::submit(std::size_t index, std::uint32_t count) {
  LicSlot& slot = slots_[index];
  slot = {.generation = generation_, .pass = pass_, .first = next_, .count = count, .submittedAt = steadyMilliseconds()};
  LicParams params = params_;
  params.first = next_;
  params.count = count;
  params.convolving = pass_;
  Queue& queue = context_.queue();
  const VkCommandBuffer commands = queue.begin();
  timer_.begin(commands, index);
  program_.record(commands, set_, std::as_bytes(std::span(&params, 1)), count);
  timer_.end(commands, index);
  slot.value = queue.submit(commands);
  next_ += count;
  if (next_ < pixels()) return;
  next_ = 0;
  ++pass_;
}

bool LicOnDevice::advance(double budgetMs) {
  if (context_.lost()) return false;
  collect();
  if (pass_ < kPasses && staleInFlight()) return true;
  try {
    if (pass_ < kPasses && !weightsWanted_.empty()) {
      if (levels_.size() != pixels() * sizeof(std::uint32_t)) makeBuffers();
      std::memcpy(weights_.mapped(), weightsWanted_.data(), weightsWanted_.size() * sizeof(float));
      weightsWanted_.clear();
    }
    double left = budgetMs - inFlightMs();
    for (std::size_t i = 0; i < kLicSlots && left > 0 && pass_ < kPasses; ++i) {
      if (slots_[i].value != 0) continue;
      const double perPixel = pixelMs_[pass_];
      const auto wanted = static_cast<std::uint32_t>(std::clamp(0.5 * budgetMs / perPixel, 256.0, double{kMostLicPixels}));
      const std::uint32_t count = std::min(wanted, static_cast<std::uint32_t>(pixels()) - next_);
      submit(i, count);
      left -= count * perPixel;
    }
  } catch (const VulkanError&) {
    context_.markLost();
    return false;
  }
  return pass_ < kPasses || inFlight();
}

double LicOnDevice::progress() const {
  return pixels() == 0 ? 1.0 : static_cast<double>(known_) / static_cast<double>(pixels());
}

Result<void> LicOnDevice::finish() {
  if (pixels() > kMostTexture)
    return fail(ErrorKind::Usage, fmt::format("a flow texture has at most {} pixels", kMostTexture));
  return finishTiles(
      context_, slots_, [this](double ms) { return advance(ms); }, "LicKernel");
}

}  // namespace

Result<std::unique_ptr<LicKernel>> LicKernel::create(Context& context, const dynamics::VectorField& field) {
  if (field.dimension() != 2 || !hasKernel("lic", field.info().key))
    return tl::unexpected(noKernel("lic", field.info().key, field.dimension()));
  try {
    if (context.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, "LicKernel::create");
    return std::make_unique<LicOnDevice>(context, field);
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
}

}  // namespace sepx::gpu
