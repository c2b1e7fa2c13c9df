// SPDX-License-Identifier: Apache-2.0
// Text of a stranger (names of files, hosts, tensors and runs, claims, cells, notes) on its way to a terminal, a table,
// a file or a message: the one place where it is made harmless and short. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sepx {

/// One line of well-formed UTF-8 that does nothing to a terminal: line ends and tabs are blanks, other control
/// characters, those that turn the direction of writing, and bytes that are no character are U+FFFD.
std::string printable(std::string_view text);
/// The same, with its line ends and tabs: for cells of tables.
std::string printableLines(std::string_view text);
/// printable(), cut to `most` bytes with an ellipsis, without blanks at its end: for what a sentence quotes.
std::string excerpt(std::string_view text, std::size_t most);
/// A whole sentence in which a stranger's text may stand: printable(), at most 2,000 bytes, and a word of more than 240
/// bytes (a path) keeps its beginning and its end.
std::string foreignSentence(std::string_view sentence);

/// The largest place at or before `end` that is not inside a character.
std::size_t characterBoundary(std::string_view text, std::size_t end);

}  // namespace sepx
