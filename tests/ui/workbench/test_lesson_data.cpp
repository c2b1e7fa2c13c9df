// SPDX-License-Identifier: Apache-2.0
// Runs that come with a lesson read data only in the lesson's folder: other data are neither shown nor used for
// training.
#include <filesystem>
#include <string>

#include "engine/train/trainer.h"
#include "tests/engine/train/small_runs.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/lesson_rig.h"
#include "ui/runs/runs.h"

using namespace sepx;
using namespace sepx::test;

namespace {

constexpr const char* kRefused = "neither in the lesson's folder";

/// Trains a run of a few steps on a text, outside of a lesson.
void trainOn(const std::string& folder, const std::string& text) {
  train::RunConfig config = smallMarkov();
  config.data.kind = data::SourceKind::Text;
  config.data.path = text;
  config.model.vocabulary = 0;
  config.schedule.steps = 10;
  train::TrainerOptions options;
  options.folder = folder;
  options.threads = 1;
  auto trainer = train::Trainer::start(config, options);
  INFO((trainer ? "" : trainer.error().message));
  REQUIRE(trainer);
  REQUIRE((*trainer)->finish());
}

std::string someText() {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "the keys lie on the table\n";
  return text;
}

/// The run in the lesson's folder, opened from the library while the lesson is open.
ui::RunPointer openBesideLesson(Bench& bench, const tests::TemporaryFolder& folder) {
  auto runner = app::makeRunner(folder.file("in/l.md", lessonOf("set flow.p 0.3")), bench.workbench(), *bench.host, {});
  REQUIRE(runner);
  REQUIRE(errorOf(bench.host->play(**runner)) == "");
  const ui::RunPointer run = bench.workbench().runs().open(folder / "in/run");
  bench.settle();
  return run;
}

}  // namespace

TEST_CASE("A lesson cannot train on data outside its folder or resume a run that it did not start", "[lesson]") {
  const tests::TemporaryFolder folder;
  trainOn(folder / "in/run", folder.file("secret.txt", someText()));
  Bench bench({1280, 720});
  const ui::RunPointer run = openBesideLesson(bench, folder);
  ui::Runs& runs = bench.workbench().runs();
  REQUIRE(run->config());
  CHECK(run->dataFolders().size() == 2);
  const auto again = runs.start(*run->config(), true);
  REQUIRE_FALSE(again);
  CHECK_THAT(again.error().message, Catch::Contains(kRefused));
  const auto resumed = runs.resume(*run);
  REQUIRE_FALSE(resumed);
  CHECK_THAT(resumed.error().message, Catch::Contains(kRefused));
  runs.setLessonRuns(true);
  const auto continued = runs.resume(*run);
  REQUIRE_FALSE(continued);
  CHECK_THAT(continued.error().message, Catch::Contains("did not start"));
  runs.setLessonRuns(false);
}
