// SPDX-License-Identifier: Apache-2.0
// The Vulkan objects that every kernel needs: one pipeline of an embedded shader with storage buffers (two: 0 what it
// reads, 1 what it writes; or as many as it has) and push constants. Constructors throw VulkanError. Frame thread.
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
/// The sentence for a person when it has not.
Error noKernel(std::string_view kernel, std::string_view field, int dimension);

class ComputeProgram {
 public:
  /// `sets`: how many sets of buffers are usually bound at a time; there may be more. `buffers`: bindings 0, 1, ... of
  /// the shader.
  ComputeProgram(Context& context, const std::string& shader, std::uint32_t pushConstantBytes, std::uint32_t sets,
                 std::uint32_t buffers = 2);
  /// The set that names both buffers.
  DescriptorSet bind(const Buffer& input, const Buffer& output) const;
  /// `buffers` in the order of their bindings.
  DescriptorSet bind(std::initializer_list<const Buffer*> buffers) const;
  /// To be bound later, to parts of buffers.
  DescriptorSet makeSet() const { return sets_->make(); }
  /// Records one dispatch of at least `invocations` after what earlier dispatches and transfers wrote, and makes its
  /// writes visible to the host.
  void record(VkCommandBuffer commands, const DescriptorSet& set, std::span<const std::byte> pushConstants,
              std::uint32_t invocations) const;
  /// The same in `columns` x `rows` workgroups.
  void recordGroups(VkCommandBuffer commands, const DescriptorSet& set, std::span<const std::byte> pushConstants,
                    std::uint32_t columns, std::uint32_t rows) const;
  /// Blocks: `input` goes to binding 0, what at least `invocations` wrote into binding 1 comes back into `output`.
  /// Throws VulkanError. Command line, tests, workers' contexts; never in a frame.
  void run(Context& context, std::span<const float> input, std::span<const std::byte> pushConstants,
           std::uint32_t invocations, std::span<float> output) const;

 private:
  Handle<VkDescriptorSetLayout> setLayout_;
  Handle<VkPipelineLayout> layout_;
  Handle<VkPipeline> pipeline_;
  std::unique_ptr<DescriptorPools> sets_;
};

/// A kernel that follows a field, shaders/compute/`shader`.comp; `name` is for people. Usage when there is none for it.
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
