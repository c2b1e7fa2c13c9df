// SPDX-License-Identifier: Apache-2.0
// Creates the instance, the validation messenger, the device, the queue, the memory allocator and the render passes,
// and destroys them in reverse order.
#include "engine/gpu/context.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "engine/core/log.h"
#include "engine/core/resource_limits.h"
#include "engine/core/try.h"
#include "engine/gpu/check.h"
#include "engine/gpu/deletion_queue.h"
#include "engine/gpu/device_choice.h"
#include "engine/gpu/frame.h"
#include "engine/gpu/memory.h"
#include "engine/gpu/queue.h"

namespace sepx::gpu {

namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) noexcept {
  static_cast<std::vector<std::string>*>(user)->push_back(
      fmt::format("{}: {}", data->pMessageIdName ? data->pMessageIdName : "validation", data->pMessage));
  spdlog::error("Vulkan validation: {}", data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo(std::vector<std::string>& messages) {
  VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;  // the loader's own messages have type GENERAL
  info.pfnUserCallback = onMessage;
  info.pUserData = &messages;
  return info;
}

bool hasLayer(std::string_view name) {
  std::uint32_t count = 0;
  if (vkEnumerateInstanceLayerProperties(&count, nullptr) < 0) return false;
  std::vector<VkLayerProperties> layers(count);
  if (vkEnumerateInstanceLayerProperties(&count, layers.data()) < 0) return false;
  return std::any_of(layers.begin(), layers.end(), [&](const auto& layer) { return name == layer.layerName; });
}

bool hasInstanceExtension(std::string_view name) {
  std::uint32_t count = 0;
  if (vkEnumerateInstanceExtensionProperties(nullptr, &count, nullptr) < 0) return false;
  std::vector<VkExtensionProperties> extensions(count);
  if (vkEnumerateInstanceExtensionProperties(nullptr, &count, extensions.data()) < 0) return false;
  return std::any_of(extensions.begin(), extensions.end(), [&](const auto& e) { return name == e.extensionName; });
}

bool validationAskedFor(const ContextOptions& options) {
  const char* variable = std::getenv("SEPX_VALIDATION");
  return options.validation || (variable && std::string_view(variable) == "1");
}

}  // namespace

struct Context::Impl {
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  PFN_vkSetDebugUtilsObjectNameEXT setName = nullptr;
  PhysicalDevice physical;
  VkDevice device = VK_NULL_HANDLE;
  VkRenderPass renderPass = VK_NULL_HANDLE, keepingRenderPass = VK_NULL_HANDLE;
  std::vector<std::string> messages;
  bool validating = false;
  DeletionQueue deletions;
  std::unique_ptr<Queue> queue;
  std::unique_ptr<Allocator> allocator;

  Result<void> makeInstance(bool presentation, bool validation);
  void makeMessenger();
  void makeDevice(bool presentation);
  void makeRenderPass();
  ~Impl();
};

Result<void> Context::Impl::makeInstance(bool presentation, bool validation) {
  std::vector<const char*> extensions;
  if (presentation) {
    for (const char* name : {"VK_KHR_surface", "VK_KHR_xcb_surface", "VK_KHR_wayland_surface"})
      if (hasInstanceExtension(name)) extensions.push_back(name);
  }
  if (validation && !hasLayer(kValidationLayer)) {
    spdlog::warn("no Vulkan validation on this machine; apt install vulkan-validationlayers");
    validation = false;
  }
  validating = validation;
  if (validating) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  constexpr VkValidationFeatureEnableEXT kSynchronisation = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = &kSynchronisation;
  VkDebugUtilsMessengerCreateInfoEXT early = messengerInfo(messages);  // messages about the instance itself
  early.pNext = &features;
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "Separatrix";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, validating ? &early : nullptr};
  info.pApplicationInfo = &application;
  info.enabledLayerCount = validating ? 1 : 0;
  info.ppEnabledLayerNames = &kValidationLayer;
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  const VkResult result = beginDriver([&] { return vkCreateInstance(&info, nullptr, &instance); });
  if (result == VK_SUCCESS) return {};
  instance = VK_NULL_HANDLE;
  return fail(
      ErrorKind::NoDevice,
      fmt::format(
          "Vulkan does not start on this machine ({}); install a driver, for example: apt install mesa-vulkan-drivers",
          resultName(result)));
}

void Context::Impl::makeMessenger() {
  if (!validating) return;
  const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT"));
  const VkDebugUtilsMessengerCreateInfoEXT info = messengerInfo(messages);
  VK_CHECK(create(instance, &info, nullptr, &messenger));
  setName = reinterpret_cast<PFN_vkSetDebugUtilsObjectNameEXT>(
      vkGetInstanceProcAddr(instance, "vkSetDebugUtilsObjectNameEXT"));
}

void Context::Impl::makeDevice(bool presentation) {
  constexpr float kPriority = 1;
  VkDeviceQueueCreateInfo queueInfo{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queueInfo.queueFamilyIndex = physical.family;
  queueInfo.queueCount = 1;
  queueInfo.pQueuePriorities = &kPriority;
  VkPhysicalDeviceVulkan13Features features13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  features13.synchronization2 = VK_TRUE;
  features13.maintenance4 = VK_TRUE;  // workgroup sizes as specialisation constants; every 1.3 device has it
  VkPhysicalDeviceVulkan12Features features12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &features13};
  features12.timelineSemaphore = VK_TRUE;
  const char* swapchain = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features12};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queueInfo;
  info.enabledExtensionCount = presentation ? 1 : 0;  // an error without the surface extensions of the instance
  info.ppEnabledExtensionNames = &swapchain;
  check(beginDriver([&] { return vkCreateDevice(physical.handle, &info, nullptr, &device); }), "vkCreateDevice");
  queue = std::make_unique<Queue>(device, physical.family, deletions);
  allocator = std::make_unique<Allocator>(physical.handle, device);
}

void Context::Impl::makeRenderPass() {
  VkAttachmentDescription colour{};
  colour.format = kTargetFormat;
  colour.samples = VK_SAMPLE_COUNT_1_BIT;
  colour.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  colour.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  colour.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  colour.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  colour.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  colour.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  const VkAttachmentReference reference{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  // An image that an earlier frame sampled or copied from is overwritten only after that access has finished.
  VkSubpassDependency before{};
  before.srcSubpass = VK_SUBPASS_EXTERNAL;
  before.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT |
                        VK_PIPELINE_STAGE_TRANSFER_BIT;
  before.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  before.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  before.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 1;
  info.pAttachments = &colour;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = 1;
  info.pDependencies = &before;
  VK_CHECK(vkCreateRenderPass(device, &info, nullptr, &renderPass));
  colour.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  colour.initialLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  VK_CHECK(vkCreateRenderPass(device, &info, nullptr, &keepingRenderPass));
}

Context::Impl::~Impl() {
  if (device) {
    vkDeviceWaitIdle(device);  // also after device loss, when it returns at once
    deletions.flush();
    if (renderPass) vkDestroyRenderPass(device, renderPass, nullptr);
    if (keepingRenderPass) vkDestroyRenderPass(device, keepingRenderPass, nullptr);
    allocator.reset();
    queue.reset();
    vkDestroyDevice(device, nullptr);
  }
  if (messenger) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"));
    destroy(instance, messenger, nullptr);
  }
  if (instance) vkDestroyInstance(instance, nullptr);
}

Context::Context() : impl_(std::make_unique<Impl>()) {}
Context::~Context() = default;

Result<std::unique_ptr<Context>> Context::create(const ContextOptions& options) {
  // A driver that cannot allocate memory for its compiler ends the program itself.
  constexpr std::uint64_t kLeast = std::uint64_t{960} << 20;
  if (const auto left = addressSpaceLeft(); left && *left < kLeast)
    return fail(ErrorKind::NoDevice,
                fmt::format("a Vulkan driver needs {} MB of memory: {}; raise the limit", kLeast >> 20, memoryLimit()));
  std::unique_ptr<Context> context(new Context);
  Impl& impl = *context->impl_;
  SEPX_TRY(impl.makeInstance(options.presentation, validationAskedFor(options)));
  try {
    impl.makeMessenger();
    const auto devices = examineDevices(impl.instance, options.presentation);
    SEPX_ASSIGN(const auto chosen, chooseDevice(devices, options.device));
    impl.physical = devices[chosen];
    impl.makeDevice(options.presentation);
    impl.makeRenderPass();
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
  return context;
}

std::vector<DeviceInfo> Context::enumerate() {
  Impl impl;
  if (!impl.makeInstance(false, false)) return {};
  std::vector<DeviceInfo> infos;
  for (const PhysicalDevice& device : examineDevices(impl.instance, false))
    infos.push_back(device.info);
  return infos;
}

VkInstance Context::instance() const {
  return impl_->instance;
}
VkPhysicalDevice Context::physicalDevice() const {
  return impl_->physical.handle;
}
VkDevice Context::device() const {
  return impl_->device;
}
const DeviceInfo& Context::info() const {
  return impl_->physical.info;
}
Queue& Context::queue() {
  return *impl_->queue;
}
DeletionQueue& Context::deletions() {
  return impl_->deletions;
}
Allocator& Context::memory() {
  return *impl_->allocator;
}
VkRenderPass Context::renderPass() const {
  return impl_->renderPass;
}
VkRenderPass Context::keepingRenderPass() const {
  return impl_->keepingRenderPass;
}

void Context::waitIdle() {
  if (vkDeviceWaitIdle(impl_->device) == VK_ERROR_DEVICE_LOST) markLost();
  impl_->deletions.collect(impl_->queue->completed());
}

void Context::name(VkObjectType type, std::uint64_t handle, const std::string& text) const {
  if (!impl_->setName || text.empty()) return;
  VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  info.objectType = type;
  info.objectHandle = handle;
  info.pObjectName = text.c_str();
  impl_->setName(impl_->device, &info);
}

bool Context::validating() const {
  return impl_->validating;
}
const std::vector<std::string>& Context::validationMessages() const {
  return impl_->messages;
}
bool Context::lost() const {
  return impl_->queue->lost();
}
void Context::markLost() {
  impl_->queue->markLost();
}

}  // namespace sepx::gpu
