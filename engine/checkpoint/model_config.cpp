// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/model_config.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace sepx::checkpoint {

namespace {

using nlohmann::json;

// No model has more; a larger number means that the file is broken.
constexpr std::int64_t kMostHeads = 1 << 16;
constexpr std::int64_t kMostWidth = 1 << 24;
constexpr std::size_t kLongestType = 200;  // no family has a longer name, and messages contain it

// Parts of a config that describe a model inside the model, the one with the text first.
constexpr std::array kParts{"text_config", "model_args", "llm_config",       "language_config", "config", "args",
                            "model",       "hparams",    "hyper_parameters", "thinker_config",  "cfg",    "decoder",
                            "encoder",     "dims",       "vision_config",    "audio_config"};

std::optional<std::int64_t> asInteger(const json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > std::uint64_t{1} << 62) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::abs(number) < 1e15 && number == std::floor(number)) return static_cast<std::int64_t>(number);
  }
  return std::nullopt;
}

}  // namespace

ModelConfig::ModelConfig(const Checkpoint& checkpoint) : from_(checkpoint.configFrom()) {
  const json& config = checkpoint.config();
  gguf_ = checkpoint.format() == Format::Gguf;
  types_.emplace_back();
  if (!config.is_object()) return;
  const auto type = [](const json& scope, const char* key) {
    const auto found = scope.find(key);
    const auto* text = found == scope.end() ? nullptr : found->get_ptr<const std::string*>();
    return text != nullptr && text->size() <= kLongestType ? *text : std::string();
  };
  types_.front() = type(config, gguf_ ? "general.architecture" : "model_type");
  if (gguf_ && types_.front().empty())
    if (const auto found = checkpoint.metadata().find("general.architecture");
        found != checkpoint.metadata().end() && found->second.size() <= kLongestType)
      types_.front() = found->second;
  bool rootPlaced = false;
  for (const char* part : kParts) {
    // The outer object comes after the part for the text and before all others.
    if (!rootPlaced && std::string_view(part) != "text_config") {
      scopes_.push_back(&config);
      rootPlaced = true;
    }
    const auto found = config.find(part);
    if (found == config.end() || !found->is_object()) continue;
    scopes_.push_back(&*found);
    if (std::string inner = type(*found, "model_type"); !inner.empty()) types_.push_back(std::move(inner));
  }
}

const json* ModelConfig::value(const json& scope, std::string_view key) const {
  if (gguf_) {
    // Every key of GGUF begins with the name of the architecture; dots are part of the name.
    const auto found = scope.find(types_.front() + "." + std::string(key));
    return found == scope.end() || found->is_null() ? nullptr : &*found;
  }
  const json* at = &scope;
  while (true) {
    const std::size_t dot = key.find('.');
    const auto found = at->find(std::string(key.substr(0, dot)));
    if (found == at->end() || found->is_null()) return nullptr;
    if (dot == std::string_view::npos) return &*found;
    if (!found->is_object()) return nullptr;
    at = &*found;
    key.remove_prefix(dot + 1);
  }
}

const json* ModelConfig::value(std::string_view key) const {
  for (const json* scope : scopes_)
    if (const json* found = value(*scope, key)) return found;
  return nullptr;
}

std::optional<std::int64_t> ModelConfig::integer(std::initializer_list<const char*> keys, int layer) const {
  // All keys are tried in a scope before the next scope: the text's own "n_head" wins over that of another part.
  for (const json* scope : scopes_)
    for (const char* key : keys) {
      const json* found = value(*scope, key);
      if (found == nullptr) continue;
      if (found->is_array() && layer >= 0 && static_cast<std::size_t>(layer) < found->size())
        found = &(*found)[static_cast<std::size_t>(layer)];
      if (const auto number = asInteger(*found)) return number;
    }
  return std::nullopt;
}

std::optional<double> ModelConfig::number(std::initializer_list<const char*> keys) const {
  for (const json* scope : scopes_)
    for (const char* key : keys) {
      const json* found = value(*scope, key);
      if (found == nullptr || !found->is_number()) continue;
      if (const double number = found->get<double>(); std::isfinite(number)) return number;
    }
  return std::nullopt;
}

std::optional<bool> ModelConfig::flag(const char* key) const {
  const json* found = value(key);
  return found != nullptr && found->is_boolean() ? std::optional(found->get<bool>()) : std::nullopt;
}

std::string ModelConfig::text(const char* key) const {
  const json* found = value(key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<int> ModelConfig::count(std::initializer_list<const char*> keys, int layer) const {
  const auto number = integer(keys, layer);
  if (!number || *number < 1 || *number > kMostWidth) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<int> ModelConfig::heads(Stack stack, int layer) const {
  std::optional<int> found;
  if (gguf_) {
    found = count({"attention.head_count"}, layer);
  } else if (stack == Stack::Decoder || stack == Stack::Cross) {
    found = count({"decoder_attention_heads", "num_decoder_heads", "n_text_head"}, layer);
  } else {
    found = count({"encoder_attention_heads", "n_audio_head"}, layer);
  }
  // BART's attribute map gives the encoder's number for num_attention_heads, so the keys of a stack come first.
  if (!found)
    found = count({"num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads", "nhead", "nheads",
                   "heads", "n_attention_heads", "decoder_attention_heads", "encoder_attention_heads"},
                  layer);
  return found && *found <= kMostHeads ? found : std::nullopt;
}

std::optional<int> ModelConfig::kvHeads(int layer) const {
  // Falcon 7B and Starcoder have one key head for all, whatever num_kv_heads says.
  if (flag("multi_query") == true && flag("new_decoder_architecture") != true) return 1;
  if (flag("multi_query") == false || flag("multi_query_attention") == false) return std::nullopt;
  const auto found = gguf_ ? count({"attention.head_count_kv"}, layer)
                           : count({"num_key_value_heads", "n_kv_heads", "num_kv_heads", "n_head_kv", "n_kv_head",
                                    "multi_query_group_num", "num_query_groups", "attn_config.kv_n_heads"},
                                   layer);
  return found && *found <= kMostHeads ? found : std::nullopt;
}

std::optional<int> ModelConfig::headWidth() const {
  return gguf_ ? count({"attention.key_length"})
               : count({"head_dim", "d_kv", "d_head", "attention_head_dim", "kv_channels", "dim_head"});
}

std::optional<int> ModelConfig::width() const {
  return gguf_ ? count({"embedding_length"})
               : count({"hidden_size", "n_embd", "d_model", "dim", "embed_dim", "hidden_dim", "num_features"});
}

std::optional<int> ModelConfig::layers(Stack stack) const {
  if (gguf_) return count({"block_count"});
  std::optional<int> found = stack == Stack::Decoder || stack == Stack::Cross
                                 ? count({"decoder_layers", "num_decoder_layers"})
                                 : count({"encoder_layers", "num_encoder_layers"});
  return found ? found : count({"num_hidden_layers", "n_layer", "n_layers", "num_layers", "depth"});
}

namespace {

constexpr std::initializer_list<const char*> kEpsilons{"layer_norm_eps",
                                                       "layer_norm_epsilon",
                                                       "rms_norm_eps",
                                                       "layernorm_epsilon",
                                                       "norm_eps",
                                                       "norm_epsilon",
                                                       "attention.layer_norm_rms_epsilon",
                                                       "attention.layer_norm_epsilon"};
constexpr std::initializer_list<const char*> kRopeBases{
    "rope_theta", "rotary_emb_base", "rope_parameters.rope_theta", "rope.freq_base", "rotary_base", "rope_base"};

bool isEpsilon(double number) {
  return number >= 0 && number < 1;
}
bool isRopeBase(double number) {
  return number > 1 && std::isfinite(number);
}

}  // namespace

std::optional<double> ModelConfig::normEpsilon() const {
  const auto found = number(kEpsilons);
  return found && isEpsilon(*found) ? found : std::nullopt;
}

std::optional<double> ModelConfig::ropeBase() const {
  const auto found = number(kRopeBases);
  return found && isRopeBase(*found) ? found : std::nullopt;
}

std::string ModelConfig::oddValue(bool rotary) const {
  const auto odd = [this](std::initializer_list<const char*> keys, bool (*sane)(double)) -> const char* {
    for (const json* scope : scopes_)
      for (const char* key : keys)
        if (const json* found = value(*scope, key))
          return found->is_number() && sane(found->get<double>()) ? nullptr : key;
    return nullptr;
  };
  const auto sentence = [this](const char* key, const char* range) {
    std::string shown = value(key)->dump(-1, ' ', true, json::error_handler_t::replace);
    if (shown.size() > 40) shown = shown.substr(0, 40) + "…";
    return fmt::format("{}: {} is {}; {}", from_.empty() ? "config" : from_, key, shown, range);
  };
  if (const char* const key = odd(kEpsilons, isEpsilon)) return sentence(key, "it is a number from 0 to below 1");
  if (!rotary) return {};
  if (const char* const key = odd(kRopeBases, isRopeBase)) return sentence(key, "it is a number above 1");
  return {};
}

int ModelConfig::ropeDimensions(int d_h) const {
  std::int64_t dimensions = d_h;
  if (const auto given = integer({"rotary_dim", "rope.dimension_count"})) {
    dimensions = *given;
  } else if (const auto share =
                 number({"partial_rotary_factor", "rotary_pct", "rope_pct", "rope_parameters.partial_rotary_factor"});
             share && *share > 0 && *share <= 1) {
    dimensions = static_cast<std::int64_t>(d_h * *share);
  }
  if (dimensions < 2 || dimensions > d_h) dimensions = d_h;
  return static_cast<int>(dimensions - dimensions % 2);
}

}  // namespace sepx::checkpoint
