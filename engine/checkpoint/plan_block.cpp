// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/plan_block.h"

#include <fmt/format.h>

#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

class BlockBuilder {
 public:
  BlockBuilder(const Checkpoint& checkpoint, const PlanNames& names, const FamilyParts& parts, const BlockKind& kind,
               const AttentionLayer& layer)
      : checkpoint_(checkpoint), names_(names), parts_(parts), kind_(kind), place_(names.placeOf(layer)) {
    block_.attention = layer;
    block_.parallel = parts.parallel;
  }

  Result<BlockFound> build() {
    SEPX_TRY(attention());
    SEPX_ASSIGN(bool whole, values());
    if (!whole) takeKeysForValues();
    if (!whole) return lacking("there are no weights of the values or of the attention's output");
    SEPX_TRY(gains());
    SEPX_ASSIGN(whole, attentionNorms());
    if (!whole) return lacking(fmt::format("there is no {}", shown(missing_)));
    SEPX_ASSIGN(whole, feedForward());
    if (!whole)
      return lacking(mixture() ? "the feed-forward part is a mixture of experts, which is not supported"
                               : "there are no feed-forward weights");
    if (!feedForwardNorms()) {
      block_.feedForward.reset();
      return lacking(fmt::format("there is no {}", shown(missing_)));
    }
    return BlockFound{std::move(block_), {}};
  }

 private:
  int width() const { return block_.attention.d_model; }
  std::string shown(const std::string& pattern) const { return filled(pattern, std::to_string(place_.number)); }
  BlockFound lacking(std::string what) { return BlockFound{std::move(block_), std::move(what)}; }
  bool post() const { return !parts_.attentionNorm.empty(); }

  tl::unexpected<Error> odd(const std::string& tensor, const std::string& what) const {
    return fail(ErrorKind::BadInput, fmt::format("{} {}", tensor, what));
  }

  // The attention's pattern: norm, queries and keys are in the map; variants that are not computed are refused.
  Result<void> attention() {
    AttentionLayer& layer = block_.attention;
    if (place_.stack == nullptr) return odd(layer.W_Q.tensor, "is not named as the family has its queries");
    if (layer.W_Q.headStride == 2 * std::int64_t{layer.d_h} && !layer.W_Q.perHead &&
        place_.stack->fusion == Fusion::Separate)
      return odd(layer.W_Q.tensor, "holds a gate beside every query, which is not supported");
    if (kind_.epsilonKnown)
      for (std::optional<NormSource>* norm : {&layer.norm, &layer.q_norm, &layer.k_norm})
        if (*norm) (*norm)->epsilon = kind_.norm.epsilon;
    const bool bare = parts_.bareFirstLayer && layer.layer == 0;
    if (!place_.stack->normGain.empty() && !layer.norm && !post() && !bare && !parts_.bareLayers &&
        !parts_.normsWithoutWeights)
      return fail(ErrorKind::BadInput, fmt::format("there is no {}: what the attention of layer {} reads is not known",
                                                   shown(place_.stack->normGain), layer.layer));
    if (!layer.norm && !post() && parts_.normsWithoutWeights)
      layer.norm = NormSource{kind_.norm.kind, {}, {}, kind_.norm.epsilon, false};
    return normsOfHeads();
  }

  Result<void> normsOfHeads() {
    const AttentionLayer& layer = block_.attention;
    for (const auto& [norm, heads] : {std::pair{&layer.q_norm, layer.heads}, std::pair{&layer.k_norm, layer.kvHeads}}) {
      if (!*norm || (*norm)->gain.empty()) continue;
      const TensorInfo* gain = checkpoint_.find((*norm)->gain);
      const auto values = gain == nullptr ? 0 : gain->values();
      const auto head = static_cast<std::uint64_t>(layer.d_h), all = head * static_cast<std::uint64_t>(heads);
      if (values == head) continue;
      if (values != all || gain->shape.size() != 1)
        return odd((*norm)->gain, "is a norm with a gain for each head, which is not supported");
      block_.normOfAllHeads = true;
    }
    return {};
  }

  // DINOv2's elementwise factors on a branch's output.
  Result<bool> gains() {
    for (const auto& [pattern, into] : {std::pair{&parts_.attentionGain, &block_.attentionGain},
                                        std::pair{&parts_.feedForwardGain, &block_.feedForwardGain}}) {
      const TensorInfo* gain = names_.find(place_, *pattern);
      if (gain == nullptr) continue;
      if (gain->values() != static_cast<std::uint64_t>(width()))
        return odd(gain->name, fmt::format("has {} values in a model {} wide", gain->values(), width()));
      *into = gain->name;
    }
    return true;
  }

  // The location of the values follows from that of the keys. False: the values or the projection are missing.
  Result<bool> values() {
    const AttentionLayer& layer = block_.attention;
    const StackRule& stack = *place_.stack;
    block_.d_v = layer.d_h;
    if (stack.fusion == Fusion::Separate) {
      SEPX_ASSIGN(const bool there, separateValues());
      if (!there) return false;
    } else {
      const std::int64_t step =
          stack.fusion == Fusion::Blocks ? std::int64_t{layer.kvHeads} * layer.d_h : std::int64_t{layer.d_h};
      block_.W_V = layer.W_K;
      block_.W_V.offset += step;
      if (layer.b_K) {
        block_.b_V = layer.b_K;
        block_.b_V->offset += step;
      }
    }
    const std::int64_t in = std::int64_t{layer.heads} * block_.d_v;
    const auto projection = names_.linear(place_, parts_.projection, stack.transposed);
    if (!projection) return false;
    if (projection->out != width() || projection->in != in)
      return odd(projection->tensor,
                 fmt::format("is {} x {}, but the output of an attention of {} heads of {} in a model {} wide must be "
                             "{} x {}",
                             projection->out, projection->in, layer.heads, block_.d_v, width(), width(), in));
    block_.W_O = *projection;
    return true;
  }

  Result<bool> separateValues() {
    const AttentionLayer& layer = block_.attention;
    const auto values = names_.linear(place_, parts_.value, place_.stack->transposed);
    if (!values) return false;
    if (values->in != layer.d_key || values->out % layer.kvHeads != 0)
      return odd(values->tensor, fmt::format("is {} x {}, which cannot be values of {} heads in a model {} wide",
                                             values->out, values->in, layer.kvHeads, layer.d_key));
    block_.d_v = static_cast<int>(values->out / layer.kvHeads);
    block_.W_V = ProjectionSource{values->tensor, values->transposed, 0, block_.d_v};
    if (!values->bias.empty()) block_.b_V = ProjectionSource{values->bias, false, 0, block_.d_v};
    return true;
  }

  // Without its values or its output an attention still has patterns: the keys stand in, and the result is unused.
  void takeKeysForValues() {
    block_.W_V = block_.attention.W_K;
    block_.b_V.reset();
    block_.d_v = block_.attention.d_h;
    block_.W_O = {};
  }

  bool norm(const std::string& pattern, std::optional<NormSource>& into) {
    if (pattern.empty()) return true;
    into = names_.norm(place_, pattern, width(), kind_.norm);
    if (!into) missing_ = pattern;
    return into.has_value();
  }

  Result<bool> attentionNorms() {
    return norm(parts_.attentionNorm, block_.attentionAfter) && norm(parts_.attentionOutNorm, block_.attentionOut);
  }

  bool feedForwardNorms() {
    if (parts_.normsWithoutWeights) {
      block_.feedForwardNorm = NormSource{kind_.norm.kind, {}, {}, kind_.norm.epsilon, false};
      return true;
    }
    return norm(parts_.feedForwardNorm, post() ? block_.feedForwardAfter : block_.feedForwardNorm) &&
           norm(parts_.feedForwardOutNorm, block_.feedForwardOut);
  }

  bool mixture() const {
    for (const char* name : {"layers.{layer}.block_sparse_moe.gate.weight", "layers.{layer}.mlp.gate.weight",
                             "blk.{layer}.ffn_gate_inp.weight"})
      if (names_.find(place_, name) != nullptr) return true;
    return false;
  }

  Result<bool> feedForward() {
    FeedForwardSource made;
    made.activation = kind_.activation;
    const bool transposed = place_.stack->transposed;
    const auto up = names_.linear(place_, parts_.up, transposed), down = names_.linear(place_, parts_.down, transposed);
    if (!up || !down) return false;
    made.up = *up;
    made.down = *down;
    made.gate = names_.linear(place_, parts_.gate, transposed && !parts_.plainGate);
    if (parts_.gateInUp && made.up.out == 2 * made.down.in) splitGate(made);
    for (const LinearSource* in : {&made.up, made.gate ? &*made.gate : &made.up})
      if (in->in != width() || in->out != made.down.in)
        return odd(in->tensor, fmt::format("is {} x {} in a model {} wide, and {} takes {} inputs", in->out, in->in,
                                           width(), made.down.tensor, made.down.in));
    if (made.down.out != width())
      return odd(made.down.tensor, fmt::format("gives {} outputs in a model {} wide", made.down.out, width()));
    block_.feedForward = std::move(made);
    return true;
  }

  void splitGate(FeedForwardSource& made) const {
    const std::int64_t half = made.down.in;
    LinearSource first = made.up, second = made.up;
    first.out = second.out = half;
    second.first = half;
    if (!second.bias.empty()) second.biasFirst = half;
    made.gate = parts_.gateLast ? second : first;
    made.up = parts_.gateLast ? first : second;
  }

  const Checkpoint& checkpoint_;
  const PlanNames& names_;
  const FamilyParts& parts_;
  const BlockKind& kind_;
  PlanNames::Place place_;
  BlockPlan block_;
  std::string missing_;
};

}  // namespace

Result<BlockFound> blockOf(const Checkpoint& checkpoint, const PlanNames& names, const FamilyParts& parts,
                           const BlockKind& kind, const AttentionLayer& layer) {
  return BlockBuilder(checkpoint, names, parts, kind, layer).build();
}

}  // namespace sepx::checkpoint
