// SPDX-License-Identifier: Apache-2.0
// Draws scenes with Vulkan. The leading still layers of a scene are kept in an image and redrawn only when their
// revision, the window, the plot, the page size or the scale changes; the rest is drawn every frame. On a processor the
// image is copied into the target where it is opaque and nothing lies under it, elsewhere it is drawn. No MSAA: lines
// and markers carry their own anti-aliasing; three-dimensional pictures are drawn into images of their own
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

struct RenderStatistics {  ///< of the last frame
  int drawnLayers = 0, cachedLayers = 0;
  int drawnSolids = 0;  ///< three-dimensional pictures that were not as they had been
  std::size_t vertices = 0;
  std::size_t images = 0;  ///< heat maps and label maps that are kept on the device
  /// Descriptor sets of one image that are in use or wait for the device, and how many fit into their pools.
  std::size_t imageSets = 0, imageSetRoom = 0;
};

struct RendererOptions {  ///< set once
  int samples = 0;        ///< a pixel of three-dimensional pictures, 1 or 4; 0: one on a CPU, four elsewhere
};

class VulkanRenderer {
 public:
  /// Unsupported or OutOfMemory with a sentence.
  static Result<std::unique_ptr<VulkanRenderer>> create(gpu::Context& context, const RendererOptions& options = {});
  virtual ~VulkanRenderer() = default;

  /// Records everything of one frame: uploads, cached layers, the main pass cleared to `clear`. `overlay` is called
  /// inside the main pass after the scenes (ImGui). `scale`: pixels per point.
  virtual void draw(gpu::Frame& frame, std::span<const PlacedScene> scenes, float scale, Color clear,
                    const std::function<void(gpu::Frame&)>& overlay) = 0;
  virtual const RenderStatistics& statistics() const = 0;
};

}  // namespace sepx::render
