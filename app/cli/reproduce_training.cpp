// SPDX-License-Identifier: Apache-2.0
// Figures that are trained, as JSON and as text.
#include <algorithm>

#include "app/cli/reproduce.h"
#include "app/cli/text.h"

namespace sepx::app::cli {

using studies::kArrived;
using studies::kJudged;
using studies::kRankOne;
using studies::kWatched;
using studies::LossPoint;
using studies::SpectrumPoint;
using studies::TrainingFigure;
using studies::TrainingRun;
using studies::TrainingSetting;

namespace {

Json curveJson(const TrainingRun& run) {
  Json steps = Json::array(), losses = Json::array();
  for (const LossPoint& point : run.curve) {
    steps.push_back(point.step);
    losses.push_back(point.loss);
  }
  return Json::object({{"step", std::move(steps)}, {"loss", std::move(losses)}});
}

Json spectraJson(const TrainingRun& run) {
  Json json = Json::object();
  json["step"] = Json::array();
  for (const SpectrumPoint& point : run.spectra)
    json["step"].push_back(point.step);
  for (std::size_t i = 0; i < kWatched.size(); ++i) {
    Json& list = json[kWatched[i]] = Json::array();
    for (const SpectrumPoint& point : run.spectra)
      list.push_back(orNull(point.ratio[i]));  // a ratio over an exact zero has no number
  }
  return json;
}

Json runJson(const TrainingFigure& figure, const TrainingRun& run) {
  Json json = Json::object();
  json["start"] = startOf(run).name;
  json["seed"] = run.seed;
  json["loss"] = run.curve.back().loss;
  json["unigram"] = run.unigram;
  json["bigram"] = run.bigram;
  json["share"] = run.share();
  json["ends"] = word(run.end());
  if (figure.figure == 4) {
    const auto claimed = figure.asClaimed(run);
    json["agrees"] = claimed ? Json(*claimed) : Json(nullptr);
  } else {
    json["hypercube"] = run.hypercube;
    json["rank_one"] = run.rankOne();
    json["ratios"] = spectraJson(run);
  }
  json["why_stopped"] = orNull(run.failure);
  json["curve"] = curveJson(run);
  return json;
}

Json settingJson(const TrainingFigure& figure, std::size_t index) {
  const TrainingSetting& setting = figure.settings[index];
  const train::RunConfig& config = setting.config;
  Json json = Json::object();
  json["name"] = setting.name;
  json["what"] = tr(setting.what);
  json["d_model"] = config.model.d_model;
  json["length"] = config.model.length;
  json["steps"] = config.schedule.steps;
  json["batch"] = config.schedule.batch;
  json["learning_rate"] = config.optimisation.rule.learningRate;
  json["sigma"] = config.initial.sigma;
  json["judged"] = setting.judged;
  if (figure.figure != 4) json["shows"] = figure.shows(index);
  json["runs"] = Json::array();
  for (const TrainingRun& run : figure.runs)
    if (run.setting == index) json["runs"].push_back(runJson(figure, run));
  return json;
}

std::string cut(std::string text, std::size_t length) {
  return text.size() <= length ? text : text.substr(0, length);
}

/// Where a run of figure 4 ended against the claim, whether or not that is judged.
std::string claimWords(const TrainingFigure& figure, const TrainingRun& run) {
  const auto claimed = figure.asClaimed(run);
  if (!claimed) return tr(N_("not judged, stopped early"));
  const bool judged = figure.settings[run.setting].judged && !studies::notJudgedSeed(run.seed);
  if (judged) return *claimed ? tr(N_("as claimed")) : tr(N_("NOT AS CLAIMED"));
  return *claimed ? tr(N_("as claimed (not judged)")) : tr(N_("not as claimed (not judged)"));
}

std::string lossRow(const TrainingFigure& figure, const TrainingRun& run) {
  const std::string verdict = claimWords(figure, run);
  if (!run.failure.empty())
    return fmt::format("  {:<26}{:>4}  {}  {}\n", tr(startOf(run).words), run.seed, run.failure, verdict);
  return fmt::format("  {:<26}{:>4}  {:.4f}  {:>7.3f}  {:<10}{}\n", tr(startOf(run).words), run.seed,
                     run.curve.back().loss, run.share(), word(run.end()), verdict);
}

/// The points of a run that a table has room for.
std::vector<SpectrumPoint> fewOf(const std::vector<SpectrumPoint>& all) {
  constexpr std::size_t kRows = 5;
  std::vector<SpectrumPoint> few;
  const std::size_t last = all.size() - 1, rows = std::min(kRows, all.size());
  for (std::size_t i = 0; i < rows; ++i)
    few.push_back(all[rows == 1 ? 0 : i * last / (rows - 1)]);
  return few;
}

std::string spectrumRows(const TrainingRun& run) {
  std::string text = fmt::format("  {} {}\n    {:>6}", tr(N_("seed")), run.seed, tr(N_("step")));
  for (const char* name : kWatched)
    text += fmt::format("{:>12}", name);
  text += "\n";
  for (const SpectrumPoint& point : fewOf(run.spectra)) {
    text += fmt::format("    {:>6}", point.step);
    for (const double ratio : point.ratio)
      text += cut(fmt::format("{:>12.3g}", ratio), 12);
    text += "\n";
  }
  text += "    " +
          trf(N_("loss {} (the true chain {}); embedding vector: smallest to largest entry {}"),
              forPeople(run.curve.back().loss), forPeople(run.bigram), forPeople(run.hypercube)) +
          "\n";
  return text;
}

/// "W_1 3 of 3, W_2 3 of 3, W_O W_V 2 of 3"
std::string rankOneCounts(const TrainingFigure& figure, std::size_t setting) {
  std::string text;
  for (std::size_t matrix = 0; matrix < kJudged; ++matrix) {
    int runs = 0, reached = 0;
    for (const TrainingRun& run : figure.runs) {
      if (run.setting != setting) continue;
      ++runs;
      reached += run.rankOne(matrix) ? 1 : 0;
    }
    text += (matrix == 0 ? "" : ", ") + trf(N_("{} {} of {}"), kWatched[matrix], reached, runs);
  }
  return text;
}

std::string spectraCounts(const TrainingFigure& figure) {
  std::string text =
      trf(N_("Runs that end with sigma1/sigma2 of at least {} (sigma1 then has nine tenths of the energy of the two):"),
          forPeople(kRankOne)) +
      "\n";
  for (std::size_t i = 0; i < figure.settings.size(); ++i)
    text += fmt::format("  {:<12}{}\n", figure.settings[i].name, rankOneCounts(figure, i));
  return text + tr(N_("W_O W_V is what the text calls W_V: its model has no W_O. W_V alone is not judged.")) + "\n";
}

}  // namespace

Json trainingFigureJson(const TrainingFigure& figure) {
  const markov::Chain chain = figure.chain();
  Json json = beginDocument("reproduce");
  json["id"] = figure.study().id;
  json["quick"] = figure.quick;
  json["p"] = chain.p;
  json["q"] = chain.q;
  json["entropy"] = Json::object({{"marginal", chain.marginalEntropy()}, {"rate", chain.entropyRate()}});
  if (figure.figure == 4)
    json["arrived"] = kArrived;
  else
    json["rank_one_from"] = kRankOne;
  json["settings"] = Json::array();
  for (std::size_t i = 0; i < figure.settings.size(); ++i)
    json["settings"].push_back(settingJson(figure, i));
  if (figure.figure != 4) {
    json["shown_by"] = Json::array();
    for (std::size_t i = 0; i < figure.settings.size(); ++i)
      if (figure.shows(i)) json["shown_by"].push_back(figure.settings[i].name);
  }
  json["claim"] = tr(figure.study().claim);
  json["checks"] = checksJson(figure.checks(), "passed");
  json["told"] = checksJson(figure.told(), "as_published");
  json["passed"] = passedJson(figure.checks());
  return json;
}

std::string trainingFigureText(const TrainingFigure& figure) {
  const markov::Chain chain = figure.chain();
  std::string text = std::string(tr(figure.study().title)) + "\n";
  text += trf(N_("p = {}, q = {}: unigram entropy H(pi) = {}, entropy rate H(x'|x) = {} nats"), chain.p, chain.q,
              forPeople(chain.marginalEntropy()), forPeople(chain.entropyRate())) +
          "\n";
  for (std::size_t i = 0; i < figure.settings.size(); ++i) {
    const TrainingSetting& setting = figure.settings[i];
    text += "\n" + std::string(tr(setting.what)) + "; " +
            counted(setting.config.schedule.steps, N_("{} step"), N_("{} steps")) +
            (setting.judged ? "" : ", " + std::string(tr(N_("not judged")))) + "\n";
    if (figure.figure == 4)
      text += fmt::format("  {:<26}{:>4}  {:<6}  {:>7}  {}\n", tr(N_("start")), tr(N_("seed")), tr(N_("loss")),
                          tr(N_("share")), tr(N_("ends at")));
    for (const TrainingRun& run : figure.runs)
      if (run.setting == i) text += figure.figure == 4 ? lossRow(figure, run) : spectrumRows(run);
  }
  text += "\n" + (figure.figure == 4
                      ? tr(N_("share: 0 where the loss is that of the true chain on the same validation sequences, 1 "
                              "where it is that of the letter frequencies.")) +
                            std::string("\n")
                      : spectraCounts(figure));
  text += "\n" + judgedLines(figure.study(), figure.checks());
  if (const std::vector<studies::Check> told = figure.told(); !told.empty())
    text += "\n" + std::string(tr(N_("What the paper reports, here:"))) + "\n" +
            checkLines(told, N_("as published"), N_("not as published"));
  if (figure.quick)
    text += tr(figure.figure == 4
                   ? N_("quick: fewer steps, seeds and places")
                   : N_("quick: one seed, fewer steps and shorter sequences; ratios differ much from seed to "
                        "seed, so without --quick there are three")) +
            std::string("\n");
  return text;
}

}  // namespace sepx::app::cli
