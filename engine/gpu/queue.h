// SPDX-License-Identifier: Apache-2.0
// The device's one queue with its timeline semaphore: submission n signals value n. Command buffers are recycled when
// their value has passed. Only the thread that created the Context may use it, which is asserted. After device loss,
// submissions do nothing.
#pragma once

#include <array>
#include <cstdint>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <vulkan/vulkan.h>

#include "engine/gpu/deletion_queue.h"
#include "engine/gpu/frame.h"

namespace sepx::gpu {

struct SubmitOptions {                ///< options for one submission
  VkSemaphore wait = VK_NULL_HANDLE;  ///< binary semaphore, waited for at `waitStage`
  VkPipelineStageFlags2 waitStage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
  VkSemaphore signal = VK_NULL_HANDLE;  ///< binary semaphore
};

class Queue {
 public:
  Queue(VkDevice device, std::uint32_t family, DeletionQueue& deletions);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  VkQueue handle() const { return queue_; }
  std::uint32_t family() const { return family_; }

  /// Returns a command buffer in the recording state. submit() or discard() ends the recording.
  VkCommandBuffer begin();
  /// Ends the recording and submits it. Returns its timeline value. Throws VulkanError; a lost device is also
  /// remembered.
  std::uint64_t submit(VkCommandBuffer commands, const SubmitOptions& options = {});
  void discard(VkCommandBuffer commands);

  std::uint64_t submitted() const { return submitted_; }
  std::uint64_t completed();  ///< the highest value that the device has passed
  /// Blocks until `value` is completed. Returns at once when the device is lost.
  void wait(std::uint64_t value);
  void waitIdle();
  /// The result codes of swapchains are returned, not thrown.
  VkResult present(const VkPresentInfoKHR& info);

  /// Takes the next of kFramesInFlight frame slots and waits until the previous frame in that slot has finished.
  std::uint32_t beginFrame();
  void endFrame(std::uint64_t value);
  bool frameOpen() const { return frameOpen_; }

  /// Calls `deleter` once everything submitted and everything being recorded now has finished. For destructors. If
  /// there is no memory to store the deleter, this waits for the device and calls the deleter at once. If a command
  /// buffer is being recorded then, it may use the object, so the object is not destroyed until the program ends.
  template <class Deleter>
  void retire(const Deleter& deleter) noexcept {
    try {
      keep(DeletionQueue::Deleter(deleter));
    } catch (const std::bad_alloc&) {
      if (becomeIdle()) deleter();
    }
  }

  bool lost() const { return lost_; }
  void markLost() { lost_ = true; }  ///< nothing is submitted or waited for any more

 private:
  struct Commands {
    VkCommandBuffer handle;
    std::uint64_t value;  // of its last submission
    bool recording;
  };
  void keep(DeletionQueue::Deleter deleter);
  bool becomeIdle() noexcept;
  Commands& find(VkCommandBuffer handle);
  void closeRecording();
  void assertThread() const;

  VkDevice device_;
  std::uint32_t family_;
  DeletionQueue& deletions_;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkSemaphore timeline_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<Commands> commands_;
  std::uint64_t submitted_ = 0, completed_ = 0;
  int recordings_ = 0;
  std::array<std::uint64_t, kFramesInFlight> slots_{};
  std::uint32_t slot_ = 0;
  bool frameOpen_ = false;
  bool lost_ = false;
  std::thread::id thread_ = std::this_thread::get_id();
};

}  // namespace sepx::gpu
