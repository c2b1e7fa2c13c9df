// SPDX-License-Identifier: Apache-2.0
// See sequence_result.h.
#include "ui/exhibits/training/sequence/sequence_result.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/data/encode.h"
#include "engine/train/sequence_probe.h"
#include "ui/exhibits/training/shared/shown_token.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

/// The sequence of a request in the tokens of a run.
struct TypedSequence {
  std::vector<std::int32_t> tokens;
  std::vector<std::string> words;  ///< of the vocabulary
  std::int32_t mask = -1;
  std::size_t left = 0;  ///< number of tokens that exceed the context and are left out
};

Result<TypedSequence> typedSequence(const SequenceProbeRequest& request, const data::Source& source) {
  TypedSequence made;
  made.mask = source.maskToken();
  const auto length = static_cast<std::size_t>(request.model.config.model.length);
  if (request.text.empty()) {
    made.tokens.resize(length);
    made.tokens.resize(
        static_cast<std::size_t>(source.sequence(data::Split::Validation, 0, static_cast<int>(length), made.tokens)));
  } else {
    data::TypedText typed = data::readTyped(source, request.text);
    if (!typed.unknown.empty()) return fail(ErrorKind::BadInput, notInVocabulary(typed.unknown));
    made.tokens = std::move(typed.tokens);
  }
  if (made.tokens.empty()) return fail(ErrorKind::BadInput, tr("the text has no token of this run's data"));
  if (made.tokens.size() > length) {
    made.left = made.tokens.size() - length;
    made.tokens.resize(length);
  }
  for (std::int32_t token = 0; token < source.vocabulary(); ++token)
    made.words.push_back(shownToken(source.word(token)));
  return made;
}

PlacePrediction predictionOf(const train::Prediction& from, const TypedSequence& sequence) {
  PlacePrediction made;
  std::vector<std::size_t> order(from.shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto more = [&](std::size_t a, std::size_t b) {
    return from.shares[a] != from.shares[b] ? from.shares[a] > from.shares[b] : a < b;
  };
  const std::size_t count = std::min(SequenceResult::kBest, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), more);
  for (std::size_t i = 0; i < count; ++i)
    made.best.emplace_back(sequence.words[order[i]], from.shares[order[i]]);
  const auto place = static_cast<std::size_t>(from.place);
  if (place >= sequence.tokens.size() || sequence.tokens[place] == sequence.mask) return made;
  const auto truth = static_cast<std::size_t>(sequence.tokens[place]);
  made.truth = from.shares[truth];
  made.rank = 1 + static_cast<int>(
                      std::count_if(order.begin(), order.end(), [&](std::size_t other) { return more(other, truth); }));
  return made;
}

void addAttention(SequenceResult& result, const train::SequenceProbe& probe) {
  float limit = 0;
  for (const attention::MatrixF& one : probe.attention) {
    result.attention.push_back(std::make_shared<const std::vector<float>>(one.data(), one.data() + one.size()));
    limit = std::max(limit, one.cwiseAbs().maxCoeff());
  }
  if (limit > 0) result.limit = static_cast<double>(limit);
}

std::string noteOf(const SequenceResult& result, const TypedSequence& sequence) {
  std::string note;
  const auto add = [&note](std::string more) { note += (note.empty() ? "" : " ") + std::move(more); };
  if (sequence.left > 0)
    add(trFormat("The text has {} tokens and the context {}: the last {} are left out.",
                 sequence.tokens.size() + sequence.left, sequence.tokens.size(), sequence.left));
  const bool masked = std::find(sequence.tokens.begin(), sequence.tokens.end(), sequence.mask) != sequence.tokens.end();
  if (!result.masks && sequence.mask >= 0 && masked)
    add(tr("This model predicts the next token and was not trained with [MASK]."));
  if (result.masks && !result.eachInTurn && result.predicted() == 0 && !masked)
    add(trFormat("Hide a position: in a sequence of more than {} tokens the positions are not hidden in turn.",
                 train::kLongestInTurn));
  return note;
}

}  // namespace

int SequenceResult::predicted() const {
  return static_cast<int>(std::count_if(places.begin(), places.end(), [](const SequencePlace& place) {
    return place.prediction && place.prediction->rank > 0;
  }));
}

int SequenceResult::right() const {
  return static_cast<int>(std::count_if(places.begin(), places.end(), [](const SequencePlace& place) {
    return place.prediction && place.prediction->rank == 1;
  }));
}

double SequenceResult::loss() const {
  double sum = 0;
  for (const SequencePlace& place : places)
    if (place.prediction && place.prediction->rank > 0) sum -= std::log(place.prediction->truth);
  return predicted() > 0 ? sum / predicted() : std::nan("");
}

Result<SequencePointer> makeSequence(const SequenceProbeRequest& request) {
  SEPX_ASSIGN(
      const TypedSequence sequence,
      request.model.data->with(request.model.config.data, request.model.dataFolders,
                               [&request](const data::Source& source) { return typedSequence(request, source); }));
  SEPX_ASSIGN(const WholeModel whole, readModel(request.model));
  train::SequenceRequest wanted{request.layer, sequence.tokens, {}};
  for (const int place : request.hidden)
    if (place >= 0 && place < static_cast<int>(sequence.tokens.size())) wanted.hidden.push_back(place);
  ThreadPool pool(1);
  SEPX_ASSIGN(const train::SequenceProbe probe, train::probeSequence(whole.config, whole.theta, wanted, pool));
  auto result = std::make_shared<SequenceResult>();
  result->step = whole.step;
  result->source = whole.source;
  result->layer = request.layer;
  result->heads = whole.config.model.heads;
  result->tokens = static_cast<int>(sequence.tokens.size());
  result->masks = nn::objectiveInfo(whole.config.objective.kind).masks;
  result->eachInTurn = probe.eachInTurn;
  result->linear = whole.config.model.attention == nn::AttentionKind::Linear;
  for (std::size_t i = 0; i < sequence.tokens.size(); ++i)
    result->places.push_back({sequence.words[static_cast<std::size_t>(sequence.tokens[i])],
                              result->masks && probe.read[i] == sequence.mask, std::nullopt});
  if (!result->masks) result->places.emplace_back();
  for (const train::Prediction& one : probe.predictions)
    result->places[static_cast<std::size_t>(one.place)].prediction = predictionOf(one, sequence);
  addAttention(*result, probe);
  result->note = noteOf(*result, sequence);
  return SequencePointer(std::move(result));
}

}  // namespace sepx::ui
