// SPDX-License-Identifier: Apache-2.0
// See reversal_scores.h.
#include "app/cli/reversal_scores.h"

#include <cmath>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/label_table.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/options.h"
#include "engine/checkpoint/title.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/studies/prompt_scores.h"

namespace sepx::app::cli {
namespace {

constexpr int kSample = 64, kMostDistance = 1'000'000;

struct ScoreResults {
  std::int32_t mask = -1;
  std::vector<std::int32_t> tokens;
  int distance = 1;
  std::vector<reversal::RopePlanes> heads;
  std::size_t pairs = 0;
  std::vector<studies::PromptLayer> layers;
};

Result<std::vector<std::int32_t>> toIds(const std::string& text) {
  std::vector<std::int32_t> ids;
  for (const std::string& word : toWords(text)) {
    SEPX_ASSIGN(const long long id, toInteger("--tokens", word, 0, INT32_MAX));
    ids.push_back(static_cast<std::int32_t>(id));
  }
  return ids;
}

double traceOf(const reversal::RopePlanes& planes, double r) {
  double sum = 0;
  for (const reversal::RopePlane& plane : planes.planes)
    sum += std::cos(plane.angle * r);
  return sum / static_cast<double>(planes.planes.size());
}

Json headJson(const reversal::RopePlanes& of, int head, int distance) {
  return Json::object({{"head", head},
                       {"correlation", of.correlationAt(distance, distance)},
                       {"assumed", of.assumedCorrelation(distance, distance)},
                       {"violating", of.violating},
                       {"violating_weight", of.violatingWeight},
                       {"trace_spread", of.traceSpread},
                       {"tilt", of.tilt},
                       {"between", of.between}});
}

Json promptsJson(const ScoreResults& of) {
  if (of.layers.empty()) return {};
  Json layers = Json::array();
  for (const studies::PromptLayer& layer : of.layers) {
    Json heads = Json::array();
    for (const studies::PromptHead& head : layer.heads)
      heads.push_back(
          Json::object({{"correlation", head.correlation}, {"forward", head.forward}, {"reverse", head.reverse}}));
    layers.push_back(Json::object({{"layer", layer.layer}, {"heads", std::move(heads)}}));
  }
  return Json::object({{"pairs", of.pairs}, {"layers", std::move(layers)}});
}

Json scoresJson(const checkpoint::Model& model, const ScoreResults& of) {
  Json json = beginDocument("reversal");
  json["action"] = "scores";
  json["model"] = model.checkpoint->name();
  json["family"] = model.map.family;
  json["mask"] = of.mask;
  json["tokens"] = of.tokens;
  json["distance"] = of.distance;
  json["planes"] = of.heads.front().planes.size();
  json["trace"] = traceOf(of.heads.front(), 2.0 * of.distance);
  json["heads"] = Json::array();
  for (std::size_t head = 0; head < of.heads.size(); ++head)
    json["heads"].push_back(headJson(of.heads[head], static_cast<int>(head), of.distance));
  json["prompts"] = promptsJson(of);
  return json;
}

void print(std::ostream& out, const std::string& path, const checkpoint::Model& model, const ScoreResults& of) {
  LabelTable table;
  table.row(tr(N_("model")), trf(N_("{} ({})"), path, model.map.familyName));
  table.row(tr(N_("[M]")), fmt::format("{}", of.mask));
  table.row(tr(N_("sample")), trf(N_("{} tokens; Δ1 = Δ2 = {}"), of.tokens.size(), of.distance));
  table.row("Tr R(2Δ)/D", fmt::format("{:.4f}", traceOf(of.heads.front(), 2.0 * of.distance)));
  table.print(out);
  out << "\n" << tr(N_("layer 0, from embeddings")) << "\n";
  out << fmt::format("  {:>4}  {:>12}  {:>18}  {:>22}\n", tr(N_("head")), tr(N_("correlation")),
                     tr(N_("by Assumption 4.2")), tr(N_("violating planes")));
  for (std::size_t head = 0; head < of.heads.size(); ++head) {
    const reversal::RopePlanes& planes = of.heads[head];
    out << fmt::format("  {:>4}  {:>12.4f}  {:>18.4f}  {:>9} of {:<4} ({:>3.0f} %)\n", head,
                       planes.correlationAt(of.distance, of.distance),
                       planes.assumedCorrelation(of.distance, of.distance), planes.violating, planes.planes.size(),
                       100 * planes.violatingWeight);
  }
  if (of.layers.empty()) return;
  out << "\n" << trf(N_("correlation of forward and reverse scores over {} prompts"), of.pairs) << "\n";
  for (const studies::PromptLayer& layer : of.layers) {
    out << fmt::format("  {} {:<4}", tr(N_("layer")), layer.layer);
    for (const studies::PromptHead& head : layer.heads)
      out << (std::isfinite(head.correlation) ? fmt::format("{:8.3f}", head.correlation) : fmt::format("{:>8}", "-"));
    out << "\n";
  }
}

}  // namespace

void ReversalScores::declare(CLI::App& command) {
  addOption(command, "--prompts", prompts_,
            N_("scores: a JSON file of prompts as token ids, forwards and in reverse, with their evidence"), "FILE");
  addOption(command, "--layers", layers_, N_("scores: number of layers for the prompts (default 1: from embeddings)"),
            "N");
  addOption(command, "--tokens", tokens_, N_("scores: ids of the sample of tokens for the planes of RoPE"), "ID,ID,…");
  addOption(command, "--sample", sample_, N_("scores: number of tokens spread over the vocabulary (default 64)"), "N");
  addOption(command, "--mask", mask_, N_("scores: the id of [M] (default: mask_token_id of the config)"), "ID");
  addOption(command, "--distance", distance_, N_("scores: Δ1 = Δ2 of the planes' correlation, 1 or more (default 1)"),
            "PLACES");
  rules_.declare(command);
}

Result<Outcome> ReversalScores::run(Console& console, const Options& common, const std::string& path, bool json) const {
  SEPX_ASSIGN(const Model model, rules_.open(path));
  const checkpoint::Checkpoint& file = *model->checkpoint;
  ScoreResults of;
  of.mask = studies::maskTokenOf(file);
  studies::Prompts prompts;
  if (!prompts_.empty()) {
    SEPX_ASSIGN(prompts, studies::readPrompts(prompts_));
    if (prompts.mask >= 0) of.mask = prompts.mask;
  }
  if (!mask_.empty()) {
    SEPX_ASSIGN(const long long id, toInteger("--mask", mask_, 0, INT32_MAX));
    of.mask = static_cast<std::int32_t>(id);
  }
  if (!distance_.empty()) {
    SEPX_ASSIGN(const long long places, toInteger("--distance", distance_, 1, kMostDistance));
    of.distance = static_cast<int>(places);
  }
  int sample = kSample, layers = 1;
  if (!sample_.empty()) {
    SEPX_ASSIGN(const long long some, toInteger("--sample", sample_, 2, 100'000));
    sample = static_cast<int>(some);
  }
  if (!layers_.empty()) {
    if (prompts_.empty())
      return failf(ErrorKind::Usage, N_("--layers can be used only with --prompts, which names the prompts to read"));
    SEPX_ASSIGN(const long long some, toInteger("--layers", layers_, 1, 10'000));
    layers = static_cast<int>(some);
  }
  if (!tokens_.empty()) {
    SEPX_ASSIGN(of.tokens, toIds(tokens_));
  } else {
    of.tokens = studies::sampleTokens(studies::vocabularyOf(file, model->map), sample, of.mask);
  }
  SEPX_ASSIGN(of.heads, studies::headPlanes(file, model->map, of.mask, of.tokens));
  if (!prompts_.empty()) {
    prompts.mask = of.mask;
    of.pairs = prompts.pairs.size();
    ThreadPool pool(common.threads);
    SEPX_ASSIGN(of.layers, studies::promptScores(file, model->map, prompts, layers, {.pool = pool}));
  }
  if (json)
    console.out << finishDocument(scoresJson(*model, of));
  else
    print(console.out, path, *model, of);
  return Outcome::Done;
}

}  // namespace sepx::app::cli
