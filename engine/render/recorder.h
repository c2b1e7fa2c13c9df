// SPDX-License-Identifier: Apache-2.0
// Records draw lists into command buffers: the places of their records in the frame's buffer, the descriptor sets of
// their images, and the draw calls. Frame thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/gpu/frame.h"
#include "engine/render/draw_list.h"
#include "engine/render/textures.h"
#include "engine/render/uploads.h"

namespace sepx::render {

/// A draw list and what the device needs to draw it.
struct PreparedList {
  DrawList list;
  std::uint32_t segments = 0, shapes = 0, glyphs = 0, fills = 0;  ///< first word of each
  std::vector<std::uint32_t> palettes;                            ///< first word, per image
  std::vector<VkDescriptorSet> imageSets;                         ///< per image
  std::vector<VkDescriptorSet> solidSets;                         ///< per three-dimensional picture
};

/// A cached picture: its image and set, and the position of its top left corner on the target, pixels.
struct StoredPicture {
  const gpu::Image* image = nullptr;
  VkDescriptorSet set = VK_NULL_HANDLE;
  float x = 0, y = 0;
  bool opaque = false;
  std::optional<ClipBox> copied;  ///< box of the target into which it was copied before the render pass
};

class Recorder {
 public:
  Recorder(gpu::Context& context, const Pipelines& pipelines);

  /// Places the records of the list from word `at` on. Returns the first word after them.
  static std::size_t layOut(PreparedList& prepared, std::size_t at);
  /// Copies the records to their places.
  static void upload(const PreparedList& prepared, Uploads& uploads);
  /// Makes sure that the images are on the device. Call it outside any render pass.
  static void uploadImages(VkCommandBuffer commands, PreparedList& prepared, Textures& textures, Uploads& uploads);
  /// Records the draw calls. Call it inside a render pass over a target of `extent`.
  void record(VkCommandBuffer commands, const PreparedList& prepared, VkDescriptorSet frameSet, gpu::Extent extent,
              std::span<const StoredPicture> stored) const;
  /// 16-bit indices of kQuadsPerDraw quads, two triangles each.
  VkBuffer quads() const { return quads_.get(); }
  static constexpr std::uint32_t kQuadsPerDraw = 16384;  ///< the most that 16-bit indices can address

 private:
  struct Pass;
  VkPipeline imagePipeline(const ImageDraw& draw) const;
  void image(const Pass& pass, const PreparedList& prepared, std::uint32_t index) const;

  const Pipelines& pipelines_;
  gpu::Buffer quads_;  // indices: two triangles per quad
};

}  // namespace sepx::render
