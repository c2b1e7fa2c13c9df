// SPDX-License-Identifier: Apache-2.0
// A device with a page to draw on, for benchmarks that draw scenes without the interface. Frame thread.
#pragma once

#include <memory>

#include "app/options.h"
#include "engine/gpu/context.h"
#include "engine/gpu/offscreen_target.h"
#include "engine/render/scene.h"
#include "engine/render/vulkan_renderer.h"

namespace sepx::app::cli {

struct BenchStage {
  std::unique_ptr<gpu::Context> context;
  std::unique_ptr<render::VulkanRenderer> renderer;
  std::unique_ptr<gpu::OffscreenTarget> target;

  /// NoDevice where there is none.
  static Result<BenchStage> create(const Options& common, gpu::Extent extent);
  /// One frame of the page to the end of the device's work.
  Result<void> draw(const render::Scene& page);
};

}  // namespace sepx::app::cli
