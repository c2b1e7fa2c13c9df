// SPDX-License-Identifier: Apache-2.0
// The page Sequence: each run reads what is typed with its own vocabulary; predictions are those of the step's model;
// what cannot be read is said in place and kept.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/data/encode.h"
#include "engine/data/source_config.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store.h"
#include "engine/train/sequence_probe.h"
#include "engine/train/step.h"
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
  rig.settle();
}

/// The probe of a run, made without the page.
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

TEST_CASE("sequence: attention and predictions are those of the model of the step", "[training]") {
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
    CHECK(rig.number(keyOf(run, "predicted")) == (run == 0 ? 8 : 7));  // nothing stands before the first of a decoder
    CHECK(rig.number(keyOf(run, "loss")) > 0);
  }
  rig.set("training.head", -1.0);
  rig.settle();
  CHECK(rig.inViews<render::Heatmap>().size() == 4);  // two heads of two runs
}

TEST_CASE("sequence: a hidden place is what an encoder predicts, a click on its token shows it again", "[training]") {
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
  CHECK(rig.number(keyOf(0, "predicted")) == 0);  // nobody knows what stands there
  rig.set("training.sequence.place", 2.0);
  rig.settle();
  CHECK(rig.text(keyOf(0, "place.best")) != "none");
  CHECK(std::isnan(rig.number(keyOf(0, "place.truth"))));
  CHECK(rig.text(keyOf(1, "note")).find("never saw [MASK]") != std::string::npos);
}

TEST_CASE("sequence: what a run has no token for is named, and a long text is cut, both said in place", "[training]") {
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

TEST_CASE("sequence: a small run that trains here is read as it is, and symbols of a chain are read", "[training]") {
  TrainingRig rig(400);
  rig.set("training.page", std::string("sequence"));
  rig.start("rank-one", 24);
  REQUIRE(rig.run("training.pause"));
  rig.settle();
  CHECK(rig.text(keyOf(0, "source")) == "live");
  CHECK(rig.number(keyOf(0, "step")) == rig.number("training.runs[0].step"));
  rig.set("training.sequence.text", std::string("0110 1"));
  rig.set("training.sequence.place", 5.0);
  rig.settle();
  CHECK(rig.number(keyOf(0, "tokens")) == 5);
  CHECK(rig.number(keyOf(0, "place.share")) >= 0.5);  // of what comes next
  CHECK(rig.text(keyOf(0, "place.rank")) == "none");
}
