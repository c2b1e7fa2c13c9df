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

/// Nothing when a part is not a key or modifier. Case does not matter.
std::optional<Chord> parseChord(std::string_view text);
/// Does pressing `key` with `modifiers` mean this chord? Shift does not count for signs, which some keyboards put
/// behind it.
bool matches(const Chord& chord, Key key, Modifiers modifiers);
/// Keys of a command besides its shortcut, as the sheet of keys writes them: "PageDown" of lesson.next.
std::vector<std::string> furtherKeys(std::string_view command);
/// The command that a plain key means besides the shortcuts; empty: none.
std::string_view furtherCommand(Key key);
/// What a key types on a plain keyboard: "a", "A" with Shift, "7"; empty for keys that type nothing.
std::string typedBy(Key key, bool shift);
/// The key that types an ASCII character, and whether it needs Shift; nothing for other characters.
std::optional<Chord> keyFor(char character);

}  // namespace sepx::ui
