// SPDX-License-Identifier: Apache-2.0
// The library of runs: listing, search, order, selection, editing, comparison, opening, deletion and restoring.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "engine/train/run_library.h"
#include "tests/ui/exhibits/training/training_rig.h"
#include "ui/exhibits/training/library/library_rows.h"

using namespace sepx;
using namespace sepx::ui;
namespace fs = std::filesystem;

namespace {

/// A library of two trained runs, and copies of the first.
class LibraryRig : public TrainingRig {
 public:
  explicit LibraryRig(int copies = 0) : TrainingRig(20) {
    start("encoder-decoder", 20);
    const fs::path first = folderOf(0);
    for (int i = 0; i < copies; ++i)
      fs::copy(first, first.parent_path() / ("copy-" + std::to_string(i + 1)), fs::copy_options::recursive);
    home_ = first.parent_path().parent_path() / "home";
    const char* const old = std::getenv("XDG_DATA_HOME");
    before_ = old ? old : "";
    ::setenv("XDG_DATA_HOME", home_.c_str(), 1);
    set("training.page", std::string("library"));
    settle();
  }
  ~LibraryRig() override {
    if (before_.empty())
      ::unsetenv("XDG_DATA_HOME");
    else
      ::setenv("XDG_DATA_HOME", before_.c_str(), 1);
  }
  std::string names() const { return text("training.library.names"); }
  std::string folder() const { return runs->folder(); }
  void choose(const std::string& some) {
    set("training.library.selected", some);
    settle();
  }
  void command(const std::string& word) {
    const Result<void> done = run("training.library-" + word);
    INFO((done ? "" : done.error().message));
    REQUIRE(done);
    settle();
  }
  /// The position of a text in the picture.
  render::Point placeOf(const std::string& words, const char* layerName = "training.library.runs") const {
    for (const render::Label& label : items<render::Label>(layerName))
      if (label.text == words) return {label.at.x + area.min.x, label.at.y + area.min.y};
    FAIL("nothing says " << words);
    return {};
  }

 private:
  fs::path home_;
  std::string before_;
};

void ctrlClick(LibraryRig& rig, render::Point at) {
  rig.frame({RigBase::move(at)});
  rig.frame({PointerPressed{Button::Left, true, at.x, at.y, Modifiers{.ctrl = true}}});
  rig.frame({PointerPressed{Button::Left, false, at.x, at.y, Modifiers{.ctrl = true}}});
}

}  // namespace

TEST_CASE("library: names with commas survive a round trip", "[training][library]") {
  const std::vector<std::string> names{"a", "b, c", "d\\e", "group/f"};
  CHECK(joinedNames(names) == "a, b\\, c, d\\\\e, group/f");
  CHECK(separateNames(joinedNames(names)) == names);
  CHECK(separateNames(" a ,, b") == std::vector<std::string>{"a", "b"});
}

TEST_CASE("library: an empty library says what to do", "[training][library]") {
  TrainingRig rig;
  rig.set("training.page", std::string("library"));
  rig.settle();
  CHECK(rig.number("training.library.count") == 0);
  CHECK(rig.texts("training.library.sentence").find("Start one on the page Experiments") != std::string::npos);
  CHECK_FALSE(rig.refusal("training.library.tags", std::string("a")).empty());
}

TEST_CASE("library: every run is a card with its loss and its curve", "[training][library]") {
  LibraryRig rig;
  REQUIRE(rig.number("training.library.count") == 2);
  CHECK(rig.texts("training.library.runs").find("Small encoder\n") != std::string::npos);
  CHECK(rig.texts("training.library.runs").find("step 20 of 20") != std::string::npos);
  std::size_t curves = 0;
  for (const render::Polyline& line : rig.items<render::Polyline>("training.library.runs"))
    curves += line.points.size() == 20;
  CHECK(curves == 2);
  CHECK(rig.text("training.library.runs[0].state") == "finished");
  CHECK(rig.number("training.library.runs[0].step") == 20);
  const std::uint64_t revision = rig.layer("training.library.runs")->revision;
  for (int i = 0; i < 400; ++i) {  // repeated checks find no changes
    rig.jobs.finish();
    rig.frame();
  }
  CHECK(rig.layer("training.library.runs")->revision == revision);
}

TEST_CASE("library: filters, search and order select the runs, and an invalid filter keeps the list",
          "[training][library]") {
  LibraryRig rig;
  rig.set("training.library.sort", std::string("folder"));
  rig.set("training.library.descending", false);
  rig.settle();
  CHECK(rig.names() == "Small-decoder, Small-encoder");
  rig.set("training.library.descending", true);
  rig.settle();
  CHECK(rig.names() == "Small-encoder, Small-decoder");
  rig.set("training.library.filter", std::string("model.causal = true"));
  rig.settle();
  CHECK(rig.names() == "Small-decoder");
  CHECK(rig.number("training.library.shown") == 1);
  rig.set("training.library.filter", std::string("model.casual = true"));
  rig.settle();
  CHECK(rig.names() == "Small-decoder");
  CHECK(rig.text("training.library.problem").find("the nearest is \"model.causal\"") != std::string::npos);
  CHECK(rig.texts("training.library.problems").find("the nearest is") != std::string::npos);
  rig.command("all");
  CHECK(rig.number("training.library.shown") == 2);
  CHECK(rig.text("training.library.problem").empty());
  rig.set("training.library.search", std::string("SMALL-encoder small"));
  rig.settle();
  CHECK(rig.names() == "Small-encoder");
  rig.set("training.library.search", std::string("nothing like it"));
  rig.settle();
  CHECK(rig.texts("training.library.sentence").find("Press Show all") != std::string::npos);
}

TEST_CASE("library: tags and notes are stored in the folder of the run and can be searched", "[training][library]") {
  LibraryRig rig;
  rig.choose("Small-encoder");
  rig.set("training.library.selected", std::string("Small-encoder"));
  rig.set("training.library.tags", std::string("good, first, good"));
  CHECK_FALSE(rig.editor.document().has("training.library.tags"));
  rig.frame();
  CHECK(rig.text("training.library.tags") == "good, first");  // shown before anything is written
  rig.set("training.library.notes", std::string("the one that works"));
  rig.settle();
  const auto notes = train::readNotes(rig.folder() + "/Small-encoder");
  REQUIRE(notes);
  CHECK(*notes == train::RunNotes{{"good", "first"}, "the one that works"});
  rig.set("training.library.filter", std::string("tags = first"));
  rig.settle();
  CHECK(rig.names() == "Small-encoder");
  rig.set("training.library.filter", std::string(""));
  // Editing several runs changes the tags that all of them have.
  rig.choose("Small-encoder, Small-decoder");
  CHECK(rig.text("training.library.tags").empty());
  rig.set("training.library.tags", std::string("race"));
  rig.settle();
  CHECK(train::readNotes(rig.folder() + "/Small-encoder")->tags == std::vector<std::string>{"race", "good", "first"});
  CHECK(train::readNotes(rig.folder() + "/Small-decoder")->tags == std::vector<std::string>{"race"});
  CHECK(rig.editor.said.empty());
}

TEST_CASE("library: the differences between two runs are shown side by side", "[training][library]") {
  LibraryRig rig;
  rig.choose("Small-encoder, Small-decoder");
  rig.command("differences");
  CHECK(rig.text("training.library.differences").find("model.causal") != std::string::npos);
  const std::string shown = rig.texts("training.library.runs");
  INFO(shown);
  CHECK(shown.find("objective.kind\nmasked\nnext token\n") != std::string::npos);
  CHECK(shown.find("validation\n") != std::string::npos);
  rig.choose("Small-encoder");
  CHECK(rig.texts("training.library.sentence").find("To see what differs") != std::string::npos);
}

TEST_CASE("library: a click selects, Ctrl adds to the selection, and a double click opens the curves",
          "[training][library]") {
  LibraryRig rig(3);
  rig.set("training.library.view", std::string("table"));
  rig.set("training.library.sort", std::string("folder"));
  rig.set("training.library.descending", false);
  rig.settle();
  REQUIRE(rig.names() == "copy-1, copy-2, copy-3, Small-decoder, Small-encoder");
  rig.click(rig.placeOf("copy-2"));
  CHECK(rig.text("training.library.selected") == "copy-2");
  rig.seconds += 1;
  ctrlClick(rig, rig.placeOf("Small decoder"));
  CHECK(rig.text("training.library.selected") == "copy-2, Small-decoder");
  rig.click(rig.placeOf("loss"));
  CHECK(rig.text("training.library.sort") == "loss");
  rig.command("open");
  CHECK(rig.text("training.page") == "curves");
  CHECK(rig.number("training.runs.count") == 2);
  CHECK(rig.folderOf(0) == rig.folder() + "/copy-2");
  rig.set("training.page", std::string("library"));
  rig.settle();
  const render::Point place = rig.placeOf("copy-3");
  rig.click(place);
  rig.click(place);
  CHECK(rig.text("training.page") == "curves");
  CHECK(rig.number("training.runs.count") == 1);
  rig.settle();
  CHECK_FALSE(rig.editor.document().has("training.step"));  // the second click does not reach the chart
  rig.set("training.page", std::string("library"));
  rig.settle();
  rig.choose("copy-1, copy-2, copy-3, Small-decoder, Small-encoder");
  rig.command("open");
  CHECK(rig.editor.said.size() == 1);  // at most four runs can be opened
  CHECK(rig.text("training.page") == "library");
}

TEST_CASE("library: the newest weights of a run open in Weights", "[training][library]") {
  LibraryRig rig;
  rig.choose("Small-encoder");
  rig.command("weights");
  CHECK(rig.editor.document().at("exhibit") == "weights");
  CHECK(rig.editor.document().at("weights.checkpoint") == rig.folder() + "/Small-encoder/checkpoints/step-0000020");
}

TEST_CASE("library: deleted runs can be restored, and a run that trains cannot be deleted", "[training][library]") {
  LibraryRig rig(1);
  rig.choose("copy-1, Small-encoder");
  rig.command("delete");
  CHECK(rig.names() == "Small-decoder");
  CHECK_FALSE(fs::exists(rig.folder() + "/copy-1"));
  CHECK(rig.number("training.runs.count") == 1);  // the race continues without it
  CHECK(rig.number("training.library.deleted") == 2);
  REQUIRE(rig.editor.notes.size() == 1);
  CHECK(rig.editor.notes[0].text == "Deleted 2 runs: copy-1, Small encoder. They are in the trash.");
  CHECK(rig.editor.notes[0].command == "training.library-put-back");
  rig.command("put-back");  // restores both, because they were deleted together
  CHECK(rig.number("training.library.deleted") == 0);
  CHECK(rig.number("training.library.shown") == 3);
  CHECK(fs::exists(rig.folder() + "/copy-1/run.sqlite"));
  CHECK(rig.editor.said.empty());
  REQUIRE(rig.run("training.rewind"));  // new runs, paused but alive
  rig.frame();
  rig.set("training.page", std::string("library"));
  rig.set("training.library.filter", std::string("state = paused"));
  for (int i = 0; i < 200 && rig.number("training.library.shown") != 1; ++i) {
    rig.jobs.finish();
    rig.frame();
  }
  rig.set("training.library.filter", std::string(""));
  rig.settle();
  const std::string paused = fs::path(rig.folderOf(0)).filename().string();
  rig.choose(paused);
  rig.command("delete");
  REQUIRE(rig.editor.said.size() == 1);
  CHECK(rig.editor.said[0].find("is being trained") != std::string::npos);
  CHECK(fs::exists(rig.folder() + "/" + paused));
}

TEST_CASE("library: Undo after a deletion restores the runs, also in the race, and Redo deletes them again",
          "[training][library]") {
  LibraryRig rig(1);
  const std::string encoder = rig.folder() + "/Small-encoder", copy = rig.folder() + "/copy-1";
  rig.choose("copy-1, Small-encoder");
  rig.command("delete");
  REQUIRE(rig.editor.history.undoLabel() == "delete runs");
  CHECK_FALSE(fs::exists(encoder));
  CHECK(rig.number("training.runs.count") == 1);
  REQUIRE(rig.editor.history.undo());
  rig.settle();
  CHECK(fs::exists(encoder + "/run.sqlite"));
  CHECK(fs::exists(copy + "/run.sqlite"));
  CHECK(rig.number("training.library.shown") == 3);
  CHECK(rig.number("training.library.deleted") == 0);
  CHECK(rig.number("training.runs.count") == 2);
  REQUIRE(rig.editor.history.redo());
  rig.settle();
  CHECK_FALSE(fs::exists(encoder));
  CHECK_FALSE(fs::exists(copy));
  CHECK(rig.number("training.library.deleted") == 2);
  REQUIRE(rig.editor.history.undo());
  rig.settle();
  CHECK(fs::exists(encoder + "/run.sqlite"));
  CHECK(fs::exists(copy + "/run.sqlite"));
  // After two deletions Undo restores the later one, and the button the other one.
  rig.choose("copy-1");
  rig.command("delete");
  rig.choose("Small-encoder");
  rig.command("delete");
  REQUIRE(rig.editor.history.undo());
  rig.settle();
  CHECK(fs::exists(encoder));
  CHECK_FALSE(fs::exists(copy));
  rig.command("put-back");
  CHECK(fs::exists(copy));
  CHECK(rig.editor.said.empty());
}

TEST_CASE("library: a run that Undo cannot restore is reported once and stays in the trash until its place is free",
          "[training][library]") {
  LibraryRig rig(1);
  rig.choose("copy-1");
  rig.command("delete");
  fs::create_directories(rig.folder() + "/copy-1");  // another folder has its name
  REQUIRE(rig.editor.history.undo());
  rig.settle();
  for (int i = 0; i < 20; ++i) {
    rig.jobs.finish();
    rig.frame();
  }
  REQUIRE(rig.editor.said.size() == 1);
  CHECK(rig.editor.said[0].find("cannot be restored") != std::string::npos);
  CHECK(rig.number("training.library.deleted") == 1);
  fs::remove(rig.folder() + "/copy-1");
  rig.command("put-back");
  CHECK(fs::exists(rig.folder() + "/copy-1/run.sqlite"));
  CHECK(rig.number("training.library.deleted") == 0);
}

TEST_CASE("library: runs sorted by a time are grouped by day, and opening a run counts as use", "[training][library]") {
  LibraryRig rig(2);
  const auto age = [&](const std::string& name, int days) {
    for (const auto& entry : fs::directory_iterator(rig.folder() + "/" + name))
      if (entry.is_regular_file())
        fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
  };
  age("copy-1", 1);
  age("copy-2", 40);
  rig.set("training.library.view", std::string("table"));
  rig.set("training.library.sort", std::string("used"));
  rig.command("read");
  CHECK(rig.names().ends_with("copy-1, copy-2"));
  CHECK(rig.text("training.library.runs[0].group") == "Today");
  CHECK(rig.text("training.library.runs[2].group") == "Yesterday");
  CHECK(rig.text("training.library.runs[3].group").size() == 10);  // a date
  const std::string table = rig.texts("training.library.runs");
  CHECK(table.find("Today\n") < table.find("Yesterday\n"));
  CHECK(rig.placeOf("Yesterday").y < rig.placeOf("copy-1").y);
  rig.click(rig.placeOf("Yesterday"));  // a heading is not a run
  CHECK(rig.text("training.library.selected").empty());
  CHECK(rig.editor.said.empty());
  REQUIRE(rig.run("training.library-below"));
  CHECK_FALSE(rig.text("training.library.selected").empty());  // keys skip headings
  rig.set("training.library.filter", std::string("used = yesterday"));
  rig.settle();
  CHECK(rig.names() == "copy-1");
  rig.choose("copy-1");
  rig.command("open");
  rig.set("training.page", std::string("library"));
  rig.settle();
  rig.command("read");
  CHECK(rig.names().empty());  // it was used today
  rig.set("training.library.filter", std::string(""));
  rig.set("training.library.view", std::string("cards"));
  rig.settle();
  CHECK(rig.text("training.library.runs[2].group") == "Today");
  CHECK(rig.placeOf("Today").y < rig.placeOf("copy-1").y);
  CHECK(rig.texts("training.library.runs").find("· used 20") != std::string::npos);
  rig.set("training.library.sort", std::string("loss"));
  rig.settle();
  CHECK(rig.texts("training.library.runs").find("Today") == std::string::npos);
}

TEST_CASE("library: runs of lessons are in a separate group and are listed on request", "[training][library]") {
  LibraryRig rig;
  CHECK(rig.texts("training.library.order").find("Lessons") == std::string::npos);
  rig.runs->setLessonRuns(true);
  rig.set("training.page", std::string("curves"));
  rig.start("encoder-decoder", 20);
  rig.runs->setLessonRuns(false);
  rig.set("training.page", std::string("library"));
  rig.settle();
  rig.command("read");
  CHECK(rig.number("training.library.count") == 2);
  CHECK(rig.texts("training.library.order").find("Lessons (2)") != std::string::npos);
  rig.command("lessons");
  CHECK(rig.number("training.library.count") == 4);
  CHECK(rig.names().ends_with("lessons/Small-encoder") != rig.names().ends_with("lessons/Small-decoder"));
  CHECK(rig.text("training.library.runs[1].group") == "Today");
  CHECK(rig.text("training.library.runs[2].group") == "Lessons");
  CHECK(rig.texts("training.library.runs").find("Lessons\n") != std::string::npos);
  rig.choose("lessons/Small-encoder");
  CHECK(rig.number("training.library.selected_count") == 1);
  rig.set("training.library.sort", std::string("loss"));
  rig.settle();
  CHECK(rig.text("training.library.runs[3].group") == "Lessons");
  rig.command("lessons");
  CHECK(rig.number("training.library.count") == 2);
}

TEST_CASE("library: conditions and columns can be clicked above the runs", "[training][library]") {
  LibraryRig rig(1);
  rig.set("training.library.view", std::string("table"));
  rig.settle();
  CHECK(rig.texts("training.library.find").find("Search\n") != std::string::npos);
  CHECK(rig.texts("training.library.find").find("Filter\n") != std::string::npos);
  CHECK(rig.editor.registry.find("training.library.search")->property->eager);
  rig.click(rig.placeOf("yesterday", "training.library.order"));
  rig.settle();
  CHECK(rig.text("training.library.filter") == "created = yesterday");
  CHECK(rig.number("training.library.shown") == 0);
  rig.click(rig.placeOf("today", "training.library.order"));  // replaces the previous condition
  rig.settle();
  CHECK(rig.text("training.library.filter") == "created = today");
  CHECK(rig.number("training.library.shown") == 3);
  rig.set("training.library.filter", std::string("created = today, d_model > 1"));
  rig.settle();
  rig.click(rig.placeOf("today", "training.library.order"));
  rig.settle();
  CHECK(rig.text("training.library.filter") == "d_model > 1");
  CHECK(rig.layer("training.library.columns") == nullptr);
  rig.command("columns");
  const std::string before = rig.text("training.library.columns");
  REQUIRE(before.find("layers") == std::string::npos);
  rig.click(rig.placeOf("layers", "training.library.columns"));
  rig.settle();
  CHECK(rig.text("training.library.columns").find("layers") != std::string::npos);
  CHECK(rig.texts("training.library.runs").find("layers\n") != std::string::npos);
  rig.click(rig.placeOf("✓ layers", "training.library.columns"));
  rig.settle();
  CHECK(rig.texts("training.library.runs").find("layers\n") == std::string::npos);
}

TEST_CASE("library: search and order share a row if they fit, and are left out in a low pane", "[training][library]") {
  LibraryRig rig(1);
  const auto heights = [&rig](render::Point size) {
    rig.area = {{0, 0}, size};
    rig.settle();
    return std::pair(rig.placeOf("Search", "training.library.find").y,
                     rig.placeOf("today", "training.library.order").y);
  };
  const auto [wideFind, wideOrder] = heights({1400, 800});
  CHECK(std::abs(wideFind - wideOrder) < 12);
  const auto [narrowFind, narrowOrder] = heights({640, 800});
  CHECK(narrowOrder > narrowFind + 12);
  rig.area = {{0, 0}, {640, 300}};
  rig.settle();
  CHECK(rig.layer("training.library.find") == nullptr);
  CHECK(rig.layer("training.library.order") == nullptr);
  CHECK(rig.layer("training.library.runs") != nullptr);
  CHECK(rig.texts("training.library.missing").find("search, filter and order") != std::string::npos);
}

TEST_CASE("library: damaged and missing runs are reported in the library", "[training][library]") {
  LibraryRig rig(2);
  std::ofstream(rig.folder() + "/copy-1/run.sqlite") << "no database";
  fs::remove_all(rig.folder() + "/copy-2");
  rig.command("read");
  CHECK(rig.number("training.library.count") == 3);
  rig.set("training.library.filter", std::string("state = unreadable"));
  rig.settle();
  CHECK(rig.names() == "copy-1");
  CHECK(rig.text("training.library.runs[0].failure").find("copy-1/run.sqlite") != std::string::npos);
  CHECK(rig.texts("training.library.runs").find("unreadable") != std::string::npos);
  rig.choose("copy-1");
  rig.command("open");
  CHECK(rig.editor.said.size() == 1);
  CHECK(rig.text("training.page") == "library");
  CHECK(rig.refusal("training.library.tags", std::string("a")).find("copy-1") != std::string::npos);
  rig.set("training.library.folder", rig.folder() + "/no such folder");
  rig.settle();
  CHECK(rig.texts("training.library.sentence").find("There are no runs in") != std::string::npos);
}

TEST_CASE("library: runs with the same name are distinguished in a race", "[training][library]") {
  LibraryRig rig(2);
  rig.choose("copy-1, copy-2");
  rig.command("open");
  CHECK(rig.texts("strip").find("New run") != std::string::npos);
  CHECK(rig.text("training.runs[0].name") == "Small encoder");
  rig.settle();
  const std::string caption = rig.exhibit->caption();
  CHECK(caption.find("Small encoder (copy-1), Small encoder (copy-2)") != std::string::npos);
}

TEST_CASE("library: runs that train but are not shown become the race", "[training][library]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 10);
  const std::string first = rig.folderOf(0);
  rig.editor.commit(rig.editor.document().without("training.runs"), "", "");
  rig.frame();
  REQUIRE(rig.number("training.runs.count") == 0);
  REQUIRE(rig.run("runs.show"));
  rig.frame();
  CHECK(rig.number("training.runs.count") == 2);
  CHECK(rig.folderOf(0) == first);
  CHECK(rig.text("training.page") == "curves");
  rig.train(40);
  REQUIRE(rig.run("runs.show"));
  CHECK(rig.editor.said.size() == 1);  // both have ended
}

TEST_CASE("library: a branch starts at the last saved step of the selected run", "[training][library]") {
  LibraryRig rig(1);
  rig.choose("copy-1");
  rig.command("branch");
  CHECK(rig.text("training.page") == "own");
  CHECK(rig.text("training.own.parent").ends_with("/copy-1"));
  CHECK(rig.number("training.own.parent_step") == 20);
  CHECK(rig.editor.document().at("training.runs").size() == 1);  // the branch will train beside this run
}

TEST_CASE("library: the context menu applies to the card under the pointer", "[training][library]") {
  LibraryRig rig(2);
  rig.choose("copy-2");
  const auto right = [&rig](const char* name) {
    const render::Point at = rig.placeOf(name);
    rig.frame({RigBase::move(at)});
    rig.frame({PointerPressed{Button::Right, true, at.x, at.y, {}}});
    rig.frame({PointerPressed{Button::Right, false, at.x, at.y, {}}});
    return rig.text("training.library.selected");
  };
  CHECK(right("copy-1") == "copy-1");
  rig.choose("copy-1, copy-2");
  CHECK(right("copy-1") == "copy-1, copy-2");  // the selection is kept
  CHECK(rig.exhibit->pictureCommands().front() == "training.library-open");
}
