// SPDX-License-Identifier: Apache-2.0
// What this machine offers the program. Never fails: what is not there is said to be missing, with why and the remedy.
// One thread; makes and frees a Vulkan device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/options.h"
#include "engine/gpu/context.h"

namespace sepx::app {

/// Something that works less well than it could.
struct Degraded {
  std::string what, why, remedy;
};

struct Machine {
  std::string cpuLevel;  ///< "x86-64-v3", as the compilers' -march knows it
  int threads = 1;
  std::vector<gpu::DeviceInfo> devices;
  std::optional<std::string> chosen;  ///< name of the device that a Context really came up on
  bool validationLayer = false;
  std::optional<std::string> font, boldFont;  ///< files
  std::optional<std::string> lesson;          ///< the opening lesson
  std::optional<std::string> display;         ///< "x11 :0" or "wayland wayland-0"
  std::optional<std::string> mpi;             ///< "Open MPI v4.1.4", empty: not built; nothing: not asked
  std::vector<Degraded> degraded;
};

/// Without MPI, which only `sepx` loads.
Machine examineMachine(const Options& common);

}  // namespace sepx::app
