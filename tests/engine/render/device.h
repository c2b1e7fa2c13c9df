// SPDX-License-Identifier: Apache-2.0
// A device with validation, and frames drawn into a picture, for the tests of the renderer. A validation message fails
// the test.
#pragma once

#include <functional>

#include <catch2/catch.hpp>

#include "engine/gpu/context.h"
#include "engine/gpu/frame.h"
#include "engine/gpu/offscreen_target.h"
#include "engine/render/vulkan_renderer.h"

namespace sepx::render::test {

class Device {
 public:
  explicit Device(const RendererOptions& wanted = {}) {
    gpu::ContextOptions options;
    options.validation = true;
    auto made = gpu::Context::create(options);
    if (!made) FAIL(made.error().message);
    context_ = std::move(*made);
    REQUIRE(context_->validating());
    auto renderer = VulkanRenderer::create(*context_, wanted);
    if (!renderer) FAIL(renderer.error().message);
    renderer_ = std::move(*renderer);
  }

  gpu::Pixels draw(std::span<const PlacedScene> scenes, float scale, gpu::Extent extent, Color clear = {0, 0, 0, 1},
                   const std::function<void(gpu::Frame&)>& overlay = {}) {
    if (!target_) {
      auto made = gpu::OffscreenTarget::create(*context_, extent);
      REQUIRE(made);
      target_ = std::move(*made);
    }
    REQUIRE(target_->resize(extent));
    gpu::Frame frame;
    REQUIRE(target_->begin(frame) == gpu::TargetStatus::Ready);
    renderer_->draw(frame, scenes, scale, clear, overlay);
    REQUIRE(target_->end() == gpu::TargetStatus::Ready);
    auto pixels = target_->readback();
    REQUIRE(pixels);
    requireClean();
    return *pixels;
  }
  gpu::Pixels draw(const Scene& scene, float scale) {
    const PlacedScene placed{&scene, {}};
    const auto side = [scale](double points) { return static_cast<std::uint32_t>(points * scale); };
    return draw({&placed, 1}, scale, {side(scene.width), side(scene.height)});
  }
  const RenderStatistics& statistics() const { return renderer_->statistics(); }
  gpu::Context& context() { return *context_; }

  void requireClean() {
    for (const std::string& message : context_->validationMessages())
      FAIL_CHECK(message);
    REQUIRE(context_->validationMessages().empty());
  }

 private:
  std::unique_ptr<gpu::Context> context_;
  std::unique_ptr<VulkanRenderer> renderer_;
  std::unique_ptr<gpu::OffscreenTarget> target_;
};

}  // namespace sepx::render::test
