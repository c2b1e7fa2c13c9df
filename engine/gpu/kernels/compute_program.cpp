// SPDX-License-Identifier: Apache-2.0
// Pipeline, descriptor sets and dispatch that the kernels share. Frame thread.
#include "engine/gpu/kernels/compute_program.h"

#include <fmt/format.h>

#include "sepx_shaders/shaders.h"

namespace sepx::gpu {

namespace {
constexpr std::uint32_t kLocalSize =
    64;  // invocations of a workgroup, given to the shader as specialisation constant 0
}  // namespace

bool hasKernel(std::string_view kernel, std::string_view field) {
  return !shaders::shader(fmt::format("{}.comp.{}", kernel, field)).empty();
}

Error noKernel(std::string_view kernel, std::string_view field, int dimension) {
  if (dimension != 2)
    return {ErrorKind::Usage,
            fmt::format("kernels follow fields of two variables and {} has {}; use --compute cpu", field, dimension)};
  return {ErrorKind::Usage,
          fmt::format("there is no {} kernel for the field {} (shaders/fields/{}.glsl); use --compute cpu", kernel,
                      field, field)};
}

ComputeProgram::ComputeProgram(Context& context, const std::string& shader, std::uint32_t pushConstantBytes,
                               std::uint32_t sets)
    : setLayout_(
          makeDescriptorSetLayout(context, {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT},
                                            {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT}})),
      layout_(makePipelineLayout(
          context,
          {.sets = {setLayout_.get()}, .pushConstantBytes = pushConstantBytes, .stages = VK_SHADER_STAGE_COMPUTE_BIT})),
      pipeline_(makeComputePipeline(
          context, {.shader = shader, .layout = layout_.get(), .constants = {kLocalSize}, .name = shader})),
      pool_(makeDescriptorPool(context, sets, {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 * sets}})) {}

DescriptorSet ComputeProgram::bind(Context& context, const Buffer& input, const Buffer& output) const {
  DescriptorSet set(context, pool_.get(), setLayout_.get());
  set.writeBuffer(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, input.get());
  set.writeBuffer(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, output.get());
  return set;
}

void ComputeProgram::record(VkCommandBuffer commands, const DescriptorSet& set,
                            std::span<const std::byte> pushConstants, std::uint32_t invocations) const {
  const VkDescriptorSet handle = set.get();
  // An earlier dispatch may have written the same buffer.
  memoryBarrier(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0, 1, &handle, 0, nullptr);
  vkCmdPushConstants(commands, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                     static_cast<std::uint32_t>(pushConstants.size()), pushConstants.data());
  vkCmdDispatch(commands, (invocations + kLocalSize - 1) / kLocalSize, 1, 1);
  memoryBarrier(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT);
}

}  // namespace sepx::gpu
