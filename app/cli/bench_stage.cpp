// SPDX-License-Identifier: Apache-2.0
#include "app/cli/bench_stage.h"

#include "app/cli/text.h"
#include "engine/gpu/frame.h"
#include "engine/gpu/queue.h"

namespace sepx::app::cli {

Result<BenchStage> BenchStage::create(const Options& common, gpu::Extent extent) {
  auto context = gpu::Context::create(contextOptions(common, false));
  if (!context) return tl::unexpected(context.error());
  auto renderer = render::VulkanRenderer::create(**context);
  if (!renderer) return tl::unexpected(renderer.error());
  auto target = gpu::OffscreenTarget::create(**context, extent);
  if (!target) return tl::unexpected(target.error());
  return BenchStage{std::move(*context), std::move(*renderer), std::move(*target)};
}

Result<void> BenchStage::draw(const render::Scene& page) {
  const auto lost = [] { return fail(ErrorKind::NoDevice, tr(N_("the Vulkan device was lost while drawing"))); };
  gpu::Frame frame;
  const render::PlacedScene placed{&page, {}};
  if (target->begin(frame) != gpu::TargetStatus::Ready) return lost();
  renderer->draw(frame, {&placed, 1}, 1, {0, 0, 0, 1}, {});
  if (target->end() != gpu::TargetStatus::Ready) return lost();
  context->queue().waitIdle();
  return {};
}

}  // namespace sepx::app::cli
