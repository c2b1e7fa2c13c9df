// SPDX-License-Identifier: Apache-2.0
// The Markdown of a lesson as its author edits it: where its steps stand, steps that change places, lines that are put
// into a step. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sepx::ui {

/// One step of a lesson's text, from its heading to the next; bytes.
struct StepText {
  std::size_t begin = 0, end = 0;
  std::string title;
};

/// The steps in order; a heading inside a fenced block is none.
std::vector<StepText> stepsIn(std::string_view text);
/// Which step a place of the text belongs to; the first where it stands before all, 0 also where there is none.
std::size_t stepAt(const std::vector<StepText>& steps, std::size_t place);

struct EditedText {
  std::string text;
  std::size_t place = 0;  ///< where the cursor belongs, bytes
};
/// The step one place up (-1) or down (+1); the same text where there is no such place.
EditedText withMovedStep(const std::string& text, std::size_t step, int by);
/// Lines at the end of the step's last `steps` block; it gets one where it has none. A lesson without steps gets one.
EditedText withLines(const std::string& text, std::size_t step, const std::vector<std::string>& lines);
/// A new step behind this one.
EditedText withNewStep(const std::string& text, std::size_t step, const std::string& title);

}  // namespace sepx::ui
