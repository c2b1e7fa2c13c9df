// SPDX-License-Identifier: Apache-2.0
// A frame target that draws into the images of a window. It knows a VkSurfaceKHR and a size, but no window, and does
// not own the surface: the host calls release() before the surface is destroyed and setSurface() when there is a new
// one. It survives resizing, minimising (NotReady) and hiding. It does not throttle: hosts draw on demand. Frame thread
// only.
#pragma once

#include <functional>
#include <memory>

#include <vulkan/vulkan.h>

#include "engine/gpu/frame_target.h"

namespace sepx::gpu {

class SwapchainTarget : public FrameTarget {
 public:
  /// `extent` returns the current size of the window in pixels, 0 while minimised; it is called at each begin().
  /// NoDevice when the device cannot present to this surface. The context must have been created with `presentation`.
  static Result<std::unique_ptr<SwapchainTarget>> create(Context& context, VkSurfaceKHR surface,
                                                         std::function<Extent()> extent);
  ~SwapchainTarget() override;

  Context& context() override;  ///< as FrameTarget
  /// The size that the next begin() will use, so that hosts can compute the layout before it; inside a frame, the size
  /// of that frame. 0 while minimised.
  Extent extent() const override;
  TargetStatus begin(Frame& frame) override;
  TargetStatus end() override;

  /// Destroys everything made from the surface. begin() returns NotReady until setSurface(). Waits for the device.
  void release();
  void setSurface(VkSurfaceKHR surface);
  /// Recreates the swapchain at the next begin(). For hosts that know that the window was hidden or moved.
  void invalidate();

  /// Keeps the picture of the next finished frame for capture().
  void requestCapture();
  /// Returns the requested picture, once a frame was drawn after requestCapture(). Waits for the device. Alpha is 255.
  Result<Pixels> capture();

 private:
  SwapchainTarget();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::gpu
