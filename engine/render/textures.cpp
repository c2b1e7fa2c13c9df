// SPDX-License-Identifier: Apache-2.0
#include "engine/render/textures.h"

#include <functional>
#include <iterator>
#include <utility>

namespace sepx::render {
namespace {

constexpr std::uint64_t kIdleFrames = 240;  // number of frames without use after which an image is dropped

// Whether both have the same owner, even if one of the pointers is empty or its object was freed.
bool sameOwner(const std::weak_ptr<const void>& a, const std::shared_ptr<const void>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace

std::size_t Textures::Key::bytes() const {
  return std::size_t{width} * height * (format == VK_FORMAT_R8_UINT ? 1 : sizeof(float));
}

std::size_t Textures::Hash::operator()(const Key& key) const {
  const std::uint64_t size = (std::uint64_t{key.width} << 32 | key.height) + static_cast<std::uint64_t>(key.format);
  return std::hash<const void*>{}(key.values) ^ std::hash<std::uint64_t>{}(size * 0x9E3779B97F4A7C15U);
}

Textures::Textures(gpu::Context& context, const Pipelines& pipelines) : context_(context), pipelines_(pipelines) {}

/// Makes the images of values that were freed available to other pictures.
void Textures::freeExpired() {
  for (auto next = entries_.begin(); next != entries_.end();) {
    const auto entry = next++;
    if (!entry->values.expired()) continue;
    known_.erase(entry->key);
    Entries& same = free_[entry->key.size()];
    same.splice(same.end(), entries_, entry);
  }
}

void Textures::dropFirst(Entries& entries) {
  const Entry& first = entries.front();
  --count_;
  bytes_ -= first.key.bytes();
  if (&entries == &entries_) known_.erase(first.key);
  entries.pop_front();
}

/// Drops free images first.
template <class Which>
void Textures::dropWhile(const Which& which) {
  const auto drop = [&](Entries& entries) {
    while (!entries.empty() && which(entries.front()))
      dropFirst(entries);
  };
  for (auto& [size, entries] : free_)
    drop(entries);
  std::erase_if(free_, [](const auto& one) { return one.second.empty(); });
  drop(entries_);
}

void Textures::beginFrame() {
  ++frame_;
  freeExpired();
  dropWhile([&](const Entry& entry) { return entry.lastUsed + kIdleFrames < frame_; });
}

void Textures::endFrame() {
  dropWhile([&](const Entry& entry) { return (count_ > kMostImages || bytes_ > kMostBytes) && idle(entry); });
}

Textures::Entries::iterator Textures::make(const Key& key) {
  Entry made;
  made.key = key;
  made.image = gpu::Image(context_, {.extent = {key.width, key.height},
                                     .format = key.format,
                                     .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                     .name = key.format == VK_FORMAT_R8_UINT ? "label map" : "heat map"});
  made.set = pipelines_.imageSet(made.image.view());
  entries_.push_back(std::move(made));
  ++count_;
  bytes_ += key.bytes();
  return std::prev(entries_.end());
}

/// Returns the last of entries_, with the key's size: a free image, an idle one if a limit is reached, or a new one.
Textures::Entries::iterator Textures::take(const Key& key) {
  if (const auto same = free_.find(key.size()); same != free_.end() && !same->second.empty()) {
    entries_.splice(entries_.end(), same->second, same->second.begin());
    return std::prev(entries_.end());
  }
  while ((count_ >= kMostImages || bytes_ + key.bytes() > kMostBytes) && !entries_.empty() && idle(entries_.front())) {
    const auto first = entries_.begin();
    if (first->key.size() == key.size()) {
      known_.erase(first->key);
      entries_.splice(entries_.end(), entries_, first);
      return first;
    }
    dropFirst(entries_);
  }
  return make(key);
}

VkDescriptorSet Textures::use(VkCommandBuffer commands, Uploads& uploads, const ImageDraw& draw) {
  const std::shared_ptr<const void> values = draw.heatmap ? std::shared_ptr<const void>(draw.heatmap->values)
                                                          : std::shared_ptr<const void>(draw.labelMap->labels);
  const auto texels = [&draw](int side) {
    return (static_cast<std::uint32_t>(side) + static_cast<std::uint32_t>(draw.stride) - 1) /
           static_cast<std::uint32_t>(draw.stride);
  };
  const Key key{values.get(), texels(draw.heatmap ? draw.heatmap->width : draw.labelMap->width),
                texels(draw.heatmap ? draw.heatmap->height : draw.labelMap->height),
                draw.heatmap ? VK_FORMAT_R32_SFLOAT : VK_FORMAT_R8_UINT};
  const auto found = known_.find(key);
  const bool known = found != known_.end();
  const Entries::iterator entry = known ? found->second : take(key);
  if (known) entries_.splice(entries_.end(), entries_, entry);
  entry->lastUsed = frame_;
  if (known && sameOwner(entry->values, values)) return entry->set.get();
  entry->key = key;
  entry->values = values;
  if (!known) known_.emplace(key, entry);
  upload(commands, uploads, draw, *entry);
  return entry->set.get();
}

void Textures::upload(VkCommandBuffer commands, Uploads& uploads, const ImageDraw& draw, const Entry& entry) {
  const auto width = static_cast<std::size_t>(draw.heatmap ? draw.heatmap->width : draw.labelMap->width);
  const auto height = static_cast<std::size_t>(draw.heatmap ? draw.heatmap->height : draw.labelMap->height);
  const auto stride = static_cast<std::size_t>(draw.stride);
  const std::size_t texel = draw.heatmap ? sizeof(float) : 1;
  const auto* source = draw.heatmap ? reinterpret_cast<const std::byte*>(draw.heatmap->values->data())
                                    : reinterpret_cast<const std::byte*>(draw.labelMap->labels->data());
  std::span<const std::byte> bytes(source, width * height * texel);
  if (stride > 1) {
    thinned_.clear();
    for (std::size_t y = 0; y < height; y += stride) {
      for (std::size_t x = 0; x < width; x += stride) {
        thinned_.insert(thinned_.end(), source + (y * width + x) * texel, source + (y * width + x + 1) * texel);
      }
    }
    bytes = thinned_;
  }
  // UNDEFINED: the content of a previous picture is not needed. Its last reader is in the same queue, and the barrier
  // waits for it.
  gpu::transition(commands, entry.image.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  uploads.texels(commands, entry.image, bytes, 0, entry.key.height);
  gpu::transition(commands, entry.image.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

}  // namespace sepx::render
