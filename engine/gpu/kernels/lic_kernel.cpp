// SPDX-License-Identifier: Apache-2.0
// Computes the flow texture on the device: first the lattice, then the lines, in runs of pixels that fit the budget.
// The lattice stays on the device; the levels are in memory that the host reads once the timeline shows that a run has
// finished. A texture begins when all runs of the previous one have finished, because both use the same buffers. Frame
// thread.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "engine/gpu/check.h"
#include "engine/gpu/kernels/compute_program.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/gpu/kernels/tile_ring.h"
#include "shaders/include/kernel_params.h"

namespace sepx::gpu {

namespace {

using glsl::LicParams;

static_assert(sizeof(LicParams) == 88 && offsetof(LicParams, perPixel) == 32 && offsetof(LicParams, origin) == 40);
static_assert(offsetof(LicParams, width) == 48 && offsetof(LicParams, contrast) == 72);

constexpr std::size_t kLicSlots = 4;
constexpr std::uint32_t kPasses = 2;  // the lattice, the levels
constexpr std::size_t kCellBytes = sizeof(glsl::vec4);
/// Maximum of one run, which is short even on the slowest device. The budget may allow fewer once the time per pixel is
/// known.
constexpr std::uint32_t kMostLicPixels = 1u << 18;
constexpr double kFirstPixelMs = 2e-4;  // initial estimate per pixel

struct LicRun {
  std::uint32_t pass = 0, first = 0, count = 0;
};

class LicOnDevice final : public LicKernel, private TileWork {
 public:
  LicOnDevice(Context& context, const dynamics::VectorField& field)
      : context_(context),
        program_(context, fmt::format("lic.comp.{}", field.info().key), sizeof(LicParams), kLicSlots, 3),
        ring_(context, "LicKernel", kLicSlots, {kFirstPixelMs, kFirstPixelMs}) {}

  void start(std::span<const double> parameters, const dynamics::BasinWindow& window,
             const dynamics::LicOptions& options) override;
  void cancel() override;
  KernelState advance(double budgetMs) override { return ring_.advance(*this, budgetMs); }
  double progress() const override;
  const dynamics::FlowTexture& texture() const override { return texture_; }
  Result<void> finish() override;

 private:
  bool workLeft() const override { return pass_ < kPasses; }
  bool sharesBuffers() const override { return true; }
  TileCost record(VkCommandBuffer commands, std::size_t slot, double ms) override;
  void take(std::size_t slot) override;
  void makeBuffers();
  std::size_t pixels() const { return texture_.levels.size(); }

  Context& context_;
  ComputeProgram program_;
  TileRing ring_;  ///< its kinds of tiles: the passes
  Buffer weights_, lattice_, levels_;
  DescriptorSet set_;
  std::array<LicRun, kLicSlots> runs_;
  LicParams params_{};
  std::vector<float> weightsWanted_;  ///< not yet copied to their buffer
  dynamics::FlowTexture texture_;
  std::uint32_t pass_ = kPasses, next_ = 0;  // what is submitted next
  std::size_t known_ = 0;                    // pixels with a level
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
  set_ = program_.bind({&weights_, &lattice_, &levels_});
}

void LicOnDevice::start(std::span<const double> parameters, const dynamics::BasinWindow& window,
                        const dynamics::LicOptions& options) {
  assert(parameters.size() <= 4 && "parameters travel as one vec4");
  assert(window.width >= 0 && window.height >= 0);
  ring_.restart();
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
  ring_.restart();
  pass_ = kPasses;
}

TileCost LicOnDevice::record(VkCommandBuffer commands, std::size_t slot, double ms) {
  if (!weightsWanted_.empty()) {
    if (levels_.size() != pixels() * sizeof(std::uint32_t)) makeBuffers();
    std::memcpy(weights_.mapped(), weightsWanted_.data(), weightsWanted_.size() * sizeof(float));
    weightsWanted_.clear();
  }
  const auto wanted = static_cast<std::uint32_t>(std::clamp(ms / ring_.unitMs(pass_), 256.0, double{kMostLicPixels}));
  const LicRun run{pass_, next_, std::min(wanted, static_cast<std::uint32_t>(pixels()) - next_)};
  runs_[slot] = run;
  LicParams params = params_;
  params.first = run.first;
  params.count = run.count;
  params.convolving = run.pass;
  program_.record(commands, set_, std::as_bytes(std::span(&params, 1)), run.count);
  next_ += run.count;
  if (next_ >= pixels()) {
    next_ = 0;
    ++pass_;
  }
  return {static_cast<double>(run.count), run.pass};
}

void LicOnDevice::take(std::size_t slot) {
  const LicRun& run = runs_[slot];
  if (run.pass == 0) return;
  const auto* levels = reinterpret_cast<const std::uint32_t*>(levels_.mapped()) + run.first;
  std::transform(levels, levels + run.count, texture_.levels.begin() + run.first,
                 [](std::uint32_t level) { return static_cast<std::uint8_t>(level); });
  known_ += run.count;
}

double LicOnDevice::progress() const {
  return pixels() == 0 ? 1.0 : static_cast<double>(known_) / static_cast<double>(pixels());
}

Result<void> LicOnDevice::finish() {
  if (pixels() > kMostTexture)
    return fail(ErrorKind::Usage, fmt::format("a flow texture has at most {} pixels", kMostTexture));
  return ring_.finish(*this);
}

}  // namespace

Result<std::unique_ptr<LicKernel>> LicKernel::create(Context& context, const dynamics::VectorField& field) {
  return makeForField<LicOnDevice, LicKernel>(context, field, "lic", "lic");
}

}  // namespace sepx::gpu
