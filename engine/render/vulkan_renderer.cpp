// SPDX-License-Identifier: Apache-2.0
// The steps of a frame: find the still layers that can be cached, make draw lists on the CPU, upload, redraw the cached
// pictures that are stale, record the main pass.
#include "engine/render/vulkan_renderer.h"

#include <algorithm>
#include <cmath>

#include "engine/core/try.h"
#include "engine/gpu/check.h"
#include "engine/gpu/context.h"
#include "engine/gpu/frame.h"
#include "engine/render/color_map.h"
#include "engine/render/recorder.h"
#include "engine/render/solid_pass.h"

namespace sepx::render {
namespace {

constexpr std::uint32_t kScales = 4;  // colour scales, rows of their table

gpu::Image makePicture(gpu::Context& context, gpu::Extent extent, VkFormat format, const char* name) {
  return gpu::Image(context, {.extent = extent,
                              .format = format,
                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                              .name = name});
}

VkClearColorValue clearValue(const Color& color) {
  return {{color.r * color.a, color.g * color.a, color.b * color.a, color.a}};
}

// The content of a cached picture. Equal keys mean the same picture.
struct Key {
  struct Part {
    std::string name;
    std::uint64_t revision;
    bool clip;
    std::optional<Rect> within;
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> layers;
  Rect plot, window;
  Color background;
  double width = 0, height = 0, scale = 0;
  bool operator==(const Key&) const = default;
};

// The leading still layers of one placed scene, cached in an image.
struct Stored {
  Key key;
  bool valid = false;
  bool used = false;   // in this frame
  bool stale = false;  // to be drawn in this frame
  gpu::Image image;
  gpu::Handle<VkFramebuffer> framebuffer;
  gpu::DescriptorSet set;
  PreparedList prepared;
};

std::size_t stillLayers(const Scene& scene) {
  const auto moving =
      std::find_if(scene.layers.begin(), scene.layers.end(), [](const Layer& layer) { return !layer.still; });
  return static_cast<std::size_t>(moving - scene.layers.begin());
}

Key keyOf(const Scene& scene, std::size_t layers, double scale) {
  Key key{{}, scene.plot, scene.window, scene.background, scene.width, scene.height, scale};
  key.layers.reserve(layers);
  for (std::size_t i = 0; i < layers; ++i) {
    key.layers.push_back(
        {scene.layers[i].name, scene.layers[i].revision, scene.layers[i].clip, scene.layers[i].within});
  }
  return key;
}

bool overlap(const ClipBox& a, const ClipBox& b) {
  const auto meet = [](std::int32_t one, std::uint32_t length, std::int32_t other, std::uint32_t otherLength) {
    return one < other + static_cast<std::int64_t>(otherLength) && other < one + static_cast<std::int64_t>(length);
  };
  return meet(a.x, a.width, b.x, b.width) && meet(a.y, a.height, b.y, b.height);
}

/// Copies the part of a cached picture that `box` of the target shows.
void copyPicture(const gpu::Frame& frame, const StoredPicture& picture, const ClipBox& box) {
  constexpr VkImageSubresourceLayers kColour{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  const VkImage image = picture.image->get();
  const VkOffset3D from{box.x - static_cast<std::int32_t>(picture.x), box.y - static_cast<std::int32_t>(picture.y), 0};
  const gpu::Extent have = picture.image->extent();
  const VkImageCopy region{kColour,
                           from,
                           kColour,
                           {box.x, box.y, 0},
                           {std::min(box.width, have.width - static_cast<std::uint32_t>(from.x)),
                            std::min(box.height, have.height - static_cast<std::uint32_t>(from.y)), 1}};
  gpu::transition(frame.commands, image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                  VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  vkCmdCopyImage(frame.commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, frame.image,
                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
  gpu::transition(frame.commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

class Renderer final : public VulkanRenderer {
 public:
  Renderer(gpu::Context& context, GlyphAtlas atlas, const RendererOptions& options);

  void draw(gpu::Frame& frame, std::span<const PlacedScene> scenes, float scale, Color clear,
            const std::function<void(gpu::Frame&)>& overlay) override;
  const RenderStatistics& statistics() const override { return statistics_; }

 private:
  void build(const gpu::Frame& frame, std::span<const PlacedScene> scenes, double scale);
  bool buildStored(const Scene& scene, std::size_t layers, double scale, Stored& stored);
  void uploadShared(VkCommandBuffer commands);
  void drawStored(VkCommandBuffer commands, VkDescriptorSet frameSet);
  bool copyStored(const gpu::Frame& frame, Color clear);
  void countImages();

  gpu::Context& context_;
  Pipelines pipelines_;
  gpu::Image colorTables_, atlasImage_;
  bool sharedReady_ = false;
  Uploads uploads_;
  Textures textures_;
  Recorder recorder_;
  SolidPass solids_;
  GlyphAtlas atlas_;
  std::vector<std::unique_ptr<Stored>> stored_;  // one for each position in the list of scenes
  std::vector<StoredPicture> pictures_;
  PreparedList main_;
  RenderStatistics statistics_;
  std::uint32_t maxImageSide_ = 4096;
  bool copies_ = false;  // a CPU copies rows faster than it draws them
};

Renderer::Renderer(gpu::Context& context, GlyphAtlas atlas, const RendererOptions& options)
    : context_(context),
      pipelines_(context),
      colorTables_(makePicture(context, {kColorTableSize, kScales}, VK_FORMAT_R8G8B8A8_UNORM, "colour tables")),
      atlasImage_(makePicture(context, {kAtlasSide, kAtlasSide}, VK_FORMAT_R8_UNORM, "glyph atlas")),
      uploads_(context, pipelines_, {colorTables_.view(), atlasImage_.view()}),
      textures_(context, pipelines_),
      recorder_(context, pipelines_),
      solids_(context, pipelines_, recorder_.quads(), options.samples),
      atlas_(std::move(atlas)) {
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(context.physicalDevice(), &properties);
  maxImageSide_ = properties.limits.maxImageDimension2D;
  copies_ = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

// Makes the draw lists of everything that is drawn in this frame. The atlas may become full meanwhile; draw() then
// builds them again.
void Renderer::build(const gpu::Frame& frame, std::span<const PlacedScene> scenes, double scale) {
  statistics_ = {};
  main_.list.clear();
  pictures_.assign(scenes.size(), {});
  while (stored_.size() < scenes.size())
    stored_.push_back(std::make_unique<Stored>());
  for (const auto& stored : stored_)
    stored->used = stored->stale = false;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    if (!scenes[i].scene) continue;
    const Scene& scene = *scenes[i].scene;
    Placement placement = placeScene(scenes[i].origin, scale, frame.extent.width, frame.extent.height);
    placement.maxImageSide = maxImageSide_;
    std::size_t kept = stillLayers(scene);
    if (kept > 0 && buildStored(scene, kept, scale, *stored_[i])) {
      pictures_[i] = {&stored_[i]->image, stored_[i]->set.get(), static_cast<float>(placement.x),
                      static_cast<float>(placement.y), scene.background.a >= 1};
      main_.list.appendStored(scene, placement, static_cast<std::uint32_t>(i));
    } else {
      kept = 0;
      main_.list.appendPage(scene, placement, scene.background);
    }
    const std::span<const Layer> moving = std::span(scene.layers).subspan(kept);
    main_.list.append(scene, moving, placement, atlas_);
    statistics_.drawnLayers += static_cast<int>(moving.size());
  }
  statistics_.vertices += main_.list.vertices();
}

// Returns false when the page is empty or larger than an image may be. Everything is then drawn directly.
bool Renderer::buildStored(const Scene& scene, std::size_t layers, double scale, Stored& stored) {
  const double width = std::ceil(scene.width * scale), height = std::ceil(scene.height * scale);
  if (!(width >= 1) || !(height >= 1) || width > maxImageSide_ || height > maxImageSide_) return false;
  stored.used = true;
  Key key = keyOf(scene, layers, scale);
  if (stored.valid && stored.key == key) {
    statistics_.cachedLayers += static_cast<int>(layers);
    return true;
  }
  const gpu::Extent extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
  if (!stored.image || !(stored.image.extent() == extent)) {
    stored.image = gpu::Image(context_, {.extent = extent,
                                         .format = gpu::kTargetFormat,
                                         .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                                  VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                         .name = "still layers"});
    stored.framebuffer = gpu::makeFramebuffer(context_, stored.image.view(), extent);
    stored.set = pipelines_.imageSet(stored.image.view());
  }
  stored.key = std::move(key);
  stored.valid = false;  // until it was drawn
  stored.stale = true;
  stored.prepared.list.clear();
  Placement placement = placeScene({}, scale, extent.width, extent.height);
  placement.maxImageSide = maxImageSide_;
  stored.prepared.list.append(scene, std::span(scene.layers).first(layers), placement, atlas_);
  statistics_.drawnLayers += static_cast<int>(layers);
  statistics_.vertices += stored.prepared.list.vertices();
  return true;
}

void Renderer::uploadShared(VkCommandBuffer commands) {
  const VkImageLayout before = sharedReady_ ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED;
  const auto copy = [&](const gpu::Image& image, std::span<const std::byte> bytes, std::uint32_t top,
                        std::uint32_t rows) {
    gpu::transition(commands, image.get(), before, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    uploads_.texels(commands, image, bytes, top, rows);
    gpu::transition(commands, image.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  };
  if (!sharedReady_) {
    std::vector<std::uint8_t> tables;
    for (std::uint32_t i = 0; i < kScales; ++i) {
      const ColorTable table = colorTable(static_cast<ColorMap>(i));
      tables.insert(tables.end(), table.begin(), table.end());
    }
    copy(colorTables_, std::as_bytes(std::span(tables)), 0, kScales);
  }
  const AtlasRows rows = atlas_.takeChanges();
  if (rows.first < rows.end) {
    const auto first = static_cast<std::size_t>(rows.first) * kAtlasSide;
    const auto count = static_cast<std::size_t>(rows.end - rows.first) * kAtlasSide;
    copy(atlasImage_, std::as_bytes(std::span(atlas_.coverage()).subspan(first, count)),
         static_cast<std::uint32_t>(rows.first), static_cast<std::uint32_t>(rows.end - rows.first));
  }
  sharedReady_ = true;
}

void Renderer::drawStored(VkCommandBuffer commands, VkDescriptorSet frameSet) {
  for (const auto& stored : stored_) {
    if (!stored->stale) continue;
    const gpu::Extent extent = stored->image.extent();
    gpu::beginRenderPass(context_, commands, stored->framebuffer.get(), extent, clearValue(stored->key.background));
    recorder_.record(commands, stored->prepared, frameSet, extent, {});
    vkCmdEndRenderPass(commands);
    gpu::transition(commands, stored->image.get(), VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    stored->valid = true;
  }
}

// Copies the cached pictures that no earlier command overlaps into the target. Returns true if the target then has its
// background.
bool Renderer::copyStored(const gpu::Frame& frame, Color clear) {
  if (!copies_ || !frame.image) return false;
  const auto& commands = main_.list.commands;
  bool any = false, covered = false;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (commands[i].kind != DrawCommand::Kind::Stored || !pictures_[commands[i].first].opaque) continue;
    const ClipBox& box = commands[i].clip;
    if (std::any_of(commands.begin(), commands.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const DrawCommand& before) { return overlap(before.clip, box); }))
      continue;
    pictures_[commands[i].first].copied = box;
    any = true;
    covered = covered || (box.width == frame.extent.width && box.height == frame.extent.height);
  }
  if (!any) return false;
  constexpr VkImageLayout kInto = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  gpu::transition(frame.commands, frame.image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, kInto);
  if (!covered) {
    const VkClearColorValue value = clearValue(clear);
    constexpr VkImageSubresourceRange kWhole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(frame.commands, frame.image, kInto, &value, 1, &kWhole);
    gpu::transition(frame.commands, frame.image, kInto, kInto);
  }
  for (const StoredPicture& picture : pictures_)
    if (picture.copied) copyPicture(frame, picture, *picture.copied);
  gpu::transition(frame.commands, frame.image, kInto, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  return true;
}

void Renderer::countImages() {
  const gpu::DescriptorPools::Use sets = pipelines_.imageSets->use();
  statistics_.images = textures_.size();
  statistics_.imageSets = sets.sets;
  statistics_.imageSetRoom = sets.room;
}

void Renderer::draw(gpu::Frame& frame, std::span<const PlacedScene> scenes, float scale, Color clear,
                    const std::function<void(gpu::Frame&)>& overlay) try {
  uploads_.begin(frame.index);
  pipelines_.imageSets->trim();
  textures_.beginFrame();
  solids_.beginFrame();
  build(frame, scenes, scale);
  if (atlas_.full()) {
    atlas_.clear();
    build(frame, scenes, scale);
  }
  std::size_t words = Recorder::layOut(main_, 0);
  solids_.use(main_);
  for (const auto& stored : stored_) {
    if (!stored->used) *stored = Stored{};  // its scene is gone
    if (!stored->stale) continue;
    words = Recorder::layOut(stored->prepared, words);
    solids_.use(stored->prepared);
  }
  words = solids_.layOut(words);
  statistics_.drawnSolids = solids_.stale();
  uploadShared(frame.commands);
  const VkDescriptorSet frameSet = uploads_.reserve(words);
  const auto upload = [&](PreparedList& prepared) {
    Recorder::upload(prepared, uploads_);
    Recorder::uploadImages(frame.commands, prepared, textures_, uploads_);
  };
  upload(main_);
  for (const auto& stored : stored_) {
    if (stored->stale) upload(stored->prepared);
  }
  solids_.upload(uploads_);
  solids_.draw(frame.commands, frameSet, uploads_.buffer());
  drawStored(frame.commands, frameSet);
  const bool grounded = copyStored(frame, clear);
  gpu::beginRenderPass(context_, frame.commands, frame.framebuffer, frame.extent,
                       grounded ? std::nullopt : std::optional(clearValue(clear)));
  recorder_.record(frame.commands, main_, frameSet, frame.extent, pictures_);
  if (overlay) overlay(frame);
  vkCmdEndRenderPass(frame.commands);
  textures_.endFrame();
  countImages();
} catch (const gpu::VulkanError&) {
  // Out of memory or device lost: end() of the target returns Lost, and the host falls back.
  context_.markLost();
}

}  // namespace

Result<std::unique_ptr<VulkanRenderer>> VulkanRenderer::create(gpu::Context& context, const RendererOptions& options) {
  SEPX_ASSIGN(GlyphAtlas atlas, GlyphAtlas::create());
  try {
    return std::make_unique<Renderer>(context, std::move(atlas), options);
  } catch (const gpu::VulkanError& error) {
    return tl::unexpected<Error>(gpu::toError(error));
  }
}

}  // namespace sepx::render
