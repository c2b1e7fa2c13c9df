// SPDX-License-Identifier: Apache-2.0
// JSON output of every verb: keys in the documented order, doubles in the shortest form that reads back exactly,
// non-finite numbers as null and counted in "nonfinite". Any thread.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/dynamics/vector_field.h"

namespace sepx::app::cli {

using Json = nlohmann::ordered_json;

Json toJson(const dynamics::State& state);
Json toJson(const dynamics::Jacobian& matrix);  ///< array of rows

/// Null for an empty text, an empty optional or a number that is not finite, which is not counted then.
Json orNull(const std::string& text);
Json orNull(double value);
Json orNull(const std::optional<double>& value);
Json orNull(const std::optional<std::string>& text);

/// {"schema":"sepx.<verb>/1"}: the start of a verb's document.
Json beginDocument(const std::string& verb);
/// The finished text, with "nonfinite" as the last member and a newline.
std::string finishDocument(Json document);

}  // namespace sepx::app::cli
