// SPDX-License-Identifier: Apache-2.0
// Computes the basin map on the device: tiles (basin_tiles.h) in a ring (tile_ring.h), coarse to fine. Each slot owns
// its buffers, so that several tiles can be in flight.
#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "engine/gpu/check.h"
#include "engine/gpu/kernels/attractors.h"
#include "engine/gpu/kernels/basin_tiles.h"
#include "engine/gpu/kernels/compute_program.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/gpu/kernels/tile_ring.h"
#include "shaders/include/kernel_params.h"

namespace sepx::gpu {

namespace {

using dynamics::LimitKind;
using glsl::BasinMapParams;

static_assert(sizeof(BasinMapParams) == 80 && offsetof(BasinMapParams, middle) == 16);
static_assert(offsetof(BasinMapParams, width) == 32 && offsetof(BasinMapParams, attractorRadius) == 76);
static_assert(SEPX_UNDECIDED == static_cast<int>(LimitKind::Undecided) &&
              SEPX_GLOBAL_MIN == static_cast<int>(LimitKind::GlobalMin));
static_assert(SEPX_LOCAL_MIN == static_cast<int>(LimitKind::LocalMin) &&
              SEPX_SADDLE == static_cast<int>(LimitKind::Saddle));
static_assert(SEPX_LOCAL_MAX == static_cast<int>(LimitKind::LocalMax) &&
              SEPX_ATTRACTOR == static_cast<int>(LimitKind::Attractor));

constexpr std::size_t kBasinSlots = 4;
constexpr std::uint32_t kMostInvocations = 65536;  // of one tile: 256 KiB of labels
/// kSpeedFloor is repeated in shaders/include/unit_speed.glsl.
static_assert(dynamics::kSpeedFloor == 1e-9);
/// Below this tolerance, the error estimate measures the rounding of single precision, not the error of the method.
constexpr double kLeastTolerance = 1e-5;
/// Initial estimate of the device milliseconds per new point; the first tiles are therefore small.
constexpr double kFirstPointMs = 1e-3;

struct BasinSlot {
  Buffer attractors, labels;
  DescriptorSet set;
  BasinTile tile;
};

class BasinMapOnDevice final : public BasinMapKernel, private TileWork {
 public:
  BasinMapOnDevice(Context& context, const dynamics::VectorField& field);

  void start(std::span<const double> parameters, const dynamics::BasinWindow& window,
             const dynamics::BasinMapOptions& options) override;
  void cancel() override;
  KernelState advance(double budgetMs) override { return ring_.advance(*this, budgetMs); }
  double progress() const override;
  const dynamics::BasinMap& map() const override { return map_; }
  Result<void> finish() override { return ring_.finish(*this); }

 private:
  bool workLeft() const override { return !order_.done(); }
  TileCost record(VkCommandBuffer commands, std::size_t slot, double ms) override;
  void take(std::size_t slot) override;

  const dynamics::VectorField& field_;
  ComputeProgram program_;
  TileRing ring_;
  std::array<BasinSlot, kBasinSlots> slots_;
  std::vector<glsl::vec2> attractors_;
  BasinMapParams params_{};
  BasinTileOrder order_;
  dynamics::BasinMap map_;
  std::size_t known_ = 0;  // pixels
};

BasinMapOnDevice::BasinMapOnDevice(Context& context, const dynamics::VectorField& field)
    : field_(field),
      program_(context, fmt::format("basin_map.comp.{}", field.info().key), sizeof(BasinMapParams), kBasinSlots),
      ring_(context, "BasinMapKernel", kBasinSlots, {kFirstPointMs}) {
  for (BasinSlot& slot : slots_) {
    slot.attractors = Buffer(context, {.size = kMostAttractors * sizeof(glsl::vec2),
                                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                       .memory = MemoryUse::Upload,
                                       .name = "basin map attractors"});
    slot.labels = Buffer(context, {.size = kMostInvocations * sizeof(std::uint32_t),
                                   .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                   .memory = MemoryUse::Readback,
                                   .name = "basin map labels"});
    slot.set = program_.bind(slot.attractors, slot.labels);
  }
}

void BasinMapOnDevice::start(std::span<const double> parameters, const dynamics::BasinWindow& window,
                             const dynamics::BasinMapOptions& options) {
  assert(parameters.size() <= 4 && "parameters travel as one vec4");
  ring_.restart();
  map_.window = window;
  map_.labels.assign(
      static_cast<std::size_t>(std::max(window.width, 0)) * static_cast<std::size_t>(std::max(window.height, 0)),
      static_cast<std::uint8_t>(LimitKind::Undecided));
  known_ = 0;
  order_ = map_.labels.empty()
               ? BasinTileOrder()
               : BasinTileOrder(static_cast<std::uint32_t>(window.width), static_cast<std::uint32_t>(window.height));
  params_ = {};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    params_.parameters[i] = static_cast<float>(parameters[i]);
  params_.middle = {static_cast<float>(0.5 * (window.xMin + window.xMax)),
                    static_cast<float>(0.5 * (window.yMin + window.yMax))};
  params_.halfPixel = {static_cast<float>(0.5 * (window.xMax - window.xMin) / window.width),
                       static_cast<float>(0.5 * (window.yMin - window.yMax) / window.height)};
  params_.width = static_cast<std::uint32_t>(std::max(window.width, 0));
  params_.height = static_cast<std::uint32_t>(std::max(window.height, 0));
  params_.maxSteps = static_cast<std::uint32_t>(std::max(options.maxSteps, 0));
  params_.tolerance = static_cast<float>(std::max(options.tolerance, kLeastTolerance));
  params_.maxLength = static_cast<float>(options.maxLength);
  params_.attractorRadius = static_cast<float>(dynamics::kCaptureRadius);
  attractors_ = attractorsOf(field_, parameters);
  params_.attractorCount = static_cast<std::uint32_t>(attractors_.size());
}

void BasinMapOnDevice::cancel() {
  ring_.restart();
  order_ = {};
}

/// Copies the labels of a finished tile. Each new grid point also labels the finer pixels below and to the right of it.
void BasinMapOnDevice::take(std::size_t index) {
  const BasinSlot& slot = slots_[index];
  const BasinTile& tile = slot.tile;
  const auto width = static_cast<std::uint32_t>(map_.window.width),
             height = static_cast<std::uint32_t>(map_.window.height);
  const auto* labels = reinterpret_cast<const std::uint32_t*>(slot.labels.mapped());
  for (std::uint32_t i = 0; i < tile.count; ++i) {
    const std::uint32_t row = (tile.first + i) / tile.columns, column = (tile.first + i) % tile.columns;
    if (tile.skipCoarse && (row | column) % 2 == 0) continue;
    const std::uint32_t left = column * tile.stride, top = row * tile.stride;
    for (std::uint32_t y = top; y < std::min(top + tile.stride, height); ++y)
      std::memset(&map_.labels[std::size_t{y} * width + left], static_cast<std::uint8_t>(labels[i]),
                  std::min(tile.stride, width - left));
  }
  known_ += tile.newPoints();
}

TileCost BasinMapOnDevice::record(VkCommandBuffer commands, std::size_t index, double ms) {
  BasinSlot& slot = slots_[index];
  slot.tile = order_.next(static_cast<std::uint32_t>(std::clamp(ms / ring_.unitMs(), 256.0, double{kMostInvocations})));
  if (!attractors_.empty())
    std::memcpy(slot.attractors.mapped(), attractors_.data(), attractors_.size() * sizeof(glsl::vec2));
  BasinMapParams params = params_;
  params.columns = slot.tile.columns;
  params.first = slot.tile.first;
  params.count = slot.tile.count;
  params.stride = slot.tile.stride;
  params.skipCoarse = slot.tile.skipCoarse ? 1 : 0;
  program_.record(commands, slot.set, std::as_bytes(std::span(&params, 1)), slot.tile.count);
  return {static_cast<double>(slot.tile.newPoints())};
}

double BasinMapOnDevice::progress() const {
  return map_.labels.empty() ? 1.0 : static_cast<double>(known_) / static_cast<double>(map_.labels.size());
}

}  // namespace

Result<std::unique_ptr<BasinMapKernel>> BasinMapKernel::create(Context& context, const dynamics::VectorField& field) {
  return makeForField<BasinMapOnDevice, BasinMapKernel>(context, field, "basin_map", "basin map");
}

}  // namespace sepx::gpu
