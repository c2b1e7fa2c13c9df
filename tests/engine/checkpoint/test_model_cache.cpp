// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include <catch2/catch.hpp>

#include "engine/checkpoint/family_json.h"
#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_cache.h"
#include "tests/engine/checkpoint/opened.h"
#include "tests/engine/checkpoint/torch_makers.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

std::string weights(const std::string& name) {
  return safetensors({{name + ".query", "F32", {4, 4}, ramp(16)}, {name + ".key", "F32", {4, 4}, ramp(16)}});
}

/// A compressed NumPy archive. Opening it calls the cancellation callback while it is unpacked.
std::string packedArchive(const std::string& name) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 4), }";
  while ((header.size() + 11) % 64 != 0)
    header += ' ';
  header += '\n';
  const std::string magic("\x93NUMPY\x01\x00", 8);
  const std::string array = magic + raw(static_cast<std::uint16_t>(header.size())) + header + ramp(16);
  return Zip().add(name + ".npy", array, true).bytes();
}

/// A compressed archive that other programs replace.
struct ReplacedFile {
  Folder folder;
  std::string path = folder.write("a.npz", packedArchive("old"));

  void replaceBy(const std::string& name) const {
    const std::string aside = folder.write("a.npz.new", packedArchive(name));
    std::filesystem::rename(aside, path);
  }
};

}  // namespace

TEST_CASE("All requests for one file share one checkpoint") {
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

TEST_CASE("A changed file, config or rule is read again") {
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

TEST_CASE("A file that is replaced while it is read is read again") {
  const ReplacedFile file;
  int asked = 0;
  const auto first = openModel(file.path, {}, [&](double) {
    if (++asked == 1) file.replaceBy("new");
    return false;
  });
  REQUIRE(first);
  CHECK(asked == 2);
  CHECK((*first)->checkpoint->find("new"));
  CHECK(openModel(file.path).value() == *first);
}

TEST_CASE("A file that is replaced during every read is opened again for the next request") {
  const ReplacedFile file;
  int asked = 0;
  const auto first = openModel(file.path, {}, [&](double) {
    file.replaceBy(std::to_string(++asked));
    return false;
  });
  REQUIRE(first);
  CHECK(asked < 10);
  const auto next = openModel(file.path).value();
  CHECK(next != *first);
  CHECK(next->checkpoint->find(std::to_string(asked)));
}
