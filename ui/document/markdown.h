// SPDX-License-Identifier: Apache-2.0
// Parses Markdown into a flat list of blocks with line numbers (CommonMark by md4c; no HTML, no indented code blocks).
// Links and images are reduced to their text. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/lesson.h"

namespace sepx::ui {

struct MarkdownBlock {
  Block block;
  int level = 0;              ///< of a heading, 1 to 6
  std::string fence;          ///< of a code block: the word after the fence
  int line = 0;               ///< line of its first text, from 1; for a code block, of the first line inside the fence
  std::string plain() const;  ///< the text without styles
};

/// BadInput if the text cannot be parsed. `text` is UTF-8.
Result<std::vector<MarkdownBlock>> parseMarkdown(std::string_view text);

}  // namespace sepx::ui
