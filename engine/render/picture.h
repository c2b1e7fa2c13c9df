// SPDX-License-Identifier: Apache-2.0
// Scenes as pixels without a window, of any size: what is larger than the device's images is drawn in tiles and put
// together. Frame thread, between frames.
#pragma once

#include <memory>
#include <span>

#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"
#include "engine/render/scene.h"

namespace sepx::gpu {
class Context;
}

namespace sepx::render {

class Picture {
 public:
  /// `scale`: pixels per point. Usage for a picture that does not fit into memory, NoDevice without a device that
  /// draws.
  static Result<std::unique_ptr<Picture>> create(gpu::Context& context, gpu::Extent extent, double scale,
                                                 Color background);
  virtual ~Picture() = default;

  /// Draws the next tile of a picture of these scenes; true when it was the last. Then pixels() is the picture, and the
  /// next call begins another.
  virtual Result<bool> step(std::span<const PlacedScene> scenes) = 0;
  virtual const gpu::Pixels& pixels() const = 0;
  /// The picture itself, for whoever needs no other: it may be as large as memory allows once.
  virtual gpu::Pixels take() = 0;
  virtual double share() const = 0;

  static constexpr std::uint64_t kMostPixels = 400'000'000;  ///< of one picture
  /// Largest side of a tile, and of a device's images that is used; tests make it small.
  static constexpr std::uint32_t kTile = 4096;
  virtual void setTile(std::uint32_t side) = 0;
};

}  // namespace sepx::render
