// SPDX-License-Identifier: Apache-2.0
// The state of a window as a line of text (ui/document/state_text.h): only what differs from the defaults, with paths
// that mean something on another machine. Pure; any thread.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

class Workbench;

/// Without fields that hold their defaults, in all panes: it means the same.
Document withoutDefaults(Document document, const PropertyRegistry& registry);

/// Without what a lesson may not set (lesson_list.h), in all panes; of a list with such a field all of it goes.
Document withoutBeyondLessons(Document document, const PropertyRegistry& registry);

/// "sepx:1:…" of what the window shows now. CheckFailed where it is too large for a text.
Result<std::string> stateText(const Workbench& of);

/// The same of a document of that window, withoutBeyondLessons(): what a step of a lesson opens to begin there. Empty
/// where nothing differs from the defaults.
Result<std::string> lessonStateText(const Workbench& of, Document document);

}  // namespace sepx::ui
