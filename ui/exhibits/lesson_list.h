// SPDX-License-Identifier: Apache-2.0
// What a lesson may do: the one list of parameters, commands, buttons and pictures that the steps of a lesson may use.
// A lesson is somebody else's text. It drives views; it changes nothing that outlives it: no run that is there, no tag,
// note, folder, preference or file. What is not on the list is outside, so a new parameter, command or button is
// outside until it is added here. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/properties/registry.h"

namespace sepx::ui {

/// Whether the list has the key of a parameter ("flow.points[].e"; an index and the number of a pane do not count), a
/// command or a button.
bool inLessons(std::string_view key);
/// Whether the pointer and the keys of a lesson may act on the picture of an exhibit's page, the one that `document`
/// shows.
bool pictureInLessons(std::string_view exhibit, const Document& document, const PropertyRegistry& registry);
/// The first parameter that is not on the list and has another value in `document` than the one it has by itself;
/// empty: there is none. For a session that a lesson opens. `document`: of one pane.
std::string beyondLessons(const Document& document, const PropertyRegistry& registry);
/// All entries, for the test that each of them exists. Those of pictures end in " picture".
std::vector<std::string> lessonList();

}  // namespace sepx::ui
