// SPDX-License-Identifier: Apache-2.0
// What is in the papers, and what the program does with it (engine/studies/paper_items.h), as a table: a click on a row
// shows the page or the study that has the item. Pure.
#pragma once

#include "ui/views/view.h"

namespace sepx::ui {

/// Its word among the studies of a page.
inline constexpr const char* kAllItems = "items";

TableContent itemsTable();
/// How many items are judged, shown, published alone or out of scope, and what these words mean.
TextContent itemsWords();
Numbers itemsNumbers();

}  // namespace sepx::ui
