// SPDX-License-Identifier: Apache-2.0
// Runs without recorded steps, and runs whose metrics are not finite: every page of Training shows them without a crash
// and with finite axis limits.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <catch2/catch.hpp>

#include "engine/train/run_config.h"
#include "engine/train/run_store.h"
#include "tests/ui/exhibits/training/training_rig.h"
#include "tests/ui/page/finite_scene.h"
#include "ui/exhibits/training/training_pages.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// A run in the folder of the library with these values of the loss at steps 0, 1, …
std::string runWith(TrainingRig& rig, const std::string& name, train::RunState state, const std::vector<float>& loss) {
  const std::string folder = rig.runs->folder() + "/" + name;
  std::ifstream from(tests::sourceFolder() + "/assets/configs/small-encoder.json");
  train::RunRecord record;
  record.name = name;
  record.config = {std::istreambuf_iterator<char>(from), {}};
  record.steps = 40;
  auto writer = train::RunWriter::create(folder, record);
  REQUIRE(writer);
  for (std::size_t step = 0; step < loss.size(); ++step) {
    const train::Metric metric{
        .step = static_cast<std::int64_t>(step), .name = train::metricId("loss"), .value = loss[step]};
    REQUIRE((*writer)->append(static_cast<std::int64_t>(step), std::span(&metric, 1)));
  }
  const auto last = loss.empty() ? 0 : static_cast<std::int64_t>(loss.size()) - 1;
  REQUIRE((*writer)->state(state, last, ""));
  return folder;
}

/// A document that shows these runs on a page.
Document showing(const std::vector<std::string>& folders, const std::string& page) {
  Json runs = Json::array();
  for (const std::string& folder : folders)
    runs.push_back({{"folder", folder}});
  return Document{}.with("training.runs", runs).with("training.page", page);
}

void lookAtEveryPage(TrainingRig& rig, const std::vector<std::string>& folders) {
  for (const auto& page : makeTrainingPages()) {
    const std::string word = page->label().key;
    INFO(word);
    rig.editor.history.reset(showing(folders, word));
    rig.settle();
    CHECK(rig.text("training.page") == word);
    CHECK(rig.number("training.runs.count") == static_cast<double>(folders.size()));
    CHECK(firstBad(*rig.scene, true) == "");
    CHECK_FALSE(showsNoNumber(rig.exhibit->caption()));
    rig.exhibit->numbers();
    rig.frame({RigBase::move({400, 300})});
    rig.frame({Scrolled{0, 1, {}}});
    CHECK(firstBad(rig.settle(), true) == "");
  }
}

}  // namespace

TEST_CASE("training: runs without recorded steps are shown on every page without a crash and with finite limits",
          "[training][curves]") {
  TrainingRig rig;
  const std::string fresh = runWith(rig, "fresh", train::RunState::Preparing, {}),
                    stopped = runWith(rig, "stopped", train::RunState::Stopped, {});
  lookAtEveryPage(rig, {fresh});
  lookAtEveryPage(rig, {fresh, stopped});
  // With one step a curve is a single point.
  const std::string once = runWith(rig, "once", train::RunState::Stopped, {0.5F});
  lookAtEveryPage(rig, {once});
  lookAtEveryPage(rig, {fresh, once});
}

TEST_CASE("training: runs with a loss that is not finite are shown with finite limits", "[training][curves]") {
  TrainingRig rig;
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
  const std::string never = runWith(rig, "never", train::RunState::Failed, {kNaN, kNaN, kNaN}),
                    diverged = runWith(rig, "diverged", train::RunState::Failed, {0.7F, 3e30F, kInfinity, kNaN});
  lookAtEveryPage(rig, {never});
  lookAtEveryPage(rig, {diverged, never});
}

TEST_CASE("library: a run without recorded steps is a card without a curve", "[training][library]") {
  TrainingRig rig;
  runWith(rig, "fresh", train::RunState::Preparing, {});
  runWith(rig, "once", train::RunState::Stopped, {0.5F});
  for (const char* const view : {"cards", "table"}) {
    INFO(view);
    rig.editor.history.reset(Document{}.with("training.page", "library").with("training.library.view", view));
    rig.settle();
    CHECK(rig.number("training.library.count") == 2);
    CHECK(firstBad(*rig.scene, true) == "");
  }
}
