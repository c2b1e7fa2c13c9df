// SPDX-License-Identifier: Apache-2.0
// Markdown as a flat list of blocks with their lines (CommonMark by md4c; no HTML, no code by indentation). Links and
// pictures give their text. Pure; any thread.
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
  int line = 0;               ///< of its first text, from 1; of a code block: of its first line inside the fence
  std::string plain() const;  ///< the text without styles
};

/// BadInput when the text cannot be taken apart. `text` is UTF-8.
Result<std::vector<MarkdownBlock>> parseMarkdown(std::string_view text);

}  // namespace sepx::ui
