// SPDX-License-Identifier: Apache-2.0
// Reads and writes session files, including those of a newer version. A stamp of the file that was read shows whether
// another program has saved it since. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/file_guard.h"
#include "engine/core/result.h"
#include "ui/document/document.h"

namespace sepx::ui {

/// Bytes; larger files are rejected without being read.
inline constexpr std::size_t kLargestSession = std::size_t{256} << 20;

struct Session {
  Document document;
  std::int64_t version = Document::kVersion;
  FileStamp stamp;  ///< of the file as it was read
  bool newer() const { return version > Document::kVersion; }
};

/// BadInput with the path, the place and the reason. A session of a newer version is read as far as it is understood.
Result<Session> readSessionFile(const std::string& path);
/// The same for a text; the message names no file.
Result<Session> parseSession(std::string_view text);

/// The content of a session file.
std::string sessionText(const Document& document);

}  // namespace sepx::ui
