// SPDX-License-Identifier: Apache-2.0
// What a person is told about the device that worked, without any Vulkan type, so that ui/ may ask. Any thread.
#pragma once

#include <string>

namespace sepx::gpu {

class Context;

/// "NVIDIA H200", or "llvmpipe (software)" for a driver that works on the CPU.
std::string deviceName(const Context& context);

}  // namespace sepx::gpu
