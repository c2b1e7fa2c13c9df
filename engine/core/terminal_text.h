// SPDX-License-Identifier: Apache-2.0
// Sanitises and shortens untrusted text (names of files, hosts, tensors and runs, claims, cells, notes) for a terminal,
// a table, a file or a message. This is the only place that does so. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sepx {

/// One line of well-formed UTF-8 that cannot control a terminal: line ends and tabs become blanks. Other control
/// characters, characters that change the writing direction, and invalid bytes become U+FFFD.
std::string printable(std::string_view text);
/// The same, but keeps line ends and tabs; for cells of tables.
std::string printableLines(std::string_view text);
/// printable(), cut to `most` bytes with an ellipsis, without trailing blanks; for quotations in a sentence.
std::string excerpt(std::string_view text, std::size_t most);
/// For a whole sentence that may contain untrusted text: printable(), cut to 2,000 bytes. A word of more than 240 bytes
/// (a path) is shortened to its beginning and its end.
std::string printableSentence(std::string_view sentence);

/// The largest offset at or before `end` that is not inside a character.
std::size_t characterBoundary(std::string_view text, std::size_t end);

}  // namespace sepx
