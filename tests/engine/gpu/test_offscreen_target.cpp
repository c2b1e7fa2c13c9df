// SPDX-License-Identifier: Apache-2.0
// Clearing and reading back, sizes, resizing, frame slots, and device loss.
#include "engine/gpu/offscreen_target.h"

#include <algorithm>

#include "engine/gpu/frame.h"
#include "engine/gpu/image.h"
#include "tests/engine/gpu/gpu_test.h"

namespace sepx::gpu {

namespace {

TargetStatus clearTo(FrameTarget& target, float r, float g, float b) {
  Frame frame;
  if (const TargetStatus status = target.begin(frame); status != TargetStatus::Ready) return status;
  beginRenderPass(target.context(), frame.commands, frame.framebuffer, frame.extent, VkClearColorValue{{r, g, b, 1}});
  vkCmdEndRenderPass(frame.commands);
  return target.end();
}

bool allPixels(const Pixels& pixels, int r, int g, int b) {
  for (std::size_t i = 0; i < pixels.rgba.size(); i += 4)
    if (pixels.rgba[i] != r || pixels.rgba[i + 1] != g || pixels.rgba[i + 2] != b || pixels.rgba[i + 3] != 255)
      return false;
  return pixels.rgba.size() == std::size_t{4} * pixels.extent.width * pixels.extent.height;
}

}  // namespace

TEST_CASE("A cleared frame reads back in RGBA order at any size") {
  const auto context = makeContext();
  for (const Extent extent : {Extent{1, 1}, Extent{17, 5}, Extent{640, 360}}) {
    auto target = OffscreenTarget::create(*context, extent);
    REQUIRE(target);
    REQUIRE(clearTo(**target, 1, 0.2f, 0) == TargetStatus::Ready);
    const auto pixels = (*target)->readback();
    REQUIRE(pixels);
    CHECK(pixels->extent == extent);
    CHECK(allPixels(*pixels, 255, 51, 0));
  }
  requireClean(*context);
}

TEST_CASE("Many frames, a resize and a second target keep their pictures separate") {
  const auto context = makeContext();
  auto first = OffscreenTarget::create(*context, {32, 32});
  auto second = OffscreenTarget::create(*context, {8, 8});
  REQUIRE(first);
  REQUIRE(second);
  for (int i = 0; i < 7; ++i) {
    REQUIRE(clearTo(**first, 0, 1, 0) == TargetStatus::Ready);
    REQUIRE(clearTo(**second, 0, 0, 1) == TargetStatus::Ready);
  }
  REQUIRE((*first)->resize({64, 16}));
  CHECK((*first)->extent() == Extent{64, 16});
  CHECK_FALSE((*first)->readback());  // nothing is drawn at the new size yet
  REQUIRE(clearTo(**first, 1, 0, 0) == TargetStatus::Ready);
  CHECK(allPixels((*first)->readback().value(), 255, 0, 0));
  CHECK(allPixels((*second)->readback().value(), 0, 0, 255));
  requireClean(*context);
}

TEST_CASE("Frames alternate between the frame slots") {
  const auto context = makeContext();
  auto target = OffscreenTarget::create(*context, {4, 4});
  REQUIRE(target);
  std::vector<std::uint32_t> indices;
  for (int i = 0; i < 4; ++i) {
    Frame frame;
    REQUIRE((*target)->begin(frame) == TargetStatus::Ready);
    indices.push_back(frame.index);
    REQUIRE((*target)->end() == TargetStatus::Ready);  // a frame without drawing is valid
  }
  CHECK(indices[0] != indices[1]);
  CHECK(indices[0] == indices[2]);
  CHECK(indices[1] == indices[3]);
  CHECK(*std::max_element(indices.begin(), indices.end()) < kFramesInFlight);
  requireClean(*context);
}

TEST_CASE("Invalid sizes are refused with the limit") {
  const auto context = makeContext();
  for (const Extent extent : {Extent{0, 10}, Extent{10, 0}, Extent{1u << 30, 10}}) {
    const auto target = OffscreenTarget::create(*context, extent);
    REQUIRE_FALSE(target);
    CHECK(target.error().kind == ErrorKind::Usage);
    CHECK(target.error().message.find("1 to ") != std::string::npos);
  }
  requireClean(*context);
}

TEST_CASE("After device loss targets return Lost and a new context works") {
  auto context = makeContext();
  {
    auto target = OffscreenTarget::create(*context, {16, 16});
    REQUIRE(target);
    REQUIRE(clearTo(**target, 1, 1, 1) == TargetStatus::Ready);
    context->markLost();
    CHECK(context->lost());
    CHECK(clearTo(**target, 1, 1, 1) == TargetStatus::Lost);
    const auto pixels = (*target)->readback();
    REQUIRE_FALSE(pixels);
    CHECK(pixels.error().kind == ErrorKind::NoDevice);
  }
  requireClean(*context);
  context = makeContext();
  auto target = OffscreenTarget::create(*context, {16, 16});
  REQUIRE(target);
  CHECK(clearTo(**target, 0, 1, 0) == TargetStatus::Ready);
  CHECK(allPixels((*target)->readback().value(), 0, 255, 0));
  requireClean(*context);
}

TEST_CASE("Device loss in the middle of a frame ends the frame") {
  const auto context = makeContext();
  auto target = OffscreenTarget::create(*context, {16, 16});
  REQUIRE(target);
  Frame frame;
  REQUIRE((*target)->begin(frame) == TargetStatus::Ready);
  context->markLost();
  CHECK((*target)->end() == TargetStatus::Lost);
  CHECK((*target)->begin(frame) == TargetStatus::Lost);
  requireClean(*context);
}

}  // namespace sepx::gpu
