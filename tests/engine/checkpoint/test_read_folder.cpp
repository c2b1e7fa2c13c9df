// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <catch2/catch.hpp>

#include "tests/engine/checkpoint/opened.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

std::string one(const std::string& name, float first = 0) {
  return safetensors({{name, "F32", {2}, ramp(2, first)}});
}

}  // namespace

TEST_CASE("Shards open as one checkpoint, from the index and from the folder") {
  const Folder folder;
  folder.write("model-00001-of-00002.safetensors", one("a"));
  folder.write("model-00002-of-00002.safetensors",
               safetensors({{"b", "F32", {2}, ramp(2, 5)}, {"extra", "F32", {1}, ramp(1)}}));
  folder.write("config.json", R"({"model_type":"llama"})");
  const std::string index = folder.write(
      "model.safetensors.index.json",
      R"({"metadata":{},"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors"}})");
  for (const std::string& path : {index, folder.path.string(), folder.path.string() + "/"}) {
    const auto checkpoint = opened(path);
    CHECK(checkpoint->files().size() == 2);
    CHECK(numbers(*checkpoint, "b") == std::vector<double>{5, 6});
    CHECK(checkpoint->find("extra"));
    CHECK(checkpoint->config().at("model_type") == "llama");
    CHECK(checkpoint->title() == folder.path.filename().string());
    CHECK(checkpoint->folder() == folder.path.string());
  }
  const auto alone = opened((folder.path / "model-00001-of-00002.safetensors").string());
  CHECK(alone->tensors().size() == 1);
  REQUIRE(alone->notes().size() == 1);
  CHECK(has(alone->notes()[0], "one shard of several"));
  CHECK(formatOf(index) == Format::Safetensors);
  CHECK(formatOf(folder.path.string()) == Format::Safetensors);
}

TEST_CASE("An index cannot refer to a file outside its folder, and a missing shard is named") {
  const Folder folder;
  folder.write("inside/a.safetensors", one("a"));
  folder.write("outside.safetensors", one("a"));
  const auto says = [&folder](const std::string& map) {
    return refusedPath(folder.write("inside/model.safetensors.index.json", map));
  };
  for (const std::string away : {"../outside.safetensors", "/etc/passwd", "..", ".", "", "sub\\\\a.safetensors",
                                 "./a.safetensors", "a\\u0000b"}) {
    const std::string sentence = says("{\"weight_map\":{\"a\":\"" + away + "\"}}");
    INFO(sentence);
    CHECK(has(sentence, "nothing outside it is opened"));
  }
  CHECK(has(says(R"({"weight_map":{"a":"gone.safetensors"}})"), "the shard \"gone.safetensors\" is not there"));
  CHECK(has(says(R"({"weight_map":{"a":"a.safetensors","b":"a.safetensors"}})"), "tensor \"b\" is not in"));
  CHECK(has(says(R"({"weight_map":{"a":7}})"), "is not text"));
  CHECK(has(says(R"({"weight_map":[]})"), "weight_map"));
  CHECK(has(says(R"({"weight_map":{}})"), "names no shard"));
  CHECK(has(says(R"({"weight_map":{"a":"a.safetensors","a":"a.safetensors"}})"), "duplicate name"));
  CHECK(has(says("{\"weight_map\":" + std::string(100'000, '[')), "nested"));
  CHECK(has(says("{\"weight_map\":{\"a\""), "byte"));
  CHECK(has(says(""), "empty"));
}

TEST_CASE("A shard that is a symbolic link is read at its target, as in the cache of Hugging Face") {
  const Folder folder;
  folder.write("blobs/0123abcd", one("a"));
  folder.write("snapshot/config.json", R"({"model_type":"llama"})");
  std::filesystem::create_symlink("../blobs/0123abcd", folder.path / "snapshot/model-00001-of-00001.safetensors");
  folder.write("snapshot/model.safetensors.index.json",
               R"({"metadata":{},"weight_map":{"a":"model-00001-of-00001.safetensors"}})");
  const auto checkpoint = opened((folder.path / "snapshot").string());
  CHECK(numbers(*checkpoint, "a") == std::vector<double>{0, 1});
  CHECK(checkpoint->config().at("model_type") == "llama");
}

TEST_CASE("A folder opens with its standard file or its only weight file; otherwise the message lists the choices") {
  const Folder folder;
  const std::string path = folder.path.string();
  folder.write("notes.txt", "nothing");
  CHECK(has(refusedPath(path), "no weight file"));
  folder.write("first.safetensors", one("x"));
  folder.write("optimizer.pt", std::string("\x80\x02", 2));
  CHECK(opened(path)->find("x"));
  folder.write("second.gguf", Gguf().tensor("y", {1}, 0, ramp(1)).bytes());
  const std::string sentence = refusedPath(path);
  CHECK(has(sentence, "first.safetensors, second.gguf"));
  folder.write("model.safetensors", one("z"));
  CHECK(opened(path)->find("z"));
  CHECK(has(refusedPath(path + "/gone"), "cannot be read"));
}

TEST_CASE("A broken config next to the weights is reported with its position") {
  const Folder folder;
  const std::string path = folder.write("model.safetensors", one("x"));
  const auto says = [&](const std::string& config) {
    folder.write("config.json", config);
    return refusedPath(path);
  };
  CHECK(has(says("{\"a\":" + std::string(100'000, '[')),
            "config.json: byte 68: nested deeper than 64 levels; repair it or move it away"));
  CHECK(has(says("[1]"), "config.json"));
  CHECK(has(says("{\"a\":1e999}"), "beyond the range"));
  folder.write("config.json", R"({"a":1})");
  CHECK(opened(path)->config().at("a") == 1);
  std::filesystem::remove(folder.path / "config.json");
  CHECK(opened(path)->config().is_null());
  folder.write("params.json", R"({"dim":4})");
  CHECK(opened(path)->configFrom() == "params.json");
}

TEST_CASE("Files that are mistaken for weights are identified in the message") {
  CHECK(
      has(refused("model.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), "git lfs pull"));
  CHECK(has(refused("model.safetensors", "<!DOCTYPE html><html>"), "web page"));
  CHECK(has(refused("tf_model.h5", "\x89HDF\r\n\x1a\n"), "HDF5"));
  CHECK(has(refused("model.bin", ""), "empty"));
  CHECK(has(refused("model.bin", std::string(1000, 'x')), "not a weight file known here"));
}

TEST_CASE("Formats are recognised by content, not by file name") {
  const Folder folder;
  CHECK(formatOf(folder.write("a", one("x"))) == Format::Safetensors);
  CHECK(formatOf(folder.write("b", Gguf().bytes())) == Format::Gguf);
  CHECK(formatOf(folder.write("c", llama2c(8, 12, 1, 4, 2, 5, 6))) == Format::Llama2c);
  CHECK(formatOf(folder.write("d", std::string("\x93NUMPY\x01\x00", 8))) == Format::Npy);
  CHECK(formatOf(folder.write("e", std::string("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15))) ==
        Format::TorchLegacy);
  CHECK(formatOf(folder.write("f.safetensors", "broken")) == Format::Safetensors);
  for (const char* const other : {"story.md", "picture.png", "vocab.json", "tok512.bin", "noname"}) {
    INFO(other);
    CHECK_FALSE(formatOf(folder.write(other, "words and words and words and words and words")));
  }
  CHECK_FALSE(formatOf((folder.path / "gone").string()));
}
