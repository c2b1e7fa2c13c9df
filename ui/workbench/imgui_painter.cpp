// SPDX-License-Identifier: Apache-2.0
// ImGui's stock Vulkan backend against our one render pass. The backend keeps a font image of its own and has no call
// to replace it, so a new atlas means a new backend, after the device is idle (a rare event: the scale changed).
#include "ui/workbench/imgui_painter.h"

#include <chrono>

#include <imgui/backends/imgui_impl_vulkan.h>
#include <imgui/imgui.h>

#include "engine/core/log.h"
#include "engine/gpu/check.h"
#include "engine/gpu/context.h"
#include "engine/gpu/frame.h"
#include "engine/gpu/queue.h"

namespace sepx::ui {
namespace {

// The backend rotates its vertex buffers over this many frames; one more than the frames in flight is enough.
constexpr std::uint32_t kRing = gpu::kFramesInFlight + 1;

void checkResult(VkResult result) {
  gpu::check(result, "Dear ImGui");
}

}  // namespace

struct ImguiPainter::Impl {
  gpu::Context* context = nullptr;
  std::unique_ptr<render::VulkanRenderer> renderer;
  VkDescriptorPool descriptors = VK_NULL_HANDLE;
  int uploaded = -1;  // font generation on the device
  int framesSinceUpload = 0;
  bool attached = false;

  void attach();
  void detach();
  void uploadFonts(VkCommandBuffer commands, int generation);
  void record(gpu::Frame& frame, const Painting& painting);
};

void ImguiPainter::Impl::attach() {
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
  VkDescriptorPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool.maxSets = 1;
  pool.poolSizeCount = 1;
  pool.pPoolSizes = &size;
  VK_CHECK(vkCreateDescriptorPool(context->device(), &pool, nullptr, &descriptors));
  ImGui_ImplVulkan_InitInfo info{};
  info.Instance = context->instance();
  info.PhysicalDevice = context->physicalDevice();
  info.Device = context->device();
  info.QueueFamily = context->queue().family();
  info.Queue = context->queue().handle();
  info.DescriptorPool = descriptors;
  info.MinImageCount = kRing;
  info.ImageCount = kRing;
  info.MSAASamples = VK_SAMPLE_COUNT_1_BIT;
  info.CheckVkResultFn = checkResult;
  ImGui_ImplVulkan_Init(&info, context->renderPass());
  attached = true;
}

void ImguiPainter::Impl::detach() {
  if (!attached) return;
  context->queue().waitIdle();
  ImGui_ImplVulkan_Shutdown();
  vkDestroyDescriptorPool(context->device(), descriptors, nullptr);
  descriptors = VK_NULL_HANDLE;
  attached = false;
  uploaded = -1;
}

void ImguiPainter::Impl::uploadFonts(VkCommandBuffer commands, int generation) {
  if (uploaded == generation) {
    // The staging buffer may go once no frame in flight can read it.
    if (framesSinceUpload <= static_cast<int>(kRing) && ++framesSinceUpload > static_cast<int>(kRing)) {
      ImGui_ImplVulkan_DestroyFontUploadObjects();
    }
    return;
  }
  ImGui_ImplVulkan_CreateFontsTexture(commands);
  uploaded = generation;
  framesSinceUpload = 0;
}

void ImguiPainter::Impl::record(gpu::Frame& frame, const Painting& painting) {
  uploadFonts(frame.commands, painting.fontGeneration);
  ImGui_ImplVulkan_NewFrame();
  renderer->draw(frame, painting.scenes, painting.scenePixelsPerPoint, painting.clear,
                 [](gpu::Frame& inner) { ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), inner.commands); });
}

ImguiPainter::ImguiPainter() : impl_(std::make_unique<Impl>()) {}

ImguiPainter::~ImguiPainter() {
  impl_->detach();
}

Result<std::unique_ptr<ImguiPainter>> ImguiPainter::create(gpu::Context& context) {
  std::unique_ptr<ImguiPainter> painter(new ImguiPainter);
  painter->impl_->context = &context;
  auto renderer = render::VulkanRenderer::create(context);
  if (!renderer) return tl::unexpected(renderer.error());
  painter->impl_->renderer = std::move(*renderer);
  try {
    painter->impl_->attach();
  } catch (const gpu::VulkanError& error) {
    return tl::unexpected(gpu::toError(error));
  }
  return painter;
}

gpu::TargetStatus ImguiPainter::paint(gpu::FrameTarget& target, const Painting& painting, double& recordMs) {
  try {
    if (impl_->uploaded >= 0 && impl_->uploaded != painting.fontGeneration) {
      impl_->detach();
      impl_->attach();
    }
    gpu::Frame frame;
    if (const auto status = target.begin(frame); status != gpu::TargetStatus::Ready) return status;
    const auto start = std::chrono::steady_clock::now();
    impl_->record(frame, painting);
    recordMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return target.end();
  } catch (const gpu::VulkanError& error) {
    spdlog::error("drawing failed: {}", error.what());
    impl_->context->markLost();
    return gpu::TargetStatus::Lost;
  }
}

const gpu::Context& ImguiPainter::context() const {
  return *impl_->context;
}

}  // namespace sepx::ui
