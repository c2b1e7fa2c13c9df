// SPDX-License-Identifier: Apache-2.0
// Writes, checks and compares run configs; run_config_read.cpp reads them. Any thread.
#include "engine/train/run_config.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/data/markov.h"
#include "engine/data/pairs.h"
#include "engine/data/shapes.h"
#include "engine/data/text_file.h"
#include "engine/train/chain_start.h"
#include "engine/train/run_config_fields.h"

namespace sepx::train {
namespace {

using Json = nlohmann::ordered_json;

class Writer {
 public:
  void section(std::string_view name) { object_ = &(top_[std::string(name)] = Json::object()); }
  void end() { object_ = &top_; }
  template <class Value>
  void field(std::string_view name, const Value& value) {
    (*object_)[std::string(name)] = value;
  }
  template <class Value>
  void field(std::string_view name, const Value& value, const Range&) {
    field(name, value);
  }
  template <class Enum, std::size_t N>
  void field(std::string_view name, const Enum& value, const Words<N>& words) {
    (*object_)[std::string(name)] = std::string(words[static_cast<std::size_t>(value)]);
  }
  Json take() { return std::move(top_); }

 private:
  Json top_ = Json::object();
  Json* object_ = &top_;
};

class Lister {
 public:
  void section(std::string_view name) { prefix_ = fmt::format("{}.", name); }
  void end() { prefix_.clear(); }
  template <class Value, class... Limits>
  void field(std::string_view name, const Value&, const Limits&...) {
    places_.push_back(fmt::format("{}{}", prefix_, name));
  }
  std::vector<std::string> take() { return std::move(places_); }

 private:
  std::string prefix_;
  std::vector<std::string> places_;
};

tl::unexpected<Error> wrong(std::string sentence) {
  return fail(ErrorKind::Usage, std::move(sentence));
}

/// Adapts an error message so that it can follow a file name and precede a remedy.
Result<void> asPart(Result<void> checked) {
  if (checked) return checked;
  std::string sentence = std::move(checked.error().message);
  if (sentence.ends_with('.')) sentence.pop_back();
  if (sentence.starts_with("The ")) sentence[0] = 't';
  return fail(checked.error().kind, std::move(sentence));
}

/// Vocabulary size of a source, as far as it is known before its data are read. 0: unknown.
int expectedVocabulary(const data::SourceConfig& data) {
  switch (data.kind) {
    case data::SourceKind::Markov:
      return 2;
    case data::SourceKind::Pairs:
      return data::kPairVocabulary;
    case data::SourceKind::Shapes:
      return data::kShapeClasses;
    case data::SourceKind::Cifar10:
      return 10;
    default:
      return 0;
  }
}

/// data.field must be given for files with several fields, and only for these.
Result<void> checkField(const data::SourceConfig& data) {
  const std::string_view word = data::fieldWord(data.path);
  if (!word.empty() && data.field.empty())
    return wrong(fmt::format("data.field is empty; it must name the {} of {} that holds the text", word, data.path));
  if (word.empty() && !data.field.empty())
    return wrong(fmt::format(
        "data.field is {}; it belongs to .csv, .tsv and .jsonl files and {} is not one of them, leave it out",
        inQuotes(data.field), data.path));
  return {};
}

Result<void> checkData(const data::SourceConfig& data) {
  using data::SourceKind;
  const std::size_t states = std::size_t{1} << data.order;
  if (data.kind == SourceKind::Markov && !data.kernel.empty() &&
      (data.kernel.size() < 2 || !std::has_single_bit(data.kernel.size())))
    return wrong(
        fmt::format("data.kernel has {} numbers; it needs 2, 4, 8 … {}, one for each context of data.order bits",
                    data.kernel.size(), std::size_t{1} << data::kMostOrder));
  if (data.kind == SourceKind::Markov && !data.kernel.empty() && data.kernel.size() != states)
    return wrong(fmt::format("data.kernel has {} numbers; data.order {} needs {}, one for each context of {} bits",
                             data.kernel.size(), data.order, states, data.order));
  if (data.kind == SourceKind::Markov && data.kernel.empty() && data.order > 1)
    return wrong(fmt::format("data.order is {}; then data.kernel must give {} numbers, P(next = 1 | the last {} bits)",
                             data.order, states, data.order));
  if (data.kind == SourceKind::Text && data.path.empty())
    return wrong("data.path is empty; data.kind \"text\" must name a .txt, .csv or .jsonl file there");
  if (data.kind == SourceKind::Text) SEPX_TRY(checkField(data));
  return asPart(data::checkSource(data));
}

Result<void> checkOptimisation(const Optimisation& optimisation) {
  if (optimisation.floor > optimisation.rule.learningRate)
    return wrong(fmt::format("optimisation.floor is {}; it must not be above optimisation.learning_rate, {}",
                             optimisation.floor, optimisation.rule.learningRate));
  if (optimisation.rule.nesterov && optimisation.rule.momentum == 0)
    return wrong("optimisation.nesterov is true; then optimisation.momentum must be above 0");
  return asPart(nn::check(optimisation.rule));
}

Result<void> checkStop(const Schedule& schedule) {
  if (schedule.stopPatience > 0 && schedule.stopLoss == StopLoss::Validation && schedule.evaluateEvery == 0)
    return wrong(
        fmt::format("schedule.stop_patience is {}; it needs the validation loss, but schedule.evaluate_every is 0: "
                    "set that, or schedule.stop_loss \"training\"",
                    schedule.stopPatience));
  if (schedule.stopFactor > 0 && schedule.stopFactor <= 1)
    return wrong(fmt::format("schedule.stop_factor is {}; it must be above 1, or 0 for never", schedule.stopFactor));
  return {};
}

/// Images require a model that reads patches and the objective of classes, and vice versa.
Result<void> checkImages(const RunConfig& config) {
  const bool data = data::isOfImages(config.data.kind), model = config.model.readsImages();
  const bool objective = nn::objectiveInfo(config.objective.kind).classifies;
  if (data != model)
    return wrong(data ? "model.input must be \"patches\" where data.kind is a set of images"
                      : "model.input is \"patches\"; then data.kind must be \"shapes\", \"cifar10\" or \"idx\"");
  if (data != objective)
    return wrong(data
                     ? "objective.kind must be \"classify\" where data.kind is a set of images"
                     : "objective.kind is \"classify\"; it wants images: data.kind \"shapes\", \"cifar10\" or \"idx\"");
  const int side = config.data.kind == data::SourceKind::Shapes    ? config.data.side
                   : config.data.kind == data::SourceKind::Cifar10 ? 32
                                                                   : 0;
  if (side == 0) return {};
  if (config.model.image != side)
    return wrong(
        fmt::format("model.image is {}; the images of these data have {} pixels a side", config.model.image, side));
  if (config.model.channels != 3)
    return wrong(fmt::format("model.channels is {}; the images of these data have 3", config.model.channels));
  return {};
}

/// Rejects a constraint that has no effect on W_qk, or that no W_qk of this shape can follow.
Result<void> checkConstraint(const RunConfig& config) {
  using nn::ConstraintKind;
  const auto [kind, gamma] = config.constraint;
  if (kind == ConstraintKind::None) return {};
  const char* const word = kind == ConstraintKind::Skew ? "skew" : "symmetric";
  if (gamma == 0)
    return wrong(
        fmt::format("constraint.gamma is 0; constraint.kind \"{}\" needs it above 0, or it does nothing", word));
  using nn::QueryKeyStart;
  const QueryKeyStart start = config.initial.queryKey;
  const bool skew = kind == ConstraintKind::Skew;
  if (start == (skew ? QueryKeyStart::Symmetric : QueryKeyStart::Skew))
    return wrong(
        fmt::format("constraint.kind is \"{}\" and initial.query_key \"{}\"; the constraint is singular at these "
                    "initial values and its gradient is held at 0 there, so it would have no effect: leave out one of "
                    "them",
                    word, skew ? "symmetric" : "skew"));
  if (skew && config.model.kv() * config.model.d_h() == 1)
    return wrong(
        "constraint.kind is \"skew\"; W_qk has rank 1 where all heads share one key of one dimension, and the "
        "symmetry of a matrix of rank 1 is never below 0: take more dimensions a head or \"symmetric\"");
  return {};
}

Result<void> checkObjective(const RunConfig& config, int vocabulary) {
  const nn::ObjectiveInfo& info = nn::objectiveInfo(config.objective.kind);
  if (info.causal && !config.model.causal)
    return wrong(fmt::format(
        "model.causal is false; objective.kind \"{}\" needs true, or the model sees what it predicts", info.word));
  if (config.model.length < info.leastLength)
    return wrong(fmt::format("model.length is {}; objective.kind \"{}\" needs at least {}", config.model.length,
                             info.word, info.leastLength));
  if (config.model.input == nn::Input::Bit && (info.masks || config.data.kind != data::SourceKind::Markov))
    return wrong(
        fmt::format("model.input \"bit\" reads binary chains only: data.kind must be \"markov\" and objective.kind {}",
                    nn::wordsWithoutMask()));
  if (info.masks && config.data.kind == data::SourceKind::Markov)
    return wrong(
        fmt::format("objective.kind is \"{}\"; it needs a [MASK] token, which data.kind \"markov\" alone does not "
                    "have: use {} or other data",
                    info.word, nn::wordsWithoutMask()));
  nn::Objective objective = config.objective;
  // Placeholders for what resolve() takes from the source.
  if (info.masks && objective.maskToken < 0) objective.maskToken = 0;
  if (objective.lastRandom == 0) objective.lastRandom = vocabulary;
  return asPart(nn::check(objective, vocabulary));
}

}  // namespace

Json toJson(const RunConfig& config) {
  Writer writer;
  visitRun(writer, config);
  return writer.take();
}

std::string configText(const RunConfig& config) {
  return toJson(config).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> runConfigFields() {
  Lister lister;
  const RunConfig config;
  visitRun(lister, config);
  return lister.take();
}

Result<void> check(const RunConfig& config) {
  SEPX_TRY(checkData(config.data));
  nn::ModelConfig model = config.model;
  const int expected = expectedVocabulary(config.data);
  constexpr int kSome = 256;
  if (model.vocabulary == 0) model.vocabulary = expected > 0 ? expected : kSome;
  if (model.vocabulary < expected)
    return wrong(fmt::format("model.vocabulary is {}; the data have {} {} (0 takes the number from the data)",
                             model.vocabulary, expected, data::isOfImages(config.data.kind) ? "classes" : "tokens"));
  SEPX_TRY(checkImages(config));
  SEPX_TRY(asPart(nn::check(model)));
  SEPX_TRY(checkObjective(config, model.vocabulary));
  SEPX_TRY(asPart(nn::check(config.initial, model)));
  SEPX_TRY(checkConstraint(config));
  SEPX_TRY(asPart(checkChainStart(config)));
  SEPX_TRY(checkStop(config.schedule));
  return checkOptimisation(config.optimisation);
}

std::optional<Difference> difference(const RunConfig& ours, const RunConfig& theirs) {
  constexpr std::array<std::string_view, 11> kFree{"name",
                                                   "note",
                                                   "schedule.steps",
                                                   "schedule.film_every",
                                                   "schedule.save_every",
                                                   "schedule.save_seconds",
                                                   "schedule.keep",
                                                   "schedule.stop_patience",
                                                   "schedule.stop_improvement",
                                                   "schedule.stop_loss",
                                                   "schedule.stop_factor"};
  const Json mine = toJson(ours), other = toJson(theirs);
  for (const std::string& place : runConfigFields()) {
    if (std::ranges::find(kFree, place) != kFree.end()) continue;
    std::string path = "/" + place;
    std::ranges::replace(path, '.', '/');
    const Json::json_pointer pointer(path);
    if (mine.at(pointer) == other.at(pointer)) continue;
    // Compared as configText() writes them, with bytes that are not UTF-8 replaced.
    const auto text = [&pointer](const Json& json) {
      return json.at(pointer).dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    if (std::string one = text(mine), two = text(other); one != two)
      return Difference{place, std::move(one), std::move(two)};
  }
  return std::nullopt;
}

double learningRateAt(const Optimisation& optimisation, std::int64_t step, std::int64_t steps) {
  const double peak = optimisation.rule.learningRate;
  const double t = static_cast<double>(step), warmUp = static_cast<double>(optimisation.warmUp);
  const double start = optimisation.warmUpStart;
  if (t < warmUp) return peak * (start + (1 - start) * (t + 1) / warmUp);
  if (optimisation.decay == Decay::Constant) return peak;
  const double way = std::max(1.0, static_cast<double>(steps) - warmUp);
  const double share = std::clamp((t - warmUp) / way, 0.0, 1.0);
  const double left = optimisation.decay == Decay::Linear ? 1 - share : (1 + std::cos(std::numbers::pi * share)) / 2;
  return optimisation.floor + (peak - optimisation.floor) * left;
}

}  // namespace sepx::train
