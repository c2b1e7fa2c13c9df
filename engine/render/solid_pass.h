// SPDX-License-Identifier: Apache-2.0
// Draws three-dimensional pictures on the device. Each is drawn into an image of its own with a depth buffer, before
// the pass that draws it on its page, and only when its scene, place or size has changed. Vertices of surfaces are
// cached by the revisions of their meshes. Several samples per pixel unless the device is a CPU. Frame thread only;
// throws gpu::VulkanError.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/render/recorder.h"
#include "engine/render/solid_list.h"

namespace sepx::render {

class SolidPass {
 public:
  /// `samples` per pixel: 1, 4, or 0 for the default of the device.
  SolidPass(gpu::Context& context, const Pipelines& pipelines, VkBuffer quads, int samples);
  ~SolidPass();

  void beginFrame();  ///< once, before a frame's pictures
  /// Finds or makes the picture of each of the list's solids and fills solidSets.
  void use(PreparedList& prepared);
  /// Places the records of the pictures to be drawn from word `at` on. Returns the first word after them.
  std::size_t layOut(std::size_t at);
  void upload(Uploads& uploads) const;
  /// Draws the stale pictures. Call it outside any render pass. `words`: the buffer of the records.
  void draw(VkCommandBuffer commands, VkDescriptorSet frameSet, VkBuffer words);
  /// Number of pictures that are drawn in this frame.
  int stale() const;

 private:
  struct Device;
  struct Target;
  struct Vertices;
  struct Picture;
  Picture& pictureOf(const SolidDraw& draw);
  void makeImages(Picture& picture, gpu::Extent extent);
  void findVertices(Picture& picture, const Scene3& scene);
  void record(VkCommandBuffer commands, const Picture& picture, VkBuffer words) const;

  gpu::Context& context_;
  const Pipelines& pipelines_;
  VkBuffer quads_;
  int samples_;
  std::unique_ptr<Device> device_;  // made with the first picture
  std::vector<std::unique_ptr<Target>> targets_;
  std::vector<std::unique_ptr<Vertices>> vertices_;
  std::vector<std::unique_ptr<Picture>> pictures_;
  EdgeCache edges_;
  std::uint64_t frame_ = 0;
};

}  // namespace sepx::render
