// SPDX-License-Identifier: Apache-2.0
// Edits the Markdown of a lesson as a text: finds its steps, moves a step, adds lines to a step, adds a step. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sepx::ui {

/// One step in the text of a lesson, from its heading to the next one; byte offsets.
struct StepText {
  std::size_t begin = 0, end = 0;
  std::string title;
};

/// The steps in order. A heading inside a fenced block does not begin a step.
std::vector<StepText> stepsIn(std::string_view text);
/// The index of the step that contains a byte offset; 0 before the first step, and also if there are no steps.
std::size_t stepAt(const std::vector<StepText>& steps, std::size_t place);

struct EditedText {
  std::string text;
  std::size_t place = 0;  ///< byte offset for the cursor
};
/// Moves the step one place up (-1) or down (+1). The text is unchanged if there is no such place.
EditedText withMovedStep(const std::string& text, std::size_t step, int by);
/// Adds lines at the end of the step's last `steps` block, which is created if missing. A lesson without steps gets
/// one.
EditedText withLines(const std::string& text, std::size_t step, const std::vector<std::string>& lines);
/// Adds a new step after this one.
EditedText withNewStep(const std::string& text, std::size_t step, const std::string& title);

}  // namespace sepx::ui
