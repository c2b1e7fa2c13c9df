// SPDX-License-Identifier: Apache-2.0
#include "engine/render/picture.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/gpu/check.h"
#include "engine/gpu/context.h"
#include "engine/gpu/frame.h"
#include "engine/gpu/offscreen_target.h"
#include "engine/render/vulkan_renderer.h"

namespace sepx::render {

namespace {

class TiledPicture final : public Picture {
 public:
  TiledPicture(gpu::Context& context, gpu::Extent extent, double scale, Color background)
      : context_(context), scale_(scale), background_(background) {
    pixels_.extent = extent;
    pixels_.rgba.resize(std::size_t{4} * extent.width * extent.height);
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(context.physicalDevice(), &properties);
    setTile(std::min(kTile, properties.limits.maxImageDimension2D));
  }

  Result<void> prepare() {
    SEPX_ASSIGN(renderer_, VulkanRenderer::create(context_));
    return {};
  }

  Result<bool> step(std::span<const PlacedScene> scenes) override;
  const gpu::Pixels& pixels() const override { return pixels_; }
  gpu::Pixels take() override { return std::move(pixels_); }
  double share() const override { return static_cast<double>(next_) / std::max(1U, across_ * down_); }
  void setTile(std::uint32_t side) override {
    side_ = std::max(1U, side);
    across_ = (pixels_.extent.width + side_ - 1) / side_;
    down_ = (pixels_.extent.height + side_ - 1) / side_;
    next_ = 0;
  }

 private:
  Result<void> drawTile(std::span<const PlacedScene> scenes, std::uint32_t left, std::uint32_t top);

  gpu::Context& context_;
  double scale_;
  Color background_;
  gpu::Pixels pixels_;
  std::unique_ptr<VulkanRenderer> renderer_;
  std::unique_ptr<gpu::OffscreenTarget> target_;
  std::uint32_t side_ = kTile, across_ = 1, down_ = 1, next_ = 0;
};

Result<void> TiledPicture::drawTile(std::span<const PlacedScene> scenes, std::uint32_t left, std::uint32_t top) {
  const gpu::Extent extent{std::min(side_, pixels_.extent.width - left), std::min(side_, pixels_.extent.height - top)};
  if (!target_) {
    SEPX_ASSIGN(target_, gpu::OffscreenTarget::create(context_, extent));
  } else if (auto resized = target_->resize(extent); !resized) {
    return resized;
  }
  std::vector<PlacedScene> moved(scenes.begin(), scenes.end());
  for (PlacedScene& one : moved) {
    one.origin.x -= left / scale_;
    one.origin.y -= top / scale_;
  }
  const auto lost = [] {
    return fail(ErrorKind::NoDevice,
                "the Vulkan device was lost while drawing; run again, or choose another with --device");
  };
  gpu::Frame frame;
  if (target_->begin(frame) != gpu::TargetStatus::Ready) return lost();
  renderer_->draw(frame, moved, static_cast<float>(scale_), background_, {});
  if (target_->end() != gpu::TargetStatus::Ready) return lost();
  SEPX_ASSIGN(const gpu::Pixels tile, target_->readback());
  for (std::uint32_t row = 0; row < extent.height; ++row) {
    std::memcpy(pixels_.rgba.data() + 4 * (std::size_t{top + row} * pixels_.extent.width + left),
                tile.rgba.data() + std::size_t{4} * row * extent.width, std::size_t{4} * extent.width);
  }
  return {};
}

Result<bool> TiledPicture::step(std::span<const PlacedScene> scenes) {
  if (next_ == across_ * down_) next_ = 0;
  SEPX_TRY(drawTile(scenes, next_ % across_ * side_, next_ / across_ * side_));
  return ++next_ == across_ * down_;
}

}  // namespace

Result<std::unique_ptr<Picture>> Picture::create(gpu::Context& context, gpu::Extent extent, double scale,
                                                 Color background) {
  const auto tooLarge = [&] {
    return fail(
        ErrorKind::Usage,
        fmt::format("a picture of {} x {} pixels cannot be created; ask for at least one and at most {} million",
                    extent.width, extent.height, kMostPixels / 1'000'000));
  };
  if (extent.width == 0 || extent.height == 0 || std::uint64_t{extent.width} * extent.height > kMostPixels)
    return tooLarge();
  try {
    auto picture = std::make_unique<TiledPicture>(context, extent, scale, background);
    SEPX_TRY(picture->prepare());
    return picture;
  } catch (const std::bad_alloc&) {
    return tooLarge();
  }
}

}  // namespace sepx::render
