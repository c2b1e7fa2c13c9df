// SPDX-License-Identifier: Apache-2.0
// The drawing order within a picture: first the objects that hide others (opaque surfaces, the cores of tubes and
// markers); then, slab by slab from the farthest to the nearest, the objects that hide nothing (translucent surfaces,
// smooth edges of tubes and markers, faded pieces).
#include "engine/render/solid_pass.h"

#include <algorithm>
#include <array>
#include <bit>

#include "engine/gpu/check.h"

namespace sepx::render {
namespace {

constexpr std::uint64_t kIdleFrames = 4;  // number of frames without use after which an object is dropped
constexpr std::size_t kMostWords = 2 * DrawList::kMostWords;  // limit of a frame's buffer, all records together
constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

/// The push constants of solid.glsl.
struct SolidPush {
  float toClip[2];
  std::uint32_t eye, styles;
  float light[3], perspective;
  std::uint32_t base;
};
static_assert(sizeof(SolidPush) == 36);

VkFormat depthFormat(gpu::Context& context) {
  for (const VkFormat format : {VK_FORMAT_D32_SFLOAT, VK_FORMAT_X8_D24_UNORM_PACK32}) {
    VkFormatProperties properties{};
    vkGetPhysicalDeviceFormatProperties(context.physicalDevice(), format, &properties);
    if (properties.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT) return format;
  }
  return VK_FORMAT_D16_UNORM;  // every device supports it
}

// A CPU needs three to four times as long for four samples as for one, and tubes and markers do not need them.
VkSampleCountFlagBits samplesOf(gpu::Context& context, int wanted) {
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(context.physicalDevice(), &properties);
  const VkSampleCountFlags both =
      properties.limits.framebufferColorSampleCounts & properties.limits.framebufferDepthSampleCounts;
  const bool several = wanted == 0 ? !context.info().software : wanted > 1;
  return several && (both & VK_SAMPLE_COUNT_4_BIT) ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
}

template <class T>
std::size_t wordsOf(const std::vector<T>& records) {
  return (records.size() * sizeof(T) + 15) / 16;
}

template <class T>
std::span<const std::byte> bytesOf(const std::vector<T>& records) {
  return std::as_bytes(std::span(records));
}

bool sameOwner(const std::weak_ptr<const Scene3>& a, const std::shared_ptr<const Scene3>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace

/// The resources that all pictures share: the render pass and its pipelines.
struct SolidPass::Device {
  Device(gpu::Context& context, const Pipelines& pipelines, int samples);
  void makeRenderPass(gpu::Context& context);

  VkFormat depth;
  VkSampleCountFlagBits samples;
  gpu::Handle<VkRenderPass> renderPass;
  gpu::Handle<VkPipeline> opaque, sheets, tubes, cores, soft, markers, markerCores, softMarkers;
};

/// The depth image, and the colour image if a pixel has several samples. Pictures of one size share them.
struct SolidPass::Target {
  gpu::Extent extent;
  gpu::Image depth, color;
  std::uint64_t lastUsed = 0;
};

/// The vertices of the meshes of a scene.
struct SolidPass::Vertices {
  struct Part {
    const Mesh* mesh;
    std::uint64_t revision;
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> key;
  gpu::Buffer buffer;
  std::uint64_t lastUsed = 0;
};

struct SolidPass::Picture {
  std::weak_ptr<const Scene3> scene;
  Placement placement;
  ClipBox box;
  bool valid = false;  // the image shows `scene`
  bool stale = false;  // to be drawn in this frame
  gpu::Image image;
  Target* target = nullptr;
  Vertices* vertices = nullptr;
  gpu::Handle<VkFramebuffer> framebuffer;
  gpu::DescriptorSet set;
  SolidList list;
  std::uint32_t eye = 0, styles = 0, contours = 0, tubes = 0, soft = 0, markers = 0, opaque = 0, sheets = 0;
  std::uint64_t lastUsed = 0;

  bool shows(const SolidDraw& draw) const {
    return valid && sameOwner(scene, draw.scene) && draw.box.width == box.width && draw.box.height == box.height &&
           draw.placement.scale == placement.scale && draw.placement.x - draw.box.x == placement.x - box.x &&
           draw.placement.y - draw.box.y == placement.y - box.y;
  }
};

SolidPass::SolidPass(gpu::Context& context, const Pipelines& pipelines, VkBuffer quads, int samples)
    : context_(context), pipelines_(pipelines), quads_(quads), samples_(samples) {}
SolidPass::~SolidPass() = default;

SolidPass::Device::Device(gpu::Context& context, const Pipelines& pipelines, int wanted)
    : depth(depthFormat(context)), samples(samplesOf(context, wanted)) {
  makeRenderPass(context);
  const auto make = [&](const char* vertex, const char* fragment, bool writes, std::uint32_t pass = 0) {
    gpu::GraphicsPipelineOptions options{.vertex = vertex,
                                         .fragment = fragment,
                                         .layout = pipelines.layout.get(),
                                         .blend = gpu::Blend::Premultiplied,
                                         .constants = {pass},
                                         .name = fragment,
                                         .renderPass = renderPass.get(),
                                         .samples = samples,
                                         .depthTest = true,
                                         .depthWrite = writes};
    if (std::string_view(vertex) == "surface.vert") {
      options.bindings = {{0, sizeof(SurfaceVertex), VK_VERTEX_INPUT_RATE_VERTEX}};
      options.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(SurfaceVertex, position)},
                            {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(SurfaceVertex, normal)},
                            {2, 0, VK_FORMAT_R32_UINT, offsetof(SurfaceVertex, surface)}};
    }
    return gpu::makeGraphicsPipeline(context, options);
  };
  opaque = make("surface.vert", "surface.frag", true);
  sheets = make("surface.vert", "surface.frag", false);
  tubes = make("tube.vert", "tube.frag", true);
  cores = make("tube.vert", "tube.frag", true, 1);
  soft = make("tube.vert", "tube.frag", false, 2);
  markers = make("solid_marker.vert", "solid_marker.frag", true);
  markerCores = make("solid_marker.vert", "solid_marker.frag", true, 1);
  softMarkers = make("solid_marker.vert", "solid_marker.frag", false, 2);
}

void SolidPass::Device::makeRenderPass(gpu::Context& context) {
  const bool several = samples != VK_SAMPLE_COUNT_1_BIT;
  const auto attachment = [&](VkFormat format, VkSampleCountFlagBits count, bool cleared, bool kept,
                              VkImageLayout layout) {
    VkAttachmentDescription description{};
    description.format = format;
    description.samples = count;
    description.loadOp = cleared ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    description.storeOp = kept ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE;
    description.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    description.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    description.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    description.finalLayout = layout;
    return description;
  };
  const std::array attachments{
      attachment(gpu::kTargetFormat, samples, true, !several, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL),
      attachment(depth, samples, true, false, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL),
      attachment(gpu::kTargetFormat, VK_SAMPLE_COUNT_1_BIT, false, true, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)};
  const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference deep{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference whole{2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  subpass.pDepthStencilAttachment = &deep;
  subpass.pResolveAttachments = several ? &whole : nullptr;
  // A picture that an earlier frame sampled, and depth that another picture used, are overwritten only after that use
  // has finished.
  constexpr VkPipelineStageFlags kDepth =
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  VkSubpassDependency before{};
  before.srcSubpass = VK_SUBPASS_EXTERNAL;
  before.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | kDepth;
  before.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  before.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | kDepth;
  before.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                         VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = several ? 3 : 2;
  info.pAttachments = attachments.data();
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = 1;
  info.pDependencies = &before;
  VkRenderPass made = VK_NULL_HANDLE;
  VK_CHECK(vkCreateRenderPass(context.device(), &info, nullptr, &made));
  renderPass = gpu::Handle<VkRenderPass>(context, made, vkDestroyRenderPass);
}

void SolidPass::beginFrame() {
  ++frame_;
  edges_.beginFrame();
  const auto idle = [&](const auto& thing) { return thing->lastUsed + kIdleFrames < frame_; };
  std::erase_if(pictures_, idle);
  const auto unused = [&](const auto& thing) {
    return idle(thing) && std::none_of(pictures_.begin(), pictures_.end(), [&](const auto& picture) {
             return static_cast<const void*>(picture->target) == thing.get() ||
                    static_cast<const void*>(picture->vertices) == thing.get();
           });
  };
  std::erase_if(targets_, unused);
  std::erase_if(vertices_, unused);
  for (const auto& picture : pictures_)
    picture->stale = false;
}

int SolidPass::stale() const {
  return static_cast<int>(
      std::count_if(pictures_.begin(), pictures_.end(), [](const auto& picture) { return picture->stale; }));
}

void SolidPass::use(PreparedList& prepared) {
  prepared.solidSets.clear();
  for (const SolidDraw& draw : prepared.list.solids) {
    Picture& picture = pictureOf(draw);
    picture.lastUsed = frame_;
    prepared.solidSets.push_back(picture.set.get());
  }
}

// Returns the picture that already shows this, or one to be drawn: an unused picture of the same size, or a new one.
SolidPass::Picture& SolidPass::pictureOf(const SolidDraw& draw) {
  for (const auto& picture : pictures_) {
    if (picture->shows(draw)) return *picture;
  }
  const gpu::Extent extent{draw.box.width, draw.box.height};
  Picture* picture = nullptr;
  for (const auto& one : pictures_) {
    const bool over = one->lastUsed < frame_ && (one->scene.expired() || one->lastUsed + 1 < frame_);
    if (over && one->image.extent() == extent) picture = one.get();
  }
  if (!picture) picture = pictures_.emplace_back(std::make_unique<Picture>()).get();
  if (!device_) device_ = std::make_unique<Device>(context_, pipelines_, samples_);
  picture->valid = false;
  picture->stale = true;
  picture->scene = draw.scene;
  picture->placement = draw.placement;
  picture->box = draw.box;
  picture->list.make(*draw.scene, draw.placement, draw.box, edges_);
  makeImages(*picture, extent);
  findVertices(*picture, *draw.scene);
  return *picture;
}

void SolidPass::makeImages(Picture& picture, gpu::Extent extent) {
  if (picture.image) {
    picture.target->lastUsed = frame_;
    return;
  }
  const bool several = device_->samples != VK_SAMPLE_COUNT_1_BIT;
  auto found = std::find_if(targets_.begin(), targets_.end(), [&](const auto& one) { return one->extent == extent; });
  if (found == targets_.end()) {
    auto target = std::make_unique<Target>();
    target->extent = extent;
    target->depth = gpu::Image(context_, {.extent = extent,
                                          .format = device_->depth,
                                          .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                                          .name = "depth",
                                          .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
                                          .samples = device_->samples});
    if (several) {
      target->color = gpu::Image(context_, {.extent = extent,
                                            .format = gpu::kTargetFormat,
                                            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                            .name = "samples",
                                            .samples = device_->samples});
    }
    found = targets_.insert(targets_.end(), std::move(target));
  }
  picture.target = found->get();
  picture.target->lastUsed = frame_;
  picture.image = gpu::Image(context_, {.extent = extent,
                                        .format = gpu::kTargetFormat,
                                        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                                        .name = "three-dimensional picture"});
  picture.set = pipelines_.imageSet(picture.image.view());
  const std::array views{several ? picture.target->color.view() : picture.image.view(), picture.target->depth.view(),
                         picture.image.view()};
  VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  info.renderPass = device_->renderPass.get();
  info.attachmentCount = several ? 3 : 2;
  info.pAttachments = views.data();
  info.width = extent.width;
  info.height = extent.height;
  info.layers = 1;
  VkFramebuffer made = VK_NULL_HANDLE;
  VK_CHECK(vkCreateFramebuffer(context_.device(), &info, nullptr, &made));
  picture.framebuffer = gpu::Handle<VkFramebuffer>(context_, made, vkDestroyFramebuffer);
}

void SolidPass::findVertices(Picture& picture, const Scene3& scene) {
  picture.vertices = nullptr;
  if (picture.list.opaque.empty() && picture.list.sheets.empty()) return;
  std::vector<Vertices::Part> key;
  for (const Surface& surface : scene.surfaces)
    key.push_back({surface.mesh.get(), surface.mesh ? surface.mesh->revision : 0});
  for (const auto& one : vertices_) {
    if (one->key != key) continue;
    one->lastUsed = frame_;
    picture.vertices = one.get();
    return;
  }
  const VkDeviceSize size = surfaceVertices(scene) * sizeof(SurfaceVertex);
  Vertices* vertices = nullptr;
  for (const auto& one : vertices_) {  // reuse one of a finished frame that no picture to be drawn needs
    if (one->lastUsed + gpu::kFramesInFlight < frame_ && one->buffer.size() >= size) vertices = one.get();
  }
  if (!vertices) {
    vertices = vertices_.emplace_back(std::make_unique<Vertices>()).get();
    vertices->buffer =
        gpu::Buffer(context_, {.size = std::bit_ceil(std::max<VkDeviceSize>(VkDeviceSize{1} << 16, size)),
                               .usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                               .memory = gpu::MemoryUse::Upload,
                               .name = "surfaces"});
  }
  for (const auto& other : pictures_) {
    if (other->vertices == vertices) other->vertices = nullptr;
  }
  writeSurfaceVertices(scene, reinterpret_cast<SurfaceVertex*>(vertices->buffer.mapped()));
  vertices->key = std::move(key);
  vertices->lastUsed = frame_;
  picture.vertices = vertices;
}

std::size_t SolidPass::layOut(std::size_t at) {
  for (const auto& one : pictures_) {
    Picture& picture = *one;
    if (!picture.stale) continue;
    SolidList& list = picture.list;
    const std::size_t need = sizeof(EyeRecord) / 16 + wordsOf(list.styles) + wordsOf(list.contours) +
                             wordsOf(list.tubes) + wordsOf(list.soft) + wordsOf(list.markers) + wordsOf(list.opaque) +
                             wordsOf(list.sheets);
    if (at + need > kMostWords) list.clear();
    const auto place = [&at](std::uint32_t& first, std::size_t words) {
      first = static_cast<std::uint32_t>(at);
      at += words;
    };
    place(picture.eye, sizeof(EyeRecord) / 16);
    place(picture.styles, wordsOf(list.styles));
    place(picture.contours, wordsOf(list.contours));
    place(picture.tubes, wordsOf(list.tubes));
    place(picture.soft, wordsOf(list.soft));
    place(picture.markers, wordsOf(list.markers));
    place(picture.opaque, wordsOf(list.opaque));
    place(picture.sheets, wordsOf(list.sheets));
    for (StyleRecord& style : list.styles)
      style.firstContour += 4 * picture.contours;
  }
  return at;
}

void SolidPass::upload(Uploads& uploads) const {
  for (const auto& picture : pictures_) {
    if (!picture->stale) continue;
    const SolidList& list = picture->list;
    uploads.write(picture->eye, std::as_bytes(std::span(&list.eye, 1)));
    uploads.write(picture->styles, bytesOf(list.styles));
    uploads.write(picture->contours, bytesOf(list.contours));
    uploads.write(picture->tubes, bytesOf(list.tubes));
    uploads.write(picture->soft, bytesOf(list.soft));
    uploads.write(picture->markers, bytesOf(list.markers));
    uploads.write(picture->opaque, bytesOf(list.opaque));
    uploads.write(picture->sheets, bytesOf(list.sheets));
  }
}

void SolidPass::record(VkCommandBuffer commands, const Picture& picture, VkBuffer words) const {
  const SolidList& list = picture.list;
  SolidPush push{{2.0F / static_cast<float>(picture.box.width), 2.0F / static_cast<float>(picture.box.height)},
                 picture.eye,
                 picture.styles,
                 {static_cast<float>(list.light.x), static_cast<float>(list.light.y), static_cast<float>(list.light.z)},
                 list.perspective ? 1.0F : 0.0F,
                 0};
  const auto begin = [&](const gpu::Handle<VkPipeline>& pipeline, std::uint32_t base) {
    push.base = base;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.get());
    vkCmdPushConstants(commands, pipelines_.layout.get(), kStages, 0, sizeof push, &push);
  };
  const auto triangles = [&](const gpu::Handle<VkPipeline>& pipeline, std::uint32_t base, std::size_t first,
                             std::size_t count) {
    if (count == 0) return;
    begin(pipeline, 0);
    const VkBuffer buffer = picture.vertices->buffer.get();
    constexpr VkDeviceSize kStart = 0;
    vkCmdBindVertexBuffers(commands, 0, 1, &buffer, &kStart);
    vkCmdBindIndexBuffer(commands, words, VkDeviceSize{16} * base, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(commands, static_cast<std::uint32_t>(count), 1, static_cast<std::uint32_t>(first), 0, 0);
  };
  const auto quads = [&](const gpu::Handle<VkPipeline>& pipeline, std::uint32_t base, std::size_t first,
                         std::size_t count) {
    if (count == 0) return;
    begin(pipeline, base);
    vkCmdBindIndexBuffer(commands, quads_, 0, VK_INDEX_TYPE_UINT16);
    constexpr std::size_t kAtOnce = Recorder::kQuadsPerDraw;
    for (std::size_t done = 0; done < count; done += kAtOnce) {
      vkCmdDrawIndexed(commands, static_cast<std::uint32_t>(6 * std::min(kAtOnce, count - done)), 1, 0,
                       static_cast<std::int32_t>(4 * (first + done)), 0);
    }
  };
  const bool sheets = !list.slabs.empty();
  triangles(device_->opaque, picture.opaque, 0, list.opaque.size());
  quads(sheets ? device_->cores : device_->tubes, picture.tubes, 0, list.tubes.size());
  if (!sheets) quads(device_->soft, picture.soft, 0, list.soft.size());
  quads(sheets ? device_->markerCores : device_->markers, picture.markers, 0, list.markers.size());
  for (const Slab& slab : list.slabs) {
    triangles(device_->sheets, picture.sheets, slab.firstSheet, slab.sheets);
    quads(device_->soft, picture.soft, slab.firstSoft, slab.soft);
    quads(device_->softMarkers, picture.markers, slab.firstMarker, slab.markers);
  }
}

void SolidPass::draw(VkCommandBuffer commands, VkDescriptorSet frameSet, VkBuffer words) {
  for (const auto& picture : pictures_) {
    if (!picture->stale) continue;
    std::array<VkClearValue, 2> clear{};  // transparent, farthest depth
    clear[1].depthStencil.depth = 1;
    VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    info.renderPass = device_->renderPass.get();
    info.framebuffer = picture->framebuffer.get();
    info.renderArea.extent = {picture->box.width, picture->box.height};
    info.clearValueCount = clear.size();
    info.pClearValues = clear.data();
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    const VkViewport viewport{0, 0, static_cast<float>(picture->box.width), static_cast<float>(picture->box.height),
                              0, 1};
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &info.renderArea);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.layout.get(), 0, 1, &frameSet, 0,
                            nullptr);
    record(commands, *picture, words);
    vkCmdEndRenderPass(commands);
    gpu::transition(commands, picture->image.get(), VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    picture->valid = true;
  }
}

}  // namespace sepx::render
