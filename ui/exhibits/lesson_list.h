// SPDX-License-Identifier: Apache-2.0
// The allowlist for lessons: the parameters, commands, buttons and pictures that the steps of a lesson may use. A
// lesson is text from another author. It may control views, but must not change anything that outlives it: no existing
// run, tag, note, folder, preference or file. Everything that is not on the list is forbidden, so a new parameter,
// command or button is forbidden until it is added here. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/properties/registry.h"

namespace sepx::ui {

/// Whether the key of a parameter, a command or a button is on the list. An index and a pane number in it are ignored:
/// "flow@2.points[3].e" is looked up as "flow.points[].e".
bool inLessons(std::string_view key);
/// Whether the pointer and the keys of a lesson may act on the picture of the page of an exhibit that `document` shows.
bool pictureInLessons(std::string_view exhibit, const Document& document, const PropertyRegistry& registry);
/// The key of the first parameter that is not on the list and has another value in `document` than its default, or any
/// value in an element of a list. Empty if there is none. For a session that a lesson opens. `document`: of one pane.
std::string beyondLessons(const Document& document, const PropertyRegistry& registry);
/// All entries, for the test that each of them exists. Those of pictures end in " picture".
std::vector<std::string> lessonList();

}  // namespace sepx::ui
