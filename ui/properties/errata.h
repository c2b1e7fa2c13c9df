// SPDX-License-Identifier: Apache-2.0
// Everything that is known to be wrong in the papers whose systems the program implements, in our words: where it
// stands, what stands there, what is right, and what the program does about it. Texts are N_(), translated where they
// are shown, and may hold formulas between dollar signs (formula.h). Pure data; any thread.
#pragma once

#include <string_view>
#include <vector>

namespace sepx::ui {

enum class Paper { LocalToGlobal, AttentionStructure, Reversal };
const char* paperName(Paper paper);  ///< "Local-to-Global", translated

struct Erratum {
  const char* id;  ///< "l2g-1": the paper and its number in the project's science notes
  Paper paper;
  const char* place;        ///< in the paper
  const char* printed;      ///< what stands there
  const char* correct;      ///< what is right
  const char* consequence;  ///< for the program and the person in front of it
  bool shown = false;       ///< about something that a screen shows today: a read-out or parameter links to it
};

/// In the order of the papers and of their numbers.
const std::vector<Erratum>& errata();
/// Null when there is none of that id.
const Erratum* findErratum(std::string_view id);

// The parts, one file each.
std::vector<Erratum> errataOfLocalToGlobal();
std::vector<Erratum> errataOfAttentionStructure();
std::vector<Erratum> errataOfReversal();

}  // namespace sepx::ui
