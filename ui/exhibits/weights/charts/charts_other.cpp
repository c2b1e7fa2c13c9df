// SPDX-License-Identifier: Apache-2.0
// The job behind the second checkpoint's dots.
#include "ui/exhibits/weights/charts/charts_other.h"

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kLane = "weights.charts.other";

bool same(const attention::ScoreOptions& a, const attention::ScoreOptions& b) {
  return a.gamma == b.gamma && a.variant == b.variant && a.ddof == b.ddof;
}

}  // namespace

OtherScores::OtherScores() : exchange_(std::make_shared<Exchange<Published>>()) {}

OtherScores::Published OtherScores::made(const std::string& path, const std::string& rules,
                                         checkpoint::HeadPairing pairing, bool foldNorm, ThreadPool& pool,
                                         JobContext& job) {
  Published result;
  result.done = true;
  const Result<std::shared_ptr<const checkpoint::Model>> opened = checkpoint::openModel(path, rules);
  if (!opened) {
    result.failure = opened.error().sentence;
    return result;
  }
  result.model = *opened;
  const std::vector<checkpoint::AttentionLayer>& layers = (*opened)->map.layers;
  for (std::size_t i = 0; i < layers.size() && !job.cancelled(); ++i) {
    const auto factors = checkpoint::loadFactors(*(*opened)->checkpoint, layers[i], {pairing, -1, foldNorm});
    if (!factors) {
      result.failure = factors.error().sentence;
      return result;
    }
    auto moments = attention::momentsOf(*factors, &pool, [&job] { return job.cancelled(); });
    if (moments) result.moments.push_back(std::make_shared<const attention::Moments>(std::move(*moments)));
    job.progress(static_cast<double>(i + 1) / static_cast<double>(layers.size()));
  }
  return result;
}

void OtherScores::score(const attention::ScoreOptions& options) {
  scored_ = options;
  board_.clear();
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    LayerScores entry;
    entry.stack = model_->map.layers[i].stack;
    entry.layer = model_->map.layers[i].layer;
    entry.moments = moments_[i];
    entry.scores = attention::scoresOf(*moments_[i], options);
    board_.push_back(std::move(entry));
  }
  ++revision_;
}

void OtherScores::update(const std::string& path, const WeightsState& state, ExhibitContext& context) {
  if (exchange_->refresh() && exchange_->latest().ticket == ticket_) {
    const Published& latest = exchange_->latest();
    running_ = false;
    model_ = latest.model;
    moments_ = latest.moments;
    failure_ = latest.failure;
    score(state.score);
  }
  if (!same(scored_, state.score)) score(state.score);
  const std::string wanted = path.empty() ? std::string()
                                          : path + (state.pairing == checkpoint::HeadPairing::Published ? "\1" : "\2") +
                                                (state.foldNorm ? "\1" : "\2");
  if (wanted == wanted_) return;
  wanted_ = wanted;
  ++ticket_;
  model_.reset();
  moments_.clear();
  failure_.clear();
  score(state.score);
  running_ = !path.empty();
  if (path.empty()) {
    context.jobs.cancel(kLane);
    return;
  }
  context.jobs.start(kLane, tr("scores of the second checkpoint"),
                     [exchange = exchange_, path, rules = context.rules, pairing = state.pairing, fold = state.foldNorm,
                      pool = &context.pool, ticket = ticket_](JobContext& job) -> Result<void> {
                       Published result = made(path, rules, pairing, fold, *pool, job);
                       if (job.cancelled()) return {};
                       result.ticket = ticket;
                       exchange->slot() = std::move(result);
                       exchange->publish();
                       job.published();
                       return {};
                     });
}

}  // namespace sepx::ui
