// SPDX-License-Identifier: Apache-2.0
// The papers that the program is about, and the third-party code and data that its statements are based on: one list
// for errata, studies, the window "About" and docs/references.md. Texts of the program use the short name. A field that
// was not recorded, such as a commit, is empty, and the note says so. Pure data, not translated; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sepx {

enum class Paper { LocalToGlobal, AttentionStructure, Reversal };  ///< the three papers

struct Reference {           ///< a paper, or third-party code or data
  const char* name = "";     ///< short name used in texts of the program: "Local-to-Global"; unique
  const char* title = "";    ///< title of a paper; empty for code
  const char* authors = "";  ///< of a paper
  int year = 0;              ///< of a paper
  const char* place = "";    ///< "arXiv:2602.02133v2", "github.com/ML-GSAI/RADD"
  const char* commit = "";   ///< commit of the code, if known
  const char* note = "";     ///< the version that was read, its use, and what is not known
};

/// In the order of `Paper`.
std::span<const Reference> papers();
/// Third-party code and data.
std::span<const Reference> sources();
const Reference& referenceOf(Paper paper);
/// Searches both lists by short name; null if there is none.
const Reference* findReference(std::string_view name);
/// One line: authors, title, year and place, or place and commit.
std::string citation(const Reference& reference);

}  // namespace sepx
