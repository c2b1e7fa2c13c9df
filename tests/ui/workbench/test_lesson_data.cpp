// SPDX-License-Identifier: Apache-2.0
// The runs that a lesson brings read data of the lesson's folder alone: what a stranger's run names elsewhere is
// neither shown nor trained on.
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

/// A run of a few steps on a text, and no lesson around it.
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
  INFO((trainer ? "" : trainer.error().sentence));
  REQUIRE(trainer);
  REQUIRE((*trainer)->finish());
}

std::string someText() {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "the keys lie on the table\n";
  return text;
}

/// The run in the lesson's folder, opened while the lesson is open, as a person does from the library.
ui::RunPointer openBesideLesson(Bench& bench, const tests::TemporaryFolder& folder) {
  auto runner = app::makeRunner(folder.file("in/l.md", lessonOf("set flow.p 0.3")), bench.workbench(), *bench.host, {});
  REQUIRE(runner);
  REQUIRE(errorOf(bench.host->play(**runner)) == "");
  const ui::RunPointer run = bench.workbench().runs().open(folder / "in/run");
  bench.settle();
  return run;
}

/// What the page Sentence says of that run: "reads", or why not.
std::string shownOf(const tests::TemporaryFolder& folder, const std::string& look) {
  const std::string key = look == "runs" ? "training.runs[0].sequence." : "training.sequence.";
  Bench bench({1280, 720});
  static_cast<void>(openBesideLesson(bench, folder));
  bench.play("open " +
             folder.file("in/s.sepx", R"({"version": 1, "exhibit": "training", "training": {"experiment": "own",
             "page": "sequence", "runs": [{"folder": "run"}], "sequence": {"show": ")" +
                                          look + "\"}}}") +
             "\nwait settled\n");
  const auto tokens = bench.workbench().get(key + "tokens");
  const bool reads = tokens && std::holds_alternative<double>(*tokens) && std::get<double>(*tokens) > 0;
  return reads ? "reads" : bench.text(key + "failure");
}

}  // namespace

TEST_CASE("The run of a lesson shows no text from outside the lesson's folder", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string outside = folder.file("secret.txt", someText()), inside = folder.file("in/text.txt", someText());
  std::filesystem::create_symlink(outside, folder / "in/link.txt");
  const auto outcome = [&](const std::string& text, const char* look) {
    std::filesystem::remove_all(folder / "in/run");
    trainOn(folder / "in/run", text);
    return shownOf(folder, look);
  };
  for (const char* look : {"runs", "sentence"}) {
    CAPTURE(look);
    CHECK(outcome(inside, look) == "reads");
    for (const std::string& text : {outside, folder / "in/../secret.txt", folder / "in/link.txt"}) {
      CAPTURE(text);
      CHECK_THAT(outcome(text, look), Catch::Contains(kRefused));
    }
  }
}

TEST_CASE("What a lesson begins trains on no data from outside, and on goes no run that it did not begin", "[lesson]") {
  const tests::TemporaryFolder folder;
  trainOn(folder / "in/run", folder.file("secret.txt", someText()));
  Bench bench({1280, 720});
  const ui::RunPointer run = openBesideLesson(bench, folder);
  ui::Runs& runs = bench.workbench().runs();
  REQUIRE(run->config());
  CHECK(run->reach().size() == 2);
  const auto again = runs.start(*run->config(), true);
  REQUIRE_FALSE(again);
  CHECK_THAT(again.error().sentence, Catch::Contains(kRefused));
  const auto resumed = runs.resume(*run);
  REQUIRE_FALSE(resumed);
  CHECK_THAT(resumed.error().sentence, Catch::Contains(kRefused));
  runs.setPassing(true);
  const auto continued = runs.resume(*run);
  REQUIRE_FALSE(continued);
  CHECK_THAT(continued.error().sentence, Catch::Contains("did not begin"));
  runs.setPassing(false);
  // A document of the person's own: their runs read what they name.
  REQUIRE(bench.workbench().run("file.new"));
  bench.settle();
  CHECK(runs.start(*run->config(), true));
}
