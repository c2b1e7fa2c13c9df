// SPDX-License-Identifier: Apache-2.0
// Text about what a machine offers, for the terminal and for reports. Pure functions.
#pragma once

#include <string>

#include "app/machine.h"

namespace sepx::app {

/// A table: version, build, processor, devices, fonts, and what is degraded with its remedy.
std::string machineText(const Machine& machine);
/// "gcc 12.2.0".
const char* compilerName();

}  // namespace sepx::app
