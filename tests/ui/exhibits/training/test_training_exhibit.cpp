// SPDX-License-Identifier: Apache-2.0
// The Training exhibit: runs that are started, paused, rewound and followed; the slider; messages about runs that
// cannot be read.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/training/training_rig.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

std::string runKey(int index, const std::string& of) {
  return "training.runs[" + std::to_string(index) + "]." + of;
}

/// Entries of W_qk in the pane of a run.
std::vector<float> matrixOf(const TrainingRig& rig, std::size_t pane) {
  const auto maps = rig.inViews<render::Heatmap>("form");
  REQUIRE(maps.size() > pane);
  return *maps[pane].values;
}

}  // namespace

TEST_CASE("training: start trains the runs of the experiment and shows their curves", "[training]") {
  TrainingRig rig(400);
  rig.settle();
  CHECK(rig.number("training.runs.count") == 0);
  CHECK(rig.text("training.page") == "experiments");
  rig.start("encoder-decoder", 16);
  CHECK(rig.text("training.page") == "curves");
  CHECK(rig.number("training.runs.count") == 2);
  CHECK(rig.text(runKey(0, "name")) == "Small encoder");
  CHECK(rig.text(runKey(1, "name")) == "Small decoder");
  CHECK(rig.text(runKey(0, "state")) == "running");
  CHECK(rig.number(runKey(0, "step")) >= 16);
  CHECK(rig.number(runKey(0, "loss")) > 0);
  CHECK(rig.number(runKey(1, "validation")) > 0);
  CHECK(std::abs(rig.number(runKey(0, "symmetry[1]"))) <= 1);
  CHECK(std::isfinite(rig.number(runKey(0, "directionality[0]"))));
  CHECK(std::isnan(rig.number(runKey(0, "symmetry[2]"))));  // there are two layers
  CHECK(std::isnan(rig.number(runKey(2, "loss"))));         // there are two runs
  for (const char* layer :
       {"training.curves.loss", "training.curves.symmetry", "training.curves.form0", "training.transport"}) {
    INFO(layer);
    CHECK(rig.layer(layer));
  }
  CHECK(rig.inViews<render::Heatmap>("form").size() == 2);
}

TEST_CASE("training: the document sets the number of steps per frame", "[training]") {
  TrainingRig rig(400);
  rig.set("training.steps_per_frame", 3.0);
  rig.start("markov-start", 3);
  const double before = rig.number(runKey(0, "step"));
  rig.frame();
  CHECK(rig.number(runKey(0, "step")) == before + 3);
}

TEST_CASE("training: a paused run does not move, and a single step is one step", "[training]") {
  TrainingRig rig(400);
  rig.start("markov-start", 8);
  REQUIRE(rig.run("training.pause"));
  rig.frame();
  rig.frame();
  CHECK(rig.text(runKey(0, "state")) == "paused");
  const double at = rig.number(runKey(0, "step"));
  rig.frame();
  CHECK(rig.number(runKey(0, "step")) == at);
  CHECK(rig.read("training.trains") == Value(false));
  REQUIRE(rig.run("training.step-once"));
  rig.frame();
  rig.frame();
  CHECK(rig.number(runKey(0, "step")) == at + 1);
  REQUIRE(rig.run("training.start"));
  rig.frame();
  rig.frame();
  CHECK(rig.number(runKey(0, "step")) > at + 1);
  CHECK(rig.number("training.runs.count") == 4);  // the same runs continue
}

TEST_CASE("training: rewind starts again with the same initial weights", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  REQUIRE(rig.text(runKey(0, "state")) == "finished");
  rig.set("training.step", 0.0);
  rig.settle();
  REQUIRE(rig.number(runKey(0, "form.step")) == 0);
  const std::vector<float> first = matrixOf(rig, 0);
  const std::string folder = rig.folderOf(0);
  const double loss = rig.number(runKey(0, "loss"));
  CHECK(std::isnan(loss));  // losses are recorded from step 1 on
  REQUIRE(rig.run("training.rewind"));
  rig.train(0);
  CHECK(rig.folderOf(0) != folder);
  CHECK(std::filesystem::exists(folder));  // the old run is kept
  CHECK(rig.text(runKey(0, "state")) == "paused");
  CHECK(rig.number(runKey(0, "step")) == 0);
  CHECK(rig.number("training.shown.step") == 0);
  rig.settle();
  CHECK(matrixOf(rig, 0) == first);

  REQUIRE(rig.run("training.rewind"));
  rig.settle();  // after it is known that the new runs may be started
  CHECK(rig.text(runKey(0, "state")) == "paused");
  CHECK(rig.run("training.start"));
}

TEST_CASE("training: with the slider every page shows an earlier step", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  rig.set("training.page", std::string("structure"));
  rig.settle();
  CHECK(rig.number("training.shown.step") == 40);
  CHECK(rig.number(runKey(0, "form.step")) == 40);
  const std::vector<float> last = matrixOf(rig, 0);
  const double loss = rig.number(runKey(0, "loss"));
  rig.set("training.step", 17.0);
  rig.settle();
  CHECK(rig.number("training.shown.step") == 17);
  CHECK(rig.number(runKey(0, "step")) == 40);
  CHECK(rig.number(runKey(0, "form.step")) == 15);  // the newest stored matrices at or before it
  CHECK(rig.number(runKey(0, "loss")) != loss);
  CHECK(matrixOf(rig, 0) != last);
  CHECK(rig.viewTexts("form").find("step 15") != std::string::npos);
  REQUIRE(rig.run("training.later"));
  CHECK(rig.number("training.step") == 20);  // scores are recorded every five steps
  REQUIRE(rig.run("training.earlier"));
  rig.settle();
  CHECK(rig.number("training.shown.step") == 15);
  rig.set("training.step", 4000.0);  // past the end: the newest step
  rig.settle();
  CHECK(rig.number("training.shown.step") == 40);
  REQUIRE(rig.run("training.live"));
  CHECK(rig.number("training.step") == -1);
}

TEST_CASE("training: the live matrix equals the one that is saved at that step", "[training]") {
  TrainingRig rig(400);
  rig.start("encoder-decoder", 10);
  REQUIRE(rig.run("training.pause"));
  rig.frame();
  REQUIRE(rig.runs->send(*rig.runs->all().front(), {.kind = train::CommandKind::Save, .number = 0, .names = {}}));
  rig.settle();
  const double step = rig.number(runKey(0, "step"));
  REQUIRE(rig.number(runKey(0, "form.step")) == step);
  const std::vector<float> live = matrixOf(rig, 0);
  REQUIRE(rig.run("training.start"));
  rig.train(static_cast<std::int64_t>(step) + 10);
  REQUIRE(rig.run("training.pause"));
  rig.set("training.step", step);
  rig.settle();
  REQUIRE(rig.number(runKey(0, "form.step")) == step);
  const std::vector<float> saved = matrixOf(rig, 0);
  REQUIRE(saved.size() == live.size());
  for (std::size_t i = 0; i < live.size(); ++i)
    CHECK(saved[i] == Approx(live[i]).margin(1e-6));
}

TEST_CASE("training: a document opens its runs again, and a missing folder is reported", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  const double loss = rig.number(runKey(1, "loss"));
  const Document document = rig.editor.document();
  const std::string folder = rig.folderOf(0);
  rig.runs = nullptr;
  std::filesystem::remove_all(folder);
  TrainingRig again;
  again.editor.commit(document, "open", {});
  again.settle();
  CHECK(again.number("training.runs.count") == 2);
  CHECK(again.number(runKey(1, "loss")) == loss);
  CHECK(again.text(runKey(1, "state")) == "finished");
  CHECK(again.text(runKey(0, "failure")) != "");
  CHECK(again.texts("training.failures") != "");
  CHECK(again.layer("training.curves.loss"));
  // The message is above the charts and does not cover them.
  render::Rect box{{1e9, 1e9}, {0, 0}};
  for (const render::Label& label : again.items<render::Label>("training.failures"))
    box.max.y = std::max(box.max.y, label.at.y + label.size / 2);
  double top = 1e9;
  for (const render::Label& label : again.items<render::Label>("training.curves.loss"))
    top = std::min(top, label.at.y - label.size / 2);
  CHECK(box.max.y < top);
  // only the status bar of the window has it
  for (const char* const page : {"curves", "structure", "matrices", "sequence", "update"}) {
    INFO(page);
    again.figure = true;
    again.set("training.page", std::string(page));
    again.settle();
    for (const render::Layer& layer : again.scene->layers)
      for (const render::Item& item : layer.items)
        if (const auto* const label = std::get_if<render::Label>(&item)) {
          INFO(layer.name << ": " << label->text);
          CHECK(layer.name != "training.failures");
          CHECK(label->text.find(folder) == std::string::npos);
          CHECK(label->text.find("/runs/") == std::string::npos);
        }
  }
}

TEST_CASE("training: a layer or head that no run has is refused with the range", "[training]") {
  TrainingRig rig;
  CHECK(rig.refusal("training.layer", 7.0).empty());  // a session may be read before its runs
  rig.set("training.layer", 0.0);
  rig.start("encoder-decoder", 8);
  CHECK(rig.refusal("training.layer", 2.0).find("0 to 1") != std::string::npos);
  CHECK(rig.refusal("training.head", 2.0).find("0 to 1") != std::string::npos);
  REQUIRE(rig.run("training.next-layer"));
  REQUIRE(rig.run("training.next-head"));
  CHECK(rig.number("training.layer") == 1);
  CHECK(rig.number("training.head") == 0);
}

TEST_CASE("training: if a layer or head does not exist in these runs, the nearest one is shown", "[training]") {
  TrainingRig rig;
  rig.set("training.layer", 7.0);
  rig.set("training.head", 9.0);
  rig.start("encoder-decoder", 8);
  REQUIRE(rig.run("training.pause"));
  rig.settle();
  CHECK(rig.number("training.runs[0].form.step") >= 0);
  CHECK(rig.exhibit->caption().find("layer 1, head 1") != std::string::npos);
  // The document keeps its value for a race of deeper models.
  CHECK(rig.number("training.layer") == 7);
  REQUIRE(rig.run("training.previous-layer"));
  CHECK(rig.number("training.layer") == 0);
}

TEST_CASE("training: a missing config is reported on the page", "[training]") {
  TrainingRig rig;
  rig.frame();
  std::filesystem::remove_all(std::filesystem::path(rig.context().assets) / "configs");
  REQUIRE(rig.run("training.start"));
  rig.settle();
  REQUIRE(rig.editor.said.size() == 1);
  CHECK(rig.editor.said.front().find("small-encoder.json") != std::string::npos);
  CHECK(rig.number("training.runs.count") == 0);
  CHECK(rig.texts("training.failures").find("small-encoder") != std::string::npos);
}

TEST_CASE("training: a window without a run service reports that nothing can be trained", "[training]") {
  TrainingRig rig;
  rig.runs = nullptr;
  rig.set("training.page", std::string("curves"));
  rig.settle();
  CHECK(rig.texts("training.curves.sentence").find("no training service") != std::string::npos);
  REQUIRE(rig.run("training.start"));
  CHECK(rig.editor.said.size() == 1);
}

TEST_CASE("training: the factor of the learning rate is applied to the runs", "[training]") {
  TrainingRig rig(400);
  rig.start("markov-start", 8);
  const double before = rig.number(runKey(0, "rate"));
  REQUIRE(rig.run("training.rate-half"));
  CHECK(rig.number("training.rate") == 0.5);
  rig.frame();
  rig.frame();
  rig.frame();
  CHECK(rig.number(runKey(0, "rate")) == Approx(before / 2));
}

TEST_CASE("training: if not all tabs fit, the neighbours of the page are shown, and all pages can be reached",
          "[training]") {
  TrainingRig rig(400);
  rig.start("encoder-decoder", 16);
  rig.area = {{0, 0}, {600, 470}};
  std::set<std::string> seen;
  for (int i = 0; i < 30; ++i) {
    rig.settle();
    const std::string page = rig.text("training.page");
    CAPTURE(page);
    seen.insert(page);
    std::vector<render::Label> tabs;
    std::size_t beyond = 0;  // numbers on the buttons at both ends
    for (const render::Label& label : rig.items<render::Label>("strip")) {
      if (label.text.starts_with("‹ ")) beyond += std::stoul(label.text.substr(std::string("‹ ").size()));
      if (label.text.ends_with(" ›")) beyond += std::stoul(label.text);
      for (const char* name : {"Experiments", "Curves", "Structure", "Matrices", "Sentence", "Update", "Theory",
                               "Norms", "Published", "New run", "Library"})
        if (label.text == name) tabs.push_back(label);
    }
    REQUIRE(tabs.size() >= 3);
    CHECK(tabs.size() + beyond == 11);
    const auto right =
        std::max_element(tabs.begin(), tabs.end(), [](const auto& a, const auto& b) { return a.at.x < b.at.x; });
    CHECK(right->at.x < 600);
    if (page == "library") break;
    rig.click(right->at);
  }
  CHECK(seen.count("library") == 1);
}
