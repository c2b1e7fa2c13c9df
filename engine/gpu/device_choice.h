// SPDX-License-Identifier: Apache-2.0
// Examines the machine's Vulkan devices and chooses one. The choice itself is a pure function, which is tested with
// made-up devices. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <vulkan/vulkan.h>

#include "engine/core/result.h"
#include "engine/gpu/context.h"

namespace sepx::gpu {

struct PhysicalDevice {  ///< a candidate for the choice
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  std::uint32_t family = 0;  ///< queue family with graphics and compute
  VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
  DeviceInfo info;
};

/// All devices in the loader's order. With `presentation`, devices without VK_KHR_swapchain are marked as unusable.
std::vector<PhysicalDevice> examineDevices(VkInstance instance, bool presentation);

/// Returns an index into `devices`. An empty `wanted` selects the best usable device: discrete before integrated before
/// virtual before software. Otherwise `wanted` is an index or a part of the name, in upper or lower case. Usage when no
/// device matches, NoDevice when the device cannot be used.
Result<std::size_t> chooseDevice(const std::vector<PhysicalDevice>& devices, const std::string& wanted);

}  // namespace sepx::gpu
