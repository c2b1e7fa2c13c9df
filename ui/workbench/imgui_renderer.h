// SPDX-License-Identifier: Apache-2.0
// Draws ImGui's draw lists on a device, in Context::renderPass(). Large areas of one plain colour, such as the
// backgrounds of panels, are drawn without the atlas and, if they are opaque, without blending: fetching and blending
// each of their pixels took a software driver a third to a half of a frame (tests/bench/notes.md). Everything else is
// drawn as ImGui's own back end draws it. Frame thread only, with the ImGui context current. Constructor and members
// throw gpu::VulkanError.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <imgui/imgui.h>

#include "engine/core/result.h"
#include "engine/gpu/frame.h"
#include "engine/gpu/image.h"
#include "engine/gpu/pipeline.h"

namespace sepx::ui {

/// How a triangle is drawn: with the atlas; in its colour, blended; in its colour, replacing what was there.
enum class ImguiPaint : std::uint8_t { Textured, Flat, Opaque };

/// Consecutive triangles of a command that are drawn in the same way.
struct ImguiRun {
  std::uint32_t first = 0, count = 0;  ///< indices
  ImguiPaint paint = ImguiPaint::Textured;
};
/// Appends the runs of `command`, in order, to `runs`. `white`: texture coordinates where the atlas is opaque white.
void appendRuns(const ImDrawList& list, const ImDrawCmd& command, ImVec2 white, std::vector<ImguiRun>& runs);

/// NoDevice with a sentence if the atlas is larger than an image of the device may be.
Result<void> checkAtlas(gpu::Extent atlas, std::uint32_t mostSide);

class ImguiRenderer {
 public:
  explicit ImguiRenderer(gpu::Context& context);

  /// Outside a render pass: uploads the atlas if `generation` has changed, and the vertices of `data` for draw(). The
  /// error of an atlas that the device does not support is returned once; text is then drawn as plain areas.
  Result<void> upload(const gpu::Frame& frame, const ImDrawData& data, int generation);
  /// Inside the render pass; sets viewport and scissor.
  void draw(const gpu::Frame& frame, const ImDrawData& data);

 private:
  struct Slot {  // per frame in flight
    gpu::Buffer vertices, indices;
  };
  Result<void> uploadAtlas(VkCommandBuffer commands);

  gpu::Context& context_;
  gpu::Handle<VkSampler> sampler_;
  gpu::Handle<VkDescriptorSetLayout> setLayout_;
  gpu::Handle<VkDescriptorPool> pool_;
  gpu::Handle<VkPipelineLayout> layout_;
  std::array<gpu::Handle<VkPipeline>, 3> pipelines_;  // by ImguiPaint
  gpu::Image atlas_;
  gpu::DescriptorSet set_;
  int generation_ = -1;  // of the atlas on the device
  std::array<Slot, gpu::kFramesInFlight> slots_;
  std::vector<ImguiRun> runs_;
};

}  // namespace sepx::ui
