// SPDX-License-Identifier: Apache-2.0
// A state as one short line that can be mailed, typed or shown as a QR picture: "sepx:1:" and base64url of a checksum
// and the compressed JSON of a document. Numbers of many digits are eight bytes before they are compressed. A line from
// a stranger is bounded as a session is. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "ui/document/document.h"

namespace sepx::ui {

/// Characters of a line, and bytes of the JSON in it, beyond which it is refused.
inline constexpr std::size_t kLongestStateText = std::size_t{1} << 20;
inline constexpr std::size_t kLargestState = std::size_t{16} << 20;

/// Whether the text says that it is one ("sepx:1:…", also of a newer version), after blanks.
bool isStateText(std::string_view text);

/// CheckFailed where it would be longer than kLongestStateText. Equal documents have equal texts.
Result<std::string> writeStateText(const Document& document);

/// Blanks and line ends between its characters mean nothing. BadInput with what is wrong: it is cut, damaged, too
/// large, or of a newer version; without the text itself.
Result<Document> readStateText(std::string_view text);

/// "sepx:1:K7m2…": to call it by in a sentence.
std::string shownStateText(std::string_view text);

}  // namespace sepx::ui
