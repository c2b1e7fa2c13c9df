// SPDX-License-Identifier: Apache-2.0
// Puts one frame on a target: the scenes through the renderer, ImGui's draw data over them in the same pass. Everything
// it holds belongs to one device: the owner drops it when the device goes and makes a new one. Frame thread only, with
// the ImGui context current.
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
  int fontGeneration = 0;  ///< of the atlas; another one is uploaded anew
};

/// Begins the target's frame, lets `record` draw, ends it. A frame is ended whatever `record` throws: the device then
/// counts as lost, since half a picture is in it. A VulkanError is answered with Lost; other exceptions go on.
gpu::TargetStatus drawFrame(gpu::FrameTarget& target, const std::function<void(gpu::Frame&)>& record);

class ImguiPainter {
 public:
  static Result<std::unique_ptr<ImguiPainter>> create(gpu::Context& context);
  ~ImguiPainter();

  /// Begins the target's frame, draws, ends it. Needs ImGui::Render() before. `recordMs`: time of the recording alone.
  gpu::TargetStatus paint(gpu::FrameTarget& target, const Painting& painting, double& recordMs);
  const gpu::Context& context() const;
  /// A sentence for the person about what the last picture lacks, answered once; empty: nothing.
  std::string takeProblem();

 private:
  ImguiPainter();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::ui
