// SPDX-License-Identifier: Apache-2.0
// A text file of the user as the data of the own config: finds the column that contains text, sets the document, and
// counts the tokens. Any thread, except withOwnText(): frame thread.
#pragma once

#include <cstddef>
#include <string>

#include "engine/core/result.h"
#include "engine/core/table.h"
#include "engine/data/source_config.h"
#include "ui/document/document.h"

namespace sepx::ui {

/// The column of a table whose cells contain the most text. Fails with Usage and a one-sentence message if no column
/// contains text.
Result<std::string> textColumn(const Table& table, const std::string& path);
/// The member with the longest text in the first line of a .jsonl file. Empty if there is none, and for other files.
std::string textMember(const std::string& path);

/// The document with this file as the data of the own config, on the page New run. Only fields that do not fit a text
/// change as well: the vocabulary, the step of a branch, and an input of bits or patches.
Document withOwnText(const Document& document, const std::string& path, const std::string& field);

/// The size of a text in tokens.
struct TextFacts {
  std::size_t train = 0, validation = 0;  ///< tokens
  int vocabulary = 0;                     ///< number of different tokens, without [MASK]
  data::Tokens tokens = data::Tokens::Characters;
  /// "notes.txt: 11,110 characters to train …", and which part is shorter than a context of `length` tokens.
  std::string sentence(const std::string& path, int length) const;
  bool isShort(int length) const;
};
/// Fails like data::makeSource() if the text cannot be read (BadInput, one sentence), and with Usage if the data are
/// not text.
Result<TextFacts> readTextFacts(const data::SourceConfig& config);

}  // namespace sepx::ui
