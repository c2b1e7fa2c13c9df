// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/families/compute.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/core/terminal_text.h"

namespace sepx::checkpoint::families {

namespace {

constexpr std::int64_t kWidestWindow = std::int64_t{1} << 30;

std::string shown(const nlohmann::json& value) {
  return excerpt(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), 40);
}

}  // namespace

bool isOfType(const ModelConfig& config, std::string_view type) {
  return std::ranges::find(config.modelTypes(), type) != config.modelTypes().end();
}

Result<int> windowOf(const ModelConfig& config, std::initializer_list<const char*> keys, int otherwise) {
  for (const char* key : keys) {
    const nlohmann::json* value = config.value(key);
    if (value == nullptr) continue;
    const auto number = config.integer({key});
    if (!number || *number < 1)
      return fail(ErrorKind::BadInput,
                  fmt::format("{} says {} {}: a window is at least 1 token wide", config.from(), key, shown(*value)));
    return static_cast<int>(std::min(*number, kWidestWindow));
  }
  return otherwise;
}

IsLocal layerTypes(const ModelConfig& config, IsLocal local) {
  const nlohmann::json* types = config.value("layer_types");
  if (types == nullptr || !types->is_array()) return local;
  return [types, local](int layer) {
    if (layer < 0 || static_cast<std::size_t>(layer) >= types->size()) return local(layer);
    return (*types)[static_cast<std::size_t>(layer)] == "sliding_attention";
  };
}

void slide(ModelPlan& plan, int window, const IsLocal& local) {
  for (BlockPlan& block : plan.blocks)
    if (window > 0 && local(block.attention.layer)) block.score.window = window;
}

Result<double> positive(const ModelConfig& config, std::initializer_list<const char*> keys, double otherwise) {
  for (const char* key : keys) {
    const nlohmann::json* value = config.value(key);
    if (value == nullptr) continue;
    const auto number = config.number({key});
    if (!number || !(*number > 0) || *number > 1e9)
      return fail(ErrorKind::BadInput,
                  fmt::format("{} says {} {}: it must be a positive number", config.from(), key, shown(*value)));
    return *number;
  }
  return otherwise;
}

std::vector<double> alibiSlopes(int heads) {
  const auto power = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(heads, 1))));
  std::vector<double> slopes;
  for (int head = 1; head <= power; ++head)
    slopes.push_back(std::exp2(-8.0 * head / power));
  for (int head = 1; static_cast<int>(slopes.size()) < heads; head += 2)
    slopes.push_back(std::exp2(-8.0 * head / (2 * power)));
  return slopes;
}

std::vector<double> mptSlopes(int heads, double most) {
  const auto power = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(heads, 1))));
  const auto slope = [&](int head) { return std::exp2(-most * head / power); };
  std::vector<double> slopes;
  if (power == heads) {
    for (int head = 1; head <= heads; ++head)
      slopes.push_back(slope(head));
    return slopes;
  }
  for (int head = 2; head <= power; head += 2)
    slopes.push_back(slope(head));
  for (int head = 1; head <= power; head += 2)
    slopes.push_back(slope(head));
  slopes.resize(static_cast<std::size_t>(heads));
  return slopes;
}

double roundedToBfloat16(double value) {
  constexpr int kBits = 8;  // of its mantissa; ties go to even
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);  // in [1/2, 1)
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, kBits)), exponent - kBits);
}

Result<void> refuse(const ModelConfig& config, const char* key, const char* what) {
  const nlohmann::json* value = config.value(key);
  if (value == nullptr || *value == false || *value == 0) return {};
  return fail(ErrorKind::BadInput,
              fmt::format("{} says {} {}: {} is not supported", config.from(), key, shown(*value), what));
}

}  // namespace sepx::checkpoint::families
