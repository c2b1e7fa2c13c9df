// SPDX-License-Identifier: Apache-2.0
// What a machine offers, as a table for a person and for a report. Pure.
#pragma once

#include <string>

#include "app/machine.h"

namespace sepx::app {

/// A table for a person and for a report: version, build, processor, devices, fonts, what is degraded with its remedy.
std::string machineText(const Machine& machine);
/// "gcc 12.2.0".
const char* compilerName();

}  // namespace sepx::app
