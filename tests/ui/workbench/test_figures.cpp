// SPDX-License-Identifier: Apache-2.0
// The queue of figures and the clipboard, without a device. The content of figures is tested in test_figure.cpp.
#include "ui/workbench/figures.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/folder.h"
#include "tests/folders.h"
#include "tests/patience.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/parts.h"

using namespace sepx;
using namespace sepx::ui;
using sepx::tests::TemporaryFolder;

namespace {

struct Queue {
  Workbench of{test::partOptions()};
  test::Parts parts;
  Figures figures{of, parts.window};

  explicit Queue(bool scripted) { parts.window.options.scripted = scripted; }
  Result<void> start(const std::string& path) {
    FigureRequest request;
    request.path = path;
    return figures.start(request);
  }
  Result<void> run(std::string_view command) {
    Commands commands;
    figures.addCommands(commands);
    const auto act = commands.find(command);
    return act ? (*act)() : Result<void>(tl::unexpected(act.error()));
  }
};

/// While it exists, temporary folders of runs are created in this folder.
class RunsIn {
 public:
  explicit RunsIn(std::string folder) : folder_(std::move(folder)) {
    std::filesystem::create_directory(folder_);
    ::setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~RunsIn() { before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR"); }
  bool any() const {
    const std::vector<std::string> all = folderPaths(folder_);
    return std::ranges::any_of(all, [](const auto& one) { return one.find("/separatrix-runs-") != std::string::npos; });
  }

 private:
  const std::string folder_;
  const std::optional<std::string> before_ =
      std::getenv("TMPDIR") ? std::optional<std::string>(std::getenv("TMPDIR")) : std::nullopt;
};

}  // namespace

TEST_CASE("Figures are made one after the other while frames continue", "[figures]") {
  const TemporaryFolder folder;
  Queue queue(false);
  REQUIRE(queue.start(folder / "a.svg"));
  REQUIRE(queue.start(folder / "b.csv"));
  const auto jobs = queue.figures.jobs();
  REQUIRE(jobs.size() == 2);
  CHECK(jobs[0].name == "figure a.svg");
  CHECK(jobs[0].state == JobState::Running);
  CHECK(jobs[1].state == JobState::Queued);
  CHECK_FALSE(queue.figures.cancel("flow.paths"));
  CHECK(queue.figures.cancel(jobs[1].lane));
  while (!queue.figures.idle())
    queue.figures.step();
  CHECK(std::filesystem::exists(folder / "a.svg"));
  CHECK_FALSE(std::filesystem::exists(folder / "b.csv"));
  REQUIRE(queue.parts.window.messages.size() == 1);
  CHECK_THAT(queue.parts.window.messages[0].text, Catch::Contains("Saved ") && Catch::Contains("a.svg"));
  CHECK(queue.parts.window.messages[0].passes);
  CHECK(queue.parts.window.messages[0].command.empty());  // no program to open it with
  REQUIRE(queue.start(folder / "c.svg"));
  queue.figures.cancelAll();
  CHECK(queue.figures.idle());
}

TEST_CASE("No frame waits for the jobs of a cancelled figure", "[figures]") {
  const TemporaryFolder folder;
  // A job that ignores its cancellation: it is blocked where it reports that it has published a result.
  test::Hold hold;
  hold.on = true;
  std::atomic<bool> reached{false};
  WorkbenchOptions options = test::partOptions();
  options.wake = [&hold, &reached] {
    if (!test::isThread("flow.basin")) return;
    reached = true;
    hold.wait();
  };
  Workbench of(options);
  REQUIRE(of.set("flow.basin.method", std::string("integrate")));
  test::Parts parts;
  parts.window.options.scripted = false;
  Figures figures(of, parts.window);
  FigureRequest request;
  request.path = folder / "a.svg";
  REQUIRE(figures.start(request));
  REQUIRE(tests::eventually([&] {
    figures.step();
    return reached.load();
  }));
  CHECK(figures.cancel(figures.jobs().front().lane));
  figures.step();
  CHECK(hold.on);
  CHECK(figures.idle());
  CHECK(figures.hasEndingFigures());
  hold.on = false;
  CHECK(tests::eventually([&figures] {
    figures.step();
    return !figures.hasEndingFigures();
  }));
  CHECK_FALSE(std::filesystem::exists(folder / "a.svg"));
}

TEST_CASE("No frame waits for the runs of a lesson whose page was cancelled", "[figures]") {
  const TemporaryFolder folder;
  const RunsIn temporary(folder / "temporary");
  test::Hold hold;
  std::atomic<bool> trains{false}, cancelled{false}, removed{false};
  WorkbenchOptions options = test::partOptions();
  options.assets = tests::sourceFolder() + "/assets";
  options.wake = [&] {
    // The thread that reads runs reports that their folder is removed; until then the runs exist.
    if (test::isThread("runs") && cancelled && !temporary.any()) removed = true;
    if (!test::isThread("trainer")) return;
    trains = true;
    hold.wait();
  };
  Workbench of(options);
  REQUIRE(of.open(folder.file("l.md",
                              "# Runs\n\n## They train\n\n```steps\nexhibit training\n"
                              "set training.experiment markov-start\nset training.steps_per_frame 1\n"
                              "click ui:training.start\nwait training.newest.step >= 1000000 within 600\n```\n")));
  test::Parts parts;
  parts.window.options.scripted = false;
  Figures figures(of, parts.window);
  FigureRequest request;
  request.path = folder / "a.html";
  request.lesson = true;
  REQUIRE(figures.start(request));
  REQUIRE(tests::eventually([&] {
    figures.step();
    return trains || figures.idle();
  }));
  REQUIRE(trains);
  CHECK(temporary.any());
  hold.on = true;  // the trainers wait for the next frame and are blocked where they report this
  cancelled = true;
  CHECK(figures.cancel(figures.jobs().front().lane));
  figures.step();
  CHECK(hold.on);
  CHECK(figures.hasEndingFigures());
  hold.on = false;
  CHECK(tests::eventually([&figures] {
    figures.step();
    return !figures.hasEndingFigures();
  }));
  CHECK(removed);
  CHECK_FALSE(std::filesystem::exists(folder / "a.html"));
}

TEST_CASE("The message about a figure offers to open the figure or its folder", "[figures]") {
  const TemporaryFolder folder;
  Queue queue(false);
  std::vector<std::string> opened;
  queue.parts.window.options.openExternally = [&](const std::string& path) { opened.push_back(path); };
  CHECK(queue.run("file.open-figure").error().kind == ErrorKind::CheckFailed);  // no figure is written yet
  REQUIRE(queue.start(folder / "a.svg"));
  while (!queue.figures.idle())
    queue.figures.step();
  REQUIRE(queue.parts.window.messages.size() == 1);
  const Message& message = queue.parts.window.messages[0];
  CHECK(message.command == "file.open-figure");
  REQUIRE(message.more.size() == 1);
  REQUIRE(queue.run(message.command));
  REQUIRE(queue.run(message.more[0].first));
  CHECK(opened == std::vector<std::string>{folder / "a.svg", folder.path.string() + "/"});
}

TEST_CASE("In a script a figure exists when the call returns, and an error is reported", "[figures]") {
  const TemporaryFolder folder;
  Queue queue(true);
  REQUIRE(queue.start(folder / "a.svg"));
  CHECK(queue.figures.idle());
  CHECK(std::filesystem::exists(folder / "a.svg"));
  CHECK(queue.start(folder / "a.doc").error().kind == ErrorKind::Usage);
  CHECK(queue.parts.window.messages.size() == 1);
}

TEST_CASE("Copies go to the clipboard if there is one", "[figures]") {
  Queue queue(true);
  CHECK(queue.run("edit.copy-number").error().kind == ErrorKind::CheckFailed);
  std::string copied;
  queue.parts.window.options.copy = [&](const Clip& clip) { copied = clip.text; };
  CHECK_FALSE(queue.run("edit.copy-number"));  // no number is shown yet
  CHECK(queue.parts.window.messages.size() == 1);
  REQUIRE(queue.of.addPoint({0.5, -0.25}));
  REQUIRE(queue.run("edit.copy-number"));
  CHECK_THAT(copied, Catch::Contains("0.5"));
}
