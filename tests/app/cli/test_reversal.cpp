// SPDX-License-Identifier: Apache-2.0
// sepx reversal eval: runs, checkpoints and folders with only the weights give the same answers, and invalid requests
// are refused. scores: planes of RoPE and prompts of a checkpoint in LLaDA's layout.
#include <filesystem>

#include <catch2/catch.hpp>

#include "tests/app/cli/run_sepx.h"
#include "tests/engine/checkpoint/diffusion_models.h"
#include "tests/folders.h"

using namespace sepx::test;
namespace fs = std::filesystem;

namespace {

std::string config(const std::string& data, const std::string& objective) {
  return R"({"name": "small", "model": {"length": 5, "d_model": 16, "heads": 1, "output": "untied", "positions": "rope", "causal": )" +
         std::string(objective == "next_token" ? "true" : "false") + R"(}, "data": {"kind": ")" + data +
         R"("}, "objective": {"kind": ")" + objective +
         R"("}, "optimisation": {"rule": "adamw", "learning_rate": 0.01, "ema": 0.9},
            "schedule": {"steps": 20, "batch": 16, "evaluate_every": 10, "evaluate_sequences": 1000, "save_every": 10}})";
}

std::string trainedRun(const Folder& folder, const std::string& name, const std::string& data,
                       const std::string& objective) {
  const std::string file = folder.path(name + ".json"), run = folder.path(name);
  writeText(file, config(data, objective));
  REQUIRE(command({"train", file, "--run", run, "--json"}).status == 0);
  return run;
}

}  // namespace

TEST_CASE("sepx reversal eval gives the numbers that the run recorded, for raw and averaged weights") {
  const Folder folder;
  for (const std::string objective : {"diffusion", "next_token"}) {
    const std::string run = trainedRun(folder, objective, "pairs", objective);
    for (const std::string step : {"10", "20"}) {
      const Json json = commandJson({"reversal", "eval", run, "--step", step});
      CHECK(json["pairs"] == 260);
      CHECK(json["step"] == std::stoi(step));
      CHECK(json["reading"] == (objective == "diffusion" ? "masked" : "prefix"));
      const Json series = commandJson({"runs", "export", run})["series"];
      int compared = 0;
      for (const Json& one : series)
        for (const std::string direction : {"forward", "reverse"})
          for (const std::string key : {"accuracy", "accuracy_letters", "probability", "zero"})
            for (const bool average : {false, true})
              if (one["name"] == direction + "_" + key + (average ? "_ema" : "")) {
                const auto at = step == "10" ? 1 : 2;
                REQUIRE(one["steps"][at] == std::stoi(step));
                CHECK(json[average ? "ema" : "raw"][direction][key].get<double>() ==
                      Approx(one["values"][at].get<double>()).margin(1e-12));
                ++compared;
              }
      CHECK(compared == 16);
    }
  }
}

TEST_CASE("sepx reversal eval reads a folder with only the weights like the checkpoint") {
  const Folder folder;
  for (const std::string objective : {"diffusion", "next_token"}) {
    const std::string run = trainedRun(folder, objective, "pairs", objective),
                      alone = folder.path(objective + "-alone");
    REQUIRE(command({"runs", "export", run, "--checkpoint", "latest", "--out", alone, "--json"}).status == 0);
    REQUIRE(!fs::exists(alone + "/state.safetensors"));
    Json whole = commandJson({"reversal", "eval", run}), weights = commandJson({"reversal", "eval", alone});
    CHECK(whole["raw"] == weights["raw"]);
    CHECK(weights["ema"].is_null());
    CHECK(weights["step"].is_null());
    CHECK(commandJson({"reversal", "eval", alone + "/model.safetensors"})["raw"] == whole["raw"]);
    CHECK(commandJson({"reversal", "eval", run + "/checkpoints/step-0000020"})["raw"] == whole["raw"]);
  }
}

TEST_CASE("sepx reversal eval refuses models without queries with one message") {
  const Folder folder;
  const std::string models = sepx::tests::sourceFolder() + "/assets/models/";
  requireRefused({"reversal", "eval", models + "decoder"}, 2, "data of the kind \"english\"");
  requireRefused({"reversal", "eval", models + "grouped"}, 3, "not a checkpoint of a run");
  requireRefused({"reversal", "eval", folder.path("nothing")}, 3, "neither a run");
  requireRefused({"reversal", "eval", models + "mdm", "--step", "3"}, 2, "single checkpoint");
  requireRefused({"reversal", "list", models + "mdm"}, 2, "'list' is not eval or scores");
  requireRefused({"reversal", "eval", models + "mdm", "--pairs", "0"}, 2, "--pairs");
  const std::string run = trainedRun(folder, "repeats", "repeats", "diffusion");
  requireRefused({"reversal", "eval", run}, 2, "data of the kind \"repeats\"");
  const std::string pairs = trainedRun(folder, "pairs", "pairs", "diffusion");
  requireRefused({"reversal", "eval", pairs, "--step", "7"}, 2, "the saved steps are 0, 10, 20");
  // The weights have another shape than the config.
  const std::string other = folder.path("other");
  REQUIRE(command({"runs", "export", pairs, "--checkpoint", "latest", "--out", other, "--json"}).status == 0);
  fs::copy_file(models + "mdm/model.safetensors", other + "/model.safetensors", fs::copy_options::overwrite_existing);
  requireRefused({"reversal", "eval", other}, 3, "a different shape");
}

TEST_CASE("sepx train prints at the end how pairs are answered, and nothing for other data") {
  const Folder folder;
  for (const std::string data : {"pairs", "repeats"}) {
    const std::string file = folder.path(data + ".json");
    writeText(file, config(data, "diffusion"));
    const Ran ran = command({"train", file, "--run", folder.path(data)});
    REQUIRE(ran.status == 0);
    CHECK((ran.out.find("right answers") != std::string::npos) == (data == "pairs"));
  }
}

TEST_CASE("sepx reversal eval prints a table as text") {
  const Ran ran = command({"reversal", "eval", sepx::tests::sourceFolder() + "/assets/models/arm", "--pairs", "200"});
  REQUIRE(ran.status == 0);
  CHECK(ran.out.find("200 of 1170, L = 10") != std::string::npos);
  CHECK(ran.out.find("forward 100.00 %   reverse   0.00 %") != std::string::npos);
}

TEST_CASE("sepx reversal scores gives planes of every head and prompts of every layer, and refuses invalid requests") {
  namespace made = sepx::checkpoint::made;
  const made::Folder files;
  const std::string model = made::llada().write(files);
  Json json = commandJson({"reversal", "scores", model, "--sample", "12", "--distance", "3"});
  CHECK(json["action"] == "scores");
  CHECK(json["family"] == "llada");
  CHECK(json["mask"] == made::kDiffusionMask);
  CHECK(json["tokens"].size() == 12);
  CHECK(json["distance"] == 3);
  REQUIRE(json["heads"].size() == made::kDiffusionHeads);
  CHECK(json["heads"][0]["correlation"].is_number());
  CHECK(json["prompts"].is_null());

  const std::string prompts = files.write("prompts.json", R"({"pairs": [
    {"forward": [49, 7, 3], "reverse": [3, 8, 49], "evidence": [3]},
    {"forward": [49, 7, 11], "reverse": [11, 8, 49], "evidence": [11]},
    {"forward": [49, 7, 19], "reverse": [19, 8, 49], "evidence": [19]},
    {"forward": [49, 7, 26], "reverse": [26, 8, 49], "evidence": [26]}]})");
  json = commandJson({"reversal", "scores", model, "--prompts", prompts, "--layers", "3", "--tokens", "1,2,3"});
  CHECK(json["tokens"] == Json::array({1, 2, 3}));
  CHECK(json["prompts"]["pairs"] == 4);
  REQUIRE(json["prompts"]["layers"].size() == 3);
  CHECK(json["prompts"]["layers"][2]["heads"].size() == made::kDiffusionHeads);
  const auto people = command({"reversal", "scores", model, "--prompts", prompts});
  CHECK(people.status == 0);
  CHECK(people.out.find("over 4 prompts") != std::string::npos);

  requireRefused({"reversal", "scores", model, "--prompts", prompts, "--layers", "9"}, 2, "from 1 to 3");
  requireRefused({"reversal", "scores", model, "--layers", "2"}, 2, "--prompts");
  requireRefused({"reversal", "scores", model, "--tokens", "1,50"}, 3, "50");
  requireRefused({"reversal", "scores", model, "--tokens", "x"}, 2, "--tokens");
  requireRefused({"reversal", "scores", model, "--distance", "0"}, 2, "--distance");
  made::TinyModel nameless = made::dream();
  nameless.config.erase(nameless.config.find(",\"mask_token_id\""), std::string(",\"mask_token_id\":49").size());
  requireRefused({"reversal", "scores", nameless.write(files, "nameless")}, 2, "mask token");
}
