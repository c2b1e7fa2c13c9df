// SPDX-License-Identifier: Apache-2.0
// Heat maps and label maps on the device, known by the identity of their values: the same shared values are uploaded
// once. An image whose values are gone, or were not drawn for a while, is taken for the next picture of its size. What
// two successive frames draw is kept; beyond that there are no more than kMostImages and kMostBytes. Frame thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/render/draw_list.h"
#include "engine/render/uploads.h"

namespace sepx::render {

class Textures {
 public:
  static constexpr std::size_t kMostImages = 512;                  ///< beyond what two successive frames draw
  static constexpr std::size_t kMostBytes = std::size_t{1} << 28;  ///< of texels, all images together

  Textures(gpu::Context& context, const Pipelines& pipelines);

  void beginFrame();  ///< drops what no frame used for long
  void endFrame();    ///< drops what is too much and was not taken for another picture
  /// Set 1 for the image; uploads it outside any render pass when it is new.
  VkDescriptorSet use(VkCommandBuffer commands, Uploads& uploads, const ImageDraw& draw);
  std::size_t size() const { return count_; }  ///< images

 private:
  /// Where the values lie in memory, and the image that they become.
  struct Key {
    const void* values = nullptr;
    std::uint32_t width = 0, height = 0;
    VkFormat format = VK_FORMAT_UNDEFINED;
    bool operator==(const Key&) const = default;
    Key size() const { return {nullptr, width, height, format}; }
    std::size_t bytes() const;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Entry {
    Key key;
    std::weak_ptr<const void> values;  ///< their owner: later ones may lie at the same place in memory
    gpu::Image image;
    gpu::DescriptorSet set;
    std::uint64_t lastUsed = 0;
  };
  using Entries = std::list<Entry>;  ///< the one that was not used for longest first

  /// Neither this frame nor the one before has used it.
  bool idle(const Entry& entry) const { return entry.lastUsed + 1 < frame_; }
  void freeExpired();
  void dropFirst(Entries& entries);
  template <class Which>
  void dropWhile(const Which& which);
  Entries::iterator take(const Key& key);
  Entries::iterator make(const Key& key);
  void upload(VkCommandBuffer commands, Uploads& uploads, const ImageDraw& draw, const Entry& entry);

  gpu::Context& context_;
  const Pipelines& pipelines_;
  Entries entries_;
  std::unordered_map<Key, Entries::iterator, Hash> known_;  // of entries_
  std::unordered_map<Key, Entries, Hash> free_;             // whose values are gone, by size
  std::size_t count_ = 0, bytes_ = 0;                       // of both
  std::vector<std::byte> thinned_;
  std::uint64_t frame_ = 0;
};

}  // namespace sepx::render
