// SPDX-License-Identifier: Apache-2.0
// Instance, device and the one queue. Everything on the GPU is made from a Context and must die before it. Frame thread
// only: the queue asserts it. Handles are move-only and die by a deletion queue on the queue's timeline semaphore, so
// destroying a resource that a frame in flight still uses is legal.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <vulkan/vulkan.h>

#include "engine/core/result.h"

namespace sepx::gpu {

struct DeviceInfo {                   ///< the chosen device, for people
  int index = 0;                      ///< among those of the loader, as ContextOptions::device takes it
  std::string name;                   ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string driver;                 ///< its name and version
  std::string apiVersion;             ///< "1.3.280", of the driver
  bool software = false;              ///< a CPU driver such as llvmpipe
  bool usable = false;                ///< has what the program needs
  std::string why;                    ///< what is missing when not usable
  std::vector<std::string> features;  ///< those of interest that it has: "shaderFloat64"
  std::uint32_t mostImageSide = 0;    ///< pixels
};

struct ContextOptions {       ///< which device, and for what
  std::string device;         ///< name (part of it) or index; empty: the best (a GPU before a software driver)
  bool presentation = false;  ///< windows will be made: surface and swapchain extensions
  bool validation = false;    ///< Khronos validation with synchronisation checks; SEPX_VALIDATION=1 turns it on too
};

/// Move-only deferred destruction; see deletion_queue.h.
class DeletionQueue;
class Queue;
class Allocator;

class Context {
 public:
  /// NoDevice with what to install when there is no loader, no driver or no device that serves.
  static Result<std::unique_ptr<Context>> create(const ContextOptions& options);
  /// Every device of the machine, also the unusable ones with the reason. Never fails: empty without a loader or
  /// driver.
  static std::vector<DeviceInfo> enumerate();
  ~Context();

  VkInstance instance() const;              ///< valid while the context lives
  VkPhysicalDevice physicalDevice() const;  ///< valid while the context lives
  VkDevice device() const;                  ///< valid while the context lives
  const DeviceInfo& info() const;           ///< never changes
  Queue& queue();                           ///< the one queue; its thread's alone
  DeletionQueue& deletions();               ///< what waits for the device
  Allocator& memory();                      ///< for buffers and images
  /// The one render pass for all targets and cached images: colour kTargetFormat, any layout before, cleared, left in
  /// COLOR_ATTACHMENT_OPTIMAL; whoever samples or copies the image moves it on (`transition`, image.h).
  VkRenderPass renderPass() const;
  /// The same for an image in COLOR_ATTACHMENT_OPTIMAL whose content stays; framebuffers and pipelines fit both.
  VkRenderPass keepingRenderPass() const;
  /// Blocks until the device is idle and everything retired is destroyed: at shutdown.
  void waitIdle();
  /// Names an object for validation messages and debuggers; no effect without validation.
  void name(VkObjectType type, std::uint64_t handle, const std::string& text) const;

  bool validating() const;  ///< whether messages are watched for
  /// Validation messages (warnings and errors) since the start; tests fail on the first.
  const std::vector<std::string>& validationMessages() const;

  /// Set by the first VK_ERROR_DEVICE_LOST; from then on submits do nothing and targets answer Lost.
  bool lost() const;
  /// Marks the device as lost; tests use it to walk the fall-back.
  void markLost();

 private:
  Context();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::gpu
