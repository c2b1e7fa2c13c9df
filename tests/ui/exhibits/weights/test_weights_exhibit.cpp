// SPDX-License-Identifier: Apache-2.0
// The Weights exhibit from file to scores: read-outs equal literal loops, layers and heads are selected by commands,
// invalid files give messages, and everything is undoable.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/weights/weights_rig.h"
#include "ui/exhibits/weights/shared/weights_state.h"
#include "ui/properties/formula.h"

namespace sepx::ui {
namespace {

/// s of a layer or head by loops over the whole matrix.
double literalSymmetry(const TinyBert& bert, int layer, int head) {
  double trace = 0, frobenius = 0;
  for (int i = 0; i < bert.d; ++i)
    for (int j = 0; j < bert.d; ++j) {
      trace += bert.entry(layer, head, i, j) * bert.entry(layer, head, j, i);
      frobenius += std::pow(bert.entry(layer, head, i, j), 2);
    }
  return trace / frobenius;
}

TEST_CASE("The scores of the selected layer and head equal literal loops") {
  const TinyBert bert;
  WeightsRig rig(bert.write("scores"));
  CHECK(rig.text("weights.family") == "BERT");
  CHECK(rig.number("weights.layers") == 2);
  CHECK(rig.number("weights.heads") == 3);
  CHECK(rig.number("weights.d_model") == 12);
  CHECK(rig.number("weights.symmetry") == Approx(literalSymmetry(bert, 0, -1)).margin(1e-12));
  rig.set("weights.layer", 1.0);
  rig.set("weights.head", 2.0);
  rig.settle();
  CHECK(rig.number("weights.symmetry") == Approx(literalSymmetry(bert, 1, 2)).margin(1e-12));
  // The board has every layer, and the medians are taken over the layers.
  CHECK(rig.number("weights.board.count") == 2);
  CHECK(rig.number("weights.board.scored") == 2);
  const double first = rig.number("weights.board[0].symmetry"), second = rig.number("weights.board[1].symmetry");
  CHECK(first == Approx(literalSymmetry(bert, 0, -1)).margin(1e-12));
  CHECK(rig.number("weights.median.symmetry") == Approx((first + second) / 2).margin(1e-12));
  CHECK(rig.text("weights.board[1].stack") == "self");
  CHECK(rig.number("weights.band.symmetry.low") < rig.number("weights.band.symmetry.high"));
}

TEST_CASE("Commands select layers and heads, each in one undo step") {
  WeightsRig rig(TinyBert().write("walk"));
  REQUIRE(rig.run("weights.next-layer"));
  REQUIRE(rig.run("weights.next-head"));
  REQUIRE(rig.run("weights.next-head"));
  rig.settle();
  CHECK(rig.number("weights.layer") == 1);
  CHECK(rig.number("weights.head") == 1);
  for (int i = 0; i < 5; ++i)
    REQUIRE(rig.run("weights.next-layer"));  // there is no third layer
  CHECK(rig.number("weights.layer") == 1);
  REQUIRE(rig.run("weights.all-heads"));
  CHECK(rig.number("weights.head") == -1);
  REQUIRE(rig.editor.history.undo());
  CHECK(rig.number("weights.head") == 1);
  REQUIRE(rig.editor.history.undo());
  CHECK(rig.number("weights.head") == -1);
  CHECK(rig.number("weights.layer") == 0);
  CHECK_FALSE(rig.run("weights.no-such-thing"));
}

TEST_CASE("A layer or head that the model does not have is refused with the range") {
  WeightsRig rig(TinyBert().write("ranges"));
  CHECK(rig.refusal("weights.layer", 2.0).find("0 to 1") != std::string::npos);
  CHECK(rig.refusal("weights.head", 3.0).find("0 to 2") != std::string::npos);
  CHECK(rig.refusal("weights.stack", std::string("cross")).find("self") != std::string::npos);
  CHECK(rig.number("weights.layer") == 0);
}

TEST_CASE("If a document asks for a layer that the model does not have, the nearest layer is shown") {
  WeightsRig rig;
  rig.set("weights.layer", 40.0);
  rig.set("weights.head", 40.0);
  rig.set("weights.checkpoint", TinyBert().write("nearest"));
  const TinyBert bert;
  rig.settle();
  CHECK(rig.number("weights.symmetry") == Approx(literalSymmetry(bert, 1, 2)).margin(1e-12));
}

TEST_CASE("The matrix page draws a narrower model that was opened on another page correctly") {
  WeightsRig rig(TinyBert(96, 3).write("wide"));
  // The lower right of a matrix of 96 x 96, outside the matrix of the narrow model.
  rig.editor.replace(withWeightsView(rig.editor.document(), render::Rect{{20, -60}, {40, -40}}));
  rig.settle();
  rig.set("weights.page", std::string("wall"));
  rig.settle();
  rig.set("weights.checkpoint", TinyBert().write("narrow"));
  SECTION("The view is removed with the model, as when a file is opened") {
    rig.editor.replace(withWeightsView(rig.editor.document(), std::nullopt));
  }
  SECTION("The document keeps a view outside the new model") {}
  rig.settle();
  rig.set("weights.page", std::string("matrix"));
  rig.frame();
  rig.settle();
  CHECK(rig.number("weights.d_model") == 12);
  const std::vector<render::Heatmap> pictures = matrixPictures(rig);
  REQUIRE_FALSE(pictures.empty());
  for (const render::Heatmap& picture : pictures) {
    const render::Rect entries = entriesOf(rig, picture);
    CHECK(entries.max.x <= 12 + 1e-9);
    CHECK(entries.min.y >= -12 - 1e-9);
  }
}

TEST_CASE("A page that becomes visible shows the open model before it receives input") {
  TinyBert deep;
  deep.layers = 8;
  for (int layer = 2; layer < deep.layers; ++layer) {
    deep.query.push_back(deep.query[0]);
    deep.key.push_back(deep.key[0]);
  }
  WeightsRig rig(deep.write("deep"));
  rig.set("weights.page", std::string("wall"));
  rig.settle();
  // A place on the wall of eight layers where a click selects one of its last layers.
  std::optional<render::Point> place;
  for (double y = rig.area.max.y; !place && y > rig.area.min.y; y -= 12) {
    rig.click({rig.area.min.x + 0.2 * rig.area.width(), y});
    if (rig.number("weights.layer") > 1) place = {rig.area.min.x + 0.2 * rig.area.width(), y};
  }
  REQUIRE(place);
  rig.set("weights.page", std::string("charts"));
  rig.set("weights.layer", 0.0);
  rig.set("weights.checkpoint", TinyBert().write("shallow"));
  rig.settle();
  rig.set("weights.page", std::string("wall"));
  rig.frame({RigBase::move(*place), RigBase::press(*place, true), RigBase::press(*place, false)});
  rig.settle();
  CHECK(rig.number("weights.layer") <= 1);
}

TEST_CASE("A drag ends when another page becomes visible") {
  WeightsRig rig(TinyBert(96, 3).write("held"));
  rig.editor.replace(withWeightsView(rig.editor.document(), render::Rect{{20, -60}, {40, -40}}));
  rig.settle();
  const render::Point middle = rig.cell(50, 30);
  rig.frame({RigBase::move(middle)});
  rig.frame({RigBase::press(middle, true)});
  rig.set("weights.page", std::string("wall"));
  rig.frame();
  rig.set("weights.page", std::string("matrix"));
  rig.settle();
  const Document before = rig.editor.document();
  rig.frame({RigBase::move({middle.x + 90, middle.y + 90})});
  CHECK(rig.editor.document().at("weights.view") == before.at("weights.view"));
}

TEST_CASE("A missing file is reported in the picture") {
  WeightsRig rig;
  rig.set("weights.checkpoint", std::string("/no/such/model.safetensors"));
  rig.settle();
  CHECK(rig.text("weights.note").find("/no/such/model.safetensors") != std::string::npos);
  CHECK_FALSE(rig.texts("matrix.sentence").empty());
  CHECK(std::isnan(rig.number("weights.symmetry")));
  CHECK(rig.exhibit->complete());
  // Another file can be opened afterwards.
  rig.set("weights.checkpoint", TinyBert().write("after"));
  rig.settle();
  CHECK(rig.texts("matrix.sentence").empty());
  CHECK(std::isfinite(rig.number("weights.symmetry")));
}

TEST_CASE("Weights that are not finite are counted and shown, and have no score") {
  TinyBert bert;
  bert.query[0](4, 5) = std::nanf("");
  WeightsRig rig(bert.write("nan"));
  CHECK(rig.number("weights.nonfinite") == 1);
  CHECK(std::isnan(rig.number("weights.symmetry")));
  CHECK(rig.items<render::LabelMap>("matrix.full").size() == 1);  // hatched
  CHECK(rig.texts("matrix.notes").find("NaN") != std::string::npos);
  rig.set("weights.layer", 1.0);
  rig.settle();
  CHECK(rig.number("weights.nonfinite") == 0);
  CHECK(rig.items<render::LabelMap>("matrix.full").empty());
}

TEST_CASE("Without a checkpoint the shipped model is shown") {
  WeightsRig rig;
  rig.settle();
  CHECK(rig.text("weights.note") == "none");
  CHECK(rig.number("weights.symmetry") > 0.3);
  CHECK(rig.exhibit->title().find("encoder") != std::string::npos);
}

TEST_CASE("The document sets variant and ddof of the directionality") {
  WeightsRig rig(TinyBert(24, 2).write("variants"));
  rig.set("weights.score.gamma", 0.5);
  rig.frame();
  CHECK(rig.number("weights.directionality") == rig.number("weights.directionality.excess"));
  rig.set("weights.score.variant", std::string("sum"));
  rig.frame();
  CHECK(rig.number("weights.directionality") == rig.number("weights.directionality.sum"));
  const double usual = rig.number("weights.threshold.row");
  rig.set("weights.score.ddof", std::string("1"));
  rig.frame();
  CHECK(rig.number("weights.threshold.row") > usual);
}

TEST_CASE("A figure has no strip, and names its conventions and the hash of its file") {
  WeightsRig rig(TinyBert().write("figure"));
  CHECK(rig.layer("strip") != nullptr);
  rig.figure = true;
  rig.settle();
  CHECK(rig.layer("strip") == nullptr);
  const std::string caption = rig.exhibit->caption();
  for (const char* part : {"figure", "BERT", "layer 0", "γ = 2", "excess"})
    CHECK(caption.find(part) != std::string::npos);
  const std::vector<SourceFile> sources = rig.exhibit->sources();
  REQUIRE(sources.size() == 1);
  CHECK(sources.front().sha256.size() == 64);
}

TEST_CASE("The exported numbers are the visible matrix, norms, and scores of all layers and heads") {
  const TinyBert bert;
  WeightsRig rig(bert.write("numbers"));
  const Numbers numbers = rig.exhibit->numbers();
  REQUIRE(numbers.grids.size() == 1);
  CHECK(numbers.grids[0].name == "W_qk");
  REQUIRE(numbers.grids[0].shape == std::vector<std::size_t>{12, 12});
  const auto& values = std::get<std::vector<double>>(numbers.grids[0].values);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      CHECK(values[static_cast<std::size_t>(12 * i + j)] == Approx(bert.entry(0, -1, i, j)).margin(1e-12));
  std::vector<std::string> names;
  for (const Table& table : numbers.tables)
    names.push_back(table.name);
  CHECK(names == std::vector<std::string>{"entries", "row_norms", "column_norms", "singular_values", "eigenvalues",
                                          "scores", "head_scores"});
  CHECK(numbers.tables[0].rows() == 144);
  CHECK(numbers.tables[5].rows() == 2);
  CHECK(numbers.tables[6].rows() == 6);
}

TEST_CASE("Every card can be parsed, also with the present numbers") {
  WeightsRig rig(TinyBert().write("cards"));
  int cards = 0;
  for (const ReadOut& readOut : rig.editor.registry.readOuts()) {
    INFO(readOut.key);
    CHECK_FALSE(readOut.help.empty());
    if (readOut.formula.empty()) continue;
    ++cards;
    CHECK(Formula::parse(readOut.formula));
    const std::string numbers = readOut.withNumbers ? readOut.withNumbers(-1) : std::string();
    if (!numbers.empty()) CHECK(Formula::parse(numbers));
  }
  CHECK(cards > 10);
  for (const Property& property : rig.editor.registry.properties()) {
    INFO(property.key);
    CHECK_FALSE(property.help.empty());
    if (!property.formula.empty()) CHECK(Formula::parse(property.formula));
  }
}

TEST_CASE("A checkpoint of an unknown family opens on the page Mapping, and another page can be selected") {
  const std::string folder = TinyBert().write("unknown");
  std::filesystem::remove(folder + "/config.json");
  std::string bytes;
  {
    std::ifstream file(folder + "/model.safetensors", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (std::size_t at = bytes.find("attention.self"); at != std::string::npos; at = bytes.find("attention.self", at))
    bytes.replace(at, 14, "somethingelse.");
  std::ofstream(folder + "/model.safetensors", std::ios::binary) << bytes;
  WeightsRig rig(folder);
  CHECK(rig.text("weights.page") == "mapping");
  rig.set("weights.page", std::string("matrix"));
  rig.settle();
  CHECK(rig.text("weights.page") == "matrix");
  CHECK_FALSE(rig.texts("matrix.sentence").empty());
}

TEST_CASE("The buttons of the strip change part and page") {
  WeightsRig rig(TinyBert().write("strip"));
  const auto labels = rig.items<render::Label>("strip");
  const auto at = [&](const std::string& text) {
    for (const render::Label& label : labels)
      if (label.text == text) return render::Point{label.at.x + rig.area.min.x, label.at.y + rig.area.min.y};
    FAIL(text);
    return render::Point{};
  };
  rig.click(at("symmetric"));
  CHECK(rig.text("weights.part") == "symmetric");
  rig.click(at("Heads"));
  CHECK(rig.text("weights.page") == "wall");
  rig.settle();
  CHECK(rig.layer("matrix.full") == nullptr);
}

TEST_CASE("The results of the assistant are removed when another checkpoint is opened") {
  const std::string one = TinyBert().write("assistant-one"), two = TinyBert(24, 2, 3).write("assistant-two");
  WeightsRig rig(one);
  rig.set("weights.page", std::string("mapping"));
  rig.set("weights.rule.show", true);
  rig.set("weights.rule.query", std::string("tower.{layer}.alpha"));
  rig.set("weights.rule.key", std::string("tower.{layer}.beta"));
  rig.settle();
  CHECK(rig.text("weights.rule.result").find("finds no tensor") != std::string::npos);
  rig.set("weights.checkpoint", two);
  rig.settle();
  CHECK(rig.text("weights.rule.result").empty());
  CHECK(rig.texts("mapping.rule").find("finds no tensor") == std::string::npos);
  CHECK(rig.text("weights.rule.query") == "tower.{layer}.alpha");  // kept for another model of that kind
}

TEST_CASE("The value for all heads together is called all") {
  WeightsRig rig(TinyBert().write("all"));
  const Property& head = *rig.editor.registry.find("weights.head")->property;
  CHECK(formatValue(head, -1.0) == "all");
  CHECK(formatValue(head, 2.0) == "2");
  rig.set("weights.head", 1.0);
  rig.set("weights.head", std::string("all"));
  CHECK(rig.number("weights.head") == -1);
  rig.set("weights.head", std::string("-1"));
  CHECK(rig.number("weights.head") == -1);
}

TEST_CASE("Controls that do not apply to a model are hidden") {
  WeightsRig rig(TinyBert().write("plain"));
  const auto shown = [&](const char* key) {
    const Property& property = *rig.editor.registry.find(key)->property;
    return !property.applies || property.applies(rig.editor.document());
  };
  for (const char* key :
       {"weights.gqa", "weights.norm.folded", "weights.stack", "weights.charts.depth", "weights.rule.query"}) {
    INFO(key);
    CHECK_FALSE(shown(key));
  }
  CHECK(shown("weights.part"));
  rig.set("weights.checkpoint", tests::sourceFolder() + "/assets/models/grouped");
  rig.settle();
  CHECK(shown("weights.gqa"));
}

}  // namespace
}  // namespace sepx::ui
