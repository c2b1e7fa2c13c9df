// SPDX-License-Identifier: Apache-2.0
// sepx lesson: lists lessons, packs a lesson into one file, makes pictures of its steps, and writes the answers that
// solve a homework.
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/protect_inputs.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/data_files.h"
#include "app/homework.h"
#include "app/lesson_tour.h"
#include "app/options.h"
#include "engine/core/file.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "ui/document/lesson_file.h"

namespace sepx::app::cli {
namespace {

class LessonVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "action", action_, N_("list, pack, pictures or solve"), "ACTION")->required();
    addOption(command, "files", files_, N_("a lesson; for pack also further files and folders beside it"), "LESSON");
    addOption(command, "--out", out_,
              N_("the file to write: .sepx-lesson for pack, .json for solve; for pictures the folder"), "FILE");
    addFlag(command, "--room", room_, N_("pictures: as the stage shows the steps"));
    addFlag(command, "--half", half_, N_("pictures: half as wide and high as --size"));
    addFlag(command, "--no-training", noTraining_, N_("pictures: stop before the first step that trains a run"));
    addOption(command, "--name", name_, N_("solve: the name that determines the values"), "NAME");
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    if (action_ == "list") return list(console.out);
    if (action_ != "pack" && action_ != "pictures" && action_ != "solve")
      return failf(ErrorKind::Usage, N_("'{}' is not an action; the actions are list, pack, pictures and solve"),
                   action_);
    if (files_.empty()) return failf(ErrorKind::Usage, N_("{}: a lesson is missing"), action_);
    if (out_.empty()) return failf(ErrorKind::Usage, N_("{}: --out FILE is missing"), action_);
    if (action_ == "pictures") return pictures(console.out, common);
    return action_ == "pack" ? pack(console.out) : solve(console.out, common);
  }

 private:
  Result<Outcome> list(std::ostream& out) const {
    if (!files_.empty()) return failf(ErrorKind::Usage, N_("list takes no lesson"));
    Json json = beginDocument("lesson");
    json["lessons"] = Json::array();
    for (const LessonFile& lesson : lessons()) {
      json["lessons"].push_back(Json{{"path", lesson.path},
                                     {"title", lesson.title},
                                     {"minutes", lesson.minutes},
                                     {"exhibit", orNull(lesson.exhibit)},
                                     {"own", lesson.own}});
      if (json_) continue;
      const std::string minutes = lesson.minutes > 0 ? std::to_string(lesson.minutes) : "–";
      out << fmt::format("{:>3} min  {:<9} {}  ({})\n", minutes, lesson.exhibit, excerpt(lesson.title, 80),
                         printable(lesson.path));
    }
    if (json_) out << finishDocument(json);
    return Outcome::Done;
  }

  Result<Outcome> pack(std::ostream& out) const {
    if (!out_.ends_with(ui::kLessonEnding))
      return failf(ErrorKind::Usage, N_("--out: '{}' does not end in {}"), out_, ui::kLessonEnding);
    SEPX_TRY(protectInputs("--out", out_, files_));
    SEPX_ASSIGN(const auto names,
                ui::packLesson(files_.front(), {files_.begin() + 1, files_.end()}, out_, assetsFolder()));
    if (json_) {
      Json json = beginDocument("lesson");
      json["names"] = names;
      out << finishDocument(json);
      return Outcome::Done;
    }
    for (const std::string& name : names)
      out << printable(name) << "\n";
    return Outcome::Done;
  }

  Result<Outcome> pictures(std::ostream& out, const Options& common) const {
    if (files_.size() != 1) return failf(ErrorKind::Usage, N_("pictures takes one lesson"));
    SEPX_TRY(makeFolders(out_));
    SEPX_ASSIGN(const std::size_t made, lessonPictures(common, files_.front(), {out_, room_, half_, !noTraining_}));
    if (json_) {
      Json json = beginDocument("lesson");
      json["pictures"] = made;
      out << finishDocument(json);
      return Outcome::Done;
    }
    out << counted(made, N_("{} picture"), N_("{} pictures")) << "\n";
    return Outcome::Done;
  }

  Result<Outcome> solve(std::ostream& out, const Options& common) const {
    if (name_.empty()) return failf(ErrorKind::Usage, N_("solve: --name NAME is missing"));
    if (files_.size() != 1) return failf(ErrorKind::Usage, N_("solve takes one lesson"));
    SEPX_TRY(protectInputs("--out", out_, files_));
    SEPX_ASSIGN(const ui::Answers answers, solveHomework(common, files_.front(), name_));
    SEPX_TRY(writeFile(out_, ui::answersText(answers)));
    if (json_) {
      Json json = beginDocument("lesson");
      json["answers"] = answers.given.size();
      out << finishDocument(json);
      return Outcome::Done;
    }
    for (const auto& [key, value] : answers.varied)
      out << key << " = " << value << "\n";
    out << counted(answers.given.size(), N_("{} answer"), N_("{} answers")) << "\n";
    return Outcome::Done;
  }

  std::string action_, out_, name_;
  bool room_ = false, half_ = false, noTraining_ = false;
  std::vector<std::string> files_;
  bool json_ = false;
};

}  // namespace

VerbEntry makeLesson() {
  return {"lesson", N_("List lessons, pack one into a file, make pictures of its steps, solve homework"),
          std::make_unique<LessonVerb>()};
}

}  // namespace sepx::app::cli
