// SPDX-License-Identifier: Apache-2.0
// Draws scenes with Vulkan. The leading still layers of a scene are cached in an image and redrawn only when their
// revision, the window, the plot, the page size or the scale changes; the other layers are drawn every frame. If the
// device is a CPU, an opaque image with nothing under it is copied into the target; otherwise it is drawn. No MSAA:
// lines and markers carry their own anti-aliasing; three-dimensional pictures are drawn into images of their own
// (solid_pass.h). Frame thread only.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"
#include "engine/render/scene.h"

namespace sepx::gpu {
class Context;
}

namespace sepx::render {

struct RenderStatistics {  ///< statistics of the last frame
  int drawnLayers = 0, cachedLayers = 0;
  int drawnSolids = 0;  ///< three-dimensional pictures that had changed
  std::size_t vertices = 0;
  std::size_t images = 0;  ///< heat maps and label maps that are cached on the device
  /// Descriptor sets for one image each that are in use or wait for the device, and the capacity of their pools.
  std::size_t imageSets = 0, imageSetRoom = 0;
};

struct RendererOptions {  ///< set once
  int samples = 0;        ///< per pixel of three-dimensional pictures, 1 or 4; 0: one on a CPU, otherwise four
};

class VulkanRenderer {
 public:
  /// BadInput when a font cannot be read, NoDevice when Vulkan fails, each with one sentence.
  static Result<std::unique_ptr<VulkanRenderer>> create(gpu::Context& context, const RendererOptions& options = {});
  virtual ~VulkanRenderer() = default;

  /// Records everything of one frame: uploads, cached layers, the main pass cleared to `clear`. `overlay` is called
  /// inside the main pass after the scenes (ImGui). `scale`: pixels per point.
  virtual void draw(gpu::Frame& frame, std::span<const PlacedScene> scenes, float scale, Color clear,
                    const std::function<void(gpu::Frame&)>& overlay) = 0;
  virtual const RenderStatistics& statistics() const = 0;
};

}  // namespace sepx::render
