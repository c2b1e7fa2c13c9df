// SPDX-License-Identifier: Apache-2.0
// Writes the state of a window as a line of text (ui/document/state_text.h): only what differs from the defaults, with
// paths that are valid on another machine. Pure; any thread.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

class Workbench;

/// The document without fields that have their default, in all panes; its meaning is the same.
Document withoutDefaults(Document document, const PropertyRegistry& registry);

/// The document without what a lesson may not set (lesson_list.h), in all panes. A list with such a field is removed as
/// a whole.
Document withoutBeyondLessons(Document document, const PropertyRegistry& registry);

/// The state that the window shows now, as "sepx:1:…". CheckFailed where it is too large for a text.
Result<std::string> stateText(const Workbench& of);

/// The same for a document of that window, after withoutBeyondLessons(), for a step of a lesson to open. Empty where
/// nothing differs from the defaults.
Result<std::string> lessonStateText(const Workbench& of, Document document);

}  // namespace sepx::ui
