// SPDX-License-Identifier: Apache-2.0
// What a Vulkan call answered. VK_CHECK(call) throws VulkanError, which factories turn into a Result (toError) and the
// frame path into TargetStatus::Lost; swapchain answers are status, never errors. Frame thread.
#pragma once

#include <stdexcept>
#include <string>

#include <vulkan/vulkan.h>

#include "engine/core/result.h"

namespace sepx::gpu {

const char* resultName(VkResult result);  ///< "VK_ERROR_DEVICE_LOST"

class VulkanError : public std::runtime_error {  ///< a call that may not fail has failed
 public:
  VulkanError(VkResult result, const char* call);
  VkResult result() const { return result_; }  ///< what the call gave

 private:
  VkResult result_;
};

inline void check(VkResult result, const char* call) {  ///< throws VulkanError unless VK_SUCCESS
  if (result < 0) throw VulkanError(result, call);
}

/// Makes a call in which the loader holds its lock while a driver begins. An exception of the driver (Mesa's software
/// driver compiles with LLVM, whose allocations throw) would leave the lock held, and every later call of the loader
/// would wait for ever: it ends the program instead, with one sentence (expectLackOfMemory()).
template <typename Call>
VkResult beginDriver(const Call& call) noexcept {
  return call();
}

/// NoDevice with one sentence: what failed and what a person can do.
Error toError(const VulkanError& error);

}  // namespace sepx::gpu
/// With the call's own text.
#define VK_CHECK(call) ::sepx::gpu::check((call), #call)
