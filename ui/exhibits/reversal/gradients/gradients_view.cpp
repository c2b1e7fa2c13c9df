// SPDX-License-Identifier: Apache-2.0
// See gradients_view.h.
#include "ui/exhibits/reversal/gradients/gradients_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/try.h"
#include "engine/nn/transformer.h"

namespace sepx::ui {

namespace {

using reversal::Direction;
using reversal::Pair;

constexpr double kLeastRate = 1e-6, kMostRate = 1;
constexpr int kRates = 13;

nn::ModelConfig withoutDropout(nn::ModelConfig config) {
  config.embeddingDropout = config.attentionDropout = config.residualDropout = 0;
  return config;
}

template <class T>
nn::Transformer<T> modelOf(const WholeModel& whole, ThreadPool& pool) {
  nn::Transformer<T> model(withoutDropout(whole.config.model), pool);
  std::copy(whole.theta.begin(), whole.theta.end(), model.theta().begin());
  return model;
}

void addStorage(nn::Transformer<double>& model, GradientsView& view) {
  if (const Result<void> one = reversal::checkOneHead(model.config()); !one) {
    view.storageSentence = one.error().sentence;
    return;
  }
  const auto forward = reversal::maskedPass(model, reversal::maskedQuery(view.pair, Direction::Forward));
  const reversal::IdealQuery idealForward = reversal::idealQuery(model, forward);
  const auto reverse = reversal::maskedPass(model, reversal::maskedQuery(view.pair, Direction::Reverse));
  const reversal::IdealQuery idealReverse = reversal::idealQuery(model, reverse);
  view.factors = reversal::storageFactors(forward, reverse);
  view.scoreForward = forward.scoreGradient[static_cast<std::size_t>(forward.query.evidence)];
  view.scoreReverse = reverse.scoreGradient[static_cast<std::size_t>(reverse.query.evidence)];
  if (view.pairs == 1) view.ideal = reversal::idealCosines(reversal::idealLayer(model), idealForward, idealReverse);
}

/// The mean of single pairs' cosines, and the signs; false: cancelled.
bool addSingles(nn::Transformer<double>& model, double rate, GradientsView& view,
                const std::function<bool(double)>& goesOn) {
  const std::vector<Pair> pairs = meanPairs(view.length);
  reversal::StorageSigns signs;
  double sum = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (view.storageSentence.empty()) reversal::countSigns(model, pairs[i], rate, signs);
    if (view.pairs > 1)
      sum += reversal::alignmentOf(model.layout(), reversal::queryGradients<double>(model, std::span(&pairs[i], 1)))
                 .all.cosine();
    if (!goesOn(static_cast<double>(i + 1) / static_cast<double>(pairs.size()))) return false;
  }
  if (view.storageSentence.empty()) view.signs = signs;
  if (view.pairs > 1) view.single = sum / static_cast<double>(pairs.size());
  return true;
}

}  // namespace

std::vector<Pair> meanPairs(int length) {
  const std::uint64_t count = data::pairCount(length), number = std::min<std::uint64_t>(kMeanPairs, count);
  std::vector<Pair> pairs;
  for (std::uint64_t i = 0; i < number; ++i) {
    Pair pair = reversal::pairAt(i * count / number, length);
    pair.letter = static_cast<std::int32_t>(i % data::kPairLetters);
    pairs.push_back(pair);
  }
  return pairs;
}

Result<void> measureGradients(const GradientsRequest& request,
                              const std::function<bool(GradientsPointer, double share, bool last)>& made) {
  constexpr double kFirst = 0.25;  // share of the time until the first result
  SEPX_ASSIGN(const WholeModel whole, readModel(request.model));
  const int length = whole.config.model.length;
  GradientsView view;
  view.step = whole.step;
  view.length = length;
  view.pair = {request.letter, request.lower, request.upper, length};
  const std::vector<Pair> pairs =
      request.of == GradientsOf::Pair ? std::vector{view.pair} : meanPairs(whole.config.model.length);
  SEPX_TRY(reversal::checkPairs(whole.config.model, std::vector{view.pair}));
  SEPX_TRY(reversal::checkPairs(whole.config.model, pairs));
  view.pairs = static_cast<int>(pairs.size());
  ThreadPool pool(1);
  nn::Transformer<double> model = modelOf<double>(whole, pool);
  const reversal::QueryGradients<double> gradients = reversal::queryGradients<double>(model, pairs);
  view.alignment = reversal::alignmentOf(model.layout(), gradients);
  view.effect = reversal::stepEffect<double>(model, pairs, gradients, request.rate);
  addStorage(model, view);
  if (!made(std::make_shared<const GradientsView>(view), kFirst, false)) return {};
  for (int i = 0; i < kRates; ++i) {
    const double rate = kLeastRate * std::pow(kMostRate / kLeastRate, static_cast<double>(i) / (kRates - 1));
    view.effects.push_back(reversal::stepEffect<double>(model, pairs, gradients, rate));
  }
  if (!made(std::make_shared<const GradientsView>(view), 2 * kFirst, false)) return {};
  const auto goesOn = [&](double share) { return made(nullptr, 2 * kFirst + (1 - 2 * kFirst) * share, false); };
  if (!addSingles(model, request.rate, view, goesOn)) return {};
  made(std::make_shared<const GradientsView>(std::move(view)), 1, true);
  return {};
}

Result<void> measureHistory(const HistoryRequest& request,
                            const std::function<bool(HistoryPointer, double share, bool last)>& made) {
  CosineHistory history;
  ThreadPool pool(1);
  for (std::size_t i = 0; i < request.steps.size(); ++i) {
    ModelRequest one;
    one.folder = request.folder;
    one.config = request.config;
    one.step = one.saved = request.steps[i];
    one.data = request.data;
    SEPX_ASSIGN(const WholeModel whole, readModel(one));
    const std::vector<Pair> pairs = meanPairs(whole.config.model.length);
    SEPX_TRY(reversal::checkPairs(whole.config.model, pairs));
    nn::Transformer<float> model = modelOf<float>(whole, pool);
    history.steps.push_back(whole.step);
    history.alignments.push_back(reversal::alignmentOf(model.layout(), reversal::queryGradients<float>(model, pairs)));
    const bool last = i + 1 == request.steps.size();
    if (!made(std::make_shared<const CosineHistory>(history),
              static_cast<double>(i + 1) / static_cast<double>(request.steps.size()), last))
      return {};
  }
  return {};
}

}  // namespace sepx::ui
