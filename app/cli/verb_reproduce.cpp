// SPDX-License-Identifier: Apache-2.0
// sepx reproduce: studies computed, judged and shown. A safe row of a table that was measured and does not agree with
// print fails, and so does any other check of a study; rows that the published code got wrong are never judged.
#include <filesystem>
#include <functional>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/checkpoint_arguments.h"
#include "app/cli/declare.h"
#include "app/cli/figure_file.h"
#include "app/cli/keep_inputs.h"
#include "app/cli/progress.h"
#include "app/cli/qk_scores.h"
#include "app/cli/reproduce.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/data_files.h"
#include "engine/core/file.h"
#include "engine/core/try.h"

namespace sepx::app::cli {

namespace {

using studies::Study;
using studies::StudyKind;

Result<attention::Published> readPublished() {
  SEPX_ASSIGN(const auto path, findData("published/attention_structure.json"));
  SEPX_ASSIGN(const auto text, readFile(path));
  auto published = attention::parsePublished(text);
  if (!published) return fail(published.error().kind, path + ": " + published.error().sentence);
  return published;
}

/// A checkpoint as given: "NAME=PATH" or PATH.
struct GivenCheckpoint {
  std::string name;  ///< of the published row; empty: by the checkpoint's own names
  std::string path;
};
GivenCheckpoint givenCheckpoint(const std::string& argument) {
  const std::size_t equals = argument.find('='), slash = argument.find('/');
  const bool named = equals != std::string::npos && equals > 0 && (slash == std::string::npos || equals < slash);
  if (!named) return {{}, argument};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

/// What a study gave, as it is shown.
struct Shown {
  bool passed = false;
  Json document;
  std::string text;
  FigureMaker figure;  ///< empty: a study without a picture
};

class ReproduceVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    command_ = &command;
    addOption(command, "id", id_, N_("list, or what `list` names"), "list|ID");
    addOption(command, "checkpoints", files_, N_("to measure; matched to a row by folder, config or NAME=PATH"),
              "[NAME=]CHECKPOINT…");
    addOption(command, "--out", out_, N_("the picture of a figure: .png, .svg or .pdf"), "FIGURE");
    addFlag(command, "--quick", quick_,
            N_("four layers of a stack at most, nothing is judged then; of a theorem a tenth of the "
               "points, of a cloud a quarter; of training fewer steps and seeds"));
    rules_.declare(command);
    addJsonFlag(command, json_);
    command.footer(commonFlagsWords());
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    if (id_.empty()) return fail(ErrorKind::Usage, tr(N_("name what to reproduce; `sepx reproduce list` lists it")));
    if (id_ == "list") return list(console);
    const Study* study = studies::findStudy(id_);
    if (study == nullptr)
      return failf(ErrorKind::Usage, N_("'{}' cannot be reproduced; `sepx reproduce list` lists what can"), id_);
    SEPX_TRY(check(*study));
    if (study->kind == StudyKind::Scores) return scores(*study, console, common);
    ThreadPool pool(common.threads);
    switch (study->kind) {
      case StudyKind::Theorem:
      case StudyKind::Growth:
      case StudyKind::Bounds:
        return theorem(*study, pool, console, common);
      case StudyKind::Flow:
        return flow(*study, pool, console, common);
      case StudyKind::Emergence:
        return emergence(*study, pool, console, common);
      case StudyKind::Accuracy:
        return accuracy(*study, pool, console, common);
      case StudyKind::Vision:
        return vision(*study, pool, console, common);
      case StudyKind::Transfer:
        return transfer(*study, pool, console, common);
      default:
        return training(*study, pool, console, common);
    }
  }

 private:
  Result<Outcome> list(Console& console) const {
    if (!files_.empty() || !out_.empty())
      return fail(ErrorKind::Usage, tr(N_("list takes neither checkpoints nor --out")));
    Json json = beginDocument("reproduce");
    json["id"] = "list";
    json["ids"] = Json::array();
    std::string text;
    for (const Study& one : studies::studies()) {
      json["ids"].push_back(Json::object({{"id", one.id}, {"about", one.about}}));
      text += fmt::format("{:<32}{}\n", one.id, tr(one.about));
    }
    console.out << (json_ ? finishDocument(json) : text);
    return Outcome::Done;
  }

  Result<void> check(const Study& study) const {
    if ((study.kind == StudyKind::Theorem || study.kind == StudyKind::Growth) && (!files_.empty() || !out_.empty()))
      return fail(ErrorKind::Usage, tr(N_("a theorem is checked by numbers and takes neither checkpoints nor --out")));
    if (study.kind != StudyKind::Scores && !files_.empty())
      return fail(ErrorKind::Usage, tr(N_("this figure needs no checkpoints; leave them out")));
    if (out_.empty()) return {};
    const bool table = study.kind == StudyKind::Scores
                           ? study.number != 2
                           : study.kind == StudyKind::Accuracy || study.kind == StudyKind::Bounds ||
                                 study.kind == StudyKind::Vision ||
                                 (study.kind == StudyKind::Emergence && study.number == 1);
    if (table) return fail(ErrorKind::Usage, tr(N_("--out: a table is printed; figures have pictures")));
    const std::string ending = std::filesystem::path(out_).extension().string();
    if (ending != ".png" && ending != ".svg" && ending != ".pdf")
      return failf(ErrorKind::Usage, N_("--out: '{}' ends in none of .png, .svg, .pdf"), out_);
    return {};
  }

  /// compute(work) with a bar on standard error, until the person interrupts it.
  template <class Compute>
  auto compute(const Compute& computation, ThreadPool& pool, Console& console, const Options& common) const {
    const Interrupts interrupts;
    Progress progress(console, id_);
    const bool asked = command_->get_parent()->count("--seed") > 0;
    return computation(studies::Work{pool, quick_, asked ? common.seed : studies::findStudy(id_)->firstSeed(),
                                     progress.function(), [&interrupts] { return interrupts.seen(); }});
  }

  Result<Outcome> show(const Study& study, const Shown& shown, Console& console, const Options& common) const {
    const std::string document = finishDocument(shown.document);
    if (!out_.empty()) SEPX_TRY(writeFigure(shown.figure, tr(study.title), common, document, out_));
    console.out << (json_ ? document : shown.text);
    return shown.passed ? Outcome::Done : Outcome::CheckFailed;
  }

  Result<Outcome> theorem(const Study& study, ThreadPool& pool, Console& console, const Options& common) const {
    SEPX_ASSIGN(const auto report, compute(
                                       [&](const studies::Work& work) {
                                         if (study.kind == StudyKind::Growth) return studies::checkNormGrowth(work);
                                         if (study.kind == StudyKind::Bounds)
                                           return studies::checkBounds(study.number, work);
                                         return studies::checkTheorem(study.number, work);
                                       },
                                       pool, console, common));
    return show(study, {report.passed(), theoremJson(report), theoremText(report), {}}, console, common);
  }

  Result<Outcome> flow(const Study& study, ThreadPool& pool, Console& console, const Options& common) const {
    SEPX_ASSIGN(const auto figure,
                compute([&](const studies::Work& work) { return studies::computeFlowFigure(study.number, work); }, pool,
                        console, common));
    const auto make = [&](double width, double height, const ui::Theme& theme) {
      return flowFigure(figure, width, height, theme, pool);
    };
    return show(study, {figure.passed(), flowFigureJson(figure), flowFigureText(figure), make}, console, common);
  }

  Result<Outcome> training(const Study& study, ThreadPool& pool, Console& console, const Options& common) const {
    SEPX_ASSIGN(const auto figure,
                compute([&](const studies::Work& work) { return studies::computeTrainingFigure(study.number, work); },
                        pool, console, common));
    const auto make = [&](double width, double height, const ui::Theme& theme) {
      return trainingFigureScene(figure, width, height, theme);
    };
    return show(study, {figure.passed(), trainingFigureJson(figure), trainingFigureText(figure), make}, console,
                common);
  }

  Result<Outcome> emergence(const Study& study, ThreadPool& pool, Console& console, const Options& common) const {
    SEPX_ASSIGN(const auto computed,
                compute([&](const studies::Work& work) { return studies::computeEmergence(study.number, work); }, pool,
                        console, common));
    const auto make = [&](double width, double height, const ui::Theme& theme) {
      return emergenceFigure(computed, width, height, theme);
    };
    return show(study, {computed.passed(), emergenceJson(computed), emergenceText(computed), make}, console, common);
  }

  Result<Outcome> accuracy(const Study& study, ThreadPool& pool, Console& console, const Options& common) const {
    SEPX_ASSIGN(const auto computed,
                compute([&](const studies::Work& work) { return studies::computeAccuracy(study.number, work); }, pool,
                        console, common));
    return show(study, {computed.passed(), accuracyJson(computed), accuracyText(computed), {}}, console, common);
  }

  Result<Outcome> vision(const Study& study, ThreadPool& pool, Console& console, const Options& common) const {
    SEPX_ASSIGN(const auto computed, compute([&](const studies::Work& work) { return studies::computeVision(work); },
                                             pool, console, common));
    return show(study, {computed.passed(), visionJson(computed), visionText(computed), {}}, console, common);
  }

  Result<Outcome> transfer(const Study& study, ThreadPool& pool, Console& console, const Options& common) const {
    SEPX_ASSIGN(const auto computed,
                compute([&](const studies::Work& work) { return studies::computeTransfer(study.number, work); }, pool,
                        console, common));
    const auto make = [&](double width, double height, const ui::Theme& theme) {
      return transferFigure(computed, width, height, theme);
    };
    return show(study, {computed.passed(), transferJson(computed), transferText(computed), make}, console, common);
  }

  Result<Outcome> scores(const Study& study, Console& console, const Options& common) const {
    studies::ScoreTables tables;
    tables.number = study.number;
    tables.quick = quick_;
    SEPX_ASSIGN(tables.published, readPublished());
    SEPX_TRY(measureAll(tables, console, common));
    tables.judgeAll();
    const auto make = [&](double width, double height, const ui::Theme& theme) {
      return scoresFigure(tables, width, height, theme);
    };
    return show(study, {tables.passed(), scoresJson(tables), scoresText(tables), make}, console, common);
  }

  Result<void> measureAll(studies::ScoreTables& tables, Console& console, const Options& common) const {
    if (files_.empty()) return {};
    SEPX_ASSIGN(auto computer, QkComputer::create(common));
    for (const std::string& argument : files_) {
      const GivenCheckpoint given = givenCheckpoint(argument);
      const attention::PublishedModel* row = given.name.empty() ? nullptr : tables.published.find(given.name);
      if (!given.name.empty() && row == nullptr)
        return failf(ErrorKind::Usage, N_("'{}': no published row is called '{}'"), argument, given.name);
      SEPX_ASSIGN(const auto model, rules_.open(given.path));
      SEPX_TRY(keepInputs("--out", out_, inputsOf(*model, given.path)));
      SEPX_ASSIGN(const auto layers, layersOf(*model, {}));
      Progress progress(console, model->checkpoint->title());
      SEPX_ASSIGN(auto measured,
                  studies::measure(*model, layers, tables.published, row, quick_, *computer, progress.function()));
      tables.measured.push_back(std::move(measured));
    }
    return {};
  }

  CLI::App* command_ = nullptr;
  std::string id_, out_;
  std::vector<std::string> files_;
  RulesArgument rules_;
  bool quick_ = false, json_ = false;
};

}  // namespace

VerbEntry makeReproduce() {
  return {"reproduce", N_("Compute the papers' tables and figures and compare them with print"),
          std::make_unique<ReproduceVerb>()};
}

}  // namespace sepx::app::cli
