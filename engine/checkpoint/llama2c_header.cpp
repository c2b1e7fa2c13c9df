// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/llama2c_header.h"

#include <array>
#include <cstring>

namespace sepx::checkpoint {

namespace {

constexpr std::uint32_t kLlama2cMagic = 0x616B3432;  // "ak42"
constexpr std::uint64_t kPlainHeader = 28;

template <class Number>
Number numberAt(std::span<const std::byte> bytes, std::size_t at) {
  Number value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Whether the numbers are within bounds that keep every product below 2^63, so that sizes never overflow.
bool makesAModel(const Llama2cHeader& header) {
  const auto in = [](std::int64_t value, std::int64_t most) { return value >= 1 && value <= most; };
  return in(header.dim, 1 << 20) && in(header.hidden, 1 << 22) && in(header.layers, 4096) &&
         in(header.heads, 1 << 16) && in(header.kvHeads, header.heads) && in(header.vocabulary, 1 << 24) &&
         in(header.positions, 1 << 26) && header.dim % header.heads == 0 && header.heads % header.kvHeads == 0 &&
         in(header.groupSize, 1 << 20);
}

}  // namespace

std::optional<Llama2cHeader> llama2cHeader(std::span<const std::byte> head) {
  if (head.size() < kPlainHeader) return std::nullopt;
  Llama2cHeader header;
  std::size_t at = 0;
  if (numberAt<std::uint32_t>(head, 0) == kLlama2cMagic) {
    if (head.size() < kLlama2cHead) return std::nullopt;
    header.version = numberAt<std::int32_t>(head, 4);
    if (header.version != 1 && header.version != 2) return std::nullopt;
    header.sharedClassifier = numberAt<std::uint8_t>(head, 36) != 0;
    if (header.version == 2) header.groupSize = numberAt<std::int32_t>(head, 37);
    at = 8;
  }
  std::array<std::int64_t, 7> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = numberAt<std::int32_t>(head, at + 4 * i);
  // In version 0 a negative vocabulary means that the classifier has weights of its own.
  if (header.version == 0) header.sharedClassifier = numbers[5] > 0;
  if (header.version == 0 && numbers[5] < 0) numbers[5] = -numbers[5];
  header.dim = numbers[0], header.hidden = numbers[1], header.layers = numbers[2], header.heads = numbers[3];
  header.kvHeads = numbers[4], header.vocabulary = numbers[5], header.positions = numbers[6];
  header.dataBegin = header.version == 0 ? kPlainHeader : kLlama2cHead;
  return makesAModel(header) ? std::optional(header) : std::nullopt;
}

std::vector<Llama2cSection> llama2cSections(const Llama2cHeader& header) {
  const std::int64_t dim = header.dim, hidden = header.hidden, kv = dim / header.heads * header.kvHeads;
  const std::string layer = "model.layers.{layer}.";
  const Llama2cSection embedding{"model.embed_tokens.weight", header.vocabulary, dim, false, true},
      firstNorm{layer + "input_layernorm.weight", dim, 0, true, false},
      secondNorm{layer + "post_attention_layernorm.weight", dim, 0, true, false},
      norm{"model.norm.weight", dim, 0, false, false};
  const std::vector<Llama2cSection> attention{{layer + "self_attn.q_proj.weight", dim, dim, true, true},
                                              {layer + "self_attn.k_proj.weight", kv, dim, true, true},
                                              {layer + "self_attn.v_proj.weight", kv, dim, true, true},
                                              {layer + "self_attn.o_proj.weight", dim, dim, true, true}},
      feedForward{{layer + "mlp.gate_proj.weight", hidden, dim, true, true},
                  {layer + "mlp.down_proj.weight", dim, hidden, true, true},
                  {layer + "mlp.up_proj.weight", hidden, dim, true, true}};
  std::vector<Llama2cSection> sections;
  const auto add = [&sections](const std::vector<Llama2cSection>& more) {
    sections.insert(sections.end(), more.begin(), more.end());
  };
  if (header.version == 0) {
    add({embedding, firstNorm});
    add(attention);
    add({secondNorm});
    add(feedForward);
    // Cosines and sines of the rotary encoding, each half a head's width for every position.
    add({norm, {"", header.positions, dim / header.heads / 2 * 2, false, false}});
  } else {
    add({firstNorm, secondNorm, norm, embedding});
    add(attention);
    add(feedForward);
  }
  if (!header.sharedClassifier) add({{"lm_head.weight", header.vocabulary, dim, false, true}});
  return sections;
}

std::uint64_t bytesOf(const Llama2cSection& section, const Llama2cHeader& header) {
  const auto values = static_cast<std::uint64_t>(section.values());
  if (header.version != 2 || !section.quantised) return 4 * values;
  const auto group = static_cast<std::uint64_t>(header.groupSize);
  return values + (values + group - 1) / group * 4;
}

std::uint64_t bytesOf(const Llama2cHeader& header) {
  std::uint64_t bytes = header.dataBegin;
  for (const Llama2cSection& section : llama2cSections(header))
    bytes += bytesOf(section, header) * static_cast<std::uint64_t>(section.perLayer ? header.layers : 1);
  return bytes;
}

}  // namespace sepx::checkpoint
