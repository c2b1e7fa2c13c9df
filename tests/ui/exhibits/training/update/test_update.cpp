// SPDX-License-Identifier: Apache-2.0
// The page Update: it analyses the gradient at the saved step, for the selected sequence and head, and reports what
// cannot be analysed.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "engine/attention/counts.h"
#include "engine/attention/pair_terms.h"
#include "engine/data/encode.h"
#include "engine/data/source_config.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "engine/train/update_probe.h"
#include "tests/ui/exhibits/training/training_rig.h"
#include "tests/ui/page/read_labels.h"
#include "ui/canvas/shapes.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

std::string keyOf(int run, const std::string& of) {
  return "training.runs[" + std::to_string(run) + "].update." + of;
}

void showUpdate(TrainingRig& rig) {
  rig.start("encoder-decoder", 40);
  rig.set("training.page", std::string("update"));
  rig.settle();
}

/// Bounding boxes of the texts of the picture, in page coordinates; the pieces of a symbol are one text.
std::vector<render::Rect> labelBoxes(const TrainingRig& rig) {
  std::vector<render::Rect> boxes;
  const std::vector<render::Label> labels = rig.inViews<render::Label>();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const render::Label& label = labels[i];
    const double width = textWidth(label.text, label.size), height = 0.4 * label.size;
    const double before = label.alignX == render::AlignX::Right    ? width
                          : label.alignX == render::AlignX::Center ? width / 2
                                                                   : 0;
    const double left = label.at.x + label.offset.x - before;
    if (i > 0 && goesOn(labels[i - 1], label)) {
      boxes.back().max.x = std::max(boxes.back().max.x, left + width);
      continue;
    }
    boxes.push_back({{left, label.at.y - height}, {left + width, label.at.y + height}});
  }
  return boxes;
}

/// The probe of a run, computed without the page.
train::UpdateProbe probeOf(const TrainingRig& rig, std::size_t run, std::int64_t step, int layer) {
  const std::string folder = rig.folderOf(run);
  auto config = *train::readRunConfig(folder + "/config.json");
  const auto source = *data::makeSource(config.data);
  REQUIRE(train::resolve(config, *source));
  const auto state = train::readCheckpoint(train::checkpointFolder(folder, step), nn::ParameterLayout(config.model));
  REQUIRE(state);
  train::ProbeRequest request;
  request.layer = layer;
  request.seed = config.seed;
  request.tokens.resize(static_cast<std::size_t>(config.model.length));
  source->sequence(data::Split::Validation, 0, config.model.length, request.tokens);
  ThreadPool pool(1);
  auto probe = train::probeUpdate(config, state->theta, request, pool);
  REQUIRE(probe);
  return std::move(*probe);
}

/// Beta (0) or the term (1) of a run, as drawn.
std::vector<float> matrixOf(const TrainingRig& rig, std::size_t run, std::size_t which) {
  const auto maps = rig.inViews<render::Heatmap>((which == 0 ? "beta" : "term") + std::to_string(run));
  REQUIRE(maps.size() == 1);
  return *maps.front().values;
}

}  // namespace

TEST_CASE("update: the numbers are those of the probe at the saved step", "[training]") {
  TrainingRig rig;
  showUpdate(rig);
  rig.set("training.step", 37.0);
  rig.set("training.head", 1.0);
  rig.settle();
  for (const int run : {0, 1}) {
    INFO(run);
    CHECK(rig.number(keyOf(run, "step")) == 30);  // the newest checkpoint at or before it
    CHECK(rig.number(keyOf(run, "head")) == 1);
    const train::UpdateProbe probe = probeOf(rig, static_cast<std::size_t>(run), 30, 0);
    const attention::Matrix& beta = probe.beta[1];
    const std::vector<float> drawn = matrixOf(rig, static_cast<std::size_t>(run), 0);
    REQUIRE(drawn.size() == static_cast<std::size_t>(beta.size()));
    for (std::size_t i = 0; i < drawn.size(); ++i)
      CHECK(drawn[i] == Approx(static_cast<float>(beta.data()[i])));
    CHECK(rig.number(keyOf(run, "loss")) == Approx(probe.loss));
    CHECK(rig.number(keyOf(run, "score")) == Approx(attention::betaSymmetry(beta).score).margin(1e-15));
    CHECK(rig.number(keyOf(run, "row_sum")) < 1e-9);  // because of the softmax
    CHECK(std::abs(rig.number(keyOf(run, "cosine"))) < 1);
    const attention::Matrix& G = probe.gradient[1];
    CHECK(rig.number(keyOf(run, "gradient")) == Approx((G * G).trace() / G.squaredNorm()));
    CHECK(rig.number(keyOf(run, "own")) == Approx(1));
  }
  CHECK(std::isfinite(rig.number(keyOf(0, "correlation"))));
  CHECK(std::isnan(rig.number(keyOf(1, "correlation"))));  // causal: no pair occurs in both orders
  CHECK(std::isnan(rig.number(keyOf(1, "both"))));
  CHECK(std::isnan(rig.number(keyOf(0, "single"))));  // layer 0 of an encoder
  CHECK(rig.number(keyOf(1, "score")) == 0);
  CHECK(rig.number(keyOf(1, "mirrored")) == 0);
  CHECK(std::isnan(rig.number(keyOf(1, "mirrored_published"))));
}

TEST_CASE("update: all terms occur in both orders, except in the last layer, where their share is that of (S111)",
          "[training]") {
  TrainingRig rig;
  showUpdate(rig);
  REQUIRE(rig.number(keyOf(0, "tokens")) == 16);
  CHECK(rig.number(keyOf(0, "mirrored")) == 1);
  rig.set("training.layer", 1.0);
  rig.settle();
  const double predicted = rig.number(keyOf(0, "predicted"));
  REQUIRE(predicted >= 1);
  CHECK(rig.number(keyOf(0, "mirrored")) == Approx((predicted - 1) / 15));
  CHECK(rig.number(keyOf(0, "mirrored_published")) == Approx((predicted - 1) / 15));
}

TEST_CASE("update: a click on an entry of beta shows the term of its pair", "[training]") {
  TrainingRig rig;
  showUpdate(rig);
  const auto strongest = attention::strongestPairs(probeOf(rig, 0, 40, 0).X, probeOf(rig, 0, 40, 0).beta[0], 1);
  CHECK(rig.number(keyOf(0, "pair.i")) == strongest[0].i);  // the default without a selected pair
  CHECK(rig.number(keyOf(0, "pair.j")) == strongest[0].j);
  CHECK(rig.number(keyOf(1, "pair.j")) == strongest[0].j);
  const std::vector<float> before = matrixOf(rig, 1, 1);
  const auto maps = rig.inViews<render::Heatmap>("beta");
  const render::Rect& beta = maps[0].extent;  // y upwards
  const double cell = beta.width() / 16;
  rig.click({beta.min.x + 2.5 * cell, -beta.max.y + 5.5 * cell});
  rig.settle();
  CHECK(rig.number("training.update.i") == 5);
  CHECK(rig.number("training.update.j") == 2);
  for (const int run : {0, 1}) {
    INFO(run);
    const train::UpdateProbe probe = probeOf(rig, static_cast<std::size_t>(run), 40, 0);
    CHECK(rig.number(keyOf(run, "pair.beta_ij")) == Approx(probe.beta[0](5, 2)));
    CHECK(rig.number(keyOf(run, "pair.beta_ji")) == Approx(probe.beta[0](2, 5)));
    const attention::Matrix term = attention::pairTerm(probe.X, probe.beta[0], 5, 2);
    CHECK(rig.number(keyOf(run, "pair.norm")) == Approx(term.norm()));
    CHECK(rig.number(keyOf(run, "pair.symmetry")) == Approx((term * term).trace() / term.squaredNorm()));
    const std::vector<float> drawn = matrixOf(rig, static_cast<std::size_t>(run), 1);
    REQUIRE(drawn.size() == static_cast<std::size_t>(term.size()));
    CHECK(drawn[17] == Approx(static_cast<float>(term.data()[17])));
  }
  CHECK(matrixOf(rig, 1, 1) != before);
  rig.set("training.update.j", 5.0);  // a single term
  rig.settle();
  CHECK(rig.number(keyOf(0, "pair.symmetry")) == 1);
  rig.set("training.update.j", 16.0);
  rig.settle();
  CHECK(std::isnan(rig.number(keyOf(0, "pair.symmetry"))));
  CHECK(rig.viewSentences().find("positions 0 to 15") != std::string::npos);
}

TEST_CASE("update: the user may enter a text, and a text without tokens in the data is reported", "[training]") {
  TrainingRig rig;
  showUpdate(rig);
  const double loss = rig.number(keyOf(1, "loss"));
  rig.set("training.update.text", std::string("the keys"));
  rig.settle();
  CHECK(rig.number(keyOf(0, "tokens")) == 8);
  CHECK(rig.number(keyOf(1, "predicted")) == 7);
  CHECK(rig.number(keyOf(1, "loss")) != loss);
  rig.set("training.update.text", std::string("the \xE2\x82\xAC"));
  rig.settle();
  CHECK(rig.text(keyOf(0, "failure")).find("U+20AC") != std::string::npos);
  CHECK(rig.viewTexts().find("20AC") != std::string::npos);
  CHECK(std::isnan(rig.number(keyOf(0, "loss"))));
  rig.set("training.update.text", std::string("longer than the model reads"));
  rig.settle();
  CHECK(rig.text(keyOf(1, "failure")).find("2 to 16") != std::string::npos);
  rig.set("training.update.text", std::string());
  rig.settle();
  CHECK(rig.text(keyOf(0, "failure")).empty());
  CHECK(rig.number(keyOf(1, "loss")) == loss);
}

TEST_CASE("update: the page reports that there is no run or no checkpoint", "[training]") {
  TrainingRig rig;
  rig.set("training.page", std::string("update"));
  rig.settle();
  CHECK(rig.layer("training.update.sentence"));
  rig.start("encoder-decoder", 40);
  const Document document = rig.editor.document();
  std::filesystem::remove_all(std::filesystem::path(rig.folderOf(0)) / "checkpoints");
  rig.runs = nullptr;
  TrainingRig again;
  again.editor.commit(document, "open", {});
  again.set("training.page", std::string("update"));
  again.settle();
  CHECK(again.text(keyOf(0, "failure")).find("no checkpoint") != std::string::npos);
  CHECK(again.text(keyOf(1, "failure")).empty());
  CHECK(again.number(keyOf(1, "step")) == 40);
}

TEST_CASE("update: with a rotary encoding beta is shown, but no pair term", "[training]") {
  TrainingRig rig;
  const std::string path = rig.context().assets + "/configs/small-encoder.json";
  nlohmann::ordered_json config;
  std::ifstream(path) >> config;
  config["model"]["positions"] = "rope";
  std::ofstream(path) << config.dump(2);
  showUpdate(rig);
  CHECK(std::isfinite(rig.number(keyOf(0, "score"))));
  CHECK(std::isnan(rig.number(keyOf(0, "cosine"))));
  CHECK(std::isnan(rig.number(keyOf(0, "pair.norm"))));
  CHECK(std::isfinite(rig.number(keyOf(1, "pair.norm"))));
  CHECK(rig.viewTexts().find("rotary") != std::string::npos);
}

TEST_CASE("update: the token of the key is counted as context and as target, and compared with the exact ratio",
          "[training]") {
  TrainingRig rig;
  showUpdate(rig);
  rig.set("training.update.text", std::string("the tree"));  // e at 2, 6 and 7
  rig.set("training.update.i", 4.0);
  rig.set("training.update.j", 2.0);
  rig.settle();
  for (const int run : {0, 1})
    CHECK(rig.text(keyOf(run, "token.word")) == "e");
  // First layer of an encoder: every position attends to every other one.
  CHECK(rig.number(keyOf(0, "token.context")) == 21);
  CHECK(rig.number(keyOf(0, "token.target")) == 21);
  CHECK(rig.number(keyOf(0, "token.ratio")) == 1);
  CHECK(rig.number(keyOf(0, "token.exact")) == 1);
  // Decoder: position 2 is context of 3 to 6, position 6 of none, since 7 predicts nothing; before 2 and 6 there are 2
  // and 6 positions.
  CHECK(rig.number(keyOf(1, "token.context")) == 4);
  CHECK(rig.number(keyOf(1, "token.target")) == 8);
  CHECK(rig.number(keyOf(1, "token.ratio")) == 0.5);
  const train::RunConfig config = *train::readRunConfig(rig.folderOf(1) + "/config.json");
  const auto source = *data::makeSource(config.data);
  std::int32_t e = 0;
  while (source->word(e) != "e")
    ++e;
  const double mu = attention::meanPosition(train::placeShares(*source, e, 8, 512));
  CHECK(rig.number(keyOf(1, "token.exact")) == Approx((8 - mu) / (mu - 1)));
  CHECK(rig.number(keyOf(1, "token.context_norm")) > 0);
  CHECK(rig.viewTexts().find("e: 4 context, 8 target; ratio 0.5") != std::string::npos);
}

TEST_CASE("update: the column and row of the token in W_qk and its step agree with sums and with the backward pass",
          "[training]") {
  constexpr std::size_t kWidth = 16;  // d_model of the fixture
  TrainingRig rig;
  showUpdate(rig);
  rig.set("training.update.text", std::string("the tree"));  // e at 2, 6 and 7
  rig.set("training.update.i", 4.0);
  rig.set("training.update.j", 2.0);
  CHECK(rig.viewTexts().find("of W_qk: what") == std::string::npos);  // the term of the pair is shown
  rig.set("training.update.shows", std::string("token"));
  rig.set("training.update.column", 3.0);
  rig.set("training.update.row", 1e6);  // limited to the last row
  rig.settle();
  CHECK(rig.viewTexts().find("column 3 of W_qk: what “e” adds") != std::string::npos);
  CHECK(rig.viewTexts().find("row 15 of W_qk: what “e” adds") != std::string::npos);
  CHECK(rig.inViews<render::Heatmap>("term").empty());
  const Numbers numbers = rig.exhibit->numbers();
  const auto column = [&](const char* name) {
    for (const Table& table : numbers.tables)
      if (const Column* const found = table.name == "token_lines" ? table.find(name) : nullptr)
        return std::get<std::vector<double>>(found->values);
    FAIL(name);
    return std::vector<double>();
  };
  const std::vector<double> context = column("as_context"), target = column("as_target"), whole = column("all_tokens"),
                            sums = column("step_by_tokens"), backward = column("step_backward");
  REQUIRE(context.size() == 4 * kWidth);  // two runs, with a column and a row each
  train::ProbeRequest request;
  for (const std::size_t run : {0, 1}) {
    INFO(run);
    const std::string folder = rig.folderOf(run);
    auto config = *train::readRunConfig(folder + "/config.json");
    const auto source = *data::makeSource(config.data);
    REQUIRE(train::resolve(config, *source));
    request.tokens = *data::encodeText(*source, "the tree");
    request.seed = config.seed;
    const auto state = train::readCheckpoint(train::checkpointFolder(folder, 40), nn::ParameterLayout(config.model));
    ThreadPool pool(1);
    const auto probe = *train::probeUpdate(config, state->theta, request, pool);
    const attention::Matrix &X = probe.X, &beta = probe.beta[0], &G = probe.gradient[0];
    const auto isToken = [](int n) { return n == 2 || n == 6 || n == 7; };
    double most = 0;
    for (int at = 0; at < static_cast<int>(kWidth); ++at) {
      double asContext = 0, asTarget = 0, ofRow = 0;  // (13) and (15) of column 3, (14) of row 15
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
          if (isToken(j)) asContext += beta(i, j) * X(i, at) * X(j, 3);
          if (isToken(i)) asTarget += beta(i, j) * X(i, at) * X(j, 3);
          if (isToken(j)) ofRow += beta(i, j) * X(i, 15) * X(j, at);
        }
      const std::size_t first = 2 * kWidth * run + static_cast<std::size_t>(at);
      CHECK(context[first] == Approx(asContext).margin(1e-12));
      CHECK(target[first] == Approx(asTarget).margin(1e-12));
      CHECK(whole[first] == Approx(G(at, 3)).margin(1e-12));
      CHECK(context[first + kWidth] == Approx(ofRow).margin(1e-12));
      CHECK(whole[first + kWidth] == Approx(G(15, at)).margin(1e-12));
      CHECK(sums[first] == Approx(backward[first]).epsilon(1e-8).margin(1e-14));
      most = std::max(most, std::abs(backward[first]));
    }
    CHECK(most > 0);
    CHECK(rig.number(keyOf(static_cast<int>(run), "step_difference")) < 1e-9);
    // The backward pass itself: W_Q dK^T + dQ W_K^T to first order, for the unit columns of head 0.
    const attention::Matrix first = probe.factors.query(0) * probe.gradients.key(0).transpose() +
                                    probe.gradients.query(0) * probe.factors.key(0).transpose();
    CHECK(backward[2 * kWidth * run + 5] == Approx(first(5, 3)).epsilon(1e-2));
    CHECK(rig.number(keyOf(static_cast<int>(run), "step_biases")) >= 0);
  }
}

TEST_CASE("update: texts do not overlap or extend below the picture, also in the low window of a lesson",
          "[training]") {
  TrainingRig rig;
  showUpdate(rig);
  for (const char* const shows : {"pair", "token"})
    for (const render::Point size : {render::Point{960, 348}, {960, 310}, {960, 270}, {738, 648}, {1378, 1007}}) {
      rig.set("training.update.shows", std::string(shows));
      CAPTURE(shows, size.x, size.y);
      rig.area = {{0, 0}, size};
      rig.settle();
      const std::vector<render::Rect> boxes = labelBoxes(rig);
      REQUIRE(boxes.size() > 8);
      std::size_t met = 0, outside = 0;
      for (std::size_t a = 0; a < boxes.size(); ++a) {
        outside += boxes[a].max.y > size.y;
        for (std::size_t b = 0; b < a; ++b)
          met += boxes[a].min.x < boxes[b].max.x && boxes[b].min.x < boxes[a].max.x &&
                 boxes[a].min.y < boxes[b].max.y && boxes[b].min.y < boxes[a].max.y;
      }
      CHECK(met == 0);
      CHECK(outside == 0);
    }
}
