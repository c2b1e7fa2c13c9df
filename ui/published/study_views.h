// SPDX-License-Identifier: Apache-2.0
// Arranges one published study on a page: its charts above, the claims of the paper and the results computed here
// beside the table of numbers, and the button that runs it. Pure.
#pragma once

#include <optional>
#include <string>

#include "engine/studies/study.h"
#include "ui/views/board.h"

namespace sepx::ui {

/// The data of a study for display. The objects that it refers to must outlive the call.
struct StudyShown {
  const studies::Study& study;
  const studies::StudyResult* made = nullptr;  ///< null before the study is computed
  const std::string& failure;                  ///< why the computation failed, one sentence; empty: it did not
  std::optional<ButtonContent> button{};       ///< runs or cancels it; none: it needs no button
};

/// Below charts, words and table are side by side if there is room, otherwise one below the other.
Views studyViews(const StudyShown& of, const PageArea& area);

}  // namespace sepx::ui
