// SPDX-License-Identifier: Apache-2.0
// Completes the parts of an arrangement from their views: least widths of tables, and names for parts that have no
// room. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/views/arrangement.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// Finds a view by its name; null: there is none.
using NamedView = std::function<const View*(const std::string& name)>;

/// Raises the least widths of tables that may be left out, so that a table is left out rather than shown with cut
/// numbers.
void needNumbersWhole(Arrangement& part, const NamedView& named, const Theme& theme);

/// Gives a name to every part that may be left out and has none: the titles of its charts and matrices, else the kinds
/// of its views. Texts get no name; if one would be missed, its page names it.
void nameParts(Arrangement& part, const NamedView& named);

/// The names separated by commas, each one once.
std::string listed(const std::vector<std::string>& names);

}  // namespace sepx::ui
