// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/imgui_renderer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>

#include "engine/gpu/context.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace {

// Area, in square points, from which a triangle is worth the draw call of a separate run.
constexpr float kLargeArea = 1024;

constexpr std::uint32_t kSets = gpu::kFramesInFlight + 2;  // one is in use, others wait for frames in flight

struct Push {
  float scale[2], shift[2];
};

bool opaque(ImU32 color) {
  return (color & IM_COL32_A_MASK) == IM_COL32_A_MASK;
}

ImguiPaint paintOf(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, ImVec2 white) {
  const auto plain = [white](const ImDrawVert& vertex) { return vertex.uv.x == white.x && vertex.uv.y == white.y; };
  if (!plain(a) || !plain(b) || !plain(c)) return ImguiPaint::Textured;
  const float twice = (b.pos.x - a.pos.x) * (c.pos.y - a.pos.y) - (c.pos.x - a.pos.x) * (b.pos.y - a.pos.y);
  if (std::abs(twice) < 2 * kLargeArea) return ImguiPaint::Textured;
  return opaque(a.col & b.col & c.col) ? ImguiPaint::Opaque : ImguiPaint::Flat;
}

/// Makes room for `size` bytes. The previous content is lost if the buffer grows.
void ensure(gpu::Context& context, gpu::Buffer& buffer, std::size_t size, VkBufferUsageFlags usage, const char* name) {
  if (buffer && buffer.size() >= size) return;
  buffer = gpu::Buffer(context, {.size = std::bit_ceil(std::max<VkDeviceSize>(VkDeviceSize{1} << 16, size)),
                                 .usage = usage,
                                 .memory = gpu::MemoryUse::Upload,
                                 .name = name});
}

/// Pixels of the target that a command may touch; empty if there are none.
std::optional<VkRect2D> clipOf(const ImDrawCmd& command, const ImDrawData& data, gpu::Extent extent) {
  const auto pixel = [](float points, float origin, float scale, std::uint32_t most) {
    return static_cast<std::int32_t>(std::clamp((points - origin) * scale, 0.0f, static_cast<float>(most)));
  };
  const ImVec2 origin = data.DisplayPos, scale = data.FramebufferScale;
  const std::int32_t left = pixel(command.ClipRect.x, origin.x, scale.x, extent.width);
  const std::int32_t top = pixel(command.ClipRect.y, origin.y, scale.y, extent.height);
  const std::int32_t right = pixel(command.ClipRect.z, origin.x, scale.x, extent.width);
  const std::int32_t bottom = pixel(command.ClipRect.w, origin.y, scale.y, extent.height);
  if (right <= left || bottom <= top) return std::nullopt;
  return VkRect2D{{left, top}, {static_cast<std::uint32_t>(right - left), static_cast<std::uint32_t>(bottom - top)}};
}

}  // namespace

void appendRuns(const ImDrawList& list, const ImDrawCmd& command, ImVec2 white, std::vector<ImguiRun>& runs) {
  const ImDrawVert* const vertices = list.VtxBuffer.Data + command.VtxOffset;
  const ImDrawIdx* const indices = list.IdxBuffer.Data + command.IdxOffset;
  const std::size_t begin = runs.size();
  for (std::uint32_t i = 0; i + 2 < command.ElemCount; i += 3) {
    const ImguiPaint paint = paintOf(vertices[indices[i]], vertices[indices[i + 1]], vertices[indices[i + 2]], white);
    if (runs.size() > begin && runs.back().paint == paint)
      runs.back().count += 3;
    else
      runs.push_back({command.IdxOffset + i, 3, paint});
  }
}

Result<void> checkAtlas(gpu::Extent atlas, std::uint32_t mostSide) {
  if (std::max(atlas.width, atlas.height) <= mostSide) return {};
  return fail(ErrorKind::NoDevice,
              trFormat("The glyphs of the interface need an image of {} × {} pixels, but the graphics device allows {} "
                       "at most. Choose a smaller scale in the preferences.",
                       atlas.width, atlas.height, mostSide));
}

ImguiRenderer::ImguiRenderer(gpu::Context& context)
    : context_(context),
      sampler_(gpu::makeSampler(context, {.address = VK_SAMPLER_ADDRESS_MODE_REPEAT, .name = "interface"})),
      setLayout_(gpu::makeDescriptorSetLayout(context, {gpu::DescriptorBinding{}})),
      pool_(gpu::makeDescriptorPool(context, kSets, {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, kSets}})),
      layout_(gpu::makePipelineLayout(
          context,
          {.sets = {setLayout_.get()}, .pushConstantBytes = sizeof(Push), .stages = VK_SHADER_STAGE_VERTEX_BIT})) {
  gpu::GraphicsPipelineOptions options{
      .vertex = "imgui.vert",
      .fragment = "imgui_textured.frag",
      .layout = layout_.get(),
      .bindings = {{0, sizeof(ImDrawVert), VK_VERTEX_INPUT_RATE_VERTEX}},
      .attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ImDrawVert, pos)},
                     {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ImDrawVert, uv)},
                     {2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(ImDrawVert, col)}},
      .name = "interface",
  };
  const auto make = [&](ImguiPaint paint) {
    pipelines_[static_cast<std::size_t>(paint)] = gpu::makeGraphicsPipeline(context, options);
  };
  make(ImguiPaint::Textured);
  options.fragment = "imgui_flat.frag";
  make(ImguiPaint::Flat);
  options.blend = gpu::Blend::None;
  make(ImguiPaint::Opaque);
}

Result<void> ImguiRenderer::uploadAtlas(VkCommandBuffer commands) {
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  gpu::Extent extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
  // Creating an image that the device does not allow would lose the device, and the next one too.
  Result<void> fits = checkAtlas(extent, context_.info().mostImageSide);
  unsigned char white[]{255, 255, 255, 255};
  if (!fits) {
    pixels = white;
    extent = {1, 1};
  }
  atlas_ = gpu::Image(context_, {.extent = extent, .name = "interface atlas"});
  const std::size_t bytes = std::size_t{4} * extent.width * extent.height;
  // Freed once the frame that copies from it is finished.
  const gpu::Buffer staging(context_, {.size = bytes,
                                       .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                       .memory = gpu::MemoryUse::Upload,
                                       .name = "interface atlas"});
  std::memcpy(staging.mapped(), pixels, bytes);
  gpu::transition(commands, atlas_.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {extent.width, extent.height, 1};
  vkCmdCopyBufferToImage(commands, staging.get(), atlas_.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
  gpu::transition(commands, atlas_.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  set_ = gpu::DescriptorSet(context_, pool_.get(), setLayout_.get());
  set_.writeImage(0, atlas_.view(), sampler_.get());
  return fits;
}

Result<void> ImguiRenderer::upload(const gpu::Frame& frame, const ImDrawData& data, int generation) {
  Result<void> taken;
  if (generation_ != generation) {
    taken = uploadAtlas(frame.commands);
    generation_ = generation;
  }
  Slot& slot = slots_[frame.index];
  const auto vertexBytes = static_cast<std::size_t>(data.TotalVtxCount) * sizeof(ImDrawVert);
  const auto indexBytes = static_cast<std::size_t>(data.TotalIdxCount) * sizeof(ImDrawIdx);
  ensure(context_, slot.vertices, vertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "interface vertices");
  ensure(context_, slot.indices, indexBytes, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "interface indices");
  std::byte* vertices = slot.vertices.mapped();
  std::byte* indices = slot.indices.mapped();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    if (list.VtxBuffer.Size == 0 || list.IdxBuffer.Size == 0) continue;
    std::memcpy(vertices, list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
    std::memcpy(indices, list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
    vertices += list.VtxBuffer.size_in_bytes();
    indices += list.IdxBuffer.size_in_bytes();
  }
  return taken;
}

void ImguiRenderer::draw(const gpu::Frame& frame, const ImDrawData& data) {
  const VkCommandBuffer commands = frame.commands;
  const Slot& slot = slots_[frame.index];
  if (data.TotalVtxCount == 0 || data.DisplaySize.x <= 0 || data.DisplaySize.y <= 0) return;
  const VkViewport viewport{
      0, 0, data.DisplaySize.x * data.FramebufferScale.x, data.DisplaySize.y * data.FramebufferScale.y, 0, 1};
  const VkBuffer vertices = slot.vertices.get();
  const VkDeviceSize zero = 0;
  const VkDescriptorSet set = set_.get();
  const Push push{{2 / data.DisplaySize.x, 2 / data.DisplaySize.y},
                  {-1 - data.DisplayPos.x * 2 / data.DisplaySize.x, -1 - data.DisplayPos.y * 2 / data.DisplaySize.y}};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices, &zero);
  vkCmdBindIndexBuffer(commands, slot.indices.get(), 0,
                       sizeof(ImDrawIdx) == 2 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_.get(), 0, 1, &set, 0, nullptr);
  vkCmdPushConstants(commands, layout_.get(), VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  std::uint32_t firstIndex = 0;
  std::int32_t firstVertex = 0;
  std::optional<ImguiPaint> bound;
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const std::optional<VkRect2D> clip = clipOf(command, data, frame.extent);
      if (!clip) continue;
      vkCmdSetScissor(commands, 0, 1, &*clip);
      runs_.clear();
      appendRuns(list, command, white, runs_);
      for (const ImguiRun& run : runs_) {
        if (bound != run.paint)
          vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                            pipelines_[static_cast<std::size_t>(run.paint)].get());
        bound = run.paint;
        vkCmdDrawIndexed(commands, run.count, 1, firstIndex + run.first,
                         firstVertex + static_cast<std::int32_t>(command.VtxOffset), 0);
      }
    }
    firstIndex += static_cast<std::uint32_t>(list.IdxBuffer.Size);
    firstVertex += list.VtxBuffer.Size;
  }
}

}  // namespace sepx::ui
