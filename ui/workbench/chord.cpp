// SPDX-License-Identifier: Apache-2.0
// Names of keys and the characters they type.
#include "ui/workbench/chord.h"

#include <array>
#include <utility>

#include "engine/core/ascii.h"

namespace sepx::ui {
namespace {

constexpr std::array<std::pair<std::string_view, Key>, 31> kNames{{
    {"space", Key::Space},
    {"enter", Key::Enter},
    {"return", Key::Enter},
    {"escape", Key::Escape},
    {"esc", Key::Escape},
    {"tab", Key::Tab},
    {"delete", Key::Delete},
    {"backspace", Key::Backspace},
    {"del", Key::Delete},
    {"insert", Key::Insert},
    {"home", Key::Home},
    {"end", Key::End},
    {"pageup", Key::PageUp},
    {"pagedown", Key::PageDown},
    {"left", Key::Left},
    {"right", Key::Right},
    {"up", Key::Up},
    {"down", Key::Down},
    {"plus", Key::Plus},
    {"+", Key::Plus},
    {"minus", Key::Minus},
    {"-", Key::Minus},
    {"period", Key::Period},
    {".", Key::Period},
    {"comma", Key::Comma},
    {",", Key::Comma},
    {"slash", Key::Slash},
    {"/", Key::Slash},
    {"question", Key::Question},
    {"?", Key::Question},
    {"=", Key::Plus},
}};

Key offset(Key first, int by) {
  return static_cast<Key>(static_cast<int>(first) + by);
}

Key keyNamed(std::string_view name) {
  if (name.size() == 1 && name[0] >= 'a' && name[0] <= 'z') return offset(Key::A, name[0] - 'a');
  if (name.size() == 1 && name[0] >= '0' && name[0] <= '9') return offset(Key::Num0, name[0] - '0');
  if (name.size() >= 2 && name.size() <= 3 && name[0] == 'f') {
    int number = 0;
    for (const char c : name.substr(1))
      number = c >= '0' && c <= '9' ? number * 10 + (c - '0') : 99;
    if (number >= 1 && number <= 12) return offset(Key::F1, number - 1);
  }
  for (const auto& [known, key] : kNames) {
    if (known == name) return key;
  }
  return Key::None;
}

bool isSign(Key key) {
  return key >= Key::Plus && key <= Key::Question;
}

}  // namespace

std::optional<Chord> parseChord(std::string_view text) {
  Chord chord;
  std::string rest = lowerCase(std::string(text));
  for (;;) {
    // A plus at the very start is the key itself.
    const auto plus = rest.find('+', 1);
    if (plus == std::string::npos || plus + 1 >= rest.size()) break;
    const std::string part = rest.substr(0, plus);
    if (part == "ctrl" || part == "control") {
      chord.modifiers.ctrl = true;
    } else if (part == "shift") {
      chord.modifiers.shift = true;
    } else if (part == "alt") {
      chord.modifiers.alt = true;
    } else if (part == "super" || part == "meta") {
      chord.modifiers.super = true;
    } else {
      return std::nullopt;
    }
    rest = rest.substr(plus + 1);
  }
  chord.key = keyNamed(rest);
  if (chord.key == Key::None) return std::nullopt;
  return chord;
}

bool matches(const Chord& chord, Key key, Modifiers modifiers) {
  if (chord.key != key || chord.key == Key::None) return false;
  if (chord.modifiers.ctrl != modifiers.ctrl || chord.modifiers.alt != modifiers.alt ||
      chord.modifiers.super != modifiers.super) {
    return false;
  }
  return isSign(key) || chord.modifiers.shift == modifiers.shift;
}

std::string typedBy(Key key, bool shift) {
  const int index = static_cast<int>(key);
  if (key >= Key::A && key <= Key::Z) {
    return std::string(1, static_cast<char>((shift ? 'A' : 'a') + index - static_cast<int>(Key::A)));
  }
  if (key >= Key::Num0 && key <= Key::Num9 && !shift) {
    return std::string(1, static_cast<char>('0' + index - static_cast<int>(Key::Num0)));
  }
  if (key == Key::Space) return " ";
  for (const auto& [name, known] : kNames) {
    if (known == key && name.size() == 1) return std::string(name);
  }
  return {};
}

std::optional<Chord> keyFor(char character) {
  Chord chord;
  if (character == ' ') {
    chord.key = Key::Space;
  } else {
    chord.modifiers.shift = character >= 'A' && character <= 'Z';
    chord.key = keyNamed(lowerCase(std::string(1, character)));
    if (character == '=') chord.key = Key::None;  // not what that key types
  }
  if (chord.key == Key::None) return std::nullopt;
  return chord;
}

namespace {

/// An additional key of a command. Presenter remotes send the page keys.
struct Further {
  Key key;
  const char* name;
  const char* command;
};
constexpr Further kFurther[] = {{Key::PageDown, "PageDown", "lesson.next"},
                                {Key::PageUp, "PageUp", "lesson.previous"},
                                {Key::Period, ".", "present.blank"},
                                {Key::Question, "?", "help.keys"}};

}  // namespace

std::vector<std::string> furtherKeys(std::string_view command) {
  std::vector<std::string> keys;
  for (const Further& one : kFurther) {
    if (one.command == command) keys.emplace_back(one.name);
  }
  return keys;
}

std::string_view furtherCommand(Key key) {
  for (const Further& one : kFurther) {
    if (one.key == key) return one.command;
  }
  return {};
}

}  // namespace sepx::ui
