// SPDX-License-Identifier: Apache-2.0
#include "engine/render/textures.h"

namespace sepx::render {
namespace {

constexpr std::uint64_t kIdleFrames = 240;  // after that many frames without it an image is dropped
constexpr std::size_t kMostImages = 512;

// The same owner, also when one of the pointers is empty or its object gone.
bool sameOwner(const std::weak_ptr<const void>& a, const std::shared_ptr<const void>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace

Textures::Textures(gpu::Context& context, const Pipelines& pipelines) : context_(context), pipelines_(pipelines) {}

void Textures::beginFrame() {
  ++frame_;
  std::erase_if(entries_, [&](const Entry& entry) { return entry.lastUsed + kIdleFrames < frame_; });
  if (entries_.size() > kMostImages) {
    std::erase_if(entries_, [&](const Entry& entry) { return entry.lastUsed + 2 < frame_; });
  }
}

Textures::Entry& Textures::take(gpu::Extent extent, VkFormat format) {
  for (Entry& entry : entries_) {
    if (entry.values.expired() && entry.image.extent() == extent && entry.image.format() == format) return entry;
  }
  Entry& entry = entries_.emplace_back();
  entry.image = gpu::Image(context_, {.extent = extent,
                                      .format = format,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                      .name = format == VK_FORMAT_R8_UINT ? "label map" : "heat map"});
  entry.set = pipelines_.imageSet(context_, entry.image.view());
  return entry;
}

VkDescriptorSet Textures::use(VkCommandBuffer commands, Uploads& uploads, const ImageDraw& draw) {
  const std::shared_ptr<const void> values = draw.heatmap ? std::shared_ptr<const void>(draw.heatmap->values)
                                                          : std::shared_ptr<const void>(draw.labelMap->labels);
  const VkFormat format = draw.heatmap ? VK_FORMAT_R32_SFLOAT : VK_FORMAT_R8_UINT;
  const auto width = static_cast<std::size_t>(draw.heatmap ? draw.heatmap->width : draw.labelMap->width);
  const auto height = static_cast<std::size_t>(draw.heatmap ? draw.heatmap->height : draw.labelMap->height);
  const auto stride = static_cast<std::size_t>(draw.stride);
  const gpu::Extent extent{static_cast<std::uint32_t>((width + stride - 1) / stride),
                           static_cast<std::uint32_t>((height + stride - 1) / stride)};
  for (Entry& entry : entries_) {
    if (sameOwner(entry.values, values) && entry.image.extent() == extent && entry.image.format() == format) {
      entry.lastUsed = frame_;
      return entry.set.get();
    }
  }
  Entry& entry = take(extent, format);
  entry.values = values;
  entry.lastUsed = frame_;
  const std::size_t texel = draw.heatmap ? sizeof(float) : 1;
  const auto* source = draw.heatmap ? reinterpret_cast<const std::byte*>(draw.heatmap->values->data())
                                    : reinterpret_cast<const std::byte*>(draw.labelMap->labels->data());
  std::span<const std::byte> bytes(source, width * height * texel);
  if (stride > 1) {
    thinned_.clear();
    for (std::size_t y = 0; y < height; y += stride) {
      for (std::size_t x = 0; x < width; x += stride) {
        thinned_.insert(thinned_.end(), source + (y * width + x) * texel, source + (y * width + x + 1) * texel);
      }
    }
    bytes = thinned_;
  }
  // UNDEFINED: whatever another picture left there is not needed. Its last reader is in the same queue; the barrier
  // waits for it.
  gpu::transition(commands, entry.image.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  uploads.texels(commands, entry.image, bytes, 0, extent.height);
  gpu::transition(commands, entry.image.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  return entry.set.get();
}

}  // namespace sepx::render
