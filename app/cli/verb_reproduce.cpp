// SPDX-License-Identifier: Apache-2.0
// sepx reproduce: computes, judges and shows studies. A measured safe row of a table that does not agree with the
// published one is a failure, and so is any other failed check of a study. Rows that the published code got wrong are
// never judged.
#include <filesystem>
#include <memory>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/checkpoint_arguments.h"
#include "app/cli/declare.h"
#include "app/cli/progress.h"
#include "app/cli/protect_inputs.h"
#include "app/cli/qk_scores.h"
#include "app/cli/study_figure.h"
#include "app/cli/study_json.h"
#include "app/cli/study_text.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/data_files.h"
#include "engine/core/file.h"
#include "engine/core/try.h"
#include "engine/studies/paper_items.h"
#include "engine/studies/score_result.h"
#include "engine/studies/score_study.h"

namespace sepx::app::cli {

namespace {

using studies::Study;
using studies::StudyForm;
using studies::wordOrNull;

Result<attention::Published> readPublished() {
  SEPX_ASSIGN(const auto path, findData("published/attention_structure.json"));
  SEPX_ASSIGN(const auto text, readFile(path));
  auto published = attention::parsePublished(text);
  if (!published) return fail(published.error().kind, path + ": " + published.error().message);
  return published;
}

/// A checkpoint as given: "NAME=PATH" or PATH.
struct GivenCheckpoint {
  std::string name;  ///< of the published row; empty: matched by the checkpoint's own names
  std::string path;
};
GivenCheckpoint givenCheckpoint(const std::string& argument) {
  const std::size_t equals = argument.find('='), slash = argument.find('/');
  const bool named = equals != std::string::npos && equals > 0 && (slash == std::string::npos || equals < slash);
  if (!named) return {{}, argument};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

class ReproduceVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    command_ = &command;
    addOption(command, "id", id_, N_("list, or an ID that `list` shows"), "list|ID");
    addOption(command, "checkpoints", files_,
              N_("checkpoints to measure; each is matched to a row by folder, config or NAME=PATH"),
              "[NAME=]CHECKPOINT…");
    addOption(command, "--out", out_, N_("the picture of a figure: .png, .svg or .pdf"), "FIGURE");
    addFlag(command, "--quick", quick_,
            N_("faster: at most four layers of a stack, and then nothing is judged; a tenth of the points of a "
               "theorem, a quarter of a cloud; fewer training steps and seeds"));
    rules_.declare(command);
    addJsonFlag(command, json_);
    command.footer(commonFlagsWords());
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    if (id_.empty())
      return fail(ErrorKind::Usage, tr(N_("name what to reproduce; `sepx reproduce list` lists the IDs")));
    if (id_ == "list") return list(console);
    const Study* study = studies::findStudy(id_);
    if (study == nullptr || !study->isReproduced())
      return failf(ErrorKind::Usage, N_("'{}' cannot be reproduced; `sepx reproduce list` lists what can"), id_);
    SEPX_TRY(check(*study));
    ThreadPool pool(common.threads);
    SEPX_ASSIGN(const studies::StudyResult result,
                study->ofCheckpoints ? scores(*study, console, common) : compute(*study, pool, console, common));
    const std::string document = finishDocument(studyJson(result));
    if (!out_.empty()) SEPX_TRY(writeFigure(studyFigure(result, pool), tr(study->title), common, document, out_));
    console.out << (json_ ? document : studyText(result));
    return result.passed() ? Outcome::Done : Outcome::CheckFailed;
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
      if (!one.isReproduced()) continue;
      json["ids"].push_back(Json::object({{"id", one.id}, {"about", one.about}}));
      text += fmt::format("{:<38}{}\n", one.id, tr(one.about));
    }
    json["items"] = Json::array();
    std::string_view paper;
    for (const studies::PaperItem& item : studies::paperItems()) {
      const studies::ItemState state = stateOf(item);
      const std::string place = placeOf(item);
      json["items"].push_back(Json::object({{"id", item.id},
                                            {"paper", item.paper},
                                            {"name", item.name},
                                            {"what", item.what},
                                            {"state", studies::toString(state)},
                                            {"where", wordOrNull(place)},
                                            {"note", wordOrNull(item.why)}}));
      if (paper != item.paper) text += fmt::format("\n{}\n", item.paper);
      paper = item.paper;
      text += itemLine(item, state, place);
    }
    console.out << (json_ ? finishDocument(json) : text);
    return Outcome::Done;
  }

  /// "  Lemma 1  judged  the energy is constant along the flow: study local-to-global-theorem-2"
  static std::string itemLine(const studies::PaperItem& item, studies::ItemState state, const std::string& place) {
    std::string line = fmt::format("  {:<24}{:<14}{}", item.name, tr(stateWord(state)), tr(item.what));
    if (!place.empty()) line += ": " + place;
    if (*item.why != '\0') line += fmt::format(" ({})", tr(item.why));
    return line + "\n";
  }
  static const char* stateWord(studies::ItemState state) {
    switch (state) {
      case studies::ItemState::Judged:
        return N_("judged");
      case studies::ItemState::Shown:
        return N_("shown");
      case studies::ItemState::Published:
        return N_("published");
      default:
        return N_("out of scope");
    }
  }

  Result<void> check(const Study& study) const {
    if (study.form == StudyForm::Theorem && (!files_.empty() || !out_.empty()))
      return fail(ErrorKind::Usage, tr(N_("a theorem is checked by numbers and takes neither checkpoints nor --out")));
    if (!study.ofCheckpoints && !files_.empty())
      return fail(ErrorKind::Usage, tr(N_("this figure needs no checkpoints; leave them out")));
    if (out_.empty()) return {};
    if (study.form == StudyForm::Table)
      return fail(ErrorKind::Usage, tr(N_("--out: a table has no picture and is only printed")));
    const std::string ending = std::filesystem::path(out_).extension().string();
    if (ending != ".png" && ending != ".svg" && ending != ".pdf")
      return failf(ErrorKind::Usage, N_("--out: '{}' must end in .png, .svg or .pdf"), out_);
    return {};
  }

  /// Computes the study with a progress bar on standard error. The user can interrupt it.
  Result<studies::StudyResult> compute(const Study& study, ThreadPool& pool, Console& console,
                                       const Options& common) const {
    const Interrupts interrupts;
    Progress progress(console, id_);
    const bool asked = command_->get_parent()->count("--seed") > 0;
    return study.compute({pool, quick_, asked ? common.seed : study.firstSeed(), progress.function(),
                          [&interrupts] { return interrupts.seen(); }});
  }

  /// Measures the given checkpoints and judges the scores.
  Result<studies::StudyResult> scores(const Study& study, Console& console, const Options& common) const {
    const auto tables = std::make_shared<studies::ScoreTables>();
    tables->study = &study;
    tables->quick = quick_;
    SEPX_ASSIGN(tables->published, readPublished());
    SEPX_TRY(measureAll(*tables, console, common));
    tables->judgeAll();
    return resultOf(std::shared_ptr<const studies::ScoreTables>(tables));
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
      SEPX_TRY(protectInputs("--out", out_, inputsOf(*model, given.path)));
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
  return {"reproduce", N_("Compute the papers' tables and figures and compare them with the published ones"),
          std::make_unique<ReproduceVerb>()};
}

}  // namespace sepx::app::cli
