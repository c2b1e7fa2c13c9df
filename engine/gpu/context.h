// SPDX-License-Identifier: Apache-2.0
// The Vulkan instance, the device and its one queue. Everything on the GPU is created from a Context and must be
// destroyed before it. Frame thread only: the queue asserts it. Handles are move-only and are destroyed through a
// deletion queue that follows the queue's timeline semaphore, so destroying a resource that a frame in flight still
// uses is legal.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <vulkan/vulkan.h>

#include "engine/core/result.h"

namespace sepx::gpu {

struct DeviceInfo {                   ///< describes a device to the user
  int index = 0;                      ///< in the loader's order, as ContextOptions::device accepts it
  std::string name;                   ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string driver;                 ///< name and version of the driver
  std::string apiVersion;             ///< supported by the driver: "1.3.280"
  bool software = false;              ///< a CPU driver such as llvmpipe
  bool usable = false;                ///< has what the program needs
  std::string why;                    ///< what is missing when not usable
  std::vector<std::string> features;  ///< supported features of interest: "shaderFloat64"
  std::uint32_t mostImageSide = 0;    ///< pixels
};

struct ContextOptions {       ///< which device, and for what
  std::string device;         ///< name (part of it) or index; empty: the best (a GPU before a software driver)
  bool presentation = false;  ///< windows will be created: enables surface and swapchain extensions
  bool validation = false;    ///< Khronos validation with synchronisation checks; SEPX_VALIDATION=1 turns it on too
};

/// Deferred destruction; see deletion_queue.h.
class DeletionQueue;
class Queue;
class Allocator;

class Context {
 public:
  /// NoDevice, with what to install, when there is no loader, no driver or no suitable device.
  static Result<std::unique_ptr<Context>> create(const ContextOptions& options);
  /// All devices of the machine, including the unusable ones, with the reason. Never fails: the list is empty without a
  /// loader or driver.
  static std::vector<DeviceInfo> enumerate();
  ~Context();

  VkInstance instance() const;              ///< valid while the context lives
  VkPhysicalDevice physicalDevice() const;  ///< valid while the context lives
  VkDevice device() const;                  ///< valid while the context lives
  const DeviceInfo& info() const;           ///< never changes
  Queue& queue();                           ///< the one queue; only for the thread that created it
  DeletionQueue& deletions();               ///< objects to be destroyed once the device is done
  Allocator& memory();                      ///< for buffers and images
  /// The render pass shared by all targets and cached images: one colour attachment of kTargetFormat, any initial
  /// layout, cleared, final layout COLOR_ATTACHMENT_OPTIMAL. Code that samples or copies the image must change its
  /// layout first (`transition`, image.h).
  VkRenderPass renderPass() const;
  /// The same for an image in COLOR_ATTACHMENT_OPTIMAL whose content is kept. Framebuffers and pipelines are compatible
  /// with both render passes.
  VkRenderPass keepingRenderPass() const;
  /// Blocks until the device is idle and all retired objects are destroyed. For shutdown and offscreen figures.
  void waitIdle();
  /// Names an object for validation messages and debuggers; no effect without validation.
  void name(VkObjectType type, std::uint64_t handle, const std::string& text) const;

  bool validating() const;  ///< whether validation is on
  /// Validation messages (warnings and errors) since the start; tests fail on the first.
  const std::vector<std::string>& validationMessages() const;

  /// True after the first VK_ERROR_DEVICE_LOST. From then on, submissions do nothing and targets return Lost.
  bool lost() const;
  /// Marks the device as lost. Tests also use it to exercise the fallback.
  void markLost();

 private:
  Context();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::gpu
