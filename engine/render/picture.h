// SPDX-License-Identifier: Apache-2.0
// Draws scenes to pixels without a window, in any size. A picture larger than the device's images is drawn in tiles,
// which are then joined. Frame thread, between frames.
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
  /// `scale`: pixels per point. Usage for a picture that is empty, too large or does not fit into memory; NoDevice
  /// without a device that draws.
  static Result<std::unique_ptr<Picture>> create(gpu::Context& context, gpu::Extent extent, double scale,
                                                 Color background);
  virtual ~Picture() = default;

  /// Draws the next tile of a picture of these scenes. Returns true for the last tile: pixels() is then the complete
  /// picture, and the next call begins another one.
  virtual Result<bool> step(std::span<const PlacedScene> scenes) = 0;
  virtual const gpu::Pixels& pixels() const = 0;
  /// Moves the picture out, for callers that need no further one: it may be so large that memory holds it only once.
  virtual gpu::Pixels take() = 0;
  virtual double share() const = 0;

  static constexpr std::uint64_t kMostPixels = 400'000'000;  ///< of one picture
  /// Largest side of a tile, even if the device supports larger images. Tests make it small.
  static constexpr std::uint32_t kTile = 4096;
  virtual void setTile(std::uint32_t side) = 0;
};

}  // namespace sepx::render
