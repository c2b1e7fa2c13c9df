// SPDX-License-Identifier: Apache-2.0
// The config that the user edits on the page New run, as the document stores it: `training.own` has one field for each
// field of a config, absent if it has its default. Pure, except that a change of data.path reads the head of that file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/train/config_fields.h"
#include "ui/document/document.h"
#include "ui/properties/declarations.h"

namespace sepx::ui {

/// The presets in assets/configs, file names without ".json".
std::span<const char* const> presetNames();

/// Converts the value of a config field to the value of its parameter. `place`: "model.d_model".
Value ownValue(std::string_view place, const Json& value);

/// "training.own.model.d_model".
std::string ownKey(std::string_view place);
/// The config that the document describes. Fails with BadInput or Usage and a one-sentence message if it is not valid.
Result<train::RunConfig> ownConfig(const Document& document);
/// The document with `config` as its own config and `name` as its preset; an empty name: no preset.
Document withOwnConfig(const Document& document, const std::string& name, const train::RunConfig& config);
/// The declaration of the parameter of a field.
Property propertyOf(const train::ConfigField& field);
/// The place of the field that a sentence names, in full or by its last part. Empty: it names none.
std::string fieldIn(const std::string& sentence);

}  // namespace sepx::ui
