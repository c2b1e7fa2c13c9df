// SPDX-License-Identifier: Apache-2.0
// See prompt_scores.h.
#include "engine/studies/prompt_scores.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_config.h"
#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/reversal/correlation.h"
#include "engine/studies/block_pass.h"
#include "engine/studies/head_projector.h"
#include "engine/studies/study_result.h"

namespace sepx::studies {

using checkpoint::AttentionLayer;
using checkpoint::AttentionMap;
using checkpoint::Checkpoint;

namespace {

constexpr std::size_t kFewestPrompts = 3, kMostPrompts = 10'000, kLongestPrompt = 4096;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;  ///< largest file of prompts

Result<std::vector<std::int32_t>> idsOf(const Json& json, const std::string& where) {
  const auto refuse = [&] {
    return fail(ErrorKind::BadInput, where + ": must be a list of token ids, whole numbers from 0");
  };
  if (!json.is_array() || json.empty() || json.size() > kLongestPrompt) return refuse();
  std::vector<std::int32_t> ids;
  for (const Json& id : json) {
    if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() > INT32_MAX) return refuse();
    ids.push_back(id.get<std::int32_t>());
  }
  return ids;
}

/// The places of [M] and of the evidence in a prompt.
struct Places {
  std::vector<Eigen::Index> masks, evidence;
};

Result<Places> placesOf(const std::vector<std::int32_t>& prompt, const std::vector<std::int32_t>& evidence,
                        std::int32_t mask, const std::string& which) {
  Places places;
  for (std::size_t n = 0; n < prompt.size(); ++n)
    if (prompt[n] == mask) places.masks.push_back(static_cast<Eigen::Index>(n));
  if (places.masks.empty())
    return fail(ErrorKind::Usage,
                fmt::format("{} has no token {}, which is [M]; put it where the answer is hidden", which, mask));
  const auto from = std::search(prompt.begin(), prompt.end(), evidence.begin(), evidence.end());
  if (from == prompt.end() || evidence.empty())
    return fail(ErrorKind::Usage,
                fmt::format("{} does not contain its evidence as consecutive tokens; give the ids as they occur in "
                            "both prompts",
                            which));
  if (std::search(from + 1, prompt.end(), evidence.begin(), evidence.end()) != prompt.end() ||
      std::ranges::find(evidence, mask) != evidence.end())
    return fail(
        ErrorKind::Usage,
        fmt::format("{} contains its evidence twice, or its evidence contains [M]; choose evidence that occurs once",
                    which));
  for (std::size_t n = 0; n < evidence.size(); ++n)
    places.evidence.push_back(from - prompt.begin() + static_cast<Eigen::Index>(n));
  return places;
}

/// The prompts of all pairs, alternately forward and reverse.
struct EmbeddedPrompts {
  std::vector<Stream> streams;
  std::vector<Places> places;
};

const AttentionLayer* layerAt(const AttentionMap& map, int layer) {
  return map.layers.empty() ? nullptr : map.find(map.layers.front().stack, layer);
}

Result<Eigen::VectorXd> embeddingOf(const Checkpoint& checkpoint, const AttentionMap& map, std::int32_t token) {
  return checkpoint::loadEmbedding(checkpoint, map, token);
}

Result<EmbeddedPrompts> embedded(const Checkpoint& checkpoint, const AttentionMap& map, const Prompts& prompts) {
  EmbeddedPrompts asked;
  for (std::size_t i = 0; i < prompts.pairs.size(); ++i) {
    const PromptPair& pair = prompts.pairs[i];
    for (const bool forward : {true, false}) {
      const std::vector<std::int32_t>& ids = forward ? pair.forward : pair.reverse;
      SEPX_ASSIGN(Places places, placesOf(ids, pair.evidence, prompts.mask,
                                          fmt::format("the {} prompt of pair {}", forward ? "forward" : "reverse", i)));
      asked.places.push_back(std::move(places));
      Stream stream;
      for (std::size_t n = 0; n < ids.size(); ++n) {
        SEPX_ASSIGN(const Eigen::VectorXd row, embeddingOf(checkpoint, map, ids[n]));
        if (n == 0) stream.resize(static_cast<Eigen::Index>(ids.size()), row.size());
        stream.row(static_cast<Eigen::Index>(n)) = row.cast<float>().transpose();
      }
      asked.streams.push_back(std::move(stream));
    }
  }
  return asked;
}

/// Mean score over the places of [M] and of the evidence, [heads].
std::vector<double> scoresOf(const HeadProjector& projector, const Stream& stream, const Places& places) {
  const auto normed = [&](Eigen::Index n) { return projector.normed(stream.row(n).transpose().cast<double>()); };
  std::vector<Eigen::VectorXd> asking, answering;
  for (const Eigen::Index n : places.masks)
    asking.push_back(normed(n));
  for (const Eigen::Index n : places.evidence)
    answering.push_back(normed(n));
  std::vector<double> scores;
  const auto count = static_cast<double>(asking.size() * answering.size());
  for (int head = 0; head < projector.heads(); ++head) {
    double sum = 0;
    for (std::size_t m = 0; m < asking.size(); ++m) {
      const Eigen::VectorXd query = projector.query(head, asking[m]);
      for (std::size_t e = 0; e < answering.size(); ++e)
        sum += projector.score(query, projector.key(head, answering[e]),
                               static_cast<double>(places.evidence[e] - places.masks[m]));
    }
    scores.push_back(sum / count);
  }
  return scores;
}

PromptLayer layerScores(int layer, const HeadProjector& projector, const EmbeddedPrompts& asked, ThreadPool& pool) {
  const std::size_t prompts = asked.streams.size();
  std::vector<std::vector<double>> scores(prompts);
  pool.parallelFor(0, prompts, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      scores[i] = scoresOf(projector, asked.streams[i], asked.places[i]);
  });
  PromptLayer out{layer, {}};
  for (int head = 0; head < projector.heads(); ++head) {
    std::vector<double> forward, reverse;
    for (std::size_t i = 0; i < prompts; ++i)
      (i % 2 == 0 ? forward : reverse).push_back(scores[i][static_cast<std::size_t>(head)]);
    const auto mean = [](const std::vector<double>& of) {
      return Eigen::Map<const Eigen::VectorXd>(of.data(), static_cast<Eigen::Index>(of.size())).mean();
    };
    out.heads.push_back({reversal::correlation(forward, reverse), mean(forward), mean(reverse)});
  }
  return out;
}

Result<const AttentionLayer*> firstLayer(const Checkpoint& checkpoint, const AttentionMap& map) {
  const AttentionLayer* const first = layerAt(map, 0);
  if (!first)
    return fail(ErrorKind::Usage, fmt::format("{}: {}", checkpoint.path(),
                                              map.noQkReason.empty() ? "no attention was found" : map.noQkReason));
  return first;
}

Result<std::int32_t> maskFor(const Checkpoint& checkpoint, std::int32_t given) {
  const std::int32_t mask = given >= 0 ? given : maskTokenOf(checkpoint);
  if (mask < 0)
    return fail(ErrorKind::Usage,
                fmt::format("{}: the config names no mask token; say which id is [M]", checkpoint.path()));
  return mask;
}

}  // namespace

Result<Prompts> readPrompts(const std::string& path) {
  SEPX_ASSIGN(const std::string text, readFile(path, kMostBytes));
  const Result<Json> read = parseJson<Json>(text);
  if (!read) return fail(ErrorKind::BadInput, fmt::format("{}: {}", path, read.error().message));
  const Json& json = *read;
  const auto refuse = [&](const char* what) { return fail(ErrorKind::BadInput, fmt::format("{}: {}", path, what)); };
  if (!json.is_object() || !json.contains("pairs") || !json["pairs"].is_array())
    return refuse("must be an object with a list \"pairs\" of prompts");
  if (json["pairs"].size() > kMostPrompts) return refuse("has more than 10,000 pairs; give fewer");
  Prompts prompts;
  if (json.contains("mask")) {
    SEPX_ASSIGN(const auto ids, idsOf(Json::array({json["mask"]}), path + ": mask"));
    prompts.mask = ids.front();
  }
  for (std::size_t i = 0; i < json["pairs"].size(); ++i) {
    const Json& pair = json["pairs"][i];
    const auto field = [&](const char* name) -> Result<std::vector<std::int32_t>> {
      const std::string where = fmt::format("{}: pairs[{}].{}", path, i, name);
      if (!pair.is_object() || !pair.contains(name)) return fail(ErrorKind::BadInput, where + ": is missing");
      return idsOf(pair[name], where);
    };
    PromptPair& into = prompts.pairs.emplace_back();
    SEPX_ASSIGN(into.forward, field("forward"));
    SEPX_ASSIGN(into.reverse, field("reverse"));
    SEPX_ASSIGN(into.evidence, field("evidence"));
  }
  return prompts;
}

std::int32_t maskTokenOf(const Checkpoint& checkpoint) {
  const auto id = checkpoint::ModelConfig(checkpoint).integer({"mask_token_id"});
  return id && *id >= 0 && *id <= INT32_MAX ? static_cast<std::int32_t>(*id) : -1;
}

std::int64_t vocabularyOf(const Checkpoint& checkpoint, const AttentionMap& map) {
  const checkpoint::TensorInfo* const table =
      map.tokenEmbedding.empty() ? nullptr : checkpoint.find(map.tokenEmbedding);
  return table && table->shape.size() == 2 ? table->shape.front() : 0;
}

std::vector<std::int32_t> sampleTokens(std::int64_t vocabulary, int count, std::int32_t mask) {
  std::vector<std::int32_t> tokens;
  const std::int64_t number = std::min<std::int64_t>(count, vocabulary);
  for (std::int64_t i = 0; i < number; ++i)
    if (const auto id = static_cast<std::int32_t>(i * vocabulary / number); id != mask) tokens.push_back(id);
  return tokens;
}

Result<std::vector<reversal::RopePlanes>> headPlanes(const Checkpoint& checkpoint, const AttentionMap& map,
                                                     std::int32_t given, const std::vector<std::int32_t>& tokens,
                                                     const checkpoint::Cancelled& cancelled) {
  SEPX_ASSIGN(const AttentionLayer* const layer, firstLayer(checkpoint, map));
  SEPX_ASSIGN(const std::int32_t mask, maskFor(checkpoint, given));
  if (std::ranges::all_of(tokens, [&](std::int32_t token) { return token == tokens.front(); }))
    return fail(ErrorKind::Usage, "a correlation over tokens needs at least two different tokens; give more ids");
  SEPX_ASSIGN(const HeadProjector projector, HeadProjector::load(checkpoint, *layer, cancelled));
  const auto normed = [&](std::int32_t token) -> Result<Eigen::VectorXd> {
    SEPX_ASSIGN(const Eigen::VectorXd row, embeddingOf(checkpoint, map, token));
    return projector.normed(row);
  };
  SEPX_ASSIGN(const Eigen::VectorXd asking, normed(mask));
  std::vector<Eigen::VectorXd> sample;
  for (const std::int32_t token : tokens) {
    SEPX_ASSIGN(Eigen::VectorXd row, normed(token));
    sample.push_back(std::move(row));
  }
  std::vector<reversal::RopePlanes> heads;
  for (int head = 0; head < projector.heads(); ++head) {
    Eigen::MatrixXd keys(static_cast<Eigen::Index>(sample.size()), projector.d_h());
    for (std::size_t i = 0; i < sample.size(); ++i)
      keys.row(static_cast<Eigen::Index>(i)) = projector.key(head, sample[i]).transpose();
    heads.push_back(reversal::planesOfHead(projector.query(head, asking), keys, projector.angles(), projector.scale()));
  }
  return heads;
}

Result<std::vector<PromptLayer>> promptScores(const Checkpoint& checkpoint, const AttentionMap& map,
                                              const Prompts& given, int layers, const PromptWork& work) {
  SEPX_ASSIGN(const AttentionLayer* const first, firstLayer(checkpoint, map));
  Prompts prompts = given;
  SEPX_ASSIGN(prompts.mask, maskFor(checkpoint, given.mask));
  if (prompts.pairs.size() < kFewestPrompts)
    return fail(ErrorKind::Usage, fmt::format("a correlation over {} prompts is not meaningful; give {} pairs or more",
                                              prompts.pairs.size(), kFewestPrompts));
  const int there = map.layersOf(first->stack);
  if (layers < 1 || layers > there)
    return fail(ErrorKind::Usage, fmt::format("{}: the number of layers must be from 1 to {}, the number that it has",
                                              checkpoint.path(), there));
  const auto cancelled = [&](double) { return work.cancelled && work.cancelled(); };
  SEPX_ASSIGN(EmbeddedPrompts asked, embedded(checkpoint, map, prompts));
  std::vector<PromptLayer> out;
  for (int at = 0; at < layers; ++at) {
    const AttentionLayer* const layer = layerAt(map, at);
    if (!layer) return fail(ErrorKind::BadInput, fmt::format("{}: layer {} is missing", checkpoint.path(), at));
    SEPX_ASSIGN(const HeadProjector projector, HeadProjector::load(checkpoint, *layer, cancelled));
    out.push_back(layerScores(at, projector, asked, work.pool));
    if (work.progress) work.progress((at + 0.5) / layers);
    if (at + 1 < layers)
      SEPX_TRY(passBlock(checkpoint, *layer, asked.streams, work.pool, [&] { return cancelled(0); }));
    if (work.progress) work.progress((at + 1.0) / layers);
  }
  return out;
}

}  // namespace sepx::studies
