// SPDX-License-Identifier: Apache-2.0
// The exhibits of the program, in the order of the menu. This is the only place that knows all of them. Adding an
// exhibit takes one line in exhibits.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/page/exhibit.h"

namespace sepx::ui {

/// Creates one of each exhibit. Every pane has its own set.
std::vector<std::unique_ptr<Exhibit>> makeExhibits();
/// Their keys, which are the sections of a session.
const std::vector<std::string>& exhibitKeys();

}  // namespace sepx::ui
