// SPDX-License-Identifier: Apache-2.0
// The errata of the papers: what a reader should know before comparing them with the program. Errors, misprints,
// conditions under which a statement holds, and results that we add, in our words: where it is in the paper, what is
// printed there, what is correct, and what the program does about it. Texts are N_(), translated where they are shown,
// and may contain formulas between dollar signs (formula.h). Pure data; any thread.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "engine/core/references.h"

namespace sepx::ui {

using sepx::Paper;
/// "Local-to-Global": a name, the same in every language. engine/core/references.h has the paper's citation.
const char* paperName(Paper paper);

enum class ErratumKind {
  Wrong,        ///< a statement or formula is wrong
  Misprint,     ///< a misprint: nothing that follows depends on it
  Conditional,  ///< the statement holds under a condition or reading that the paper does not state
  Added,        ///< a result of ours, unpublished, or a check of a result of the paper
};
inline constexpr std::array kErratumKinds{ErratumKind::Wrong, ErratumKind::Misprint, ErratumKind::Conditional,
                                          ErratumKind::Added};
const char* kindName(ErratumKind kind);                                ///< "Error", translated
const char* kindPlural(ErratumKind kind);                              ///< "Errors", translated
std::string kindAnswer(ErratumKind kind, const std::string& correct);  ///< "Corrected: …", translated

struct Erratum {
  const char* id;  ///< "l2g-1": the paper and its number in the project's science notes
  Paper paper;
  ErratumKind kind;
  const char* place;        ///< in the paper
  const char* printed;      ///< the printed statement
  const char* correct;      ///< what is right, or what we add
  const char* consequence;  ///< for the program and its user
  bool shown = false;       ///< about something that the program displays: a read-out or parameter links to it
};

/// All errata, in the order of the papers and of their numbers.
const std::vector<Erratum>& errata();
/// The erratum with that id; null if there is none.
const Erratum* findErratum(std::string_view id);

// The parts, one file each.
std::vector<Erratum> errataOfLocalToGlobal();
std::vector<Erratum> errataOfAttentionStructure();
std::vector<Erratum> errataOfReversal();

}  // namespace sepx::ui
