// SPDX-License-Identifier: Apache-2.0
// Descriptor sets, layouts and pipelines; shader modules live only while their pipeline is made. Frame thread.
#include "engine/gpu/pipeline.h"

#include <array>
#include <cassert>

#include "engine/gpu/check.h"
#include "engine/gpu/descriptor_pools.h"
#include "sepx_shaders/shaders.h"

namespace sepx::gpu {

namespace {

Handle<VkShaderModule> makeModule(Context& context, std::string_view name) {
  const auto words = shaders::shader(name);
  assert(!words.empty() && "no such embedded shader");
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = words.size_bytes();
  info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  VK_CHECK(vkCreateShaderModule(context.device(), &info, nullptr, &module));
  return {context, module, vkDestroyShaderModule};
}

/// Specialisation constants with ids 0, 1, ...; owns the arrays that the Vulkan struct points to.
struct Constants {
  explicit Constants(const std::vector<std::uint32_t>& words) : values(words) {
    for (std::uint32_t i = 0; i < values.size(); ++i)
      entries.push_back({i, i * 4, 4});
    info = {static_cast<std::uint32_t>(entries.size()), entries.data(), values.size() * 4, values.data()};
  }
  Constants(const Constants&) = delete;
  Constants& operator=(const Constants&) = delete;
  std::vector<std::uint32_t> values;
  std::vector<VkSpecializationMapEntry> entries;
  VkSpecializationInfo info{};
};

VkPipelineShaderStageCreateInfo stageInfo(VkShaderStageFlagBits stage, VkShaderModule module,
                                          const Constants& constants) {
  VkPipelineShaderStageCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage = stage;
  info.module = module;
  info.pName = "main";
  info.pSpecializationInfo = &constants.info;
  return info;
}

VkPipelineColorBlendAttachmentState blendState(Blend blend) {
  VkPipelineColorBlendAttachmentState state{};
  state.colorWriteMask =
      VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
  state.blendEnable = blend != Blend::None;
  state.srcColorBlendFactor = blend == Blend::Alpha ? VK_BLEND_FACTOR_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
  state.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  return state;
}

}  // namespace

Handle<VkDescriptorSetLayout> makeDescriptorSetLayout(Context& context,
                                                      const std::vector<DescriptorBinding>& bindings) {
  std::vector<VkDescriptorSetLayoutBinding> infos;
  for (const DescriptorBinding& binding : bindings)
    infos.push_back({binding.binding, binding.type, 1, binding.stages, nullptr});
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = static_cast<std::uint32_t>(infos.size());
  info.pBindings = infos.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  VK_CHECK(vkCreateDescriptorSetLayout(context.device(), &info, nullptr, &layout));
  return {context, layout, vkDestroyDescriptorSetLayout};
}

VkDescriptorPool createDescriptorPool(Context& context, std::uint32_t sets,
                                      const std::vector<VkDescriptorPoolSize>& sizes) {
  VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
  info.maxSets = sets;
  info.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VK_CHECK(vkCreateDescriptorPool(context.device(), &info, nullptr, &pool));
  return pool;
}

Handle<VkDescriptorPool> makeDescriptorPool(Context& context, std::uint32_t sets,
                                            const std::vector<VkDescriptorPoolSize>& sizes) {
  return {context, createDescriptorPool(context, sets, sizes), vkDestroyDescriptorPool};
}

DescriptorSet::DescriptorSet(Context& context, VkDescriptorPool pool, VkDescriptorSetLayout layout)
    : context_(&context), pool_(pool) {
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = pool;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout;
  VK_CHECK(vkAllocateDescriptorSets(context.device(), &info, &set_));
}

DescriptorSet::DescriptorSet(Context& context, std::shared_ptr<CountedPool> pool, VkDescriptorSet set)
    : context_(&context), pool_(pool->handle), counted_(std::move(pool)), set_(set) {}

DescriptorSet& DescriptorSet::operator=(DescriptorSet&& other) noexcept {
  if (this == &other) return *this;
  release();
  context_ = other.context_;
  pool_ = other.pool_;
  counted_ = std::move(other.counted_);
  set_ = std::exchange(other.set_, VK_NULL_HANDLE);
  return *this;
}

void DescriptorSet::release() {
  if (!set_) return;
  context_->queue().retire([device = context_->device(), pool = pool_, counted = std::move(counted_),
                            set = std::exchange(set_, VK_NULL_HANDLE)] {
    vkFreeDescriptorSets(device, pool, 1, &set);
    if (counted) --counted->sets;
  });
}

void DescriptorSet::writeBuffer(std::uint32_t binding, VkDescriptorType type, VkBuffer buffer, VkDeviceSize offset,
                                VkDeviceSize range) {
  const VkDescriptorBufferInfo info{buffer, offset, range};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set_;
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = type;
  write.pBufferInfo = &info;
  vkUpdateDescriptorSets(context_->device(), 1, &write, 0, nullptr);
}

void DescriptorSet::writeImage(std::uint32_t binding, VkImageView view, VkSampler sampler, VkDescriptorType type,
                               VkImageLayout layout) {
  const VkDescriptorImageInfo info{sampler, view, layout};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set_;
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = type;
  write.pImageInfo = &info;
  vkUpdateDescriptorSets(context_->device(), 1, &write, 0, nullptr);
}

Handle<VkPipelineLayout> makePipelineLayout(Context& context, const PipelineLayoutOptions& options) {
  assert(options.pushConstantBytes <= 128 && "more than Vulkan guarantees");
  const VkPushConstantRange range{options.stages, 0, options.pushConstantBytes};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = static_cast<std::uint32_t>(options.sets.size());
  info.pSetLayouts = options.sets.data();
  info.pushConstantRangeCount = options.pushConstantBytes > 0 ? 1 : 0;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VK_CHECK(vkCreatePipelineLayout(context.device(), &info, nullptr, &layout));
  return {context, layout, vkDestroyPipelineLayout};
}

Handle<VkPipeline> makeGraphicsPipeline(Context& context, const GraphicsPipelineOptions& options) {
  const auto vertex = makeModule(context, options.vertex);
  const auto fragment = makeModule(context, options.fragment);
  const Constants constants(options.constants);
  const std::array stages{stageInfo(VK_SHADER_STAGE_VERTEX_BIT, vertex.get(), constants),
                          stageInfo(VK_SHADER_STAGE_FRAGMENT_BIT, fragment.get(), constants)};
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  input.vertexBindingDescriptionCount = static_cast<std::uint32_t>(options.bindings.size());
  input.pVertexBindingDescriptions = options.bindings.data();
  input.vertexAttributeDescriptionCount = static_cast<std::uint32_t>(options.attributes.size());
  input.pVertexAttributeDescriptions = options.attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = options.topology;
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewport.viewportCount = viewport.scissorCount = 1;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.cullMode = VK_CULL_MODE_NONE;
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = options.samples;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = options.depthTest;
  depth.depthWriteEnable = options.depthWrite;
  depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  const VkPipelineColorBlendAttachmentState attachment = blendState(options.blend);
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = 1;
  blend.pAttachments = &attachment;
  constexpr std::array kDynamic{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = kDynamic.size();
  dynamic.pDynamicStates = kDynamic.data();
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = stages.size();
  info.pStages = stages.data();
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pDepthStencilState = options.renderPass ? &depth : nullptr;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = options.layout;
  info.renderPass = options.renderPass ? options.renderPass : context.renderPass();
  VkPipeline pipeline = VK_NULL_HANDLE;
  VK_CHECK(vkCreateGraphicsPipelines(context.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  context.name(VK_OBJECT_TYPE_PIPELINE, objectNumber(pipeline), options.name);
  return {context, pipeline, vkDestroyPipeline};
}

Handle<VkPipeline> makeComputePipeline(Context& context, const ComputePipelineOptions& options) {
  const auto module = makeModule(context, options.shader);
  const Constants constants(options.constants);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = stageInfo(VK_SHADER_STAGE_COMPUTE_BIT, module.get(), constants);
  info.layout = options.layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VK_CHECK(vkCreateComputePipelines(context.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  context.name(VK_OBJECT_TYPE_PIPELINE, objectNumber(pipeline), options.name);
  return {context, pipeline, vkDestroyPipeline};
}

}  // namespace sepx::gpu
