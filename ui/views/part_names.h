// SPDX-License-Identifier: Apache-2.0
// What the parts of an arrangement need of their views, and what they are called where there is no room for them. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/views/arrangement.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// The view of a name; null: there is none.
using NamedView = std::function<const View*(const std::string& name)>;

/// A table that may be left out is, where all that it could show of its numbers is that they are cut.
void needNumbersWhole(Arrangement& part, const NamedView& named, const Theme& theme);

/// Whatever may be left out and has no name gets one: the titles of its charts and matrices, else what its views are.
/// Words have none: a page names those that are missed.
void nameParts(Arrangement& part, const NamedView& named);

/// Names in a sentence, each once.
std::string listed(const std::vector<std::string>& names);

}  // namespace sepx::ui
