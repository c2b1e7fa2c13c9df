// SPDX-License-Identifier: Apache-2.0
// What the machine's Vulkan devices can do for us, and which one to take. The choice itself is a pure function, tested
// with made-up devices. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <vulkan/vulkan.h>

#include "engine/core/result.h"
#include "engine/gpu/context.h"

namespace sepx::gpu {

struct PhysicalDevice {  ///< one that could be chosen
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  std::uint32_t family = 0;  ///< graphics and compute
  VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
  DeviceInfo info;
};

/// Every device in the loader's order. With `presentation` those without VK_KHR_swapchain are unusable.
std::vector<PhysicalDevice> examineDevices(VkInstance instance, bool presentation);

/// Index into `devices`. Empty `wanted`: the best usable one, discrete before integrated before virtual before
/// software; else by index, or by a part of the name in any case. Usage when there is none of that name, NoDevice when
/// it cannot be used.
Result<std::size_t> chooseDevice(const std::vector<PhysicalDevice>& devices, const std::string& wanted);

}  // namespace sepx::gpu
