// SPDX-License-Identifier: Apache-2.0
// The basin map on the device: tiles (basin_tiles.h) go to the queue while their estimated time fits the budget,
// results are collected when the timeline says so. Each slot owns its buffers, so that several tiles are in flight;
// tiles of a cancelled map finish unread. Times come from timestamp queries where the queue has them, else from the
// host's clock.
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "engine/gpu/check.h"
#include "engine/gpu/kernels/basin_tiles.h"
#include "engine/gpu/kernels/compute_program.h"
#include "engine/gpu/kernels/finish_tiles.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/core/clock.h"
#include "engine/gpu/kernels/tile_timer.h"
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
constexpr std::size_t kMostAttractors = 64;
/// kSpeedFloor is written once more in shaders/include/unit_speed.glsl.
static_assert(dynamics::kSpeedFloor == 1e-9);
/// Below this the rounding of single precision, not the method, is what the error estimate sees.
constexpr double kLeastTolerance = 1e-5;
/// Device milliseconds per new point before anything was measured: small tiles first.
constexpr double kFirstPointMs = 1e-3;

struct BasinSlot {
  Buffer attractors, labels;
  DescriptorSet set;
  BasinTile tile;
  std::uint64_t value = 0;       // of the submission; 0: free
  std::uint64_t generation = 0;  // of the map it belongs to
  double submittedAt = 0;
};

class BasinMapOnDevice final : public BasinMapKernel {
 public:
  BasinMapOnDevice(Context& context, const dynamics::VectorField& field);

  void start(std::span<const double> parameters, const dynamics::BasinWindow& window,
             const dynamics::BasinMapOptions& options) override;
  void cancel() override;
  bool advance(double budgetMs) override;
  double progress() const override;
  const dynamics::BasinMap& map() const override { return map_; }
  Result<void> finish() override;

 private:
  void collect();
  void take(const BasinSlot& slot);
  void measure(const BasinSlot& slot, std::size_t index);
  void submit(std::size_t index, const BasinTile& tile);
  BasinSlot* freeSlot(std::size_t& index);
  double inFlightMs() const;
  bool inFlight() const;

  Context& context_;
  const dynamics::VectorField& field_;
  ComputeProgram program_;
  TileTimer timer_;
  std::array<BasinSlot, kBasinSlots> slots_;
  std::vector<glsl::vec2> attractors_;
  BasinMapParams params_{};
  BasinTileOrder order_;
  dynamics::BasinMap map_;
  std::size_t known_ = 0;  // pixels
  std::uint64_t generation_ = 0;
  double pointMs_ = kFirstPointMs;
};

BasinMapOnDevice::BasinMapOnDevice(Context& context, const dynamics::VectorField& field)
    : context_(context),
      field_(field),
      program_(context, fmt::format("basin_map.comp.{}", field.info().key), sizeof(BasinMapParams), kBasinSlots),
      timer_(context, kBasinSlots) {
  for (BasinSlot& slot : slots_) {
    slot.attractors = Buffer(context, {.size = kMostAttractors * sizeof(glsl::vec2),
                                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                       .memory = MemoryUse::Upload,
                                       .name = "basin map attractors"});
    slot.labels = Buffer(context, {.size = kMostInvocations * sizeof(std::uint32_t),
                                   .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                   .memory = MemoryUse::Readback,
                                   .name = "basin map labels"});
    slot.set = program_.bind(context, slot.attractors, slot.labels);
  }
}

void BasinMapOnDevice::start(std::span<const double> parameters, const dynamics::BasinWindow& window,
                             const dynamics::BasinMapOptions& options) {
  assert(parameters.size() <= 4 && "parameters travel as one vec4");
  ++generation_;
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
  attractors_.clear();
  if (!field_.hasClassifier())
    for (const dynamics::FixedPoint& point : field_.fixedPoints(parameters))
      if (point.kind == LimitKind::Attractor && attractors_.size() < kMostAttractors)
        attractors_.push_back({static_cast<float>(point.x[0]), static_cast<float>(point.x[1])});
  params_.attractorCount = static_cast<std::uint32_t>(attractors_.size());
}

void BasinMapOnDevice::cancel() {
  ++generation_;
  order_ = {};
}

bool BasinMapOnDevice::inFlight() const {
  for (const BasinSlot& slot : slots_)
    if (slot.value != 0 && slot.generation == generation_) return true;
  return false;
}

/// Also of cancelled tiles: they occupy the device all the same.
double BasinMapOnDevice::inFlightMs() const {
  double sum = 0;
  for (const BasinSlot& slot : slots_)
    if (slot.value != 0) sum += slot.tile.newPoints() * pointMs_;
  return sum;
}

/// Labels of a finished tile; each new grid point also stands for the finer pixels below and to the right of it.
void BasinMapOnDevice::take(const BasinSlot& slot) {
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

/// Learns from a finished tile what a point costs.
void BasinMapOnDevice::measure(const BasinSlot& slot, std::size_t index) {
  const std::uint32_t points = std::max(slot.tile.newPoints(), 1u);
  // Without timestamps an upper bound: until it was noticed.
  const double ms = timer_.milliseconds(index).value_or(steadyMilliseconds() - slot.submittedAt);
  const double measured = std::clamp(ms / points, 1e-8, 10.0);
  pointMs_ = pointMs_ == kFirstPointMs ? measured : 0.5 * (pointMs_ + measured);
}

void BasinMapOnDevice::collect() {
  const std::uint64_t completed = context_.queue().completed();
  for (std::size_t i = 0; i < kBasinSlots; ++i) {
    BasinSlot& slot = slots_[i];
    if (slot.value == 0 || slot.value > completed) continue;
    slot.value = 0;
    measure(slot, i);
    if (slot.generation == generation_) take(slot);
  }
}

void BasinMapOnDevice::submit(std::size_t index, const BasinTile& tile) {
  BasinSlot& slot = slots_[index];
  if (!attractors_.empty())
    std::memcpy(slot.attractors.mapped(), attractors_.data(), attractors_.size() * sizeof(glsl::vec2));
  BasinMapParams params = params_;
  params.columns = tile.columns;
  params.first = tile.first;
  params.count = tile.count;
  params.stride = tile.stride;
  params.skipCoarse = tile.skipCoarse ? 1 : 0;
  Queue& queue = context_.queue();
  const VkCommandBuffer commands = queue.begin();
  timer_.begin(commands, index);
  program_.record(commands, slot.set, std::as_bytes(std::span(&params, 1)), tile.count);
  timer_.end(commands, index);
  slot.submittedAt = steadyMilliseconds();
  slot.tile = tile;
  slot.generation = generation_;
  slot.value = queue.submit(commands);
}

BasinSlot* BasinMapOnDevice::freeSlot(std::size_t& index) {
  for (index = 0; index < kBasinSlots; ++index)
    if (slots_[index].value == 0) return &slots_[index];
  return nullptr;
}

bool BasinMapOnDevice::advance(double budgetMs) {
  if (context_.lost()) return false;
  collect();
  std::size_t index = 0;
  try {
    // Several tiles share a budget, so that one that takes longer than estimated delays a frame only by its part.
    for (double left = budgetMs - inFlightMs(); left > 0 && !order_.done() && freeSlot(index);) {
      const auto wanted =
          static_cast<std::uint32_t>(std::clamp(0.5 * budgetMs / pointMs_, 256.0, double{kMostInvocations}));
      const BasinTile tile = order_.next(wanted);
      submit(index, tile);
      left -= tile.newPoints() * pointMs_;
    }
  } catch (const VulkanError&) {
    context_.markLost();
    return false;
  }
  return !order_.done() || inFlight();
}

double BasinMapOnDevice::progress() const {
  return map_.labels.empty() ? 1.0 : static_cast<double>(known_) / static_cast<double>(map_.labels.size());
}

Result<void> BasinMapOnDevice::finish() {
  return finishTiles(
      context_, slots_, [this](double ms) { return advance(ms); }, "BasinMapKernel");
}

}  // namespace

Result<std::unique_ptr<BasinMapKernel>> BasinMapKernel::create(Context& context, const dynamics::VectorField& field) {
  if (field.dimension() != 2 || !hasKernel("basin_map", field.info().key))
    return tl::unexpected(noKernel("basin map", field.info().key, field.dimension()));
  try {
    if (context.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, "BasinMapKernel::create");
    return std::make_unique<BasinMapOnDevice>(context, field);
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
}

}  // namespace sepx::gpu
