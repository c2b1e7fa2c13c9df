// SPDX-License-Identifier: Apache-2.0
// The config that a person makes on the page Own, as the document holds it: a field of `training.own` for each field of
// a config, absent where it has its default. Pure but for the files of presets.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/train/config_fields.h"
#include "ui/document/document.h"
#include "ui/properties/declarations.h"

namespace sepx::ui {

/// Files of assets/configs without ".json".
std::span<const char* const> presetNames();

/// What a field of a config is as the value of its parameter.
Value ownValue(std::string_view place, const Json& value);

/// "training.own.model.d_model".
std::string ownKey(std::string_view place);
/// The config that the document describes; BadInput or Usage with one sentence where it is none.
Result<train::RunConfig> ownConfig(const Document& document);
/// A document whose own config is this one; the preset is called `name`.
Document withOwnConfig(const Document& document, const std::string& name, const train::RunConfig& config);
/// The declaration of a field.
Property propertyOf(const train::ConfigField& field);
/// The place of the field that a sentence names, by all of it or by its last part; empty: it names none.
std::string fieldIn(const std::string& sentence);

}  // namespace sepx::ui
