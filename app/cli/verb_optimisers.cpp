// SPDX-License-Identifier: Apache-2.0
// sepx optimisers: gradient flow, gradient descent, SGD on sampled sequences, momentum and AdamW from one point of the
// (e,w) plane: where each ends, and at which step it leaves the basin of the flow. Table, CSV or JSON.
#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/flow_json.h"
#include "app/cli/model_arguments.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/options.h"
#include "engine/core/file.h"
#include "engine/core/number.h"
#include "engine/core/try.h"
#include "engine/markov/optimisers.h"

namespace sepx::app::cli {
namespace {

using markov::OptimiserKind;
using markov::OptimiserPath;
using markov::OptimiserSettings;

struct OptimisersRequest {
  markov::Chain chain;
  markov::State theta0;
  markov::OptimiserRunOptions options;
  int points = 0;  ///< rows of a path in the document
};

/// Steps of the rows: `points` of them, evenly spaced, including the first and the last.
std::vector<std::size_t> rowsOf(const OptimiserPath& path, int points) {
  const std::size_t last = path.theta.size() - 1;
  const std::size_t count = std::min<std::size_t>(static_cast<std::size_t>(points), last + 1);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < count; ++i)
    rows.push_back(count == 1 ? last : i * last / (count - 1));
  return rows;
}

Json leftJson(const OptimiserPath& path) {
  if (!path.leftAt) return nullptr;
  const std::size_t k = static_cast<std::size_t>(*path.leftAt);
  Json json = Json::object();
  json["step"] = *path.leftAt;
  json["theta"] = toJson(path.theta[k]);
  json["to"] = std::string(markov::limitName(path.label[k]));
  json["back_at_step"] = path.backAt ? Json(*path.backAt) : Json(nullptr);
  return json;
}

/// Null for an undefined energy (w = 0), which is not counted as a non-finite number.
Json energyJson(double energy) {
  return std::isnan(energy) ? Json(nullptr) : Json(energy);
}

Json pathJson(const OptimiserPath& path, int points) {
  Json json = Json::object();
  json["name"] = std::string(markov::optimiserName(path.settings.kind));
  json["learning_rate"] = path.settings.rule.learningRate;
  json["sampled"] = path.settings.sampled;
  json["end"] = std::string(markov::optimiserEndName(path.end));
  json["steps"] = path.theta.size() - 1;
  json["theta_end"] = toJson(path.last());
  json["bias_end"] = path.bias.back();
  json["loss_end"] = path.loss.back();
  json["energy_end"] = energyJson(path.energy.back());
  json["basin_end"] = std::string(markov::limitName(path.label.back()));
  json["left_basin"] = leftJson(path);
  json["farthest_from_orbit"] = path.farthest;
  json["farthest_from_flow"] = path.behind ? Json(*path.behind) : Json(nullptr);
  Json step = Json::array(), theta = Json::array(), loss = Json::array();
  for (const std::size_t k : rowsOf(path, points)) {
    step.push_back(k);
    theta.push_back(toJson(path.theta[k]));
    loss.push_back(path.loss[k]);
  }
  json["path"] = Json{{"step", std::move(step)}, {"theta", std::move(theta)}, {"loss", std::move(loss)}};
  return json;
}

Json runJson(const OptimisersRequest& request, const markov::OptimiserRun& run) {
  const markov::OptimiserRunOptions& options = request.options;
  Json json = beginDocument("optimisers");
  json["p"] = request.chain.p;
  json["q"] = request.chain.q;
  json["theta0"] = toJson(request.theta0);
  json["basin"] = std::string(markov::limitName(run.basin));
  json["steps"] = options.steps;
  json["batch"] = options.batch;
  json["length"] = options.length;
  json["seed"] = options.seed;
  json["bias_steps"] = options.biasSteps == 0 ? Json("exact") : Json(options.biasSteps);
  json["optimisers"] = Json::array();
  for (const OptimiserPath& path : run.paths)
    json["optimisers"].push_back(pathJson(path, request.points));
  return json;
}

std::string toCsv(const markov::OptimiserRun& run) {
  std::string csv = "optimiser,step,e,w,b,loss,energy,basin\n";
  for (const OptimiserPath& path : run.paths)
    for (std::size_t k = 0; k < path.theta.size(); ++k) {
      csv += std::string(markov::optimiserName(path.settings.kind)) + "," + std::to_string(k);
      for (const double value : {path.theta[k][0], path.theta[k][1], path.bias[k], path.loss[k]})
        csv += "," + formatShortest(value);
      csv += "," + (std::isnan(path.energy[k]) ? std::string() : formatShortest(path.energy[k]));
      csv += "," + std::string(markov::limitName(path.label[k])) + "\n";
    }
  return csv;
}

void printTable(std::ostream& out, const OptimisersRequest& request, const markov::OptimiserRun& run) {
  out << trf(N_("initial point {}; gradient flow ends in: {}\n"), pointDisplayText(request.theta0),
             std::string(markov::limitName(run.basin)));
  constexpr const char* kRow = "{:<10}{:>8}{:>12}{:>12}{:>12}  {:<12}{:<12}{}\n";
  out << fmt::format(kRow, "", tr(N_("steps")), "e", "w", tr(N_("loss")), tr(N_("basin")), tr(N_("end")),
                     tr(N_("leaves the flow's basin")));
  for (const OptimiserPath& path : run.paths) {
    std::string left = tr(N_("never"));
    if (path.leftAt)
      left =
          trf(N_("at step {}, {}"), *path.leftAt, pointDisplayText(path.theta[static_cast<std::size_t>(*path.leftAt)]));
    if (path.leftAt && path.backAt) left += trf(N_(", back at step {}"), *path.backAt);
    out << fmt::format(kRow, markov::optimiserName(path.settings.kind), path.theta.size() - 1,
                       displayText(path.last()[0]), displayText(path.last()[1]), displayText(path.loss.back()),
                       markov::limitName(path.label.back()), markov::optimiserEndName(path.end), left);
  }
}

class OptimisersVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    arguments_.declareChain(command);
    addOption(command, "--at", at_, N_("the common initial point"), "E,W")->required();
    addOption(command, "--steps", steps_, N_("steps of each optimiser (default: 400)"), "N");
    addOption(command, "--with", with_, N_("optimisers to run: flow, gd, sgd, momentum, adamw (default: all)"), "LIST");
    addOption(command, "--lr", rates_, N_("learning rate of all, or NAME=RATE for one; separate several with commas"),
              "RATE");
    addOption(command, "--batch", batch_, N_("sequences in a batch (default: 16)"), "B");
    addOption(command, "--length", length_, N_("predictions in a sequence (default: 64)"), "N");
    addOption(command, "--sampled", sampled_,
              N_("optimisers that see batches instead of the population (default: sgd)"), "LIST");
    addOption(command, "--momentum", momentum_, N_("mu of momentum (default: 0.9)"), "MU");
    addFlag(command, "--nesterov", nesterov_, N_("momentum by Nesterov's rule"));
    addOption(command, "--betas", betas_, N_("beta 1 and beta 2 of AdamW (default: 0.9,0.999)"), "B1,B2");
    addOption(command, "--weight-decay", decay_, N_("weight decay of AdamW, decoupled (default: 0)"), "LAMBDA");
    addOption(command, "--bias-steps", biasSteps_, N_("bias steps after each step (default: 0, the optimal bias)"),
              "M");
    addOption(command, "--points", points_, N_("rows of each path in the JSON document (default: 21)"), "N");
    addOption(command, "--csv", csv_, N_("write every step of every path as CSV; - is standard output"), "FILE");
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    SEPX_ASSIGN(const OptimisersRequest request, read(common));
    SEPX_ASSIGN(const markov::OptimiserRun run, markov::runOptimisers(request.chain, request.theta0, request.options));
    if (csv_ == "-") {
      console.out << toCsv(run);
      return Outcome::Done;
    }
    if (!csv_.empty()) SEPX_TRY(writeFile(csv_, toCsv(run)));
    if (json_) {
      console.out << finishDocument(runJson(request, run));
    } else if (csv_.empty()) {
      printTable(console.out, request, run);
    }
    return Outcome::Done;
  }

 private:
  Result<OptimisersRequest> read(const Options& common) const {
    if (json_ && csv_ == "-")
      return fail(ErrorKind::Usage, tr(N_("--json and --csv - both write to standard output; leave one out")));
    OptimisersRequest request;
    SEPX_ASSIGN(request.chain, arguments_.chain());
    SEPX_ASSIGN(const std::vector<double> at, toNumbers("--at", at_));
    if (at.size() != 2) return failf(ErrorKind::Usage, N_("--at: must be two numbers e,w, not {}"), at.size());
    request.theta0 = markov::State::Zero(2);
    request.theta0 << at[0], at[1];
    request.options.seed = common.seed;
    SEPX_TRY(readCounts(request));
    SEPX_TRY(readOptimisers(request.options));
    return request;
  }

  Result<void> readCounts(OptimisersRequest& request) const {
    struct Count {
      const char* option;
      const std::string& text;
      long long least, most;
      int& into;
    };
    markov::OptimiserRunOptions& options = request.options;
    for (const Count& count : std::array{Count{"--steps", steps_, 1, 1000000, options.steps},
                                         Count{"--batch", batch_, 1, 65536, options.batch},
                                         Count{"--length", length_, 1, 1048576, options.length},
                                         Count{"--bias-steps", biasSteps_, 0, 1000, options.biasSteps},
                                         Count{"--points", points_, 2, 1000001, request.points}}) {
      SEPX_ASSIGN(const long long value, toInteger(count.option, count.text, count.least, count.most));
      count.into = static_cast<int>(value);
    }
    return {};
  }

  Result<void> readOptimisers(markov::OptimiserRunOptions& options) const {
    std::vector<OptimiserSettings> optimisers;
    SEPX_ASSIGN(const std::vector<OptimiserKind> with, kinds("--with", with_));
    SEPX_ASSIGN(const std::vector<OptimiserKind> sampled, kinds("--sampled", sampled_));
    for (OptimiserSettings settings : markov::usualOptimisers()) {
      if (std::find(with.begin(), with.end(), settings.kind) == with.end()) continue;
      settings.sampled = std::find(sampled.begin(), sampled.end(), settings.kind) != sampled.end();
      if (settings.sampled && settings.kind == OptimiserKind::Flow)
        return fail(ErrorKind::Usage, tr(N_("--sampled: the flow has no batches; leave it out")));
      SEPX_TRY(readRule(settings));
      optimisers.push_back(settings);
    }
    options.optimisers = std::move(optimisers);
    SEPX_TRY(readRates(options.optimisers));
    return markov::check(options);
  }

  Result<void> readRule(OptimiserSettings& settings) const {
    const auto number = [](const char* option, const std::string& text, double& into) -> Result<void> {
      SEPX_ASSIGN(into, toNumber(option, text));
      return {};
    };
    if (settings.kind == OptimiserKind::Momentum) {
      settings.rule.nesterov = nesterov_;
      return number("--momentum", momentum_, settings.rule.momentum);
    }
    if (settings.kind != OptimiserKind::AdamW) return {};
    SEPX_ASSIGN(const std::vector<double> betas, toNumbers("--betas", betas_));
    if (betas.size() != 2) return failf(ErrorKind::Usage, N_("--betas: must be two numbers, not {}"), betas.size());
    settings.rule.beta1 = betas[0];
    settings.rule.beta2 = betas[1];
    return number("--weight-decay", decay_, settings.rule.weightDecay);
  }

  /// "0.1" for all, "sgd=0.2" for one; later ones win.
  Result<void> readRates(std::vector<OptimiserSettings>& optimisers) const {
    if (rates_.empty()) return {};
    for (const std::string& word : toWords(rates_)) {
      const std::size_t equals = word.find('=');
      const bool one = equals != std::string::npos;
      SEPX_ASSIGN(const double rate, toNumber("--lr", one ? word.substr(equals + 1) : word));
      const std::optional<OptimiserKind> kind = one ? markov::optimiserFromName(word.substr(0, equals)) : std::nullopt;
      if (one && !kind) return unknown("--lr", word.substr(0, equals));
      for (OptimiserSettings& settings : optimisers)
        if (!kind || settings.kind == *kind) settings.rule.learningRate = rate;
    }
    return {};
  }

  static tl::unexpected<Error> unknown(const char* option, const std::string& word) {
    return failf(ErrorKind::Usage, N_("{}: '{}' is not one of flow, gd, sgd, momentum, adamw"), option, word);
  }

  static Result<std::vector<OptimiserKind>> kinds(const char* option, const std::string& text) {
    std::vector<OptimiserKind> kinds;
    if (text == "none") return kinds;
    for (const std::string& word : toWords(text)) {
      const std::optional<OptimiserKind> kind = markov::optimiserFromName(word);
      if (!kind) return unknown(option, word);
      kinds.push_back(*kind);
    }
    return kinds;
  }

  ModelArguments arguments_;
  std::string at_, steps_ = "400", with_ = "flow,gd,sgd,momentum,adamw", rates_, batch_ = "16", length_ = "64";
  std::string sampled_ = "sgd", momentum_ = "0.9", betas_ = "0.9,0.999", decay_ = "0", biasSteps_ = "0";
  std::string points_ = "21", csv_;
  bool nesterov_ = false, json_ = false;
};

}  // namespace

VerbEntry makeOptimisers() {
  return {"optimisers", N_("Flow, gradient descent, SGD, momentum and AdamW from one point of the plane"),
          std::make_unique<OptimisersVerb>()};
}

}  // namespace sepx::app::cli
