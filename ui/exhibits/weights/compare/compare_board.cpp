// SPDX-License-Identifier: Apache-2.0
// The job that opens the second checkpoint and compares layer by layer.
#include "ui/exhibits/weights/compare/compare_board.h"

#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::string sizeOf(const checkpoint::AttentionLayer& layer) {
  return fmt::format("{} × {}", layer.d_model, layer.d_key);
}

}  // namespace

const checkpoint::AttentionLayer* partnerOf(const checkpoint::Model& second, const checkpoint::AttentionLayer& first,
                                            std::string* why) {
  const auto say = [&](std::string sentence) {
    if (why) *why = std::move(sentence);
  };
  if (second.map.layers.empty()) {
    say(second.map.noForm);
    return nullptr;
  }
  const checkpoint::AttentionLayer* found = second.map.find(first.stack, first.layer);
  // An encoder alone may be laid over the encoder of an encoder-decoder, and so on: where one has a single stack.
  const std::vector<checkpoint::Stack> stacks = second.map.stacks();
  if (!found && stacks.size() == 1 && second.map.layersOf(first.stack) == 0)
    found = second.map.find(stacks.front(), first.layer);
  if (!found && first.stack == checkpoint::Stack::Self) {
    for (const checkpoint::Stack stack : stacks)
      if (!found && stack != checkpoint::Stack::Cross) found = second.map.find(stack, first.layer);
  }
  if (!found) {
    say(fmt::format("{} {} {} {}.", second.checkpoint->title(), tr("has no layer"), first.layer,
                    tr("of such attention")));
    return nullptr;
  }
  if (found->d_model == first.d_model && found->d_key == first.d_key) return found;
  say(fmt::format("{} {}, {} {} {}.", tr("W_qk is"), sizeOf(first) + " " + tr("here"), sizeOf(*found), tr("in"),
                  second.checkpoint->title()));
  return nullptr;
}

attention::LayerFactors differenceFactors(const attention::LayerFactors& a, const attention::LayerFactors& b) {
  const attention::Matrix keysA = attention::keysOfHeads(a), keysB = attention::keysOfHeads(b);
  attention::LayerFactors made;
  made.heads = 1;
  made.d_h = static_cast<int>(a.W_Q.cols() + b.W_Q.cols());
  made.keyHead = {0};
  made.W_Q.resize(a.rows(), made.d_h);
  made.W_Q << a.W_Q, b.W_Q;
  made.W_K.resize(a.columns(), made.d_h);
  made.W_K << keysA, -keysB;
  return made;
}

void CompareBoard::work(const Request& request, ThreadPool& pool, LaneOutput<Board>& output) {
  Board board;
  const auto opened = checkpoint::openModel(request.path, request.rules, output.whileReading());
  if (!opened) {
    board.failure = opened.error().sentence;
    output.finish(std::move(board));
    return;
  }
  board.model = *opened;
  output.publish(board);
  const auto cancelled = [&output] { return output.cancelled(); };
  const std::vector<checkpoint::AttentionLayer>& layers = request.first->map.layers;
  for (std::size_t i = 0; i < layers.size() && !cancelled(); ++i) {
    std::string why;
    const checkpoint::AttentionLayer* other = partnerOf(**opened, layers[i], &why);
    if (!other) {
      if (board.misfit.empty()) board.misfit = why;
      continue;
    }
    const auto a =
        checkpoint::loadFactors(*request.first->checkpoint, layers[i], request.options, output.whileReading());
    const auto b = checkpoint::loadFactors(*(*opened)->checkpoint, *other, request.options, output.whileReading());
    if (!a || !b) {
      board.failure = (a ? b : a).error().sentence;
      break;
    }
    const auto whole = attention::difference(*a, *b, &pool, cancelled);
    if (!whole) break;
    CompareEntry entry{layers[i].stack, layers[i].layer, *whole, {}};
    for (int head = 0; head < a->heads && a->heads == b->heads && !cancelled(); ++head)
      if (const auto one =
              attention::difference(attention::headOf(*a, head), attention::headOf(*b, head), &pool, cancelled))
        entry.heads.push_back(*one);
    board.entries.push_back(std::move(entry));
    output.progress(static_cast<double>(i + 1) / static_cast<double>(layers.size()));
    output.publish(board);
  }
  if (board.entries.empty() && board.failure.empty()) board.failure = board.misfit;
  output.finish(std::move(board));
}

void CompareBoard::update(const WeightsShared& shared, ExhibitContext& context) {
  lane_.refresh(context.jobs);
  const WeightsState& state = shared.state;
  if (state.comparePath.empty() || !shared.model) {
    lane_.clear();
    return;
  }
  Request wanted{shared.model, state.comparePath, context.rules, {state.pairing, -1, state.foldNorm}};
  if (lane_.isFor(wanted)) return;
  lane_.clear();
  lane_.start(context.jobs, std::move(wanted), tr("comparing two checkpoints"),
              [&pool = context.pool](const Request& request, auto& output) { work(request, pool, output); });
}

const CompareEntry* CompareBoard::find(checkpoint::Stack stack, int layer) const {
  for (const CompareEntry& entry : entries())
    if (entry.stack == stack && entry.layer == layer) return &entry;
  return nullptr;
}

std::optional<attention::Difference> CompareBoard::at(checkpoint::Stack stack, int layer, int head) const {
  const CompareEntry* const entry = find(stack, layer);
  if (!entry) return std::nullopt;
  if (head < 0) return entry->whole;
  const auto h = static_cast<std::size_t>(head);
  return h < entry->heads.size() ? std::optional(entry->heads[h]) : std::nullopt;
}

}  // namespace sepx::ui
