// SPDX-License-Identifier: Apache-2.0
#include "ui/sentence/sentence_pass.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "engine/core/try.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kMostCompared = 4096;   // words of two vocabularies that are compared
constexpr double kMostDifferingShare = 0.05;  // share of those; if more differ, the vocabularies are not the same

/// The largest weight in each block of a pattern, so that a small picture shows a single strong cell too.
std::shared_ptr<const std::vector<float>> thumbOf(const float* weights, int n, int side) {
  auto made =
      std::make_shared<std::vector<float>>(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0.0f);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float& most = (*made)[static_cast<std::size_t>(i * side / n) * static_cast<std::size_t>(side) +
                            static_cast<std::size_t>(j * side / n)];
      const float weight =
          weights[static_cast<std::size_t>(i) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)];
      if (!(weight <= most)) most = weight;  // NaN stays
    }
  }
  return made;
}

HeadPattern patternOf(const forward::ForwardModel& model, const forward::Activations<float>& run, std::size_t block,
                      int head) {
  const int n = run.positions, side = std::min(n, kThumbSide);
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const float* const weights = run.blocks[block].attention.data() + static_cast<std::size_t>(head) * size;
  HeadPattern made = described(weights, n);
  made.block = static_cast<int>(block);
  made.layer = model.plan().blocks[block].attention.layer;
  made.head = head;
  made.weights = std::make_shared<const std::vector<float>>(weights, weights + size);
  made.side = side;
  made.thumb = thumbOf(weights, n, side);
  return made;
}

std::vector<HeadPattern> patternsOf(const forward::ForwardModel& model, const forward::Activations<float>& run,
                                    ThreadPool& pool) {
  std::vector<std::pair<std::size_t, int>> there;
  const auto size = static_cast<std::size_t>(run.positions) * static_cast<std::size_t>(run.positions);
  for (std::size_t block = 0; block < run.blocks.size(); ++block) {
    const forward::BlockActivations<float>& of = run.blocks[block];
    for (int head = 0; head < of.heads && (static_cast<std::size_t>(head) + 1) * size <= of.attention.size(); ++head)
      there.emplace_back(block, head);
  }
  std::vector<HeadPattern> all(there.size());
  pool.parallelFor(0, all.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      all[i] = patternOf(model, run, there[i].first, there[i].second);
  });
  return all;
}

/// The probabilities of some tokens from a row of logits; NaN: there is no such token.
std::vector<double> probabilitiesOf(std::span<const float> logits, const std::vector<std::int32_t>& ids) {
  double total = 0;
  forward::rank(logits, 0, nullptr, &total);
  std::vector<double> made;
  for (const std::int32_t id : ids) {
    const bool there = id >= 0 && static_cast<std::size_t>(id) < logits.size();
    made.push_back(there ? std::exp(static_cast<double>(logits[static_cast<std::size_t>(id)]) - total) : std::nan(""));
  }
  return made;
}

/// The row of logits of a place; empty: there is none.
std::span<const float> logitsAt(const forward::ForwardModel& model, const forward::Activations<float>& run, int place) {
  const int row = rowOfLogits(model.plan(), place);
  const auto at = std::find(run.logitsAt.begin(), run.logitsAt.end(), row);
  if (run.logits.empty() || at == run.logitsAt.end()) return {};
  return {run.logitsOf(static_cast<std::size_t>(at - run.logitsAt.begin())), static_cast<std::size_t>(run.vocabulary)};
}

PlacePredictions predictionsAt(const forward::ForwardModel& model, const forward::Activations<float>& run,
                               const SentenceTokens& tokens, int place) {
  PlacePredictions made;
  const std::span<const float> logits = logitsAt(model, run, place);
  if (logits.empty()) return made;
  double total = 0;
  made.best = forward::rank(logits, kBest, &made.entropy, &total);
  const int of = predictedBy(model.plan(), place);
  if (of >= tokens.size()) return made;
  // The true token at a masked place is that of the text.
  const SentenceToken& token = tokens.tokens[static_cast<std::size_t>(of)];
  const std::int32_t id = token.masked ? token.original : token.id;
  if (token.masked && token.original == token.id) return made;  // the text itself has the mask
  if (id < 0 || static_cast<std::size_t>(id) >= logits.size()) return made;
  made.truth = std::exp(static_cast<double>(logits[static_cast<std::size_t>(id)]) - total);
  made.rank = forward::rankOf(logits, id);
  return made;
}

/// Predictions at every place. The first `known` ones, for which the tokens of both texts agree, are copied from
/// `before`.
std::vector<PlacePredictions> predictionsOf(const forward::ForwardModel& model, const forward::Activations<float>& run,
                                            const SentenceTokens& tokens, ThreadPool& pool,
                                            const std::vector<PlacePredictions>& before = {}, std::size_t known = 0) {
  if (run.logits.empty()) return {};
  std::vector<PlacePredictions> all(static_cast<std::size_t>(run.positions));
  known = std::min({known, before.size(), all.size()});
  std::copy_n(before.begin(), known, all.begin());
  pool.parallelFor(known, all.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t place = first; place < last; ++place)
      all[place] = predictionsAt(model, run, tokens, static_cast<int>(place));
  });
  return all;
}

}  // namespace

namespace {

const HeadPattern* patternIn(const std::vector<HeadPattern>& heads, int layer, int head) {
  const auto found = std::find_if(heads.begin(), heads.end(), [layer, head](const HeadPattern& one) {
    return one.layer == layer && one.head == head;
  });
  return found == heads.end() ? nullptr : &*found;
}

}  // namespace

const HeadPattern* SentencePass::find(int layer, int head) const {
  return patternIn(heads, layer, head);
}

const HeadPattern* ChangedPass::find(int layer, int head) const {
  return patternIn(heads, layer, head);
}

int SentencePass::headsOf(int layer) const {
  return static_cast<int>(
      std::count_if(heads.begin(), heads.end(), [layer](const HeadPattern& one) { return one.layer == layer; }));
}

bool predictsOwn(const checkpoint::ModelPlan& plan) {
  return plan.head && plan.head->masked;
}

int predictedBy(const checkpoint::ModelPlan& plan, int place) {
  return predictsOwn(plan) ? place : place + 1;
}

int rowOfLogits(const checkpoint::ModelPlan& plan, int place) {
  return plan.head && plan.head->shifted ? place - 1 : place;
}

HeadPattern described(const float* weights, int n) {
  HeadPattern made;
  double mutual = 0, squares = 0, excess = -INFINITY;
  const auto side = static_cast<std::size_t>(n);
  for (std::size_t i = 0; i < side; ++i) {
    std::size_t seen = 0;
    for (std::size_t j = 0; j < side; ++j)
      seen += weights[i * side + j] > 0;
    for (std::size_t j = 0; j < side; ++j) {
      const auto p = static_cast<double>(weights[i * side + j]);
      if (p > 0) made.entropy -= p * std::log(p);
      if (!(p >= 0)) made.entropy = std::nan("");
      made.distance += p * std::abs(static_cast<double>(i) - static_cast<double>(j));
      mutual += p * static_cast<double>(weights[j * side + i]);
      squares += p * p;
      if (const double over = p - 1.0 / static_cast<double>(std::max<std::size_t>(1, seen)); over > excess) {
        excess = over;
        made.query = static_cast<int>(i);
        made.key = static_cast<int>(j);
      }
    }
    if (i > 0) made.first += static_cast<double>(weights[i * side]);
  }
  made.entropy /= n;
  made.distance /= n;
  made.first = n > 1 ? made.first / (n - 1) : 1;
  made.symmetry = mutual / squares;
  return made;
}

std::string tooLong(const checkpoint::ModelPlan& plan, int tokens) {
  if (plan.positions > 0 && tokens > plan.positions)
    return trFormat("The text has {} tokens, and the model reads {} at most: shorten the text.", tokens,
                    plan.positions);
  double heads = 0;
  for (const checkpoint::BlockPlan& block : plan.blocks)
    heads += block.attention.heads;
  const double d = plan.d_model, n = tokens, blocks = static_cast<double>(plan.blocks.size());
  // All patterns twice, seven arrays of the size of the stream per block (with keys and values), and the logits.
  const double numbers = 2 * heads * n * n + 7 * blocks * n * d + n * static_cast<double>(plan.vocabulary);
  if (numbers <= kMostNumbers) return {};
  return trFormat(
      "The text has {} tokens: what the page shows of this model would take more than 1 GiB of memory. "
      "Shorten the text.",
      tokens);
}

namespace {

/// The number of places whose predictions and following tokens are those of the other text.
std::size_t knownPlaces(const SentenceTokens& before, const SentenceTokens& tokens, int reused) {
  std::size_t same = 0;
  while (same < static_cast<std::size_t>(reused) && before.tokens[same].original == tokens.tokens[same].original &&
         before.tokens[same].masked == tokens.tokens[same].masked)
    ++same;
  return same == 0 ? 0 : same - 1;  // the last of them predicts a token that may differ
}

}  // namespace

Result<SentencePassPointer> runSentence(ForwardPointer model, SentenceTokensPointer tokens,
                                        const SentencePassPointer& before, ThreadPool& pool,
                                        const checkpoint::Cancelled& cancelled,
                                        const std::function<void(double)>& progress) {
  if (const std::string sentence = tooLong(model->plan(), tokens->size()); !sentence.empty())
    return fail(ErrorKind::Usage, sentence);
  auto made = std::make_shared<SentencePass>();
  const bool same = before && before->forward == model;
  SEPX_ASSIGN(made->kept, forward::runReusing<float>(*model, tokens->input(), same ? &before->kept : nullptr, pool,
                                                     cancelled, [&progress](int done, int all) {
                                                       progress(static_cast<double>(done) / std::max(1, all));
                                                     }));
  made->heads = patternsOf(*model, made->run(), pool);
  const std::size_t known = same ? knownPlaces(*before->tokens, *tokens, made->kept.reused) : 0;
  made->places = predictionsOf(*model, made->run(), *tokens, pool, same ? before->places : made->places, known);
  made->forward = std::move(model);
  made->tokens = std::move(tokens);
  return made;
}

namespace {

std::shared_ptr<const std::vector<float>> differenceOf(const std::vector<float>& after,
                                                       const std::vector<float>& before) {
  if (after.size() != before.size()) return nullptr;
  auto made = std::make_shared<std::vector<float>>(after.size());
  std::transform(after.begin(), after.end(), before.begin(), made->begin(), std::minus<>());
  return made;
}

/// Patterns, predictions and divergences of a run that is compared with the whole one.
ChangedPassPointer comparedPass(SentencePassPointer whole, const forward::ForwardModel& model,
                                const forward::Activations<float>& run, ThreadPool& pool) {
  auto made = std::make_shared<ChangedPass>();
  made->heads = patternsOf(model, run, pool);
  made->places = predictionsOf(model, run, *whole->tokens, pool);
  for (HeadPattern& head : made->heads)
    if (const HeadPattern* const before = whole->find(head.layer, head.head))
      head.difference = differenceOf(*head.weights, *before->weights);
  made->divergence.resize(static_cast<std::size_t>(whole->n()));
  made->before.resize(made->divergence.size());
  pool.parallelFor(0, made->before.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t place = first; place < last; ++place) {
      const int at = static_cast<int>(place);
      const auto before = logitsAt(*whole->forward, whole->run(), at), after = logitsAt(model, run, at);
      const bool both = !before.empty() && before.size() == after.size();
      made->divergence[place] = both ? forward::divergence(before, after) : std::nan("");
      std::vector<std::int32_t> ids;
      if (place < made->places.size())
        for (const forward::Prediction& one : made->places[place].best)
          ids.push_back(one.id);
      if (!before.empty()) made->before[place] = probabilitiesOf(before, ids);
    }
  });
  made->whole = std::move(whole);
  return made;
}

/// The first token that has other words in the second checkpoint, as a message. Empty: none has, or too few of the
/// vocabulary to make it another one. Files with the same vocabulary may differ in tokens that no text has, such as
/// added ones.
std::string otherWords(const SentenceTokens& tokens, const SentenceWords& second) {
  const SentenceWords& first = *tokens.words;
  const auto differs = [&](std::int32_t id) { return first.shown(id) != second.shown(id); };
  const auto words = [&](std::int32_t id) {
    return trFormat("the second checkpoint reads different tokens: id {} is “{}” in it and “{}” in the open one", id,
                    second.shown(id), first.shown(id));
  };
  for (const SentenceToken& token : tokens.tokens)
    if (!first.special(token.id) && differs(token.id)) return words(token.id);
  const std::size_t all = std::min(first.size(), second.size()), step = (all + kMostCompared - 1) / kMostCompared;
  std::vector<std::int32_t> unlike;
  std::size_t compared = 0;
  for (std::size_t id = 0; id < all; id += std::max<std::size_t>(1, step), ++compared)
    if (differs(static_cast<std::int32_t>(id))) unlike.push_back(static_cast<std::int32_t>(id));
  const bool another = static_cast<double>(unlike.size()) > kMostDifferingShare * static_cast<double>(compared);
  return another ? words(unlike.front()) : std::string();
}

}  // namespace

Result<ChangedPassPointer> runChanged(SentencePassPointer whole, std::vector<forward::Intervention> changes,
                                      ThreadPool& pool, const checkpoint::Cancelled& cancelled) {
  forward::Request request;
  request.interventions = std::move(changes);
  request.hidden = false;
  request.logits = whole->forward->plan().head.has_value();
  SEPX_ASSIGN(const forward::Activations<float> run,
              whole->forward->runChanged<float>(whole->tokens->input(), request, whole->run(), pool, cancelled));
  const forward::ForwardModel& model = *whole->forward;
  return comparedPass(std::move(whole), model, run, pool);
}

Result<ChangedPassPointer> runSecond(SentencePassPointer whole, const forward::ForwardModel& second,
                                     SentenceWordsPointer words, ThreadPool& pool,
                                     const checkpoint::Cancelled& cancelled) {
  const std::int64_t mine = whole->forward->plan().vocabulary, its = second.plan().vocabulary;
  if (whole->tokens->image && !second.plan().image)
    return fail(ErrorKind::Usage, tr("the second checkpoint reads texts and the open one images"));
  if (mine != its)
    return fail(
        ErrorKind::Usage,
        trFormat(
            "the second checkpoint has a vocabulary of {} tokens and the open one of {}: they do not read the same sentence",
            its, mine));
  if (whole->tokens->words && !words)
    if (const auto opened = SentenceWords::open(second.checkpoint(), {})) words = *opened;
  if (whole->tokens->words && words && words != whole->tokens->words)
    if (std::string sentence = otherWords(*whole->tokens, *words); !sentence.empty())
      return fail(ErrorKind::Usage, std::move(sentence));
  if (const std::string sentence = tooLong(second.plan(), whole->n()); !sentence.empty())
    return fail(ErrorKind::Usage, sentence);
  forward::Request request;
  request.hidden = false;
  request.logits = second.plan().head.has_value();
  SEPX_ASSIGN(const forward::Activations<float> run,
              second.run<float>(whole->tokens->input(), request, pool, cancelled));
  return comparedPass(std::move(whole), second, run, pool);
}

Result<PatchedPointer> patchSentence(SentencePassPointer into, SentenceTokensPointer from, ThreadPool& pool,
                                     const checkpoint::Cancelled& cancelled,
                                     const std::function<void(PatchedPointer, double)>& publish) {
  if (from->size() != into->n())
    return fail(ErrorKind::Usage,
                trFormat("the other text has {} tokens and this one {}: both must have the same number of tokens",
                         from->size(), into->n()));
  if (into->places.empty()) return fail(ErrorKind::Usage, tr("this file has no predictions to compare"));
  const forward::Input source = from->input(), target = into->tokens->input();
  forward::Request request;
  request.hidden = request.attention = false;
  request.logitsAt = {into->n() - 1};
  SEPX_ASSIGN(const forward::Activations<float> run, into->forward->run<float>(source, request, pool, cancelled));
  const std::span<const float> row{run.logits.data(), static_cast<std::size_t>(run.vocabulary)};
  const auto likeliest = forward::rank(row, 1),
             mine = forward::rank(logitsAt(*into->forward, into->run(), into->n() - 1), 1);
  if (likeliest.empty() || mine.empty() || likeliest.front().id == mine.front().id)
    return fail(ErrorKind::Usage,
                tr("the model predicts the same token after both texts: there is no difference to explain"));
  const std::int32_t answer = likeliest.front().id, other = mine.front().id;
  const auto pictured = [&](const forward::Patching& patching) {
    auto made = std::make_shared<PatchedStreams>();
    made->into = into;
    made->from = from;
    made->answer = answer;
    made->other = other;
    made->patching = patching;
    made->effect = std::make_shared<const std::vector<float>>(patching.effect.begin(), patching.effect.end());
    return made;
  };
  SEPX_ASSIGN(const forward::Patching patching,
              forward::patchStream(*into->forward, source, target, answer, other, pool, cancelled,
                                   [&](const forward::Patching& so) {
                                     publish(pictured(so), static_cast<double>(so.done) / std::max(1, so.all));
                                   }));
  return pictured(patching);
}

}  // namespace sepx::ui
