// SPDX-License-Identifier: Apache-2.0
// The page Matrices: it reads the matrices that the run has for the step shown, and reports what is missing.
#include <cmath>
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/attention/factors.h"
#include "engine/data/source_config.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/matrix_spectrum.h"
#include "engine/train/run_store.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "tests/ui/exhibits/training/training_rig.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

std::string keyOf(int run, const std::string& of) {
  return "training.runs[" + std::to_string(run) + "].matrices." + of;
}

/// A parameter from a checkpoint of a run.
attention::MatrixF savedOf(const TrainingRig& rig, std::size_t run, std::int64_t step, const std::string& name) {
  const std::string folder = rig.folderOf(run);
  auto config = *train::readRunConfig(folder + "/config.json");
  const auto source = *data::makeSource(config.data);
  REQUIRE(train::resolve(config, *source));
  const nn::ParameterLayout layout(config.model);
  const auto state = train::readCheckpoint(train::checkpointFolder(folder, step), layout);
  REQUIRE(state);
  const nn::Parameter* const at = layout.find(name);
  REQUIRE(at);
  return Eigen::Map<const attention::MatrixF>(state->theta.data() + at->offset, at->rows, at->columns);
}

double ratioOf(const attention::MatrixF& matrix) {
  return train::matrixSpectrum({matrix.data(), static_cast<std::size_t>(matrix.size())},
                               static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()))
      .ratio();
}

}  // namespace

TEST_CASE("matrices: the selected matrix is that of the step, with the ratio of its singular values", "[training]") {
  TrainingRig rig;
  rig.start("rank-one", 40);
  rig.set("training.page", std::string("matrices"));
  rig.set("training.step", 30.0);
  rig.settle();
  for (const int run : {0, 1}) {
    INFO(run);
    CHECK(rig.number(keyOf(run, "step")) == 30);
    const attention::MatrixF W_1 = savedOf(rig, static_cast<std::size_t>(run), 30, "layers.0.feed_forward.W_1.weight");
    const auto maps = rig.items<render::Heatmap>("training.matrices.matrix" + std::to_string(run));
    REQUIRE(maps.size() == 1);
    const render::Heatmap& drawn = maps.front();
    REQUIRE(drawn.height == W_1.rows());
    REQUIRE(drawn.width == W_1.cols());
    for (Eigen::Index i = 0; i < W_1.size(); ++i)
      REQUIRE((*drawn.values)[static_cast<std::size_t>(i)] == W_1.data()[i]);
    CHECK(rig.number(keyOf(run, "ratio")) == Approx(ratioOf(W_1)));
    CHECK(rig.number(keyOf(run, "inverse")) == Approx(1 / ratioOf(W_1)));
    CHECK(rig.number(keyOf(run, "W_1.ratio")) == rig.number(keyOf(run, "ratio")));
    CHECK(rig.number(keyOf(run, "W_V.ratio")) ==
          Approx(ratioOf(savedOf(rig, static_cast<std::size_t>(run), 30, "layers.0.attention.W_V.weight"))));
    const attention::MatrixF e = savedOf(rig, static_cast<std::size_t>(run), 30, "embedding.weight");
    CHECK(rig.number(keyOf(run, "embedding")) ==
          Approx(static_cast<double>(e.cwiseAbs().maxCoeff()) / static_cast<double>(e.cwiseAbs().minCoeff())));
    CHECK(rig.number(keyOf(run, "cosine")) >= 0);
    CHECK(rig.number(keyOf(run, "cosine")) <= 1);
    CHECK(rig.number(keyOf(run, "points")) >= 5);  // checkpoints at steps 0, 10, ... and the stored steps between them
    CHECK(rig.text(keyOf(run, "failure")) == "");
  }
  CHECK(rig.layer("training.matrices.ratio"));
}

TEST_CASE("matrices: between checkpoints the stored matrices of the run are used, with the embedding", "[training]") {
  TrainingRig rig;
  rig.start("rank-one", 40);
  rig.set("training.page", std::string("matrices"));
  rig.set("training.step", 27.0);
  rig.settle();
  CHECK(rig.number(keyOf(0, "step")) == 25);
  CHECK(rig.text(keyOf(0, "source")) == "stored");
  CHECK(std::isfinite(rig.number(keyOf(0, "embedding"))));
  CHECK(std::isfinite(rig.number(keyOf(0, "W_O.ratio"))));
  CHECK(rig.texts("training.matrices.matrix0").find("step 25, stored") != std::string::npos);
}

TEST_CASE("matrices: a click on a row selects its matrix, and a missing matrix is reported", "[training]") {
  TrainingRig rig;
  rig.start("linear-attention", 40);
  rig.set("training.page", std::string("matrices"));
  rig.settle();
  CHECK(rig.text(keyOf(0, "failure")) == "This model has no W_1.");
  CHECK(rig.texts("training.matrices.matrix0").find("This model has no W_1.") != std::string::npos);
  const auto place = placeOfText(rig.items<render::Label>("training.matrices.table"), "W_K");
  REQUIRE(place);
  rig.click({place->x + rig.area.min.x + 2, place->y + rig.area.min.y});
  rig.settle();
  CHECK(rig.text("training.matrices.name") == "W_K");
  CHECK(rig.text(keyOf(0, "failure")) == "");
  for (const char* const run : {"0", "1", "2"})
    CHECK(rig.items<render::Heatmap>(std::string("training.matrices.matrix") + run).size() == 1);
}

TEST_CASE("matrices: a live run shows its present step, and a fixed scale starts with the present limits",
          "[training]") {
  TrainingRig rig(400);
  rig.set("training.page", std::string("matrices"));
  rig.start("encoder-decoder", 24);
  REQUIRE(rig.run("training.pause"));
  rig.settle();
  CHECK(rig.text("training.page") == "matrices");  // starting does not change the page
  CHECK(rig.text(keyOf(0, "source")) == "live");
  CHECK(rig.number(keyOf(0, "step")) == rig.number("training.runs[0].step"));
  rig.set("training.matrices.colors.scale", std::string("fixed"));
  CHECK(rig.number("training.matrices.colors.limit") > 0);
  CHECK(rig.number("training.matrices.colors.limit") < 1);
}

TEST_CASE("matrices: the page reports that there are no runs, or that the folder of a run is missing", "[training]") {
  TrainingRig rig;
  rig.set("training.page", std::string("matrices"));
  rig.settle();
  CHECK(rig.texts("training.matrices.sentence").find("No run is open") != std::string::npos);
  rig.editor.replace(rig.editor.document().with("training.runs", Json::array({{{"folder", "/no/such/run"}}})));
  rig.settle();
  CHECK(rig.text(keyOf(0, "failure")).find("/no/such/run") != std::string::npos);
}
