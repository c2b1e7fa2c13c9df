// SPDX-License-Identifier: Apache-2.0
// The state that a kernel working in slices returns after each slice. No Vulkan types here.
#pragma once

namespace sepx::gpu {

enum class KernelState {
  Working,  ///< there is work left
  Done,     ///< the result is complete, or the work was cancelled
  Lost      ///< the device is lost: the result may be incomplete for ever and must not be shown
};

}  // namespace sepx::gpu
