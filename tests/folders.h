// SPDX-License-Identifier: Apache-2.0
// Where the sources lie, where they were built and where the programs are: absolute paths without a slash at the end.
// They are compiled into one source, so that the compiler cache serves all others in a second clone at another path.
// Safe in the initialisers of static objects of other sources, and from any thread.
#pragma once

#include <cstdlib>
#include <string>

namespace sepx::tests {

const std::string& sourceFolder();
const std::string& buildFolder();
/// Of sepx, separatrix and separatrix-stage.
const std::string& binFolder();

/// Models and notes that are not part of the project: $SEPX_SHARED, or the folder `shared` beside the checkout. It need
/// not exist.
inline std::string sharedFolder() {
  const char* const named = std::getenv("SEPX_SHARED");
  return named != nullptr && *named != '\0' ? std::string(named) : sourceFolder() + "/../shared";
}

}  // namespace sepx::tests
