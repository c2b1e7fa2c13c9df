// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <catch2/catch.hpp>

#include "tests/engine/checkpoint/opened.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

std::string refused(const std::string& bytes) {
  return made::refused("model.safetensors", bytes);
}

std::string entry(const std::string& name, const std::string& shape, const std::string& offsets,
                  const std::string& dtype = "F32") {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

}  // namespace

TEST_CASE("A safetensors file is read with its tensors, metadata and numbers") {
  const Folder folder;
  const std::string path = folder.write(
      "model.safetensors", safetensors({{"layer.10.w", "F32", {2, 3}, ramp(6)},
                                        {"layer.2.w", "F16", {2}, raw(std::vector<std::uint16_t>{0x3C00, 0xFC00})},
                                        {"scalar", "I64", {}, raw(std::int64_t{42})},
                                        {"none", "F32", {0, 4}, ""}},
                                       R"({"format":"pt"})"));
  folder.write("config.json", R"({"model_type":"bert"})");
  const auto checkpoint = opened(path);
  CHECK(checkpoint->format() == Format::Safetensors);
  REQUIRE(checkpoint->tensors().size() == 4);
  CHECK(checkpoint->tensors()[0].name == "layer.2.w");
  CHECK(checkpoint->tensors()[1].name == "layer.10.w");
  CHECK(checkpoint->metadata().at("format") == "pt");
  CHECK(checkpoint->config().at("model_type") == "bert");
  CHECK(checkpoint->configFrom() == "config.json");
  CHECK(checkpoint->parameters() == 8);
  CHECK(checkpoint->title() == folder.path.filename().string());

  std::vector<double> part(2);
  REQUIRE(checkpoint->read(*checkpoint->find("layer.10.w"), 0, 2, 1, 2, part));
  CHECK(part == std::vector<double>{1, 4});
  REQUIRE(checkpoint->read(*checkpoint->find("layer.2.w"), 0, 2, 0, 1, part));
  CHECK(part[0] == 1);
  CHECK(part[1] == -std::numeric_limits<double>::infinity());
  REQUIRE(checkpoint->read(*checkpoint->find("scalar"), 0, 1, 0, 1, std::span(part).first(1)));
  CHECK(part[0] == 42);
  const auto outside = checkpoint->read(*checkpoint->find("layer.10.w"), 0, 3, 0, 1, part);
  REQUIRE_FALSE(outside);
  CHECK(outside.error().message.find("layer.10.w") != std::string::npos);
  CHECK(checkpoint->find("layer.3.w") == nullptr);
}

TEST_CASE("Tensor names that the saver dropped are aliases of the tensors that it kept") {
  const Folder folder;
  const auto checkpoint = opened(folder.write(
      "a.safetensors", safetensors({{"lm_head", "F32", {2}, ramp(2)}}, R"({"embed":"lm_head","format":"pt"})")));
  REQUIRE(checkpoint->find("embed"));
  CHECK(checkpoint->find("embed")->aliasOf == "lm_head");
  CHECK(checkpoint->find("lm_head")->aliasOf.empty());
  CHECK(checkpoint->parameters() == 2);
  CHECK(checkpoint->title() == "a");
}

TEST_CASE("A number format that cannot be decoded is listed by name") {
  const Folder folder;
  const auto checkpoint =
      opened(folder.write("a.safetensors", safetensors({{"w", "F4_E2M1", {4}, "ab"}, {"v", "F32", {1}, ramp(1)}})));
  CHECK(checkpoint->find("w")->dtype == Dtype::Unreadable);
  std::vector<double> out(4);
  const auto read = checkpoint->read(*checkpoint->find("w"), 0, 4, 0, 1, out);
  REQUIRE_FALSE(read);
  CHECK(read.error().message.find("F4_E2M1") != std::string::npos);
}

TEST_CASE("An error in a safetensors header is reported with its position") {
  const auto says = [](const std::string& header, const std::string& data, const std::string& word) {
    const std::string sentence = refused(safetensors(header, data));
    INFO(sentence);
    CHECK(sentence.find(word) != std::string::npos);
  };
  says("{" + entry("a", "[2]", "[0,8]") + "," + entry("b", "[2]", "[4,12]") + "}", ramp(3), "overlaps \"a\"");
  says("{" + entry("a", "[1]", "[0,4]") + "," + entry("b", "[1]", "[8,12]") + "}", ramp(3), "belong to none");
  says("{" + entry("a", "[1]", "[0,4]") + "}", ramp(3), "belong to no tensor");
  says("{" + entry("a", "[4]", "[0,16]") + "}", ramp(3), "cut off");
  says("{" + entry("a", "[1]", "[8,4]") + "}", ramp(3), "end before the begin");
  says("{" + entry("a", "[4294967296,4294967296]", "[0,4]") + "}", ramp(1), "overflows");
  says("{" + entry("a", "[18446744073709551615]", "[0,4]") + "}", ramp(1), "too large");
  says("{" + entry("a", "[1]", "[0,18446744073709551615]") + "}", ramp(1), "cut off");
  says("{" + entry("a", "[3]", "[0,4]") + "}", ramp(1), "do not fill");
  says("{" + entry("a", "[1,1,1,1,1,1,1,1,1]", "[0,4]") + "}", ramp(1), "dimensions");
  says("{" + entry("a", "[-1]", "[0,4]") + "}", ramp(1), "negative");
  says("{" + entry("a", "[1.5]", "[0,4]") + "}", ramp(1), "not whole");
  says("{" + entry("a", "[1]", "[0,4]") + "," + entry("a", "[1]", "[4,8]") + "}", ramp(2), "two entries");
  says("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", ramp(1), "two fields");
  says("{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", "", "lacks");
  says("{\"a\":{\"dtype\":\"F32\",\"shape\":[[1]],\"data_offsets\":[0,4]}}", ramp(1), "a list");
  says("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"x\":1}}", ramp(1), "field \"x\"");
  says("{\"__metadata__\":{\"a\":{}}}", "", "an object");
  says("{\"__metadata__\":{\"a\":\"b\",\"a\":\"c\"}}", "", "two entries");
  says("{" + entry("", "[1]", "[0,4]") + "}", ramp(1), "no name");
  says("{" + entry("a\\u001b[31m", "[1]", "[0,4]") + "}", ramp(1), "control character");
  says("{" + entry("a", "[1]", "[0,4]", "F32\\n") + "}", ramp(1), "not a name");
  says("{" + entry(std::string(5000, 'n'), "[1]", "[0,4]") + "}", ramp(1), "5000 bytes");
  says("{\"a\":" + std::string(100'000, '['), "", "a list");
  says("{\"a\":" + std::string(100'000, '{'), "", "not JSON");
  says("{\"a\" 1}", "", "byte 13");
  CHECK(refused(raw(std::uint64_t{100'000'001}) + "{}").find("100000001") != std::string::npos);
  CHECK(refused(raw(UINT64_MAX) + "{}").find("byte 0") != std::string::npos);
  CHECK(refused(raw(std::uint64_t{3}) + "[1]").find("byte 8") != std::string::npos);
}

TEST_CASE("A safetensors file cut off at any byte is refused with a message") {
  const std::string whole = safetensors({{"a", "F32", {2}, ramp(2)}, {"b", "BF16", {3}, "abcdef"}}, R"({"k":"v"})");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length << " of " << whole.size());
    refused(whole.substr(0, length));
  }
  const Folder folder;
  opened(folder.write("whole.safetensors", whole));
}
