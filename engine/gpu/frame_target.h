// SPDX-License-Identifier: Apache-2.0
// The destination of a frame: a swapchain image or an offscreen image. Workbench::frame takes a FrameTarget and never a
// window. Frame thread only.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/result.h"

namespace sepx::gpu {

class Context;

struct Extent {                         ///< size of a picture
  std::uint32_t width = 0, height = 0;  ///< pixels
  bool operator==(const Extent&) const = default;
};

/// A frame being recorded; frame.h has its Vulkan handles. Valid between begin() and end().
struct Frame;

/// Ready: draw now. NotReady: there is nothing to draw into now (minimised, hidden, extent 0, being recreated); try
/// again later. Lost: the device or surface is lost; the host falls back and reports it.
enum class TargetStatus { Ready, NotReady, Lost };

class FrameTarget {
 public:
  virtual ~FrameTarget() = default;
  virtual Context& context() = 0;     ///< owns the images
  virtual Extent extent() const = 0;  ///< size of the current frame
  /// Acquires an image and begins a command buffer. Fills `frame` when Ready.
  virtual TargetStatus begin(Frame& frame) = 0;
  /// Submits and presents (or leaves the picture for readback). Lost when the device is lost.
  virtual TargetStatus end() = 0;
};

/// One picture read back: tightly packed RGBA, row 0 at the top.
struct Pixels {
  Extent extent;                   ///< of the picture
  std::vector<std::uint8_t> rgba;  ///< [height, width, 4]
};

}  // namespace sepx::gpu
