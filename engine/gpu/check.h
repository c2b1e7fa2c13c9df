// SPDX-License-Identifier: Apache-2.0
// What a Vulkan call answered. VK_CHECK(call) throws VulkanError, which factories turn into a Result (toError) and the
// frame path into TargetStatus::Lost; swapchain answers are status, never errors. Frame thread.
#pragma once

#include <stdexcept>
#include <string>

#include <vulkan/vulkan.h>

#include "engine/core/result.h"

namespace sepx::gpu {

const char* resultName(VkResult result);

class VulkanError : public std::runtime_error {
 public:
  VulkanError(VkResult result, const char* call);
  VkResult result() const { return result_; }

 private:
  VkResult result_;
};

inline void check(VkResult result, const char* call) {
  if (result < 0) throw VulkanError(result, call);
}

/// NoDevice with one sentence: what failed and what a person can do.
Error toError(const VulkanError& error);

}  // namespace sepx::gpu

#define VK_CHECK(call) ::sepx::gpu::check((call), #call)
