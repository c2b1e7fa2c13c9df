// SPDX-License-Identifier: Apache-2.0
// Presents frames through a swapchain. Semaphores: one per frame in flight for acquiring (the frame slot guards it),
// one per image for presenting (an image that is acquired again has been presented). An out-of-date or suboptimal
// swapchain is a state; after surface loss the target is Lost until setSurface().
#include "engine/gpu/swapchain_target.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "engine/core/log.h"
#include "engine/gpu/check.h"
#include "engine/gpu/frame.h"
#include "engine/gpu/readback.h"

namespace sepx::gpu {

namespace {

/// A hidden window may never return an image. After this time begin() gives up and returns NotReady.
constexpr std::uint64_t kAcquireTimeoutNs = 100'000'000;

Handle<VkSemaphore> makeSemaphore(Context& context) {
  const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  VK_CHECK(vkCreateSemaphore(context.device(), &info, nullptr, &semaphore));
  return {context, semaphore, vkDestroySemaphore};
}

VkCompositeAlphaFlagBitsKHR compositeAlpha(VkCompositeAlphaFlagsKHR supported) {
  for (const auto bit : {VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
                         VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR})
    if (supported & bit) return bit;
  return VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR;
}

/// The surface's own size takes precedence. 0xFFFFFFFF means that the window takes the size of the swapchain.
Extent surfaceExtent(const VkSurfaceCapabilitiesKHR& caps, Extent wanted) {
  if (caps.currentExtent.width != UINT32_MAX) return {caps.currentExtent.width, caps.currentExtent.height};
  return {std::clamp(wanted.width, caps.minImageExtent.width, caps.maxImageExtent.width),
          std::clamp(wanted.height, caps.minImageExtent.height, caps.maxImageExtent.height)};
}

}  // namespace

struct SwapchainTarget::Impl {
  struct Picture {
    VkImage image = VK_NULL_HANDLE;
    Handle<VkImageView> view;
    Handle<VkFramebuffer> framebuffer;
    Handle<VkSemaphore> rendered;
  };

  Impl(Context& c, VkSurfaceKHR s, std::function<Extent()> e) : context(c), surface(s), wantedExtent(std::move(e)) {
    for (auto& semaphore : acquired)
      semaphore = makeSemaphore(context);
  }

  Context& context;
  VkSurfaceKHR surface;
  std::function<Extent()> wantedExtent;
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  Extent extent, asked;  // size of the swapchain; size that the host requested for it
  bool canCopy = false,
       canCopyInto = false;  // pictures can be read back; earlier pictures can be copied into them
  bool stale = false;
  bool surfaceLost = false;
  std::vector<Picture> pictures;
  std::array<Handle<VkSemaphore>, kFramesInFlight> acquired;
  std::uint32_t picture = 0, slot = 0;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  Readback readback;
  bool captureWanted = false;
  std::uint64_t captureValue = 0;  // submission that copied the picture; 0: none

  void destroySwapchain();
  TargetStatus recreate(Extent wanted);
  VkResult makeSwapchain(const VkSurfaceCapabilitiesKHR& caps, Extent size);
  void makePictures();
  TargetStatus acquire(Extent wanted);
  TargetStatus status(VkResult result);
};

/// Converts the result of a swapchain call to the status for the host.
TargetStatus SwapchainTarget::Impl::status(VkResult result) {
  switch (result) {
    case VK_SUCCESS:
      return TargetStatus::Ready;
    case VK_SUBOPTIMAL_KHR:
      stale = true;
      return TargetStatus::Ready;
    case VK_ERROR_OUT_OF_DATE_KHR:
      stale = true;
      return TargetStatus::NotReady;
    case VK_TIMEOUT:
    case VK_NOT_READY:
      return TargetStatus::NotReady;
    case VK_ERROR_SURFACE_LOST_KHR:
      surfaceLost = true;
      return TargetStatus::Lost;
    default:
      spdlog::error("presenting failed: {}", resultName(result));
      context.markLost();
      return TargetStatus::Lost;
  }
}

void SwapchainTarget::Impl::destroySwapchain() {
  if (!swapchain) return;
  context.queue().waitIdle();  // presentation signals no timeline
  pictures.clear();
  vkDestroySwapchainKHR(context.device(), std::exchange(swapchain, VK_NULL_HANDLE), nullptr);
  extent = {};
}

VkResult SwapchainTarget::Impl::makeSwapchain(const VkSurfaceCapabilitiesKHR& caps, Extent size) {
  canCopy = caps.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  canCopyInto = caps.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
  info.surface = surface;
  info.minImageCount = caps.minImageCount + 1;
  if (caps.maxImageCount > 0) info.minImageCount = std::min(info.minImageCount, caps.maxImageCount);
  info.imageFormat = kTargetFormat;
  info.imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
  info.imageExtent = {size.width, size.height};
  info.imageArrayLayers = 1;
  info.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  if (canCopy) info.imageUsage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  if (canCopyInto) info.imageUsage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  info.preTransform = caps.currentTransform;
  info.compositeAlpha = compositeAlpha(caps.supportedCompositeAlpha);
  info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  info.clipped = VK_FALSE;  // captures need the covered pixels too
  info.oldSwapchain = swapchain;
  VkSwapchainKHR next = VK_NULL_HANDLE;
  const VkResult result = vkCreateSwapchainKHR(context.device(), &info, nullptr, &next);
  destroySwapchain();  // the old one is retired even if creating the new one failed
  if (result == VK_SUCCESS) {
    swapchain = next;
    extent = size;
  }
  return result;
}

void SwapchainTarget::Impl::makePictures() {
  std::uint32_t count = 0;
  VK_CHECK(vkGetSwapchainImagesKHR(context.device(), swapchain, &count, nullptr));
  std::vector<VkImage> images(count);
  VK_CHECK(vkGetSwapchainImagesKHR(context.device(), swapchain, &count, images.data()));
  for (const VkImage image : images) {
    Picture& next = pictures.emplace_back();
    next.image = image;
    next.view = makeView(context, image, kTargetFormat);
    next.framebuffer = makeFramebuffer(context, next.view.get(), extent);
    next.rendered = makeSemaphore(context);
  }
}

TargetStatus SwapchainTarget::Impl::recreate(Extent wanted) {
  VkSurfaceCapabilitiesKHR caps{};
  const VkResult known = vkGetPhysicalDeviceSurfaceCapabilitiesKHR(context.physicalDevice(), surface, &caps);
  if (known != VK_SUCCESS) return status(known);
  const Extent size = surfaceExtent(caps, wanted);
  if (size.width == 0 || size.height == 0) return TargetStatus::NotReady;
  stale = false;
  const VkResult result = makeSwapchain(caps, size);
  if (result == VK_ERROR_INITIALIZATION_FAILED || result == VK_ERROR_NATIVE_WINDOW_IN_USE_KHR)
    return TargetStatus::NotReady;  // the window changed its size meanwhile
  if (result != VK_SUCCESS) return status(result);
  makePictures();
  asked = wanted;
  return TargetStatus::Ready;
}

/// Acquires an image to draw into, and recreates the swapchain if needed.
TargetStatus SwapchainTarget::Impl::acquire(Extent wanted) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!swapchain || stale || asked != wanted)
      if (const TargetStatus made = recreate(wanted); made != TargetStatus::Ready) return made;
    const TargetStatus got = status(vkAcquireNextImageKHR(context.device(), swapchain, kAcquireTimeoutNs,
                                                          acquired[slot].get(), VK_NULL_HANDLE, &picture));
    if (got != TargetStatus::NotReady || !stale) return got;
  }
  return TargetStatus::NotReady;
}

SwapchainTarget::SwapchainTarget() = default;

SwapchainTarget::~SwapchainTarget() {
  if (!impl_) return;
  if (impl_->commands) {
    // An exception ended the frame early, for example because memory ran out.
    Queue& queue = impl_->context.queue();
    queue.discard(std::exchange(impl_->commands, VK_NULL_HANDLE));
    queue.endFrame(queue.submitted());
  }
  release();
}

Result<std::unique_ptr<SwapchainTarget>> SwapchainTarget::create(Context& context, VkSurfaceKHR surface,
                                                                 std::function<Extent()> extent) {
  const VkPhysicalDevice physical = context.physicalDevice();
  VkBool32 supported = VK_FALSE;
  vkGetPhysicalDeviceSurfaceSupportKHR(physical, context.queue().family(), surface, &supported);
  std::uint32_t count = 0;
  vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &count, nullptr);
  std::vector<VkSurfaceFormatKHR> formats(count);
  vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &count, formats.data());
  const bool format = std::any_of(formats.begin(), formats.end(), [](const VkSurfaceFormatKHR& f) {
    return (f.format == kTargetFormat || f.format == VK_FORMAT_UNDEFINED) &&
           f.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
  });
  if (!supported || !format)
    return fail(ErrorKind::NoDevice,
                context.info().name + " cannot show pictures in this window; choose another --device");
  std::unique_ptr<SwapchainTarget> target(new SwapchainTarget);
  try {
    target->impl_ = std::make_unique<Impl>(context, surface, std::move(extent));
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
  return target;
}

Context& SwapchainTarget::context() {
  return impl_->context;
}

Extent SwapchainTarget::extent() const {
  const Impl& impl = *impl_;
  if (impl.commands) return impl.extent;
  const Extent wanted = impl.wantedExtent();
  if (!impl.surface || impl.surfaceLost || wanted.width == 0 || wanted.height == 0) return {};
  if (impl.swapchain && !impl.stale && impl.asked == wanted) return impl.extent;
  VkSurfaceCapabilitiesKHR caps{};
  const VkResult known = vkGetPhysicalDeviceSurfaceCapabilitiesKHR(impl.context.physicalDevice(), impl.surface, &caps);
  return known == VK_SUCCESS ? surfaceExtent(caps, wanted) : Extent{};
}

void SwapchainTarget::invalidate() {
  impl_->stale = true;
}
void SwapchainTarget::requestCapture() {
  impl_->captureWanted = true;
}

void SwapchainTarget::release() {
  assert(!impl_->commands && "release() inside a frame");
  impl_->destroySwapchain();
  impl_->surface = VK_NULL_HANDLE;
}

void SwapchainTarget::setSurface(VkSurfaceKHR surface) {
  if (surface == impl_->surface) return;
  release();
  impl_->surface = surface;
  impl_->surfaceLost = false;
}

TargetStatus SwapchainTarget::begin(Frame& frame) {
  Impl& impl = *impl_;
  Queue& queue = impl.context.queue();
  if (queue.lost() || impl.surfaceLost) return TargetStatus::Lost;
  const Extent wanted = impl.wantedExtent();
  if (!impl.surface || wanted.width == 0 || wanted.height == 0) return TargetStatus::NotReady;
  try {
    impl.slot = queue.beginFrame();
    const TargetStatus acquired = impl.acquire(wanted);
    if (acquired != TargetStatus::Ready) {
      queue.endFrame(queue.submitted());
      return acquired;
    }
    impl.commands = queue.begin();
  } catch (const VulkanError& error) {
    spdlog::error("{}", error.what());
    if (queue.frameOpen()) queue.endFrame(queue.submitted());
    impl.context.markLost();
    return TargetStatus::Lost;
  }
  const Impl::Picture& picture = impl.pictures[impl.picture];
  frame = {impl.commands, picture.framebuffer.get(), impl.extent, impl.slot,
           impl.canCopyInto ? picture.image : VK_NULL_HANDLE};
  // The previous content of the image is discarded. Its first use waits for the acquisition at the colour output stage.
  transition(impl.commands, picture.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  return TargetStatus::Ready;
}

TargetStatus SwapchainTarget::end() {
  Impl& impl = *impl_;
  assert(impl.commands && "end() without begin()");
  Queue& queue = impl.context.queue();
  const Impl::Picture& picture = impl.pictures[impl.picture];
  const bool copy = impl.captureWanted && impl.canCopy;
  VkImageLayout layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  TargetStatus answer = TargetStatus::Lost;
  try {
    if (copy) {
      transition(impl.commands, picture.image, layout, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
      layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
      impl.readback.record(impl.context, impl.commands, picture.image, impl.extent);
    }
    transition(impl.commands, picture.image, layout, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    const std::uint64_t value =
        queue.submit(std::exchange(impl.commands, VK_NULL_HANDLE),
                     {.wait = impl.acquired[impl.slot].get(), .signal = picture.rendered.get()});
    if (copy) {
      impl.captureValue = value;
      impl.captureWanted = false;
    }
    if (!queue.lost()) {
      const VkSemaphore rendered = picture.rendered.get();
      VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
      info.waitSemaphoreCount = 1;
      info.pWaitSemaphores = &rendered;
      info.swapchainCount = 1;
      info.pSwapchains = &impl.swapchain;
      info.pImageIndices = &impl.picture;
      answer = impl.status(queue.present(info));
    }
  } catch (const VulkanError& error) {
    spdlog::error("{}", error.what());
    if (impl.commands) queue.discard(std::exchange(impl.commands, VK_NULL_HANDLE));
    impl.context.markLost();
  }
  queue.endFrame(queue.submitted());
  return answer;
}

Result<Pixels> SwapchainTarget::capture() {
  Impl& impl = *impl_;
  try {
    if (impl.context.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, "capture");
    if (!impl.canCopy && impl.captureWanted && impl.swapchain)
      return fail(ErrorKind::NoDevice, "this window's pictures cannot be read back; use sepx render instead");
    if (impl.captureWanted || impl.captureValue == 0)
      return fail(ErrorKind::Internal, "no frame has been drawn yet that could be captured");
    impl.context.queue().wait(impl.captureValue);
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
  return impl.readback.pixels();
}

}  // namespace sepx::gpu
