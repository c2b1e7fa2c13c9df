// SPDX-License-Identifier: Apache-2.0
// A text file of a person as the data of the own config: which of its columns holds text, what the document says then,
// and what was read. Any thread but for the document, which is the frame's.
#pragma once

#include <cstddef>
#include <string>

#include "engine/core/result.h"
#include "engine/core/table.h"
#include "engine/data/source_config.h"
#include "ui/document/document.h"

namespace sepx::ui {

/// The column of a table whose cells hold most text. Usage with a sentence where all hold numbers.
Result<std::string> textColumn(const Table& table, const std::string& path);
/// The member of the first line of a .jsonl file that holds most text; empty where there is none, and for other files.
std::string textMember(const std::string& path);

/// The own config with this file as its data, on the page Own: nothing else changes but what cannot be with a text, the
/// vocabulary and the input of bits.
Document withOwnText(const Document& document, const std::string& path, const std::string& field);

/// What a text gives.
struct TextFacts {
  std::size_t train = 0, validation = 0;  ///< tokens
  int vocabulary = 0;                     ///< different tokens, without [MASK]
  data::Tokens tokens = data::Tokens::Characters;
  /// "notes.txt: 11,110 characters to train …", and what is shorter than a context of `length`.
  std::string sentence(const std::string& path, int length) const;
  bool isShort(int length) const;
};
/// BadInput with one sentence where the text cannot be read, as data::makeSource.
Result<TextFacts> readTextFacts(const data::SourceConfig& config);

}  // namespace sepx::ui
