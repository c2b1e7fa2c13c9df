// SPDX-License-Identifier: Apache-2.0
// The result of the trained figures of Local-to-Global as tables and charts, and the three studies (training_study.h).
#include "engine/studies/training_result.h"

#include <algorithm>
#include <cmath>

namespace sepx::studies {

namespace {

bool isLosses(const TrainingFigure& figure) {
  return figure.figure == 4;
}

Json ratiosJson(const TrainingRun& run) {
  Json json{{"step", overPoints(run.spectra, [](const SpectrumPoint& point) { return point.step; })}};
  for (std::size_t i = 0; i < kWatched.size(); ++i)  // null if sigma2 is exactly 0
    json[kWatched[i]] =
        overPoints(run.spectra, [i](const SpectrumPoint& point) { return numberOrNull(point.ratio[i]); });
  return json;
}

/// The alignments at the end; null where there is none.
Json alignmentJson(const TrainingRun& run) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kWatched.size(); ++i)
    json[kWatched[i]] = run.spectra.empty() ? Json() : numberOrNull(run.spectra.back().alignment[i]);
  return json;
}

Json trainingRunJson(const TrainingFigure& figure, const TrainingRun& run) {
  Json json{{"start", startOf(run).name}, {"seed", run.seed},     {"loss", run.curve.back().loss},
            {"unigram", run.unigram},     {"bigram", run.bigram}, {"share", run.share()},
            {"ends", toString(run.end())}};
  if (isLosses(figure)) {
    const auto claimed = figure.asClaimed(run);
    json["agrees"] = claimed ? Json(*claimed) : Json();
  } else {
    json["hypercube"] = run.hypercube;
    json["rank_one"] = run.rankOne();
    json["ratios"] = ratiosJson(run);
    json["alignment"] = alignmentJson(run);
  }
  json["why_stopped"] = wordOrNull(run.failure);
  json["curve"] = lossCurve(run.curve);
  return json;
}

Json settingJson(const TrainingFigure& figure, std::size_t index) {
  const TrainingSetting& setting = figure.settings[index];
  const train::RunConfig& config = setting.config;
  Json json{{"name", setting.name},
            {"what", setting.what},
            {"p", setting.chain().p},
            {"q", setting.chain().q},
            {"d_model", config.model.d_model},
            {"length", config.model.length},
            {"steps", config.schedule.steps},
            {"batch", config.schedule.batch},
            {"learning_rate", config.optimisation.rule.learningRate},
            {"sigma", config.initial.sigma},
            {"judged", setting.judged}};
  if (!isLosses(figure)) json["shows"] = figure.shows(index);
  json["runs"] = Json::array();
  for (const TrainingRun& run : figure.runs)
    if (run.setting == index) json["runs"].push_back(trainingRunJson(figure, run));
  return json;
}

/// Says whether a run of figure 4 ended as claimed, and whether that is judged.
const char* claimWords(const TrainingFigure& figure, const TrainingRun& run) {
  const auto claimed = figure.asClaimed(run);
  if (!claimed) return N_("not judged, stopped early");
  const bool judged = figure.settings[run.setting].judged && !notJudgedSeed(run.seed);
  if (judged) return *claimed ? N_("as claimed") : N_("NOT AS CLAIMED");
  return *claimed ? N_("as claimed (not judged)") : N_("not as claimed (not judged)");
}

Sentence settingHeading(const TrainingSetting& setting) {
  const auto [p, q] = setting.chain();
  return sentence(setting.judged ? N_("{}; p = {}, q = {}, {} steps") : N_("{}; p = {}, q = {}, {} steps, not judged"),
                  setting.what, p, q, setting.config.schedule.steps);
}

/// Figure 4: the runs of a setting and where they end.
StudyTable endTable(const TrainingFigure& figure, std::size_t setting) {
  StudyTable table;
  table.heading = settingHeading(figure.settings[setting]);
  table.columns = {{.title = N_("initial point"), .width = -26},
                   {.title = N_("seed"), .width = 4},
                   {.title = N_("loss"), .width = -6, .gap = 2, .digits = 4},
                   {.title = N_("share"), .width = 7, .gap = 2, .digits = 3},
                   {.title = N_("ends at"), .width = -10, .gap = 2},
                   {}};
  for (const TrainingRun& run : figure.runs) {
    if (run.setting != setting) continue;
    const char* const verdict = claimWords(figure, run);
    Row& row = table.rows.emplace_back();
    row.cells = {startOf(run).words, static_cast<int>(run.seed)};
    if (run.failure.empty())
      row.cells.insert(row.cells.end(), {run.curve.back().loss, run.share(), Cell(toString(run.end())), Cell(verdict)});
    else
      row.cells.emplace_back(sentence("{}  {}", run.failure, verdict));
  }
  return table;
}

/// Figures 3 and 6: sigma1/sigma2 of a run at as many of its points as a table has room for.
StudyTable spectrumTable(const TrainingRun& run) {
  constexpr std::size_t kRows = 5;
  StudyTable table;
  table.apart = false;
  table.heading = sentence(N_("  seed {}"), run.seed);
  table.indent = 4;
  table.columns = {{.title = N_("step"), .width = 6}};
  for (const char* const name : kWatched)
    table.columns.push_back({.title = name, .width = 12, .form = 'g', .digits = 3});
  const std::size_t last = run.spectra.size() - 1, rows = std::min(kRows, run.spectra.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const SpectrumPoint& point = run.spectra[rows == 1 ? 0 : i * last / (rows - 1)];
    Row& row = table.rows.emplace_back();
    row.cells = {static_cast<int>(point.step)};
    row.cells.insert(row.cells.end(), point.ratio.begin(), point.ratio.end());
  }
  const auto six = [](double value) { return fmt::format("{:.6g}", value); };
  table.notes = {sentence(N_("    loss {} (the true chain {}); embedding vector: smallest to largest entry {}"),
                          six(run.curve.back().loss), six(run.bigram), six(run.hypercube))};
  std::string cosines;
  for (std::size_t i = 0; i < kWatched.size() && !run.spectra.empty(); ++i)
    cosines += fmt::format("{}{} {:.3f}", i == 0 ? "" : ", ", kWatched[i], run.spectra.back().alignment[i]);
  table.notes.emplace_back(sentence(N_("    |cosine| of the first singular vector and the embedding: {}"), cosines));
  return table;
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
    text += fmt::format("{}{} {} of {}", matrix == 0 ? "" : ", ", kWatched[matrix], reached, runs);
  }
  return text;
}

StudyTable countTable(const TrainingFigure& figure) {
  StudyTable table;
  table.heading = sentence(
      N_("Runs that end with sigma1/sigma2 of at least {} (sigma1 then has nine tenths of the energy of the two):"),
      kRankOne);
  table.titles = false;
  table.columns = {{.width = -18}, {}};
  for (std::size_t i = 0; i < figure.settings.size(); ++i)
    table.rows.push_back(Row{{figure.settings[i].name, rankOneCounts(figure, i)}});
  table.notes = {N_("W_O W_V is what the text calls W_V: its model has no W_O. W_V alone is not judged.")};
  return table;
}

void addTables(StudyResult& result, const TrainingFigure& figure) {
  for (std::size_t i = 0; i < figure.settings.size(); ++i) {
    if (isLosses(figure)) {
      result.tables.push_back(endTable(figure, i));
      continue;
    }
    result.tables.push_back(paragraph(settingHeading(figure.settings[i])));
    for (const TrainingRun& run : figure.runs)
      if (run.setting == i) result.tables.push_back(spectrumTable(run));
  }
  result.tables.push_back(isLosses(figure)
                              ? paragraph(N_("share: 0 where the loss is that of the true chain on the same validation "
                                             "sequences, 1 where it is that of the letter frequencies."))
                              : countTable(figure));
}

void addLosses(StudyChart& chart, const TrainingRun& run) {
  StudySeries& line = chart.series.emplace_back();
  line.look = static_cast<std::size_t>(run.start);
  for (const LossPoint& point : run.curve) {
    line.x.push_back(static_cast<double>(point.step));
    line.y.push_back(point.loss);
  }
  // The two levels are in the middle of the plot, so a curve that starts far above them leaves it at the top.
  chart.yFrom = run.bigram - 0.3 * (run.unigram - run.bigram);
  chart.yTo = run.unigram + 0.6 * (run.unigram - run.bigram);
  chart.levels = {run.unigram, run.bigram};
}

/// Adds the logarithm of sigma1/sigma2; `yTo` grows with the values shown.
void addSpectra(StudyChart& chart, const TrainingRun& run) {
  constexpr double kInfinite = 9, kHighest = 8;  // log10 of an infinite ratio, above every plot; end of the axis
  for (std::size_t i = 0; i < kWatched.size(); ++i) {
    StudySeries& line = chart.series.emplace_back();
    line.look = i;
    for (const SpectrumPoint& point : run.spectra) {
      const double ratio = point.ratio[i], y = std::isfinite(ratio) ? std::log10(ratio) : kInfinite;
      line.x.push_back(static_cast<double>(point.step));
      line.y.push_back(y);
      if (point.step > 0) chart.yTo = std::min(std::max(chart.yTo.value_or(2), y + 0.1), kHighest);
    }
  }
  chart.yFrom = 0;
  if (!chart.yTo) chart.yTo = 2;
}

void addCharts(StudyResult& result, const TrainingFigure& figure) {
  for (std::size_t i = 0; i < figure.settings.size(); ++i) {
    StudyChart& chart = result.charts.emplace_back();
    chart.title = chart.whole = figure.settings[i].what;
    chart.brief = sentence("{}", figure.settings[i].name);
    chart.xName = N_("step");
    chart.xFrom = 0;
    chart.xTo = static_cast<double>(figure.settings[i].config.schedule.steps);
    chart.yName = isLosses(figure) ? N_("loss") : "log10 \u03c3\u2081/\u03c3\u2082";
    for (const TrainingRun& run : figure.runs)
      if (run.setting == i) isLosses(figure) ? addLosses(chart, run) : addSpectra(chart, run);
  }
  if (isLosses(figure)) {
    for (const int start : figure.settings.front().starts)
      result.legend.push_back({kStarts[static_cast<std::size_t>(start)].words, static_cast<std::size_t>(start)});
    result.legend.push_back({N_("unigram entropy (above) and entropy rate"), 0, StudyLegend::Mark::Level});
  } else {
    for (std::size_t i = 0; i < kWatched.size(); ++i)
      result.legend.push_back({kWatched[i], i});
  }
}

constexpr const char* kSectionTwo =
    N_("the single-layer transformer of Section 2: one vector for the bit, tied to the output, no norms, ReLU");
constexpr const char* kRankOneClaim = N_(
    "With AdamW at 0.001 and sigma = 0.02, W_1, W_2 and W_O W_V end with sigma1/sigma2 of at least 3. The paper prints "
    "no setting of this figure; these fit the released arrays of figure 3.");

template <int Figure>
Study trainingStudy(const char* id, const char* title, const char* about, const char* claim) {
  return {.id = id,
          .form = StudyForm::Figure,
          .paper = kLocalToGlobal,
          .title = title,
          .about = about,
          .claim = claim,
          .assumptions = kSectionTwo,
          .thresholds = kOwnBounds,
          .compute = [](const Work& work) { return resultOf(computeTrainingFigure(Figure, work)); }};
}

}  // namespace

Json lossCurve(const std::vector<LossPoint>& curve) {
  return {{"step", overPoints(curve, [](const LossPoint& point) { return point.step; })},
          {"loss", overPoints(curve, [](const LossPoint& point) { return point.loss; })}};
}

StudyResult resultOf(const TrainingFigure& figure) {
  const markov::Chain chain = figure.chain();
  StudyResult result;
  result.study = &studyOf(fmt::format("local-to-global-figure-{}", figure.figure));
  result.quick = figure.quick;
  const auto six = [](double value) { return fmt::format("{:.6g}", value); };
  result.head = {result.study->title,
                 sentence(N_("p = {}, q = {}: unigram entropy H(pi) = {}, entropy rate H(x'|x) = {} nats"), chain.p,
                          chain.q, six(chain.marginalEntropy()), six(chain.entropyRate()))};
  addTables(result, figure);
  result.checks = figure.checks();
  result.observations = figure.observations();
  if (figure.quick)
    result.closing = {isLosses(figure)
                          ? N_("quick: fewer steps, seeds and positions")
                          : N_("quick: one seed, fewer steps and shorter sequences; the ratios vary strongly between "
                               "seeds, so there are three without --quick")};
  addCharts(result, figure);
  Json& numbers = result.numbers;
  numbers = {{"p", chain.p},
             {"q", chain.q},
             {"entropy", {{"marginal", chain.marginalEntropy()}, {"rate", chain.entropyRate()}}}};
  numbers[isLosses(figure) ? "arrived" : "rank_one_from"] = isLosses(figure) ? kArrived : kRankOne;
  numbers["settings"] = Json::array();
  for (std::size_t i = 0; i < figure.settings.size(); ++i)
    numbers["settings"].push_back(settingJson(figure, i));
  if (isLosses(figure)) return result;
  numbers["shown_by"] = Json::array();
  for (std::size_t i = 0; i < figure.settings.size(); ++i)
    if (figure.shows(i)) numbers["shown_by"].push_back(figure.settings[i].name);
  return result;
}

std::vector<Study> describeTraining() {
  return {trainingStudy<3>("local-to-global-figure-3", N_("Singular values of the weights from a Gaussian start"),
                           N_("training: singular values of the weights from a Gaussian start"), kRankOneClaim),
          trainingStudy<4>(
              "local-to-global-figure-4", N_("Standard and proposed initialisation of the full transformer"),
              N_("training: where the standard and the proposed initialisation end"),
              N_("Without norms, with AdamW at d = 4 and with SGD at d = 8, the loss ends near the unigram entropy "
                 "from a standard start and near the entropy rate from the proposed start, each within a tenth of the "
                 "gap between the two.")),
          trainingStudy<6>("local-to-global-figure-6", N_("Singular values of the weights from a rank-one start"),
                           N_("training: singular values of the weights from a rank-one start"), kRankOneClaim)};
}

}  // namespace sepx::studies
