// SPDX-License-Identifier: Apache-2.0
// A table of all items of the papers and what the program does with each (engine/studies/paper_items.h). A click on a
// row shows the page or the study that has the item. Pure.
#pragma once

#include "ui/views/view.h"

namespace sepx::ui {

/// Its key among the studies of a page.
inline constexpr const char* kAllItems = "items";

TableContent itemsTable();
/// The numbers of items that are judged, shown, published only or out of scope, and what these words mean.
TextContent itemsWords();
Numbers itemsNumbers();

}  // namespace sepx::ui
