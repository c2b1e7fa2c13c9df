// SPDX-License-Identifier: Apache-2.0
// The exhibits of the program, in the order of the menu: the one place that knows all of them. Adding an exhibit is one
// line in exhibits.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/page/exhibit.h"

namespace sepx::ui {

/// A fresh set, one of each: every pane has its own.
std::vector<std::unique_ptr<Exhibit>> makeExhibits();
/// Their keys, which are the sections of a session.
const std::vector<std::string>& exhibitKeys();

}  // namespace sepx::ui
