// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/imgui_painter.h"

#include <chrono>
#include <utility>

#include <imgui/imgui.h>

#include "engine/core/log.h"
#include "engine/gpu/check.h"
#include "engine/gpu/context.h"
#include "engine/gpu/frame.h"
#include "ui/workbench/imgui_renderer.h"

namespace sepx::ui {

struct ImguiPainter::Impl {
  gpu::Context* context = nullptr;
  std::unique_ptr<render::VulkanRenderer> renderer;
  std::unique_ptr<ImguiRenderer> imgui;
  std::string problem;

  void record(gpu::Frame& frame, const Painting& painting);
};

void ImguiPainter::Impl::record(gpu::Frame& frame, const Painting& painting) {
  const ImDrawData& data = *ImGui::GetDrawData();
  if (const auto taken = imgui->upload(frame, data, painting.fontGeneration); !taken) problem = taken.error().message;
  renderer->draw(frame, painting.scenes, painting.scenePixelsPerPoint, painting.clear,
                 [&](gpu::Frame& inner) { imgui->draw(inner, data); });
}

ImguiPainter::ImguiPainter() : impl_(std::make_unique<Impl>()) {}

ImguiPainter::~ImguiPainter() = default;

Result<std::unique_ptr<ImguiPainter>> ImguiPainter::create(gpu::Context& context) {
  std::unique_ptr<ImguiPainter> painter(new ImguiPainter);
  painter->impl_->context = &context;
  auto renderer = render::VulkanRenderer::create(context);
  if (!renderer) return tl::unexpected(renderer.error());
  painter->impl_->renderer = std::move(*renderer);
  try {
    painter->impl_->imgui = std::make_unique<ImguiRenderer>(context);
  } catch (const gpu::VulkanError& error) {
    return tl::unexpected(gpu::toError(error));
  }
  return painter;
}

gpu::TargetStatus ImguiPainter::paint(gpu::FrameTarget& target, const Painting& painting, double& recordMs) {
  return drawFrame(target, [&](gpu::Frame& frame) {
    const auto start = std::chrono::steady_clock::now();
    impl_->record(frame, painting);
    recordMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  });
}

gpu::TargetStatus drawFrame(gpu::FrameTarget& target, const std::function<void(gpu::Frame&)>& record) {
  gpu::Frame frame;
  if (const auto status = target.begin(frame); status != gpu::TargetStatus::Ready) return status;
  try {
    record(frame);
  } catch (const gpu::VulkanError& error) {
    target.context().markLost();
    spdlog::error("drawing failed: {}", error.what());
  } catch (...) {
    target.context().markLost();
    static_cast<void>(target.end());
    throw;
  }
  return target.end();
}

std::string ImguiPainter::takeProblem() {
  return std::exchange(impl_->problem, {});
}

const gpu::Context& ImguiPainter::context() const {
  return *impl_->context;
}

}  // namespace sepx::ui
