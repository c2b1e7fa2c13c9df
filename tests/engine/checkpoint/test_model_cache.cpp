// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include <catch2/catch.hpp>

#include "engine/checkpoint/family_json.h"
#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_cache.h"
#include "tests/engine/checkpoint/opened.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

std::string weights(const std::string& name) {
  return safetensors({{name + ".query", "F32", {4, 4}, ramp(16)}, {name + ".key", "F32", {4, 4}, ramp(16)}});
}

}  // namespace

TEST_CASE("Everybody who asks for one file shares one checkpoint") {
  const Folder folder;
  const std::string path = folder.write("a.safetensors", weights("0"));
  const auto first = openModel(path);
  REQUIRE(first);
  std::vector<std::shared_ptr<const Model>> others(4);
  std::vector<std::thread> threads;
  for (auto& other : others)
    threads.emplace_back([&other, &path] { other = openModel(path).value(); });
  for (auto& thread : threads)
    thread.join();
  for (const auto& other : others)
    CHECK(other == *first);
  CHECK(openModel((folder.path / "." / "a.safetensors").string()).value() == *first);
  CHECK_FALSE(openModel((folder.path / "gone.safetensors").string()));
}

TEST_CASE("A file, its config or a rule that changed is read anew") {
  const Folder folder;
  const std::string path = folder.write("a.safetensors", weights("0"));
  const auto first = openModel(path).value();
  folder.write("a.safetensors.new", weights("longer name"));
  std::filesystem::rename(folder.path / "a.safetensors.new", path);
  const auto second = openModel(path).value();
  CHECK(second->checkpoint != first->checkpoint);
  CHECK(second->checkpoint->find("longer name.key"));
  CHECK(first->checkpoint->find("0.key"));
  folder.write("config.json", R"({"model_type":"own"})");
  const auto third = openModel(path).value();
  CHECK(third->checkpoint != second->checkpoint);
  CHECK(third->checkpoint->config().at("model_type") == "own");

  const std::string rules = (folder.path / "rules").string();
  const auto unmapped = openModel(path, rules).value();
  CHECK(unmapped->checkpoint == third->checkpoint);
  FamilyRule rule;
  rule.key = rule.name = "own";
  rule.modelTypes = {"own"};
  rule.heads = 2;
  rule.stacks.push_back({});
  rule.stacks[0].query = "{layer} name.query";
  rule.stacks[0].key = "{layer} name.key";
  std::filesystem::create_directories(rules);
  REQUIRE(writeRule(rules, rule));
  const auto mapped = openModel(path, rules).value();
  CHECK(mapped->checkpoint == third->checkpoint);
  CHECK(mapped != unmapped);
}
