// SPDX-License-Identifier: Apache-2.0
// Recording, submitting and waiting on the one timeline. Each time a recording ends, the deletion queue is stamped and
// collected. Frame thread.
#include "engine/gpu/queue.h"

#include <cassert>
#include <exception>
#include <utility>

#include "engine/gpu/check.h"

namespace sepx::gpu {

Queue::Queue(VkDevice device, std::uint32_t family, DeletionQueue& deletions)
    : device_(device), family_(family), deletions_(deletions) {
  vkGetDeviceQueue(device_, family_, 0, &queue_);
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VK_CHECK(vkCreateSemaphore(device_, &semaphore, nullptr, &timeline_));
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT | VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  pool.queueFamilyIndex = family_;
  VK_CHECK(vkCreateCommandPool(device_, &pool, nullptr, &pool_));
}

Queue::~Queue() {
  vkDestroyCommandPool(device_, pool_, nullptr);
  vkDestroySemaphore(device_, timeline_, nullptr);
}

void Queue::assertThread() const {
  assert(std::this_thread::get_id() == thread_ && "the queue belongs to the frame thread");
}

Queue::Commands& Queue::find(VkCommandBuffer handle) {
  for (Commands& commands : commands_)
    if (commands.handle == handle) return commands;
  assert(false && "not a command buffer of this queue");
  return commands_.front();
}

VkCommandBuffer Queue::begin() {
  assertThread();
  const std::uint64_t done = completed();
  Commands* free = nullptr;
  for (Commands& commands : commands_)
    if (!commands.recording && commands.value <= done) free = &commands;
  if (!free) {
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = pool_;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    VkCommandBuffer handle = VK_NULL_HANDLE;
    VK_CHECK(vkAllocateCommandBuffers(device_, &info, &handle));
    free = &commands_.emplace_back(Commands{handle, 0, false});
  }
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  VK_CHECK(vkBeginCommandBuffer(free->handle, &begin));
  free->recording = true;
  ++recordings_;
  return free->handle;
}

void Queue::closeRecording() {
  if (--recordings_ == 0) deletions_.stamp(submitted_);
  deletions_.collect(completed());
}

std::uint64_t Queue::submit(VkCommandBuffer handle, const SubmitOptions& options) {
  assertThread();
  Commands& commands = find(handle);
  assert(commands.recording);
  const VkResult ended = vkEndCommandBuffer(handle);
  commands.recording = false;
  if (lost_ || ended < 0) {
    closeRecording();
    check(ended, "vkEndCommandBuffer");
    return submitted_;
  }
  VkCommandBufferSubmitInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  buffer.commandBuffer = handle;
  VkSemaphoreSubmitInfo wait{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  wait.semaphore = options.wait;
  wait.stageMask = options.waitStage;
  std::array<VkSemaphoreSubmitInfo, 2> signals{};
  signals[0] = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  signals[0].semaphore = timeline_;
  signals[0].value = submitted_ + 1;
  signals[0].stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  signals[1] = signals[0];
  signals[1].semaphore = options.signal;
  signals[1].value = 0;
  VkSubmitInfo2 submit{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  submit.waitSemaphoreInfoCount = options.wait ? 1 : 0;
  submit.pWaitSemaphoreInfos = &wait;
  submit.commandBufferInfoCount = 1;
  submit.pCommandBufferInfos = &buffer;
  submit.signalSemaphoreInfoCount = options.signal ? 2 : 1;
  submit.pSignalSemaphoreInfos = signals.data();
  const VkResult result = vkQueueSubmit2(queue_, 1, &submit, VK_NULL_HANDLE);
  if (result == VK_ERROR_DEVICE_LOST) lost_ = true;
  if (result == VK_SUCCESS) commands.value = ++submitted_;
  closeRecording();
  check(result, "vkQueueSubmit2");
  return submitted_;
}

void Queue::discard(VkCommandBuffer handle) {
  assertThread();
  Commands& commands = find(handle);
  assert(commands.recording);
  commands.recording = false;
  vkResetCommandBuffer(handle, 0);
  closeRecording();
}

std::uint64_t Queue::completed() {
  std::uint64_t value = 0;
  const VkResult result = vkGetSemaphoreCounterValue(device_, timeline_, &value);
  if (result == VK_ERROR_DEVICE_LOST) lost_ = true;
  // A lost device may report any value. Submissions that are known to have finished stay finished.
  if (result == VK_SUCCESS && value <= submitted_ && value > completed_) completed_ = value;
  return completed_;
}

void Queue::wait(std::uint64_t value) {
  assertThread();
  if (lost_ || value <= completed_) return;
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &timeline_;
  info.pValues = &value;
  const VkResult result = vkWaitSemaphores(device_, &info, UINT64_MAX);
  if (result == VK_ERROR_DEVICE_LOST) lost_ = true;
  check(result, "vkWaitSemaphores");
  completed();
}

void Queue::waitIdle() {
  assertThread();
  if (vkQueueWaitIdle(queue_) == VK_ERROR_DEVICE_LOST) lost_ = true;
  if (recordings_ == 0) deletions_.collect(completed());
}

VkResult Queue::present(const VkPresentInfoKHR& info) {
  assertThread();
  const VkResult result = vkQueuePresentKHR(queue_, &info);
  if (result == VK_ERROR_DEVICE_LOST) lost_ = true;
  return result;
}

std::uint32_t Queue::beginFrame() {
  assertThread();
  assert(!frameOpen_ && "one frame at a time");
  slot_ = (slot_ + 1) % kFramesInFlight;
  wait(slots_[slot_]);
  deletions_.collect(completed());
  frameOpen_ = true;
  return slot_;
}

void Queue::endFrame(std::uint64_t value) {
  assert(frameOpen_);
  slots_[slot_] = value;
  frameOpen_ = false;
}

void Queue::keep(DeletionQueue::Deleter deleter) {
  assertThread();
  deletions_.push(recordings_ > 0 ? DeletionQueue::kUnstamped : submitted_, std::move(deleter));
}

/// Waits for the device and destroys what was retired before. Returns false if a command buffer is being recorded or
/// the wait throws.
bool Queue::becomeIdle() noexcept {
  if (recordings_ > 0) return false;
  try {
    waitIdle();
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

}  // namespace sepx::gpu
