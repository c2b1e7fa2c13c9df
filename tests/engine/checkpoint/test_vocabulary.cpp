// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "engine/checkpoint/vocabulary.h"
#include "engine/checkpoint/vocabulary_read.h"
#include "tests/engine/checkpoint/opened.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

using Words = std::vector<std::string>;
using Indices = std::vector<std::int64_t>;

/// The vocabulary of a model in whose folder the file `name` contains `text`.
Result<Vocabulary> beside(const std::string& name, const std::string& text) {
  const Folder folder;
  folder.write(name, text);
  return readVocabulary(*opened(folder.write("model.safetensors", safetensors({{"a", "F32", {1}, ramp(1)}}))));
}

}  // namespace

TEST_CASE("Byte-level tokens are shown as text and found by that text") {
  const auto read = beside("tokenizer.json",
                           R"({"version": "1.0", "added_tokens": [{"id": 6, "content": "<|end|>", "special": true}],
      "normalizer": {"vocab": {"trap": 99}},
      "model": {"type": "BPE", "vocab": {"the": 0, "Ġthe": 1, "Ċ": 2, "Ã": 3, "Ġcaf": 4, "Ã©": 5}, "merges": ["Ġ t", ["h", "e"]]}})");
  REQUIRE(read);
  CHECK(read->from == "tokenizer.json");
  CHECK(read->marks == Vocabulary::Marks::ByteLevel);
  CHECK(read->tokens == Words{"the", "Ġthe", "Ċ", "Ã", "Ġcaf", "Ã©", "<|end|>"});
  CHECK(read->shown(1) == " the");
  CHECK(read->shown(2) == "\\n");
  CHECK(read->shown(3) == "\\xC3");
  CHECK(read->shown(5) == "é");
  CHECK(read->shown(6) == "<|end|>");
  CHECK(read->shown(7).empty());
  CHECK(read->shown(-1).empty());
  CHECK(read->find("the") == 0);
  CHECK(read->find(" the") == 1);
  CHECK(read->find("caf") == 4);
  CHECK(read->find("é") == 5);
  CHECK(read->find("\\n") == 2);
  CHECK_FALSE(read->find("absent"));
  CHECK_FALSE(read->find(""));
  CHECK(read->complete("th", 10) == Indices{0, 1});
  CHECK(read->complete("th", 1) == Indices{0});
}

TEST_CASE("SentencePiece and Unigram tokens are shown with their spaces and bytes decoded") {
  const auto read =
      beside("tokenizer.json",
             R"({"model": {"type": "Unigram", "vocab": [["<unk>", 0.0], ["▁the", -1.5], ["<0x0A>", -2], ["s", -3]]}})");
  REQUIRE(read);
  CHECK(read->marks == Vocabulary::Marks::SentencePiece);
  CHECK(read->tokens == Words{"<unk>", "▁the", "<0x0A>", "s"});
  CHECK(read->shown(1) == " the");
  CHECK(read->shown(2) == "\\n");
  CHECK(read->find("the") == 1);
  CHECK(read->find("▁the") == 1);
}

TEST_CASE("Vocabularies of vocab.txt, vocab.json, llama2.c and GGUF are read") {
  const auto lines = beside("vocab.txt", "[PAD]\r\nword\n##ing\n");
  REQUIRE(lines);
  CHECK(lines->tokens == Words{"[PAD]", "word", "##ing"});
  CHECK(lines->shown(2) == "##ing");
  const auto json = beside("vocab.json", R"({"b": 2, "a": 0})");
  REQUIRE(json);
  CHECK(json->tokens == Words{"a", "", "b"});
  CHECK_FALSE(json->find(" "));
  const auto token = [](const std::string& text) {
    return raw(0.5F) + raw(static_cast<std::int32_t>(text.size())) + text;
  };
  const auto llama = beside("tok3.bin", raw(std::int32_t{6}) + token("<unk>") + token("<0x41>") + token(" the"));
  REQUIRE(llama);
  CHECK(llama->tokens == Words{"<unk>", "<0x41>", " the"});
  CHECK(llama->find("the") == 2);
  CHECK(llama->shown(1) == "A");
  const Folder folder;
  const std::string list = raw(std::uint32_t{8}) + raw(std::uint64_t{2}) + Gguf::text("▁a") + Gguf::text("b");
  const auto gguf = readVocabulary(*opened(
      folder.write("m.gguf", Gguf().key("tokenizer.ggml.tokens", 9, list).tensor("a", {4}, 0, ramp(4)).bytes())));
  REQUIRE(gguf);
  CHECK(gguf->from == "GGUF");
  CHECK(gguf->tokens == Words{"▁a", "b"});
  const auto piece = [](const std::string& text) {
    const std::string one = "\x0A" + std::string(1, static_cast<char>(text.size())) + text + "\x15" + raw(-1.5F);
    return "\x0A" + std::string(1, static_cast<char>(one.size())) + one;
  };
  const auto pieces = beside("spiece.model", piece("<unk>") + piece("▁a") + std::string("\x12\x02\x08\x01", 4));
  REQUIRE(pieces);
  CHECK(pieces->tokens == Words{"<unk>", "▁a"});
  CHECK(pieces->find("a") == 1);
  const auto tiktoken = beside("tokenizer.model", "IQ== 0\nIg== 1\n");
  REQUIRE(tiktoken);
  CHECK(tiktoken->tokens.empty());
  const auto none = beside("readme.txt", "hello");
  REQUIRE(none);
  CHECK(none->from.empty());
  CHECK(none->tokens.empty());
}

TEST_CASE("A broken vocabulary is refused with its file and position and takes no memory") {
  const auto sentence = [](const std::string& name, const std::string& text) {
    const auto read = beside(name, text);
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::BadInput);
    CHECK(has(read.error().message, name));
    return read.error().message;
  };
  CHECK(has(sentence("tokenizer.json", R"({"model": {"vocab": {"a": 0,)"), "byte"));
  CHECK(has(sentence("tokenizer.json", R"({"model": {"vocab": {"a": 4000000000}}})"), "4000000000"));
  CHECK(has(sentence("tokenizer.json", R"({"model": {"vocab": {"a": -1}}})"), "negative"));
  CHECK(has(sentence("vocab.json", "{\"a\":" + std::string(100'000, '[')), "nested"));
  CHECK(has(sentence("tok3.bin", raw(std::int32_t{6}) + raw(0.5F) + raw(std::int32_t{1'000'000}) + "abc"), "byte 4"));
  CHECK(has(sentence("tok3.bin", raw(std::int32_t{6}) + raw(0.5F) + raw(std::int32_t{-1})), "byte 4"));
  CHECK(has(sentence("spiece.model",
                     "\x0A\x7F"
                     "abc"),
            "byte 0"));
}
