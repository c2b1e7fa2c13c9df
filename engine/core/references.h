// SPDX-License-Identifier: Apache-2.0
// The papers that the program is about, and others' code and data that its statements rest on: one list, which errata,
// studies, the window "About" and docs/references.md share. Texts of the program use the short name. What was not
// recorded, as the commit of some code, is empty, and the note says so. Pure data, not translated; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sepx {

enum class Paper { LocalToGlobal, AttentionStructure, Reversal };  ///< the three

struct Reference {           ///< a paper, or code of others
  const char* name = "";     ///< as texts of the program have it: "Local-to-Global"; unique
  const char* title = "";    ///< of a paper; of code empty
  const char* authors = "";  ///< of a paper
  int year = 0;              ///< of a paper
  const char* place = "";    ///< "arXiv:2602.02133v2", "github.com/ML-GSAI/RADD"
  const char* commit = "";   ///< of code, as far as it is known
  const char* note = "";     ///< which version was read, what rests on it, what is not known
};

/// In the order of `Paper`.
std::span<const Reference> papers();
/// Code and data of others.
std::span<const Reference> sources();
const Reference& referenceOf(Paper paper);
/// Among both; null where there is none of that name.
const Reference* findReference(std::string_view name);
/// One line: authors, title, year and place, or place and commit.
std::string citation(const Reference& reference);

}  // namespace sepx
