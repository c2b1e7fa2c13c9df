// SPDX-License-Identifier: Apache-2.0
// A cache of heat maps and label maps on the device, identified by the pointer to their values: shared values are
// uploaded only once. An image whose values were freed, or were not drawn for a while, is reused for the next picture
// of its size. Images that two successive frames draw are kept; beyond that, the cache is limited to kMostImages and
// kMostBytes. Frame thread only.
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

  void beginFrame();  ///< drops images that were not used for many frames
  void endFrame();    ///< drops idle images beyond the limits
  /// Returns set 1 for the image. Uploads the image when it is new, so call it outside any render pass.
  VkDescriptorSet use(VkCommandBuffer commands, Uploads& uploads, const ImageDraw& draw);
  std::size_t size() const { return count_; }  ///< images

 private:
  /// The address of the values, and the size and format of their image.
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
    std::weak_ptr<const void> values;  ///< their owner: later values may have the same address
    gpu::Image image;
    gpu::DescriptorSet set;
    std::uint64_t lastUsed = 0;
  };
  using Entries = std::list<Entry>;  ///< least recently used first

  /// Whether neither this frame nor the one before has used it.
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
  std::unordered_map<Key, Entries, Hash> free_;             // whose values were freed, by size
  std::size_t count_ = 0, bytes_ = 0;                       // of both
  std::vector<std::byte> thinned_;
  std::uint64_t frame_ = 0;
};

}  // namespace sepx::render
