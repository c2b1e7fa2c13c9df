// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/plan_rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "engine/core/terminal_text.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

using nlohmann::json;

constexpr double kLargestFactor = 1e6;

double frequency(const RopeSource& rope, int pair) {
  return std::pow(rope.base, -2.0 * pair / rope.dimensions);
}

// The parameters of a scaling, in config.json ("rope_scaling", in newer files "rope_parameters") or in GGUF.
class Words {
 public:
  explicit Words(const ModelConfig& config) : config_(config) {
    for (const char* key : {"rope_scaling", "rope_parameters"})
      if (const json* found = config.value(key); found != nullptr && found->is_object() && object_ == nullptr)
        object_ = found;
    // A model with local layers has one object per kind of layer; the families' hooks remove it from the local layers.
    if (object_ == nullptr) return;
    const auto full = object_->find("full_attention");
    if (full != object_->end() && full->is_object()) object_ = &*full;
  }

  std::string kind() const {
    if (config_.isGguf()) return config_.text("rope.scaling.type");
    if (object_ == nullptr) return {};
    for (const char* key : {"rope_type", "type"})
      if (const auto found = object_->find(key); found != object_->end() && found->is_string())
        return found->get<std::string>();
    return {};
  }

  /// A number above 0; `gguf` is its key in GGUF. BadInput if the value is anything else.
  Result<std::optional<double>> number(const char* key, const char* gguf) const {
    const json* found = nullptr;
    if (config_.isGguf()) {
      found = gguf == nullptr ? nullptr : config_.value(gguf);
    } else if (object_ != nullptr) {
      const auto at = object_->find(key);
      if (at != object_->end() && !at->is_null()) found = &*at;
    }
    if (found == nullptr) return std::optional<double>{};
    const double value = found->is_number() ? found->get<double>() : -1;
    if (!(value > 0) || !std::isfinite(value) || value > 1e12)
      return fail(ErrorKind::BadInput,
                  fmt::format("{} says {} {} for the scaled rotary encoding: it must be a positive number",
                              config_.from(), key, excerpt(found->dump(), 40)));
    return std::optional<double>(value);
  }

  Result<double> needed(const char* key, const char* gguf) const {
    SEPX_ASSIGN(const std::optional<double> found, number(key, gguf));
    if (found) return *found;
    return fail(ErrorKind::BadInput,
                fmt::format("{} scales the rotary encoding ({}) without {}", config_.from(), kind(), key));
  }

  Result<double> factor() const {
    SEPX_ASSIGN(const double value, needed("factor", "rope.scaling.factor"));
    if (value <= kLargestFactor) return value;
    return fail(ErrorKind::BadInput,
                fmt::format("{} scales the rotary encoding by {}, which is too large", config_.from(), value));
  }

  /// Number of positions in training, before the scaling.
  Result<double> original() const {
    SEPX_ASSIGN(const std::optional<double> own,
                number("original_max_position_embeddings", "rope.scaling.original_context_length"));
    if (own) return *own;
    const auto all = config_.number({"original_max_position_embeddings", "max_position_embeddings", "context_length"});
    if (all && *all >= 1) return *all;
    return fail(ErrorKind::BadInput,
                fmt::format("{} scales the rotary encoding ({}) without original_max_position_embeddings",
                            config_.from(), kind()));
  }

  const json* list(const char* key) const {
    if (object_ == nullptr) return nullptr;
    const auto found = object_->find(key);
    return found != object_->end() && found->is_array() ? &*found : nullptr;
  }
  bool flag(const char* key, bool otherwise) const {
    if (object_ == nullptr) return otherwise;
    const auto found = object_->find(key);
    return found != object_->end() && found->is_boolean() ? found->get<bool>() : otherwise;
  }
  const std::string& from() const { return config_.from(); }

 private:
  const ModelConfig& config_;
  const json* object_ = nullptr;
};

Result<RopeStretch> llama3(const Words& words, const RopeSource& rope) {
  SEPX_ASSIGN(const double factor, words.factor());
  SEPX_ASSIGN(const double low, words.needed("low_freq_factor", nullptr));
  SEPX_ASSIGN(const double high, words.needed("high_freq_factor", nullptr));
  SEPX_ASSIGN(const double original, words.original());
  if (!(high > low))
    return fail(ErrorKind::BadInput,
                fmt::format("{} says high_freq_factor {} and low_freq_factor {}: the first must be the larger",
                            words.from(), high, low));
  RopeStretch out;
  out.scaling.factors = llama3Factors(rope, {factor, low, high, original});
  return out;
}

// Pairs with more than beta_fast rotations in the original length stay, those with fewer than beta_slow are scaled,
// with a ramp between.
Result<RopeStretch> yarn(const Words& words, const RopeSource& rope) {
  SEPX_ASSIGN(const double factor, words.factor());
  SEPX_ASSIGN(const double original, words.original());
  SEPX_ASSIGN(const auto fast, words.number("beta_fast", "rope.scaling.yarn_beta_fast"));
  SEPX_ASSIGN(const auto slow, words.number("beta_slow", "rope.scaling.yarn_beta_slow"));
  SEPX_ASSIGN(const auto amplitude, words.number("attention_factor", nullptr));
  SEPX_ASSIGN(const auto mscale, words.number("mscale", nullptr));
  SEPX_ASSIGN(const auto mscaleAll, words.number("mscale_all_dim", nullptr));
  const auto pairOf = [&](double turns) {
    return rope.dimensions * std::log(original / (turns * 2 * std::numbers::pi)) / (2 * std::log(rope.base));
  };
  double low = pairOf(fast.value_or(32)), high = pairOf(slow.value_or(1));
  if (words.flag("truncate", true)) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, rope.dimensions - 1.0);
  if (low == high) high += 0.001;
  RopeStretch out;
  for (int pair = 0; pair < rope.dimensions / 2; ++pair) {
    const double stretched = std::clamp((pair - low) / (high - low), 0.0, 1.0);
    out.scaling.factors.push_back(1 / (stretched / factor + 1 - stretched));
  }
  const auto growth = [factor](double share) { return factor <= 1 ? 1.0 : 0.1 * share * std::log(factor) + 1; };
  out.scaling.amplitude = amplitude             ? *amplitude
                          : mscale && mscaleAll ? growth(*mscale) / growth(*mscaleAll)
                                                : growth(1);
  return out;
}

Result<std::vector<double>> factorList(const json& list, const Words& words, const RopeSource& rope) {
  if (list.size() != static_cast<std::size_t>(rope.dimensions / 2))
    return fail(ErrorKind::BadInput,
                fmt::format("{} gives {} factors of the rotary encoding for {} pairs of dimensions", words.from(),
                            list.size(), rope.dimensions / 2));
  std::vector<double> factors;
  for (const json& value : list) {
    const double factor = value.is_number() ? value.get<double>() : -1;
    if (!(factor > 0) || factor > kLargestFactor)
      return fail(ErrorKind::BadInput, fmt::format("{} has the factor {} of the rotary encoding: it must be positive",
                                                   words.from(), excerpt(value.dump(), 40)));
    factors.push_back(factor);
  }
  return factors;
}

double longAmplitude(double factor, double original) {
  return factor <= 1 || original <= 1 ? 1.0 : std::sqrt(1 + std::log(factor) / std::log(original));
}

// One factor per pair. Texts up to the original length have their own factors, and only those are used here.
Result<RopeStretch> longRope(const Words& words, const ModelConfig& config, const RopeSource& rope) {
  const json* list = words.list("short_factor");
  if (list == nullptr)
    return fail(ErrorKind::BadInput,
                fmt::format("{} scales the rotary encoding (longrope) without short_factor", words.from()));
  RopeStretch out;
  SEPX_ASSIGN(out.scaling.factors, factorList(*list, words, rope));
  SEPX_ASSIGN(const auto amplitude, words.number("attention_factor", nullptr));
  SEPX_ASSIGN(const auto given, words.number("factor", nullptr));
  const auto own = config.number({"original_max_position_embeddings"});
  SEPX_ASSIGN(const double original, own&&* own >= 1 ? Result<double>(*own) : words.original());
  const double all = config.number({"max_position_embeddings"}).value_or(original);
  out.scaling.amplitude = amplitude ? *amplitude : longAmplitude(own ? all / original : given.value_or(1), original);
  out.longest = static_cast<std::int64_t>(std::min(original, 1e12));
  out.note = fmt::format(
      "texts of at most {} tokens are supported: longer ones use other factors of the rotary encoding", out.longest);
  return out;
}

// GGUF keeps the factors of LLaMA 3 and LongRoPE as tensors.
Result<std::vector<double>> storedFactors(const Checkpoint& checkpoint, const TensorInfo& tensor,
                                          const RopeSource& rope) {
  const auto pairs = static_cast<std::uint64_t>(rope.dimensions / 2);
  if (tensor.values() != pairs || tensor.shape.size() != 1)
    return fail(ErrorKind::BadInput, fmt::format("{} has {} factors of the rotary encoding for {} pairs of dimensions",
                                                 tensor.name, tensor.values(), pairs));
  std::vector<double> factors(pairs);
  SEPX_TRY(checkpoint.read(tensor, 0, static_cast<std::int64_t>(pairs), 0, 1, std::span<double>(factors)));
  for (const double factor : factors)
    if (!(factor > 0) || !std::isfinite(factor))
      return fail(ErrorKind::BadInput,
                  fmt::format("{} holds {}: a factor of the rotary encoding must be positive", tensor.name, factor));
  return factors;
}

Result<RopeStretch> ofGgufTensors(const Checkpoint& checkpoint, const ModelConfig& config, const RopeSource& rope) {
  RopeStretch out;
  const TensorInfo* tensor = checkpoint.find("rope_freqs.weight");
  if (tensor == nullptr) {
    tensor = checkpoint.find("rope_factors_short.weight");
    const double original = config.number({"rope.scaling.original_context_length"}).value_or(0);
    if (tensor != nullptr && original >= 1) {
      out.longest = static_cast<std::int64_t>(std::min(original, 1e12));
      out.scaling.amplitude = config.number({"rope.scaling.attn_factor"}).value_or(1);
      out.note =
          fmt::format("texts of at most {} tokens are supported: longer ones use other factors of the rotary encoding",
                      out.longest);
    }
  }
  if (tensor == nullptr) return out;
  SEPX_ASSIGN(out.scaling.factors, storedFactors(checkpoint, *tensor, rope));
  return out;
}

}  // namespace

// f' = (1 - s) f / factor + s f with s = (original / wave - low) / (high - low) in [0, 1].
std::vector<double> llama3Factors(const RopeSource& rope, const Llama3Stretch& stretch) {
  std::vector<double> factors;
  for (int pair = 0; pair < rope.dimensions / 2; ++pair) {
    const double wave = 2 * std::numbers::pi / frequency(rope, pair);
    const double share = std::clamp((stretch.original / wave - stretch.low) / (stretch.high - stretch.low), 0.0, 1.0);
    factors.push_back(1 / ((1 - share) / stretch.factor + share));
  }
  return factors;
}

Result<RopeStretch> ropeStretch(const Checkpoint& checkpoint, const ModelConfig& config, const RopeSource& rope) {
  const Words words(config);
  const std::string kind = words.kind();
  if (kind == "linear") {
    RopeStretch out;
    SEPX_ASSIGN(const double factor, words.factor());
    out.scaling.factors.assign(static_cast<std::size_t>(rope.dimensions / 2), factor);
    return out;
  }
  if (kind == "yarn") return yarn(words, rope);
  if (config.isGguf()) return ofGgufTensors(checkpoint, config, rope);
  if (kind == "llama3") return llama3(words, rope);
  if (kind == "longrope" || kind == "su") return longRope(words, config, rope);
  if (kind == "dynamic") {
    RopeStretch out;
    SEPX_ASSIGN(const double original, words.original());
    out.longest = static_cast<std::int64_t>(std::min(original, 1e12));
    out.note = fmt::format(
        "texts of at most {} tokens are supported: for longer ones the rotary encoding is scaled by their length",
        out.longest);
    return out;
  }
  if (kind.empty() || kind == "default" || kind == "mrope" || kind == "none") return RopeStretch{};
  return fail(ErrorKind::BadInput, fmt::format("{} scales the rotary encoding by \"{}\", which is not supported",
                                               config.from(), excerpt(kind, 40)));
}

}  // namespace sepx::checkpoint
