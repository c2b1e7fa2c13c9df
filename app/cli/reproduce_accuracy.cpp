// SPDX-License-Identifier: Apache-2.0
// What is printed of Tables 1 and 2 of Reversal: published beside ours, each run with its evaluations.
#include <cmath>

#include <fmt/format.h>

#include "app/cli/reproduce.h"
#include "app/cli/text.h"

namespace sepx::app::cli {

namespace {

using reversal::Direction;
using studies::AccuracyRun;
using studies::AccuracyTable;
using studies::PairModel;

struct Row {
  PairModel model = PairModel::Rope;
  int length = 10;
};

/// What was trained: that of the table, or of the quick study.
std::string setting(const AccuracyTable& table) {
  if (!table.quick) return tr(table.study().assumptions);
  return trf(
      N_("quick, not the setting of the table: width {}, {} steps of batches of {}, learning rate 1e-3, one seed, "
         "evaluations every 250 steps; nothing is judged"),
      table.width, table.steps, table.batch);
}

std::vector<Row> rowsOf(const AccuracyTable& table) {
  std::vector<Row> rows;
  for (const AccuracyRun& run : table.runs)
    if (rows.empty() || rows.back().model != run.model || rows.back().length != run.length)
      rows.push_back({run.model, run.length});
  return rows;
}

template <class Of>
Json overPoints(const AccuracyRun& run, Of of) {
  Json list = Json::array();
  for (const studies::AccuracyPoint& point : run.points)
    list.push_back(of(point));
  return list;
}

Json runJson(const AccuracyRun& run) {
  Json json = Json::object({{"model", studies::word(run.model)}, {"length", run.length}, {"seed", run.seed}});
  json["step"] = overPoints(run, [](const auto& point) { return point.step; });
  json["forward"] = overPoints(run, [](const auto& point) { return point.report.forward.accuracy; });
  json["reverse"] = overPoints(run, [](const auto& point) { return point.report.reverse.accuracy; });
  json["reverse_letters"] = overPoints(run, [](const auto& point) { return point.report.reverse.letters; });
  json["reverse_zero"] = overPoints(run, [](const auto& point) { return point.report.reverse.zero; });
  json["failure"] = run.failure;
  return json;
}

std::string curve(const AccuracyRun& run) {
  std::string line = fmt::format("  {:<10}{:>4}{:>6}   ", studies::word(run.model), run.length, run.seed);
  for (const studies::AccuracyPoint& point : run.points)
    line += fmt::format("{:7.1f}", 100 * point.report.reverse.accuracy);
  return line + (run.failure.empty() ? "" : "  " + run.failure) + "\n";
}

}  // namespace

Json accuracyJson(const AccuracyTable& table) {
  Json json = beginDocument("reproduce");
  json["id"] = table.study().id;
  json["quick"] = table.quick;
  json["claim"] = tr(table.study().claim);
  json["setup"] = Json::object({{"d_model", table.width}, {"steps", table.steps}, {"batch", table.batch}});
  json["rows"] = Json::array();
  for (const Row& row : rowsOf(table)) {
    const auto printed = studies::publishedAccuracy(table.number, row.model, row.length);
    json["rows"].push_back(
        Json::object({{"model", studies::word(row.model)},
                      {"length", row.length},
                      {"published_forward", printed ? Json(printed->forward) : Json()},
                      {"published_reverse", printed ? Json(printed->reverse) : Json()},
                      {"forward", table.mean(row.model, row.length, Direction::Forward)},
                      {"reverse", table.mean(row.model, row.length, Direction::Reverse)},
                      {"reverse_letters", table.mean(row.model, row.length, Direction::Reverse, true)},
                      {"forward_at_end", table.atEnd(row.model, row.length, Direction::Forward)},
                      {"reverse_at_end", table.atEnd(row.model, row.length, Direction::Reverse)},
                      {"reverse_letters_at_end", table.atEnd(row.model, row.length, Direction::Reverse, true)}}));
  }
  json["runs"] = Json::array();
  for (const AccuracyRun& run : table.runs)
    json["runs"].push_back(runJson(run));
  json["checks"] = checksJson(table.checks(), "passed");
  json["passed"] = passedJson(table.checks());
  return json;
}

std::string accuracyText(const AccuracyTable& table) {
  std::string text = std::string(tr(table.study().title)) + "\n" + setting(table) + "\n\n";
  text += tr(N_("percent; ours: mean over evaluations and seeds, and at the end, mean over seeds"));
  text += fmt::format("\n  {:<10}{:>4}{:>16}{:>8}{:>12}{:>16}{:>8}{:>12}{:>14}\n", tr(N_("model")), "L",
                      tr(N_("published fwd")), tr(N_("mean")), tr(N_("at the end")), tr(N_("published rev")),
                      tr(N_("mean")), tr(N_("at the end")), tr(N_("letters only")));
  for (const Row& row : rowsOf(table)) {
    const auto printed = studies::publishedAccuracy(table.number, row.model, row.length);
    const auto ours = [&](Direction direction) {
      return fmt::format("{:>8.1f}{:>12.1f}", table.mean(row.model, row.length, direction),
                         table.atEnd(row.model, row.length, direction));
    };
    text += fmt::format("  {:<10}{:>4}{:>16.2f}{}{:>16.1f}{}{:>14.1f}\n", studies::word(row.model), row.length,
                        printed ? printed->forward : std::nan(""), ours(Direction::Forward),
                        printed ? printed->reverse : std::nan(""), ours(Direction::Reverse),
                        table.mean(row.model, row.length, Direction::Reverse, true));
  }
  text += "\n" + std::string(tr(N_("reverse accuracy of each run over its evaluations, percent"))) + "\n";
  text += fmt::format("  {:<10}{:>4}{:>6}\n", tr(N_("model")), "L", tr(N_("seed")));
  for (const AccuracyRun& run : table.runs)
    text += curve(run);
  return text + "\n" + judgedLines(table.study(), table.checks());
}

}  // namespace sepx::app::cli
