// SPDX-License-Identifier: Apache-2.0
// Describes every field of a run's config for editing: its path, its allowed values and its default. Built from the
// same table that reads and writes configs. Plain data; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/train/run_config.h"

namespace sepx::train {

enum class FieldKind { Toggle, Whole, Real, Word, Text, Texts, Numbers };  ///< kind of value

struct ConfigField {  ///< one field of a config
  std::string place;  ///< "model.d_model"
  FieldKind kind = FieldKind::Text;
  double least = 0, most = 0;       ///< range of Whole, Real and Numbers
  std::vector<std::string> words;   ///< allowed values of Word
  nlohmann::ordered_json fallback;  ///< the value if a config does not have the field
};

/// All fields, in the order of the file.
std::vector<ConfigField> configFields();

/// The value of the field with this path in toJson(config); null if there is none.
const nlohmann::ordered_json& fieldOf(const nlohmann::ordered_json& config, std::string_view place);

/// Paths of the fields in which two configs differ, in the order of the file.
std::vector<std::string> differingFields(const RunConfig& a, const RunConfig& b);

}  // namespace sepx::train
