// SPDX-License-Identifier: Apache-2.0
// Every theorem, lemma, proposition, corollary, figure, table and group of equations of the three papers that says
// something which can be computed or shown, and what the program does with it. The list is paper_items.inc; whether an
// item is judged or published follows from the studies that exist. `sepx reproduce list` prints it. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "engine/studies/study.h"

namespace sepx::studies {

struct PaperItem {         ///< one theorem, figure or table
  const char* paper = "";  ///< "Local-to-Global"
  const char* id = "";     ///< that of its study where it has one: "local-to-global-lemma-1"
  const char* name = "";   ///< as the paper calls it: "Lemma 1"
  const char* what = "";   ///< what it says, a few words
  /// Where it is, unless there is a study of its id: "study ID" that judges it among others, "page flow/plane", "verb
  /// verify"; empty: nowhere.
  const char* place = "";
  const char* why = "";  ///< why it is nowhere, or what else is to be known; may be empty elsewhere
};

/// Judged: a study computes and judges it. Shown: a page or a verb has it, without a verdict. Published: what is
/// printed is shown, and nothing of our own.
enum class ItemState { Judged, Shown, Published, OutOfScope };
const char* toString(ItemState state);  ///< "judged", "shown", "published", "out-of-scope"

/// In the order of the papers.
std::span<const PaperItem> paperItems();
/// That of its id, or the one that its place names; null: none.
const Study* studyOf(const PaperItem& item);
ItemState stateOf(const PaperItem& item);
/// "theorem", "lemma", "figure", "table", "equations", ...: the first word of its name, in small letters.
std::string kindOf(const PaperItem& item);
/// Its place in words of a command or a page: "study local-to-global-theorem-2", "page flow/plane"; empty: nowhere.
std::string placeOf(const PaperItem& item);

}  // namespace sepx::studies
