// SPDX-License-Identifier: Apache-2.0
// A window's images as frame target. Knows a VkSurfaceKHR and a size, never a window; it does not own the surface: the
// host calls release() before the surface goes and setSurface() when there is a new one. Survives resizing, minimising
// (NotReady) and hiding. Nothing here throttles: hosts draw on demand. Frame thread only.
#pragma once

#include <functional>
#include <memory>

#include <vulkan/vulkan.h>

#include "engine/gpu/frame_target.h"

namespace sepx::gpu {

class SwapchainTarget : public FrameTarget {
 public:
  /// `extent`: the window's size in pixels now, asked at each begin(); 0 while minimised. NoDevice when the device
  /// cannot present to this surface. The context was made with `presentation`.
  static Result<std::unique_ptr<SwapchainTarget>> create(Context& context, VkSurfaceKHR surface,
                                                         std::function<Extent()> extent);
  ~SwapchainTarget() override;

  Context& context() override;  ///< as FrameTarget
  /// The size the next begin() will use, so that hosts can lay out before it; inside a frame that frame's. 0 while
  /// minimised.
  Extent extent() const override;
  TargetStatus begin(Frame& frame) override;
  TargetStatus end() override;

  /// Destroys everything made from the surface; begin() is NotReady until setSurface(). Waits for the device.
  void release();
  void setSurface(VkSurfaceKHR surface);
  /// Makes the swapchain anew at the next begin(): hosts that know the window was hidden or moved.
  void invalidate();

  /// Keeps the picture of the next finished frame for capture().
  void requestCapture();
  /// The picture asked for, once a frame was drawn after requestCapture(); waits for the device. Alpha is 255.
  Result<Pixels> capture();

 private:
  SwapchainTarget();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::gpu
