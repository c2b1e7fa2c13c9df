// SPDX-License-Identifier: Apache-2.0
// The page Sentence with a second text or a second checkpoint.
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
#include "ui/sentence/predictions_view.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("The stream of another text is patched into this one", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.set("weights.sentence.text", std::string("The dog that chases the cats"));
  rig.set("weights.sentence.other", std::string("The dogs that chase the cat"));
  rig.settle();
  INFO(rig.text("weights.sentence.failure"));
  if (rig.results().patched()) {
    const forward::Patching& patching = rig.results().patched()->patching;
    CHECK(patching.done == patching.all);
    CHECK(patching.positions == 6);
    // Patching the whole stream of the last position after the last block gives the other prediction.
    CHECK(patching.effect.back() == Approx(1).epsilon(1e-3));
  } else {
    CHECK(rig.text("weights.sentence.failure").find("same token") != std::string::npos);
  }
  rig.set("weights.sentence.other", std::string("The dogs"));
  rig.settle();
  CHECK_FALSE(rig.results().patched());
  CHECK(rig.text("weights.sentence.failure").find("same number of tokens") != std::string::npos);
}

TEST_CASE("A second checkpoint reads the same tokens", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.set("weights.sentence.second", SentenceRig::bundled("decoder"));
  rig.settle();
  REQUIRE(rig.results().changed());
  CHECK(rig.number("weights.sentence.kl") == Approx(0).margin(1e-6));
  rig.set("weights.sentence.look", std::string("difference"));
  rig.settle();
  for (const HeadPattern& head : rig.results().changed()->heads) {
    REQUIRE(head.difference);
    CHECK(std::abs(head.difference->back()) < 1e-6F);
  }
  // A model with other tokens cannot.
  rig.set("weights.sentence.second", SentenceRig::bundled("arm"));
  rig.settle();
  CHECK_FALSE(rig.results().changed());
  CHECK(rig.text("weights.sentence.failure").find("977") != std::string::npos);
}

namespace {

/// The bundled decoder, read as a model with twice as many heads.
std::string decoderOfMoreHeads(const checkpoint::made::Folder& folder) {
  const std::filesystem::path from = SentenceRig::bundled("decoder"), to = folder.path / "more-heads";
  std::filesystem::copy(from, to);
  std::ifstream in(from / "config.json");
  nlohmann::json config = nlohmann::json::parse(in);
  config["n_head"] = 2 * config.at("n_head").get<int>();
  std::filesystem::remove(to / "config.json");
  std::ofstream(to / "config.json") << config;
  return to.string();
}

}  // namespace

TEST_CASE("A second checkpoint with another number of heads shows the same head, or reports that it has none",
          "[weights][sentence]") {
  checkpoint::made::Folder folder;
  const std::string more = decoderOfMoreHeads(folder);
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.set("weights.layer", 1.0);
  rig.set("weights.head", 2.0);
  rig.set("weights.sentence.second", more);
  rig.settle();
  INFO(rig.text("weights.sentence.failure"));
  REQUIRE(rig.results().changed());
  CHECK(rig.results().changed()->heads.size() == 2 * rig.results().pass()->heads.size());
  {
    const SentenceRig::InSight sight(rig);
    const SentenceShown& shown = sight.shown;
    REQUIRE(shown.head());
    CHECK(shown.head()->layer == 1);
    CHECK(shown.head()->head == 2);
    CHECK(shown.head() == rig.results().changed()->find(1, 2));
  }
  CHECK(rig.texts("sentence.pattern.title").find("more-heads") != std::string::npos);
  CHECK(rig.texts("sentence.score.title").find("whole model decoder") != std::string::npos);

  SentenceRig other(more);
  other.set("weights.layer", 1.0);
  other.set("weights.head", 6.0);
  other.set("weights.sentence.second", SentenceRig::bundled("decoder"));
  other.settle();
  REQUIRE(other.results().changed());
  CHECK(other.layer("sentence.pattern") == nullptr);
  CHECK(other.sentences("sentence.pattern.none").find("has no head 6 in layer 1") != std::string::npos);
}

TEST_CASE("Titles say to which model pattern, score and predictions belong", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  CHECK(rig.texts("sentence.pattern.title").find("model") == std::string::npos);
  CHECK(rig.texts("sentence.score.title").find("whole model") == std::string::npos);
  rig.set("weights.sentence.where", std::string("all"));
  rig.set("weights.sentence.how", std::string("zero"));
  rig.settle();
  REQUIRE(rig.results().changed());
  CHECK(rig.texts("sentence.pattern.title").find("changed model") != std::string::npos);
  CHECK(rig.texts("sentence.score.title").find("whole model") != std::string::npos);
  // Every row has the probability in the unchanged model: the softmax of its logits.
  const SentenceRig::InSight sight(rig);
  const SentenceShown& shown = sight.shown;
  const TableContent table = predictionsRanked(shown);
  REQUIRE(table.columns.size() == 3);
  CHECK(table.columns[2].title == "changed model");
  const SentencePass& pass = *rig.results().pass();
  const float* const logits = pass.run().logitsOf(static_cast<std::size_t>(rig.results().place()));
  double sum = 0;
  for (int id = 0; id < pass.run().vocabulary; ++id)
    sum += std::exp(static_cast<double>(logits[id]));
  const auto place = static_cast<std::size_t>(rig.results().place());
  const std::vector<forward::Prediction>& best = rig.results().changed()->places[place].best;
  REQUIRE(best.size() == kBest);
  for (std::size_t i = 0; i < best.size(); ++i) {
    CHECK(table.cells[i][1] != "–");
    CHECK(rig.results().changed()->before[place][i] ==
          Approx(std::exp(static_cast<double>(logits[best[i].id])) / sum).epsilon(1e-6));
  }
}

TEST_CASE("A second checkpoint with other words is refused", "[weights][sentence]") {
  checkpoint::made::Folder folder, second;
  SentenceRig rig(llamaWithWords(folder, checkpoint::made::tinyLlama()));
  rig.set("weights.sentence.text", std::string("the old cat sees a dog"));
  const std::string path = llamaWithWords(second, checkpoint::made::tinyLlama());
  rig.set("weights.sentence.second", path);
  rig.settle();
  INFO(rig.text("weights.sentence.failure"));
  CHECK(rig.results().changed());
  checkpoint::made::Folder third;
  const std::string swapped = llamaWithWords(third, checkpoint::made::tinyLlama());
  third.write("words/tokenizer.json",
              R"({"added_tokens":[],"normalizer":null,"pre_tokenizer":{"type":"Whitespace"},"post_processor":null,)"
              R"("decoder":null,"model":{"type":"WordLevel","unk_token":"<unk>","vocab":{"<unk>":0,"the":1,"dog":2,)"
              R"("cat":3,"sees":4,"a":5,"bird":6,"and":7,"old":8,"[MASK]":9}}})");
  rig.set("weights.sentence.second", swapped);
  rig.settle();
  CHECK_FALSE(rig.results().changed());
  CHECK(rig.text("weights.sentence.failure").find("id 2 is “dog” in it and “cat” in the open one") !=
        std::string::npos);
}
