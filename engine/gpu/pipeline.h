// SPDX-License-Identifier: Apache-2.0
// Descriptor sets, layouts and pipelines made from embedded shaders. Option structs are filled with designated
// initialisers. The make functions throw VulkanError. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/gpu/handle.h"

namespace sepx::gpu {

struct DescriptorBinding {  ///< one binding of a layout
  std::uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  VkShaderStageFlags stages = VK_SHADER_STAGE_FRAGMENT_BIT;
};
/// Creates the layout of one descriptor set.
Handle<VkDescriptorSetLayout> makeDescriptorSetLayout(Context& context, const std::vector<DescriptorBinding>& bindings);

/// Creates a pool whose sets can be freed individually. `sizes`: number of descriptors of each type over all sets. If
/// the number of sets is not known in advance, use DescriptorPools (descriptor_pools.h).
Handle<VkDescriptorPool> makeDescriptorPool(Context& context, std::uint32_t sets,
                                            const std::vector<VkDescriptorPoolSize>& sizes);
/// The same, but the caller must destroy the pool. Throws VulkanError.
VkDescriptorPool createDescriptorPool(Context& context, std::uint32_t sets,
                                      const std::vector<VkDescriptorPoolSize>& sizes);

struct CountedPool;

/// One descriptor set. It is freed through the deletion queue, and its pool must be destroyed after it. Write it once,
/// directly after creation: a set that a frame in flight uses must not be changed. Make a new set instead.
class DescriptorSet {
 public:
  DescriptorSet() = default;
  DescriptorSet(Context& context, VkDescriptorPool pool, VkDescriptorSetLayout layout);
  DescriptorSet(DescriptorSet&& other) noexcept
      : context_(other.context_),
        pool_(other.pool_),
        counted_(std::move(other.counted_)),
        set_(std::exchange(other.set_, VK_NULL_HANDLE)) {}
  DescriptorSet& operator=(DescriptorSet&& other) noexcept;
  ~DescriptorSet() { release(); }

  VkDescriptorSet get() const { return set_; }
  explicit operator bool() const { return set_ != VK_NULL_HANDLE; }
  /// Takes effect for later submissions.
  void writeBuffer(std::uint32_t binding, VkDescriptorType type, VkBuffer buffer, VkDeviceSize offset = 0,
                   VkDeviceSize range = VK_WHOLE_SIZE);
  /// Takes effect for later submissions.
  void writeImage(std::uint32_t binding, VkImageView view, VkSampler sampler,
                  VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                  VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);

 private:
  friend class DescriptorPools;
  DescriptorSet(Context& context, std::shared_ptr<CountedPool> pool, VkDescriptorSet set);
  void release();
  Context* context_ = nullptr;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  std::shared_ptr<CountedPool> counted_;  // a pool of DescriptorPools; null: the pool has another owner
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};

struct PipelineLayoutOptions {  ///< sets and push constants
  std::vector<VkDescriptorSetLayout> sets;
  std::uint32_t pushConstantBytes = 0;  ///< at most 128
  VkShaderStageFlags stages = 0;        ///< stages that read the push constants
};
/// Creates a layout of descriptor sets and push constants.
Handle<VkPipelineLayout> makePipelineLayout(Context& context, const PipelineLayoutOptions& options);

enum class Blend { None, Alpha, Premultiplied };  ///< how a fragment is blended with the existing colour

struct GraphicsPipelineOptions {      ///< options for a graphics pipeline
  std::string_view vertex, fragment;  ///< names of embedded shaders ("lines.vert")
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  Blend blend = Blend::Alpha;
  std::vector<std::uint32_t> constants;  ///< specialisation constants 0, 1, ... as 32-bit words, for both stages
  std::string name;
  VkRenderPass renderPass = VK_NULL_HANDLE;  ///< null: Context::renderPass()
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  bool depthTest = false, depthWrite = false;  ///< for render passes with depth; nearer or equally near passes
};
/// Viewport and scissor are dynamic; no culling.
Handle<VkPipeline> makeGraphicsPipeline(Context& context, const GraphicsPipelineOptions& options);

struct ComputePipelineOptions {  ///< options for a compute pipeline
  std::string_view shader;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::vector<std::uint32_t> constants;  ///< specialisation constants 0, 1, ...
  std::string name;
};
/// Throws VulkanError.
Handle<VkPipeline> makeComputePipeline(Context& context, const ComputePipelineOptions& options);

}  // namespace sepx::gpu
