// SPDX-License-Identifier: Apache-2.0
// sepx scores: compares created files with the plain definition, and real checkpoints with independent scores.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <sys/wait.h>
#include <catch2/catch.hpp>

#include "app/cli/cli.h"
#include "tests/app/cli/small_checkpoints.h"
#include "tests/folders.h"

using namespace sepx::test;

TEST_CASE("Scores of a small encoder equal those of three loops") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  const Json json = commandJson({"scores", path, "--by", "head", "--gamma", "0.5"});
  CHECK(json["schema"] == "sepx.scores/1");
  CHECK(json["family"] == "bert");
  CHECK(json["gamma"] == 0.5);
  CHECK(json["directionality_variant"] == "excess");
  CHECK(json["ddof"] == 1);
  CHECK(json["gqa"] == "true");
  CHECK(json["compute"] == "cpu");
  REQUIRE(json["layers"].size() == kSmallLayers);
  for (int layer = 0; layer < kSmallLayers; ++layer) {
    const Json& row = json["layers"][static_cast<std::size_t>(layer)];
    INFO("layer " << layer);
    CHECK(row["layer"] == layer);
    CHECK(row["stack"] == "self");
    const Plain form = smallForm(layer);
    CHECK(row["symmetry"].get<double>() == Approx(plainSymmetry(form)).margin(1e-12));
    CHECK(row["directionality"].get<double>() == Approx(plainDirectionality(form, 0.5, true, 1)).margin(1e-12));
    REQUIRE(row["heads"].size() == kSmallHeads);
    for (int head = 0; head < kSmallHeads; ++head) {
      const Json& one = row["heads"][static_cast<std::size_t>(head)];
      const Plain part = smallForm(layer, head);
      CHECK(one["head"] == head);
      CHECK(one["symmetry"].get<double>() == Approx(plainSymmetry(part)).margin(1e-12));
      CHECK(one["directionality"].get<double>() == Approx(plainDirectionality(part, 0.5, true, 1)).margin(1e-12));
    }
  }
  const double first = json["layers"][0]["heads"][0]["symmetry"], second = json["layers"][0]["heads"][1]["symmetry"];
  CHECK(json["layers"][0]["heads_summary"]["symmetry"]["median"].get<double>() == Approx((first + second) / 2));
  const double low = json["layers"][0]["symmetry"], high = json["layers"][1]["symmetry"];
  CHECK(json["summary"]["symmetry"]["median"].get<double>() == Approx((low + high) / 2));
  CHECK(json["summary"]["symmetry"]["q1"].get<double>() == Approx(std::min(low, high) + std::abs(high - low) / 4));
  CHECK(json["nonfinite"] == 0);
}

TEST_CASE("gamma, variant and ddof have the meaning of the definition") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  const Plain form = smallForm(0);
  for (const double gamma : {0.0, 0.3, 1.0}) {
    for (const bool excess : {true, false}) {
      for (const int ddof : {0, 1}) {
        const Json json = commandJson({"scores", path, "--gamma", std::to_string(gamma), "--directionality",
                                       excess ? "excess" : "sum", "--ddof", std::to_string(ddof)});
        CHECK(json["layers"][0]["directionality"].get<double>() ==
              Approx(plainDirectionality(form, gamma, excess, ddof)).margin(1e-12));
      }
    }
  }
  CHECK(commandJson({"scores", path, "--directionality", "sum"})["ddof"] == 0);
}

TEST_CASE("Grouped queries are paired as in the model, and on request as in the published code") {
  const Folder folder;
  const std::string path = writeSmallGrouped(folder, "grouped");
  const Json right = commandJson({"scores", path});
  CHECK(right["family"] == "llama");
  CHECK(right["layers"][0]["symmetry"].get<double>() ==
        Approx(plainSymmetry(smallGroupedForm({0, 0, 1, 1}))).margin(1e-12));
  const Json published = commandJson({"scores", path, "--gqa", "published"});
  CHECK(published["gqa"] == "published");
  CHECK(published["layers"][0]["symmetry"].get<double>() ==
        Approx(plainSymmetry(smallGroupedForm({0, 1, 0, 1}))).margin(1e-12));
}

TEST_CASE("Every score has the band of random matrices, and the table marks scores within it") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  const Json json = commandJson({"scores", path, "--by", "head"});
  for (const Json& row : json["layers"]) {
    const Json& band = row["band"];
    REQUIRE(band["symmetry"].size() == 2);
    const double s = row["symmetry"];
    CHECK(row["inside"]["symmetry"] ==
          (band["symmetry"][0].get<double>() <= s && s <= band["symmetry"][1].get<double>()));
    CHECK(row["head_band"]["symmetry"][1].get<double>() > 0);
  }
  const Ran table = command({"scores", path});
  REQUIRE(table.status == 0);
  long inside = 0;
  for (const Json& row : json["layers"])
    inside += row["inside"]["symmetry"].get<bool>() + row["inside"]["directionality"].get<bool>();
  CHECK(std::count(table.out.begin(), table.out.end(), '~') == inside + 1);  // one more in the legend
}

TEST_CASE("Weights that are not finite are counted, and their scores are null") {
  const Folder folder;
  for (const bool infinite : {false, true}) {
    const std::string path =
        writeSmallBert(folder, infinite ? "infinite" : "nan", {.nan = !infinite, .infinite = infinite});
    const Json json = commandJson({"scores", path});
    CHECK(json["layers"][0]["symmetry"].is_number());
    CHECK(json["layers"][1]["symmetry"].is_null());
    CHECK(json["layers"][1]["directionality"].is_null());
    CHECK(json["layers"][1]["nonfinite_weights"] == 1);
    CHECK(json["nonfinite"] == 2);
    CHECK(json["summary"]["symmetry"]["median"] == json["layers"][0]["symmetry"]);
    const Ran table = command({"scores", path});
    CHECK(table.out.find("1 weight is not finite") != std::string::npos);
  }
}

TEST_CASE("Scores as CSV have one row for each layer or each head") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  const Ran layers = command({"scores", path, "--csv"});
  REQUIRE(layers.status == 0);
  CHECK(layers.out.rfind("stack,layer,symmetry,directionality,", 0) == 0);
  CHECK(std::count(layers.out.begin(), layers.out.end(), '\n') == 1 + kSmallLayers);
  const Ran heads = command({"scores", path, "--csv", "--by", "head"});
  CHECK(heads.out.rfind("stack,layer,head,symmetry,", 0) == 0);
  CHECK(std::count(heads.out.begin(), heads.out.end(), '\n') == 1 + kSmallLayers * kSmallHeads);
}

TEST_CASE("A request that scores cannot fulfil gives a message of one line") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  requireRefused({"scores", path, "--gqa", "yes"}, 2, "--gqa");
  requireRefused({"scores", path, "--by", "token"}, 2, "--by");
  requireRefused({"scores", path, "--ddof", "2"}, 2, "--ddof");
  requireRefused({"scores", path, "--gamma", "nan"}, 2, "--gamma");
  requireRefused({"scores", path, "--stack", "decoder"}, 2, "it has self");
  requireRefused({"scores", path, "--stack", "upper"}, 2, "--stack");
  requireRefused({"scores", path, "--json", "--csv"}, 2, "--csv");
  requireRefused({"scores", folder.path("none")}, 3, "none");
  writeText(folder.path("words.txt"), "these are no weights\n");
  requireRefused({"scores", folder.path("words.txt")}, 3, "words.txt");
  const NoVulkanDriver without;
  requireRefused({"scores", path, "--compute", "gpu"}, 4, "Vulkan");
}

TEST_CASE("The scores of the GPU kernel are those of the CPU within single precision") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  const Json cpu = commandJson({"scores", path, "--by", "head"}),
             gpu = commandJson({"scores", path, "--by", "head", "--compute", "gpu"});
  CHECK(gpu["compute"] == "gpu");
  CHECK(gpu["device"].is_string());
  for (std::size_t layer = 0; layer < kSmallLayers; ++layer) {
    CHECK(gpu["layers"][layer]["symmetry"].get<double>() ==
          Approx(cpu["layers"][layer]["symmetry"].get<double>()).margin(1e-5));
    CHECK(gpu["layers"][layer]["heads"][1]["symmetry"].get<double>() ==
          Approx(cpu["layers"][layer]["heads"][1]["symmetry"].get<double>()).margin(1e-5));
  }
}

TEST_CASE("Progress is printed on the standard error of a terminal, and never in the document") {
  const Folder folder;
  std::ostringstream out, err;
  REQUIRE(sepx::app::cli::run({"scores", writeSmallBert(folder, "small"), "--json"}, out, err, true) == 0);
  CHECK(err.str().find("scores [") != std::string::npos);
  CHECK(Json::parse(out.str())["layers"].size() == kSmallLayers);
}

TEST_CASE("Ctrl-C ends long work with status 5") {
  // The attention of a model with 8 billion parameters as a sparse file: no space on disk, and a minute of work.
  const Folder folder;
  constexpr std::uint64_t kSide = 4096, kBytes = 2 * kSide * kSide;
  std::string header;
  std::uint64_t at = 0;
  for (int layer = 0; layer < 64; ++layer) {
    for (const char* name : {"q_proj", "k_proj"}) {
      header += (header.empty() ? "{\"" : ",\"") + ("model.layers." + std::to_string(layer)) + ".self_attn." + name +
                ".weight\":{\"dtype\":\"F16\",\"shape\":[4096,4096],\"data_offsets\":[" + std::to_string(at) + "," +
                std::to_string(at + kBytes) + "]}";
      at += kBytes;
    }
  }
  header += "}";
  const std::string path = folder.path("large.safetensors");
  const std::uint64_t length = header.size();
  writeText(path, std::string(reinterpret_cast<const char*>(&length), sizeof length) + header);
  std::filesystem::resize_file(path, sizeof length + length + at);
  writeText(folder.path("config.json"),
            R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,"num_hidden_layers":64})");
  const std::string line = "timeout --preserve-status -s INT 3 " + sepx::tests::binFolder() + "/sepx scores " + path +
                           " --json > " + folder.path("out") + " 2> " + folder.path("err");
  const int status = std::system(line.c_str());
  CHECK(WEXITSTATUS(status) == 5);
  CHECK(readText(folder.path("out")).empty());
  CHECK(readText(folder.path("err")).rfind("sepx: interrupted", 0) == 0);
}

namespace {

/// "encdec-reverse encoder": the folder and a stack. "stories260K (GGUF F32)": the folder and one of its files.
struct Reference {
  const char* name;
  const char* file;
  const char* stack;
  double tolerance;
};

constexpr Reference kReferences[] = {
    {"bert-tiny-sst2", "bert-tiny-sst2", "", 1e-5},
    {"gpt2-124m-attn", "gpt2-124m-attn", "", 1e-4},
    {"capp-gpt", "capp-gpt/pytorch_model.bin", "", 1e-5},
    {"capp-gpt", "capp-gpt/model.onnx", "", 1e-5},
    {"stories260K (llama2.c .bin)", "stories260K/stories260K.bin", "", 1e-6},
    {"stories260K (HF safetensors)", "stories260K/model.safetensors", "", 1e-6},
    {"stories260K (GGUF F32)", "stories260K/stories260K-f32.gguf", "", 1e-6},
    {"llama-story-gqa", "llama-story-gqa/model.safetensors", "", 1e-5},
    {"llama-story-gqa (GGUF f16)", "llama-story-gqa/llama-story-f16.gguf", "", 1e-5},
    {"llama-story-gqa (GGUF q8_0)", "llama-story-gqa/llama-story-q8_0.gguf", "", 1e-5},
    {"vit-mnist", "vit-mnist/vit_mnist.pth", "", 1e-5},
    {"deimv2-atto", "deimv2-atto/model.safetensors", "", 1e-5},
    {"encdec-reverse encoder", "encdec-reverse/transformer.pt", "encoder", 1e-5},
    {"encdec-reverse decoder", "encdec-reverse/transformer.pt", "decoder", 1e-5},
};

}  // namespace

TEST_CASE("Real checkpoints have the scores that were computed independently") {
  const Json reference = sharedReference("checkpoint_scores.json");
  if (reference.is_null()) {
    WARN("skipped: there are no shared reference numbers (SEPX_SHARED)");
    return;
  }
  for (const Reference& one : kReferences) {
    const std::string path = sharedCheckpoint(one.file);
    if (path.empty()) continue;
    INFO(one.file);
    REQUIRE(reference["models"].contains(one.name));
    const Json& expected = reference["models"][one.name]["layers"];
    for (const bool excess : {true, false}) {
      std::vector<std::string> arguments{"scores", path, "--directionality", excess ? "excess" : "sum"};
      if (*one.stack != '\0') arguments.insert(arguments.end(), {"--stack", one.stack});
      const Json json = commandJson(arguments);
      REQUIRE(json["layers"].size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const char* key = excess ? "directionality_code_excess" : "directionality";
        CHECK(json["layers"][i]["symmetry"].get<double>() ==
              Approx(expected[i]["symmetry"].get<double>()).margin(one.tolerance).epsilon(0));
        CHECK(json["layers"][i]["directionality"].get<double>() ==
              Approx(expected[i][key].get<double>()).margin(one.tolerance).epsilon(0));
      }
    }
  }
}

TEST_CASE("A model without a d x d form is inspected, and refused by scores with its width") {
  const std::string path = sharedCheckpoint("vit-trainer");
  if (path.empty()) return;
  const Json json = commandJson({"inspect", path});
  CHECK(json["no_form"].is_string());
  requireRefused({"scores", path}, 3, "vit-trainer");
  const Ran ran = command({"scores", path});
  CHECK(ran.err.find("16") != std::string::npos);
}
