// SPDX-License-Identifier: Apache-2.0
// Commands by name and by key.
#include "ui/workbench/commands.h"

#include <algorithm>

#include "ui/properties/tr.h"
#include "ui/workbench/chord.h"

namespace sepx::ui {
namespace {

/// Ctrl chords that belong to a text field while it is edited.
bool editsText(const Chord& chord) {
  const auto is = [&](Key key) { return chord.key == key; };
  return chord.modifiers.ctrl && (is(Key::A) || is(Key::C) || is(Key::V) || is(Key::X) || is(Key::Y) || is(Key::Z));
}

}  // namespace

void Commands::remove(const std::vector<std::string>& keys) {
  std::erase_if(entries_,
                [&](const auto& one) { return std::find(keys.begin(), keys.end(), one.first.key) != keys.end(); });
}

void Commands::keepOnly(const std::vector<std::string>& keys) {
  std::erase_if(entries_,
                [&](const auto& one) { return std::find(keys.begin(), keys.end(), one.first.key) == keys.end(); });
}

void Commands::clearShadowedShortcuts() {
  std::vector<std::string> taken;
  for (auto& [command, action] : entries_) {
    if (command.shortcut.empty()) continue;
    if (std::find(taken.begin(), taken.end(), command.shortcut) != taken.end()) {
      command.shortcut.clear();
    } else if (command.enabled) {
      taken.push_back(command.shortcut);
      for (std::string& more : furtherKeys(command.key))
        taken.push_back(std::move(more));
    }
  }
}

std::vector<Workbench::Command> Commands::list() const {
  std::vector<Workbench::Command> all;
  for (const auto& [command, action] : entries_)
    all.push_back(command);
  return all;
}

Result<Commands::Action> Commands::find(std::string_view key) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const auto& one) { return one.first.key == key; });
  if (found == entries_.end()) return fail(ErrorKind::Usage, std::string(key) + ": " + tr("there is no such command"));
  if (!found->first.enabled) {
    return fail(ErrorKind::CheckFailed, found->first.label + ": " + tr("not available now"));
  }
  return found->second;
}

std::string Commands::meaning(const KeyPressed& press, bool textActive) const {
  bool known = false;
  const std::string_view further = furtherCommand(press.key);
  for (const auto& [command, action] : entries_) {
    // The key of a presenter remote takes precedence over a chord that comes later in the list: while a stage is open,
    // the key controls the stage.
    const bool plain = !textActive && press.modifiers == Modifiers{};
    if (plain && command.enabled && !further.empty() && command.key == further) return command.key;
    const auto chord = command.shortcut.empty() ? std::nullopt : parseChord(command.shortcut);
    if (!chord || !matches(*chord, press.key, press.modifiers)) continue;
    if (textActive && (!chord->modifiers.ctrl || editsText(*chord)) && chord->key != Key::F1) return {};
    if (command.enabled) return command.key;
    known = true;  // commands may share a chord if only one of them is enabled at a time
  }
  if (known) return {};
  if (textActive || press.modifiers.ctrl || press.modifiers.alt) return {};
  return std::string(further);
}

}  // namespace sepx::ui
