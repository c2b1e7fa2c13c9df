// SPDX-License-Identifier: Apache-2.0
// Names of Vulkan result codes, and the error messages shown to the user.
#include "engine/gpu/check.h"

#include <fmt/format.h>

namespace sepx::gpu {

const char* resultName(VkResult result) {
  switch (result) {
#define SEPX_RESULT(name) \
  case name:              \
    return #name;
    SEPX_RESULT(VK_SUCCESS)
    SEPX_RESULT(VK_NOT_READY)
    SEPX_RESULT(VK_TIMEOUT)
    SEPX_RESULT(VK_SUBOPTIMAL_KHR)
    SEPX_RESULT(VK_ERROR_OUT_OF_HOST_MEMORY)
    SEPX_RESULT(VK_ERROR_OUT_OF_DEVICE_MEMORY)
    SEPX_RESULT(VK_ERROR_INITIALIZATION_FAILED)
    SEPX_RESULT(VK_ERROR_DEVICE_LOST)
    SEPX_RESULT(VK_ERROR_MEMORY_MAP_FAILED)
    SEPX_RESULT(VK_ERROR_LAYER_NOT_PRESENT)
    SEPX_RESULT(VK_ERROR_EXTENSION_NOT_PRESENT)
    SEPX_RESULT(VK_ERROR_FEATURE_NOT_PRESENT)
    SEPX_RESULT(VK_ERROR_INCOMPATIBLE_DRIVER)
    SEPX_RESULT(VK_ERROR_TOO_MANY_OBJECTS)
    SEPX_RESULT(VK_ERROR_FORMAT_NOT_SUPPORTED)
    SEPX_RESULT(VK_ERROR_FRAGMENTED_POOL)
    SEPX_RESULT(VK_ERROR_OUT_OF_POOL_MEMORY)
    SEPX_RESULT(VK_ERROR_SURFACE_LOST_KHR)
    SEPX_RESULT(VK_ERROR_OUT_OF_DATE_KHR)
    SEPX_RESULT(VK_ERROR_NATIVE_WINDOW_IN_USE_KHR)
#undef SEPX_RESULT
    default:
      return "an unnamed VkResult";
  }
}

VulkanError::VulkanError(VkResult result, const char* call)
    : std::runtime_error(fmt::format("{} answered {} ({})", call, resultName(result), static_cast<int>(result))),
      result_(result) {}

Error toError(const VulkanError& error) {
  switch (error.result()) {
    case VK_ERROR_DEVICE_LOST:
      return {ErrorKind::NoDevice, "the graphics device was lost; restart the program or choose --compute cpu"};
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return {ErrorKind::NoDevice,
              "the graphics device is out of memory; make the picture smaller or close other programs"};
    default:
      return {
          ErrorKind::NoDevice,
          fmt::format("the graphics driver failed: {}; update the driver or choose another --device", error.what())};
  }
}

}  // namespace sepx::gpu
