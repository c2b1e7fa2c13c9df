// SPDX-License-Identifier: Apache-2.0
#include "engine/render/recorder.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/render/color_map.h"

namespace sepx::render {
namespace {

constexpr std::size_t kPaletteWords = 256;
constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

template <class T>
std::span<const std::byte> bytesOf(const std::vector<T>& records) {
  return std::as_bytes(std::span(records));
}

/// One word per label: colour, ink of the hatch, hatch. Labels without a colour are transparent.
std::array<std::uint32_t, 4 * kPaletteWords> paletteWords(const LabelMap& map) {
  std::array<std::uint32_t, 4 * kPaletteWords> words{};
  for (std::size_t label = 0; label < std::min(map.palette.size(), kPaletteWords); ++label) {
    const Color& color = map.palette[label];
    words[4 * label] = packColor(color);
    words[4 * label + 1] = packColor(hatchInk(color));
    words[4 * label + 2] = label < map.hatch.size() && map.hatch[label] <= 3 ? map.hatch[label] : 0U;
  }
  return words;
}

}  // namespace

struct Recorder::Pass {
  VkCommandBuffer commands;
  VkPipelineLayout layout;
  PushConstants push;
  VkPipeline bound = VK_NULL_HANDLE;

  void use(VkPipeline pipeline) {
    if (pipeline == bound) return;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    bound = pipeline;
  }
  void constants(const PushConstants& values) const {
    vkCmdPushConstants(commands, layout, kStages, 0, sizeof values, &values);
  }
  void quads(std::uint32_t first, std::uint32_t count) const {
    for (std::uint32_t done = 0; done < count; done += Recorder::kQuadsPerDraw) {
      vkCmdDrawIndexed(commands, 6 * std::min(Recorder::kQuadsPerDraw, count - done), 1, 0,
                       static_cast<std::int32_t>(4 * (first + done)), 0);
    }
  }
  void bindImage(VkDescriptorSet set) const {
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 1, 1, &set, 0, nullptr);
  }
};

Recorder::Recorder(gpu::Context& context, const Pipelines& pipelines) : pipelines_(pipelines) {
  quads_ = gpu::Buffer(context, {.size = sizeof(std::uint16_t) * 6 * kQuadsPerDraw,
                                 .usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
                                 .memory = gpu::MemoryUse::Upload,
                                 .name = "quad indices"});
  std::vector<std::uint16_t> indices;
  indices.reserve(6 * kQuadsPerDraw);
  for (std::uint32_t quad = 0; quad < kQuadsPerDraw; ++quad) {
    for (const std::uint32_t corner : {0U, 1U, 2U, 2U, 1U, 3U})
      indices.push_back(static_cast<std::uint16_t>(4 * quad + corner));
  }
  std::memcpy(quads_.mapped(), indices.data(), indices.size() * sizeof(std::uint16_t));
}

std::size_t Recorder::layOut(PreparedList& prepared, std::size_t at) {
  const DrawList& list = prepared.list;
  const auto place = [&at](std::uint32_t& first, std::size_t words) {
    first = static_cast<std::uint32_t>(at);
    at += words;
  };
  place(prepared.segments, list.segments.size() * sizeof(SegmentRecord) / 16);
  place(prepared.shapes, list.shapes.size() * sizeof(ShapeRecord) / 16);
  place(prepared.glyphs, list.glyphs.size() * sizeof(GlyphRecord) / 16);
  place(prepared.fills, list.fills.size() * sizeof(FillVertex) / 16);
  prepared.palettes.assign(list.images.size(), 0);
  for (std::size_t i = 0; i < list.images.size(); ++i) {
    if (list.images[i].labelMap) place(prepared.palettes[i], kPaletteWords);
  }
  return at;
}

void Recorder::upload(const PreparedList& prepared, Uploads& uploads) {
  const DrawList& list = prepared.list;
  uploads.write(prepared.segments, bytesOf(list.segments));
  uploads.write(prepared.shapes, bytesOf(list.shapes));
  uploads.write(prepared.glyphs, bytesOf(list.glyphs));
  uploads.write(prepared.fills, bytesOf(list.fills));
  for (std::size_t i = 0; i < list.images.size(); ++i) {
    if (list.images[i].labelMap) {
      const auto words = paletteWords(*list.images[i].labelMap);
      uploads.write(prepared.palettes[i], std::as_bytes(std::span(words)));
    }
  }
}

void Recorder::uploadImages(VkCommandBuffer commands, PreparedList& prepared, Textures& textures, Uploads& uploads) {
  prepared.imageSets.clear();
  for (const ImageDraw& draw : prepared.list.images)
    prepared.imageSets.push_back(textures.use(commands, uploads, draw));
}

VkPipeline Recorder::imagePipeline(const ImageDraw& draw) const {
  if (draw.heatmap) return pipelines_.heatmap.get();
  return draw.labelMap->palette.size() <= kFewLabels ? pipelines_.fewLabels.get() : pipelines_.labels.get();
}

void Recorder::image(const Pass& pass, const PreparedList& prepared, std::uint32_t index) const {
  const ImageDraw& draw = prepared.list.images[index];
  PushConstants push = pass.push;
  std::copy_n(draw.rect, 4, push.rect);
  std::copy_n(draw.texel, 2, push.texel);
  std::copy_n(draw.fraction, 2, push.fraction);
  std::copy_n(draw.step, 2, push.texelStep);
  std::copy_n(draw.pageOrigin, 2, push.pageOrigin);
  push.pixelsPerPoint = draw.pixelsPerPoint;
  if (draw.heatmap) {
    const ColorLaw law = colorLaw(draw.heatmap->map, draw.heatmap->low, draw.heatmap->high);
    push.law[0] = static_cast<float>(law.scale);
    push.law[1] = static_cast<float>(law.offset);
    push.opacity = draw.heatmap->opacity;
    push.flags = (draw.heatmap->smooth ? 1U : 0U) | static_cast<std::uint32_t>(draw.heatmap->map) << 1;
  } else {
    push.base = prepared.palettes[index];
  }
  pass.constants(push);
  pass.bindImage(prepared.imageSets[index]);
  vkCmdDraw(pass.commands, 4, 1, 0, 0);
}

void Recorder::record(VkCommandBuffer commands, const PreparedList& prepared, VkDescriptorSet frameSet,
                      gpu::Extent extent, std::span<const StoredPicture> stored) const {
  Pass pass{commands, pipelines_.layout.get(), {}};
  pass.push.toClip[0] = 2.0F / static_cast<float>(extent.width);
  pass.push.toClip[1] = 2.0F / static_cast<float>(extent.height);
  vkCmdBindIndexBuffer(commands, quads_.get(), 0, VK_INDEX_TYPE_UINT16);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pass.layout, 0, 1, &frameSet, 0, nullptr);
  for (const DrawCommand& command : prepared.list.commands) {
    const VkRect2D scissor{{command.clip.x, command.clip.y}, {command.clip.width, command.clip.height}};
    vkCmdSetScissor(commands, 0, 1, &scissor);
    PushConstants push = pass.push;
    const auto quads = [&](const gpu::Handle<VkPipeline>& pipeline, std::uint32_t base) {
      pass.use(pipeline.get());
      push.base = base;
      pass.constants(push);
      pass.quads(command.first, command.count);
    };
    switch (command.kind) {
      case DrawCommand::Kind::Segments:
        quads(pipelines_.lines, prepared.segments);
        break;
      case DrawCommand::Kind::Dashes:
        quads(pipelines_.dashes, prepared.segments);
        break;
      case DrawCommand::Kind::Shapes:
        quads(pipelines_.shapes, prepared.shapes);
        break;
      case DrawCommand::Kind::Glyphs:
        quads(pipelines_.glyphs, prepared.glyphs);
        break;
      case DrawCommand::Kind::Fills:
        pass.use(pipelines_.fills.get());
        push.base = prepared.fills;
        pass.constants(push);
        vkCmdDraw(commands, command.count, 1, command.first, 0);
        break;
      case DrawCommand::Kind::Image:
        pass.use(imagePipeline(prepared.list.images[command.first]));
        image(pass, prepared, command.first);
        break;
      case DrawCommand::Kind::Stored:
      case DrawCommand::Kind::Solid: {
        const bool kept = command.kind == DrawCommand::Kind::Stored;
        if (kept && stored[command.first].copied) break;
        pass.use(kept && stored[command.first].opaque ? pipelines_.opaque.get() : pipelines_.stored.get());
        push.rect[0] = kept ? stored[command.first].x : static_cast<float>(command.clip.x);
        push.rect[1] = kept ? stored[command.first].y : static_cast<float>(command.clip.y);
        push.rect[2] = static_cast<float>(command.clip.x) + static_cast<float>(command.clip.width);
        push.rect[3] = static_cast<float>(command.clip.y) + static_cast<float>(command.clip.height);
        pass.constants(push);
        pass.bindImage(kept ? stored[command.first].set : prepared.solidSets[command.first]);
        vkCmdDraw(commands, 4, 1, 0, 0);
        break;
      }
    }
  }
}

}  // namespace sepx::render
