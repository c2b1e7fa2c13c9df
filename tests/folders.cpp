// SPDX-License-Identifier: Apache-2.0
// The only source of the tests that is compiled with absolute paths (tests/CMakeLists.txt).
#include "tests/folders.h"

namespace sepx::tests {

const std::string& sourceFolder() {
  static const std::string folder = SEPX_SOURCE_DIR;
  return folder;
}

const std::string& buildFolder() {
  static const std::string folder = SEPX_BINARY_DIR;
  return folder;
}

const std::string& binFolder() {
  static const std::string folder = SEPX_BIN_DIR;
  return folder;
}

}  // namespace sepx::tests
