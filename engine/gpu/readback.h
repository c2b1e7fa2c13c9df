// SPDX-License-Identifier: Apache-2.0
// Copies a picture of kTargetFormat to the host: record() copies it into a mapped buffer, and pixels() converts the
// buffer to RGBA once the submission has finished. Frame thread.
#pragma once

#include "engine/gpu/image.h"

namespace sepx::gpu {

class Readback {
 public:
  /// `image` must be in TRANSFER_SRC_OPTIMAL.
  void record(Context& context, VkCommandBuffer commands, VkImage image, Extent extent);
  Pixels pixels() const;

 private:
  Buffer buffer_;
  Extent extent_;
};

}  // namespace sepx::gpu
