// SPDX-License-Identifier: Apache-2.0
// Heat maps and label maps on the device, known by the identity of their values: the same shared values are uploaded
// once. An image whose values are gone, or were not drawn for a while, is taken for the next picture of its size. Frame
// thread only.
#pragma once

#include <cstdint>
#include <list>
#include <memory>

#include "engine/render/draw_list.h"
#include "engine/render/uploads.h"

namespace sepx::render {

class Textures {
 public:
  Textures(gpu::Context& context, const Pipelines& pipelines);

  void beginFrame();  ///< drops what long no frame used
  /// Set 1 for the image; uploads it outside any render pass when it is new.
  VkDescriptorSet use(VkCommandBuffer commands, Uploads& uploads, const ImageDraw& draw);
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::weak_ptr<const void> values;
    gpu::Image image;
    gpu::DescriptorSet set;
    int stride = 1;
    std::uint64_t lastUsed = 0;
  };
  Entry& take(gpu::Extent extent, VkFormat format);

  gpu::Context& context_;
  const Pipelines& pipelines_;
  std::list<Entry> entries_;
  std::vector<std::byte> thinned_;
  std::uint64_t frame_ = 0;
};

}  // namespace sepx::render
