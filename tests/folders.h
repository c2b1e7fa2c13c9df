// SPDX-License-Identifier: Apache-2.0
// Folders of the sources, of the build and of the programs: absolute paths without a trailing slash. Only one source is
// compiled with them, so that the compiler cache can be used for all other sources in a second clone at another path.
// Safe in the initialisers of static objects of other sources, and from any thread.
#pragma once

#include <cstdlib>
#include <string>

namespace sepx::tests {

const std::string& sourceFolder();
const std::string& buildFolder();
/// The folder of sepx, separatrix and separatrix-stage.
const std::string& binFolder();

/// Models and notes that are not part of the project: $SEPX_SHARED, or the folder `shared` beside the checkout. It may
/// not exist.
inline std::string sharedFolder() {
  const char* const named = std::getenv("SEPX_SHARED");
  return named != nullptr && *named != '\0' ? std::string(named) : sourceFolder() + "/../shared";
}

}  // namespace sepx::tests
