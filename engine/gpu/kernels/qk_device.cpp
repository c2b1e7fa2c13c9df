// SPDX-License-Identifier: Apache-2.0
// Device limits, buffers, descriptor ranges and push constants of the two kernels. Frame thread.
#include "engine/gpu/kernels/qk_device.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "engine/attention/product.h"
#include "engine/gpu/check.h"
#include "engine/gpu/kernels/qk_tiles.h"
#include "shaders/include/qk_params.h"

namespace sepx::gpu {

namespace {

using attention::Part;
using Eigen::Index;
using glsl::QkMeanParams;
using glsl::QkProductParams;

static_assert(sizeof(QkProductParams) == 52 && offsetof(QkProductParams, width) == 48);
static_assert(sizeof(QkMeanParams) == 36 && offsetof(QkMeanParams, depth) == 32);
static_assert(SEPX_QK_FULL == static_cast<int>(Part::Full) && SEPX_QK_SYMMETRIC == static_cast<int>(Part::Symmetric) &&
              SEPX_QK_SKEW == static_cast<int>(Part::Skew));
static_assert(SEPX_QK_BLOCK == QkTileOrder::kBlock);

constexpr std::uint64_t kRowBytes = sizeof(float);

std::uint32_t word(Index value) {
  return static_cast<std::uint32_t>(value);
}

Index blocksOf(Index entries) {
  return (entries + SEPX_QK_BLOCK - 1) / SEPX_QK_BLOCK;
}

struct Limits {
  std::uint64_t binding = 0, alignment = 1, allocation = 0, heap = 0;
};

Limits limitsOf(Context& context, std::uint64_t mostBytes) {
  VkPhysicalDeviceMaintenance4Properties buffers{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
  VkPhysicalDeviceVulkan11Properties core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  core.pNext = &buffers;
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  properties.pNext = &core;
  vkGetPhysicalDeviceProperties2(context.physicalDevice(), &properties);
  VkPhysicalDeviceMemoryProperties memory{};
  vkGetPhysicalDeviceMemoryProperties(context.physicalDevice(), &memory);
  Limits limits;
  limits.binding = properties.properties.limits.maxStorageBufferRange;
  if (mostBytes > 0) limits.binding = std::min(limits.binding, mostBytes);
  limits.alignment = std::max<std::uint64_t>(1, properties.properties.limits.minStorageBufferOffsetAlignment);
  limits.allocation = std::min<std::uint64_t>(core.maxMemoryAllocationSize, buffers.maxBufferSize);
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i)
    if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
      limits.heap = std::max<std::uint64_t>(limits.heap, memory.memoryHeaps[i].size);
  return limits;
}

/// A binding must begin at a multiple of the device's alignment, so up to this many extra rows are bound.
Index slackRows(Index depth, std::uint64_t alignment) {
  const auto bytes = static_cast<std::uint64_t>(depth) * kRowBytes;
  return static_cast<Index>((alignment + bytes - 1) / bytes);
}

Index rowsOfBinding(Index depth, const Limits& limits) {
  return static_cast<Index>(limits.binding / (static_cast<std::uint64_t>(depth) * kRowBytes)) -
         slackRows(depth, limits.alignment);
}

}  // namespace

std::uint64_t QkData::bytes() const {
  return sizeof(float) * (left.size() + right.size() + leftMirror.size() + rightMirror.size());
}

Index QkTask::outputRows() const {
  if (mode >= SEPX_QK_MOMENTS) return blocksOf(tile.rows());
  return mode == SEPX_QK_ENTRIES ? tile.rows() : (tile.row1 - 1 - row0) / step - pixelRow() + 1;
}

Index QkTask::outputColumns() const {
  if (mode >= SEPX_QK_MOMENTS) return blocksOf(tile.columns());
  return mode == SEPX_QK_ENTRIES ? tile.columns() : (tile.column1 - 1 - column0) / step - pixelColumn() + 1;
}

std::size_t QkTask::outputBytes() const {
  const auto places = static_cast<std::size_t>(outputRows() * outputColumns());
  return sizeof(float) * places * (mode >= SEPX_QK_MOMENTS ? SEPX_QK_SUMS : 1);
}

Result<void> QkDevice::fits(Context& context, const QkData& data, std::uint64_t mostBytes) {
  const Limits limits = limitsOf(context, mostBytes);
  const std::string& name = context.info().name;
  if (rowsOfBinding(data.depth, limits) < SEPX_QK_BLOCK)
    return fail(
        ErrorKind::NoDevice,
        fmt::format("{} can bind at most {} bytes at once, but {} rows of the factors have {}; use --compute cpu", name,
                    limits.binding, SEPX_QK_BLOCK, SEPX_QK_BLOCK * static_cast<std::uint64_t>(data.depth) * kRowBytes));
  const std::uint64_t largest =
      sizeof(float) * std::max({data.left.size(), data.right.size(), data.leftMirror.size(), data.rightMirror.size()});
  if (largest > limits.allocation)
    return fail(ErrorKind::NoDevice,
                fmt::format("{} can allocate at most {} MiB at once, but a factor has {} MiB; use --compute cpu", name,
                            limits.allocation >> 20, largest >> 20));
  if (data.bytes() > limits.heap)
    return fail(ErrorKind::NoDevice,
                fmt::format("the factors need {} MiB on {}, which has {} MiB: {} MiB too few; use --compute cpu",
                            data.bytes() >> 20, name, limits.heap >> 20, ((data.bytes() - limits.heap) >> 20) + 1));
  return {};
}

QkDevice::QkDevice(Context& context, const QkData& data, std::uint32_t sets, std::uint64_t mostBytes)
    : context_(context),
      rows_(data.rows),
      columns_(data.columns),
      depth_(data.depth),
      square_(data.square),
      product_(context, "qk_product.comp", sizeof(QkProductParams), sets, 5),
      mean_(context, "qk_mean.comp", sizeof(QkMeanParams), sets) {
  const Limits limits = limitsOf(context, mostBytes);
  alignment_ = limits.alignment;
  mostRows_ = rowsOfBinding(depth_, limits);
  upload(left_, data.left, "W_Q");
  upload(right_, data.right, "W_K");
  if (!data.leftMirror.empty()) upload(leftMirror_, data.leftMirror, "W_K by rows");
  if (!data.rightMirror.empty()) upload(rightMirror_, data.rightMirror, "W_Q by columns");
}

void QkDevice::upload(Buffer& buffer, const std::vector<float>& from, const char* name) {
  const std::uint64_t bytes = from.size() * sizeof(float);
  const Buffer staging(context_, {.size = bytes,
                                  .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                  .memory = MemoryUse::Upload,
                                  .name = fmt::format("{} upload", name)});
  buffer = Buffer(context_, {.size = bytes,
                             .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             .memory = MemoryUse::Gpu,
                             .name = name});
  std::memcpy(staging.mapped(), from.data(), bytes);
  const VkCommandBuffer commands = context_.queue().begin();
  const VkBufferCopy region{0, 0, bytes};
  vkCmdCopyBuffer(commands, staging.get(), buffer.get(), 1, &region);  // the barrier before a kernel waits for it
  context_.queue().submit(commands);
}

QkSides QkDevice::sides() const {
  return {&left_, &right_, leftMirror_ ? &leftMirror_ : &right_, rightMirror_ ? &rightMirror_ : &left_};
}

Buffer QkDevice::makeAverages(Index rows) const {
  return Buffer(context_, {.size = static_cast<std::uint64_t>(rows * depth_) * kRowBytes,
                           .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                           .memory = MemoryUse::Gpu,
                           .name = "averages of a factor"});
}

Index QkDevice::bindRows(DescriptorSet& set, std::uint32_t binding, const Buffer& buffer, Index first,
                         Index last) const {
  const auto rowBytes = static_cast<std::uint64_t>(depth_) * kRowBytes;
  Index base = first;
  while (static_cast<std::uint64_t>(base) * rowBytes % alignment_ != 0)
    --base;
  set.writeBuffer(binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer.get(), static_cast<std::uint64_t>(base) * rowBytes,
                  static_cast<std::uint64_t>(last - base) * rowBytes);
  return first - base;
}

void QkDevice::recordTask(VkCommandBuffer commands, DescriptorSet& set, const QkSides& sides, const QkTask& task,
                          const Buffer& output) const {
  assert(task.outputBytes() <= output.size() && task.tile.rows() > 0 && task.tile.columns() > 0);
  const bool mirror = task.part != Part::Full || task.mode == SEPX_QK_MOMENTS;
  const attention::Crop& tile = task.tile;
  QkProductParams params{};
  params.rows = word(tile.rows());
  params.columns = word(tile.columns());
  params.left = word(bindRows(set, 0, *sides.left, tile.row0, tile.row1));
  params.right = word(bindRows(set, 1, *sides.right, tile.column0, tile.column1));
  // Bound but never read if there is no mirror image.
  params.leftMirror = word(bindRows(set, 2, mirror ? *sides.leftMirror : *sides.left, tile.row0, tile.row1));
  params.rightMirror = word(bindRows(set, 3, mirror ? *sides.rightMirror : *sides.right, tile.column0, tile.column1));
  set.writeBuffer(4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, output.get(), 0, output.size());
  params.depth = word(depth_ / 4);
  params.part = static_cast<std::uint32_t>(task.part);
  params.mode = task.mode;
  params.step = word(task.step);
  params.rowPhase = word((tile.row0 - task.row0) % task.step);
  params.columnPhase = word((tile.column0 - task.column0) % task.step);
  params.width = word(task.outputColumns());
  if (task.mode == SEPX_QK_EXTREMES) vkCmdFillBuffer(commands, output.get(), 0, task.outputBytes(), 0);
  product_.recordGroups(commands, set, std::as_bytes(std::span(&params, 1)), word(blocksOf(tile.columns())),
                        word(blocksOf(tile.rows())));
}

void QkDevice::recordMean(VkCommandBuffer commands, DescriptorSet& set, const Buffer& factor, Index first, Index last,
                          Index crop0, Index total, Index step, const Buffer& averages) const {
  const Index firstAverage = (first - crop0) / step, lastAverage = (last - 1 - crop0) / step + 1;
  QkMeanParams params{};
  params.input_ = word(bindRows(set, 0, factor, first, last));
  params.rows = word(last - first);
  params.first = word(first - crop0);
  params.total = word(total);
  params.step = word(step);
  params.output_ = word(bindRows(set, 1, averages, firstAverage, lastAverage));
  params.average = word(firstAverage);
  params.averages = word(lastAverage - firstAverage);
  params.depth = word(depth_ / 4);
  mean_.recordGroups(commands, set, std::as_bytes(std::span(&params, 1)), (params.depth + 31) / 32,
                     (params.averages + 7) / 8);
}

void QkDevice::recordClear(VkCommandBuffer commands, const Buffer& buffer) const {
  vkCmdFillBuffer(commands, buffer.get(), 0, VK_WHOLE_SIZE, 0);
}

}  // namespace sepx::gpu
