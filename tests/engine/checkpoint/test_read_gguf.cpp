// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "engine/checkpoint/gguf_types.h"
#include "tests/engine/checkpoint/opened.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

std::string refused(const std::string& bytes) {
  return made::refused("model.gguf", bytes);
}

/// A block of Q8_0 with scale 1 and the values 0 … 31.
std::string q8Block() {
  std::string bytes = raw(std::uint16_t{0x3C00});
  for (int i = 0; i < 32; ++i)
    bytes += raw(static_cast<std::int8_t>(i));
  return bytes;
}

std::string textList(const std::vector<std::string>& texts) {
  std::string bytes = raw(std::uint32_t{8}) + raw(std::uint64_t{texts.size()});
  for (const std::string& text : texts)
    bytes += Gguf::text(text);
  return bytes;
}

Gguf small() {
  Gguf file;
  file.word("general.architecture", "llama").number("llama.block_count", 2);
  file.key("llama.attention.layer_norm_rms_epsilon", 6, raw(1e-5F));
  file.key("tokenizer.ggml.tokens", 9, textList({"<s>", "\xE2\x96\x81the", "\xFF"}));
  file.tensor("blk.0.attn_q.weight", {3, 2}, 0, ramp(6));
  file.tensor("blk.0.attn_k.weight", {32, 1}, 8, q8Block());
  file.tensor("blk.0.odd", {32}, 6, std::string(22, 'x'));
  return file;
}

}  // namespace

TEST_CASE("A GGUF file is read with its tensors in row-major order, its key-value pairs and its vocabulary") {
  const Folder folder;
  for (const std::uint32_t version : {2U, 3U}) {
    Gguf file = small();
    file.version = version;
    const auto checkpoint = opened(folder.write("model.gguf", file.bytes()));
    CHECK(checkpoint->format() == Format::Gguf);
    CHECK(checkpoint->configFrom() == "GGUF metadata");
    CHECK(checkpoint->config().at("llama.block_count") == 2);
    CHECK(checkpoint->config().at("llama.attention.layer_norm_rms_epsilon").get<double>() == Approx(1e-5));
    CHECK(checkpoint->config().at("tokenizer.ggml.tokens").at(1) == "\xE2\x96\x81the");
    CHECK(checkpoint->config().at("tokenizer.ggml.tokens").at(2) == "\xEF\xBF\xBD");
    CHECK(checkpoint->metadata().at("general.architecture") == "llama");
    CHECK(checkpoint->find("blk.0.attn_q.weight")->shape == std::vector<std::int64_t>{2, 3});
    CHECK(numbers(*checkpoint, "blk.0.attn_q.weight") == std::vector<double>{0, 1, 2, 3, 4, 5});
    const auto blocks = numbers(*checkpoint, "blk.0.attn_k.weight");
    CHECK(blocks[31] == 31);
    CHECK(checkpoint->find("blk.0.odd")->dtype == Dtype::Unreadable);
    CHECK(checkpoint->find("blk.0.odd")->dtypeName == "Q5_0");
  }
}

TEST_CASE("Long lists of a GGUF file are only counted, except those of the tokenizer") {
  const std::vector<std::string> many(5000, "word");
  Gguf file = small();
  file.key("imatrix.words", 9, textList(many));
  file.key("imatrix.numbers", 9, raw(std::uint32_t{6}) + raw(std::uint64_t{5000}) + ramp(5000));
  file.key("nested", 9, raw(std::uint32_t{9}) + raw(std::uint64_t{1}) + textList({"a", "b"}));
  const Folder folder;
  const auto checkpoint = opened(folder.write("model.gguf", file.bytes()));
  CHECK(checkpoint->config().at("imatrix.words").at("length") == 5000);
  CHECK(checkpoint->config().at("imatrix.numbers").at("list_of") == "F32");
  CHECK(checkpoint->config().at("nested").at(0).at("length") == 2);
  Gguf long_;
  long_.key("tokenizer.ggml.tokens", 9, textList(many));
  long_.key("tokenizer.ggml.scores", 9, raw(std::uint32_t{6}) + raw(std::uint64_t{5000}) + ramp(5000));
  long_.tensor("w", {1}, 0, ramp(1));
  const auto kept = opened(folder.write("long.gguf", long_.bytes()));
  CHECK(kept->config().at("tokenizer.ggml.tokens").size() == 5000);
  CHECK(kept->config().at("tokenizer.ggml.scores").at(4999) == 4999);
}

TEST_CASE("An error in a GGUF file is reported with its position") {
  const auto prefix = [](std::uint64_t tensors, std::uint64_t keys) {
    return "GGUF" + raw(std::uint32_t{3}) + raw(tensors) + raw(keys);
  };
  const std::string room(64, '\0');
  CHECK(has(refused(prefix(UINT64_MAX, 0) + room), "18446744073709551615 tensors"));
  CHECK(has(refused(prefix(0, UINT64_MAX) + room), "key-values"));
  CHECK(has(refused("GGUF" + raw(std::uint32_t{1}) + room), "version 1"));
  CHECK(has(refused("GGUF" + raw(std::uint32_t{0x03000000}) + room), "big-endian"));
  CHECK(has(refused(prefix(0, 1) + raw(UINT64_MAX) + room), "more than 65535"));
  CHECK(has(refused(prefix(0, 1) + Gguf::text("k") + raw(std::uint32_t{99}) + room), "unknown type 99"));
  CHECK(has(
      refused(prefix(0, 1) + Gguf::text("k") + raw(std::uint32_t{9}) + raw(std::uint32_t{0}) + raw(UINT64_MAX) + room),
      "a list of"));
  // Lists nested 1,000 deep.
  std::string nested;
  for (int i = 0; i < 1000; ++i)
    nested += raw(std::uint32_t{9}) + raw(std::uint64_t{1});
  CHECK(has(refused(prefix(0, 1) + Gguf::text("k") + raw(std::uint32_t{9}) + nested), "nested"));

  Gguf twice = small();
  twice.number("llama.block_count", 3);
  CHECK(has(refused(twice.bytes()), "\"llama.block_count\""));
  Gguf names = small();
  names.tensor("blk.0.odd", {1}, 0, ramp(1));
  CHECK(has(refused(names.bytes()), "two tensors"));
  Gguf overlap = small();
  overlap.infos[1].offset = 0;
  CHECK(has(refused(overlap.bytes()), "overlaps"));
  Gguf outside = small();
  outside.infos[2].offset = 1 << 20;
  CHECK(has(refused(outside.bytes()), "but the file has only"));
  Gguf absurd = small();
  absurd.infos[0].dimensions = {1ULL << 62, 1ULL << 62};
  CHECK(has(refused(absurd.bytes()), "overflows"));
  Gguf far = small();
  far.infos[0].offset = UINT64_MAX - 31;
  CHECK(has(refused(far.bytes()), "an offset that is too large"));
  Gguf rows = small();
  rows.infos[1].dimensions = {33};
  CHECK(has(refused(rows.bytes()), "multiple of the 32"));
  Gguf type = small();
  type.infos[1].type = 4;
  CHECK(has(refused(type.bytes()), "unknown type 4"));
  Gguf dimensions = small();
  dimensions.infos[0].dimensions.assign(9, 1);
  CHECK(has(refused(dimensions.bytes()), "9 dimensions"));
  Gguf align = small();
  align.number("general.alignment", 3);
  CHECK(has(refused(align.bytes()), "power of two"));
  Gguf crooked = small();
  crooked.infos[1].offset += 4;
  CHECK(has(refused(crooked.bytes()), "alignment"));
}

TEST_CASE("A GGUF file cut off at any byte is refused with a message") {
  const std::string whole = small().bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length << " of " << whole.size());
    refused(whole.substr(0, length));
  }
}

TEST_CASE("The parts of a split GGUF file open as one, and a missing part is named") {
  const Folder folder;
  Gguf first, second;
  first.word("general.architecture", "llama").tensor("a", {2}, 0, ramp(2));
  second.tensor("b", {2}, 0, ramp(2, 7));
  const std::string one = folder.write("big-00001-of-00002.gguf", first.bytes());
  CHECK(has(refusedPath(one), "part 2 is missing"));
  const std::string two = folder.write("big-00002-of-00002.gguf", second.bytes());
  for (const std::string& path : {one, two, folder.path.string()}) {
    const auto checkpoint = opened(path);
    CHECK(checkpoint->tensors().size() == 2);
    CHECK(checkpoint->files().size() == 2);
    CHECK(numbers(*checkpoint, "b") == std::vector<double>{7, 8});
    CHECK(checkpoint->config().at("general.architecture") == "llama");
  }
}

TEST_CASE("Every decodable format of GGUF has the block size of its decoder") {
  int decodable = 0;
  for (std::uint32_t number = 0; number < 64; ++number) {
    const auto type = ggufType(number);
    if (!type || type->dtype == Dtype::Unreadable) continue;
    CHECK(std::string(type->name) == name(type->dtype));
    CHECK(type->block.values == blockOf(type->dtype).values);
    CHECK(type->block.bytes == blockOf(type->dtype).bytes);
    ++decodable;
  }
  CHECK(decodable == 12);
}
