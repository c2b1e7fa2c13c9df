// SPDX-License-Identifier: Apache-2.0
// sepx reversal: tests a trained model with forward and reverse queries. eval: accuracy and probability in both
// directions over all pairs [Reversal, Tables 1 and 2], for a run's checkpoint or a folder with weights. scores: see
// reversal_scores.h.
#include <algorithm>
#include <limits>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/label_table.h"
#include "app/cli/reversal_scores.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/options.h"
#include "engine/checkpoint/title.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/reversal/accuracy.h"
#include "engine/train/saved_model.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

namespace sepx::app::cli {
namespace {

struct Evaluated {
  train::SavedModel model;
  reversal::Reading reading = reversal::Reading::Masked;
  reversal::AccuracyReport raw;
  std::optional<reversal::AccuracyReport> average;
};

std::string dataWord(const train::RunConfig& config) {
  return train::toJson(config)["data"]["kind"].get<std::string>();
}

reversal::AccuracyReport answersOf(nn::Transformer<float>& model, const std::vector<float>& theta,
                                   const reversal::AccuracyRequest& request) {
  std::ranges::copy(theta, model.theta().begin());
  return *reversal::measureAccuracy(model, request);  // it is never cancelled
}

Result<Evaluated> evaluate(const std::string& path, std::optional<std::int64_t> step, std::uint64_t wanted,
                           int threads) {
  SEPX_ASSIGN(const std::string folder, train::findSaved(path, step));
  SEPX_ASSIGN(train::RunConfig config, train::savedConfig(folder));
  if (config.data.kind != data::SourceKind::Pairs)
    return failf(ErrorKind::Usage,
                 N_("{}: was trained on data of the kind \"{}\"; forward and reverse queries need \"pairs\""), path,
                 dataWord(config));
  if (config.model.length < 2)
    return failf(ErrorKind::Usage, N_("{}: reads sequences of {} token, too short for a pair; L must be at least 2"),
                 path, config.model.length);
  SEPX_TRY(train::resolve(config, *data::makePairs(config.data.seed)));
  Evaluated out;
  SEPX_ASSIGN(out.model, train::readSaved(folder, config));
  out.reading = reversal::readingOf(config.objective);
  const std::vector<reversal::Pair> pairs = reversal::samplePairs(config.model.length, wanted);
  ThreadPool pool(threads);
  nn::Transformer<float> model(config.model, pool);
  reversal::AccuracyRequest request;
  request.reading = out.reading;
  request.pairs = pairs;
  out.raw = answersOf(model, out.model.theta, request);
  if (!out.model.average.empty()) out.average = answersOf(model, out.model.average, request);
  return out;
}

Json answersJson(const reversal::Answers& answers) {
  return Json::object({{"accuracy", answers.accuracy},
                       {"accuracy_letters", answers.letters},
                       {"probability", answers.probability},
                       {"zero", answers.zero}});
}

Json directionsJson(const reversal::AccuracyReport& report) {
  return Json::object({{"forward", answersJson(report.forward)}, {"reverse", answersJson(report.reverse)}});
}

Json evalJson(const std::string& path, const Evaluated& of) {
  Json json = beginDocument("reversal");
  json["action"] = "eval";
  json["model"] = checkpoint::nameOf(path);
  json["name"] = of.model.config.name;
  json["objective"] = std::string(nn::objectiveInfo(of.model.config.objective.kind).word);
  json["positions"] = train::toJson(of.model.config)["model"]["positions"];
  json["length"] = of.model.config.model.length;
  json["step"] = of.model.step < 0 ? Json(nullptr) : Json(of.model.step);
  json["reading"] = of.reading == reversal::Reading::Masked ? "masked" : "prefix";
  json["pairs"] = of.raw.pairs;
  json["raw"] = directionsJson(of.raw);
  json["ema"] = of.average ? directionsJson(*of.average) : Json(nullptr);
  return json;
}

std::string percent(double share) {
  return fmt::format("{:6.2f} %", 100 * share);
}

void printAnswers(std::ostream& out, const std::string& weights, const reversal::AccuracyReport& report) {
  out << "\n" << weights << "\n";
  LabelTable table;
  const auto row = [&](const char* label, double reversal::Answers::*member) {
    table.row(fmt::format("  {}", tr(label)),
              trf(N_("forward {}   reverse {}"), percent(report.forward.*member), percent(report.reverse.*member)));
  };
  row(N_("right answers"), &reversal::Answers::accuracy);
  row(N_("right among letters of that case"), &reversal::Answers::letters);
  row(N_("probability of the right answer"), &reversal::Answers::probability);
  row(N_("answers that are 0"), &reversal::Answers::zero);
  table.print(out);
}

void printEval(std::ostream& out, const std::string& path, const Evaluated& of) {
  LabelTable table;
  table.row(tr(N_("model")), path);
  table.row(tr(N_("name")), of.model.config.name);
  if (of.model.step >= 0) table.row(tr(N_("step")), fmt::format("{}", of.model.step));
  table.row(tr(N_("pairs")), trf(N_("{} of {}, L = {}"), of.raw.pairs, data::pairCount(of.model.config.model.length),
                                 of.model.config.model.length));
  table.row(
      tr(N_("query")),
      of.reading == reversal::Reading::Masked
          ? tr(N_("one [M] at the small letter, all else visible"))
          : tr(N_("the sequence up to and including its first letter, completed greedily; the partner must appear")));
  table.print(out);
  printAnswers(out, tr(N_("weights")), of.raw);
  if (of.average) printAnswers(out, tr(N_("averaged weights (EMA)")), *of.average);
}

class ReversalVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "action", action_,
              N_("eval: right answers and probability of forward and reverse queries to a model of pairs; scores: "
                 "planes of RoPE of any checkpoint's heads, and forward and reverse scores of prompts"),
              "eval|scores")
        ->required();
    addOption(command, "model", model_, N_("a run, a checkpoint of a run, or a folder with only its weights"),
              "RUN|CHECKPOINT")
        ->required();
    scores_.declare(command);
    addOption(command, "--step", step_, N_("the saved step of a run (default: the newest)"), "N");
    addOption(command, "--pairs", pairs_, N_("number of pairs, spread over all of them (default: all, 26 L(L-1)/2)"),
              "N");
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    constexpr long long kMost = 1'000'000'000'000'000;
    if (action_ == "scores") return scores_.run(console, common, model_, json_);
    if (action_ != "eval") return failf(ErrorKind::Usage, N_("reversal: '{}' is not eval or scores"), action_);
    std::optional<std::int64_t> step;
    if (!step_.empty()) {
      SEPX_ASSIGN(step, toInteger("--step", step_, 0, kMost));
    }
    std::uint64_t pairs = std::numeric_limits<std::uint64_t>::max();
    if (!pairs_.empty()) {
      SEPX_ASSIGN(const long long some, toInteger("--pairs", pairs_, 1, kMost));
      pairs = static_cast<std::uint64_t>(some);
    }
    SEPX_ASSIGN(const Evaluated evaluated, evaluate(model_, step, pairs, common.threads));
    if (json_)
      console.out << finishDocument(evalJson(model_, evaluated));
    else
      printEval(console.out, model_, evaluated);
    return Outcome::Done;
  }

 private:
  std::string action_, model_, step_, pairs_;
  ReversalScores scores_;
  bool json_ = false;
};

}  // namespace

VerbEntry makeReversal() {
  return {"reversal", N_("Forward and reverse queries to a trained model of pairs"), std::make_unique<ReversalVerb>(),
          kReadsOnly};
}

}  // namespace sepx::app::cli
