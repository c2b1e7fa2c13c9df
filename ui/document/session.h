// SPDX-License-Identifier: Apache-2.0
// Session files as a program opens and saves them: also one of a newer version, and with a guard against another
// program that saved the same file meanwhile. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/file_guard.h"
#include "engine/core/result.h"
#include "ui/document/document.h"

namespace sepx::ui {

/// Larger files are refused unread.
inline constexpr std::size_t kLargestSession = std::size_t{256} << 20;

struct Session {
  Document document;
  std::int64_t version = Document::kVersion;
  FileStamp stamp;  ///< of the file as it was read
  bool newer() const { return version > Document::kVersion; }
};

/// BadInput with the path, the place and the reason. A session of a newer version is read as far as it is understood.
Result<Session> readSessionFile(const std::string& path);
/// The same of a text; the sentence names no file.
Result<Session> parseSession(std::string_view text);

/// What a session file holds.
std::string sessionText(const Document& document);

}  // namespace sepx::ui
