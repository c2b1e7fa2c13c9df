// SPDX-License-Identifier: Apache-2.0
// Every field of a run's config as a person can change it: where it stands, what it may be, its default. Made from the
// same table that reads and writes configs. Plain data; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/train/run_config.h"

namespace sepx::train {

enum class FieldKind { Toggle, Whole, Real, Word, Text, Texts, Numbers };  ///< of what a person types

struct ConfigField {  ///< one field of a config
  std::string place;  ///< "model.d_model"
  FieldKind kind = FieldKind::Text;
  double least = 0, most = 0;       ///< of Whole, Real and Numbers
  std::vector<std::string> words;   ///< of Word
  nlohmann::ordered_json fallback;  ///< of a config that does not say
};

/// In the order of the file.
std::vector<ConfigField> configFields();

/// The value at a place of toJson(config); null where there is none.
const nlohmann::ordered_json& fieldOf(const nlohmann::ordered_json& config, std::string_view place);

/// Places at which two configs differ, in the order of the file.
std::vector<std::string> differingFields(const RunConfig& a, const RunConfig& b);

}  // namespace sepx::train
