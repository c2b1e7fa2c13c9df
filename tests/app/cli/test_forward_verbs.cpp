// SPDX-License-Identifier: Apache-2.0
// sepx forward and sepx score-parts: the structure of their documents, agreement with each other, and what they refuse.
#include <cmath>
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/checkpoint/checkpoint.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"

using namespace sepx::test;

namespace {

std::string bundled(const std::string& name) {
  return sepx::tests::sourceFolder() + "/assets/models/" + name;
}

const std::string kText = "The old cat sees the dog.";

std::vector<std::string> partsOf(const std::string& model, int layer, int head, int query, int key) {
  return {"score-parts", bundled(model),        "--text", kText,
          "--layer",     std::to_string(layer), "--head", std::to_string(head),
          "--query",     std::to_string(query), "--key",  std::to_string(key)};
}

double sumOf(const Json& rows) {
  double sum = 0;
  for (const Json& row : rows)
    for (const Json& value : row)
      sum += value.get<double>();
  return sum;
}

}  // namespace

TEST_CASE("sepx forward gives predictions, attention and stream") {
  const Json json = commandJson({"forward", bundled("decoder"), "--text", kText, "--attention", "--hidden"});
  CHECK(keysOf(json) == std::vector<std::string>{"schema", "model", "family", "agreement", "missing", "notes", "ids",
                                                 "tokens", "positions", "logits", "attention", "embedding", "hidden",
                                                 "nonfinite"});
  CHECK(json["schema"] == "sepx.forward/1");
  CHECK(json["missing"].empty());
  const std::size_t n = json["ids"].size();
  REQUIRE(n >= 7);
  CHECK(json["tokens"].size() == n);
  REQUIRE(json["logits"].size() == n);
  CHECK(json["logits"][0].size() == 977);
  REQUIRE(json["attention"].size() == 4);
  REQUIRE(json["attention"][3].size() == 4);
  REQUIRE(json["attention"][3][3].size() == n);
  for (std::size_t query = 0; query < n; ++query) {
    double sum = 0;
    for (std::size_t key = 0; key < n; ++key) {
      const double p = json["attention"][2][1][query][key].get<double>();
      sum += p;
      if (key > query) CHECK(p == 0);
    }
    CHECK(sum == Approx(1).epsilon(1e-12));
  }
  REQUIRE(json["hidden"].size() == 4);
  CHECK(json["hidden"][0].size() == n);
  CHECK(json["hidden"][0][0].size() == 64);
  CHECK(json["embedding"].size() == n);

  // The same by ids, and with only the first layers.
  std::string ids;
  for (const Json& id : json["ids"])
    ids += (ids.empty() ? "" : ",") + std::to_string(id.get<int>());
  const Json same = commandJson({"forward", bundled("decoder"), "--ids", ids});
  CHECK(same["logits"] == json["logits"]);
  CHECK_FALSE(same.contains("attention"));
  const Json first = commandJson({"forward", bundled("decoder"), "--ids", ids, "--layers", "1", "--attention"});
  CHECK(first["logits"].is_null());
  REQUIRE(first["attention"].size() == 1);
  CHECK(first["attention"][0] == json["attention"][0]);
}

TEST_CASE("sepx forward prints the most likely tokens as text") {
  const Ran next = command({"forward", bundled("decoder"), "--text", kText});
  CHECK(next.status == 0);
  CHECK_THAT(next.out, Catch::Contains("the likeliest next tokens after each position") && Catch::Contains("nats") &&
                           Catch::Contains("cat"));
  CHECK_THAT(command({"forward", bundled("encoder"), "--text", kText}).out,
             Catch::Contains("the likeliest tokens at each position"));
}

TEST_CASE("sepx forward writes arrays") {
  const Folder folder;
  const std::string path = folder.path("pass.npz");
  const Ran ran =
      command({"forward", bundled("decoder"), "--ids", "14,10,20", "--attention", "--hidden", "--npz", path});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains("3 positions, 4 layers"));
  const auto file = sepx::checkpoint::Checkpoint::open(path);
  REQUIRE(file);
  const auto shapeOf = [&](const char* name) {
    const sepx::checkpoint::TensorInfo* tensor = (*file)->find(name);
    REQUIRE(tensor != nullptr);
    return tensor->shape;
  };
  CHECK(shapeOf("logits") == std::vector<std::int64_t>{3, 977});
  CHECK(shapeOf("attention") == std::vector<std::int64_t>{4, 4, 3, 3});
  CHECK(shapeOf("hidden") == std::vector<std::int64_t>{4, 3, 64});
  const Json json = commandJson({"forward", bundled("decoder"), "--ids", "14,10,20", "--attention"});
  std::vector<double> values(4 * 4 * 9);
  REQUIRE((*file)->read(*(*file)->find("attention"), 0, 4, 0, 36, std::span<double>(values)));
  CHECK(values[9 * 7 + 3 * 2 + 1] == json["attention"][1][3][2][1].get<double>());
}

TEST_CASE("The parts of sepx score-parts sum to the scores of sepx forward's attention") {
  for (const std::string model : {"decoder", "encoder"}) {
    INFO(model);
    const Json pass = commandJson({"forward", bundled(model), "--text", kText, "--attention"});
    const int query = 4, layer = 2, head = 1;
    const auto& row = pass["attention"][layer][head][query];
    std::vector<double> scores;
    for (int key = 0; key < (model == "decoder" ? query + 1 : static_cast<int>(row.size())); ++key) {
      const Json json = commandJson(partsOf(model, layer, head, query, key));
      CHECK(sumOf(json["pairs"]) + json["distance_bias"].get<double>() ==
            Approx(json["score"].get<double>()).epsilon(1e-9).margin(1e-9));
      CHECK(json["pairs"].size() == json["writers"].size());
      CHECK(std::abs(json["residue"].get<double>()) < 1e-9);
      CHECK(json["probability"] == row[static_cast<std::size_t>(key)]);
      scores.push_back(json["score"].get<double>());
    }
    double sum = 0;
    for (const double score : scores)
      sum += std::exp(score);
    for (std::size_t key = 0; key < scores.size(); ++key)
      CHECK(std::exp(scores[key]) / sum == Approx(row[key].get<double>()).epsilon(1e-9));
  }
}

TEST_CASE("sepx score-parts names its writers, and prints sums as text") {
  const Json json = commandJson(partsOf("decoder", 1, 2, 5, 3));
  CHECK(keysOf(json) == std::vector<std::string>{"schema", "model",       "family",    "notes",         "ids",
                                                 "tokens", "layer",       "head",      "query",         "key",
                                                 "score",  "probability", "cap",       "distance_bias", "writers",
                                                 "pairs",  "by_kind",     "symmetric", "skew",          "with_biases",
                                                 "gain",   "rotation",    "residue",   "nonfinite"});
  // The embedding, the position, the biases, four heads and a feed-forward part before it, and two biases on the way.
  REQUIRE(json["writers"].size() == 10);
  CHECK(json["writers"][0]["kind"] == "embedding");
  CHECK(json["writers"][3] == Json{{"kind", "head"}, {"layer", 0}, {"head", 0}});
  CHECK(json["writers"][7]["kind"] == "feed-forward");
  CHECK(json["cap"].is_null());
  const Ran table = command(partsOf("decoder", 1, 2, 5, 3));
  CHECK(table.status == 0);
  CHECK_THAT(table.out, Catch::Contains("layer 1, head 2") && Catch::Contains("content to content") &&
                            Catch::Contains("head 0.3") && Catch::Contains("the other") && Catch::Contains("|#"));
}

TEST_CASE("The scores of the first layer can be shown for a file that contains only queries and keys") {
  const Json pass = commandJson({"forward", bundled("grouped"), "--ids", "1,2,3", "--attention"});
  CHECK(pass["logits"].is_null());
  CHECK(pass["missing"].size() == 1);
  REQUIRE(pass["attention"].size() == 1);
  const Json json = commandJson({"score-parts", bundled("grouped"), "--ids", "1,2,3", "--layer", "0", "--head", "5",
                                 "--query", "2", "--key", "1"});
  CHECK(json["probability"] == pass["attention"][0][5][2][1]);
  REQUIRE(json["writers"].size() == 1);
  CHECK(sumOf(json["pairs"]) == Approx(json["score"].get<double>()));
}

TEST_CASE("The verbs of a forward pass refuse invalid arguments with one message") {
  const std::string decoder = bundled("decoder");
  requireRefused({"forward", decoder}, 2, "--text");
  requireRefused({"forward", decoder, "--text", "a", "--ids", "1"}, 2, "mutually exclusive");
  requireRefused({"forward", decoder, "--ids", "1,,2"}, 2, "--ids");
  requireRefused({"forward", decoder, "--ids", "1", "--layers", "0"}, 2, "--hidden");
  requireRefused({"forward", decoder, "--ids", "977"}, 2, "977");
  requireRefused({"forward", decoder, "--ids", "1,x"}, 2, "--ids");
  requireRefused({"forward", decoder, "--ids", "1", "--layers", "5"}, 2, "4 layers");
  requireRefused({"forward", decoder, "--ids", "1", "--layers", "2"}, 2, "--attention");
  requireRefused({"forward", decoder, "--ids", "1", "--json", "--npz", "a.npz"}, 2, "mutually exclusive");
  requireRefused({"forward", decoder, "--pixels", "nothing.npy"}, 3, "nothing.npy");
  requireRefused({"forward", bundled("grouped"), "--ids", "1,2"}, 3, "grouped");
  requireRefused({"forward", bundled("grouped"), "--ids", "1,2", "--attention", "--layers", "2"}, 3, "grouped");
  requireRefused(
      {"score-parts", bundled("grouped"), "--ids", "1,2", "--layer", "1", "--head", "0", "--query", "1", "--key", "0"},
      3, "grouped");
  requireRefused({"forward", bundled("nothing"), "--ids", "1"}, 3, "nothing");
  std::vector<std::string> late = partsOf("decoder", 1, 2, 3, 5);
  requireRefused(late, 2, "key 5 is not visible from query 3");
  requireRefused(partsOf("decoder", 4, 0, 1, 1), 2, "no layer 4");
  requireRefused(partsOf("decoder", 0, 4, 1, 1), 2, "no head 4");
  requireRefused({"score-parts", decoder, "--ids", "1", "--layer", "x", "--head", "0", "--query", "0", "--key", "0"}, 2,
                 "--layer");
  // A list of words without a rule for splitting is not a tokenizer.
  requireRefused({"forward", bundled("arm"), "--text", "Hello the", "--tokenizer", decoder}, 3, "merges.txt");
}

TEST_CASE("Notes on the tokenizer are printed with the result") {
  const std::string decoder = bundled("decoder");
  const Ran split = command({"forward", decoder, "--text", kText});
  CHECK(split.err ==
        "sepx: note: The word list of vocab.json has no rule for splitting a text: the longest words "
        "that fit are taken.\n");
  CHECK(command({"forward", decoder, "--ids", "1"}).err.empty());
  const Json json = commandJson({"forward", decoder, "--text", kText});
  REQUIRE(json["notes"].size() == 1);
  CHECK_THAT(json["notes"][0].get<std::string>(), Catch::Contains("vocab.json"));
  CHECK(commandJson(partsOf("decoder", 1, 2, 5, 3))["notes"] == json["notes"]);
  CHECK_THAT(command(partsOf("decoder", 1, 2, 5, 3)).err, Catch::Contains("note: The word list of vocab.json"));
  // More tokens than the model's 54 rows, and no token of the text is among them.
  const Folder folder;
  Json vocab = Json::object();
  for (int id = 0; id < 60; ++id)
    vocab["w" + std::to_string(id)] = id;
  writeText(folder.path("tokenizer.json"),
            Json{{"pre_tokenizer", {{"type", "Whitespace"}}},
                 {"model", {{"type", "WordLevel"}, {"vocab", vocab}, {"unk_token", "w0"}}}}
                .dump());
  const Ran unlike =
      command({"forward", bundled("arm"), "--text", "w1 w2", "--tokenizer", folder.path("tokenizer.json")});
  CHECK(unlike.status == 0);
  CHECK_THAT(unlike.err, Catch::Contains("note: The tokenizer has 60 tokens and the model's table 54 rows"));
  requireRefused({"forward", bundled("arm"), "--text", "w1 w58", "--tokenizer", folder.path("tokenizer.json")}, 3,
                 "do not match");
}

TEST_CASE("A faulty tokenizer is an error for a text, but its words are shown for ids") {
  const Folder folder;
  for (const char* const name : {"config.json", "model.safetensors"})
    writeText(folder.path(name), readText(bundled("arm") + "/" + name));
  Json vocab = Json::object();
  for (int id = 0; id < 54; ++id)
    vocab["w" + std::to_string(id)] = id;
  writeText(folder.path("tokenizer.json"),
            Json{{"pre_tokenizer", {{"type", "Odd"}}},
                 {"model", {{"type", "BPE"}, {"vocab", vocab}, {"merges", Json::array()}}}}
                .dump());
  requireRefused({"forward", folder.path(""), "--text", "w1"}, 3, "Odd");
  requireRefused({"tokens", folder.path(""), "--text", "w1"}, 3, "Odd");
  requireRefused(
      {"score-parts", folder.path(""), "--text", "w1", "--layer", "0", "--head", "0", "--query", "0", "--key", "0"}, 3,
      "Odd");
  CHECK(commandJson({"forward", folder.path(""), "--ids", "2"})["tokens"] == Json{"w2"});
}
