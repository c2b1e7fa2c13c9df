// SPDX-License-Identifier: Apache-2.0
// Tests the published scores as data: every field is read, and errors in a text are reported.
#include "engine/attention/published.h"
#include "tests/folders.h"

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

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

TEST_CASE("The bundled tables are complete and precede the models that are in neither table") {
  const auto published = parsePublished(bundled());
  REQUIRE(published);
  int unsafe = 0, printed = 0;
  bool others = false;
  for (const PublishedModel& model : published->models) {
    INFO(model.name);
    CHECK(model.parameters >= 1e6);
    REQUIRE_FALSE(model.symmetry.empty());
    for (const PublishedValue& value : model.symmetry) {
      CHECK(value.median > -1);
      CHECK(value.median < 1);
      CHECK(value.isPrinted() == model.source().empty());
    }
    CHECK(published->find(model.name) == &model);
    others = others || !model.source().empty();
    if (!model.source().empty()) continue;
    CHECK_FALSE(others);
    ++printed;
    unsafe += model.isSafe() ? 0 : 1;
    CHECK(model.ownKeys == (model.name == "ModernBERT-base"));
    CHECK(model.stack.empty());
  }
  CHECK(printed == 59);
  CHECK(unsafe == 14);
  CHECK(published->models.size() == 119);
}

TEST_CASE("Values of neither table equal the text results of the authors' repository and name the commit") {
  const auto published = parsePublished(bundled());
  REQUIRE(published);
  std::ifstream file(sepx::tests::sourceFolder() + "/tests/reference/published_repository.txt");
  std::map<std::string, std::pair<PublishedValue, std::string>> symmetry,
      directionality;  // value, then file and commit
  std::string where, commit;
  auto* into = &symmetry;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream text(line);
    std::string name, sign;
    if (line.starts_with("file ")) {
      text >> name >> name >> where >> commit;
      into = line.find("-directionality ") != std::string::npos ? &directionality : &symmetry;
      continue;
    }
    PublishedValue value;
    char open = 0, comma = 0;
    text >> name >> sign >> value.median >> sign >> open >> value.minus >> comma >> value.plus;
    REQUIRE(text);
    (*into)[name] = {value, where + ", commit " + commit};
  }
  REQUIRE(symmetry.size() == 60);
  REQUIRE(directionality.size() == 9);
  const auto same = [](const PublishedModel& model, const std::vector<PublishedValue>& values, auto& all) {
    const auto tail = [](const std::string& name) { return name.substr(name.find('/') + 1); };
    for (const PublishedValue& value : values) {
      if (value.isPrinted()) continue;
      INFO(model.name);
      const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) {
        return one.first == model.printed || tail(one.first) == tail(model.also.at(0));
      });
      REQUIRE(found != all.end());
      CHECK(value.median == found->second.first.median);
      CHECK(value.minus == found->second.first.minus);
      CHECK(value.plus == found->second.first.plus);
      // A source names its file with the commit.
      CHECK_THAT(value.source, Catch::Contains(found->second.second));
      CHECK_THAT(value.source, Catch::Contains("in neither table of the paper"));
      all.erase(found);
    }
  };
  for (const PublishedModel& model : published->models) {
    same(model, model.symmetry, symmetry);
    same(model, model.directionality, directionality);
  }
  CHECK(symmetry.empty());
  CHECK(directionality.empty());
}

TEST_CASE("Models are found by any of their names and by no other name") {
  const auto published = parsePublished(bundled());
  REQUIRE(published);
  CHECK(published->find("gpt2")->name == "GPT2");
  CHECK(published->find("openai-community/gpt2-xl")->name == "GPT2-XL");
  CHECK(published->find("google/bert_uncased_L-2_H-128_A-2")->name == "BERT-2L-128");
  CHECK(published->find("bert_tiny")->name == "BERT-tiny");
  CHECK(published->find("bert-tiny-sst2") == nullptr);
  // Three checkpoints share one printed name, and each has its own value.
  CHECK(published->find("microsoft/beit-base-patch16-224-pt22k")->symmetry.front().median == 0.4);
  CHECK(published->find("microsoft/beit-base-patch16-224")->symmetry.front().median == 0.39);
  CHECK(published->find("microsoft/beit-large-patch16-512")->directionality.front().median == -0.15);
  CHECK(published->find("BEiT-large-384")->printed == "BEiT-large");
  CHECK(published->find("BEiT-base") == nullptr);
  CHECK(published->find("GPT2")->printed == "GPT2");
  CHECK(published->find("facebook/deit-tiny-patch16-224")->source().find("make-table.ipynb") != std::string::npos);
  CHECK(published->find("t5-v1_1-base")->stack == "decoder");
  CHECK(published->find("") == nullptr);
  CHECK(published->find("/") == nullptr);
}

TEST_CASE("Models are found by shape") {
  const auto published = parsePublished(bundled());
  REQUIRE(published);
  CHECK(published->ofShape({"llama", 32, 4096, 32})->name == "LLaMA2-7B");
  CHECK(published->ofShape({"llama", 32, 4096, 8})->name == "LLaMA3-8B");
  CHECK(published->ofShape({"gpt2", 12, 768, 12})->name == "GPT2");
  CHECK(published->ofShape({"gpt2", 36, 1280, 20})->name == "GPT2-large");
  CHECK(published->ofShape({"gpt2", 13, 768, 12}) == nullptr);
  CHECK(published->ofShape({}) == nullptr);
}

TEST_CASE("Every field of a model is read") {
  const auto published = parsePublished(with(kModel));
  REQUIRE(published);
  const PublishedModel& model = published->models.at(0);
  CHECK(model.kind == PublishedModel::Kind::Decoder);
  CHECK(model.symmetry.at(0).plus == 0.2);
  CHECK(model.directionality.empty());
  CHECK(model.unsafe == "because");
  CHECK(model.shape.kvHeads == 1);
  CHECK(published->find("a_one") == &model);
  CHECK(model.source().empty());
}

TEST_CASE("The source of a value is that of its row unless it has its own") {
  std::string text = kModel;
  text.insert(1, "\"source\":\"there\",");
  const std::string sources =
      "{\"source\":\"here\",\"sources\":{\"there\":\"a place\",\"own\":\"its own\"},\"models\":[";
  auto published = parsePublished(sources + text + "]}");
  REQUIRE(published);
  CHECK(published->models.at(0).source() == "a place");
  const std::string value = "[0.5,0.1,0.2]";
  text.replace(text.find(value), value.size(), "[0.5,0.1,0.2,\"own\"]");
  published = parsePublished(sources + text + "]}");
  REQUIRE(published);
  CHECK(published->models.at(0).symmetry.at(0).source == "its own");
  const auto unknown = parsePublished(with(text));
  REQUIRE_FALSE(unknown);
  CHECK_THAT(unknown.error().message, Catch::Contains("there"));
}

TEST_CASE("A text that is not a table of published scores is refused with the position of the error") {
  const auto refused = [](const std::string& text, const std::string& part) {
    const auto published = parsePublished(text);
    REQUIRE_FALSE(published);
    CHECK(published.error().kind == sepx::ErrorKind::BadInput);
    CHECK_THAT(published.error().message, Catch::Contains(part));
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
