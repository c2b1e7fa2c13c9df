// SPDX-License-Identifier: Apache-2.0
// How the open model is computed, step by step: the tensors in the order in which the stream meets them, with the block
// of the layer in sight unfolded and the others folded. A click leads to the tensor, or to W_qk.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/exhibits/weights/sentence/sentence_shown.h"
#include "ui/page/requests.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

using checkpoint::BlockPlan;
using checkpoint::LinearSource;
using checkpoint::ModelPlan;
using checkpoint::NormSource;

/// Rows of the flow and what a click on each does.
class FlowRows {
 public:
  FlowRows(const checkpoint::Checkpoint& checkpoint, TableContent& table, std::vector<Changes>& clicks)
      : checkpoint_(checkpoint), table_(table), clicks_(clicks) {}

  void add(std::string step, const std::string& tensor, Changes click = {},
           NoteLine::Role role = NoteLine::Role::Normal) {
    const checkpoint::TensorInfo* const info = tensor.empty() ? nullptr : checkpoint_.find(tensor);
    table_.cells.push_back(
        {std::move(step), info ? fmt::format("{}", fmt::join(info->shape, " × ")) : std::string(), tensor});
    table_.roles.push_back({role, NoteLine::Role::Muted, NoteLine::Role::Muted});
    if (click.empty() && info)
      for (const auto& [key, value] : showTensor(tensor))
        click.emplace_back(key, value);
    clicks_.push_back(std::move(click));
  }
  void norm(const char* step, const std::optional<NormSource>& source) {
    if (!source) return;
    add(fmt::format("{} ({})", step, source->kind == NormSource::Kind::Rms ? tr("RMS") : tr("layer")), source->gain);
  }

 private:
  const checkpoint::Checkpoint& checkpoint_;
  TableContent& table_;
  std::vector<Changes>& clicks_;
};

const char* activationWords(checkpoint::FeedForwardActivation of) {
  using checkpoint::FeedForwardActivation;
  switch (of) {
    case FeedForwardActivation::Relu:
      return "ReLU";
    case FeedForwardActivation::ReluSquared:
      return "ReLU²";
    case FeedForwardActivation::GeluErf:
      return "GELU";
    case FeedForwardActivation::GeluTanh:
      return "GELU (tanh)";
    case FeedForwardActivation::QuickGelu:
      return "x σ(1.702 x)";
    case FeedForwardActivation::Silu:
      return "SiLU";
  }
  return "";
}

void addAttention(FlowRows& rows, const BlockPlan& block) {
  const checkpoint::AttentionLayer& of = block.attention;
  rows.norm(tr("  norm"), of.norm);
  const Changes matrix{{"weights.layer", static_cast<double>(of.layer)}, {"weights.page", std::string("matrix")}};
  rows.add(trFormat("  W_Q: {} heads of {}", of.heads, of.d_h), of.W_Q.tensor, matrix);
  rows.add(trFormat("  W_K: {} heads", of.kvHeads), of.W_K.tensor, matrix);
  rows.add(trFormat("  W_V: {} heads of {}", of.kvHeads, block.d_v), block.W_V.tensor);
  std::string softmax = of.causal ? tr("  softmax over earlier tokens") : tr("  softmax over all tokens");
  if (block.score.window > 0) softmax += trFormat(", at most {} away", block.score.window);
  if (of.rope) softmax += trFormat(", rotary in {} dimensions", of.rope->dimensions);
  if (!block.score.slopes.empty()) softmax += std::string(", ALiBi");
  rows.add(std::move(softmax), {});
  rows.add(tr("  W_O, added to the stream"), block.W_O.tensor);
  rows.norm(tr("  norm of what is added"), block.attentionOut);
  rows.norm(tr("  norm of the sum"), block.attentionAfter);
}

void addFeedForward(FlowRows& rows, const BlockPlan& block) {
  if (!block.feedForward) return;
  rows.norm(tr("  norm"), block.feedForwardNorm);
  if (block.feedForward->gate) rows.add(tr("  gate"), block.feedForward->gate->tensor);
  rows.add(trFormat("  up, {}", activationWords(block.feedForward->activation)), block.feedForward->up.tensor);
  rows.add(block.parallel ? tr("  down, added beside the attention") : tr("  down, added to the stream"),
           block.feedForward->down.tensor);
  rows.norm(tr("  norm of what is added"), block.feedForwardOut);
  rows.norm(tr("  norm of the sum"), block.feedForwardAfter);
}

}  // namespace

TableContent modelFlow(const SentenceShown& shown) {
  TableContent table;
  table.columns = {
      {.title = tr("step"), .share = 2.6}, {.title = tr("shape"), .share = 1.2}, {.title = tr("tensor"), .share = 2.2}};
  const ModelPlan& plan = shown.results.forward()->plan();
  std::vector<Changes> clicks;
  FlowRows rows(shown.results.forward()->checkpoint(), table, clicks);
  rows.add(trFormat("{} tokens of {}", shown.results.tokens()->size(), plan.vocabulary), {});
  rows.add(tr("embedding"), plan.tokenEmbedding);
  if (!plan.positionEmbedding.empty()) rows.add(tr("position, added"), plan.positionEmbedding);
  if (!plan.segments.empty()) rows.add(tr("segment 0, added"), plan.segments);
  if (plan.embeddingProjection) rows.add(tr("projection"), plan.embeddingProjection->tensor);
  rows.norm(tr("norm"), plan.embeddingNorm);
  const int layer = shown.frame.shared.state.layer;
  for (const BlockPlan& block : plan.blocks) {
    const bool open = block.attention.layer == layer;
    const Changes choose{{"weights.layer", static_cast<double>(block.attention.layer)}};
    rows.add(fmt::format("{} {}", open ? "▾" : "▸", trFormat("block {}", block.attention.layer)), {}, choose,
             NoteLine::Role::Accent);
    if (!open) continue;
    addAttention(rows, block);
    addFeedForward(rows, block);
  }
  if (plan.head) {
    rows.norm(tr("final norm"), plan.head->finalNorm);
    if (plan.head->transform) rows.add(tr("transform"), plan.head->transform->tensor);
    rows.norm(tr("norm"), plan.head->transformNorm);
    rows.add(tr("logits"), plan.head->logits.tensor);
  }
  table.pick = [clicks](std::size_t row) { return row < clicks.size() ? clicks[row] : Changes(); };
  return table;
}

}  // namespace sepx::ui
