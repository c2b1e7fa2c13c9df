// SPDX-License-Identifier: Apache-2.0
// The oracle. The program itself declares what undo leaves unchanged: Property::undoable. The pictures are those of
// figures (Workbench::setFigure), which show only a document and nothing else of a window.
#include "tests/monkey/play.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/headless.h"
#include "engine/core/file.h"
#include "engine/core/try.h"
#include "engine/render/png.h"
#include "tests/monkey/walk.h"
#include "ui/canvas/theme.h"
#include "ui/document/script.h"
#include "ui/page/exhibit.h"
#include "ui/workbench/window_properties.h"

namespace sepx::monkey {

namespace {

constexpr double kStepSeconds = 10;     // a step that waits longer is given up
constexpr double kPictureSeconds = 60;  // for work on a picture that is compared
constexpr double kJobSeconds = 0.2;     // per frame, for its jobs

tl::unexpected<Error> wrong(std::string sentence) {
  return fail(ErrorKind::CheckFailed, std::move(sentence));
}

Result<std::unique_ptr<app::Headless>> openWindow(const std::string& folder) {
  app::Options options;
  options.size = gpu::Extent{kWidth, kHeight};
  options.outDir = folder;
  return app::Headless::create(options);
}

/// Plays lines of a script. Long computations do not delay it.
Result<void> run(app::Headless& window, const std::string& lines, const std::string& folder, double patience,
                 const std::function<Result<void>(const ui::ScriptRunner&)>& afterFrame = {}) {
  SEPX_ASSIGN(ui::Script script, ui::parseScript("script 1\n" + lines, "monkey"));
  ui::ScriptRunner runner(std::move(script), window.workbench(), window, folder);
  runner.setStepTimeout(patience);
  runner.setJobTimeout(kJobSeconds);
  return window.play(runner, [&] { return afterFrame ? afterFrame(runner) : Result<void>(); });
}

/// Evaluates all declarations, which must work for every document and every element.
void askDeclarations(const ui::PropertyRegistry& registry, const ui::Document& document) {
  for (const ui::Property& property : registry.properties()) {
    if (property.applies) static_cast<void>(property.applies(document));
    if (property.formulaApplies) static_cast<void>(property.formulaApplies(document));
    if (property.liveChoices) static_cast<void>(property.liveChoices());
    static_cast<void>(ui::nameOf(property, document));
    if (property.key.find("[]") == std::string::npos)
      static_cast<void>(ui::formatValue(property, registry.get(document, property.key)));
  }
  for (const ui::ReadOut& readOut : registry.readOuts()) {
    if (readOut.applies) static_cast<void>(readOut.applies(document));
    if (readOut.formulaApplies) static_cast<void>(readOut.formulaApplies(document));
    static_cast<void>(ui::nameOf(readOut, document));
    const bool listed = readOut.key.find("[]") != std::string::npos;
    const std::vector<int> places = listed ? std::vector<int>{0, 1, 5, 100000} : std::vector<int>{-1};
    for (const int index : places) {
      static_cast<void>(ui::formatValue(readOut, readOut.get(index)));
      if (readOut.withNumbers) static_cast<void>(readOut.withNumbers(index));
    }
  }
}

void askWindow(const ui::Workbench& workbench) {
  static_cast<void>(workbench.commands());
  static_cast<void>(workbench.statusLine());
  static_cast<void>(workbench.runningLine());
  static_cast<void>(workbench.recipe());
  static_cast<void>(workbench.jobs());
  for (int pane = 1; pane <= workbench.panes(); ++pane) {
    const ui::Exhibit& exhibit = workbench.exhibit(pane);
    static_cast<void>(exhibit.title());
    static_cast<void>(exhibit.caption());
    static_cast<void>(exhibit.numbers());
    static_cast<void>(exhibit.gestures());
    static_cast<void>(exhibit.modelTree());
    static_cast<void>(exhibit.groups());
    static_cast<void>(exhibit.playSeconds());
    static_cast<void>(exhibit.ownLimits());
  }
}

class Play {
 public:
  Play(app::Headless& window, std::vector<std::string> carried)
      : window_(window), carried_(std::move(carried)), first_(window.workbench().document()) {}

  /// Called after a frame: remembers the state that undo must restore. Opening a session or a lesson starts a new
  /// history. A change that is not undoable belongs to this state until the first step.
  void note() {
    const ui::History& history = window_.workbench().history();
    const bool empty = history.undoSteps() == 0 && history.redoSteps() == 0;
    if (empty || history.begun() != begun_) first_ = history.beginning();
    begun_ = history.begun();
    for (int pane = 1; pane <= window_.workbench().panes(); ++pane)
      played_ = played_ || window_.workbench().exhibit(pane).playing().value_or(false);
  }

  Result<void> check() const {
    ui::Workbench& workbench = window_.workbench();
    if (const auto held = workbench.properties().check(workbench.paneDocument()); !held)
      return wrong("the document holds what the registry refuses: " + held.error().message);
    askDeclarations(workbench.properties(), workbench.paneDocument());
    askWindow(workbench);
    return window_.validated();
  }

  /// Whether the pictures could be compared. Work that takes minutes is not waited for.
  Result<bool> undoAll(const std::string& folder) {
    ui::Workbench& workbench = window_.workbench();
    // A lesson that still plays would continue after the undo.
    if (workbench.lesson() != nullptr) SEPX_TRY(workbench.run("lesson.close"));
    note();
    SEPX_TRY(run(window_, "release @-50,-50\ntry undo 1000000\nwait frames 2\n", folder, kPictureSeconds));
    const ui::Document now = ui::withoutPaths(workbench.document(), carried_);
    const ui::Document then = ui::withoutPaths(first_, carried_);
    if (!(now == then))
      return wrong("undo to the beginning does not give the first document: " + difference(then, now));
    SEPX_ASSIGN(const bool walkedSettled, showFigure(window_, folder));
    SEPX_ASSIGN(const gpu::Pixels walked, window_.capture());
    const std::string session = folder + "/first.sepx";
    SEPX_TRY(ui::writeSession(workbench.document(), session));
    SEPX_ASSIGN(const std::unique_ptr<app::Headless> fresh, openWindow(folder));
    SEPX_TRY(fresh->workbench().open(session));
    SEPX_ASSIGN(const bool freshSettled, showFigure(*fresh, folder));
    SEPX_ASSIGN(const gpu::Pixels first, fresh->capture());
    // The time of a played orbit belongs to the window, so its heads are drawn only in the walked picture.
    if (!walkedSettled || !freshSettled || played_) return false;
    if (walked.extent == first.extent && walked.rgba == first.rgba) return true;
    static_cast<void>(render::writePng(walked, folder + "/walked.png"));
    static_cast<void>(render::writePng(first, folder + "/first.png"));
    return wrong(
        fmt::format("undo to the beginning does not give the first picture: {0}/walked.png, {0}/first.png", folder));
  }

 private:
  static std::string difference(const ui::Document& then, const ui::Document& now) {
    const ui::Json patch = ui::Json::diff(then.toJson(), now.toJson());
    return patch.dump().substr(0, 400);
  }

  /// Makes the window as large, bright and idle as at the start, and shows only the document. Whether its picture is
  /// complete.
  static Result<bool> showFigure(app::Headless& window, const std::string& folder) {
    ui::Workbench& workbench = window.workbench();
    SEPX_TRY(window.resize({kWidth, kHeight}));
    SEPX_TRY(window.setScale(1));
    SEPX_TRY(workbench.setTheme(ui::themeKeys().front()));
    for (const ui::Workbench::Command& command : workbench.commands())
      if (command.key == "view.start" && command.checked.value_or(false)) SEPX_TRY(workbench.run(command.key));
    for (int pane = workbench.panes(); pane >= 1; --pane) {
      workbench.activatePane(pane);
      if (workbench.exhibit(pane).playing().value_or(false)) SEPX_TRY(workbench.run("play.toggle"));
    }
    workbench.setFigure(true);
    SEPX_TRY(run(window, "hover @-50,-50\ntry wait settled\n", folder, kPictureSeconds));
    return workbench.settled();
  }

  app::Headless& window_;
  std::vector<std::string> carried_;
  ui::Document first_;
  std::uint64_t begun_ = 0;
  bool played_ = false;
};

}  // namespace

Result<bool> playWalk(const std::string& script, const std::string& folder, const std::function<void(int)>& atStep) {
  SEPX_ASSIGN(const std::string text, readFile(script));
  const std::vector<std::string> steps = linesOf(text);
  std::string lines;
  for (const std::string& step : steps)
    lines += step + "\n";
  SEPX_ASSIGN(const std::unique_ptr<app::Headless> window, openWindow(folder));
  Play play(*window, ui::carriedPaths(window->workbench().properties()));
  std::optional<std::size_t> asked;
  SEPX_TRY(run(*window, lines, folder, kStepSeconds, [&](const ui::ScriptRunner& runner) -> Result<void> {
    play.note();
    if (asked == runner.position()) return {};
    asked = runner.position();
    if (*asked < steps.size()) atStep(static_cast<int>(*asked) + 1);
    return play.check();
  }));
  atStep(0);
  SEPX_ASSIGN(const bool compared, play.undoAll(folder));
  SEPX_TRY(window->validated());
  return compared;
}

}  // namespace sepx::monkey
