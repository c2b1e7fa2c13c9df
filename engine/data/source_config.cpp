// SPDX-License-Identifier: Apache-2.0
#include "engine/data/source_config.h"

#include <utility>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/core/try.h"
#include "engine/data/artificial.h"
#include "engine/data/english.h"
#include "engine/data/markov.h"
#include "engine/data/pairs.h"
#include "engine/data/text_file.h"
#include "engine/data/text_source.h"

namespace sepx::data {
namespace {

constexpr std::int64_t kFewestSentences = 10, kMostSentences = 2'000'000;  ///< about 70 bytes each

using SourceResult = Result<std::unique_ptr<Source>>;

tl::unexpected<Error> outside(const char* field, double value, const char* range) {
  return fail(ErrorKind::Usage, fmt::format("data.{} = {} must be {}", field, formatShortest(value), range));
}

/// The kernel of the declaration; of order 1 from p and q where none is given.
Result<std::vector<double>> kernelOf(const SourceConfig& config) {
  if (config.order < 1 || config.order > kMostOrder)
    return fail(ErrorKind::Usage, fmt::format("data.order = {} must be from 1 to {}", config.order, kMostOrder));
  const std::size_t states = std::size_t{1} << config.order;
  if (config.kernel.empty() && config.order == 1) {
    for (const auto& [name, value] : {std::pair<const char*, double>{"p", config.p}, {"q", config.q}})
      if (!(value > 0 && value < 1)) return outside(name, value, "between 0 and 1, both excluded");
    return std::vector<double>{config.p, 1 - config.q};
  }
  if (config.kernel.size() != states)
    return fail(ErrorKind::Usage,
                fmt::format("data.kernel has {} entries and must have {}: P(1 | the last bits) for each of the 2^{} "
                            "values of the last data.order = {} bits",
                            config.kernel.size(), states, config.order, config.order));
  return config.kernel;
}

SourceResult markov(const SourceConfig& config) {
  SEPX_ASSIGN(std::vector<double> kernel, kernelOf(config));
  SEPX_ASSIGN(std::vector<double> pi, stationary(kernel));
  return makeMarkov(config.seed, std::move(kernel), std::move(pi));
}

Result<void> checkArtificial(const SourceConfig& config) {
  if (!(config.jitter >= 0 && config.jitter <= 1))
    return outside("jitter", config.jitter, "a probability, from 0 to 1");
  return {};
}

SourceResult artificial(const SourceConfig& config) {
  SEPX_TRY(checkArtificial(config));
  return config.kind == SourceKind::Repeats ? makeRepeats(config.seed, config.jitter)
                                            : makeMirrored(config.seed, config.jitter);
}

SourceResult text(const SourceConfig& config) {
  SEPX_TRY(checkText(config));
  SEPX_ASSIGN(std::string whole, readText(config.path, config.field, textLimit()));
  return makeTextSource(std::move(whole), config, config.path);
}

Result<void> checkEnglish(const SourceConfig& config) {
  if (config.sentences < kFewestSentences || config.sentences > kMostSentences)
    return fail(ErrorKind::Usage, fmt::format("data.sentences = {} must be from {} to {}", config.sentences,
                                              kFewestSentences, kMostSentences));
  return checkText(config);
}

SourceResult english(const SourceConfig& config) {
  SEPX_TRY(checkEnglish(config));
  return makeTextSource(englishText(config.seed, config.sentences), config, "the synthetic English");
}

}  // namespace

Result<void> checkSource(const SourceConfig& config) {
  switch (config.kind) {
    case SourceKind::Markov: {
      SEPX_ASSIGN(const std::vector<double> kernel, kernelOf(config));
      SEPX_TRY(statesForever(kernel));
      return {};
    }
    case SourceKind::Pairs:
      return {};
    case SourceKind::Repeats:
    case SourceKind::Mirrored:
      return checkArtificial(config);
    case SourceKind::Text:
      return checkText(config);
    case SourceKind::English:
      break;
  }
  return checkEnglish(config);
}

SourceResult makeSource(const SourceConfig& config) {
  switch (config.kind) {
    case SourceKind::Markov:
      return markov(config);
    case SourceKind::Pairs:
      return makePairs(config.seed);
    case SourceKind::Repeats:
    case SourceKind::Mirrored:
      return artificial(config);
    case SourceKind::Text:
      return text(config);
    case SourceKind::English:
      break;
  }
  return english(config);
}

}  // namespace sepx::data
