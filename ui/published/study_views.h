// SPDX-License-Identifier: Apache-2.0
// One published study as a page: its charts above, what the paper says and what came out here beside the table of
// numbers, the button that runs it. Pure.
#pragma once

#include <optional>
#include <string>

#include "engine/studies/study.h"
#include "ui/views/board.h"

namespace sepx::ui {

/// What is shown of a study. What it refers to outlives the call.
struct StudyShown {
  const studies::Study& study;
  const studies::StudyResult* made = nullptr;  ///< null before the study was computed
  const std::string& failure;                  ///< why it could not be computed, one sentence; empty: it could
  std::optional<ButtonContent> button{};       ///< that runs or cancels it; none: it needs no button
};

/// Below charts words and table stand side by side where there is room, else below each other.
Views studyViews(const StudyShown& of, const PageArea& area);

}  // namespace sepx::ui
