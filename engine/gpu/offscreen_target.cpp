// SPDX-License-Identifier: Apache-2.0
// One image, which stays in TRANSFER_SRC_OPTIMAL between frames, ready to be read back. Frame thread.
#include "engine/gpu/offscreen_target.h"

#include <cassert>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/gpu/check.h"
#include "engine/gpu/frame.h"
#include "engine/gpu/readback.h"

namespace sepx::gpu {

struct OffscreenTarget::Impl {
  explicit Impl(Context& c) : context(c) {}
  Context& context;
  Image image;
  Handle<VkFramebuffer> framebuffer;
  Readback readback;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  bool open = false;   // between begin() and end()
  bool drawn = false;  // a finished frame is in the image, in TRANSFER_SRC_OPTIMAL

  Result<void> make(Extent extent);
};

Result<void> OffscreenTarget::Impl::make(Extent extent) {
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(context.physicalDevice(), &properties);
  const std::uint32_t most = properties.limits.maxImageDimension2D;
  if (extent.width == 0 || extent.height == 0 || extent.width > most || extent.height > most)
    return fail(ErrorKind::Usage,
                fmt::format("a picture of {}x{} pixels cannot be drawn; both sides must be from 1 to {}", extent.width,
                            extent.height, most));
  try {
    Image next(context, {.extent = extent,
                         .format = kTargetFormat,
                         .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                  VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                         .name = "offscreen target"});
    framebuffer = makeFramebuffer(context, next.view(), extent);
    image = std::move(next);
    drawn = false;
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
  return {};
}

OffscreenTarget::OffscreenTarget() = default;
OffscreenTarget::~OffscreenTarget() {
  if (!impl_ || !impl_->open) return;
  // An exception ended the frame early, for example because memory ran out.
  Queue& queue = impl_->context.queue();
  if (impl_->commands) queue.discard(impl_->commands);
  queue.endFrame(queue.submitted());
}

Result<std::unique_ptr<OffscreenTarget>> OffscreenTarget::create(Context& context, Extent extent) {
  std::unique_ptr<OffscreenTarget> target(new OffscreenTarget);
  target->impl_ = std::make_unique<Impl>(context);
  SEPX_TRY(target->impl_->make(extent));
  return target;
}

Context& OffscreenTarget::context() {
  return impl_->context;
}
Extent OffscreenTarget::extent() const {
  return impl_->image.extent();
}
Result<void> OffscreenTarget::resize(Extent extent) {
  assert(!impl_->commands);
  return extent == this->extent() ? Result<void>{} : impl_->make(extent);
}

TargetStatus OffscreenTarget::begin(Frame& frame) {
  Queue& queue = impl_->context.queue();
  if (queue.lost()) return TargetStatus::Lost;
  try {
    frame.index = queue.beginFrame();
    impl_->commands = queue.begin();
    impl_->open = true;
  } catch (const VulkanError&) {
    if (queue.frameOpen()) queue.endFrame(queue.submitted());
    impl_->context.markLost();
    return TargetStatus::Lost;
  }
  transition(impl_->commands, impl_->image.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  frame.commands = impl_->commands;
  frame.framebuffer = impl_->framebuffer.get();
  frame.extent = extent();
  frame.image = impl_->image.get();
  return TargetStatus::Ready;
}

TargetStatus OffscreenTarget::end() {
  assert(impl_->commands && "end() without begin()");
  Queue& queue = impl_->context.queue();
  transition(impl_->commands, impl_->image.get(), VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
             VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  try {
    queue.submit(std::exchange(impl_->commands, VK_NULL_HANDLE));
    impl_->drawn = !queue.lost();
  } catch (const VulkanError&) {
    impl_->context.markLost();
  }
  queue.endFrame(queue.submitted());
  impl_->open = false;
  return queue.lost() ? TargetStatus::Lost : TargetStatus::Ready;
}

Result<Pixels> OffscreenTarget::readback() {
  Queue& queue = impl_->context.queue();
  try {
    if (queue.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, "readback");
    if (!impl_->drawn) return fail(ErrorKind::Internal, "nothing has been drawn yet that could be read back");
    const VkCommandBuffer commands = queue.begin();
    impl_->readback.record(impl_->context, commands, impl_->image.get(), extent());
    queue.wait(queue.submit(commands));
    if (queue.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, "readback");
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
  return impl_->readback.pixels();
}

}  // namespace sepx::gpu
