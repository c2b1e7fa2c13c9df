// SPDX-License-Identifier: Apache-2.0
// The graphics pipelines of the renderer and the resources that they share: set 0 (records, colour tables, glyph
// atlas), set 1 (one image) and the push constants of shaders/graphics/common.glsl. Constructors throw
// gpu::VulkanError. Frame thread only.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/gpu/descriptor_pools.h"
#include "engine/gpu/image.h"
#include "engine/gpu/pipeline.h"

namespace sepx::render {

struct PushConstants {  ///< as in shaders/graphics/common.glsl
  float toClip[2] = {};
  std::uint32_t base = 0;
  std::uint32_t flags = 0;
  float rect[4] = {};
  std::int32_t texel[2] = {};
  float fraction[2] = {};
  float texelStep[2] = {};
  float law[2] = {};
  float pageOrigin[2] = {};
  float pixelsPerPoint = 1;
  float opacity = 1;
};
static_assert(sizeof(PushConstants) == 80);
static_assert(offsetof(PushConstants, rect) == 16 && offsetof(PushConstants, texelStep) == 48 &&
              offsetof(PushConstants, pageOrigin) == 64);

inline constexpr std::size_t kFewLabels = 16;  // largest palette that shaders/graphics/labels.vert can read

struct Pipelines {
  explicit Pipelines(gpu::Context& context);

  gpu::Handle<VkSampler> sampler;  ///< nearest; every shader fetches texels
  gpu::Handle<VkDescriptorSetLayout> frameLayout, imageLayout;
  gpu::Handle<VkPipelineLayout> layout;
  gpu::Handle<VkPipeline> lines, dashes, shapes, glyphs, fills, heatmap, labels;
  gpu::Handle<VkPipeline> fewLabels;                           ///< for palettes of at most kFewLabels
  gpu::Handle<VkPipeline> stored, opaque;                      ///< opaque: for pictures without transparent pixels
  std::unique_ptr<gpu::DescriptorPools> frameSets, imageSets;  ///< sets 0 and 1

  /// Makes set 1 for one image.
  gpu::DescriptorSet imageSet(VkImageView view) const;
};

}  // namespace sepx::render
