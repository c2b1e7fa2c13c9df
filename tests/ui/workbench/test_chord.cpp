// SPDX-License-Identifier: Apache-2.0
// Names of key chords, in both directions.
#include <catch2/catch.hpp>

#include "ui/workbench/chord.h"

using namespace sepx::ui;

TEST_CASE("Chords are parsed in the notation of the menus", "[chord]") {
  const auto undo = parseChord("Ctrl+Shift+Z");
  REQUIRE(undo);
  CHECK(undo->key == Key::Z);
  CHECK(undo->modifiers == Modifiers{.ctrl = true, .shift = true});
  CHECK(parseChord("+")->key == Key::Plus);
  CHECK(parseChord("Ctrl++")->key == Key::Plus);
  CHECK(parseChord("Ctrl++")->modifiers.ctrl);
  CHECK(parseChord("-")->key == Key::Minus);
  CHECK(parseChord("PageDown")->key == Key::PageDown);
  CHECK(parseChord("f1")->key == Key::F1);
  CHECK(parseChord("F12")->key == Key::F12);
  CHECK(parseChord("7")->key == Key::Num7);
  for (const char* wrong : {"", "Ctrl+", "Ctrl", "Foo+A", "F13", "F0", "AB", "Ctrl+Shift+", "fx"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parseChord(wrong));
  }
}

TEST_CASE("A key matches a chord only with the same modifiers", "[chord]") {
  const Chord add = *parseChord("A");
  CHECK(matches(add, Key::A, {}));
  CHECK_FALSE(matches(add, Key::A, {.ctrl = true}));
  CHECK_FALSE(matches(add, Key::A, {.shift = true}));
  CHECK_FALSE(matches(add, Key::B, {}));
  // On some keyboards the plus is typed with Shift.
  CHECK(matches(*parseChord("+"), Key::Plus, {.shift = true}));
  CHECK_FALSE(matches(Chord{}, Key::None, {}));
}

TEST_CASE("keyFor() and typedBy() are inverse for every character that a key types", "[chord]") {
  for (const char character : std::string("abzAZ059 +-.,/?")) {
    CAPTURE(character);
    const auto chord = keyFor(character);
    REQUIRE(chord);
    CHECK(typedBy(chord->key, chord->modifiers.shift) == std::string(1, character));
  }
  CHECK_FALSE(keyFor('='));
  CHECK_FALSE(keyFor('\n'));
  CHECK(typedBy(Key::Enter, false).empty());
}
