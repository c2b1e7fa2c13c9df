// SPDX-License-Identifier: Apache-2.0
// Commands for single runs of a race: save a checkpoint, branch from a saved step, copy a run beside the others,
// compare two checkpoints in Weights; and a run that ends by itself.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/training/training_rig.h"
#include "ui/canvas/shapes.h"
#include "ui/race/race.h"
#include "ui/race/run_charts.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const Run& runOf(const TrainingRig& rig, std::size_t index) {
  for (const RunPointer& run : rig.runs->all())
    if (run->folder() == rig.folderOf(index)) return *run;
  throw std::runtime_error("no such run");
}

std::string keyOf(int run, const std::string& of) {
  return "training.runs[" + std::to_string(run) + "]." + of;
}

/// Runs frames until the key has the number.
void waitFor(TrainingRig& rig, const std::string& key, double number) {
  for (int i = 0; i < 100 && rig.number(key) != number; ++i)
    rig.settle();
  CHECK(rig.number(key) == number);
}

/// The text of the page of a new run, without line breaks.
std::string unbroken(TrainingRig& rig) {
  std::string text = rig.texts("training.own.why") + rig.texts("training.own.facts");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void edit(const TrainingRig& rig, const std::string& name, const std::string& section, const std::string& field,
          const nlohmann::ordered_json& value) {
  const std::string path = const_cast<TrainingRig&>(rig).context().assets + "/configs/" + name + ".json";
  nlohmann::ordered_json config;
  std::ifstream(path) >> config;
  config[section][field] = value;
  std::ofstream(path) << config.dump(2);
}

}  // namespace

TEST_CASE("race: a file with more runs than a race can have is refused", "[training]") {
  const TrainingRig rig;
  Json list = Json::array();
  for (int i = 0; i < 1000; ++i)
    list.push_back({{"folder", "/nowhere/" + std::to_string(i)}});
  const Document document = rig.editor.document().with("training.runs", list);
  const Result<void> checked = rig.editor.registry.check(document);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().message.find("\"training.runs\" has 1000 elements; it may have at most 4") !=
        std::string::npos);
  // A session of a newer program is read nevertheless.
  CHECK(readRaceState(trainingRaces(), document, rig.editor.registry).folders.size() == 4);
}

TEST_CASE("race: save writes a checkpoint of the chosen run, or of all runs, at the current step", "[training]") {
  TrainingRig rig(400);
  rig.start("encoder-decoder", 12);
  REQUIRE(rig.run("training.pause"));
  rig.settle();
  const double step = rig.number(keyOf(0, "step"));
  REQUIRE(std::fmod(step, 10) != 0);  // no checkpoint is saved at this step automatically
  rig.set("training.run", 1.0);
  REQUIRE(rig.run("training.save"));
  waitFor(rig, keyOf(1, "saved"), step);
  CHECK(rig.number(keyOf(0, "saved")) < step);
  rig.set("training.run", -1.0);
  REQUIRE(rig.run("training.save"));
  waitFor(rig, keyOf(0, "saved"), step);
  CHECK(std::filesystem::exists(train::checkpointFolder(rig.folderOf(0), static_cast<std::int64_t>(step)) +
                                "/model.safetensors"));
  CHECK(rig.editor.said.empty());
}

TEST_CASE("race: if no run trains, save reports that there is nothing to save", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  REQUIRE(rig.run("training.save"));
  REQUIRE(rig.editor.said.size() == 1);
  CHECK(rig.editor.said[0].find("nothing new to save") != std::string::npos);
}

TEST_CASE("race: a branch starts from the other run's saved step that is nearest to the slider", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  rig.set("training.step", 22.0);
  rig.settle();
  CHECK(rig.number("training.branch.step") == 20);
  CHECK(rig.texts("training.transport").find("Branch from step 20") != std::string::npos);
  REQUIRE(rig.run("training.branch"));
  rig.settle();
  CHECK(rig.text("training.page") == "own");
  CHECK(rig.number("training.own.parent_step") == 20);
  CHECK(rig.number("training.own.result.differences") == 0);
  const double rate = rig.number("training.own.optimisation.learning_rate");
  rig.set("training.own.optimisation.learning_rate", rate / 2);
  rig.settle();
  CHECK(rig.number("training.own.result.differences") == 1);
  CHECK(rig.texts("training.own.facts").find("from its saved step 20") != std::string::npos);
  REQUIRE(rig.run("training.own-start"));
  for (int i = 0; i < 100 && rig.text(keyOf(2, "state")) != "finished"; ++i)
    rig.settle();
  CHECK(rig.text("training.page") == "curves");
  CHECK(rig.number("training.runs.count") == 3);
  CHECK(rig.text(keyOf(2, "parent")) == rig.folderOf(0));
  CHECK(rig.number(keyOf(2, "parent_step")) == 20);
  CHECK(rig.text(keyOf(2, "name")).find("from 20") != std::string::npos);
  const RunSeries *const ours = runOf(rig, 2).series("loss"), *const theirs = runOf(rig, 0).series("loss");
  REQUIRE(ours);
  REQUIRE(theirs);
  CHECK(ours->steps.front() == 21);
  CHECK(ours->values.front() == theirs->values[20]);  // equal weights and equal sequences
  CHECK(ours->values.back() != theirs->values.back());
  CHECK(rig.value("training.same.seed") == Value(true));
  // The record in the folder contains the parent too.
  CHECK((*(*train::RunReader::open(rig.folderOf(2)))->record()).parent == rig.folderOf(0) + "@20");

  const std::string before = rig.folderOf(2);
  REQUIRE(rig.run("training.rewind"));
  rig.settle();
  CHECK(rig.folderOf(2) != before);
  CHECK(rig.number(keyOf(2, "parent_step")) == 20);
  CHECK(rig.number(keyOf(2, "step")) == 20);
  CHECK(rig.number(keyOf(0, "step")) == 0);

  // If the parent's checkpoint is missing, the run's own checkpoint of the same step is used.
  std::filesystem::remove_all(train::checkpointFolder(rig.text(keyOf(2, "parent")), 20));
  const std::string again = rig.folderOf(2);
  REQUIRE(rig.run("training.rewind"));
  rig.settle();
  CHECK(rig.folderOf(2) != again);
  CHECK(rig.text(keyOf(2, "parent")) == again);
  CHECK(rig.number(keyOf(2, "parent_step")) == 20);
  CHECK(rig.text(keyOf(2, "failure")).empty());
}

TEST_CASE("race: the reason why a branch is not possible is shown before it is started", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  REQUIRE(rig.run("training.branch"));  // a branch of the last step; its default length is as long again
  rig.settle();
  CHECK(rig.number("training.own.parent_step") == 40);
  CHECK(rig.number("training.own.schedule.steps") == 80);
  const auto refused = [&rig](const std::string& words) {
    rig.editor.said.clear();
    rig.settle();
    INFO(unbroken(rig));
    CHECK(unbroken(rig).find(words) != std::string::npos);
    REQUIRE(rig.run("training.own-start"));
    rig.settle();
    CHECK(rig.number("training.runs.count") == 2);
    REQUIRE(rig.editor.said.size() == 1);
    CHECK(rig.editor.said[0].find(words) != std::string::npos);
  };
  rig.set("training.own.parent_step", 15.0);
  refused("The nearest saved step is 10.");
  rig.set("training.own.parent_step", 20.0);
  rig.set("training.own.schedule.steps", 20.0);
  refused("must end after it");
  rig.set("training.own.schedule.steps", 80.0);
  rig.set("training.own.model.layers", 3.0);
  refused("model.layers is 2 there and 3 in the config");
  rig.set("training.own.model.layers", 2.0);
  rig.settle();
  std::filesystem::remove_all(rig.folderOf(0) + "/checkpoints");
  rig.editor.said.clear();
  REQUIRE(rig.run("training.own-start"));
  REQUIRE(rig.editor.said.size() == 1);
  CHECK(rig.editor.said[0].find("has no checkpoints of a run") != std::string::npos);
  CHECK(rig.number("training.runs.count") == 2);
}

TEST_CASE("race: choosing a text file for a branch makes it a run from the start", "[training]") {
  TrainingRig rig;
  const tests::TemporaryFolder files;
  rig.start("encoder-decoder", 40);
  REQUIRE(rig.run("training.branch"));
  rig.settle();
  const auto isBranch = [&rig] { return !rig.editor.document().at("training.own.parent_step").is_null(); };
  REQUIRE(isBranch());
  std::ofstream(files.path / "own.txt") << std::string(60, 'a') << "b a bee, a bee";
  ExhibitContext context = rig.context();
  REQUIRE(rig.exhibit->openText(context, (files.path / "own.txt").string()));
  rig.settle();
  // The saved weights have the vocabulary of their run, which differs from that of the text.
  CHECK_FALSE(isBranch());
  CHECK(rig.text("training.own.result.problem").empty());
  rig.editor.history.undo();
  rig.settle();
  CHECK(isBranch());
  rig.editor.history.redo();
  rig.settle();
  rig.editor.said.clear();
  REQUIRE(rig.run("training.own-start"));
  rig.settle();
  CHECK(rig.editor.said.empty());
  CHECK(rig.number("training.runs.count") == 1);
}

TEST_CASE("race: the page Own counts parameters while a run trains, but does not measure time", "[training]") {
  TrainingRig rig(100'000);
  rig.start("encoder-decoder", 10);
  REQUIRE(rig.run("training.branch"));
  rig.settle();
  for (int i = 0; i < 50 && std::isnan(rig.number("training.own.result.parameters")); ++i)
    rig.frame();
  CHECK(rig.value("training.trains") == Value(true));
  CHECK(rig.number("training.own.result.parameters") > 1000);
  CHECK(unbroken(rig).find("Counting") == std::string::npos);
  CHECK(unbroken(rig).find("The time of a step is measured when no run is training.") != std::string::npos);
}

TEST_CASE("race: step and total steps shown are those of the run that still trains", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  CHECK(rig.texts("training.transport").find("step 40 of 40") != std::string::npos);
  CHECK(rig.texts("training.transport").find("latest\n") != std::string::npos);  // as in the list of steps
  rig.set("training.run", 0.0);
  REQUIRE(rig.run("training.copy"));
  rig.settle();
  rig.set("training.own.name", std::string("the long one"));
  rig.set("training.own.schedule.steps", 100'000.0);
  rig.settle();
  REQUIRE(rig.run("training.own-add"));
  for (int i = 0; i < 100 && !(rig.number(keyOf(2, "step")) > 8); ++i)
    rig.frame();
  REQUIRE(rig.number(keyOf(2, "step")) < 40);
  const std::string step = std::to_string(static_cast<int>(rig.number(keyOf(2, "step"))));
  INFO(rig.texts("training.transport"));
  CHECK(rig.texts("training.transport").find("the long one: step " + step + " of 100,000") != std::string::npos);
}

TEST_CASE("race: Start resumes a run whose program was interrupted", "[training]") {
  TrainingRig rig(400);
  rig.start("encoder-decoder", 16);
  REQUIRE(rig.run("training.pause"));
  rig.settle();
  REQUIRE(rig.run("training.step-once"));
  // The state that a killed program leaves: the record has the state Running, but no program trains the run.
  const std::filesystem::path left = std::filesystem::path(rig.folderOf(0)).parent_path() / "left";
  REQUIRE(rig.run("training.start"));
  rig.frame();
  std::filesystem::copy(rig.folderOf(0), left, std::filesystem::copy_options::recursive);
  REQUIRE(rig.run("training.pause"));
  rig.frame();
  rig.editor.commit(withRuns(trainingRaces(), rig.editor.document(), {left.string()}), "open", {});
  rig.settle();
  CHECK(rig.text(keyOf(0, "state")) == "stopped");
  CHECK(rig.text(keyOf(0, "failure")).find("the program that trained it ended") != std::string::npos);
  const double before = rig.number(keyOf(0, "step"));
  REQUIRE(rig.run("training.start"));
  for (int i = 0; i < 100 && !(rig.number(keyOf(0, "step")) > before); ++i)
    rig.frame();
  CHECK(rig.folderOf(0) == left.string());
  CHECK(rig.number(keyOf(0, "step")) > before);
  CHECK(rig.text(keyOf(0, "failure")).empty());
}

TEST_CASE("race: the reason why a run failed is shown once", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  // A run with other data that fails before its first step.
  rig.set("training.run", 0.0);
  REQUIRE(rig.run("training.copy"));
  rig.settle();
  rig.set("training.own.optimisation.learning_rate", 1e15);
  rig.set("training.own.data.sentences", 150.0);
  rig.settle();
  REQUIRE(rig.run("training.own-add"));
  for (int i = 0; i < 100 && rig.text(keyOf(2, "state")) != "failed"; ++i)
    rig.settle();
  const std::string why = rig.text(keyOf(2, "failure"));
  REQUIRE_FALSE(why.empty());
  rig.settle();
  CHECK(rig.texts("training.failures") != "");
  CHECK(rig.viewTexts("form").find(why.substr(0, 12)) == std::string::npos);
}

TEST_CASE("race: a copy trains beside the others, and the page says which seeds and data the runs share",
          "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  CHECK(rig.value("training.same.data") == Value(true));
  rig.set("training.run", 1.0);
  REQUIRE(rig.run("training.copy"));
  rig.settle();
  CHECK(rig.number("training.own.parent_step") == -1);
  CHECK(rig.text("training.own.parent") == rig.folderOf(1));
  INFO(unbroken(rig));
  CHECK(unbroken(rig).find("The seed is 0 in all runs. They read the same sequences in the same order.") !=
        std::string::npos);
  rig.set("training.own.seed", 5.0);
  rig.set("training.own.data.seed", 0.0);
  rig.settle();
  CHECK(unbroken(rig).find("The seeds differ: 0, 0, 5. They read the same sequences") != std::string::npos);
  REQUIRE(rig.run("training.own-add"));
  rig.train(40);
  CHECK(rig.number("training.runs.count") == 3);
  CHECK(rig.text("training.runs[2].parent") == "none");
  CHECK(rig.value("training.same.seed") == Value(false));
  CHECK(rig.value("training.same.data") == Value(true));
  // At most four runs: the oldest is removed, unless the new run is a branch of it.
  const std::string first = rig.folderOf(0), second = rig.folderOf(1), third = rig.folderOf(2);
  for (int i = 0; i < 2; ++i) {
    rig.set("training.run", 0.0);
    REQUIRE(rig.run("training.branch"));
    rig.settle();
    REQUIRE(rig.run("training.own-start"));
    rig.settle();
  }
  CHECK(rig.number("training.runs.count") == 4);
  CHECK(rig.folderOf(0) == first);
  CHECK(rig.folderOf(1) == third);
  CHECK(rig.text(keyOf(2, "name")) != rig.text(keyOf(3, "name")));
}

TEST_CASE("race: two runs, or two steps of a run, are compared in Weights", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  rig.set("training.step", 18.0);
  rig.set("training.layer", 1.0);
  rig.settle();
  const Document before = rig.editor.document();
  CHECK(rig.text("training.compare.runs").find("at its saved step 20") != std::string::npos);
  CHECK(rig.text("training.compare.runs").find("The slider is at 18") != std::string::npos);
  REQUIRE(rig.run("training.compare-runs"));
  Document now = rig.editor.document();
  CHECK(now.at("exhibit") == "weights");
  CHECK(now.at("weights.page") == "compare");
  CHECK(now.at("weights.checkpoint") == train::checkpointFolder(rig.folderOf(0), 20));
  CHECK(now.at("weights.compare.checkpoint") == train::checkpointFolder(rig.folderOf(1), 20));
  CHECK(now.at("weights.layer") == 1);
  rig.editor.commit(before, "back", {});
  rig.set("training.run", 1.0);
  rig.set("training.compare.step", 31.0);
  rig.settle();
  REQUIRE(rig.run("training.compare-steps"));
  now = rig.editor.document();
  CHECK(now.at("weights.checkpoint") == train::checkpointFolder(rig.folderOf(1), 20));
  CHECK(now.at("weights.compare.checkpoint") == train::checkpointFolder(rig.folderOf(1), 30));
  rig.editor.commit(before, "back", {});
  rig.set("training.compare.step", 17.0);
  rig.settle();
  REQUIRE(rig.run("training.compare-steps"));
  REQUIRE(rig.editor.said.size() == 1);
  CHECK(rig.editor.said[0].find("Both are step 20") == 0);
  CHECK(rig.editor.document().at("exhibit") != "weights");
}

TEST_CASE("race: a run that converges shows why it ended and is not reported as failed", "[training]") {
  TrainingRig rig;
  edit(rig, "small-encoder", "schedule", "stop_patience", 20);
  edit(rig, "small-encoder", "schedule", "stop_improvement", 10);
  rig.start("encoder-decoder", 40);
  rig.settle();
  CHECK(rig.text(keyOf(0, "state")) == "finished");
  CHECK(rig.number(keyOf(0, "step")) == 20);
  CHECK(rig.text(keyOf(0, "ended")).find("converged") == 0);
  CHECK(rig.text(keyOf(0, "failure")).empty());
  CHECK(rig.number(keyOf(1, "step")) == 40);
  CHECK(rig.text(keyOf(1, "ended")).empty());
  CHECK(rig.texts("training.transport").find("converged") != std::string::npos);
}

TEST_CASE("race: the progress text never overlaps the buttons, also in a narrow picture", "[training]") {
  TrainingRig rig(4000);
  rig.start("encoder-decoder", 40);
  REQUIRE(rig.number("training.newest.step") < 4000);
  for (const double width : {1200.0, 738.0, 700.0, 640.0, 560.0}) {
    CAPTURE(width);
    rig.area = {{0, 0}, {width, 640}};
    rig.frame();
    double buttons = 0;
    const render::Label* progress = nullptr;
    const auto labels = rig.items<render::Label>("training.transport");
    for (const render::Label& label : labels) {
      if (label.text == "Rewind" || label.text.find("Branch") == 0)  // the last button, depending on the width
        buttons = std::max(buttons, label.at.x + textWidth(label.text, label.size) / 2);
      if (label.text.find("step ") != std::string::npos) progress = &label;
    }
    REQUIRE(buttons > 0);
    if (width > 1000) REQUIRE(progress);
    if (progress) CHECK(progress->at.x > buttons);
  }
}

TEST_CASE("race: in the low window of a lesson the loss keeps its legend, and the names of the runs are not shortened",
          "[training]") {
  TrainingRig rig;
  rig.area = {{0, 0}, {960, 372}};
  rig.start("markov-start", 40);
  rig.settle();
  for (const std::string& texts : {rig.texts("training.curves.loss"), rig.viewTexts("form")}) {
    CAPTURE(texts);
    for (const char* part : {"standard", "proposed", "SGD", "AdamW"})
      CHECK(texts.find(part) != std::string::npos);
    CHECK(texts.find("…") == std::string::npos);
  }
}

TEST_CASE("race: the names of four projected runs do not overlap", "[training]") {
  TrainingRig rig;
  rig.area = {{0, 0}, {960, 372}};
  rig.start("markov-start", 40);
  rig.set("training.page", std::string("theory"));
  rig.settle();
  std::vector<render::Rect> boxes;
  for (const render::Label& label : rig.items<render::Label>("training.theory.paths")) {
    const double height = 0.5 * label.size;
    boxes.push_back(
        {{label.at.x, label.at.y - height}, {label.at.x + textWidth(label.text, label.size), label.at.y + height}});
  }
  REQUIRE(boxes.size() == 4);
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const bool apart = boxes[a].max.x <= boxes[b].min.x || boxes[b].max.x <= boxes[a].min.x ||
                         boxes[a].max.y <= boxes[b].min.y || boxes[b].max.y <= boxes[a].min.y;
      CAPTURE(a, b);
      CHECK(apart);
    }
}

TEST_CASE("race: the nearest saved step is found, and the earlier of two that are equally near", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  const Run& run = runOf(rig, 0);
  CHECK(nearestSaved(run, 25) == 20);
  CHECK(nearestSaved(run, 26) == 30);
  CHECK(nearestSaved(run, 1000) == 40);
  CHECK(nearestSaved(run, -1) == 0);
}

TEST_CASE("race: four runs have different line styles in the charts of layers", "[training]") {
  TrainingRig rig;
  RaceState state;
  RaceShared shared{.kind = trainingRaces(), .state = state};
  shared.experiment = &experiments().front();
  shared.runs.resize(4);
  shared.layers = 1;
  const std::vector<LegendEntry> legend = layerLegend(shared, rig.context().theme);
  REQUIRE(legend.size() == 5);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < i; ++k)
      CHECK((legend[i].look.dash != legend[k].look.dash || legend[i].look.hollow != legend[k].look.hollow));
}
