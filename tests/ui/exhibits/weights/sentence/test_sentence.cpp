// SPDX-License-Identifier: Apache-2.0
// The page Sentence: patterns, predictions, the parts of a score, the effect of a change of the model, and files with
// missing parts.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/ui/exhibits/weights/sentence/sentence_rig.h"
#include "tests/ui/exhibits/weights/weights_rig.h"
#include "ui/sentence/heads_view.h"
#include "ui/sentence/predictions_view.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("The statistics of a pattern equal the values computed by hand", "[weights][sentence]") {
  // Query 0 attends to key 0; query 1 with 0.25 and 0.75; query 2 with 0.5, 0 and 0.5.
  const std::vector<float> weights{1, 0, 0, 0.25F, 0.75F, 0, 0.5F, 0, 0.5F};
  const HeadPattern made = described(weights.data(), 3);
  const double entropy = -(0.25 * std::log(0.25) + 0.75 * std::log(0.75)) - std::log(0.5);
  CHECK(made.entropy == Approx(entropy / 3));
  CHECK(made.distance == Approx((0.25 + 1.0) / 3));
  CHECK(made.first == Approx(0.375));
  CHECK(made.symmetry == Approx((1 + 0.5625 + 0.25) / (1 + 0.0625 + 0.5625 + 0.25 + 0.25)));
  CHECK(made.query == 1);
  CHECK(made.key == 1);
}

TEST_CASE("The bundled decoder computes attention and predictions for a sentence", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.look("sentence");
  REQUIRE(rig.results().pass());
  const SentencePass& pass = *rig.results().pass();
  CHECK(pass.heads.size() == 16);
  REQUIRE(pass.places.size() == 10);
  for (const HeadPattern& head : pass.heads)
    for (int i = 0; i < pass.n(); ++i) {
      const auto row = head.weights->begin() + i * pass.n();
      CHECK(std::accumulate(row, row + pass.n(), 0.0) == Approx(1).epsilon(1e-5));
    }
  CHECK(rig.number("weights.sentence.probability") > 0);
  CHECK(rig.number("weights.sentence.entropy") < std::log(977.0));
  // The last position has no next token in the text, the one before has one.
  CHECK(std::isnan(rig.number("weights.sentence.truth")));
  rig.set("weights.sentence.place", 8.0);
  rig.settle();
  CHECK(rig.number("weights.sentence.truth") > 0);
  CHECK(rig.number("weights.sentence.rank") >= 1);
}

TEST_CASE("After an edit only the changed rest of the sentence is computed, with the results of a new sentence",
          "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder")), fresh(SentenceRig::bundled("decoder"));
  REQUIRE(rig.results().pass());
  CHECK(rig.results().pass()->kept.reused == 0);
  for (const char* const text : {"The dog that chases the cat sees a dog.", "The dog that sees the cat sees a dog.",
                                 "The dog that sees the cat sees a dog. The bird", "The dog that"}) {
    INFO(text);
    rig.set("weights.sentence.text", std::string(text));
    rig.settle();
    fresh.set("weights.sentence.text", std::string());
    fresh.settle();
    fresh.set("weights.sentence.text", std::string(text));
    fresh.settle();
    const SentencePass &own = *rig.results().pass(), &of = *fresh.results().pass();
    CHECK(own.kept.reused > 0);
    CHECK(own.run().logits == of.run().logits);
    REQUIRE(own.heads.size() == of.heads.size());
    for (std::size_t i = 0; i < own.heads.size(); ++i) {
      CHECK(*own.heads[i].weights == *of.heads[i].weights);
      CHECK(own.heads[i].entropy == of.heads[i].entropy);
    }
    REQUIRE(own.places.size() == of.places.size());
    for (std::size_t i = 0; i < own.places.size(); ++i) {
      CHECK(own.places[i].entropy == of.places[i].entropy);
      CHECK(own.places[i].truth == of.places[i].truth);
      CHECK(own.places[i].rank == of.places[i].rank);
      REQUIRE(own.places[i].best.size() == of.places[i].best.size());
      CHECK(own.places[i].best.front().id == of.places[i].best.front().id);
    }
  }
}

TEST_CASE("The strongest cell is selected at the start, and a click on a cell shows the parts of its score",
          "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  REQUIRE(rig.results().score());
  CHECK(rig.results().score()->query == rig.results().head()->query);
  REQUIRE(rig.results().parts());
  CHECK(rig.texts("sentence.score.title").find("Why this score") != std::string::npos);
  rig.click(rig.at("pattern", 1, 6));
  rig.settle();
  CHECK(rig.number("weights.sentence.query") == 6);
  CHECK(rig.number("weights.sentence.key") == 1);
  REQUIRE(rig.results().parts());
  const forward::ScoreParts& parts = rig.results().parts()->parts;
  CHECK(parts.query == 6);
  CHECK(parts.key == 1);
  const double pairs = std::accumulate(parts.pairs.begin(), parts.pairs.end(), 0.0);
  CHECK(pairs + parts.distanceBias == Approx(parts.score).epsilon(1e-5).margin(1e-5));
  double kinds = 0;
  for (const auto& part : parts.byKind)
    kinds += part.value;
  CHECK(kinds == Approx(parts.score).epsilon(1e-5).margin(1e-5));
  CHECK(rig.number("weights.sentence.parts.symmetric") + rig.number("weights.sentence.parts.skew") +
            rig.number("weights.sentence.parts.biases") + rig.number("weights.sentence.parts.distance") ==
        Approx(rig.number("weights.sentence.score")).epsilon(1e-5).margin(1e-5));
  CHECK(rig.number("weights.sentence.weight") ==
        Approx(double((*rig.results().head()->weights)[std::size_t(6 * 10 + 1)])).epsilon(1e-4));
  // A key that the query cannot see has no score, and the page reports this.
  rig.set("weights.sentence.key", 9.0);
  rig.settle();
  CHECK_FALSE(rig.results().parts());
  CHECK_FALSE(rig.texts("sentence.score.none").empty());
}

TEST_CASE("The wall is sorted, and a click on a small picture shows the head", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.click(rig.at("heads", 2, 3));
  rig.settle();
  CHECK(rig.number("weights.layer") == 3);
  CHECK(rig.number("weights.head") == 2);
  CHECK(rig.text("weights.sentence.head") == "layer 3, head 2");
  rig.set("weights.sentence.order", std::string("entropy"));
  rig.settle();
  const HeadPattern* least = nullptr;
  for (const HeadPattern& head : rig.results().pass()->heads)
    if (!least || head.entropy < least->entropy) least = &head;
  for (const ReadableView& view : rig.page->board().readable())
    if (view.name == "sentence.heads") CHECK(view.text(0, 0).find(headWords(*least)) == 0);
}

TEST_CASE("A change of the model changes its prediction, and restoring the model removes the change",
          "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  CHECK(rig.number("weights.sentence.kl") == 0);
  rig.set("weights.sentence.where", std::string("all"));
  REQUIRE(rig.run("weights.sentence-take-out"));
  rig.settle();
  const double heads = rig.number("weights.sentence.kl");
  CHECK(heads > 1e-4);
  REQUIRE(rig.results().changed());
  CHECK(rig.texts("sentence.ranked.title").find("KL") != std::string::npos);
  rig.set("weights.sentence.how", std::string("scale"));
  rig.set("weights.sentence.scale", 0.5);
  rig.settle();
  const double half = rig.number("weights.sentence.kl");
  CHECK(half > 0);
  CHECK(half != heads);
  for (const char* const part : {"symmetric", "skew", "feed-forward"}) {
    rig.set("weights.sentence.part", std::string(part));
    rig.settle();
    CHECK(rig.number("weights.sentence.kl") > 0);
  }
  REQUIRE(rig.run("weights.sentence-whole"));
  rig.settle();
  CHECK(rig.number("weights.sentence.kl") == 0);
  CHECK_FALSE(rig.results().changed());
}

TEST_CASE("The effects of all heads are computed on request", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  CHECK_FALSE(rig.results().effects());
  REQUIRE(rig.run("weights.sentence-effects"));
  rig.settle();
  REQUIRE(rig.results().effects());
  CHECK(rig.results().effects()->done == rig.results().effects()->all);
  CHECK(rig.text("weights.sentence.effects.strongest").find("layer") == 0);
  rig.set("weights.sentence.order", std::string("effect"));
  rig.settle();
  REQUIRE(rig.run("weights.sentence-effects"));
  rig.settle();
  CHECK_FALSE(rig.results().effects());
}

TEST_CASE("A decoder continues the text in one undo step", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.set("weights.sentence.text", std::string("The dog"));
  rig.set("weights.sentence.more", 4.0);
  rig.settle();
  const std::string likeliest = rig.text("weights.sentence.best");
  REQUIRE(rig.run("weights.sentence-continue"));
  rig.settle();
  INFO((rig.editor.said.empty() ? rig.text("weights.sentence.text") : rig.editor.said.back()));
  REQUIRE(rig.number("weights.sentence.tokens") == 6);
  CHECK(rig.tokens()[2] == likeliest);
  CHECK(rig.text("weights.sentence.text").find("The dog") == 0);
  rig.editor.history.undo();
  rig.settle();
  CHECK(rig.text("weights.sentence.text") == "The dog");
  CHECK(rig.number("weights.sentence.tokens") == 2);
}

TEST_CASE("The lens ends at the prediction of the model", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  REQUIRE(rig.results().lens());
  const forward::Lens& lens = *rig.results().lens();
  CHECK(lens.layers == 5);
  const std::size_t last = static_cast<std::size_t>(lens.layers - 1) * static_cast<std::size_t>(lens.positions) +
                           static_cast<std::size_t>(lens.positions - 1);
  CHECK(lens.rankOfAnswer[last] == 1);
  CHECK(lens.predictions[last].front().id == rig.results().pass()->places.back().best.front().id);
}

TEST_CASE("Missing parts of a file are reported, and the other parts are shown", "[weights][sentence]") {
  checkpoint::made::Folder folder;
  SentenceRig rig(llamaWithWords(folder, checkpoint::made::tinyLlama()));
  rig.set("weights.sentence.text", std::string("the old cat sees a dog"));
  rig.settle();
  REQUIRE(rig.results().forward());
  REQUIRE_FALSE(rig.results().forward()->plan().missing.empty());
  CHECK(rig.text("weights.sentence.missing") != "none");
  CHECK(rig.sentences("sentence.notes").size() > 10);
  REQUIRE(rig.results().pass());
  CHECK_FALSE(rig.results().pass()->heads.empty());
  CHECK(rig.results().pass()->places.empty());
  REQUIRE(rig.results().parts());  // of layer 0
}

TEST_CASE("A checkpoint without an embedding is reported in one message", "[weights][sentence]") {
  SentenceRig rig(TinyBert().write("sentence"));
  CHECK_FALSE(rig.results().pass());
  CHECK(rig.text("weights.sentence.failure").find("embedding") != std::string::npos);
  CHECK(rig.sentences("sentence.sentence").find("embedding") != std::string::npos);
}

TEST_CASE("Weights with NaN give a picture", "[weights][sentence]") {
  checkpoint::made::Folder folder;
  checkpoint::made::TinyModel model = checkpoint::made::tinyLlama();
  checkpoint::made::TinyTensor& tensor = model.add("model.layers.0.self_attn.q_proj.weight", {16, 16});
  tensor.values[3] = std::numeric_limits<float>::quiet_NaN();
  SentenceRig rig(model.write(folder));
  rig.set("weights.sentence.ids", std::string("1, 2, 3, 4"));
  rig.settle();
  REQUIRE(rig.results().pass());
  CHECK(rig.scene != nullptr);
  rig.set("weights.sentence.order", std::string("entropy"));
  rig.settle();
  CHECK(rig.results().head() != nullptr);
}

TEST_CASE("A text that is too long for the model, and unknown ids, are reported in place of the results",
          "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.set("weights.sentence.text", std::string("The dog"));
  rig.settle();
  std::string text;
  for (int i = 0; i < 70; ++i)
    text += " the";
  rig.set("weights.sentence.text", text);
  rig.settle();
  CHECK(rig.text("weights.sentence.failure").find("64") != std::string::npos);
  CHECK(rig.sentences("sentence.waiting").find("64") != std::string::npos);
  CHECK_FALSE(rig.results().pass());
  CHECK(rig.layer("sentence.pattern") == nullptr);
  rig.set("weights.sentence.ids", std::string("1, 2, 977"));
  rig.settle();
  CHECK(rig.text("weights.sentence.failure").find("977") != std::string::npos);
  CHECK(rig.sentences("sentence.waiting").find("977") != std::string::npos);
  CHECK(rig.number("weights.sentence.tokens") == 3);
  rig.set("weights.sentence.ids", std::string("1, 2"));
  rig.settle();
  CHECK(rig.results().pass());
  CHECK(rig.text("weights.sentence.failure") == "none");
}

TEST_CASE("A small pane shows the pattern, and a figure has no buttons", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.area = {{0, 0}, {420, 300}};
  rig.settle();
  CHECK(rig.layer("sentence.pattern") != nullptr);
  rig.figure = true;
  rig.settle();
  CHECK(rig.layer("sentence.actions") == nullptr);
}

TEST_CASE("The pair of a score opens on the page Token pair with the stream's vectors, and has the same score",
          "[weights][sentence]") {
  WeightsRig rig(SentenceRig::bundled("decoder"));
  rig.set("weights.page", std::string("sentence"));
  rig.set("weights.layer", 2.0);
  rig.set("weights.head", 1.0);
  rig.settle();
  rig.set("weights.sentence.query", 7.0);
  rig.set("weights.sentence.key", 4.0);
  rig.settle();
  const double score = rig.number("weights.sentence.score");
  REQUIRE(std::isfinite(score));
  REQUIRE(rig.run("weights.sentence-pair"));
  rig.settle();
  CHECK(rig.text("weights.page") == "form");
  CHECK(rig.number("weights.form.query") == 7);
  CHECK(rig.text("weights.form.keyToken").find("(4)") != std::string::npos);
  // The heads have width 16, so the factor of the model is 1/4.
  CHECK(rig.number("weights.form.score") / 4 == Approx(score).epsilon(1e-4).margin(1e-4));
}

TEST_CASE("The graph of the model leads to its tensors, to W_qk and to other blocks", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.set("weights.sentence.model", true);
  rig.set("weights.layer", 1.0);
  rig.settle();
  const auto graph = [&rig] {
    for (const ReadableView& one : rig.page->board().readable())
      if (one.name == "sentence.model") return one;
    throw std::runtime_error("there is no graph");
  };
  /// Clicks on the box whose text begins with `begin`.
  const auto press = [&](const std::string& begin) {
    const ReadableView view = graph();
    for (std::size_t row = 0; row < view.rows; ++row)
      if (view.text(row, 0).starts_with(begin)) {
        REQUIRE(view.place(row, 0));
        rig.click(*view.place(row, 0));
        rig.settle();
        return view.text(row, 0);
      }
    FAIL("no box " << begin);
    return std::string();
  };
  CHECK(rig.texts("sentence.model").find("977") != std::string::npos);
  CHECK(press("blocks 2 to").find("unfold block 2") != std::string::npos);
  CHECK(rig.number("weights.layer") == 2);
  CHECK(press("block 2,").find("stream is 10") != std::string::npos);
  CHECK(rig.number("weights.layer") == 2);
  press("blocks 0 to 1");
  CHECK(rig.number("weights.layer") == 1);
  // The page of the tensor belongs to the exhibit, which this fixture does not have.
  CHECK(press("W_O").find("click: the tensor") != std::string::npos);
  press("W_Q");
  CHECK(rig.text("weights.page") == "matrix");
}

TEST_CASE("The parts of a score can be reached in a low window", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.area = {{0, 40}, {900, 460}};
  rig.frame();
  rig.settle();
  CHECK(rig.texts("sentence.score.bars").empty());
  CHECK(rig.texts("sentence.actions").find("Why this score") != std::string::npos);
  rig.click(rig.at("pattern", 1, 4));
  rig.settle();
  CHECK(rig.number("weights.sentence.query") == 4);
  CHECK(rig.number("weights.sentence.key") == 1);
  CHECK(rig.text("weights.sentence.panel") == "why");
  CHECK_FALSE(rig.texts("sentence.score.bars").empty());
  CHECK_FALSE(rig.texts("sentence.pattern").empty());
  CHECK(rig.texts("sentence.ranked").empty());
  // In a pane of a few hundred points they can be reached too.
  rig.area = {{0, 40}, {340, 330}};
  rig.set("weights.sentence.panel", std::string("predictions"));
  rig.frame();
  rig.settle();
  CHECK(rig.texts("sentence.score.bars").empty());
  CHECK(rig.texts("sentence.actions").find("Why this score") != std::string::npos);
  rig.set("weights.sentence.panel", std::string("why"));
  rig.settle();
  CHECK_FALSE(rig.texts("sentence.score.bars").empty());
  rig.set("weights.sentence.panel", std::string("heads"));
  rig.settle();
  CHECK_FALSE(rig.items<render::Heatmap>("sentence.heads").empty());
  // With enough room all parts are shown.
  rig.area = {{0, 40}, {1180, 960}};
  rig.frame();
  rig.settle();
  CHECK_FALSE(rig.texts("sentence.score.bars").empty());
  CHECK_FALSE(rig.texts("sentence.ranked").empty());
}

TEST_CASE("A wall of many heads scrolls, with pictures of a minimum size", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  const auto pictures = [&rig] {
    std::vector<render::Rect> all;
    for (const render::Heatmap& one : rig.items<render::Heatmap>("sentence.heads"))
      all.push_back(one.extent);
    return all;
  };
  const std::size_t whole = pictures().size();
  REQUIRE(whole == 16);
  // Room for one row of pictures.
  rig.area = {{0, 40}, {700, 250}};
  rig.frame();
  rig.settle();
  const std::vector<render::Rect> some = pictures();
  REQUIRE_FALSE(some.empty());
  CHECK(some.size() < whole);
  for (const render::Rect& one : some)
    CHECK(std::abs(one.max.x - one.min.x) > 21.9);
  CHECK(rig.number("weights.sentence.scroll") == -1);
  rig.set("weights.layer", 3.0);
  rig.set("weights.head", 2.0);
  rig.settle();
  CHECK_NOTHROW(rig.at("heads", 2, 3));  // the selected head is visible
  const render::Point over = rig.at("heads", 2, 3);
  rig.frame({PointerMoved{over.x, over.y, {}}, Scrolled{0, 30, {}}});
  rig.settle();
  CHECK(rig.number("weights.sentence.scroll") == 0);
  CHECK_NOTHROW(rig.at("heads", 2, 0));
}

TEST_CASE("A continuation uses a new seed each time, and a given seed reproduces the text", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.set("weights.sentence.temperature", 1.5);
  rig.set("weights.sentence.more", 3.0);
  const auto drawn = [&rig] {
    rig.set("weights.sentence.text", std::string("The dog"));
    rig.settle();
    REQUIRE(rig.run("weights.sentence-continue"));
    rig.settle();
    return rig.text("weights.sentence.shown");
  };
  const std::string text = drawn();
  const double seed = rig.number("weights.sentence.drawn");
  drawn();
  CHECK(rig.number("weights.sentence.drawn") != seed);
  rig.set("weights.sentence.seed", seed);
  CHECK(drawn() == text);
  CHECK(rig.number("weights.sentence.drawn") == seed);
}
