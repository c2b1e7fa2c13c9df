// SPDX-License-Identifier: Apache-2.0
// sepx inspect: the content of a checkpoint and the location of its attention. Invalid files give one message.
#include <filesystem>

#include <catch2/catch.hpp>

#include "tests/app/cli/small_checkpoints.h"
#include "tests/engine/checkpoint/file_makers.h"

using namespace sepx::test;

TEST_CASE("inspect lists tensors, layers and the mapping of a small encoder") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "small");
  const Json json = commandJson({"inspect", path});
  CHECK(json["schema"] == "sepx.inspect/1");
  CHECK(json["model"] == "small");
  CHECK(json["format"] == "safetensors");
  CHECK(json["family"] == "bert");
  CHECK(json["no_form"].is_null());
  CHECK(json["config_from"] == "config.json");
  CHECK(json["parameters"] == 2 * 3 * 8 * 8);
  REQUIRE(json["layers"].size() == kSmallLayers);
  CHECK(json["layers"][1]["layer"] == 1);
  CHECK(json["layers"][1]["d_model"] == kSmallWidth);
  CHECK(json["layers"][1]["heads"] == kSmallHeads);
  CHECK(json["layers"][1]["d_h"] == kSmallWidth / kSmallHeads);
  CHECK(json["layers"][1]["W_Q"] == "bert.encoder.layer.1.attention.self.query.weight");
  CHECK(json["tensors"].size() == 6);
  CHECK(json["tensors"][0]["shape"] == Json({8, 8}));
  CHECK_FALSE(json["mapping"].empty());
  const Ran table = command({"inspect", path});
  REQUIRE(table.status == 0);
  CHECK(table.out.find("layer.{0..1}.attention.self.query.weight") != std::string::npos);
  CHECK(table.out.find("2 layers, d_model 8, 2 heads of 4") != std::string::npos);
}

TEST_CASE("A file of tensors without attention is inspected, and refused by scores") {
  const Folder folder;
  using sepx::checkpoint::made::ramp;
  writeText(folder.path("plain.safetensors"),
            sepx::checkpoint::made::safetensors({{"first.kernel", "F32", {2, 3}, ramp(6)}}));
  const Json json = commandJson({"inspect", folder.path("plain.safetensors")});
  CHECK(json["family"].is_null());
  CHECK(json["no_form"].is_string());
  CHECK(json["layers"].empty());
  CHECK(json["tensors"][0]["name"] == "first.kernel");
  requireRefused({"scores", folder.path("plain.safetensors")}, 3, "plain.safetensors");
  requireRefused({"heatmap", folder.path("plain.safetensors"), "--layer", "0", "--out", folder.path("a.csv")}, 3,
                 "plain.safetensors");
}

TEST_CASE("A file that is not a checkpoint ends with status 3 and one message with its name") {
  const Folder folder;
  writeText(folder.path("empty.safetensors"), "");
  writeText(folder.path("cut.safetensors"),
            sepx::checkpoint::made::safetensors({{"a", "F32", {2, 3}, std::string(24, '\1')}}).substr(0, 40));
  writeText(folder.path("call.pt"), "cos\nsystem\n(S'touch " + folder.path("touched") + "'\ntR.");
  for (const char* name : {"empty.safetensors", "cut.safetensors", "call.pt", "nothing.gguf"}) {
    INFO(name);
    requireRefused({"inspect", folder.path(name)}, 3, name);
  }
  CHECK_FALSE(std::filesystem::exists(folder.path("touched")));
}

TEST_CASE("A user's rule makes a family of unknown names") {
  const Folder folder;
  using sepx::checkpoint::made::ramp;
  const std::string path = folder.path("odd.safetensors");
  writeText(path, sepx::checkpoint::made::safetensors(
                      {{"stage.0.ask", "F32", {4, 4}, ramp(16, 1)}, {"stage.0.answer", "F32", {4, 4}, ramp(16, 3)}}));
  requireRefused({"scores", path}, 3, "odd.safetensors");
  const std::string rules = folder.path("rules");
  std::filesystem::create_directories(rules);
  writeText(rules + "/odd.json",
            R"({"version":1,"key":"odd","name":"Odd","heads":2,"kv_heads":2,
                "stacks":[{"stack":"self","query":"stage.{layer}.ask","key":"stage.{layer}.answer"}]})");
  const Json json = commandJson({"scores", path, "--rules", rules});
  CHECK(json["family"] == "odd");
  CHECK(json["layers"].size() == 1);
  writeText(rules + "/broken.json", "{");
  requireRefused({"scores", path, "--rules", rules}, 3, "broken.json");
}
