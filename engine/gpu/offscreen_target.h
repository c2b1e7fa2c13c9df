// SPDX-License-Identifier: Apache-2.0
// A frame target without a window: one image that can be read back. For headless hosts, tests and exports. Frame thread
// only.
#pragma once

#include <memory>

#include "engine/gpu/frame_target.h"

namespace sepx::gpu {

class OffscreenTarget : public FrameTarget {
 public:
  /// Usage when the extent is 0 or larger than the device allows for an image.
  static Result<std::unique_ptr<OffscreenTarget>> create(Context& context, Extent extent);
  ~OffscreenTarget() override;

  Context& context() override;     ///< as FrameTarget
  Extent extent() const override;  ///< as FrameTarget
  TargetStatus begin(Frame& frame) override;
  TargetStatus end() override;
  /// Replaces the image by one of another size. Errors as in create(); the old image is then kept.
  Result<void> resize(Extent extent);
  /// Returns the last finished frame. Waits for the device. Alpha is 255: a frame is opaque. NoDevice after device
  /// loss.
  Result<Pixels> readback();

 private:
  OffscreenTarget();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::gpu
