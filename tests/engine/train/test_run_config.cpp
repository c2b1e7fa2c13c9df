// SPDX-License-Identifier: Apache-2.0
// A run's config: a written config reads back, and an error is reported with its place.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/train/run_config.h"
#include "tests/engine/train/small_runs.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::train;

namespace {

Result<RunConfig> parse(const std::string& text) {
  return parseRunConfig(text, "c.json", "/folder");
}

std::string refusal(const std::string& text) {
  const Result<RunConfig> config = parse(text);
  REQUIRE_FALSE(config);
  CHECK(config.error().kind == ErrorKind::BadInput);
  CHECK(config.error().message.rfind("c.json: ", 0) == 0);
  CHECK(config.error().message.find('\n') == std::string::npos);
  return config.error().message;
}

bool holds(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("A config without fields is the default run") {
  const Result<RunConfig> config = parse(R"({"model": {"causal": true}})");
  REQUIRE(config);
  RunConfig expected;
  expected.name = "c";
  expected.model.vocabulary = 0;
  CHECK(*config == expected);
}

TEST_CASE("A written config reads back to the same run") {
  for (RunConfig config : {test::smallMarkov(), test::smallDiffusion()}) {
    config.note = "fp16 replaced by \"fp32\"";
    config.seed = 18446744073709549568u;
    config.data.seed = 7;
    config.data.path = "/elsewhere/text.txt";
    config.initial.w = -1.0 / 3;
    config.initial.queryKey = nn::QueryKeyStart::Skew;
    config.constraint = {nn::ConstraintKind::Skew, 0.25};
    config.schedule.watch = {"layers.0.attention.W_Q.weight", "embedding.weight"};
    const Result<RunConfig> back = parse(toJson(config).dump());
    INFO((back ? "" : back.error().message));
    REQUIRE(back);
    CHECK(*back == config);
  }
}

TEST_CASE("Every field is written, and every written field is read") {
  const nlohmann::ordered_json json = toJson(RunConfig{});
  const std::vector<std::string> places = runConfigFields();
  std::size_t leaves = 0;
  for (const auto& [key, value] : json.items())
    leaves += value.is_object() ? value.size() : 1;
  CHECK(leaves == places.size());
  // A value of the wrong kind in any field is reported, so no field is ignored.
  for (const std::string& place : places) {
    INFO(place);
    const std::size_t dot = place.find('.');
    const std::string wrong = dot == std::string::npos
                                  ? "{\"" + place + "\": {}}"
                                  : "{\"" + place.substr(0, dot) + "\": {\"" + place.substr(dot + 1) + "\": {}}}";
    CHECK(holds(refusal(wrong), place + " is an object; it must be "));
  }
}

TEST_CASE("A field that does not exist is reported with the nearest existing field") {
  CHECK(holds(refusal(R"({"model": {"d_modell": 8}})"),
              "there is no field model.\"d_modell\"; the nearest is model.d_model"));
  CHECK(holds(refusal(R"({"optimization": {}})"), "there is no field \"optimization\"; the nearest is optimisation"));
  CHECK(holds(refusal(R"({"optimisation": {"learningRate": 1}})"), "the nearest is optimisation.learning_rate"));
  CHECK(holds(refusal(R"({"schedule": {"step": 1}})"), "the nearest is schedule.steps"));
  // The exact name in another section takes precedence over a similar name.
  CHECK(refusal(R"({"steps": 300})").ends_with("there is no field \"steps\"; the nearest is schedule.steps"));
  CHECK(holds(refusal(R"({"model": {"steps": 300}})"), "no field model.\"steps\"; the nearest is schedule.steps"));
  CHECK(holds(refusal(R"({"vocabulary": 5})"), "the nearest is model.vocabulary or data.vocabulary"));
  CHECK(holds(refusal(R"({"schedule": {"seed": 5}})"), "the nearest is seed or data.seed"));
  CHECK(holds(refusal(R"({"model": {"steps": 300}, "data": {"p": 7}})"), "no field model.\"steps\""));
  CHECK(holds(refusal("{\"" + std::string(5000, 'x') + "\": 1}"), "there is no field"));
}

TEST_CASE("A value out of range is reported with its place, the value and the valid range") {
  CHECK(holds(refusal(R"({"model": {"heads": 0}})"), "model.heads is 0; it must be a whole number from 1 to 4096"));
  CHECK(holds(refusal(R"({"model": {"heads": 1.5}})"), "model.heads is 1.5; it must be a whole number"));
  CHECK(holds(refusal(R"({"model": {"heads": "two"}})"), "model.heads is \"two\"; it must be a whole number"));
  CHECK(holds(refusal(R"({"model": {"causal": 1}})"), "model.causal is 1; it must be true or false"));
  CHECK(holds(refusal(R"({"model": {"norm": "layr"}})"),
              "model.norm is \"layr\"; it must be \"none\", \"layer\" or \"rms\""));
  CHECK(holds(refusal(R"({"model": 3})"), "model is 3; it must be an object"));
  CHECK(holds(refusal(R"({"seed": -1})"), "seed is -1; it must be a whole number from 0"));
  CHECK(holds(refusal(R"({"data": {"kernel": [0.5, 2]}})"), "data.kernel[1] is 2; it must be a number from 0 to 1"));
  CHECK(holds(refusal(R"({"data": {"p": null}})"), "data.p is null"));
  CHECK(holds(refusal(R"({"schedule": {"watch": [1]}})"), "schedule.watch is 1; it must be a list of texts"));
  CHECK(holds(refusal(R"({"optimisation": {"learning_rate": -0.1}})"), "it must be a number 0 or more"));
  CHECK(holds(refusal(R"({"schedule": {"steps": 1e300}})"), "schedule.steps is 1e+300"));
  CHECK(parse(R"({"schedule": {"steps": 1e6}})")->schedule.steps == 1000000);
}

TEST_CASE("A text that is not a JSON object is refused with the place") {
  CHECK(holds(refusal(""), "c.json: "));
  CHECK(holds(refusal("[]"), "one JSON object"));
  CHECK(holds(refusal("{\"seed\": 1"), "byte"));
  CHECK(holds(refusal("{\"seed\": 1, \"seed\": 2}"), "seed"));
  CHECK(holds(refusal(std::string(1000, '[')), "c.json: "));
  CHECK(holds(refusal("{\"name\": \"\xff\xfe\"}"), "c.json: "));
}

TEST_CASE("Invalid combinations are refused before anything is created") {
  CHECK(holds(refusal(R"({"model": {"causal": false}})"), "model.causal"));
  CHECK(holds(refusal(R"({"model": {"length": 1}})"), "model.length"));
  CHECK(holds(refusal(R"({"model": {"d_model": 10, "heads": 3}})"), "model."));
  CHECK(holds(refusal(R"({"model": {"input": "bit"}, "data": {"kind": "pairs"}})"), "model.input"));
  CHECK(holds(refusal(R"({"model": {"vocabulary": 10}, "data": {"kind": "pairs"}})"),
              "model.vocabulary is 10; the data have 54 tokens"));
  CHECK(holds(refusal(R"({"data": {"kind": "text"}})"), "data.path"));
  CHECK(holds(refusal(R"({"data": {"order": 3, "kernel": [0.1, 0.2]}})"),
              "data.kernel has 2 numbers; data.order 3 needs 8"));
  CHECK(holds(refusal(R"({"data": {"order": 2}})"), "data.order is 2"));
  CHECK(holds(refusal(R"({"data": {"kernel": [0.1, 0.2, 0.3]}})"), "data.kernel has 3 numbers; it needs 2, 4, 8"));
  CHECK(holds(refusal(R"({"data": {"kernel": [0, 0.5, 0.5, 1]}})"),
              "c.json: data.kernel: there are several closed classes"));
  CHECK(holds(refusal(R"({"data": {"p": 0}})"), "c.json: data.p = 0 must be between 0 and 1, both excluded"));
  CHECK(holds(refusal(R"({"data": {"q": 1}})"), "c.json: data.q = 1 must be between 0 and 1, both excluded"));
  CHECK(holds(refusal(R"({"data": {"order": 11}})"), "data.order is 11; it must be a"));
  CHECK(holds(refusal(R"({"data": {"kind": "english", "sentences": 3}})"), "c.json: data.sentences = 3 must be from"));
  CHECK(holds(refusal(R"({"data": {"kind": "english", "vocabulary": 300}})"), "c.json: data.vocabulary belongs to"));
  CHECK(holds(refusal(R"({"data": {"kind": "text", "path": "/t.csv"}})"),
              "c.json: data.field is empty; it must name the column of /t.csv"));
  CHECK(holds(refusal(R"({"data": {"kind": "text", "path": "/t.JSONL.gz"}})"), "it must name the member of"));
  CHECK(holds(refusal(R"({"data": {"kind": "text", "path": "/t.txt", "field": "a"}})"), "c.json: data.field is \"a\""));
  CHECK(holds(refusal(R"({"model": {"causal": false}, "objective": {"kind": "masked"}})"),
              "c.json: objective.kind is \"masked\"; it needs a [MASK] token"));
  CHECK(holds(refusal(R"({"optimisation": {"floor": 1, "learning_rate": 0.1}})"), "optimisation.floor"));
  CHECK(holds(refusal(R"({"optimisation": {"nesterov": true, "rule": "sgd"}})"), "optimisation.momentum"));
  CHECK(holds(refusal(R"({"objective": {"kind": "masked", "mask_probability": 0}, "data": {"kind": "english"}})"),
              "mask"));
}

TEST_CASE("A kernel of 2^k numbers has order k if no order is given") {
  for (const auto& [numbers, order] : {std::pair{"[0.3, 0.6]", 1}, {"[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]", 3}}) {
    const auto config = parse(R"({"data": {"kernel": )" + std::string(numbers) + "}}");
    REQUIRE(config);
    CHECK(config->data.order == order);
    CHECK(parse(toJson(*config).dump())->data == config->data);
  }
  CHECK(holds(refusal(R"({"data": {"order": 1, "kernel": [0.1, 0.2, 0.3, 0.4]}})"), "data.order 1 needs 2"));
}

TEST_CASE("Paths are relative to the config's folder, and the seed of the data follows that of the run") {
  const auto text = parse(R"({"seed": 5, "data": {"kind": "text", "path": "../kjv.txt"}})");
  REQUIRE(text);
  CHECK(text->data.path == "/kjv.txt");
  CHECK(text->data.seed == 5);
  CHECK(parse(R"({"data": {"kind": "text", "path": "/a/b.txt"}})")->data.path == "/a/b.txt");
  CHECK(parse(R"({"seed": 5, "data": {"seed": 0}})")->data.seed == 0);

  const test::RunFolder folder;
  std::ofstream(test::in(folder, "mine.json")) << R"({"data": {"kind": "text", "path": "words.txt"}})";
  const auto read = readRunConfig(test::in(folder, "mine.json"));
  REQUIRE(read);
  CHECK(read->name == "mine");
  CHECK(read->data.path == test::in(folder, "words.txt"));
  const auto missing = readRunConfig(test::in(folder, "none.json"));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::BadInput);
  CHECK(holds(missing.error().message, "none.json"));
}

TEST_CASE("A config of data in a folder whose name is not UTF-8 can be written as text") {
  RunConfig config = test::smallMarkov();
  config.data.path = "/tmp/\xFF/words.txt";
  CHECK(holds(configText(config), "/tmp/\xEF\xBF\xBD/words.txt"));
  // A resumed run has only this text.
  RunConfig kept = config;
  kept.data.path = "/tmp/\xEF\xBF\xBD/words.txt";
  CHECK_FALSE(difference(config, kept));
  kept.data.path = "/tmp/other/words.txt";
  CHECK(difference(config, kept)->field == "data.path");
}

TEST_CASE("A resumed run may change only its name, note, last step and saving") {
  const RunConfig config = test::smallMarkov();
  RunConfig other = config;
  other.name = "x", other.note = "y";
  other.schedule.steps = 9, other.schedule.saveEvery = 1, other.schedule.saveSeconds = 5, other.schedule.keep = 2;
  CHECK_FALSE(difference(config, other));
  other.optimisation.rule.learningRate = 0.5;
  const auto rate = difference(config, other);
  REQUIRE(rate);
  CHECK(rate->field == "optimisation.learning_rate");
  CHECK(rate->ours == "0.01");
  CHECK(rate->theirs == "0.5");
  other = config;
  other.seed = 3;
  CHECK(difference(config, other)->field == "seed");
}

TEST_CASE("The learning rate rises linearly and decays as specified") {
  Optimisation optimisation;
  optimisation.rule.learningRate = 2;
  CHECK(learningRateAt(optimisation, 0, 100) == 2);
  CHECK(learningRateAt(optimisation, 99, 100) == 2);
  optimisation.warmUp = 10;
  CHECK(learningRateAt(optimisation, 0, 100) == Approx(0.2));
  CHECK(learningRateAt(optimisation, 4, 100) == Approx(1.0));
  CHECK(learningRateAt(optimisation, 9, 100) == Approx(2.0));
  CHECK(learningRateAt(optimisation, 10, 100) == Approx(2.0));
  optimisation.floor = 0.5;
  optimisation.decay = Decay::Linear;
  CHECK(learningRateAt(optimisation, 10, 110) == Approx(2.0));
  CHECK(learningRateAt(optimisation, 60, 110) == Approx(1.25));  // halfway from 2 to 0.5
  CHECK(learningRateAt(optimisation, 110, 110) == Approx(0.5));
  CHECK(learningRateAt(optimisation, 5000, 110) == Approx(0.5));  // after the last step
  optimisation.decay = Decay::Cosine;
  CHECK(learningRateAt(optimisation, 60, 110) == Approx(1.25));
  CHECK(learningRateAt(optimisation, 35, 110) == Approx(0.5 + 1.5 * (1 + std::sqrt(0.5)) / 2));  // cos(pi/4)
  CHECK(learningRateAt(optimisation, 110, 110) == Approx(0.5));
}

TEST_CASE("docs/training.md lists every field with its default") {
  const Result<std::string> page = readFile(tests::sourceFolder() + "/docs/training.md");
  REQUIRE(page);
  const Result<RunConfig> config = parse(R"({"name": ""})");
  REQUIRE(config);
  RunConfig plain = *config;
  plain.name.clear();
  const nlohmann::ordered_json json = toJson(plain);
  for (const std::string& place : runConfigFields()) {
    std::string path = "/" + place;
    std::replace(path.begin(), path.end(), '.', '/');
    const std::string row =
        "\n| `" + place + "` | " + json.at(nlohmann::ordered_json::json_pointer(path)).dump() + " | ";
    INFO(row);
    CHECK(page->find(row) != std::string::npos);
  }
}

TEST_CASE("Every config of assets/configs is read and written back to the same run") {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tests::sourceFolder() + "/assets/configs")) {
    if (entry.path().extension() != ".json") continue;
    const Result<RunConfig> config = readRunConfig(entry.path().string());
    INFO(entry.path() << (config ? "" : config.error().message));
    REQUIRE(config);
    const Result<RunConfig> back = parse(toJson(*config).dump());
    REQUIRE(back);
    CHECK(*back == *config);
    ++seen;
  }
  CHECK(seen > 10);
}
