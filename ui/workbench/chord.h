// SPDX-License-Identifier: Apache-2.0
// Key chords as menus, scripts and the help sheet write them: "Ctrl+Shift+Z", "A", "+", "PageDown". Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/canvas/input.h"

namespace sepx::ui {

struct Chord {
  Key key = Key::None;
  Modifiers modifiers;
};

/// Empty if a part is not a key or modifier. Case does not matter.
std::optional<Chord> parseChord(std::string_view text);
/// Whether pressing `key` with `modifiers` triggers this chord. Shift is ignored for signs, because some keyboards need
/// it to type them.
bool matches(const Chord& chord, Key key, Modifiers modifiers);
/// Keys of a command in addition to its shortcut, as the sheet of keys writes them: "PageDown" for lesson.next.
std::vector<std::string> furtherKeys(std::string_view command);
/// The command that a key without modifiers triggers in addition to the shortcuts; empty: none.
std::string_view furtherCommand(Key key);
/// The text that a key types on a plain keyboard: "a", "A" with Shift, "7"; empty for keys that type nothing.
std::string typedBy(Key key, bool shift);
/// The key that types an ASCII character, and whether it needs Shift; empty for other characters.
std::optional<Chord> keyFor(char character);

}  // namespace sepx::ui
