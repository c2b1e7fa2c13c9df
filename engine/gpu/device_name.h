// SPDX-License-Identifier: Apache-2.0
// The name of the device as it is shown to the user. No Vulkan types, so that ui/ may use it. Any thread.
#pragma once

#include <string>

namespace sepx::gpu {

class Context;

/// "NVIDIA H200", or "llvmpipe (software)" for a driver that runs on the CPU.
std::string deviceName(const Context& context);

}  // namespace sepx::gpu
