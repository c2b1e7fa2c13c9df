// SPDX-License-Identifier: Apache-2.0
// What the page of a new run shows: how it is started or why it cannot be, learning rate and steps, the fields of a
// group or the presets, what the run will be, what differs from its preset, a sketch of the model. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/nn/model_config.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

/// A field in which the config differs from what it is compared with.
struct OwnDifference {
  std::string place;  ///< "model.layers"
  Value before;       ///< as its parameter holds it
};

/// What of the page the document says, `training.editor`.
struct OwnChoices {
  std::string group = "model", family = "small", search{}, block = "none", field{};
};

struct OwnShown {
  const PropertyRegistry& registry;
  const Document& document;
  const OwnChoices& choices;
  const nn::ModelConfig* model = nullptr;  ///< of the last config that could be read; null: none
  std::uint64_t modelDigest = 0;
  bool text = false;     ///< the data are a text of the person's own
  std::string preset{};  ///< file; empty: the defaults
  std::string base{};    ///< what it is compared with is called so
  std::vector<OwnDifference> differences{};
  std::string problem{};    ///< why it cannot be started; empty: nothing speaks against it
  std::string problemAt{};  ///< the field that this is about; empty: it says none
  std::string ready{};      ///< where it can be started: what that will be
  bool canStart = false;
  std::optional<std::int64_t> branchesAt{};  ///< the step at which it begins as a branch
  bool besidePreset = true, besideRuns = false;
  std::vector<std::string> facts{};
};

Views ownViews(const OwnShown& shown, const RaceFrame& frame);

/// The control of a preset for scripts, "training.preset.small-encoder"; `ownText`: with a text of the person's own.
std::string presetControl(const std::string& file, bool ownText);

}  // namespace sepx::ui
