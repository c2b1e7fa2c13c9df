// SPDX-License-Identifier: Apache-2.0
// Shared by the two source files of Files: document fields that only files use, and helpers for paths. Internal to
// ui/workbench/files*.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "ui/document/document.h"

namespace sepx::ui {

inline constexpr const char* kSeedField = "seed";          ///< seed of the program's random draws, if not 0
inline constexpr const char* kAutosaveField = "autosave";  ///< the note in a recovery document

inline std::string fileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

inline bool isSameFile(const std::string& a, const std::string& b) {
  std::error_code failed;
  return a == b || std::filesystem::equivalent(a, b, failed);
}

/// The unsigned integer at `path`; 0 if there is none.
inline std::uint64_t unsignedAt(const Document& document, std::string_view path) {
  const Json& value = document.at(path);
  return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
}

}  // namespace sepx::ui
