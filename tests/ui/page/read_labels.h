// SPDX-License-Identifier: Apache-2.0
// The text of labels: the pieces of a symbol that are drawn separately are joined again, as in "W_qk".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/utf8.h"
#include "engine/render/scene.h"
#include "ui/properties/formula_nodes.h"

namespace sepx::ui {

/// Replaces the italic letters of symbols by plain letters.
inline std::string plainLetters(const std::string& text) {
  std::string plain;
  for (const char32_t code : decodeUtf8(text))
    appendUtf8(plain, code < 0x1D400 && code != 0x210E ? code : plainLetter(code));
  return plain;
}

/// Whether `label` continues the line of `before`.
inline bool goesOn(const render::Label& before, const render::Label& label) {
  const bool along = label.vertical ? label.offset.y < before.offset.y : label.offset.x > before.offset.x;
  return label.at.x == before.at.x && label.at.y == before.at.y && label.alignY == render::AlignY::Baseline && along;
}

/// One string for each line.
inline std::vector<std::string> readLines(const std::vector<render::Label>& labels) {
  std::vector<std::string> lines;
  const render::Label* before = nullptr;
  for (const render::Label& label : labels) {
    const std::string text = plainLetters(label.text);
    if (!before || !goesOn(*before, label)) {
      lines.push_back(text);
    } else {
      const double down = label.vertical ? label.offset.x - before->offset.x : label.offset.y - before->offset.y;
      lines.back() += (label.size < before->size ? (down > 0 ? "_" : "^") : "") + text;
    }
    before = &label;
  }
  return lines;
}

/// The position of the line with this text; nothing if there is none.
inline std::optional<render::Point> placeOfText(const std::vector<render::Label>& labels, const std::string& text) {
  for (std::size_t first = 0; first < labels.size(); ++first) {
    std::size_t end = first + 1;
    while (end < labels.size() && goesOn(labels[end - 1], labels[end]))
      ++end;
    if (readLines(
            {labels.begin() + static_cast<std::ptrdiff_t>(first), labels.begin() + static_cast<std::ptrdiff_t>(end)})
            .front() == text)
      return labels[first].at;
  }
  return std::nullopt;
}

inline std::string readLabels(const std::vector<render::Label>& labels) {
  std::string all;
  for (const std::string& line : readLines(labels))
    all += line + "\n";
  return all;
}

}  // namespace sepx::ui
