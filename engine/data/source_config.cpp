// SPDX-License-Identifier: Apache-2.0
#include "engine/data/source_config.h"

#include <utility>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/core/try.h"
#include "engine/data/artificial.h"
#include "engine/data/english.h"
#include "engine/data/image_files.h"
#include "engine/data/markov.h"
#include "engine/data/pairs.h"
#include "engine/data/read_source.h"
#include "engine/data/shapes.h"
#include "engine/data/text_file.h"
#include "engine/data/text_source.h"

namespace sepx::data {
namespace {

constexpr std::int64_t kFewestSentences = 10, kMostSentences = 2'000'000;  ///< about 70 bytes each

using SourceResult = Result<std::unique_ptr<Source>>;

tl::unexpected<Error> outside(const char* field, double value, const char* range) {
  return fail(ErrorKind::Usage, fmt::format("data.{} = {} must be {}", field, formatShortest(value), range));
}

/// The kernel of the config; for order 1 without a kernel, it is made from p and q.
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

SourceResult text(const SourceConfig& config, const WhileReading& whileReading) {
  SEPX_TRY(checkText(config));
  SEPX_ASSIGN(std::string whole, readText(config.path, config.field, textLimit(), whileReading));
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

Result<void> checkImageData(const SourceConfig& config) {
  constexpr int kSmallest = 8, kLargest = 256, kMostCrop = 128;
  if (config.kind == SourceKind::Shapes && (config.side < kSmallest || config.side > kLargest))
    return fail(ErrorKind::Usage,
                fmt::format("data.side = {} must be from {} to {}", config.side, kSmallest, kLargest));
  if (!(config.noise >= 0 && config.noise <= 10)) return outside("noise", config.noise, "from 0 to 10");
  const Augmentation& how = config.augmentation;
  if (how.crop < 0 || how.crop > kMostCrop)
    return fail(ErrorKind::Usage, fmt::format("data.crop = {} must be from 0 to {}", how.crop, kMostCrop));
  for (const auto& [name, alpha] : {std::pair<const char*, double>{"mixup", how.mixup}, {"cutmix", how.cutmix}})
    if (!(alpha >= 0 && alpha <= 100)) return outside(name, alpha, "from 0 (not at all) to 100");
  return {};
}

SourceResult imageFiles(const SourceConfig& config, const WhileReading& whileReading) {
  const bool cifar = config.kind == SourceKind::Cifar10;
  const std::string folder = config.path.empty() ? imageFolder(cifar ? "cifar-10" : "mnist") : config.path;
  SEPX_ASSIGN(ImageFiles files,
              cifar ? readCifar10(folder, textLimit(), whileReading) : readIdx(folder, textLimit(), whileReading));
  return makeImageSource(config.seed, std::move(files));
}

SourceResult images(const SourceConfig& config, const WhileReading& whileReading) {
  SEPX_TRY(checkImageData(config));
  if (config.kind == SourceKind::ImageNet) return fail(ErrorKind::BadInput, imageNetSentence());
  if (config.kind == SourceKind::Shapes) return makeShapes(config.seed, config.side, config.noise);
  return imageFiles(config, whileReading);
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
      return checkEnglish(config);
    case SourceKind::Shapes:
    case SourceKind::Cifar10:
    case SourceKind::Idx:
    case SourceKind::ImageNet:
      break;
  }
  return checkImageData(config);
}

SourceResult makeSource(const SourceConfig& config) {
  return makeSource(config, {});
}

SourceResult makeSource(const SourceConfig& config, const WhileReading& whileReading) {
  switch (config.kind) {
    case SourceKind::Markov:
      return markov(config);
    case SourceKind::Pairs:
      return makePairs(config.seed);
    case SourceKind::Repeats:
    case SourceKind::Mirrored:
      return artificial(config);
    case SourceKind::Text:
      return text(config, whileReading);
    case SourceKind::English:
      return english(config);
    case SourceKind::Shapes:
    case SourceKind::Cifar10:
    case SourceKind::Idx:
    case SourceKind::ImageNet:
      break;
  }
  return images(config, whileReading);
}

}  // namespace sepx::data
