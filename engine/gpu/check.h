// SPDX-License-Identifier: Apache-2.0
// Checks the result codes of Vulkan calls. VK_CHECK(call) throws VulkanError, which factories turn into a Result
// (toError) and the frame path into TargetStatus::Lost. Result codes of swapchain calls are status values, never
// errors. Frame thread.
#pragma once

#include <stdexcept>
#include <string>

#include <vulkan/vulkan.h>

#include "engine/core/result.h"

namespace sepx::gpu {

const char* resultName(VkResult result);  ///< "VK_ERROR_DEVICE_LOST"

class VulkanError : public std::runtime_error {  ///< a Vulkan call that must not fail has failed
 public:
  VulkanError(VkResult result, const char* call);
  VkResult result() const { return result_; }  ///< result code of the call

 private:
  VkResult result_;
};

inline void check(VkResult result, const char* call) {  ///< throws VulkanError for error codes (< 0)
  if (result < 0) throw VulkanError(result, call);
}

/// Makes a call during which the loader holds its lock while a driver starts. An exception thrown by the driver (Mesa's
/// software driver compiles with LLVM, whose allocations throw) would leave the lock held, and every later call into
/// the loader would block for ever. This function is noexcept, so such an exception ends the program instead, with a
/// message of one sentence (installOutOfMemoryHandler()).
template <typename Call>
VkResult beginDriver(const Call& call) noexcept {
  return call();
}

/// Returns NoDevice with one sentence: what failed and what the user can do.
Error toError(const VulkanError& error);

}  // namespace sepx::gpu
/// Checks a call; its source text becomes part of the error message.
#define VK_CHECK(call) ::sepx::gpu::check((call), #call)
