// SPDX-License-Identifier: Apache-2.0
// The views of the page New run: the start buttons or why the run cannot start, learning rate and steps, the fields of
// a group or the presets, facts about the run, the differences from its preset, and a sketch of the model. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/nn/model_config.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

/// A field in which the config differs from the config that it is compared with.
struct OwnDifference {
  std::string place;  ///< "model.layers"
  Value before;       ///< value in the other config, as a parameter has it
};

/// The state of the page in the document, `training.editor`.
struct OwnChoices {
  std::string group = "model", family = "small", search{}, block = "none", field{};
};

struct OwnViewInput {
  const PropertyRegistry& registry;
  const Document& document;
  const OwnChoices& choices;
  const nn::ModelConfig* model = nullptr;  ///< of the last valid config; null: none
  std::uint64_t modelDigest = 0;
  bool text = false;     ///< the data are a text of the user
  std::string preset{};  ///< file; empty: the defaults
  std::string base{};    ///< displayed name of the config that it is compared with
  std::vector<OwnDifference> differences{};
  std::string problem{};    ///< why the run cannot start; empty: no problem is known
  std::string problemAt{};  ///< the field that causes the problem; empty: it names none
  std::string ready{};      ///< if it can start: what will start
  bool canStart = false;
  std::optional<std::int64_t> branchesAt{};  ///< the step from which it branches; empty: no branch
  bool canStartWithPreset = true, canStartWithRuns = false;
  std::vector<std::string> facts{};
};

Views ownViews(const OwnViewInput& shown, const RaceFrame& frame);

/// The key of the control of a preset for scripts, "training.preset.small-encoder". `ownText`: the preset with a text
/// of the user.
std::string presetControl(const std::string& file, bool ownText);

}  // namespace sepx::ui
