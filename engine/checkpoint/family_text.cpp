// SPDX-License-Identifier: Apache-2.0
// Describes the map in sentences that the user can check against a list of tensors.
#include "engine/checkpoint/family_text.h"

#include "engine/checkpoint/family_match.h"

#include <algorithm>

#include <fmt/format.h>

namespace sepx::checkpoint {

namespace {

// "16 h" for the factor 16; "h" for the factor 1.
std::string product(std::int64_t factor, const char* letter) {
  return factor == 1 ? letter : fmt::format("{} {}", factor, letter);
}

std::string rangeOf(const ProjectionSource& source, std::int64_t d_h, int heads, const char* letter) {
  std::string first;
  const auto add = [&first](const std::string& part) { first += first.empty() ? part : " + " + part; };
  if (source.groupHeads > 0) {
    add(fmt::format("{} ({} div {})", source.groupStride, letter, source.groupHeads));
    add(fmt::format("{} ({} mod {})", source.headStride, letter, source.groupHeads));
  } else if (heads > 1) {
    add(product(source.headStride, letter));
  }
  std::string last = first;
  if (source.offset > 0 || first.empty()) add(std::to_string(source.offset));
  const std::string end = std::to_string(source.offset + d_h - 1);
  last += last.empty() ? end : " + " + end;
  return d_h == 1 ? first : first + " … " + last;
}

// The tensor's name with a placeholder for its layer's number, which is where it differs from the next layer's name.
std::string marked(const std::string& name, const std::string& next) {
  if (next.empty() || next == name) return name;
  std::size_t same = 0;
  while (same < name.size() && same < next.size() && name[same] == next[same])
    ++same;
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  while (same > 0 && isDigit(name[same - 1]))
    --same;
  std::size_t end = same;
  while (end < name.size() && isDigit(name[end]))
    ++end;
  return end == same ? name : name.substr(0, same) + std::string(kLayerMark) + name.substr(end);
}

class Describer {
 public:
  Describer(const AttentionMap& map, Stack stack) : first_(*map.find(stack, 0)), second_(map.find(stack, 1)) {
    where_ = stack == Stack::Self ? "" : fmt::format(" ({})", toString(stack));
  }

  std::vector<MappingRow> rows() const {
    const AttentionLayer& layer = first_;
    std::vector<MappingRow> rows;
    const char* queryHead = layer.heads > 1 ? " of head h" : "";
    const char* keyHead = layer.kvHeads == layer.heads ? queryHead : layer.kvHeads > 1 ? " of key head k" : "";
    const char* letter = layer.kvHeads == layer.heads ? "h" : "k";
    const auto next = [&](auto member) { return second_ == nullptr ? std::string() : (second_->*member).tensor; };
    rows.push_back({std::string("W_Q") + queryHead + where_,
                    weight(layer.W_Q, next(&AttentionLayer::W_Q), layer.heads, layer.d_model, "h")});
    rows.push_back({std::string("W_K") + keyHead + where_,
                    weight(layer.W_K, next(&AttentionLayer::W_K), layer.kvHeads, layer.d_key, letter)});
    if (layer.kvHeads != layer.heads)
      rows.push_back({"key head of query head h" + where_,
                      layer.kvHeads == 1 ? "0, one for all"
                                         : fmt::format("h div {} ({} query heads share {} key heads)",
                                                       layer.heads / layer.kvHeads, layer.heads, layer.kvHeads)});
    const auto add = [&](const char* what, const std::optional<ProjectionSource>& bias,
                         const std::optional<ProjectionSource>* other, int heads, const char* name) {
      if (bias)
        rows.push_back(
            {what + where_, vector(*bias, other != nullptr && *other ? (*other)->tensor : std::string(), heads, name)});
    };
    add("bias of queries, left out", layer.b_Q, second_ ? &second_->b_Q : nullptr, layer.heads, "h");
    add("bias of keys, left out", layer.b_K, second_ ? &second_->b_K : nullptr, layer.kvHeads, letter);
    const auto norm = [&](const char* what, const std::optional<NormSource>& one,
                          const std::optional<NormSource>* other) {
      if (one && !one->gain.empty())
        rows.push_back(
            {what + where_, (one->onePlusGain ? "1 + " : "") +
                                marked(one->gain, other != nullptr && *other ? (*other)->gain : std::string())});
    };
    norm("gain of the norm, left out", layer.norm, second_ ? &second_->norm : nullptr);
    norm("norm of a head's query, left out", layer.q_norm, second_ ? &second_->q_norm : nullptr);
    norm("norm of a head's key, left out", layer.k_norm, second_ ? &second_->k_norm : nullptr);
    return rows;
  }

 private:
  std::string weight(const ProjectionSource& source, const std::string& next, int heads, int inputs,
                     const char* letter) const {
    const std::string name = marked(source.tensor, next);
    if (source.perHead) return fmt::format("{}[{}], {} x {}, not transposed", name, letter, inputs, first_.d_h);
    const std::string outputs = rangeOf(source, first_.d_h, heads, letter);
    return source.transposed ? fmt::format("columns {} of {}, rows 0 … {}", outputs, name, inputs - 1)
                             : fmt::format("rows {} of {}, columns 0 … {}", outputs, name, inputs - 1);
  }

  std::string vector(const ProjectionSource& source, const std::string& next, int heads, const char* letter) const {
    const std::string name = marked(source.tensor, next);
    if (source.perHead) return fmt::format("{}[{}]", name, letter);
    return fmt::format("entries {} of {}", rangeOf(source, first_.d_h, heads, letter), name);
  }

  const AttentionLayer& first_;
  const AttentionLayer* second_;
  std::string where_;
};

void addNotes(AttentionMap& map) {
  const auto any = [&map](auto&& has) { return std::any_of(map.layers.begin(), map.layers.end(), has); };
  const auto note = [&map](const char* sentence) { map.notes.emplace_back(sentence); };
  const bool b_Q = any([](const AttentionLayer& layer) { return layer.b_Q.has_value(); });
  const bool b_K = any([](const AttentionLayer& layer) { return layer.b_K.has_value(); });
  if (b_Q && b_K) note("biases of queries and keys are left out of W_qk");
  if (b_Q && !b_K) note("queries have a bias, keys have none; it is left out of W_qk");
  if (!b_Q && b_K) note("keys have a bias, queries have none; it is left out of W_qk");
  if (any([](const AttentionLayer& layer) { return layer.norm.has_value(); }))
    note("the norm before the projections is left out of W_qk; its gain can be folded in");
  if (any([](const AttentionLayer& layer) { return layer.q_norm || layer.k_norm; }))
    note("queries and keys are normalised before they meet; W_qk leaves that out");
  if (any([](const AttentionLayer& layer) { return layer.rope.has_value(); }))
    note("the rotary encoding is left out: W_qk is the form of two tokens at the same position");
}

}  // namespace

void describe(const Checkpoint& checkpoint, AttentionMap& map) {
  map.mapping.clear();
  for (const Stack stack : map.stacks()) {
    if (map.find(stack, 0) == nullptr) continue;
    for (MappingRow& row : Describer(map, stack).rows())
      map.mapping.push_back(std::move(row));
  }
  if (!map.tokenEmbedding.empty()) map.mapping.push_back({"embedding of token t", "row t of " + map.tokenEmbedding});
  if (!map.positionEmbedding.empty())
    map.mapping.push_back(
        {"embedding of position p", map.positionOffset == 0
                                        ? "row p of " + map.positionEmbedding
                                        : fmt::format("row p + {} of {}", map.positionOffset, map.positionEmbedding)});
  addNotes(map);
  // Integer weights are codes of a quantiser, whose scales are not applied here.
  for (const AttentionLayer& layer : map.layers) {
    const TensorInfo* tensor = checkpoint.find(layer.W_Q.tensor);
    if (tensor == nullptr || (tensor->dtype != Dtype::I8 && tensor->dtype != Dtype::U8)) continue;
    map.notes.push_back(tensor->name + " holds whole numbers: scales that lie beside them are not applied");
    break;
  }
}

}  // namespace sepx::checkpoint
