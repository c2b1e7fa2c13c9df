// SPDX-License-Identifier: Apache-2.0
// Figures 3, S3, S4, S5 and Table 1 of Attention-Structure, as JSON and as text.
#include <algorithm>

#include "app/cli/reproduce.h"
#include "app/cli/text.h"
#include "engine/attention/scores.h"

namespace sepx::app::cli {

using studies::EmergenceRun;
using studies::EmergenceStudy;
using studies::ScorePoint;
using studies::Trainee;

namespace {

constexpr std::span<const studies::PublishedLoss> kNoRows;

bool comparesStarts(const EmergenceStudy& study) {
  return study.number == 1 || study.number == 105;
}

/// A list of layers, each over the steps.
Json layersOver(const EmergenceRun& run, std::vector<double> ScorePoint::*which) {
  Json layers = Json::array();
  for (std::size_t layer = 0; layer < (run.scores.front().*which).size(); ++layer) {
    Json over = Json::array();
    for (const ScorePoint& point : run.scores)
      over.push_back((point.*which)[layer]);
    layers.push_back(std::move(over));
  }
  return layers;
}

/// Median and quartiles over the layers, each over the steps.
Json quartilesOver(const EmergenceRun& run, std::vector<double> ScorePoint::*which) {
  Json median = Json::array(), q1 = Json::array(), q3 = Json::array();
  for (const ScorePoint& point : run.scores) {
    const attention::Quartiles quartiles = attention::quartiles(point.*which);
    median.push_back(quartiles.median);
    q1.push_back(quartiles.q1);
    q3.push_back(quartiles.q3);
  }
  return Json::object({{"median", std::move(median)}, {"q1", std::move(q1)}, {"q3", std::move(q3)}});
}

/// "0.44 (0.25 to 0.63)"
std::string quartileText(const std::vector<double>& layers) {
  const attention::Quartiles quartiles = attention::quartiles(layers);
  return trf(N_("{} ({} to {})"), fmt::format("{:.2f}", quartiles.median), fmt::format("{:.2f}", quartiles.q1),
             fmt::format("{:.2f}", quartiles.q3));
}

/// The free start of the same source and seed.
const EmergenceRun& freeOf(const EmergenceStudy& study, const EmergenceRun& run) {
  const EmergenceRun* free = study.find(run.source, Trainee::Encoder, run.seed);
  return run.trainee == Trainee::SymmetricEncoder && free != nullptr ? *free : run;
}

Json emergenceRunJson(const EmergenceStudy& study, const EmergenceRun& run) {
  Json json = Json::object();
  json["trainee"] = word(run.trainee);
  json["seed"] = run.seed;
  json["steps"] = run.curve.back().step;
  json["loss"] = run.curve.back().loss;
  json["symmetry"] = run.symmetry();
  json["directionality"] = run.directionality();
  const std::int64_t plateau = plateauEnd(freeOf(study, run), run);
  json["plateau_end"] = plateau < 0 ? Json(nullptr) : Json(plateau);
  json["why_stopped"] = orNull(run.failure);
  Json& curve = json["curve"] = Json::object();
  curve["step"] = curve["loss"] = Json::array();
  for (const auto& point : run.curve) {
    curve["step"].push_back(point.step);
    curve["loss"].push_back(point.loss);
  }
  json["layers"] = Json::object({{"symmetry", layersOver(run, &ScorePoint::symmetry)},
                                 {"directionality", layersOver(run, &ScorePoint::directionality)},
                                 {"row_column_cv", layersOver(run, &ScorePoint::rowColumnCv)}});
  json["quartiles"] = Json::object({{"symmetry", quartilesOver(run, &ScorePoint::symmetry)},
                                    {"directionality", quartilesOver(run, &ScorePoint::directionality)}});
  return json;
}

Json publishedJson(const EmergenceStudy& study) {
  Json rows = Json::array();
  if (study.number != 1) return rows;
  for (const studies::PublishedLoss& row : studies::publishedLosses())
    rows.push_back(Json::object({{"layers", row.layers},
                                 {"text", row.text},
                                 {"loss", row.loss},
                                 {"symmetric_loss", row.symmetricLoss},
                                 {"speed_up", row.speedUp}}));
  return rows;
}

struct StartPair {
  const EmergenceRun *free = nullptr, *symmetric = nullptr;
};

std::vector<StartPair> startPairs(const EmergenceStudy& study, std::size_t source) {
  std::vector<StartPair> pairs;
  for (const std::uint64_t seed : study.seeds()) {
    const StartPair pair{study.find(source, Trainee::Encoder, seed),
                         study.find(source, Trainee::SymmetricEncoder, seed)};
    if (pair.free != nullptr && pair.symmetric != nullptr) pairs.push_back(pair);
  }
  return pairs;
}

Json speedUpsJson(const EmergenceStudy& study) {
  Json rows = Json::array();
  if (!comparesStarts(study)) return rows;
  for (std::size_t s = 0; s < study.sources.size(); ++s)
    for (const StartPair& pair : startPairs(study, s))
      rows.push_back(Json::object({{"source", study.sources[s].name},
                                   {"seed", pair.free->seed},
                                   {"loss", pair.free->curve.back().loss},
                                   {"symmetric_loss", pair.symmetric->curve.back().loss},
                                   {"speed_up", speedUp(*pair.free, *pair.symmetric)}}));
  return rows;
}

std::string lossTable(const EmergenceStudy& study) {
  std::string text = fmt::format("\n  {:<34}{:>10}{:>14}{:>10}\n", tr(N_("model and text")), tr(N_("loss")),
                                 tr(N_("W_k = W_q")), tr(N_("speed-up")));
  const auto row = [&text](const std::string& name, double loss, double symmetric, double speedUp) {
    text += fmt::format("  {:<34}{:>10.3f}{:>14.3f}{:>8.0f} %\n", name, loss, symmetric, 100 * speedUp);
  };
  for (const studies::PublishedLoss& one : study.number == 1 ? studies::publishedLosses() : kNoRows)
    row(trf(N_("{} layers, {}, published"), one.layers, one.text), one.loss, one.symmetricLoss, one.speedUp);
  for (std::size_t s = 0; s < study.sources.size(); ++s)
    for (const StartPair& pair : startPairs(study, s))
      row(trf(N_("2 layers, {}, seed {}"), study.sources[s].name, pair.free->seed), pair.free->curve.back().loss,
          pair.symmetric->curve.back().loss, speedUp(*pair.free, *pair.symmetric));
  text += "  " +
          std::string(tr(N_("speed-up: as the caption of Table 1 computes it; the paper says \"loss\", the authors' "
                            "notebook takes the training loss, ours is the validation loss"))) +
          "\n";
  return text;
}

std::string runRow(const EmergenceRun& run) {
  if (!run.failure.empty()) return fmt::format("  {:<26}{:>4}  {}\n", tr(words(run.trainee)), run.seed, run.failure);
  std::string text = fmt::format("  {:<26}{:>4}{:>9.3f}", tr(words(run.trainee)), run.seed, run.curve.back().loss);
  const ScorePoint& end = run.scores.back();
  for (std::size_t layer = 0; layer < end.symmetry.size(); ++layer)
    text += fmt::format("   {:>6.2f} {:>6.2f} {:>6.2f}", end.symmetry[layer], end.directionality[layer],
                        end.rowColumnCv[layer]);
  return text + "\n";
}

std::string runTable(const EmergenceStudy& study, std::size_t source) {
  std::string text = fmt::format("\n{}{}\n", tr(study.sources[source].what),
                                 study.sources[source].judged ? "" : ", " + std::string(tr(N_("not judged"))));
  text += fmt::format("  {:<26}{:>4}{:>9}", "", tr(N_("seed")), tr(N_("loss")));
  bool first = true;
  for (const EmergenceRun& run : study.runs) {
    if (run.source != source) continue;
    for (std::size_t layer = 0; first && layer < run.scores.back().symmetry.size(); ++layer)
      text += fmt::format("   {:>6} {:>6} {:>6}", fmt::format("s {}", layer), fmt::format("d {}", layer),
                          fmt::format("cv {}", layer));
    if (first) text += "\n";
    first = false;
    text += runRow(run);
  }
  text += fmt::format("\n  {:<26}{:>4}   {:<24}{}\n", tr(N_("median (quartiles)")), tr(N_("seed")), tr(N_("symmetry")),
                      tr(N_("directionality")));
  for (const EmergenceRun& run : study.runs)
    if (run.source == source && run.failure.empty())
      text += fmt::format("  {:<26}{:>4}   {:<24}{}\n", tr(words(run.trainee)), run.seed,
                          quartileText(run.scores.back().symmetry), quartileText(run.scores.back().directionality));
  return text;
}

/// What was run, in a sentence.
std::string ranWords(const EmergenceStudy& study) {
  const train::RunConfig config =
      studies::emergenceConfig(study.sources.front(), Trainee::Encoder, 0, 1, studies::emergenceSigma(study.number));
  const std::size_t seeds = study.seeds().size();
  return study.quick ? trf(N_("quick: one seed, {} steps at most of {} sequences of {} tokens; without --quick three "
                              "seeds and 2,500 steps"),
                           study.steps(), config.schedule.batch, config.model.length)
                     : trf(N_("{} seeds, {} steps of {} sequences of {} tokens"), seeds, study.steps(),
                           config.schedule.batch, config.model.length);
}

}  // namespace

Json emergenceJson(const EmergenceStudy& study) {
  const train::RunConfig config =
      studies::emergenceConfig(study.sources.front(), Trainee::Encoder, 0, 1, studies::emergenceSigma(study.number));
  Json json = beginDocument("reproduce");
  json["id"] = study.study().id;
  json["quick"] = study.quick;
  json["claim"] = tr(study.study().claim);
  json["setup"] = Json::object({{"layers", config.model.layers},
                                {"d_model", config.model.d_model},
                                {"heads", config.model.heads},
                                {"length", config.model.length},
                                {"batch", config.schedule.batch},
                                {"learning_rate", config.optimisation.rule.learningRate},
                                {"sigma", config.initial.sigma}});
  json["sources"] = Json::array();
  for (std::size_t s = 0; s < study.sources.size(); ++s) {
    Json source = Json::object();
    source["name"] = study.sources[s].name;
    source["what"] = tr(study.sources[s].what);
    source["judged"] = study.sources[s].judged;
    source["runs"] = Json::array();
    for (const EmergenceRun& run : study.runs)
      if (run.source == s) source["runs"].push_back(emergenceRunJson(study, run));
    json["sources"].push_back(std::move(source));
  }
  json["published"] = publishedJson(study);
  json["speed_ups"] = speedUpsJson(study);
  json["checks"] = checksJson(study.checks(), "passed");
  json["told"] = checksJson(study.told(), "as_published");
  json["passed"] = passedJson(study.checks());
  return json;
}

std::string emergenceText(const EmergenceStudy& study) {
  std::string text = std::string(tr(study.study().title)) + "\n" + tr(study.study().assumptions) + "\n";
  text += ranWords(study) + "\n";
  for (std::size_t s = 0; s < study.sources.size(); ++s)
    text += runTable(study, s);
  text +=
      std::string(tr(N_("s: symmetry, d: directionality, cv: std/mean of the row norms less that of the column norms, "
                        "of each layer at the end"))) +
      "\n";
  if (comparesStarts(study)) text += lossTable(study);
  text += "\n" + judgedLines(study.study(), study.checks());
  text += "\n" + std::string(tr(N_("What the paper reports of larger models, at this scale:"))) + "\n" +
          checkLines(study.told(), N_("as the paper says"), N_("not as the paper says"));
  return text;
}

}  // namespace sepx::app::cli
