// SPDX-License-Identifier: Apache-2.0
// See gradients_result.h.
#include "ui/exhibits/reversal/gradients/gradients_result.h"

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

void addStorage(nn::Transformer<double>& model, GradientsResult& result) {
  if (const Result<void> one = reversal::checkOneHead(model.config()); !one) {
    result.storageSentence = one.error().message;
    return;
  }
  const auto forward = reversal::maskedPass(model, reversal::maskedQuery(result.pair, Direction::Forward));
  const reversal::IdealQuery idealForward = reversal::idealQuery(model, forward);
  const auto reverse = reversal::maskedPass(model, reversal::maskedQuery(result.pair, Direction::Reverse));
  const reversal::IdealQuery idealReverse = reversal::idealQuery(model, reverse);
  result.factors = reversal::storageFactors(forward, reverse);
  result.scoreForward = forward.scoreGradient[static_cast<std::size_t>(forward.query.evidence)];
  result.scoreReverse = reverse.scoreGradient[static_cast<std::size_t>(reverse.query.evidence)];
  if (result.pairs == 1) result.ideal = reversal::idealCosines(reversal::idealLayer(model), idealForward, idealReverse);
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

Result<GradientsPointer> measureGradients(const GradientsRequest& request,
                                          const std::function<bool(double share)>& shouldContinue) {
  SEPX_ASSIGN(const WholeModel whole, readShown(request.model));
  auto result = std::make_shared<GradientsResult>();
  result->title = titleOf(request.model, whole);
  result->step = whole.step;
  result->length = whole.config.model.length;
  result->pair = {request.letter, request.lower, request.upper, result->length};
  const std::vector<Pair> pairs =
      request.of == GradientsOf::Pair ? std::vector{result->pair} : meanPairs(result->length);
  SEPX_TRY(reversal::checkPairs(whole.config.model, std::vector{result->pair}));
  result->pairs = static_cast<int>(pairs.size());
  ThreadPool pool(1);
  nn::Transformer<double> model = modelOf<double>(whole, pool);
  bool ended = false;
  double share = 0;
  model.onCancel([&] { return ended = ended || !shouldContinue(share); });  // the pool uses this thread only
  const reversal::QueryGradients<double> gradients = reversal::queryGradients<double>(model, pairs);
  if (ended) return GradientsPointer();
  result->alignment = reversal::alignmentOf(model.layout(), gradients);
  constexpr double kEffects = kRates + 1;
  share = 1 / (kEffects + 1);
  result->effect = reversal::stepEffect<double>(model, pairs, gradients, request.rate);
  for (int i = 0; i < kRates && !ended; ++i) {
    share = (i + 2) / (kEffects + 1);
    const double rate = kLeastRate * std::pow(kMostRate / kLeastRate, static_cast<double>(i) / (kRates - 1));
    result->effects.push_back(reversal::stepEffect<double>(model, pairs, gradients, rate));
  }
  if (ended) return GradientsPointer();
  model.onCancel({});  // addStorage() reads the attention that a pass keeps; a cancelled pass keeps none
  addStorage(model, *result);
  return GradientsPointer(std::move(result));
}

Result<SinglesPointer> measureSingles(const SinglesRequest& request,
                                      const std::function<bool(double share)>& shouldContinue) {
  SEPX_ASSIGN(const WholeModel whole, readShown(request.model));
  const std::vector<Pair> pairs = meanPairs(whole.config.model.length);
  SEPX_TRY(reversal::checkPairs(whole.config.model, pairs));
  ThreadPool pool(1);
  nn::Transformer<double> model = modelOf<double>(whole, pool);
  auto singles = std::make_shared<SinglePairs>();
  singles->step = whole.step;
  singles->pairs = static_cast<int>(pairs.size());
  if (reversal::checkOneHead(model.config())) singles->signs.emplace();
  double sum = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (singles->signs) reversal::countSigns(model, pairs[i], request.rate, *singles->signs);
    sum += reversal::alignmentOf(model.layout(), reversal::queryGradients<double>(model, std::span(&pairs[i], 1)))
               .all.cosine();
    if (!shouldContinue(static_cast<double>(i + 1) / static_cast<double>(pairs.size()))) return SinglesPointer();
  }
  singles->cosine = sum / static_cast<double>(pairs.size());
  return SinglesPointer(std::move(singles));
}

Result<void> measureHistory(const CosineHistoryRequest& request,
                            const std::function<bool(HistoryPointer, double share, bool last)>& made) {
  CosineHistory history;
  ThreadPool pool(1);
  for (std::size_t i = 0; i < request.steps.size(); ++i) {
    const bool last = i + 1 == request.steps.size();
    if (request.known && i < request.known->steps.size() && request.known->steps[i] == request.steps[i] && !last) {
      history.steps.push_back(request.steps[i]);
      history.alignments.push_back(request.known->alignments[i]);
      continue;
    }
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
    if (!made(std::make_shared<const CosineHistory>(history),
              static_cast<double>(i + 1) / static_cast<double>(request.steps.size()), last))
      return {};
  }
  return {};
}

}  // namespace sepx::ui
