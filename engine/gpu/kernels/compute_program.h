// SPDX-License-Identifier: Apache-2.0
// The Vulkan objects that every kernel needs: one pipeline of an embedded shader with storage buffers and push
// constants. By default there are two buffers: the kernel reads binding 0 and writes binding 1. Constructors throw
// VulkanError. Frame thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "engine/dynamics/vector_field.h"
#include "engine/gpu/buffer.h"
#include "engine/gpu/check.h"
#include "engine/gpu/descriptor_pools.h"
#include "engine/gpu/pipeline.h"

namespace sepx::gpu {

/// Whether this kernel was compiled for a field (shaders/fields).
bool hasKernel(std::string_view kernel, std::string_view field);
/// The error message for the user when there is no such kernel.
Error noKernel(std::string_view kernel, std::string_view field, int dimension);

class ComputeProgram {
 public:
  /// `sets`: how many descriptor sets are usually in use at a time; there may be more. `buffers`: number of the
  /// shader's bindings 0, 1, ...
  ComputeProgram(Context& context, const std::string& shader, std::uint32_t pushConstantBytes, std::uint32_t sets,
                 std::uint32_t buffers = 2);
  /// A descriptor set with both buffers.
  DescriptorSet bind(const Buffer& input, const Buffer& output) const;
  /// `buffers` in the order of their bindings.
  DescriptorSet bind(std::initializer_list<const Buffer*> buffers) const;
  /// A descriptor set to be written later, with parts of buffers.
  DescriptorSet makeSet() const { return sets_->make(); }
  /// Records one dispatch of at least `invocations` invocations. It waits for the writes of earlier dispatches and
  /// transfers, and its own writes become visible to the host.
  void record(VkCommandBuffer commands, const DescriptorSet& set, std::span<const std::byte> pushConstants,
              std::uint32_t invocations) const;
  /// The same with `columns` x `rows` workgroups.
  void recordGroups(VkCommandBuffer commands, const DescriptorSet& set, std::span<const std::byte> pushConstants,
                    std::uint32_t columns, std::uint32_t rows) const;
  /// Copies `input` to binding 0, runs at least `invocations` invocations and copies binding 1 to `output`. Blocks.
  /// Throws VulkanError. For the command line, tests and contexts of worker threads, never in a frame.
  void run(Context& context, std::span<const float> input, std::span<const std::byte> pushConstants,
           std::uint32_t invocations, std::span<float> output) const;

 private:
  Handle<VkDescriptorSetLayout> setLayout_;
  Handle<VkPipelineLayout> layout_;
  Handle<VkPipeline> pipeline_;
  std::unique_ptr<DescriptorPools> sets_;
};

/// Creates a kernel that integrates a field, shaders/compute/`shader`.comp. `name` is shown to the user. Usage when
/// there is no such kernel for the field.
template <class OnDevice, class Kernel>
Result<std::unique_ptr<Kernel>> makeForField(Context& context, const dynamics::VectorField& field,
                                             std::string_view shader, std::string_view name) {
  if (field.dimension() != 2 || !hasKernel(shader, field.info().key))
    return tl::unexpected(noKernel(name, field.info().key, field.dimension()));
  try {
    if (context.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, "a kernel's creation");
    return std::make_unique<OnDevice>(context, field);
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
}

}  // namespace sepx::gpu
