// SPDX-License-Identifier: Apache-2.0
// Examines what this machine offers the program. Never fails: missing parts are reported with the reason and the
// remedy. One thread; creates and frees a Vulkan device.
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
  std::string cpuLevel;  ///< "x86-64-v3", as in the compilers' -march
  int threads = 1;
  std::vector<gpu::DeviceInfo> devices;
  std::optional<std::string> chosen;  ///< name of the device on which a Context was actually created
  bool validationLayer = false;
  std::optional<std::string> font, boldFont;  ///< font files
  std::optional<std::string> lesson;          ///< the opening lesson
  std::optional<std::string> display;         ///< "x11 :0" or "wayland wayland-0"
  std::optional<std::string> mpi;             ///< "Open MPI v4.1.4"; empty: not built; no value: not examined
  std::vector<Degraded> degraded;
};

/// Leaves Machine::mpi without a value, because only `sepx` loads MPI.
Machine examineMachine(const Options& common);

}  // namespace sepx::app
