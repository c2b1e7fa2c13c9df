// SPDX-License-Identifier: Apache-2.0
// Checks of a run after its data are read: vocabulary, special tokens, memory. See step_check.h.
#include "engine/train/step_check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/core/file_guard.h"
#include "engine/core/json.h"
#include "engine/core/nearest_name.h"
#include "engine/data/images.h"
#include "engine/data/pairs.h"
#include "engine/nn/parameter_groups.h"

namespace sepx::train {
namespace {

std::uint64_t machineMemory() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
}

std::string gibibytes(double bytes) {
  return fmt::format("{:.3g} GiB", bytes / (1024.0 * 1024.0 * 1024.0));
}

}  // namespace

Result<void> resolve(RunConfig& config, const data::Source& source) {
  if (config.model.vocabulary == 0) config.model.vocabulary = source.vocabulary();
  if (config.model.vocabulary < source.vocabulary())
    return fail(
        ErrorKind::Usage,
        fmt::format("model.vocabulary is {}; the data have {} {} (0 takes the number from the data)",
                    config.model.vocabulary, source.vocabulary(), source.images() != nullptr ? "classes" : "tokens"));
  if (const data::ImageSource* const images = source.images()) {
    const data::ImageSize size = images->size();
    if (size != data::ImageSize{config.model.image, config.model.channels})
      return fail(ErrorKind::Usage,
                  fmt::format("model.image is {} and model.channels {}; the images of these data have "
                              "{} pixels a side and {} channels",
                              config.model.image, config.model.channels, size.side, size.channels));
  }
  const bool masks = nn::objectiveInfo(config.objective.kind).masks;
  if (masks && source.maskToken() < 0)
    return fail(ErrorKind::Usage,
                fmt::format("objective.kind needs a [MASK] token that these data do not have; {} needs none",
                            nn::wordsWithoutMask()));
  config.objective.maskToken = masks ? source.maskToken() : -1;
  config.objective.firstRandom = source.firstWord();
  config.objective.lastRandom = source.lastWord();
  return check(config);
}

Result<void> checkWatch(const RunConfig& config, const nn::ParameterLayout& layout) {
  for (const std::string& name : config.schedule.watch) {
    if (layout.find(name) != nullptr) continue;
    std::vector<std::string> names;
    for (const nn::Parameter& parameter : layout.all())
      names.push_back(parameter.name);
    return fail(ErrorKind::Usage, fmt::format("schedule.watch: the model has no parameter {}; the nearest is {}",
                                              inQuotes(name), nearestName(name, names)));
  }
  return {};
}

Result<void> checkFrozen(const RunConfig& config, const nn::ParameterLayout& layout) {
  const auto ranges = nn::rangesOf(layout, config.optimisation.frozen);
  if (!ranges) return fail(ranges.error().kind, fmt::format("optimisation.frozen: {}", ranges.error().message));
  std::size_t frozen = 0;
  for (const nn::FlatRange& range : *ranges)
    frozen += range.last - range.first;
  if (frozen < layout.size()) return {};
  return fail(ErrorKind::Usage, "optimisation.frozen names every parameter of the model; leave one to train");
}

std::vector<data::Bound> boundsOf(const RunConfig& config, const data::Source& source) {
  std::vector<data::Bound> bounds = source.bounds();
  const bool pairs = config.data.kind == data::SourceKind::Pairs;
  const nn::ObjectiveInfo& info = nn::objectiveInfo(config.objective.kind);
  const nn::LossBound bound = info.bound != nullptr ? info.bound(config.objective) : nn::LossBound::Context;
  if (bound == nn::LossBound::None) return {};
  if (pairs && bound == nn::LossBound::Past)
    bounds.push_back({"H(x_{n+1} | x_1..x_n)", data::pairNextEntropy(config.model.length)});
  if (bound != nn::LossBound::Sequence) return bounds;
  for (data::Bound& each : bounds) {
    each.name = fmt::format("{} {}", config.model.length, each.name);
    each.value *= config.model.length;
  }
  if (pairs) bounds.push_back({"H(sequence)", data::pairEntropy(config.model.length)});
  return bounds;
}

std::uint64_t fingerprint(const data::Source& source, int length) {
  constexpr std::uint64_t kHashedSequences = 8;
  std::string seen;
  for (std::int32_t token = 0; token < source.vocabulary(); ++token)
    seen += source.word(token) + '\n';
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(length));
  std::vector<float> pixels;
  for (const data::Split split : {data::Split::Train, data::Split::Validation})
    for (std::uint64_t i = 0; i < kHashedSequences; ++i) {
      std::ranges::fill(tokens, 0);
      seen += fmt::format("{} ", source.sequence(split, i, length, tokens));
      for (const std::int32_t token : tokens)
        seen += fmt::format("{} ", token);
      if (source.images() == nullptr) continue;
      pixels.resize(source.images()->size().values());
      source.images()->image(split, i, pixels);
      seen.append(reinterpret_cast<const char*>(pixels.data()), pixels.size() * sizeof(float));
    }
  return stampOf(seen).hash;
}

Result<void> checkMemory(const RunConfig& config, std::uint64_t memory) {
  if (memory == 0) memory = machineMemory();
  const int length = config.model.length;
  const nn::ObjectiveInfo& info = nn::objectiveInfo(config.objective.kind);
  const double sequences = static_cast<double>(config.schedule.batch) * (info.copies ? length : 1);
  const double places = sequences * length;
  const double share = info.share != nullptr ? info.share(config.objective, length) : 1.0;
  constexpr double kMost = 2147483647;
  if (places > kMost)
    return fail(ErrorKind::Usage,
                fmt::format("a batch of {:.0f} sequences of {} tokens is more than this program addresses; lower "
                            "schedule.batch and raise optimisation.accumulate",
                            sequences, length));
  const int states = nn::statesPerParameter(config.optimisation.rule) + (config.optimisation.ema > 0 ? 1 : 0);
  const nn::MemoryNeed need = nn::memoryNeed(config.model, static_cast<int>(sequences), length,
                                             static_cast<int>(std::ceil(places * share)), states);
  // The batch itself: tokens or pixels as the source gives them and as the model reads them, and targets.
  const double pixels =
      config.model.readsImages() ? sequences * config.model.patches() * config.model.patchValues() : 0;
  const double batch =
      places * 2 * sizeof(std::int32_t) + places * share * sizeof(nn::Target) + 2 * pixels * sizeof(float);
  const double total = static_cast<double>(need.total()) + batch;
  if (memory == 0 || total <= static_cast<double>(memory)) return {};
  const double kept = static_cast<double>(need.parameters + need.gradient + need.optimiser);
  return fail(
      ErrorKind::Usage,
      fmt::format("the run needs {} of memory ({} for the parameters and their optimiser, {} for a batch of {}); this "
                  "machine has {}: lower schedule.batch and raise optimisation.accumulate, or use a smaller model",
                  gibibytes(total), gibibytes(kept), gibibytes(total - kept), config.schedule.batch,
                  gibibytes(static_cast<double>(memory))));
}

std::string slowStep(const RunConfig& config, int threads) {
  constexpr double kPerSecond = 5e10, kSlow = 5;  // operations of one thread with AVX-512; seconds
  constexpr double kExponential = 8;              // multiplications that take as long as one exponential
  constexpr double kOperations = 3 * 2;           // per product, forward and backward; multiply and add
  const nn::ModelConfig& model = config.model;
  const nn::ObjectiveInfo& info = nn::objectiveInfo(config.objective.kind);
  const double length = model.readsImages() ? model.patches() : model.length, d = model.d_model;
  const double sequences =
      static_cast<double>(config.schedule.batch) * (info.copies ? length : 1) * config.optimisation.accumulate;
  const double rows = sequences * length, pairs = rows * (model.causal ? (length + 1) / 2 : length);
  const double attention = model.layers * pairs * (2 * model.d_q() + kExponential * model.heads);
  const double products =
      rows * (model.layers * d * (model.d_qkv() + model.d_q() + 2.0 * model.ff()) + d * model.logits());
  const double seconds = kOperations * (attention + products) / kPerSecond / std::max(threads, 1);
  if (seconds < kSlow) return {};
  return fmt::format(
      "a step of this config will take about {:.0f} s here, as an estimate ({:.0f} % of it is attention over "
      "model.length = {}, whose time grows with its square); a smaller model.length, schedule.batch or model is faster",
      seconds, 100 * attention / (attention + products), config.model.length);
}

}  // namespace sepx::train
