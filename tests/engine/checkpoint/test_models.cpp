// SPDX-License-Identifier: Apache-2.0
// The synthetic models have the properties in their README, and their script reproduces the same bytes. The trained
// models open and have the properties in their README.
#include <cstdlib>
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/attention/scores.h"
#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/checkpoint/vocabulary.h"
#include "engine/checkpoint/vocabulary_read.h"
#include "tests/engine/checkpoint/opened.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::checkpoint;

namespace {

std::string modelsFolder() {
  return tests::sourceFolder() + "/tests/models";
}

std::string assetsFolder() {
  return tests::sourceFolder() + "/assets/models";
}

std::shared_ptr<const Model> bundled(const std::string& name) {
  const auto model = openModel((name == "grouped" ? assetsFolder() : modelsFolder()) + "/" + name);
  INFO((model ? std::string() : model.error().message));
  REQUIRE(model);
  CHECK(model->get()->map.noQkReason.empty());
  return *model;
}

std::vector<attention::Scores> scoresOf(const Model& model, HeadPairing pairing = HeadPairing::Grouped) {
  std::vector<attention::Scores> all;
  for (const AttentionLayer& layer : model.map.layers) {
    const auto factors = loadFactors(*model.checkpoint, layer, {pairing, -1, false});
    REQUIRE(factors);
    all.push_back(attention::scoresOf(*attention::momentsOf(*factors), attention::ScoreOptions{}));
  }
  return all;
}

// x_a^T W_qk^h x_b of two words, with the same number for layer and head, as in the README.
double answer(const Model& model, int at, const char* asking, const char* answering) {
  const auto vocabulary = readVocabulary(*model.checkpoint);
  REQUIRE(vocabulary);
  const auto a = vocabulary->find(asking), b = vocabulary->find(answering);
  REQUIRE((a && b));
  const auto factors =
      loadFactors(*model.checkpoint, *model.map.find(Stack::Self, at), {HeadPairing::Grouped, at, false});
  REQUIRE(factors);
  const auto x = loadEmbedding(*model.checkpoint, model.map, *a), y = loadEmbedding(*model.checkpoint, model.map, *b);
  REQUIRE((x && y));
  return (factors->W_Q.transpose() * *x).dot(factors->W_K.transpose() * *y);
}

}  // namespace

TEST_CASE("The symmetry of the synthetic encoder grows with depth", "[models]") {
  const auto model = bundled("encoder");
  CHECK(model->map.family == "bert");
  const auto scores = scoresOf(*model);
  REQUIRE(scores.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(scores[i].symmetry > 0.45);
    CHECK(scores[i].symmetry < 0.75);
    if (i > 0) CHECK(scores[i].symmetry > scores[i - 1].symmetry);
  }
  for (int at = 0; at < 4; ++at) {
    for (const auto& [one, other] :
         {std::pair("Paris", "France"), std::pair("king", "queen"), std::pair("dog", "cat")}) {
      INFO(at << " " << one << " " << other);
      CHECK(answer(*model, at, one, other) > 0.15);
      CHECK(answer(*model, at, other, one) > 0.15);
    }
    CHECK(answer(*model, at, "Paris", "France") > answer(*model, at, "Paris", "queen") + 0.1);
  }
}

TEST_CASE("The synthetic decoder has dominant columns and attends in one direction", "[models]") {
  const auto model = bundled("decoder");
  CHECK(model->map.family == "gpt2");
  for (const auto& scores : scoresOf(*model)) {
    CHECK(std::abs(scores.symmetry) < 0.2);
    CHECK(scores.directionality < -0.6);
  }
  for (int at = 0; at < 4; ++at) {
    INFO(at);
    CHECK(answer(*model, at, "dog", "the") > answer(*model, at, "the", "dog") + 0.1);
    CHECK(answer(*model, at, "runs", "dog") > answer(*model, at, "dog", "runs") + 0.1);
  }
}

TEST_CASE("The synthetic grouped model loses its symmetry with the published pairing of heads", "[models]") {
  const auto model = bundled("grouped");
  CHECK(model->map.layers.at(0).kvHeads == 16);
  for (const auto& scores : scoresOf(*model))
    CHECK(scores.symmetry > 0.5);
  for (const auto& scores : scoresOf(*model, HeadPairing::Published))
    CHECK(std::abs(scores.symmetry) < 0.08);
}

TEST_CASE("The script of the synthetic models reproduces the same bytes", "[models]") {
  if (std::system("python3 --version > /dev/null 2>&1") != 0) {
    WARN("skipped: there is no python3");
    return;
  }
  const made::Folder folder;
  REQUIRE(std::system((modelsFolder() + "/make " + folder.path.string()).c_str()) == 0);
  for (const char* file :
       {"encoder/model.safetensors", "encoder/config.json", "encoder/vocab.txt", "decoder/model.safetensors",
        "decoder/config.json", "decoder/vocab.json", "grouped/model.safetensors", "grouped/config.json"}) {
    INFO(file);
    const bool shipped = std::string(file).starts_with("grouped");
    const std::string stored = made::content((shipped ? assetsFolder() : modelsFolder()) + "/" + file);
    CHECK(stored.size() > 50);
    CHECK(stored.size() < 400'000);
    CHECK((made::content((folder.path / file).string()) == stored));
  }
}

TEST_CASE("The trained models open with a vocabulary and take less than 4 MB in total", "[models]") {
  std::uintmax_t bytes = 0;
  for (const char* name : {"encoder", "decoder", "mdm", "arm"}) {
    INFO(name);
    for (const auto& entry : std::filesystem::directory_iterator(assetsFolder() + "/" + name))
      bytes += entry.file_size();
    const auto model = openModel(assetsFolder() + "/" + name);
    INFO((model ? std::string() : model.error().message));
    REQUIRE(model);
    CHECK((*model)->map.noQkReason.empty());
    CHECK((*model)->map.layers.size() == (std::string(name).size() > 3 ? 4U : 1U));
    const auto vocabulary = readVocabulary(*(*model)->checkpoint);
    REQUIRE(vocabulary);
    CHECK(vocabulary->find(std::string(name).size() > 3 ? "dogs" : "q").has_value());
    CHECK(made::content(assetsFolder() + "/" + name + "/config.json").find("\"seed\": 1") != std::string::npos);
  }
  CHECK(bytes < 4'000'000);
}

TEST_CASE("The trained encoder is symmetric in its upper layers, and the decoder in no layer", "[models]") {
  const auto encoder = openModel(assetsFolder() + "/encoder"), decoder = openModel(assetsFolder() + "/decoder");
  REQUIRE((encoder && decoder));
  const auto ofEncoder = scoresOf(**encoder), ofDecoder = scoresOf(**decoder);
  REQUIRE((ofEncoder.size() == 4 && ofDecoder.size() == 4));
  for (std::size_t i = 1; i < 4; ++i)
    CHECK(ofEncoder[i].symmetry > 0.4);
  for (const auto& scores : ofDecoder)
    CHECK(std::abs(scores.symmetry) < 0.15);
}
