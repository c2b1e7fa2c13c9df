// SPDX-License-Identifier: Apache-2.0
// The cases of shared/reference/tokenizer_ids.json: texts and their ids from the official library.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/folders.h"

namespace sepx::tests {

inline std::string tokenizerCasesFile() {
  return sharedFolder() + "/reference/tokenizer_ids.json";
}

/// The folder that a case's "tokenizer" names.
inline std::string tokenizerFolder(const std::string& name) {
  const std::string own = sharedFolder() + "/tokenizers/" + name;
  return std::filesystem::exists(own) ? own : sharedFolder() + "/checkpoints/" + name;
}

}  // namespace sepx::tests
