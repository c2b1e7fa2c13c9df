// SPDX-License-Identifier: Apache-2.0
// The page Sentence of runs. The analysis of one run equals the computation of the run itself, alone and compared with
// another step or run. With all runs side by side, each run tokenizes the text with its own vocabulary, predictions are
// those of the model at the step, and unreadable text is reported and kept.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/data/encode.h"
#include "engine/data/source_config.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store.h"
#include "engine/train/sequence_probe.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "tests/ui/exhibits/training/training_rig.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

std::string keyOf(int run, const std::string& of) {
  return "training.runs[" + std::to_string(run) + "].sequence." + of;
}

void showSequence(TrainingRig& rig) {
  rig.start("encoder-decoder", 40);
  rig.set("training.page", std::string("sequence"));
  rig.set("training.sequence.show", std::string("runs"));
  rig.settle();
}

/// The probe of a run, computed without the page.
train::SequenceProbe probeOf(const TrainingRig& rig, std::size_t run, std::int64_t step, const std::string& text,
                             int layer) {
  const std::string folder = rig.folderOf(run);
  auto config = *train::readRunConfig(folder + "/config.json");
  const auto source = *data::makeSource(config.data);
  REQUIRE(train::resolve(config, *source));
  const auto state = train::readCheckpoint(train::checkpointFolder(folder, step), nn::ParameterLayout(config.model));
  REQUIRE(state);
  ThreadPool pool(1);
  auto made = train::probeSequence(config, state->theta, {layer, *data::encodeText(*source, text), {}}, pool);
  REQUIRE(made);
  return std::move(*made);
}

}  // namespace

TEST_CASE("sequence: attention and predictions are those of the model at the step", "[training]") {
  TrainingRig rig;
  showSequence(rig);
  rig.set("training.sequence.text", std::string("the keys"));
  rig.set("training.step", 37.0);
  rig.set("training.head", 1.0);
  rig.set("training.sequence.place", 3.0);
  rig.settle();
  for (const int run : {0, 1}) {
    INFO(run);
    CHECK(rig.number(keyOf(run, "step")) == 30);
    CHECK(rig.text(keyOf(run, "source")) == "checkpoint");
    CHECK(rig.number(keyOf(run, "tokens")) == 8);
    const train::SequenceProbe probe = probeOf(rig, static_cast<std::size_t>(run), 30, "the keys", 0);
    const auto maps = rig.inViews<render::Heatmap>();
    REQUIRE(maps.size() == 2);  // one head of each run
    const attention::MatrixF& head = probe.attention[1];
    for (Eigen::Index i = 0; i < head.size(); ++i)
      REQUIRE((*maps[static_cast<std::size_t>(run)].values)[static_cast<std::size_t>(i)] == Approx(head.data()[i]));
    const train::Prediction* found = nullptr;
    for (const train::Prediction& one : probe.predictions)
      if (one.place == 3) found = &one;
    REQUIRE(found);
    CHECK(rig.number(keyOf(run, "place.share")) ==
          Approx(*std::max_element(found->shares.begin(), found->shares.end())));
    CHECK(rig.number(keyOf(run, "place.truth")) <= rig.number(keyOf(run, "place.share")));
    CHECK(rig.number(keyOf(run, "place.rank")) >= 1);
    CHECK(rig.number(keyOf(run, "predicted")) == (run == 0 ? 8 : 7));  // a decoder does not predict the first token
    CHECK(rig.number(keyOf(run, "loss")) > 0);
  }
  rig.set("training.head", -1.0);
  rig.settle();
  CHECK(rig.inViews<render::Heatmap>().size() == 4);  // two heads of two runs
}

TEST_CASE("sequence: an encoder predicts a hidden token, and a click on the token shows it again", "[training]") {
  TrainingRig rig;
  showSequence(rig);
  rig.set("training.sequence.text", std::string("the keys"));
  rig.set("training.sequence.hidden", std::string("2, 99"));
  rig.settle();
  CHECK(rig.number(keyOf(0, "predicted")) == 1);
  CHECK(rig.number(keyOf(1, "predicted")) == 7);
  CHECK(rig.viewTexts().find("[e]") != std::string::npos);
  render::Point place{};
  for (const render::Label& label : rig.inViews<render::Label>())
    if (label.text == "[e]") place = label.at;
  rig.click({place.x + rig.area.min.x, place.y + rig.area.min.y});
  rig.settle();
  CHECK(rig.text("training.sequence.hidden") == "99");
  CHECK(rig.number(keyOf(0, "predicted")) == 8);
  rig.set("training.sequence.text", std::string("th[MASK] keys"));
  rig.settle();
  CHECK(rig.number(keyOf(0, "tokens")) == 8);
  CHECK(rig.number(keyOf(0, "predicted")) == 0);  // the true token is unknown
  rig.set("training.sequence.place", 2.0);
  rig.settle();
  CHECK(rig.text(keyOf(0, "place.best")) != "none");
  CHECK(std::isnan(rig.number(keyOf(0, "place.truth"))));
  CHECK(rig.text(keyOf(1, "note")).find("was not trained with [MASK]") != std::string::npos);
}

TEST_CASE("sequence: unknown characters are reported, and a long text is cut with a message", "[training]") {
  TrainingRig rig;
  showSequence(rig);
  rig.set("training.sequence.text", std::string("the #key\u00df"));
  rig.settle();
  CHECK(rig.text(keyOf(0, "failure")) ==
        "\"#\", \"\u00df\" are not in the vocabulary of this run; type what occurs in its data.");
  CHECK(rig.viewTexts().find("not in the vocabulary") != std::string::npos);
  CHECK(rig.text("training.sequence.text") == "the #key\u00df");
  rig.set("training.sequence.text", std::string("the keys to the cabinets are here"));
  rig.settle();
  CHECK(rig.text(keyOf(0, "failure")) == "");
  CHECK(rig.number(keyOf(0, "tokens")) == 16);
  CHECK(rig.text(keyOf(0, "note")).find("The text has 33 tokens and the context 16: the last 17 are left out.") == 0);
  rig.set("training.sequence.text", std::string("a"));
  rig.settle();
  CHECK(rig.number(keyOf(1, "tokens")) == 1);
}

TEST_CASE("sequence: a run that trains here uses its live weights, and the symbols of a chain are read", "[training]") {
  TrainingRig rig(400);
  rig.set("training.page", std::string("sequence"));
  rig.set("training.sequence.show", std::string("runs"));
  rig.start("rank-one", 24);
  REQUIRE(rig.run("training.pause"));
  rig.settle();
  CHECK(rig.text(keyOf(0, "source")) == "live");
  CHECK(rig.number(keyOf(0, "step")) == rig.number("training.runs[0].step"));
  rig.set("training.sequence.text", std::string("0110 1"));
  rig.set("training.sequence.place", 5.0);
  rig.settle();
  CHECK(rig.number(keyOf(0, "tokens")) == 5);
  CHECK(rig.number(keyOf(0, "place.share")) >= 0.5);  // share of the most likely next token
  CHECK(rig.text(keyOf(0, "place.rank")) == "none");
}

namespace {

/// Values in the picture of a pattern.
std::vector<float> patternOf(const TrainingRig& rig, const std::string& view) {
  const auto maps = rig.inViews<render::Heatmap>(view);
  REQUIRE(maps.size() == 1);
  return *maps.front().values;
}

void showSentence(TrainingRig& rig) {
  showSequence(rig);
  rig.set("training.sequence.show", std::string("sentence"));
  rig.set("training.sequence.text", std::string("the keys"));
  rig.set("training.step", 37.0);
  rig.set("training.head", 1.0);
  rig.settle();
}

}  // namespace

TEST_CASE("sentence of a run: tokens, patterns and predictions are those of the run's own model", "[training]") {
  TrainingRig rig;
  showSentence(rig);
  for (const int run : {0, 1}) {
    INFO(run);
    rig.set("training.run", static_cast<double>(run));
    rig.settle();
    CHECK(rig.number("training.sequence.tokens") == 8);
    CHECK(rig.viewTexts("about").find("step 30, checkpoint") != std::string::npos);
    const train::SequenceProbe probe = probeOf(rig, static_cast<std::size_t>(run), 30, "the keys", 0);
    const std::vector<float> shown = patternOf(rig, "pattern");
    const attention::MatrixF& head = probe.attention[1];
    REQUIRE(static_cast<Eigen::Index>(shown.size()) == head.size());
    for (Eigen::Index i = 0; i < head.size(); ++i)
      REQUIRE(shown[static_cast<std::size_t>(i)] == Approx(head.data()[i]).margin(1e-5));
    // The parts of the selected score add up to it.
    CHECK(std::abs(rig.number("training.sequence.parts.residue")) < 1e-4);
  }
  // The selected token is the predicted one in both views.
  rig.set("training.sequence.place", 3.0);
  rig.settle();
  CHECK(rig.number("training.sequence.probability") == Approx(rig.number(keyOf(1, "place.share"))).margin(1e-5));
  CHECK(rig.text("training.sequence.best") == rig.text(keyOf(1, "place.best")));
  CHECK(rig.number("training.sequence.rank") == rig.number(keyOf(1, "place.rank")));
  // The encoder does not see a hidden token.
  rig.set("training.run", 0.0);
  rig.set("training.sequence.hidden", std::string("3, 99"));
  rig.settle();
  CHECK(rig.number("training.sequence.probability") == Approx(rig.number(keyOf(0, "place.share"))).margin(1e-5));
  CHECK(rig.text("training.sequence.shown").find("[M") != std::string::npos);
  REQUIRE(rig.run("training.sequence-mask"));
  rig.settle();
  CHECK(rig.text("training.sequence.hidden") == "99");
  CHECK(rig.text("training.sequence.text") == "the keys");
}

TEST_CASE("sentence of a run: another step or run is shown side by side and as a difference", "[training]") {
  TrainingRig rig;
  showSentence(rig);
  rig.set("training.run", 0.0);
  rig.set("training.sequence.beside", std::string("step"));
  rig.set("training.compare.step", 10.0);
  rig.settle();
  CHECK(rig.text("training.sequence.failure") == "none");
  const train::SequenceProbe now = probeOf(rig, 0, 30, "the keys", 0), then = probeOf(rig, 0, 10, "the keys", 0);
  const std::vector<float> whole = patternOf(rig, "whole"), other = patternOf(rig, "pattern");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    REQUIRE(whole[i] == Approx(now.attention[1].data()[i]).margin(1e-5));
    REQUIRE(other[i] == Approx(then.attention[1].data()[i]).margin(1e-5));
  }
  CHECK(rig.viewTexts("pattern.title").find("step 10") != std::string::npos);
  CHECK(rig.viewTexts("whole.title").find("step 30") != std::string::npos);
  CHECK(rig.number("training.sequence.kl") > 0);
  rig.set("training.sequence.look", std::string("difference"));
  rig.settle();
  const std::vector<float> difference = patternOf(rig, "pattern");
  for (std::size_t i = 0; i < difference.size(); ++i)
    REQUIRE(difference[i] == Approx(other[i] - whole[i]).margin(1e-6));
  rig.set("training.sequence.look", std::string("matrix"));
  rig.set("training.sequence.beside", std::string("run"));
  rig.settle();
  const train::SequenceProbe decoder = probeOf(rig, 1, 30, "the keys", 0);
  const std::vector<float> beside = patternOf(rig, "pattern");
  for (std::size_t i = 0; i < beside.size(); ++i)
    REQUIRE(beside[i] == Approx(decoder.attention[1].data()[i]).margin(1e-5));
}

TEST_CASE("sentence of a run: unreadable text is reported, and the view of all runs is offered", "[training]") {
  TrainingRig rig;
  showSentence(rig);
  rig.set("training.sequence.text", std::string("the #key"));
  rig.settle();
  CHECK(rig.text("training.sequence.failure").find("\"#\" is not in the vocabulary of this run") == 0);
  CHECK(rig.viewTexts("actions").find("runs side by side") != std::string::npos);
  rig.set("training.sequence.text", std::string("the keys to the cabinets are here"));
  rig.settle();
  CHECK(rig.number("training.sequence.tokens") == 16);
  CHECK(rig.viewSentences("notes").find("the last 17 are left out") != std::string::npos);
  rig.set("training.sequence.text", std::string());
  rig.settle();
  CHECK(rig.number("training.sequence.tokens") == rig.number(keyOf(0, "tokens")));
}
