// SPDX-License-Identifier: Apache-2.0
// The result of Figures 3, S3, S4, S5 and Table 1 of Attention-Structure as tables and numbers, and the five studies
// (emergence_study.h). The charts are in emergence_charts.cpp.
#include "engine/studies/emergence_result.h"

#include "engine/attention/scores.h"
#include "engine/studies/emergence_charts.h"
#include "engine/studies/emergence_run.h"
#include "engine/studies/training_result.h"

namespace sepx::studies {

namespace {

using LayerScores = std::vector<double> ScorePoint::*;

const char* idOf(EmergenceId id) {
  static constexpr const char* kIds[] = {"attention-structure-figure-3", "attention-structure-figure-s3",
                                         "attention-structure-figure-s4", "attention-structure-table-1",
                                         "attention-structure-figure-s5"};
  return kIds[static_cast<std::size_t>(id)];
}

/// For each layer, an array of its scores over the steps.
Json layersOver(const EmergenceRun& run, LayerScores which) {
  Json layers = Json::array();
  for (std::size_t layer = 0; layer < (run.scores.front().*which).size(); ++layer)
    layers.push_back(overPoints(run.scores, [=](const ScorePoint& point) { return (point.*which)[layer]; }));
  return layers;
}

/// Median and quartiles over the layers, each over the steps.
Json quartilesOver(const EmergenceRun& run, LayerScores which) {
  const auto over = [&](double attention::Quartiles::*of) {
    return overPoints(run.scores, [=](const ScorePoint& point) { return attention::quartiles(point.*which).*of; });
  };
  return {{"median", over(&attention::Quartiles::median)},
          {"q1", over(&attention::Quartiles::q1)},
          {"q3", over(&attention::Quartiles::q3)}};
}

Json emergenceRunJson(const EmergenceStudy& study, const EmergenceRun& run) {
  const EmergenceRun* const free =
      run.trainee == Trainee::SymmetricEncoder ? study.find(run.source, Trainee::Encoder, run.seed) : nullptr;
  const std::int64_t plateau = plateauEnd(free ? *free : run, run);
  Json json{{"trainee", toString(run.trainee)}, {"seed", run.seed},           {"steps", run.curve.back().step},
            {"loss", run.curve.back().loss},    {"symmetry", run.symmetry()}, {"directionality", run.directionality()}};
  json["plateau_end"] = plateau < 0 ? Json() : Json(plateau);
  json["why_stopped"] = wordOrNull(run.failure);
  json["curve"] = lossCurve(run.curve);
  json["layers"] = {{"symmetry", layersOver(run, &ScorePoint::symmetry)},
                    {"directionality", layersOver(run, &ScorePoint::directionality)},
                    {"row_column_cv", layersOver(run, &ScorePoint::rowColumnCv)}};
  json["quartiles"] = {{"symmetry", quartilesOver(run, &ScorePoint::symmetry)},
                       {"directionality", quartilesOver(run, &ScorePoint::directionality)}};
  return json;
}

Json sourceJson(const EmergenceStudy& study, std::size_t index) {
  const EmergenceSource& source = study.sources[index];
  Json json{{"name", source.name}, {"what", source.what}, {"judged", source.judged}};
  json["runs"] = Json::array();
  for (const EmergenceRun& run : study.runs)
    if (run.source == index) json["runs"].push_back(emergenceRunJson(study, run));
  return json;
}

StudyTable lossColumns() {
  StudyTable table;
  table.name = "losses";
  table.columns = {{.key = "model", .title = N_("model and text"), .width = -34, .share = 2.4},
                   {.key = "loss", .title = N_("loss"), .width = 10, .digits = 3, .share = 1},
                   {.key = "symmetric_loss", .title = "W_k = W_q", .width = 14, .digits = 3, .share = 1},
                   {.key = "speed_up", .title = N_("speed-up"), .width = 10, .form = '%', .share = 1}};
  table.verdict = table.narrowVerdict = 1.5;
  table.notes = {
      N_("  speed-up: as the caption of Table 1 computes it; the paper says \"loss\", the authors' notebook takes the "
         "training loss, ours is the validation loss")};
  return table;
}

/// Table 1 as printed.
StudyTable publishedLossTable() {
  StudyTable table = lossColumns();
  table.onPage = true;
  for (const PublishedLoss& row : publishedLosses()) {
    Row& made = table.rows.emplace_back();
    made.cells = {sentence(N_("{} layers, {}"), row.layers, row.text), row.loss, row.symmetricLoss, row.speedUp};
    made.facts = {{"layers", row.layers}, {"text", row.text}};
    made.published = true;
  }
  return table;
}

/// Final losses of both initialisations and the speed-up; for Table 1 below the printed rows.
StudyTable lossTable(const EmergenceStudy& study) {
  StudyTable table = study.id == EmergenceId::Table1 ? publishedLossTable() : lossColumns();
  for (std::size_t s = 0; s < study.sources.size() && comparesStarts(study.id); ++s)
    for (const std::uint64_t seed : study.seeds()) {
      const EmergenceRun *const free = study.find(s, Trainee::Encoder, seed), *const symmetric = study.find(
                                                                                  s, Trainee::SymmetricEncoder, seed);
      if (!free || !symmetric || free->curve.empty() || symmetric->curve.empty()) continue;
      const double loss = free->curve.back().loss, other = symmetric->curve.back().loss;
      Row& row = table.rows.emplace_back();
      row.cells = {sentence(N_("2 layers, {}, seed {}"), study.sources[s].name, seed), loss, other,
                   speedUp(*free, *symmetric)};
      row.facts = {{"source", study.sources[s].name}, {"seed", seed}};
      row.verdict = study.quick ? Verdict::NotJudged : other < loss ? Verdict::Holds : Verdict::Fails;
      row.observed = true;
    }
  table.inText = !table.rows.empty();
  table.paperScale = false;
  return table;
}

/// Loss and scores of every layer at the end, one row per run.
StudyTable layerTable(const EmergenceStudy& study, std::size_t source) {
  StudyTable table;
  table.heading = sentence(study.sources[source].judged ? "{}" : N_("{}, not judged"), study.sources[source].what);
  table.columns = {{.width = -26}, {.title = N_("seed"), .width = 4}, {.title = N_("loss"), .width = 9, .digits = 3}};
  for (const EmergenceRun& run : study.runs) {
    if (run.source != source) continue;
    const ScorePoint& end = run.scores.back();
    for (std::size_t layer = 0; table.rows.empty() && layer < end.symmetry.size(); ++layer)
      for (const char* const title : {N_("s {}"), N_("d {}"), N_("cv {}")})
        table.columns.push_back(
            {.title = sentence(title, layer), .width = 6, .gap = *title == 's' ? 3 : 1, .digits = 2});
    Row& row = table.rows.emplace_back();
    row.cells = {words(run.trainee), static_cast<int>(run.seed)};
    row.note = run.failure;
    if (!run.failure.empty()) continue;
    row.cells.emplace_back(run.curve.back().loss);
    for (std::size_t layer = 0; layer < end.symmetry.size(); ++layer)
      for (const LayerScores which : {&ScorePoint::symmetry, &ScorePoint::directionality, &ScorePoint::rowColumnCv})
        row.cells.emplace_back((end.*which)[layer]);
  }
  return table;
}

/// "0.44 (0.25 to 0.63)"
Sentence quartileWords(const std::vector<double>& layers) {
  const attention::Quartiles quartiles = attention::quartiles(layers);
  const auto digits = [](double value) { return fmt::format("{:.2f}", value); };
  return sentence(N_("{} ({} to {})"), digits(quartiles.median), digits(quartiles.q1), digits(quartiles.q3));
}

StudyTable quartileTable(const EmergenceStudy& study, std::size_t source) {
  StudyTable table;
  table.columns = {{.title = N_("median (quartiles)"), .width = -26},
                   {.title = N_("seed"), .width = 4},
                   {.title = N_("symmetry"), .width = -24, .gap = 3},
                   {.title = N_("directionality")}};
  for (const EmergenceRun& run : study.runs)
    if (run.source == source && run.failure.empty())
      table.rows.push_back({{words(run.trainee), static_cast<int>(run.seed), quartileWords(run.scores.back().symmetry),
                             quartileWords(run.scores.back().directionality)}});
  return table;
}

Sentence emergenceSetting(const EmergenceStudy& study) {
  const std::size_t seeds = study.seeds().size();
  if (study.id != EmergenceId::Table1)
    return study.quick ? sentence(N_("Quick: one seed, {} steps at most, not compared with the paper."), study.steps())
                       : sentence(N_("{} seeds, {} steps."), seeds, study.steps());
  return study.quick
             ? sentence(
                   N_("Quick: one seed, {} steps at most, not compared with the paper. The speed-up is that of the "
                      "validation loss; the authors' notebook takes the training loss."),
                   study.steps())
             : sentence(N_("{} seeds, {} steps. The speed-up is that of the validation loss; the authors' notebook "
                           "takes the training loss."),
                        seeds, study.steps());
}

constexpr const char* kSmallModel = N_(
    "a small stand-in: generated text, 2 layers (figure 3 with 4 as well), d = 64; starts are compared at sigma = 0.05, so that raw scores begin "
    "about as large as in the paper's models, which have 4, 12 and 24 layers and texts not shipped here");
constexpr const char* kEmergenceScale = N_(
    "The paper trains models of 4, 12 and 24 layers for 200,000 steps of 256 sequences. Rows of 12 and 24 layers are "
    "shown as published only.");

template <EmergenceId Id>
Study emergenceStudy(Study study) {
  study.id = idOf(Id);
  study.form = Id == EmergenceId::Table1 ? StudyForm::Table : StudyForm::Figure;
  study.paper = kAttentionStructure;
  study.assumptions = kSmallModel;
  study.thresholds = kOwnBounds;
  study.scale = kEmergenceScale;
  if (Id == EmergenceId::Table1) study.printed = publishedLossTable;
  study.compute = [](const Work& work) { return resultOf(computeEmergence(Id, work)); };
  return study;
}

}  // namespace

StudyResult resultOf(const EmergenceStudy& study) {
  const train::RunConfig config =
      emergenceConfig(study.sources.front(), Trainee::Encoder, 0, 1, emergenceSigma(study.id));
  const std::size_t seeds = study.seeds().size();
  const int batch = config.schedule.batch, length = config.model.length;
  StudyResult result;
  result.study = &studyOf(idOf(study.id));
  result.quick = study.quick;
  result.paperScale = false;
  result.head = {result.study->title, result.study->assumptions,
                 study.quick ? sentence(N_("quick: one seed, {} steps at most of {} sequences of {} tokens; without "
                                           "--quick three seeds and 2,500 steps"),
                                        study.steps(), batch, length)
                             : sentence(N_("{} seeds, {} steps of {} sequences of {} tokens"), seeds, study.steps(),
                                        batch, length)};
  result.setting = emergenceSetting(study);
  for (std::size_t s = 0; s < study.sources.size(); ++s) {
    result.tables.push_back(layerTable(study, s));
    result.tables.push_back(quartileTable(study, s));
  }
  result.tables.back().notes = {N_(
      "s: symmetry, d: directionality, cv: std/mean of the row norms minus that of the column norms, of each layer at "
      "the end")};
  StudyTable& losses = result.tables.emplace_back(lossTable(study));
  result.checks = study.checks();
  result.observations = study.observations();
  addCharts(result, study);
  result.numbers["setup"] = {{"layers", config.model.layers},
                             {"d_model", config.model.d_model},
                             {"heads", config.model.heads},
                             {"length", length},
                             {"batch", batch},
                             {"learning_rate", config.optimisation.rule.learningRate},
                             {"sigma", config.initial.sigma}};
  result.numbers["sources"] = Json::array();
  for (std::size_t s = 0; s < study.sources.size(); ++s)
    result.numbers["sources"].push_back(sourceJson(study, s));
  result.numbers["published"] = rowsOf(losses, true);
  result.numbers["speed_ups"] = rowsOf(losses, false);
  return result;
}

std::vector<Study> describeEmergence() {
  using enum EmergenceId;
  return {
      emergenceStudy<Figure3>(
          {.title = N_("Symmetry and directionality during training"),
           .about = N_("training: scores of an encoder and a decoder over the steps"),
           .claim = N_(
               "On characters, in the first of two layers: the symmetry of the encoder ends at 0.5 or more, that of "
               "the decoder within 0.1 of 0, and CV of rows minus CV of columns (our own statistic, below 0 where "
               "columns differ more than rows) ends lower in the decoder by 0.3 or more. What the paper says about "
               "medians, about late and middle layers (two of 4 layers are middle layers) and about directionality is "
               "reported and not judged."),
           .label = N_("Figure 3"),
           .says = {N_("12 layers, Wikipedia: the symmetry of the encoder rises, that of the decoder stays low (a)."),
                    N_("The directionality of the decoder is further below 0 than that of the encoder (b)."),
                    N_("Later encoder layers become symmetric sooner and more strongly; the decoder's matrices are "
                       "almost without symmetry, with strongly skew ones in the middle layers (c)."),
                    N_("Late layers of both have the larger directionality, by far the most in the decoder (d).")}}),
      emergenceStudy<FigureS3>(
          {.title = N_("The same on other texts"),
           .about = N_("training: the medians of figure 3 on three sources"),
           .claim =
               N_("On characters the median symmetry of the encoder ends above that of the decoder by 0.3 or more; on "
                  "the other sources it is reported and not judged."),
           .label = N_("Figure S3"),
           .says = {N_("12 layers, Jigsaw and Red Pajama: the medians behave as in figure 3.")}}),
      emergenceStudy<FigureS4>(
          {.title = N_("The same by layer"),
           .about = N_("training: the scores of every layer on three sources"),
           .claim = N_(
               "On characters, in the first of two layers: the symmetry of the encoder ends at 0.5 or more, that of "
               "the decoder within 0.1 of 0, and CV of rows minus CV of columns (our own statistic) ends lower in the "
               "decoder by 0.3 or more. Other sources, late layers and directionality are reported and not judged."),
           .label = N_("Figure S4"),
           .says = {N_("12 layers, Jigsaw and Red Pajama, by layer: late layers of the encoder are more symmetric."),
                    N_("Late layers of the decoder have the larger directionality."),
                    N_("The directionality differs less between encoder and decoder than on Wikipedia.")}}),
      emergenceStudy<Table1>(
          {.title = N_("Loss and speed-up of a symmetric start"),
           .about = N_("training: final loss and speed-up of W_k = W_q; 12 and 24 layers as published"),
           .claim = N_(
               "Our own criterion, which is not one of Table 1, at sigma = 0.05 on characters: from a symmetric start "
               "the loss leaves its plateau no later than from a free one. The columns of Table 1 are reported and not judged."),
           .label = N_("Table 1"),
           .says =
               {N_("A symmetric start ends at a lower loss in eight of nine models."),
                N_("Eight of nine reach the final loss of the free start, after 27 to 86 % of the epochs; the model "
                   "of 12 layers on Jigsaw ends above it (0 %)."),
                N_("The text says up to 75 % faster for 4 layers; the table has 73 %.")}}),
      emergenceStudy<FigureS5>(
          {.title = N_("A symmetric start during training"),
           .about = N_("training: loss and symmetry from a free and from a symmetric start"),
           .claim = N_("On characters, from a symmetric start, the median symmetry falls below 0.75 and ends above its "
                       "minimum by 0.1 or more."),
           .label = N_("Figure S5"),
           .says = {N_("4 layers, Red Pajama: the loss of the symmetric start falls earlier (a)."),
                    N_("Its symmetry falls first, and ends higher than that of the free start (b)."),
                    N_("The layers differ less (c).")}})};
}

}  // namespace sepx::studies
