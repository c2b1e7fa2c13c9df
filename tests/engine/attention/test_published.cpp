// SPDX-License-Identifier: Apache-2.0
// The published scores as data: every field is read, and what is wrong with a text is said.
#include "engine/attention/published.h"
#include "tests/folders.h"

#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

using namespace sepx::attention;

namespace {

std::string bundled() {
  std::ifstream file(sepx::tests::sourceFolder() + "/assets/published/attention_structure.json");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string with(const std::string& model) {
  return "{\"source\":\"here\",\"models\":[" + model + "]}";
}

const char* const kModel =
    R"({"name":"A-1","parameters":5,"kind":"decoder","modality":"language","symmetry":[[0.5,0.1,0.2]],
        "directionality":[],"unsafe":"because","also":["who/a_one"],
        "shape":{"model_type":"a","layers":2,"d_model":8,"kv_heads":1}})";

}  // namespace

TEST_CASE("the bundled tables are complete") {
  const auto published = parsePublished(bundled());
  REQUIRE(published);
  CHECK(published->models.size() == 59);
  int unsafe = 0;
  for (const PublishedModel& model : published->models) {
    INFO(model.name);
    CHECK(model.parameters > 1e6);
    CHECK_FALSE(model.symmetry.empty());
    for (const PublishedValue& value : model.symmetry) {
      CHECK(value.median >= 0);
      CHECK(value.median < 1);
    }
    unsafe += model.isSafe() ? 0 : 1;
    CHECK(model.ownKeys == (model.name == "ModernBERT-base"));
    CHECK(published->find(model.name) == &model);
  }
  CHECK(unsafe == 14);
}

TEST_CASE("models are found by any of their names, and by no other") {
  const auto published = parsePublished(bundled());
  REQUIRE(published);
  CHECK(published->find("gpt2")->name == "GPT2");
  CHECK(published->find("openai-community/gpt2-xl")->name == "GPT2-XL");
  CHECK(published->find("google/bert_uncased_L-2_H-128_A-2")->name == "BERT-2L-128");
  CHECK(published->find("bert_tiny")->name == "BERT-tiny");
  CHECK(published->find("bert-tiny-sst2") == nullptr);
  // One printed name, three checkpoints: each is judged by its own value.
  CHECK(published->find("microsoft/beit-base-patch16-224-pt22k")->symmetry.front().median == 0.4);
  CHECK(published->find("microsoft/beit-base-patch16-224")->symmetry.front().median == 0.39);
  CHECK(published->find("microsoft/beit-large-patch16-512")->directionality.front().median == -0.15);
  CHECK(published->find("BEiT-large-384")->printed == "BEiT-large");
  CHECK(published->find("BEiT-base") == nullptr);
  CHECK(published->find("GPT2")->printed == "GPT2");
  CHECK(published->find("") == nullptr);
  CHECK(published->find("/") == nullptr);
}

TEST_CASE("models are found by shape") {
  const auto published = parsePublished(bundled());
  REQUIRE(published);
  CHECK(published->ofShape({"llama", 32, 4096, 32})->name == "LLaMA2-7B");
  CHECK(published->ofShape({"llama", 32, 4096, 8})->name == "LLaMA3-8B");
  CHECK(published->ofShape({"gpt2", 12, 768, 12})->name == "GPT2");
  CHECK(published->ofShape({"gpt2", 13, 768, 12}) == nullptr);
  CHECK(published->ofShape({}) == nullptr);
}

TEST_CASE("every field of a model is read") {
  const auto published = parsePublished(with(kModel));
  REQUIRE(published);
  const PublishedModel& model = published->models.at(0);
  CHECK(model.kind == PublishedModel::Kind::Decoder);
  CHECK(model.symmetry.at(0).plus == 0.2);
  CHECK(model.directionality.empty());
  CHECK(model.unsafe == "because");
  CHECK(model.shape.kvHeads == 1);
  CHECK(published->find("a_one") == &model);
}

TEST_CASE("a text that is not a table of published scores is refused with the place") {
  const auto refused = [](const std::string& text, const std::string& part) {
    const auto published = parsePublished(text);
    REQUIRE_FALSE(published);
    CHECK(published.error().kind == sepx::ErrorKind::BadInput);
    CHECK_THAT(published.error().sentence, Catch::Contains(part));
  };
  const auto swapped = [](const std::string& from, const std::string& to) {
    std::string text = kModel;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return with(text.replace(at, from.size(), to));
  };
  refused("{", "JSON");
  refused("[]", "source");
  refused("{\"source\":\"here\"}", "models");
  refused(with("7"), "name");
  refused(swapped("\"parameters\":5", "\"parameters\":0"), "parameters");
  refused(swapped("\"decoder\"", "\"neither\""), "kind");
  refused(swapped("[0.5,0.1,0.2]", "[0.5,0.1]"), "symmetry");
  refused(swapped("[0.5,0.1,0.2]", "[0.5,0.1,\"x\"]"), "symmetry");
  refused(swapped("\"layers\":2", "\"layers\":2.5"), "layers");
  refused(swapped("[\"who/a_one\"]", "[1]"), "also");
}
