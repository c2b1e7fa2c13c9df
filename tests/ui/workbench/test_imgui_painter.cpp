// SPDX-License-Identifier: Apache-2.0
// If an exception is thrown within a frame, the frame is ended, so its target can be destroyed and the next frame can
// begin.
#include "ui/workbench/imgui_painter.h"

#include <new>

#include <catch2/catch.hpp>

#include "engine/gpu/check.h"
#include "engine/gpu/context.h"

namespace {

using namespace sepx;
using gpu::TargetStatus;

class CountedFrames final : public gpu::FrameTarget {
 public:
  explicit CountedFrames(gpu::Context& context) : context_(context) {}
  gpu::Context& context() override { return context_; }
  gpu::Extent extent() const override { return {1, 1}; }
  TargetStatus begin(gpu::Frame&) override {
    ++begun;
    return TargetStatus::Ready;
  }
  TargetStatus end() override {
    ++ended;
    return context_.lost() ? TargetStatus::Lost : TargetStatus::Ready;
  }
  int begun = 0, ended = 0;

 private:
  gpu::Context& context_;
};

}  // namespace

TEST_CASE("After an exception the frame is ended, and its device is treated as lost", "[painter]") {
  const auto context = gpu::Context::create({.validation = true});
  REQUIRE(context);
  CountedFrames target(**context);
  CHECK(ui::drawFrame(target, [](gpu::Frame&) {}) == TargetStatus::Ready);
  CHECK_FALSE((*context)->lost());
  SECTION("A Vulkan error") {
    const auto fails = [](gpu::Frame&) { throw gpu::VulkanError(VK_ERROR_OUT_OF_DEVICE_MEMORY, "vkAllocateMemory"); };
    CHECK(ui::drawFrame(target, fails) == TargetStatus::Lost);
  }
  SECTION("Out of memory") {
    const auto fails = [](gpu::Frame&) { throw std::bad_alloc(); };
    CHECK_THROWS_AS(ui::drawFrame(target, fails), std::bad_alloc);
  }
  CHECK((*context)->lost());
  CHECK(target.begun == 2);
  CHECK(target.ended == 2);
}
