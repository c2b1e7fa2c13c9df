// SPDX-License-Identifier: Apache-2.0
#include "engine/render/pipelines.h"

#include "engine/gpu/queue.h"

namespace sepx::render {
namespace {

constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
// Sets of one pool: one for each frame in flight and those that wait for deletion; one for each image.
constexpr std::uint32_t kFrameSets = 16, kImageSets = 512;

}  // namespace

Pipelines::Pipelines(gpu::Context& context) {
  sampler = gpu::makeSampler(context, {.filter = VK_FILTER_NEAREST, .name = "texels"});
  frameLayout = gpu::makeDescriptorSetLayout(context, {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kStages},
                                                       {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                                       {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}});
  imageLayout = gpu::makeDescriptorSetLayout(context, {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}});
  layout = gpu::makePipelineLayout(
      context,
      {.sets = {frameLayout.get(), imageLayout.get()}, .pushConstantBytes = sizeof(PushConstants), .stages = kStages});
  const auto pools = [&](const gpu::Handle<VkDescriptorSetLayout>& of, std::vector<VkDescriptorPoolSize> ofOne,
                         std::uint32_t sets) {
    return std::make_unique<gpu::DescriptorPools>(context, of.get(), std::move(ofOne), sets);
  };
  frameSets =
      pools(frameLayout, {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}, {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2}},
            kFrameSets);
  imageSets = pools(imageLayout, {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1}}, kImageSets);
  const auto make = [&](const char* vertex, const char* fragment, VkPrimitiveTopology topology,
                        std::vector<std::uint32_t> constants = {}, gpu::Blend blend = gpu::Blend::Premultiplied) {
    return gpu::makeGraphicsPipeline(context, {.vertex = vertex,
                                               .fragment = fragment,
                                               .layout = layout.get(),
                                               .topology = topology,
                                               .blend = blend,
                                               .constants = std::move(constants),
                                               .name = fragment});
  };
  lines = make("lines.vert", "lines.frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, {0});
  dashes = make("lines.vert", "lines.frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, {1});
  shapes = make("shapes.vert", "shapes.frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  glyphs = make("glyphs.vert", "glyphs.frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  fills = make("fills.vert", "fills.frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  heatmap = make("image.vert", "heatmap.frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  labels = make("labels.vert", "labels.frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, {0});
  fewLabels = make("labels.vert", "labels.frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, {1});
  stored = make("image.vert", "stored.frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  opaque = make("image.vert", "stored.frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, {}, gpu::Blend::None);
}

gpu::DescriptorSet Pipelines::imageSet(VkImageView view) const {
  gpu::DescriptorSet set = imageSets->make();
  set.writeImage(0, view, sampler.get());
  return set;
}

}  // namespace sepx::render
