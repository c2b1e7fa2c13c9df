// SPDX-License-Identifier: Apache-2.0
// A lesson changes only what is shown, and nothing that outlives the lesson. Every parameter, command and control is
// forbidden in lessons until it is added to the list of lessons. Lessons cannot change the user's runs.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "engine/core/file.h"
#include "tests/engine/train/trainer_rig.h"
#include "tests/folders.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/bench.h"
#include "ui/exhibits/lesson_list.h"
#include "ui/page/exhibit.h"
#include "ui/runs/runs.h"
#include "ui/workbench/chord.h"

using namespace sepx;
using namespace sepx::test;
namespace fs = std::filesystem;

namespace {

ui::ScriptStep stepOf(const std::string& line) {
  const auto steps = ui::parseSteps(line + "\n", "lesson", 1);
  INFO(line << (steps ? "" : ": " + steps.error().message));
  REQUIRE(steps);
  return steps->front();
}

std::string plainKey(std::string key) {
  if (const std::size_t list = key.find("[]"); list != std::string::npos) key.replace(list, 2, "[0]");
  return key;
}

/// Every exhibit with each of its pages, as lines of a script.
std::vector<std::pair<std::string, std::string>> pagesOf(Bench& bench) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& property : bench.workbench().properties().properties()) {
    const std::size_t end = property.key.find(".page");
    if (end == std::string::npos || end + 5 != property.key.size()) continue;
    for (const std::string& word : property.choices)
      all.emplace_back(property.key.substr(0, end), word);
  }
  return all;
}

void show(Bench& bench, const std::pair<std::string, std::string>& page) {
  bench.play("exhibit " + page.first + "\nset " + page.first + ".page " + page.second + "\nwait frames 3\n");
}

/// Things that outlive a lesson: no entry of the list may contain these words.
bool changesWhatOutlives(const std::string& key) {
  static const char* const kWords[] = {"library",  "delete-run",  "trash", "save",  "export", "file.",      "quit",
                                       "settings", "preferences", "tags",  "notes", "folder", "palette",    "clipboard",
                                       "copy",     "branch",      ".own",  "real",  "rule.",  "view.theme", "jobs."};
  return std::ranges::any_of(kWords, [&](const char* word) { return key.find(word) != std::string::npos; });
}

}  // namespace

TEST_CASE("The list for lessons names nothing that outlives a lesson", "[lesson]") {
  for (const std::string& entry : ui::lessonList()) {
    CAPTURE(entry);
    CHECK_FALSE(changesWhatOutlives(entry));
  }
}

TEST_CASE("Every parameter that is not in the list is refused in a lesson", "[lesson]") {
  Bench bench({1280, 720});
  int refused = 0;
  for (const auto& property : bench.workbench().properties().properties()) {
    for (const std::string verb : {"set ", "set ui:"}) {
      const std::string line = verb + plainKey(property.key) + " 1";
      CAPTURE(line);
      const auto allowed = bench.workbench().allowedInLesson(stepOf(line));
      CHECK(allowed.has_value() == ui::inLessons(property.key));
      if (allowed) continue;
      ++refused;
      CHECK(allowed.error().kind == ErrorKind::Usage);
      CHECK_THAT(allowed.error().message, Catch::Contains(plainKey(property.key)));
    }
  }
  CHECK(refused > 20);
}

namespace {

/// Checks the commands of the visible page, and clicks on their buttons. Returns the number of refused clicks.
int checkCommands(Bench& bench) {
  auto& workbench = bench.workbench();
  int presses = 0;
  for (const auto& command : workbench.commands()) {
    CAPTURE(command.key, command.shortcut);
    CHECK(workbench.allowedInLesson(stepOf("click ui:" + command.key)).has_value() == ui::inLessons(command.key));
    if (!workbench.controlAt(command.key) || ui::inLessons(command.key)) continue;
    if (!workbench.bringIntoView(command.key)) bench.frame();  // scrolled out of view in its panel
    const auto at = workbench.controlAt(command.key);
    if (!at || !workbench.bringIntoView(command.key)) continue;
    ++presses;
    CHECK_FALSE(workbench.allowedInLesson(ui::PointerPressed{ui::Button::Left, true, at->x, at->y, {}}));
  }
  return presses;
}

int checkControls(Bench& bench) {
  auto& workbench = bench.workbench();
  int presses = 0;
  for (const auto& property : workbench.properties().properties()) {
    for (const char* part : {"", "#entry"}) {
      const std::string control = property.key + part;
      if (!workbench.controlAt(control) || ui::inLessons(property.key)) continue;
      if (!workbench.bringIntoView(control)) bench.frame();  // scrolled out of view in its panel
      const auto at = workbench.controlAt(control);
      if (!at || !workbench.bringIntoView(control)) continue;
      CAPTURE(property.key, part);
      ++presses;
      CHECK_FALSE(workbench.allowedInLesson(ui::PointerPressed{ui::Button::Left, true, at->x, at->y, {}}));
    }
  }
  return presses;
}

int checkKeys(Bench& bench) {
  int refused = 0;
  for (const auto& command : bench.workbench().commands()) {
    const auto chord = ui::parseChord(command.shortcut);
    if (!chord || !command.enabled) continue;
    CAPTURE(command.key, command.shortcut);
    const auto allowed = bench.workbench().allowedInLesson(ui::KeyPressed{chord->key, true, chord->modifiers});
    // A chord runs the first enabled command with this chord.
    const bool listed = std::ranges::any_of(bench.workbench().commands(), [&chord](const auto& one) {
      const auto other = ui::parseChord(one.shortcut);
      return other && other->key == chord->key && other->modifiers == chord->modifiers && one.enabled &&
             ui::inLessons(one.key);
    });
    // If the job has ended in the meantime, there is nothing to cancel.
    const bool still = std::ranges::any_of(
        bench.workbench().commands(), [&command](const auto& one) { return one.key == command.key && one.enabled; });
    if (allowed) CHECK((listed || !still));
    refused += !allowed;
  }
  return refused;
}

}  // namespace

TEST_CASE("On every page, every command, control and key that is not in the list is refused in a lesson", "[lesson]") {
  Bench bench({1280, 720});
  auto& workbench = bench.workbench();
  std::set<std::string> known;  // names that the list may contain
  for (const auto& property : workbench.properties().properties())
    known.insert(property.key);
  std::set<std::string> commands;
  int presses = 0, keys = 0;
  for (const auto& page : pagesOf(bench)) {
    show(bench, page);
    CAPTURE(page.first, page.second);
    known.insert(page.first + "." + page.second + " picture");
    for (const auto& command : workbench.commands())
      commands.insert(command.key);
    for (const std::string& entry : ui::lessonList())
      if (workbench.controlAt(entry)) known.insert(entry);
    keys += checkKeys(bench);
    presses += checkCommands(bench) + checkControls(bench);
  }
  CHECK(commands.size() > 80);
  CHECK(presses > 20);
  CHECK(keys > 50);
  known.merge(commands);
  for (const std::string& entry : ui::lessonList()) {
    CAPTURE(entry);
    CHECK(known.contains(entry));
  }
}

namespace {

/// Two runs of a user, with a tag and a note, in the folder of the window and in one that a lesson may name.
struct Victim {
  tests::TemporaryFolder folder;
  std::string runs = folder / "runs";
  std::string home = folder / "home";
  std::string before;

  Victim() {
    const char* const old = std::getenv("XDG_DATA_HOME");
    before = old ? old : "";
    ::setenv("XDG_DATA_HOME", home.c_str(), 1);
    for (const char* name : {"thesis", "other"}) {
      const std::string place = runs + "/" + name;
      finished(*started(smallMarkov(), headless(place)));
      REQUIRE(writeFile(place + "/notes.json", R"({"name":"","tags":["mine"],"notes":"years of work"})"));
    }
  }
  ~Victim() {
    if (before.empty())
      ::unsetenv("XDG_DATA_HOME");
    else
      ::setenv("XDG_DATA_HOME", before.c_str(), 1);
  }
  /// All files in the folder of runs, by path.
  std::map<std::string, std::string> content() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(runs))
      if (entry.is_regular_file()) all[entry.path().string()] = readFile(entry.path().string()).value();
    return all;
  }
};

std::unique_ptr<app::Headless> windowOf(const Victim& victim) {
  app::Options options;
  options.size = {1280, 720};
  options.outDir = victim.folder.path.string();  // new runs are created in its folder "runs"
  auto made = app::Headless::create(options);
  REQUIRE(made);
  return std::move(*made);
}

/// Plays the lesson to its end in a window and returns the messages.
std::string watched(app::Headless& host, const std::string& lesson) {
  REQUIRE(host.workbench().open(lesson));
  for (int steps = 0; steps < 3; ++steps) {
    for (int i = 0; i < 30; ++i)
      REQUIRE(host.frame({}));
    REQUIRE(host.settle());
    (void)host.workbench().run("lesson.next");
  }
  std::string said;
  for (const ui::Message& message : host.workbench().messages())
    said += message.text + "\n";
  return said;
}

}  // namespace

TEST_CASE("A hostile lesson deletes and changes no runs", "[lesson]") {
  const Victim victim;
  const std::string names = "exhibit training\nset training.page library\n";
  const std::map<std::string, std::string> hostile{
      {"by folder and name", names + "set training.library.folder " + victim.runs +
                                 "\nwait settled\nset training.library.selected thesis\nset training.library.tags "
                                 "\"owned\"\nset training.library.notes \"owned\"\nwait settled\nclick "
                                 "ui:training.library-delete\nwait settled\n"},
      {"by buttons", names + "wait settled\nclick ui:training.library-all\nclick ui:training.library-delete\n"},
      {"by places and keys", names + "wait settled\nclick @200,200\nkey Ctrl+A\nkey Delete\ntype \"owned\"\nkey Enter\n"
                                     "drag @200,200 -> @900,500\nkey Ctrl+S\nkey Ctrl+T\nkey Ctrl+N\n"},
      {"by the command's key", names + "wait settled\nkey Right\nkey Delete\nwait settled\n"}};
  for (const auto& [how, steps] : hostile) {
    CAPTURE(how);
    const std::string lesson =
        victim.folder.file("lesson.md", "# A lesson\n\n## One\n\nHello.\n\n## Two\n\n```steps\n" + steps + "```\n");
    const auto before = victim.content();
    REQUIRE(before.size() > 6);
    const auto window = windowOf(victim);
    const std::string said = watched(*window, lesson);
    CHECK_THAT(said, Catch::Contains("a lesson may not use"));
    CHECK_THAT(said, Catch::Contains("lesson.md:"));
    CHECK(victim.content() == before);
    // Without a window it ends with the error message.
    const auto headlessHost = windowOf(victim);
    auto runner = app::makeRunner(lesson, headlessHost->workbench(), *headlessHost, {});
    REQUIRE(runner);
    CHECK_THAT(errorOf(headlessHost->play(**runner)), Catch::Contains("a lesson may not use"));
    CHECK(victim.content() == before);
    CHECK_FALSE(fs::exists(victim.home + "/Trash"));
  }
}

TEST_CASE("A script on the command line may do what a lesson may not", "[lesson]") {
  const Victim victim;
  const auto window = windowOf(victim);
  const auto script = victim.folder.file(
      "own.script",
      "script 1\nexhibit training\nset training.page library\nset training.library.folder " + victim.runs +
          "\nwait settled\nset training.library.selected thesis\nset training.library.tags \"seen\"\nwait "
          "settled\nclick ui:training.library-delete\nwait settled\nexpect training.library.count == 1\n");
  auto runner = app::makeRunner(script, window->workbench(), *window, victim.folder.path.string());
  REQUIRE(runner);
  CHECK(errorOf(window->play(**runner)) == "");
  CHECK_FALSE(fs::exists(victim.runs + "/thesis"));
}

TEST_CASE("A script that is opened or dropped is not run", "[lesson]") {
  const Victim victim;
  const auto before = victim.content();
  const std::string steps =
      "exhibit training\nset training.page library\nwait settled\nclick ui:training.library-all\nclick "
      "ui:training.library-delete\n";
  const auto script = victim.folder.file("drop.script", "script 1\n" + steps);
  const auto window = windowOf(victim);
  const auto opened = window->workbench().open(script);
  REQUIRE_FALSE(opened);
  CHECK_THAT(opened.error().message, Catch::Contains("sepx play"));
  CHECK(window->workbench().document() == ui::Document{});
  CHECK(victim.content() == before);
}

TEST_CASE("A lesson cannot train or change runs by opening a session", "[lesson]") {
  const Victim victim;
  victim.folder.file("race.sepx",
                     R"({"version":1,"exhibit":"training","training":{"page":"curves","runs":[{"folder":")" +
                         victim.runs + R"(/thesis"}]}})");
  victim.folder.file("view.sepx", R"({"version":1,"exhibit":"flow","flow":{"p":0.25}})");
  const auto before = victim.content();
  const auto lesson = victim.folder.file(
      "lesson.md", "# A lesson\n\n## One\n\n```steps\nopen race.sepx\nwait settled\nclick ui:training.start\n```\n");
  const auto window = windowOf(victim);
  CHECK_THAT(watched(*window, lesson), Catch::Contains("a lesson may not open this: it sets training.runs[0].folder"));
  CHECK(victim.content() == before);
  const auto host = windowOf(victim);
  auto runner = app::makeRunner(lesson, host->workbench(), *host, {});
  REQUIRE(runner);
  CHECK_THAT(errorOf(host->play(**runner)), Catch::Contains("a lesson may not open this"));
  CHECK(victim.content() == before);
  // A session that only changes the view is opened.
  const auto views = victim.folder.file(
      "views.md", "# A lesson\n\n## One\n\n```steps\nopen view.sepx\nwait settled\nexpect flow.p == 0.25\n```\n");
  const auto other = windowOf(victim);
  auto second = app::makeRunner(views, other->workbench(), *other, {});
  REQUIRE(second);
  CHECK(errorOf(other->play(**second)) == "");
}

TEST_CASE("A lesson cannot press anything in an inactive pane, whose buttons are not known", "[lesson]") {
  Bench bench({1280, 720});
  auto& workbench = bench.workbench();
  bench.play(
      "exhibit flow\nset panes.layout two\nset exhibit@2 training\nset training@2.page curves\nset panes.active "
      "1\nwait "
      "frames 3\n");
  REQUIRE(workbench.scenes().size() == 2);
  const auto& second = workbench.scenes()[1];
  int allowed = 0;
  for (double x = 4; x < second.scene->width; x += 16)
    for (double y = 4; y < second.scene->height; y += 16)
      allowed +=
          workbench
              .allowedInLesson(ui::PointerPressed{ui::Button::Left, true, second.origin.x + x, second.origin.y + y, {}})
              .has_value();
  CHECK(allowed == 0);
}
