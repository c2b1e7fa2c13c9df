// SPDX-License-Identifier: Apache-2.0
// The configs that ship with the program, in families, each with one sentence. Constant data.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sepx::ui {

struct OwnPreset {
  const char* file;           ///< in assets/configs, without ".json"; "": the defaults
  const char *title, *about;  ///< N_(); about: one sentence
  bool ownText = false;       ///< its data are a text of the user
};

struct PresetFamily {
  const char* word;          ///< of `training.editor.family`
  const char *name, *about;  ///< N_(); about: one sentence
  std::span<const OwnPreset> presets;
};

std::span<const PresetFamily> presetFamilies();
/// The preset of a file, and its family; null: there is none.
const OwnPreset* presetOf(std::string_view file);
const PresetFamily* familyOf(std::string_view file);

}  // namespace sepx::ui
