// SPDX-License-Identifier: Apache-2.0
// See attention_published.h.
#include "ui/exhibits/training/published/attention_published.h"

#include <utility>

#include <fmt/format.h>

#include "engine/studies/growth_study.h"
#include "ui/exhibits/training/shared/emergence_charts.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

using studies::EmergenceStudy;
using studies::Trainee;

namespace {

constexpr const char* kScale = N_(
    "The paper trains models of 4, 12 and 24 layers for 200,000 steps of 256 sequences. Rows of 12 and 24 layers are "
    "shown as published only.");

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

PublishedTable lossTable(const EmergenceStudy* study) {
  PublishedTable table;
  table.name = "losses";
  table.columns = {{tr("model and text"), "model", 2.4, 2.4},
                   {tr("loss"), "loss", 1, 1, true},
                   {"W_k = W_q", "symmetric_loss", 1, 1, true},
                   {tr("speed-up"), "speed_up", 1, 1, true}};
  table.verdict = {.key = "verdict", .share = 1.5, .narrow = 1.5};
  for (const studies::PublishedLoss& row : studies::publishedLosses())
    table.rows.push_back({{trFormat("{} layers, {}", row.layers, row.text), fmt::format("{:.3f}", row.loss),
                           fmt::format("{:.3f}", row.symmetricLoss), percent(row.speedUp)},
                          Verdict::None,
                          true});
  if (!study) return table;
  for (std::size_t s = 0; s < study->sources.size(); ++s)
    for (const std::uint64_t seed : study->seeds()) {
      const auto *const free = study->find(s, Trainee::Encoder, seed), *const symmetric = study->find(
                                                                           s, Trainee::SymmetricEncoder, seed);
      if (!free || !symmetric || free->curve.empty() || symmetric->curve.empty()) continue;
      const double share = speedUp(*free, *symmetric), loss = free->curve.back().loss,
                   other = symmetric->curve.back().loss;
      table.rows.push_back({{trFormat("2 layers, {}, seed {}", study->sources[s].name, seed),
                             fmt::format("{:.3f}", loss), fmt::format("{:.3f}", other), percent(share)},
                            study->quick   ? Verdict::NotJudged
                            : other < loss ? Verdict::SeenHere
                                           : Verdict::NotSeenHere});
    }
  return table;
}

PublishedTable visionTable(const studies::VisionTable* study) {
  PublishedTable table;
  table.name = "vision";
  table.columns = {{tr("model and data"), "model", 2.4, 2.4},
                   {tr("start"), "start", 1.2, 1.2},
                   {tr("train loss"), "train_loss", 1, 1, true},
                   {tr("eval loss"), "loss", 1, 1, true},
                   {tr("accuracy"), "accuracy", 1, 1, true}};
  table.verdict = {.key = "verdict", .share = 1.5, .narrow = 1.5};
  const auto add = [&](std::string model, bool symmetric, double trainLoss, double loss, double accuracy,
                       bool published) {
    table.rows.push_back(
        {{std::move(model), symmetric ? std::string("W_K = W_Q") : std::string(tr("standard")),
          fmt::format("{:.2f}", trainLoss), fmt::format("{:.2f}", loss), fmt::format("{:.2f}", accuracy)},
         Verdict::None,
         published});
  };
  for (const studies::PublishedVision& row : studies::publishedVision())
    add(trFormat("{} layers, {}", row.layers, row.data), row.symmetric, row.trainLoss, row.loss, row.accuracy, true);
  if (!study) return table;
  using studies::VisionPoint;
  for (const bool symmetric : {false, true})
    add(trFormat("{} layers, {}", study->config.model.layers, study->quick ? tr("generated figures") : "CIFAR-10"),
        symmetric, study->mean(symmetric, &VisionPoint::trainLoss), study->mean(symmetric, &VisionPoint::loss),
        study->mean(symmetric, &VisionPoint::accuracy), false);
  return table;
}

Result<PublishedPointer> vision(const studies::Work& work) {
  Result<studies::VisionTable> made = studies::computeVision(work);
  if (!made) return tl::unexpected(made.error());
  return PublishedPointer(std::make_shared<VisionResult>(*std::move(made)));
}

/// Computes the study of this number.
std::function<Result<PublishedPointer>(const studies::Work&)> emergence(int number) {
  return [number](const studies::Work& work) -> Result<PublishedPointer> {
    Result<EmergenceStudy> made = studies::computeEmergence(number, work);
    if (!made) return tl::unexpected(made.error());
    return PublishedPointer(std::make_shared<EmergenceResult>(*std::move(made)));
  };
}

Result<PublishedPointer> normGrowth(const studies::Work& work) {
  Result<studies::TheoremReport> made = studies::checkNormGrowth(work);
  if (!made) return tl::unexpected(made.error());
  return PublishedPointer(std::make_shared<TheoremResult>(*std::move(made)));
}

}  // namespace

std::span<const PublishedStudy> attentionStudies() {
  static const std::vector<PublishedStudy> all{
      {"figure-3",
       N_("Figure 3"),
       "attention-structure-figure-3",
       {N_("12 layers, Wikipedia: the symmetry of the encoder rises, that of the decoder stays low (a)."),
        N_("The directionality of the decoder is further below 0 than that of the encoder (b)."),
        N_("Later encoder layers become symmetric sooner and more strongly; the decoder's matrices are almost without "
           "symmetry, with strongly skew ones in the middle layers (c)."),
        N_("Late layers of both have the larger directionality, those of the decoder by far (d).")},
       kScale,
       {},
       emergence(3)},
      {"figure-s3",
       N_("Figure S3"),
       "attention-structure-figure-s3",
       {N_("12 layers, Jigsaw and Red Pajama: the medians behave as in figure 3.")},
       kScale,
       {},
       emergence(103)},
      {"figure-s4",
       N_("Figure S4"),
       "attention-structure-figure-s4",
       {N_("12 layers, Jigsaw and Red Pajama, by layer: late layers of the encoder are more symmetric."),
        N_("Late layers of the decoder have the larger directionality."),
        N_("The directionality differs less between encoder and decoder than on Wikipedia.")},
       kScale,
       {},
       emergence(104)},
      {"table-1",
       N_("Table 1"),
       "attention-structure-table-1",
       {N_("A symmetric start ends at a lower loss in eight of nine models."),
        N_("Eight of nine reach the last loss of the free start, after 27 to 86 % of the epochs; that of 12 layers on "
           "Jigsaw ends above it (0 %)."),
        N_("The text says up to 75 % faster for 4 layers; the table has 73 %.")},
       kScale,
       [] { return lossTable(nullptr); },
       emergence(1)},
      {"table-3",
       N_("Table 3"),
       "attention-structure-table-3",
       {N_("CIFAR-10, 6 layers: both starts end at an accuracy of 0.9."),
        N_("ImageNet-1k, 12 layers: both starts end at an accuracy of 0.76."),
        N_("So a symmetric start neither helps nor harms these vision transformers.")},
       N_("The paper trains ViTs of 6 and 12 layers for 500 and 200 passes over their images. Here a ViT of 4 layers "
          "trains on the files of CIFAR-10 where they are, or, quick, on generated figures."),
       [] { return visionTable(nullptr); },
       vision},
      {"figure-s5",
       N_("Figure S5"),
       "attention-structure-figure-s5",
       {N_("4 layers, Red Pajama: the loss of the symmetric start falls earlier (a)."),
        N_("Its symmetry falls first, and ends higher than that of the free start (b)."),
        N_("The layers differ less (c).")},
       kScale,
       {},
       emergence(105)},
      {"theorem-2-3",
       N_("Theorem 2.3"),
       "attention-structure-theorem-2-3",
       {N_("(17): the mean squared norm of every column is larger than that of the rows m with Σ_mm < Tr Σ/d."),
        N_("(18): above some γ more columns than rows have a larger norm, so that columns dominate."),
        N_("Ours: (S56) holds, (18) does not follow from it. The page Norms shows it.")},
       "",
       {},
       normGrowth}};
  return all;
}

std::string EmergenceResult::setting() const {
  const std::size_t seeds = study_.seeds().size();
  std::string text = study_.quick
                         ? trFormat("Quick: one seed, {} steps at most, not compared with the paper.", study_.steps())
                         : trFormat("{} seeds, {} steps.", seeds, study_.steps());
  if (study_.number == 1)
    text +=
        std::string(" ") + tr("The speed-up is that of the validation loss; the authors' notebook takes the training "
                              "loss.");
  return text;
}

std::string VisionResult::setting() const {
  const train::RunConfig& config = table_.config;
  return table_.quick ? trFormat("Quick: d = {}, {} batches of {} generated images, one seed; nothing is judged.",
                                 config.model.d_model, config.schedule.steps, config.schedule.batch)
                      : trFormat("d = {}, {} batches of {} images of CIFAR-10, {} seeds.", config.model.d_model,
                                 config.schedule.steps, config.schedule.batch, table_.runs.size() / 2);
}

PublishedTable EmergenceResult::table() const {
  return study_.number == 1 ? lossTable(&study_) : PublishedResult::table();
}

PublishedTable VisionResult::table() const {
  return visionTable(&table_);
}

std::size_t EmergenceResult::charts() const {
  return emergencePanels(study_).size();
}

LineChart EmergenceResult::chart(std::size_t i, const Theme& theme) const {
  const EmergencePanel panel = emergencePanels(study_)[i];
  LineChart chart = emergenceChart(study_, panel, theme);
  chart.title = emergencePanelName(panel);
  if (study_.sources.size() > 1) chart.title = fmt::format("{}: {}", study_.sources[panel.source].name, chart.title);
  chart.y.name.clear();  // the title has it
  return chart;
}

std::vector<LegendEntry> EmergenceResult::legend(const Theme& theme) const {
  return emergenceLegend(study_, emergencePanels(study_), theme);
}

}  // namespace sepx::ui
