// SPDX-License-Identifier: Apache-2.0
// Images, views, samplers, framebuffers and layout changes. `useOf` is the only table of the stages and accesses of
// each layout. Frame thread.
#include "engine/gpu/image.h"

#include "engine/gpu/check.h"
#include "engine/gpu/frame.h"

namespace sepx::gpu {

namespace {

constexpr VkImageSubresourceRange kWhole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

struct Use {
  VkPipelineStageFlags2 stage;
  VkAccessFlags2 read, write;
};

/// Stages and accesses that use an image in this layout.
Use useOf(VkImageLayout layout) {
  switch (layout) {
    case VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL:
      return {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT,
              VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
    case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL:
      return {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
              VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, 0};
    case VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL:
      return {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_READ_BIT, 0};
    case VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL:
      return {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, 0, VK_ACCESS_2_TRANSFER_WRITE_BIT};
    case VK_IMAGE_LAYOUT_PRESENT_SRC_KHR:
      return {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0};
    default:  // UNDEFINED: any previous use, including writes
      return {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT};
  }
}

}  // namespace

Handle<VkImageView> makeView(Context& context, VkImage image, VkFormat format, VkImageAspectFlags aspect) {
  VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  info.image = image;
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = format;
  info.subresourceRange = {aspect, 0, 1, 0, 1};
  VkImageView view = VK_NULL_HANDLE;
  VK_CHECK(vkCreateImageView(context.device(), &info, nullptr, &view));
  return {context, view, vkDestroyImageView};
}

Image::Image(Context& context, const ImageOptions& options) : extent_(options.extent), format_(options.format) {
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = options.format;
  info.extent = {options.extent.width, options.extent.height, 1};
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = options.samples;
  info.usage = options.usage;
  VkImage image = VK_NULL_HANDLE;
  VK_CHECK(vkCreateImage(context.device(), &info, nullptr, &image));
  image_ = Handle<VkImage>(context, image, vkDestroyImage);
  VkMemoryRequirements requirements{};
  vkGetImageMemoryRequirements(context.device(), image, &requirements);
  memory_ = Memory(context, requirements, MemoryUse::Gpu, MemoryFor::Images);
  VK_CHECK(vkBindImageMemory(context.device(), image, memory_.allocation().memory, memory_.allocation().offset));
  view_ = makeView(context, image, options.format, options.aspect);
  context.name(VK_OBJECT_TYPE_IMAGE, objectNumber(image), options.name);
}

Handle<VkSampler> makeSampler(Context& context, const SamplerOptions& options) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = options.filter;
  info.addressModeU = info.addressModeV = info.addressModeW = options.address;
  VkSampler sampler = VK_NULL_HANDLE;
  VK_CHECK(vkCreateSampler(context.device(), &info, nullptr, &sampler));
  context.name(VK_OBJECT_TYPE_SAMPLER, objectNumber(sampler), options.name);
  return {context, sampler, vkDestroySampler};
}

Handle<VkFramebuffer> makeFramebuffer(Context& context, VkImageView view, Extent extent) {
  VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  info.renderPass = context.renderPass();
  info.attachmentCount = 1;
  info.pAttachments = &view;
  info.width = extent.width;
  info.height = extent.height;
  info.layers = 1;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  VK_CHECK(vkCreateFramebuffer(context.device(), &info, nullptr, &framebuffer));
  return {context, framebuffer, vkDestroyFramebuffer};
}

void transition(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to) {
  const Use before = useOf(from), after = useOf(to);
  VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.srcStageMask = before.stage;
  barrier.srcAccessMask = before.write;  // an image that was only read needs no flush
  barrier.dstStageMask = after.stage;
  barrier.dstAccessMask = after.read | after.write;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = kWhole;
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.imageMemoryBarrierCount = 1;
  dependency.pImageMemoryBarriers = &barrier;
  vkCmdPipelineBarrier2(commands, &dependency);
}

void beginRenderPass(Context& context, VkCommandBuffer commands, VkFramebuffer framebuffer, Extent extent,
                     const std::optional<VkClearColorValue>& clear) {
  VkClearValue value{};
  if (clear) value.color = *clear;
  VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  info.renderPass = clear ? context.renderPass() : context.keepingRenderPass();
  info.framebuffer = framebuffer;
  info.renderArea.extent = {extent.width, extent.height};
  info.clearValueCount = clear ? 1 : 0;
  info.pClearValues = &value;
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  const VkViewport viewport{0, 0, static_cast<float>(extent.width), static_cast<float>(extent.height), 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &info.renderArea);
}

}  // namespace sepx::gpu
