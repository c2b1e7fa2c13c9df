// SPDX-License-Identifier: Apache-2.0
// The config of a model in any of the known vocabularies: config.json of Hugging Face, params.json, GGUF's key-values,
// the arguments that nanoGPT saves. Every number is checked before it is used. Immutable; any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/checkpoint/attention_map.h"
#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

class ModelConfig {
 public:
  explicit ModelConfig(const Checkpoint& checkpoint);

  /// model_type of config.json, general.architecture of GGUF; empty when there is none.
  const std::string& modelType() const { return types_.front(); }
  /// The outer type and those of the parts inside ("text_config"), outermost first; never empty.
  const std::vector<std::string>& modelTypes() const { return types_; }
  const std::string& from() const { return from_; }  ///< "config.json", "GGUF metadata"; empty: no config
  bool isGguf() const { return gguf_; }
  bool empty() const { return scopes_.empty(); }

  /// Searches the part of the config for the text model first, then the outer object, then the other parts. A dot in a
  /// key steps into an object ("rope_parameters.rope_theta").
  std::optional<std::int64_t> integer(std::initializer_list<const char*> keys, int layer = 0) const;
  std::optional<double> number(std::initializer_list<const char*> keys) const;
  std::optional<bool> flag(const char* key) const;
  std::string text(const char* key) const;
  const nlohmann::json* value(std::string_view key) const;  ///< null when there is none

  /// A positive, plausible number, or empty. GGUF may give one number per layer.
  std::optional<int> heads(Stack stack, int layer) const;
  std::optional<int> kvHeads(int layer) const;
  std::optional<int> headWidth() const;
  std::optional<int> width() const;  ///< d_model
  std::optional<int> layers(Stack stack) const;
  std::optional<double> normEpsilon() const;
  std::optional<double> ropeBase() const;
  /// A sentence about an invalid epsilon of the norms or, with `rotary`, an invalid base of the rotary encoding
  /// ("config.json: rms_norm_eps is -1; …"). Empty if both are valid or missing.
  std::string oddValue(bool rotary) const;
  /// How many of the `d_h` dimensions of a head are rotated.
  int ropeDimensions(int d_h) const;

 private:
  const nlohmann::json* value(const nlohmann::json& scope, std::string_view key) const;
  std::optional<int> count(std::initializer_list<const char*> keys, int layer = 0) const;

  std::vector<const nlohmann::json*> scopes_;  ///< into the checkpoint's config, which outlives this
  std::vector<std::string> types_;
  std::string from_;
  bool gguf_ = false;
};

}  // namespace sepx::checkpoint
