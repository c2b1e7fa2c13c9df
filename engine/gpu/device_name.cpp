// SPDX-License-Identifier: Apache-2.0
// The short name of a device, without a software driver's version and vector width, which mean nothing to the user.
#include "engine/gpu/device_name.h"

#include "engine/gpu/context.h"

namespace sepx::gpu {

std::string deviceName(const Context& context) {
  const DeviceInfo& info = context.info();
  return info.software ? info.name.substr(0, info.name.find(" (")) + " (software)" : info.name;
}

}  // namespace sepx::gpu
