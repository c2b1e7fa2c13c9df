// SPDX-License-Identifier: Apache-2.0
// Prints rows of a label and a value for people. The values begin two blanks after the longest label, in every
// language. Any thread.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/utf8.h"

namespace sepx::app::cli {

class LabelTable {
 public:
  void row(std::string label, std::string value) { rows_.emplace_back(std::move(label), std::move(value)); }
  void print(std::ostream& out) const {
    constexpr std::size_t kBetween = 2;
    std::size_t widest = 0;
    for (const auto& [label, value] : rows_)
      widest = std::max(widest, decodeUtf8(label).size());
    for (const auto& [label, value] : rows_)
      out << label << std::string(widest - decodeUtf8(label).size() + kBetween, ' ') << value << "\n";
  }

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

}  // namespace sepx::app::cli
