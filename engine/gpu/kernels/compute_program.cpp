// SPDX-License-Identifier: Apache-2.0
// Pipeline, descriptor sets and dispatch that the kernels share. Frame thread.
#include "engine/gpu/kernels/compute_program.h"

#include <cstring>

#include <fmt/format.h>

#include "engine/gpu/check.h"
#include "sepx_shaders/shaders.h"

namespace sepx::gpu {

namespace {
constexpr std::uint32_t kLocalSize =
    64;  // invocations per workgroup, passed to the shader as specialisation constant 0
}  // namespace

bool hasKernel(std::string_view kernel, std::string_view field) {
  return !shaders::shader(fmt::format("{}.comp.{}", kernel, field)).empty();
}

Error noKernel(std::string_view kernel, std::string_view field, int dimension) {
  if (dimension != 2)
    return {ErrorKind::Usage,
            fmt::format("kernels support only fields of two variables, but {} has {}; use --compute cpu", field,
                        dimension)};
  return {ErrorKind::Usage,
          fmt::format("there is no {} kernel for the field {} (shaders/fields/{}.glsl); use --compute cpu", kernel,
                      field, field)};
}

namespace {

std::vector<DescriptorBinding> storageBuffers(std::uint32_t count) {
  std::vector<DescriptorBinding> bindings;
  for (std::uint32_t i = 0; i < count; ++i)
    bindings.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT});
  return bindings;
}

}  // namespace

ComputeProgram::ComputeProgram(Context& context, const std::string& shader, std::uint32_t pushConstantBytes,
                               std::uint32_t sets, std::uint32_t buffers)
    : setLayout_(makeDescriptorSetLayout(context, storageBuffers(buffers))),
      layout_(makePipelineLayout(
          context,
          {.sets = {setLayout_.get()}, .pushConstantBytes = pushConstantBytes, .stages = VK_SHADER_STAGE_COMPUTE_BIT})),
      pipeline_(makeComputePipeline(
          context, {.shader = shader, .layout = layout_.get(), .constants = {kLocalSize}, .name = shader})),
      sets_(std::make_unique<DescriptorPools>(
          context, setLayout_.get(), std::vector<VkDescriptorPoolSize>{{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers}},
          sets)) {}

DescriptorSet ComputeProgram::bind(const Buffer& input, const Buffer& output) const {
  return bind({&input, &output});
}

DescriptorSet ComputeProgram::bind(std::initializer_list<const Buffer*> buffers) const {
  DescriptorSet set = makeSet();
  std::uint32_t binding = 0;
  for (const Buffer* buffer : buffers)
    set.writeBuffer(binding++, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer->get());
  return set;
}

void ComputeProgram::record(VkCommandBuffer commands, const DescriptorSet& set,
                            std::span<const std::byte> pushConstants, std::uint32_t invocations) const {
  recordGroups(commands, set, pushConstants, (invocations + kLocalSize - 1) / kLocalSize, 1);
}

void ComputeProgram::recordGroups(VkCommandBuffer commands, const DescriptorSet& set,
                                  std::span<const std::byte> pushConstants, std::uint32_t columns,
                                  std::uint32_t rows) const {
  const VkDescriptorSet handle = set.get();
  // An earlier dispatch or transfer may have written the same buffers.
  memoryBarrier(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_TRANSFER_BIT,
                VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0, 1, &handle, 0, nullptr);
  vkCmdPushConstants(commands, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                     static_cast<std::uint32_t>(pushConstants.size()), pushConstants.data());
  vkCmdDispatch(commands, columns, rows, 1);
  memoryBarrier(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT);
}

void ComputeProgram::run(Context& context, std::span<const float> input, std::span<const std::byte> pushConstants,
                         std::uint32_t invocations, std::span<float> output) const {
  const Buffer from(context, {.size = input.size_bytes(),
                              .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                              .memory = MemoryUse::Upload,
                              .name = "kernel input"});
  const Buffer to(context, {.size = output.size_bytes(),
                            .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                            .memory = MemoryUse::Readback,
                            .name = "kernel output"});
  std::memcpy(from.mapped(), input.data(), input.size_bytes());
  const DescriptorSet set = bind(from, to);
  Queue& queue = context.queue();
  const VkCommandBuffer commands = queue.begin();
  record(commands, set, pushConstants, invocations);
  queue.wait(queue.submit(commands));
  if (queue.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, "ComputeProgram::run");
  std::memcpy(output.data(), to.mapped(), output.size_bytes());
}

}  // namespace sepx::gpu
