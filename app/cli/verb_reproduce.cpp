// SPDX-License-Identifier: Apache-2.0
// sepx reproduce: published numbers beside what any checkpoints given really have; theorems checked by numbers; figures
// drawn by our own program. A safe row that was measured and does not agree with print fails, and so does a check of a
// theorem; rows that the published code got wrong are marked with the reason and never judged.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/checkpoint_arguments.h"
#include "app/cli/figure_file.h"
#include "app/cli/progress.h"
#include "app/cli/reproduce.h"
#include "app/cli/reproduce_flow.h"
#include "app/cli/reproduce_theorems.h"
#include "app/cli/reproduce_training.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/data_files.h"
#include "engine/core/file.h"
#include "ui/exhibits/weights/charts/charts_data.h"

namespace sepx::app::cli {
namespace {

using attention::PublishedModel;
using attention::PublishedValue;

constexpr std::size_t kQuickLayers = 4;

struct Reproduction {
  const char* id;
  const char* about;
};
constexpr std::array kReproductions{
    Reproduction{"attention-structure-table-4", N_("symmetry of pretrained models, median and quartiles by layer")},
    Reproduction{"attention-structure-table-5",
                 N_("directionality of pretrained models, median and quartiles by layer")},
    Reproduction{"attention-structure-figure-2", N_("both scores against the number of parameters (--out picture)")},
};

/// What one run gives.
struct ReproduceAnswer {
  std::string id;
  bool quick = false;
  attention::Published published;
  std::vector<Measured> measured;
  std::vector<std::pair<PublishedScore, std::vector<Judged>>> tables;
  bool passed() const {
    return std::all_of(tables.begin(), tables.end(), [](const auto& table) { return cli::passed(table.second); });
  }
};

Result<attention::Published> readPublished() {
  const auto path = findData("published/attention_structure.json");
  if (!path) return tl::unexpected(path.error());
  const auto text = readFile(*path);
  if (!text) return tl::unexpected(text.error());
  auto published = attention::parsePublished(*text);
  if (!published) return fail(published.error().kind, *path + ": " + published.error().sentence);
  return published;
}

/// At most kQuickLayers of every stack, evenly spread.
Layers fewOf(const Layers& all) {
  Layers few;
  for (const checkpoint::AttentionLayer* layer : all) {
    const auto count = static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [layer](const auto* one) { return one->stack == layer->stack; }));
    const auto at = static_cast<std::size_t>(layer->layer);
    const bool taken = count <= kQuickLayers || at * kQuickLayers / count != (at + 1) * kQuickLayers / count;
    if (taken) few.push_back(layer);
  }
  return few;
}

bool isGrouped(const Layers& layers) {
  return std::any_of(layers.begin(), layers.end(), [](const auto* one) { return one->kvHeads != one->heads; });
}

attention::ModelShape shapeOf(const checkpoint::Model& model) {
  const nlohmann::json& config = model.checkpoint->config();
  if (!config.is_object() || !config.contains("model_type") || !config["model_type"].is_string() ||
      model.map.layers.empty())
    return {};
  const checkpoint::AttentionLayer& first = model.map.layers.front();
  return {config["model_type"].get<std::string>(), model.map.layersOf(first.stack), first.d_model, first.kvHeads};
}

Result<std::vector<Summary>> summariesWith(const checkpoint::Model& model, const Layers& layers,
                                           checkpoint::HeadPairing pairing, QkComputer& computer, Console& console) {
  ScoreRequest request;  // the conventions of the tables are the defaults
  request.pairing = pairing;
  request.bands = false;
  const auto rows = scoreLayers(model, layers, request, computer, console, model.checkpoint->title());
  if (!rows) return tl::unexpected(rows.error());
  return summaries(*rows);
}

Result<Measured> measure(const checkpoint::Model& model, bool quick, QkComputer& computer, Console& console) {
  Measured measured;
  const auto all = layersOf(model, {});
  if (!all) return tl::unexpected(all.error());
  const Layers layers = quick ? fewOf(*all) : *all;
  auto stacks = summariesWith(model, layers, checkpoint::HeadPairing::Grouped, computer, console);
  if (!stacks) return tl::unexpected(stacks.error());
  measured.title = model.checkpoint->title();
  measured.parameters = static_cast<double>(model.checkpoint->parameters());
  measured.causal = layers.front()->causal;
  measured.stacks = std::move(*stacks);
  if (!isGrouped(layers)) return measured;
  auto published = summariesWith(model, layers, checkpoint::HeadPairing::Published, computer, console);
  if (!published) return tl::unexpected(published.error());
  measured.publishedPairing = std::move(*published);
  return measured;
}

Json quartilesJson(const attention::Quartiles& quartiles) {
  Json json = Json::object();
  json["median"] = quartiles.median;
  json["minus"] = quartiles.median - quartiles.q1;
  json["plus"] = quartiles.q3 - quartiles.median;
  return json;
}

Json rowJson(const Judged& row, PublishedScore score) {
  Json json = Json::object();
  json["model"] = row.published->name;
  json["score"] = word(score);
  json["published"] = Json::array();
  for (const PublishedValue& value : valuesOf(*row.published, score))
    json["published"].push_back(Json::object({{"median", value.median}, {"minus", value.minus}, {"plus", value.plus}}));
  json["safe"] = row.published->isSafe();
  json["why_unsafe"] = row.published->isSafe() ? Json(nullptr) : Json(row.published->unsafe);
  json["parameters"] = row.published->parameters;
  json["measured"] = row.measured ? quartilesJson(quartilesOf(row.measured->stacks.front(), score)) : Json(nullptr);
  json["published_pairing"] = row.measured && !row.measured->publishedPairing.empty()
                                  ? quartilesJson(quartilesOf(row.measured->publishedPairing.front(), score))
                                  : Json(nullptr);
  json["checkpoint"] = row.measured ? Json(row.measured->title) : Json(nullptr);
  json["difference"] = row.off ? Json(*row.off) : Json(nullptr);
  json["agrees"] = row.agrees ? Json(*row.agrees) : Json(nullptr);
  return json;
}

Json checkpointJson(const Measured& measured) {
  Json json = Json::object();
  json["model"] = measured.title;
  json["row"] = measured.row ? Json(measured.row->name) : Json(nullptr);
  json["row_by"] = !measured.row ? Json(nullptr) : Json(measured.byShape ? "shape" : "name");
  json["parameters"] = measured.parameters;
  json["causal"] = measured.causal;
  json["stacks"] = Json::array();
  for (const Summary& one : measured.stacks)
    json["stacks"].push_back(toJson(one));
  return json;
}

Json reproduceJson(const ReproduceAnswer& answer) {
  Json json = beginDocument("reproduce");
  json["id"] = answer.id;
  json["quick"] = answer.quick;
  json["source"] = answer.published.source;
  json["tolerance"] = attention::kPrintTolerance;
  json["checkpoints"] = Json::array();
  for (const Measured& one : answer.measured)
    json["checkpoints"].push_back(checkpointJson(one));
  json["rows"] = Json::array();
  for (const auto& [score, rows] : answer.tables) {
    for (const Judged& row : rows)
      json["rows"].push_back(rowJson(row, score));
  }
  json["passed"] = answer.passed();
  return json;
}

std::string printed(const PublishedValue& value) {
  return fmt::format("{:>6.2f}  -{:.2f} +{:.2f}", value.median, value.minus, value.plus);
}

std::string measuredText(const attention::Quartiles& value) {
  if (!std::isfinite(value.median)) return fmt::format("{:>24}", "-");
  return fmt::format("{:>8.4f}  -{:.4f} +{:.4f}", value.median, value.median - value.q1, value.q3 - value.median);
}

/// Why rows are no anchor, each reason once.
std::vector<std::string> reasonsOf(const attention::Published& published) {
  std::vector<std::string> reasons;
  for (const PublishedModel& model : published.models) {
    if (!model.isSafe() && std::find(reasons.begin(), reasons.end(), model.unsafe) == reasons.end())
      reasons.push_back(model.unsafe);
  }
  return reasons;
}

std::string verdict(const Judged& row, const std::vector<std::string>& reasons) {
  if (!row.published->isSafe()) {
    const auto reason = std::find(reasons.begin(), reasons.end(), row.published->unsafe);
    return trf(N_("not computed as the model does ({})"), reason - reasons.begin() + 1);
  }
  if (!row.measured) return {};
  if (row.measured->byShape) return tr(N_("not judged: has the shape, not the name"));
  if (!row.agrees) return tr(N_("not judged"));
  return *row.agrees ? tr(N_("agrees")) : trf(N_("DISAGREES by {}"), forPeople(*row.off));
}

void printRow(std::ostream& out, const Judged& row, PublishedScore score, const std::vector<std::string>& reasons) {
  out << fmt::format("{:<17}{:<22}{:<26}{}\n", row.published->name, printed(valuesOf(*row.published, score).front()),
                     row.measured ? measuredText(quartilesOf(row.measured->stacks.front(), score)) : "",
                     verdict(row, reasons));
  if (row.measured && !row.measured->publishedPairing.empty()) {
    out << fmt::format("{:<39}{:<26}{}\n", "", measuredText(quartilesOf(row.measured->publishedPairing.front(), score)),
                       tr(N_("heads paired as published")));
  }
}

void printTable(std::ostream& out, const ReproduceAnswer& answer) {
  const std::vector<std::string> reasons = reasonsOf(answer.published);
  for (const auto& [score, rows] : answer.tables) {
    out << trf(N_("{}: median and how far its quartiles lie below and above"), word(score)) << "\n";
    out << fmt::format("{:<17}{:<22}{:<26}\n", "", tr(N_("published")), tr(N_("measured")));
    for (const Judged& row : rows) {
      if (row.measured || answer.measured.empty()) printRow(out, row, score, reasons);
    }
    out << "\n";
  }
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const bool shown = std::any_of(answer.tables.begin(), answer.tables.end(), [&](const auto& table) {
      return std::any_of(table.second.begin(), table.second.end(), [&](const Judged& row) {
        return row.published->unsafe == reasons[i] && (row.measured || answer.measured.empty());
      });
    });
    if (shown) out << fmt::format("({}) {}\n", i + 1, reasons[i]);
  }
  for (const Measured& one : answer.measured) {
    if (one.row != nullptr) continue;
    const Summary& first = one.stacks.front();
    out << trf(N_("{}: no row has this name (NAME=PATH says which); s {}, d {}"), one.title,
               forPeople(first.symmetry.median), forPeople(first.directionality.median))
        << "\n";
  }
  if (answer.quick) out << tr(N_("quick: a part of the layers, so nothing is judged")) << "\n";
}

class ReproduceVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    command.add_option("id", id_, tr(N_("list, or what `list` names")))->type_name("list|ID");
    command.add_option("checkpoints", files_, tr(N_("to measure; matched to a row by folder, config or NAME=PATH")))
        ->type_name("[NAME=]CHECKPOINT...");
    command.add_option("--out", out_, tr(N_("the picture of a figure: .png, .svg or .pdf")))->type_name("FIGURE");
    command.add_flag("--quick", quick_,
                     tr(N_("four layers of a stack at most, nothing is judged then; of a theorem a tenth of the "
                           "points, of a cloud a quarter; of training fewer steps and seeds")));
    rules_.declare(command);
    command.add_flag("--json", json_, tr(N_("Print one JSON document")));
    command.footer(commonFlagsWords());
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    if (id_.empty()) return fail(ErrorKind::Usage, tr(N_("what is to be reproduced? `sepx reproduce list` names it")));
    if (id_ == "list") return list(console);
    for (const TheoremEntry& one : theoremEntries())
      if (one.id == id_) return theorem(one.theorem, console, common);
    for (const FlowFigureEntry& one : flowFigureEntries())
      if (one.id == id_) return flowFigure(one.figure, console, common);
    for (const TrainingFigureEntry& one : trainingFigureEntries())
      if (one.id == id_) return trainingFigure(one.figure, console, common);
    if (const Result<void> usable = check(); !usable) return tl::unexpected(usable.error());
    ReproduceAnswer answer;
    answer.id = id_;
    answer.quick = quick_;
    auto published = readPublished();
    if (!published) return tl::unexpected(published.error());
    answer.published = std::move(*published);
    auto measured = measureAll(answer.published, console, common);
    if (!measured) return tl::unexpected(measured.error());
    answer.measured = std::move(*measured);
    for (const PublishedScore score : scoresOfId())
      answer.tables.emplace_back(score, judge(answer.published, answer.measured, score, !quick_));
    const Json document = reproduceJson(answer);
    if (!out_.empty()) {
      const auto drawn = drawFigure2(answer.published, answer.measured, common, finishDocument(document), out_);
      if (!drawn) return tl::unexpected(drawn.error());
    }
    if (json_)
      console.out << finishDocument(document);
    else
      printTable(console.out, answer);
    return answer.passed() ? Outcome::Done : Outcome::CheckFailed;
  }

 private:
  Result<Outcome> list(Console& console) const {
    if (!files_.empty() || !out_.empty())
      return fail(ErrorKind::Usage, tr(N_("list names what there is; leave checkpoints and --out out")));
    if (json_) {
      Json json = beginDocument("reproduce");
      json["id"] = "list";
      json["ids"] = Json::array();
      for (const Reproduction& one : kReproductions)
        json["ids"].push_back(Json::object({{"id", one.id}, {"about", one.about}}));
      for (const FlowFigureEntry& one : flowFigureEntries())
        json["ids"].push_back(Json::object({{"id", one.id}, {"about", one.about}}));
      for (const TrainingFigureEntry& one : trainingFigureEntries())
        json["ids"].push_back(Json::object({{"id", one.id}, {"about", one.about}}));
      for (const TheoremEntry& one : theoremEntries())
        json["ids"].push_back(Json::object({{"id", one.id}, {"about", one.about}}));
      console.out << finishDocument(json);
      return Outcome::Done;
    }
    for (const Reproduction& one : kReproductions)
      console.out << fmt::format("{:<32}{}\n", one.id, tr(one.about));
    for (const FlowFigureEntry& one : flowFigureEntries())
      console.out << fmt::format("{:<32}{}\n", one.id, tr(one.about));
    for (const TrainingFigureEntry& one : trainingFigureEntries())
      console.out << fmt::format("{:<32}{}\n", one.id, tr(one.about));
    for (const TheoremEntry& one : theoremEntries())
      console.out << fmt::format("{:<32}{}\n", one.id, tr(one.about));
    return Outcome::Done;
  }

  Result<Outcome> theorem(int number, Console& console, const Options& common) const {
    if (!files_.empty() || !out_.empty())
      return fail(ErrorKind::Usage, tr(N_("a theorem is checked by numbers; leave checkpoints and --out out")));
    ThreadPool pool(common.threads);
    const TheoremReport report = checkTheorem(number, quick_, common.seed, pool);
    console.out << (json_ ? finishDocument(theoremJson(report)) : theoremText(report));
    return report.passed() ? Outcome::Done : Outcome::CheckFailed;
  }

  Result<Outcome> flowFigure(int number, Console& console, const Options& common) const {
    if (!files_.empty()) return fail(ErrorKind::Usage, tr(N_("this figure needs no checkpoints; leave them out")));
    if (const Result<void> usable = checkEnding(); !usable) return tl::unexpected(usable.error());
    ThreadPool pool(common.threads);
    const FlowFigure figure = computeFlowFigure(number, quick_, common.seed, pool);
    const std::string document = finishDocument(flowFigureJson(figure, quick_));
    if (!out_.empty()) {
      const auto make = [&](double width, double height, const ui::Theme& theme) {
        return number == 1 ? planeFigure(figure, width, height, theme, pool)
                           : spaceFigure(figure, width, height, theme, pool);
      };
      const auto drawn = writeFigure(make, flowFigureTitle(number), common, document, out_);
      if (!drawn) return tl::unexpected(drawn.error());
    }
    console.out << (json_ ? document : flowFigureText(figure));
    return figure.passed() ? Outcome::Done : Outcome::CheckFailed;
  }

  Result<Outcome> trainingFigure(int number, Console& console, const Options& common) const {
    if (!files_.empty()) return fail(ErrorKind::Usage, tr(N_("this figure needs no checkpoints; leave them out")));
    if (const Result<void> usable = checkEnding(); !usable) return tl::unexpected(usable.error());
    ThreadPool pool(common.threads);
    const auto figure = [&] {
      Progress progress(console, id_);
      return computeTrainingFigure(number, quick_, common.seed, pool,
                                   [&progress](double share) { progress.at(share); });
    }();
    if (!figure) return tl::unexpected(figure.error());
    const std::string document = finishDocument(trainingFigureJson(*figure));
    if (!out_.empty()) {
      const auto make = [&](double width, double height, const ui::Theme& theme) {
        return trainingFigureScene(*figure, width, height, theme);
      };
      const auto drawn = writeFigure(make, trainingFigureTitle(number), common, document, out_);
      if (!drawn) return tl::unexpected(drawn.error());
    }
    console.out << (json_ ? document : trainingFigureText(*figure));
    return figure->passed() ? Outcome::Done : Outcome::CheckFailed;
  }

  bool isFigure() const { return id_ == "attention-structure-figure-2"; }

  std::vector<PublishedScore> scoresOfId() const {
    if (id_ == "attention-structure-table-4") return {PublishedScore::Symmetry};
    if (id_ == "attention-structure-table-5") return {PublishedScore::Directionality};
    return {PublishedScore::Symmetry, PublishedScore::Directionality};
  }

  Result<void> check() const {
    const bool known = std::any_of(kReproductions.begin(), kReproductions.end(),
                                   [this](const Reproduction& one) { return id_ == one.id; });
    if (!known)
      return failf(ErrorKind::Usage, N_("'{}' is nothing that can be reproduced; `sepx reproduce list` names them"),
                   id_);
    if (!out_.empty() && !isFigure())
      return fail(ErrorKind::Usage, tr(N_("--out: a table is printed; figures have pictures")));
    return checkEnding();
  }

  Result<void> checkEnding() const {
    const std::string ending = std::filesystem::path(out_).extension().string();
    if (!out_.empty() && ending != ".png" && ending != ".svg" && ending != ".pdf")
      return failf(ErrorKind::Usage, N_("--out: '{}' ends in none of .png, .svg, .pdf"), out_);
    return {};
  }

  Result<std::vector<Measured>> measureAll(const attention::Published& published, Console& console,
                                           const Options& common) const {
    std::vector<Measured> all;
    if (files_.empty()) return all;
    auto computer = QkComputer::create(common);
    if (!computer) return tl::unexpected(computer.error());
    for (const std::string& argument : files_) {
      const GivenCheckpoint given = givenCheckpoint(argument);
      const PublishedModel* row = given.name.empty() ? nullptr : published.find(given.name);
      if (!given.name.empty() && row == nullptr)
        return failf(ErrorKind::Usage, N_("'{}': no published row is called '{}'"), argument, given.name);
      const auto model = rules_.open(given.path);
      if (!model) return tl::unexpected(model.error());
      auto measured = measure(**model, quick_, **computer, console);
      if (!measured) return tl::unexpected(measured.error());
      measured->row = row != nullptr ? row : ui::publishedOf(published, **model);
      measured->byShape = measured->row == nullptr;
      // A file that holds the attention alone stands where the whole model belongs.
      if (measured->row != nullptr) measured->parameters = measured->row->parameters;
      if (measured->byShape) measured->row = published.ofShape(shapeOf(**model));
      all.push_back(std::move(*measured));
    }
    return all;
  }

  std::string id_, out_;
  std::vector<std::string> files_;
  RulesArgument rules_;
  bool quick_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Verb> makeReproduce() {
  return std::make_unique<ReproduceVerb>();
}

}  // namespace sepx::app::cli
