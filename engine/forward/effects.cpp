// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/effects.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "engine/core/random.h"
#include "engine/core/try.h"

namespace sepx::forward {

namespace {

using checkpoint::Cancelled;

constexpr double kNotYet = std::numeric_limits<double>::quiet_NaN();

std::span<const float> rowOfLogits(const Activations<float>& pass, std::size_t row) {
  return {pass.logitsOf(row), static_cast<std::size_t>(pass.vocabulary)};
}

Result<void> checkHead(const ForwardModel& model) {
  if (model.plan().head) return {};
  return fail(ErrorKind::Usage, model.checkpoint().path() +
                                    ": there are no logits in this file, so there is no effect on the predictions");
}

int positionsOf(const Input& input) {
  return static_cast<int>(input.ids.size());
}

/// A request for the logits of one position only; -1: the last.
Request logitsAlone(const Input& input, int position) {
  Request request;
  request.attention = false;
  request.hidden = false;
  if (position < 0) position = positionsOf(input) - 1;
  if (position >= 0) request.logitsAt = {position};
  return request;
}

/// The stream that enters block `layer` at a position; with `layer` = number of blocks, the stream that leaves the
/// last.
std::vector<float> streamRow(const Activations<float>& pass, int layer, int position) {
  const std::vector<float>& stream =
      layer == 0 ? pass.embedding : pass.blocks[static_cast<std::size_t>(layer - 1)].hidden;
  const auto first = stream.begin() + static_cast<std::ptrdiff_t>(position) * pass.d_model;
  return {first, first + pass.d_model};
}

/// Runs the model with an intervention. `whole`: a pass of the same input that kept its stream.
Result<Activations<float>> changed(const ForwardModel& model, const Input& input, Request request,
                                   const Activations<float>& whole, Intervention intervention, ThreadPool& pool,
                                   const Cancelled& cancelled) {
  request.interventions = {std::move(intervention)};
  return model.runChanged<float>(input, request, whole, pool, cancelled);
}

}  // namespace

Result<Effects> effectsOfHeads(const ForwardModel& model, const Input& input, int position, Intervention::How how,
                               ThreadPool& pool, const Cancelled& cancelled,
                               const std::function<void(const Effects&)>& publish) {
  SEPX_TRY(checkHead(model));
  if (how == Intervention::How::Replace)
    return fail(ErrorKind::Usage,
                "a head can be taken out only by zero or by its mean: there is nothing to replace it with");
  const std::vector<checkpoint::BlockPlan>& blocks = model.plan().blocks;
  Effects effects;
  effects.layers = static_cast<int>(blocks.size());
  for (const checkpoint::BlockPlan& block : blocks) {
    effects.heads = std::max(effects.heads, block.attention.heads);
    effects.all += block.attention.heads + (block.feedForward ? 1 : 0);
  }
  effects.head.assign(static_cast<std::size_t>(effects.layers) * static_cast<std::size_t>(effects.heads), kNotYet);
  effects.feedForward.assign(blocks.size(), kNotYet);
  const Request request = logitsAlone(input, position);
  Request kept = request;
  kept.hidden = true;
  SEPX_ASSIGN(const Activations<float> whole, model.run<float>(input, kept, pool, cancelled));
  const auto without = [&](Intervention::Target target, int layer, int head, double& into) -> Result<void> {
    Intervention out;
    out.target = target;
    out.how = how;
    out.layer = layer;
    out.head = head;
    SEPX_ASSIGN(const Activations<float> pass, changed(model, input, request, whole, std::move(out), pool, cancelled));
    into = divergence(rowOfLogits(whole, 0), rowOfLogits(pass, 0));
    ++effects.done;
    if (publish) publish(effects);
    return {};
  };
  for (int layer = 0; layer < effects.layers; ++layer) {
    const auto at = static_cast<std::size_t>(layer);
    for (int head = 0; head < blocks[at].attention.heads; ++head)
      SEPX_TRY(without(Intervention::Target::Head, layer, head,
                       effects.head[at * static_cast<std::size_t>(effects.heads) + static_cast<std::size_t>(head)]));
    if (blocks[at].feedForward)
      SEPX_TRY(without(Intervention::Target::FeedForward, layer, -1, effects.feedForward[at]));
  }
  return effects;
}

Result<Patching> patchStream(const ForwardModel& model, const Input& from, const Input& to, std::int32_t answer,
                             std::int32_t other, ThreadPool& pool, const Cancelled& cancelled,
                             const std::function<void(const Patching&)>& publish) {
  SEPX_TRY(checkHead(model));
  if (from.ids.size() != to.ids.size() || to.ids.empty())
    return fail(ErrorKind::Usage,
                fmt::format("the two sentences must have the same number of tokens: they have {} and {}",
                            from.ids.size(), to.ids.size()));
  const Request request = logitsAlone(to, -1);
  Request kept = request;
  kept.hidden = true;
  SEPX_ASSIGN(const Activations<float> target, model.run<float>(to, kept, pool, cancelled));
  for (const std::int32_t id : {answer, other})
    if (id < 0 || id >= target.vocabulary)
      return fail(ErrorKind::Usage,
                  fmt::format("there is no token {}: the model has 0 to {}", id, target.vocabulary - 1));
  SEPX_ASSIGN(const Activations<float> source, model.run<float>(from, kept, pool, cancelled));
  const auto difference = [&](const Activations<float>& pass) {
    return static_cast<double>(pass.logitsOf(0)[answer]) - static_cast<double>(pass.logitsOf(0)[other]);
  };
  Patching patching;
  patching.layers = static_cast<int>(model.plan().blocks.size()) + 1;
  patching.positions = target.positions;
  patching.all = patching.layers * patching.positions;
  patching.effect.assign(static_cast<std::size_t>(patching.all), kNotYet);
  patching.whole = difference(target);
  patching.other = difference(source);
  for (int layer = 0; layer < patching.layers; ++layer)
    for (int position = 0; position < patching.positions; ++position) {
      SEPX_ASSIGN(const double put, [&]() -> Result<double> {
        const std::vector<float> row = streamRow(source, layer, position);
        // Where the two streams are equal, nothing is changed.
        if (row == streamRow(target, layer, position)) return patching.whole;
        Intervention stream;
        stream.target = Intervention::Target::Stream;
        stream.how = Intervention::How::Replace;
        stream.layer = layer;
        stream.position = position;
        stream.values = std::make_shared<const std::vector<float>>(row);
        SEPX_ASSIGN(const Activations<float> pass,
                    changed(model, to, request, target, std::move(stream), pool, cancelled));
        return difference(pass);
      }());
      // If both sentences have the same logit difference, the effect is undefined and stays NaN.
      if (patching.other != patching.whole)
        patching.effect[static_cast<std::size_t>(patching.done)] =
            (put - patching.whole) / (patching.other - patching.whole);
      ++patching.done;
      if (publish) publish(patching);
    }
  return patching;
}

Result<Lens> lens(const ForwardModel& model, const Activations<float>& pass, std::size_t most, ThreadPool& pool,
                  const Cancelled& cancelled) {
  SEPX_TRY(checkHead(model));
  // Rows of logits held at a time.
  constexpr std::size_t kRows = 64;
  const auto positions = static_cast<std::size_t>(pass.positions), width = static_cast<std::size_t>(pass.d_model);
  Lens lens;
  lens.layers = static_cast<int>(pass.blocks.size()) + 1;
  lens.positions = pass.positions;
  const std::size_t all = static_cast<std::size_t>(lens.layers) * positions;
  lens.predictions.resize(all);
  lens.entropy.assign(all, kNotYet);
  lens.rankOfAnswer.assign(all, 0);
  // The last layer first: its most likely token is the answer whose rank is computed in all layers.
  std::vector<std::int32_t> answers(positions, -1);
  for (int layer = lens.layers - 1; layer >= 0; --layer) {
    const std::vector<float>& stream =
        layer == 0 ? pass.embedding : pass.blocks[static_cast<std::size_t>(layer - 1)].hidden;
    if (stream.size() != positions * width)
      return fail(ErrorKind::Usage, "the pass kept no stream, which the lens needs");
    for (std::size_t row = 0; row < positions; row += kRows) {
      const std::size_t count = std::min(kRows, positions - row);
      SEPX_ASSIGN(const std::vector<float> logits,
                  model.logitsOf<float>(count, stream.data() + row * width, pool, cancelled));
      const std::size_t vocabulary = logits.size() / count;
      for (std::size_t i = 0; i < count; ++i) {
        const std::span<const float> own{logits.data() + i * vocabulary, vocabulary};
        const std::size_t at = static_cast<std::size_t>(layer) * positions + row + i;
        lens.predictions[at] = rank(own, std::max<std::size_t>(most, 1), &lens.entropy[at]);
        std::int32_t& answer = answers[row + i];
        if (layer == lens.layers - 1 && !lens.predictions[at].empty()) answer = lens.predictions[at].front().id;
        if (answer >= 0) lens.rankOfAnswer[at] = rankOf(own, answer);
        lens.predictions[at].resize(std::min(most, lens.predictions[at].size()));
      }
    }
  }
  return lens;
}

namespace {

/// The most likely token, or one drawn with probabilities softmax(logits / temperature); -1 if a logit is not finite.
std::int32_t chosen(std::span<const float> logits, double temperature, RandomStream& random) {
  if (!std::all_of(logits.begin(), logits.end(), [](float x) { return std::isfinite(x); })) return -1;
  const auto likeliest = std::max_element(logits.begin(), logits.end());
  if (temperature <= 0) return static_cast<std::int32_t>(likeliest - logits.begin());
  std::vector<double> sums(logits.size());
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i)
    sums[i] = sum += std::exp((static_cast<double>(logits[i]) - static_cast<double>(*likeliest)) / temperature);
  const auto at = std::upper_bound(sums.begin(), sums.end(), random.uniform() * sum);
  return static_cast<std::int32_t>(std::min(at - sums.begin(), static_cast<std::ptrdiff_t>(sums.size()) - 1));
}

Result<void> checkContinues(const ForwardModel& model) {
  SEPX_TRY(checkHead(model));
  const checkpoint::ModelPlan& plan = model.plan();
  if (plan.image || !plan.causal || plan.head->masked)
    return fail(ErrorKind::Usage, model.checkpoint().path() +
                                      ": this model does not predict the next token, so it cannot continue a text");
  return {};
}

}  // namespace

Result<std::vector<std::int32_t>> continueText(const ForwardModel& model, std::vector<std::int32_t> ids,
                                               const Continuation& how, ThreadPool& pool, const Cancelled& cancelled,
                                               const std::function<void(std::int32_t)>& publish) {
  SEPX_TRY(checkContinues(model));
  RandomStream random(how.seed);
  Input input{std::move(ids), {}};
  KeyValueCache<float> past;
  std::vector<std::int32_t> next;
  while (static_cast<int>(next.size()) < how.tokens) {
    if (const std::int64_t longest = model.plan().positions;
        longest > 0 && static_cast<std::int64_t>(input.ids.size()) >= longest) {
      if (!next.empty()) break;
      return fail(ErrorKind::Usage, fmt::format("the text has {} tokens, the most that the model reads: shorten it so "
                                                "that it can be continued",
                                                input.ids.size()));
    }
    SEPX_ASSIGN(const Activations<float> pass, model.goOn<float>(input, logitsAlone(input, -1), past, pool, cancelled));
    const std::int32_t id = chosen(rowOfLogits(pass, 0), how.temperature, random);
    if (id < 0)
      return fail(ErrorKind::BadInput,
                  model.checkpoint().path() + ": a logit is not a finite number, so there is no next token");
    next.push_back(id);
    input.ids.push_back(id);
    if (publish) publish(id);
    if (id == how.end) break;
  }
  return next;
}

}  // namespace sepx::forward
