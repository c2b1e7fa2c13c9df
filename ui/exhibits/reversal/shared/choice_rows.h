// SPDX-License-Identifier: Apache-2.0
// Groups of buttons above a page's charts, each of which chooses a value of a property. What does not fit into a row
// goes to the next. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/exhibit/strip.h"

namespace sepx::ui {

struct ValueChoice {
  std::string value, label;
  bool on = false;
};

class ChoiceRows {
 public:
  /// Rows from the top of `area` on, in points.
  ChoiceRows(const render::Rect& area, const Theme& theme);
  /// The values of the property `key` behind `name`, which may be empty.
  void add(const std::string& key, const std::string& name, const std::vector<ValueChoice>& choices);
  const Strip& strip() const { return strip_; }

 private:
  void nextRow();

  render::Rect area_;
  const Theme& theme_;
  Strip strip_;
  double top_ = 0;
  std::optional<StripLine> line_;
};

/// The height of all rows of a strip that begins at `top`.
double rowsHeight(const Strip& strip, double top);

}  // namespace sepx::ui
