// SPDX-License-Identifier: Apache-2.0
#include "app/machine_text.h"

#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {
namespace {

using ui::tr;
using ui::trFormat;

std::string row(const char* name, const std::string& value) {
  return fmt::format("{:<18}{}\n", tr(name), value);
}

std::string devicesText(const Machine& machine) {
  if (machine.devices.empty()) return row(N_("Vulkan device"), tr("none"));
  std::string text;
  for (const gpu::DeviceInfo& device : machine.devices) {
    text += row(N_("Vulkan device"),
                fmt::format("{}: {} ({}, Vulkan {})", device.index, device.name, device.driver, device.apiVersion));
    if (!device.usable) text += row("", trFormat("not usable: {}", device.why));
    for (const std::string& feature : device.features)
      text += row("", feature);
  }
  return text;
}

/// Whether a folder of PATH has a program of this name.
bool installed(const char* program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

/// `version`: empty when the program was built without MPI.
std::string mpiText(const std::string& version) {
  if (version.empty()) return tr("not built; install libopenmpi-dev and build again for sepx train --mpi");
  // The program's archive contains only the library, not mpirun.
  return installed("mpirun") ? version : trFormat("{}; install openmpi-bin for sepx train --mpi", version);
}

std::string degradedText(const Machine& machine) {
  if (machine.degraded.empty()) return row(N_("degraded"), tr("nothing"));
  std::string text;
  for (const Degraded& one : machine.degraded) {
    text += row(N_("degraded"), one.what);
    text += row("", trFormat("why: {}", one.why));
    text += row("", trFormat("remedy: {}", one.remedy));
  }
  return text;
}

}  // namespace

const char* compilerName() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

std::string machineText(const Machine& machine) {
  const std::string none = tr("none");
  std::string text = row(N_("version"), versionNumber()) + row(N_("build"), buildType() + ", " + compilerName()) +
                     row(N_("CPU"), trFormat("{}, {} threads", machine.cpuLevel, machine.threads)) +
                     devicesText(machine) + row(N_("chosen"), machine.chosen.value_or(none));
  text +=
      row(N_("validation layer"), machine.validationLayer ? tr("installed") : tr("not installed; only tests need it"));
  text += row(N_("font"), machine.font.value_or(none));
  if (machine.mpi) text += row(N_("MPI"), mpiText(*machine.mpi));
  return text + row(N_("opening lesson"), machine.lesson.value_or(none)) +
         row(N_("display"), machine.display.value_or(none)) + degradedText(machine);
}

}  // namespace sepx::app
