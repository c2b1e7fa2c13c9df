// SPDX-License-Identifier: Apache-2.0
// 2-D images with their memory and view, samplers, framebuffers, and layout changes. Constructors throw
// VulkanError. Frame thread.
#pragma once

#include <optional>
#include <string>

#include "engine/gpu/buffer.h"
#include "engine/gpu/frame_target.h"

namespace sepx::gpu {

struct ImageOptions {  ///< options for a new image
  Extent extent;
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  std::string name;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;  ///< DEPTH for depth images
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

class Image {
 public:
  Image() = default;
  Image(Context& context, const ImageOptions& options);

  VkImage get() const { return image_.get(); }
  VkImageView view() const { return view_.get(); }
  Extent extent() const { return extent_; }
  VkFormat format() const { return format_; }
  explicit operator bool() const { return static_cast<bool>(image_); }

 private:
  Memory memory_;  // first: freed last
  Handle<VkImage> image_;
  Handle<VkImageView> view_;
  Extent extent_;
  VkFormat format_ = VK_FORMAT_UNDEFINED;
};
/// Creates a view of the whole image.
Handle<VkImageView> makeView(Context& context, VkImage image, VkFormat format,
                             VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT);

struct SamplerOptions {  ///< options for a new sampler
  VkFilter filter = VK_FILTER_LINEAR;
  VkSamplerAddressMode address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  std::string name;
};
Handle<VkSampler> makeSampler(Context& context, const SamplerOptions& options = {});  ///< without mip levels

/// Creates a framebuffer for Context::renderPass(). `view` must have the format kTargetFormat and colour attachment
/// usage.
Handle<VkFramebuffer> makeFramebuffer(Context& context, VkImageView view, Extent extent);

/// Records a layout change, with the stages and accesses that the two layouts imply. UNDEFINED as `from` discards the
/// content.
void transition(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to);

/// Begins Context::renderPass() on `framebuffer`, cleared to `clear` (RGBA), with viewport and scissor covering all of
/// it. Without `clear` it begins Context::keepingRenderPass() instead.
void beginRenderPass(Context& context, VkCommandBuffer commands, VkFramebuffer framebuffer, Extent extent,
                     const std::optional<VkClearColorValue>& clear);

}  // namespace sepx::gpu
