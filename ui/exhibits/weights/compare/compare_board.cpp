// SPDX-License-Identifier: Apache-2.0
// The job that opens the second checkpoint and compares layer by layer.
#include "ui/exhibits/weights/compare/compare_board.h"

#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kBoardLane = "weights.compare";

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

struct CompareBoard::Order {
  std::shared_ptr<Exchange<Published>> exchange;
  std::shared_ptr<const checkpoint::Model> first;
  std::string path, rules;
  checkpoint::FactorOptions options;
  ThreadPool* pool;
  std::uint64_t ticket;
};

CompareBoard::CompareBoard()
    : exchange_(std::make_shared<Exchange<Published>>()),
      entries_(std::make_shared<const std::vector<CompareEntry>>()) {}

Result<void> CompareBoard::work(const Order& order, JobContext& job) {
  Published now;
  now.ticket = order.ticket;
  std::vector<CompareEntry> entries;
  const auto publish = [&](bool done) {
    now.entries = std::make_shared<const std::vector<CompareEntry>>(entries);
    now.done = done;
    order.exchange->slot() = now;
    order.exchange->publish();
    job.published();
  };
  const auto opened = checkpoint::openModel(order.path, order.rules);
  if (!opened) {
    now.failure = opened.error().sentence;
    publish(true);
    return {};
  }
  now.model = *opened;
  publish(false);
  const auto cancelled = [&job] { return job.cancelled(); };
  const std::vector<checkpoint::AttentionLayer>& layers = order.first->map.layers;
  for (std::size_t i = 0; i < layers.size() && !job.cancelled(); ++i) {
    std::string why;
    const checkpoint::AttentionLayer* other = partnerOf(**opened, layers[i], &why);
    if (!other) {
      if (now.misfit.empty()) now.misfit = why;
      continue;
    }
    const auto a = checkpoint::loadFactors(*order.first->checkpoint, layers[i], order.options);
    const auto b = checkpoint::loadFactors(*(*opened)->checkpoint, *other, order.options);
    if (!a || !b) {
      now.failure = (a ? b : a).error().sentence;
      break;
    }
    const auto whole = attention::difference(*a, *b, order.pool, cancelled);
    if (!whole) break;
    CompareEntry entry{layers[i].stack, layers[i].layer, *whole, {}};
    for (int head = 0; head < a->heads && a->heads == b->heads && !job.cancelled(); ++head)
      if (const auto one =
              attention::difference(attention::headOf(*a, head), attention::headOf(*b, head), order.pool, cancelled))
        entry.heads.push_back(*one);
    entries.push_back(std::move(entry));
    job.progress(static_cast<double>(i + 1) / static_cast<double>(layers.size()));
    publish(false);
  }
  if (entries.empty() && now.failure.empty()) now.failure = now.misfit;
  if (!job.cancelled()) publish(true);
  return {};
}

void CompareBoard::update(const WeightsShared& shared, ExhibitContext& context) {
  if (exchange_->refresh() && exchange_->latest().ticket == ticket_) {
    const Published& latest = exchange_->latest();
    model_ = latest.model;
    entries_ = latest.entries;
    failure_ = latest.failure;
    misfit_ = latest.misfit;
    if (latest.done) running_ = false;
    ++revision_;
  }
  const WeightsState& state = shared.state;
  const std::string wanted = state.comparePath.empty() || !shared.model
                                 ? std::string()
                                 : fmt::format("{}\n{}\n{} {}", state.comparePath, shared.modelRevision,
                                               static_cast<int>(state.pairing), state.foldNorm);
  if (wanted == wanted_) return;
  wanted_ = wanted;
  ++ticket_;
  ++revision_;
  model_.reset();
  entries_ = std::make_shared<const std::vector<CompareEntry>>();
  failure_.clear();
  misfit_.clear();
  if (running_) context.jobs.cancel(kBoardLane);
  running_ = !wanted.empty();
  if (!running_) return;
  Order order{exchange_,     shared.model, state.comparePath, context.rules, {state.pairing, -1, state.foldNorm},
              &context.pool, ticket_};
  context.jobs.start(kBoardLane, tr("comparing two checkpoints"),
                     [order = std::move(order)](JobContext& job) -> Result<void> { return work(order, job); });
}

const CompareEntry* CompareBoard::find(checkpoint::Stack stack, int layer) const {
  for (const CompareEntry& entry : *entries_)
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
