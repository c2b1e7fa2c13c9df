// SPDX-License-Identifier: Apache-2.0
// See items_table.h.
#include "ui/published/items_table.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/studies/paper_items.h"
#include "ui/page/number_table.h"
#include "ui/page/requests.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

using studies::ItemState;
using studies::PaperItem;

const char* nameOf(ItemState state) {
  switch (state) {
    case ItemState::Judged:
      return N_("judged");
    case ItemState::Shown:
      return N_("shown");
    case ItemState::Published:
      return N_("published only");
    case ItemState::OutOfScope:
      break;
  }
  return N_("out of scope");
}

/// Where the program has an item, or why it does not have it.
std::string whereOf(const PaperItem& item) {
  const std::string place = studies::placeOf(item);
  if (place.empty()) return tr(item.why);
  for (const auto& [begin, command] : {std::pair("study ", "sepx reproduce "), std::pair("verb ", "sepx ")})
    if (place.starts_with(begin)) return command + place.substr(std::string_view(begin).size());
  return place;
}

std::size_t countOf(ItemState state) {
  const auto items = studies::paperItems();
  return static_cast<std::size_t>(
      std::count_if(items.begin(), items.end(), [state](const PaperItem& item) { return stateOf(item) == state; }));
}

Changes shownBy(const PaperItem& item) {
  constexpr std::string_view kPage = "page ";
  if (const studies::Study* const study = studyOf(item)) return showStudy(study->paper, study->key());
  const std::string place = studies::placeOf(item);
  const std::size_t slash = place.find('/');
  if (!place.starts_with(kPage) || slash == std::string::npos) return {};
  return showPage(place.substr(kPage.size(), slash - kPage.size()), place.substr(slash + 1));
}

}  // namespace

TableContent itemsTable() {
  TableContent table;
  table.columns = {{.title = tr("paper"), .share = 1.1},
                   {.title = tr("item"), .share = 1.3},
                   {.title = tr("what it says"), .share = 2.8},
                   {.title = tr("state"), .share = 0.9},
                   {.title = tr("where, or why not"), .share = 2.9}};
  for (const PaperItem& item : studies::paperItems()) {
    table.cells.push_back({item.paper, item.name, tr(item.what), tr(nameOf(stateOf(item))), whereOf(item)});
    const bool ours = stateOf(item) == ItemState::Judged;
    std::vector<NoteLine::Role>& roles = table.roles.emplace_back(table.columns.size(), NoteLine::Role::Muted);
    roles[1] = NoteLine::Role::Normal;
    roles[3] = ours ? NoteLine::Role::Normal : NoteLine::Role::Muted;
  }
  table.pick = [](std::size_t row) { return shownBy(studies::paperItems()[row]); };
  return table;
}

TextContent itemsWords() {
  TextContent words;
  words.lines = {
      {{tr("All items of the papers")}, NoteLine::Role::Heading},
      {{trFormat("{} theorems, figures, tables and equations: {} judged, {} shown, {} published only, {} out of scope.",
                 studies::paperItems().size(), countOf(ItemState::Judged), countOf(ItemState::Shown),
                 countOf(ItemState::Published), countOf(ItemState::OutOfScope))}},
      {{tr("Judged: a study computes it, and its checks may fail. Shown: a page or a command has it, without a "
           "verdict. Published only: what the paper prints. A click on a row shows the page that has the item; a row "
           "that names a command is computed by that command.")},
       NoteLine::Role::Muted}};
  return words;
}

Numbers itemsNumbers() {
  return {{numberTable("items", studies::paperItems(), NumberColumn{"paper", &PaperItem::paper},
                       NumberColumn{"id", &PaperItem::id}, NumberColumn{"name", &PaperItem::name},
                       NumberColumn{"state", [](const PaperItem& item) { return studies::toString(stateOf(item)); }},
                       NumberColumn{"place", studies::placeOf})},
          {}};
}

}  // namespace sepx::ui
