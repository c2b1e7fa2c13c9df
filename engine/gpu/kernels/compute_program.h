// SPDX-License-Identifier: Apache-2.0
// The Vulkan objects that every kernel needs: one pipeline of an embedded shader with storage buffers (two: 0 what it
// reads, 1 what it writes; or as many as it has) and push constants. Constructors throw VulkanError. Frame thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "engine/gpu/buffer.h"
#include "engine/gpu/pipeline.h"

namespace sepx::gpu {

/// Whether shaders/fields has a variant of this kernel for a field.
bool hasKernel(std::string_view kernel, std::string_view field);
/// The sentence for a person when it has not.
Error noKernel(std::string_view kernel, std::string_view field, int dimension);

class ComputeProgram {
 public:
  /// `sets`: how many sets of buffers will be bound at a time. `buffers`: bindings 0, 1, ... of the shader.
  ComputeProgram(Context& context, const std::string& shader, std::uint32_t pushConstantBytes, std::uint32_t sets,
                 std::uint32_t buffers = 2);

  DescriptorSet bind(Context& context, const Buffer& input, const Buffer& output) const;
  /// `buffers` in the order of their bindings.
  DescriptorSet bind(Context& context, std::initializer_list<const Buffer*> buffers) const;
  /// Records one dispatch of at least `invocations` after what earlier dispatches wrote, and makes its writes visible
  /// to the host.
  void record(VkCommandBuffer commands, const DescriptorSet& set, std::span<const std::byte> pushConstants,
              std::uint32_t invocations) const;

 private:
  Handle<VkDescriptorSetLayout> setLayout_;
  Handle<VkPipelineLayout> layout_;
  Handle<VkPipeline> pipeline_;
  Handle<VkDescriptorPool> pool_;
};

}  // namespace sepx::gpu
