// SPDX-License-Identifier: Apache-2.0
// What is printed of Table 3 of Attention-Structure: published beside ours.
#include <fmt/format.h>

#include "app/cli/reproduce.h"
#include "app/cli/text.h"

namespace sepx::app::cli {

namespace {

using studies::PublishedVision;
using studies::VisionPoint;
using studies::VisionRun;
using studies::VisionTable;

const char* startWord(bool symmetric) {
  return symmetric ? "symmetric" : "standard";
}

Json visionRunJson(const VisionRun& run) {
  Json json = Json::object({{"start", startWord(run.symmetric)}, {"seed", run.seed}});
  const auto over = [&run](auto of) {
    Json list = Json::array();
    for (const VisionPoint& point : run.points)
      list.push_back(of(point));
    return list;
  };
  json["step"] = over([](const VisionPoint& point) { return point.step; });
  json["train_loss"] = over([](const VisionPoint& point) { return point.trainLoss; });
  json["loss"] = over([](const VisionPoint& point) { return point.loss; });
  json["accuracy"] = over([](const VisionPoint& point) { return point.accuracy; });
  json["symmetry"] = over([](const VisionPoint& point) { return point.symmetry; });
  json["failure"] = run.failure;
  return json;
}

const char* dataWord(const VisionTable& table) {
  return table.quick ? "shapes" : "cifar10";
}

std::string visionRow(const std::string& name, bool symmetric, double trainLoss, double loss, double accuracy) {
  return fmt::format("  {:<34}{:<12}{:>12.3f}{:>12.3f}{:>10.3f}\n", name,
                     symmetric ? std::string("W_K = W_Q") : std::string(tr(N_("standard"))), trainLoss, loss, accuracy);
}

/// What was run, in a sentence.
std::string ranWords(const VisionTable& table) {
  const train::RunConfig& config = table.config;
  return table.quick
             ? trf(N_("quick: d = {}, {} batches of {} generated images of 16 x 16 pixels, one seed; without --quick "
                      "the files of CIFAR-10 and three seeds"),
                   config.model.d_model, config.schedule.steps, config.schedule.batch)
             : trf(N_("d = {}, {} batches of {} images of CIFAR-10 (about 3 passes), random crop and flip, {} "
                      "seeds"),
                   config.model.d_model, config.schedule.steps, config.schedule.batch, table.runs.size() / 2);
}

}  // namespace

Json visionJson(const VisionTable& table) {
  const train::RunConfig& config = table.config;
  Json json = beginDocument("reproduce");
  json["id"] = table.study().id;
  json["quick"] = table.quick;
  json["claim"] = tr(table.study().claim);
  json["setup"] = Json::object({{"data", dataWord(table)},
                                {"layers", config.model.layers},
                                {"d_model", config.model.d_model},
                                {"heads", config.model.heads},
                                {"steps", config.schedule.steps},
                                {"batch", config.schedule.batch}});
  json["published"] = Json::array();
  for (const PublishedVision& row : studies::publishedVision())
    json["published"].push_back(Json::object({{"data", row.data},
                                              {"layers", row.layers},
                                              {"start", startWord(row.symmetric)},
                                              {"train_loss", row.trainLoss},
                                              {"loss", row.loss},
                                              {"accuracy", row.accuracy}}));
  json["rows"] = Json::array();
  for (const bool symmetric : {false, true})
    json["rows"].push_back(Json::object({{"start", startWord(symmetric)},
                                         {"train_loss", table.mean(symmetric, &VisionPoint::trainLoss)},
                                         {"loss", table.mean(symmetric, &VisionPoint::loss)},
                                         {"accuracy", table.mean(symmetric, &VisionPoint::accuracy)},
                                         {"symmetry", table.mean(symmetric, &VisionPoint::symmetry)}}));
  json["runs"] = Json::array();
  for (const VisionRun& run : table.runs)
    json["runs"].push_back(visionRunJson(run));
  json["checks"] = checksJson(table.checks(), "passed");
  json["passed"] = passedJson(table.checks());
  return json;
}

std::string visionText(const VisionTable& table) {
  std::string text = std::string(tr(table.study().title)) + "\n" + tr(table.study().assumptions) + "\n";
  text += ranWords(table) + "\n\n";
  text += fmt::format("  {:<34}{:<12}{:>12}{:>12}{:>10}\n", tr(N_("model and data")), tr(N_("start")),
                      tr(N_("train loss")), tr(N_("eval loss")), tr(N_("accuracy")));
  for (const PublishedVision& row : studies::publishedVision())
    text += visionRow(trf(N_("{} layers, {}, published"), row.layers, row.data), row.symmetric, row.trainLoss, row.loss,
                      row.accuracy);
  for (const bool symmetric : {false, true})
    text += visionRow(trf(N_("{} layers, {}, ours"), table.config.model.layers,
                          table.quick ? tr(N_("generated figures")) : "CIFAR-10"),
                      symmetric, table.mean(symmetric, &VisionPoint::trainLoss),
                      table.mean(symmetric, &VisionPoint::loss), table.mean(symmetric, &VisionPoint::accuracy));
  for (const VisionRun& run : table.runs)
    if (!run.failure.empty()) text += fmt::format("  {} {}: {}\n", startWord(run.symmetric), run.seed, run.failure);
  if (table.quick) return text + "\n" + std::string(tr(N_("Nothing is judged."))) + "\n";
  return text + "\n" + judgedLines(table.study(), table.checks());
}

}  // namespace sepx::app::cli
