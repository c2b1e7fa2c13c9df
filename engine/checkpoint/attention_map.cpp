// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/attention_map.h"

#include <algorithm>
#include <array>

namespace sepx::checkpoint {

namespace {

constexpr std::array kStacks{Stack::Self, Stack::Encoder, Stack::Decoder, Stack::Cross};

}  // namespace

const char* word(Stack stack) {
  switch (stack) {
    case Stack::Self:
      return "self";
    case Stack::Encoder:
      return "encoder";
    case Stack::Decoder:
      return "decoder";
    case Stack::Cross:
      return "cross";
  }
  return "self";
}

std::optional<Stack> stackNamed(std::string_view asked) {
  for (const Stack stack : kStacks)
    if (asked == word(stack)) return stack;
  return std::nullopt;
}

std::int64_t ProjectionSource::firstOf(std::int64_t head) const {
  if (groupHeads == 0) return offset + head * headStride;
  return offset + head / groupHeads * groupStride + head % groupHeads * headStride;
}

std::vector<Stack> AttentionMap::stacks() const {
  std::vector<Stack> there;
  for (const AttentionLayer& layer : layers)
    if (std::find(there.begin(), there.end(), layer.stack) == there.end()) there.push_back(layer.stack);
  return there;
}

int AttentionMap::layersOf(Stack stack) const {
  return static_cast<int>(
      std::count_if(layers.begin(), layers.end(), [stack](const AttentionLayer& one) { return one.stack == stack; }));
}

const AttentionLayer* AttentionMap::find(Stack stack, int layer) const {
  const auto found = std::find_if(layers.begin(), layers.end(),
                                  [&](const AttentionLayer& one) { return one.stack == stack && one.layer == layer; });
  return found == layers.end() ? nullptr : &*found;
}

}  // namespace sepx::checkpoint
