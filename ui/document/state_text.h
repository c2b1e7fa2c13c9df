// SPDX-License-Identifier: Apache-2.0
// A state as one short line that can be mailed, typed or shown as a QR code: "sepx:1:" followed by base64url of a
// checksum and the compressed JSON of a document. Numbers with many digits are replaced by eight bytes before
// compression. Untrusted lines are bounded as session files are. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "ui/document/document.h"

namespace sepx::ui {

/// Longest line in characters, and largest JSON in it in bytes. Anything larger is rejected.
inline constexpr std::size_t kLongestStateText = std::size_t{1} << 20;
inline constexpr std::size_t kLargestState = std::size_t{16} << 20;

/// Whether the text begins as a state ("sepx:1:…", also of a newer version), after leading blanks.
bool isStateText(std::string_view text);

/// CheckFailed if the JSON or the text is larger than its limit. Equal documents have equal texts.
Result<std::string> writeStateText(const Document& document);

/// Blanks and line endings between the characters are ignored. BadInput with the reason: the text is truncated,
/// damaged, too large, or of a newer version. The message does not contain the text.
Result<Document> readStateText(std::string_view text);

/// "sepx:1:K7m2…": a short form that identifies the state in a message.
std::string shownStateText(std::string_view text);

}  // namespace sepx::ui
