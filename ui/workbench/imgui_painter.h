// SPDX-License-Identifier: Apache-2.0
// Draws one frame on a target: the scenes with the renderer, and ImGui's draw data over them in the same pass.
// Everything it holds belongs to one device: when the device goes away, the owner destroys it and makes a new one.
// Frame thread only, with the ImGui context current.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"
#include "engine/render/scene.h"
#include "engine/render/vulkan_renderer.h"

namespace sepx::ui {

struct Painting {
  std::span<const render::PlacedScene> scenes;
  float scenePixelsPerPoint = 1;
  render::Color clear;
  int fontGeneration = 0;  ///< of the atlas; if it changed, the atlas is uploaded again
};

/// Begins the target's frame, calls `record`, and ends the frame. If `record` throws, the frame is ended too, and the
/// device is marked as lost because the picture is incomplete. The result for a VulkanError is Lost; other exceptions
/// propagate.
gpu::TargetStatus drawFrame(gpu::FrameTarget& target, const std::function<void(gpu::Frame&)>& record);

class ImguiPainter {
 public:
  static Result<std::unique_ptr<ImguiPainter>> create(gpu::Context& context);
  ~ImguiPainter();

  /// Begins the target's frame, draws, and ends it. Call ImGui::Render() before. `recordMs`: receives the time of the
  /// recording alone, milliseconds.
  gpu::TargetStatus paint(gpu::FrameTarget& target, const Painting& painting, double& recordMs);
  const gpu::Context& context() const;
  /// A sentence for the user about what the last picture lacks, returned once; empty: nothing.
  std::string takeProblem();

 private:
  ImguiPainter();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::ui
