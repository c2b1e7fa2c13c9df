// SPDX-License-Identifier: Apache-2.0
// Descriptor sets, layouts and pipelines from embedded shaders. Option structs are filled by designated initialisers;
// makers throw VulkanError. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/gpu/handle.h"

namespace sepx::gpu {

struct DescriptorBinding {  ///< one row of a layout
  std::uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  VkShaderStageFlags stages = VK_SHADER_STAGE_FRAGMENT_BIT;
};
/// One set.
Handle<VkDescriptorSetLayout> makeDescriptorSetLayout(Context& context, const std::vector<DescriptorBinding>& bindings);

/// Sets can be freed one by one. `sizes`: descriptors of each type over all sets. Whoever cannot tell how many sets
/// there will be takes DescriptorPools (descriptor_pools.h).
Handle<VkDescriptorPool> makeDescriptorPool(Context& context, std::uint32_t sets,
                                            const std::vector<VkDescriptorPoolSize>& sizes);
/// The same without an owner. Throws VulkanError.
VkDescriptorPool createDescriptorPool(Context& context, std::uint32_t sets,
                                      const std::vector<VkDescriptorPoolSize>& sizes);

struct CountedPool;

/// One set; freed through the deletion queue. Its pool must be destroyed after it. Written once, right after it was
/// made: a set that a frame in flight uses must not be changed, make a new one instead.
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
  std::shared_ptr<CountedPool> counted_;  // of DescriptorPools; null: the pool has another owner
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};

struct PipelineLayoutOptions {  ///< sets and push constants
  std::vector<VkDescriptorSetLayout> sets;
  std::uint32_t pushConstantBytes = 0;  ///< at most 128
  VkShaderStageFlags stages = 0;        ///< of the push constants
};
/// Of sets and push constants.
Handle<VkPipelineLayout> makePipelineLayout(Context& context, const PipelineLayoutOptions& options);

enum class Blend { None, Alpha, Premultiplied };  ///< how a fragment joins what is there

struct GraphicsPipelineOptions {      ///< of a drawing pipeline
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
  bool depthTest = false, depthWrite = false;  ///< for render passes with depth; what is nearer or as near passes
};
/// Viewport and scissor are dynamic; no culling.
Handle<VkPipeline> makeGraphicsPipeline(Context& context, const GraphicsPipelineOptions& options);

struct ComputePipelineOptions {  ///< of a kernel
  std::string_view shader;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::vector<std::uint32_t> constants;  ///< specialisation constants 0, 1, ...
  std::string name;
};
/// Throws VulkanError.
Handle<VkPipeline> makeComputePipeline(Context& context, const ComputePipelineOptions& options);

}  // namespace sepx::gpu
