// SPDX-License-Identifier: Apache-2.0
// Every theorem, lemma, proposition, corollary, figure, table and group of equations of the three papers that states
// something which can be computed or shown, and what the program does with it. The list is in paper_items.inc; whether
// an item is judged or published follows from the studies that exist. `sepx reproduce list` prints it. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "engine/studies/study.h"

namespace sepx::studies {

struct PaperItem {         ///< one theorem, figure or table
  const char* paper = "";  ///< "Local-to-Global"
  const char* id = "";     ///< the id of its study if it has one: "local-to-global-lemma-1"
  const char* name = "";   ///< as the paper calls it: "Lemma 1"
  const char* what = "";   ///< what it states, in a few words
  /// Where the program covers it, if no study has its id: "study ID" (a study that judges it among others), "page
  /// flow/plane", "verb verify"; empty: nowhere.
  const char* place = "";
  const char* why = "";  ///< why it is not covered, or a further remark; may be empty if it is covered
};

/// Judged: a study computes and judges it. Shown: a page or a verb shows it, without a verdict. Published: only the
/// printed numbers are shown, and nothing is computed.
enum class ItemState { Judged, Shown, Published, OutOfScope };
const char* toString(ItemState state);  ///< "judged", "shown", "published", "out-of-scope"

/// In the order of the papers.
std::span<const PaperItem> paperItems();
/// The study with its id, or the one that its place names; null if there is none.
const Study* studyOf(const PaperItem& item);
ItemState stateOf(const PaperItem& item);
/// "theorem", "lemma", "figure", "table", "equations", ...: the first word of its name in lower case.
std::string kindOf(const PaperItem& item);
/// Its place as text: "study local-to-global-theorem-2", "page flow/plane"; empty: nowhere.
std::string placeOf(const PaperItem& item);

}  // namespace sepx::studies
