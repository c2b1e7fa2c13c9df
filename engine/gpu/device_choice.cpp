// SPDX-License-Identifier: Apache-2.0
// Finds out what each Vulkan device lacks, and chooses among them. Only queries; creates no device. Frame thread.
#include "engine/gpu/device_choice.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "engine/gpu/check.h"
#include "engine/gpu/frame.h"

namespace sepx::gpu {

namespace {

constexpr std::string_view kRemedy = "install a Vulkan driver, for example: apt install mesa-vulkan-drivers";

std::optional<std::uint32_t> findFamily(VkPhysicalDevice device) {
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  constexpr VkQueueFlags kWanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  for (std::uint32_t i = 0; i < count; ++i)
    if ((families[i].queueFlags & kWanted) == kWanted) return i;
  return std::nullopt;
}

bool hasExtension(VkPhysicalDevice device, std::string_view name) {
  std::uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data());
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const auto& extension) { return name == extension.extensionName; });
}

std::vector<std::string> featuresOf(VkPhysicalDevice device, const VkPhysicalDeviceProperties& properties) {
  VkPhysicalDeviceFeatures features{};
  vkGetPhysicalDeviceFeatures(device, &features);
  std::vector<std::string> names;
  if (features.shaderFloat64) names.emplace_back("shaderFloat64");
  if (features.shaderInt64) names.emplace_back("shaderInt64");
  if (features.wideLines) names.emplace_back("wideLines");
  if (properties.limits.timestampComputeAndGraphics) names.emplace_back("timestamps");
  if (hasExtension(device, VK_KHR_SWAPCHAIN_EXTENSION_NAME)) names.emplace_back("swapchain");
  return names;
}

/// Why the device is not usable; empty when it is. Vulkan 1.3 includes timeline semaphores and synchronization2.
std::string whyNot(VkPhysicalDevice device, const VkPhysicalDeviceProperties& properties, bool family,
                   bool presentation) {
  if (properties.apiVersion < VK_API_VERSION_1_3) return "its driver is older than Vulkan 1.3";
  if (!family) return "no queue does graphics and compute";
  VkFormatProperties format{};
  vkGetPhysicalDeviceFormatProperties(device, kTargetFormat, &format);
  constexpr VkFormatFeatureFlags kWanted = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT |
                                           VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_SRC_BIT;
  if ((format.optimalTilingFeatures & kWanted) != kWanted) return "it cannot draw into B8G8R8A8 images";
  if (presentation && !hasExtension(device, VK_KHR_SWAPCHAIN_EXTENSION_NAME))
    return "it cannot show pictures in a window";
  return {};
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

int rank(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 0;
    default:
      return 1;
  }
}

std::string listOf(const std::vector<PhysicalDevice>& devices) {
  std::string list;
  for (const PhysicalDevice& device : devices)
    list += fmt::format("{}{}: {}", list.empty() ? "" : "; ", device.info.index, device.info.name);
  return list;
}

Result<std::size_t> chooseBest(const std::vector<PhysicalDevice>& devices) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i].info.usable && (!best || rank(devices[i].type) > rank(devices[*best].type))) best = i;
  if (best) return *best;
  if (devices.empty()) return fail(ErrorKind::NoDevice, fmt::format("there is no Vulkan device; {}", kRemedy));
  std::string reasons;
  for (const PhysicalDevice& device : devices)
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", device.info.name, device.info.why);
  return fail(ErrorKind::NoDevice, fmt::format("no Vulkan device can be used ({}); {}", reasons, kRemedy));
}

}  // namespace

std::vector<PhysicalDevice> examineDevices(VkInstance instance, bool presentation) {
  std::uint32_t count = 0;
  std::vector<VkPhysicalDevice> handles;
  const auto list = [&] {
    return vkEnumeratePhysicalDevices(instance, &count, handles.empty() ? nullptr : handles.data());
  };
  if (beginDriver(list) < 0) return {};
  handles.resize(count);
  if (beginDriver(list) < 0) return {};
  handles.resize(count);
  std::vector<PhysicalDevice> devices;
  for (const VkPhysicalDevice handle : handles) {
    VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &driver};
    vkGetPhysicalDeviceProperties2(handle, &properties);
    const VkPhysicalDeviceProperties& basic = properties.properties;
    const auto family = findFamily(handle);
    PhysicalDevice& device = devices.emplace_back();
    device.handle = handle;
    device.family = family.value_or(0);
    device.type = basic.deviceType;
    device.info.index = static_cast<int>(devices.size()) - 1;
    device.info.name = basic.deviceName;
    device.info.driver = fmt::format("{} {}", driver.driverName, driver.driverInfo);
    device.info.apiVersion =
        fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(basic.apiVersion), VK_API_VERSION_MINOR(basic.apiVersion),
                    VK_API_VERSION_PATCH(basic.apiVersion));
    device.info.software = basic.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    device.info.why = whyNot(handle, basic, family.has_value(), presentation);
    device.info.usable = device.info.why.empty();
    device.info.features = featuresOf(handle, basic);
    device.info.mostImageSide = basic.limits.maxImageDimension2D;
  }
  return devices;
}

Result<std::size_t> chooseDevice(const std::vector<PhysicalDevice>& devices, const std::string& wanted) {
  if (wanted.empty() || devices.empty()) return chooseBest(devices);
  std::optional<std::size_t> found;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
  if (error == std::errc{} && end == wanted.data() + wanted.size()) {
    if (index < devices.size()) found = index;
  } else {
    for (std::size_t i = 0; i < devices.size() && !found; ++i)
      if (lower(devices[i].info.name).find(lower(wanted)) != std::string::npos) found = i;
  }
  if (!found)
    return fail(ErrorKind::Usage,
                fmt::format("--device {}: no such Vulkan device; this machine has {}", wanted, listOf(devices)));
  const DeviceInfo& info = devices[*found].info;
  if (!info.usable)
    return fail(ErrorKind::NoDevice,
                fmt::format("--device {}: {} cannot be used: {}; choose another one", wanted, info.name, info.why));
  return *found;
}

}  // namespace sepx::gpu
