// SPDX-License-Identifier: Apache-2.0
// Tokenizers in files other than tokenizer.json, written here byte by byte. The expected ids are derived by hand.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "tests/engine/checkpoint/file_makers.h"
#include "tests/engine/tokenizer/reference_cases.h"
#include "tests/engine/tokenizer/small_tokenizers.h"
#include "tests/temporary_folder.h"

using namespace sepx;
using namespace sepx::tokenizer;
using namespace sepx::tests;
using Catch::Matchers::Contains;
using checkpoint::made::raw;
using Ids = std::vector<std::uint32_t>;

namespace {

const std::string kMark = "\xE2\x96\x81";

Opened openedAt(const std::string& path) {
  const auto opened = openTokenizer(path);
  INFO((opened ? "" : opened.error().message));
  REQUIRE(opened);
  return *opened;
}

std::string refusalAt(const std::string& path) {
  const auto opened = openTokenizer(path);
  return opened ? std::string() : opened.error().message;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value > 127; value >>= 7)
    bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string field(unsigned number, std::uint64_t value) {
  return varint(number << 3) + varint(value);
}
std::string field(unsigned number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}
std::string piece(const std::string& text, float score, unsigned kind = 1) {
  return field(1, field(1, text) + varint(2 << 3 | 5) + raw(score) + field(3, kind));
}

/// <unk> 0, <s> 1, </s> 2, ▁ 3, a 4, b 5, ab 6, ▁ab 7, c 8, [U] 9, then the bytes from 10 on.
std::string sentencePiece(unsigned model, const std::string& normalizer) {
  std::string bytes = piece("<unk>", 0, 2) + piece("<s>", 0, 3) + piece("</s>", 0, 3) + piece(kMark, -5) +
                      piece("a", -6) + piece("b", -6) + piece("ab", -2) + piece(kMark + "ab", -3) + piece("c", -6) +
                      piece("[U]", 0, 4);
  for (unsigned byte = 0; byte < 256; ++byte)
    bytes += piece(fmt::format("<0x{:02X}>", byte), 0, 6);
  return bytes + field(2, field(3, model) + field(35, 1)) + field(3, normalizer);
}

/// 256 bytes, then all pairs of bytes in order with rank 256 + 256 a + b, then the same pairs with the byte FF before
/// them.
std::string ranksOfBytes(unsigned count) {
  std::string ranks;
  for (unsigned rank = 0; rank < count; ++rank) {
    const unsigned pair = (rank - 256) % 65'536;
    std::string bytes(1, static_cast<char>(rank));
    if (rank >= 256) bytes = {static_cast<char>(pair / 256), static_cast<char>(pair % 256)};
    for (unsigned longer = 256 + 65'536; rank >= longer; longer += 65'536)
      bytes.insert(0, 1, '\xFF');
    ranks += base64(bytes) + " " + std::to_string(rank) + "\n";
  }
  return ranks;
}

}  // namespace

TEST_CASE(
    "SentencePiece: BPE by scores, bytes, leading space, user-defined pieces, control pieces not found in texts") {
  const TemporaryFolder folder;
  const auto opened = openedAt(folder.file("tokenizer.model", sentencePiece(2, field(4, 0))));
  CHECK(opened->from() == "SentencePiece");
  CHECK(idsOf(*opened, "ab") == Ids{1, 7});
  CHECK(idsOf(*opened, "").front() == 1);
  CHECK(idsOf(*opened, "ab ab", false) == Ids{7, 7});
  CHECK(idsOf(*opened, "  c", false) == Ids{3, 3, 3, 8});
  CHECK(idsOf(*opened, "\xC3\xA9", false) == Ids{3, 10 + 0xC3, 10 + 0xA9});
  CHECK(idsOf(*opened, "a[U]b", false) == Ids{3, 4, 9, 5});
  // "<s>" in a text is encoded as its characters, in bytes.
  CHECK(idsOf(*opened, "<s>", false) == Ids{3, 10 + '<', 10 + 's', 10 + '>'});
  CHECK(*opened->decode(Ids{1, 7, 10 + 0xC3, 10 + 0xA9}) == "<s> ab\xC3\xA9");
  CHECK(*opened->decode(Ids{7, 8}) == "abc");
  CHECK(opened->special(1));
  CHECK(*opened->bytes(10 + 0xC3) == "\xC3");
  CHECK(*opened->bytes(7) == " ab");
}

TEST_CASE(
    "SentencePiece: Unigram, removed spaces, no leading space, and special tokens by the config beside the file") {
  const TemporaryFolder folder;
  folder.file("tokenizer_config.json", R"({"add_bos_token":true,"add_eos_token":true})");
  const auto opened = openedAt(folder.file("spiece.model", sentencePiece(1, field(3, 0))));
  // ab -2 wins over a + b -12. Spaces at the ends are removed, and two spaces become one.
  CHECK(idsOf(*opened, "  ab   ab ") == Ids{1, 6, 7, 2});
  CHECK(idsOf(*opened, "<s>", false) == Ids{10 + '<', 10 + 's', 10 + '>'});
  CHECK_THAT(refusalAt(folder.file("a/tokenizer.model", sentencePiece(3, {}))), Contains("model type 3"));
  const std::string whole = sentencePiece(2, {});
  CHECK_THAT(refusalAt(folder.file("b/tokenizer.model", whole.substr(0, whole.size() - 1))),
             Contains("tokenizer.model"));
  CHECK_THAT(refusalAt(folder.file("c/tokenizer.model", whole + piece("x", std::nanf("")))), Contains("finite"));
  CHECK_THAT(refusalAt(folder.file("d/tokenizer.model", whole + field(3, field(2, "\xFF\xFF\xFF\xFFxx")))),
             Contains("map of characters"));
}

TEST_CASE("vocab.json with merges.txt is byte-level BPE, and the class of the config decides the special tokens") {
  const TemporaryFolder folder;
  Json vocab = byteLevelJson({{"a", "b"}})["model"]["vocab"];
  vocab["<s>"] = 300;
  vocab["</s>"] = 301;
  vocab["<mask>"] = 302;
  folder.file("merges.txt", "#version: 0.2\na b\n");
  const std::string path = folder.file("vocab.json", vocab.dump());
  CHECK(idsOf(*openedAt(path), "ab <mask>") == Ids{300, 256, 302, 301});
  folder.file("tokenizer_config.json", R"({"tokenizer_class":"GPT2Tokenizer","add_prefix_space":true})");
  CHECK(idsOf(*openedAt(folder.path.string()), "ab") == Ids{' ', 256});
  folder.file("tokenizer_config.json", R"({"tokenizer_class":"CTRLTokenizer"})");
  CHECK_THAT(refusalAt(path), Contains("CTRLTokenizer"));
  folder.file("tokenizer_config.json", "{}");
  folder.file("merges.txt", "a b\nb nothing\n");
  CHECK_THAT(refusalAt(path), Contains("merge 1") && Contains("nothing"));
  folder.file("merges.txt", "a b c\n");
  CHECK_THAT(refusalAt(path), Contains("line 1"));
}

TEST_CASE("vocab.txt is BERT's format, with or without lower-casing") {
  const TemporaryFolder folder;
  const std::string path = folder.file("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhello\nwor\n##ld\n!\nHello\n");
  CHECK(idsOf(*openedAt(path), "Hello world! [MASK] x") == Ids{2, 5, 6, 7, 8, 4, 1, 3});
  folder.file("tokenizer_config.json", R"({"do_lower_case":false})");
  const auto cased = openedAt(path);
  CHECK(idsOf(*cased, "Hello world") == Ids{2, 9, 6, 7, 3});
  CHECK(*cased->decode(Ids{9, 6, 7, 8}) == "Hello world!");
}

TEST_CASE("A file of llama2.c that is truncated, too small or without a score is refused") {
  const TemporaryFolder folder;
  std::string bytes = raw(std::int32_t{7});
  for (int i = 0; i < 300; ++i)
    bytes += raw(0.0F) + raw(std::int32_t{2}) + "xy";
  CHECK_THAT(refusalAt(folder.file("tok1.bin", bytes.substr(0, bytes.size() - 1))), Contains("token 299"));
  CHECK_THAT(refusalAt(folder.file("tok2.bin", bytes.substr(0, 400))), Contains("tok2.bin"));
  const std::string cut = bytes.substr(0, bytes.size() - 10);
  CHECK_THAT(refusalAt(folder.file("tok3.bin", cut + raw(std::nanf("")) + raw(std::int32_t{2}) + "yx")),
             Contains("score") && Contains("yx") && Contains("finite"));
}

namespace {

std::string texts(const std::vector<std::string>& all) {
  std::string bytes = raw(std::uint32_t{8}) + raw(std::uint64_t{all.size()});
  for (const std::string& one : all)
    bytes += checkpoint::made::Gguf::text(one);
  return bytes;
}

template <class Number>
std::string numbers(std::uint32_t type, const std::vector<Number>& all) {
  return raw(type) + raw(std::uint64_t{all.size()}) + raw(all);
}

checkpoint::made::Gguf ggufOf(const char* model, const std::vector<std::string>& tokens) {
  checkpoint::made::Gguf file;
  file.word("general.architecture", "llama").word("tokenizer.ggml.model", model);
  file.key("tokenizer.ggml.tokens", 9, texts(tokens));
  file.tensor("token_embd.weight", {4, 1}, 0, std::string(16, '\0'));
  return file;
}

}  // namespace

TEST_CASE(
    "GGUF: pieces with scores and kinds, byte-level merges with a named expression, and refusal of unknown names") {
  const TemporaryFolder folder;
  auto llama = ggufOf("llama", {"<unk>", "<s>", "</s>", kMark, "a", "b", "ab", kMark + "ab"});
  llama.key("tokenizer.ggml.scores", 9, numbers<float>(6, {0, 0, 0, -5, -6, -6, -2, -3}));
  llama.key("tokenizer.ggml.token_type", 9, numbers<std::int32_t>(5, {2, 3, 3, 1, 1, 1, 1, 1}));
  CHECK(idsOf(*openedAt(folder.file("llama.gguf", llama.bytes())), "ab b") == Ids{1, 7, 3, 5});

  std::vector<std::string> tokens;
  for (unsigned byte = 0; byte < 256; ++byte)
    tokens.push_back(gpt2Character(byte));
  tokens.insert(tokens.end(), {"12", "123", "<|end|>"});
  auto gpt = ggufOf("gpt2", tokens);
  gpt.key("tokenizer.ggml.merges", 9, texts({"1 2", "12 3"})).word("tokenizer.ggml.pre", "llama-bpe");
  std::vector<std::int32_t> kinds(tokens.size(), 1);
  kinds.back() = 3;
  gpt.key("tokenizer.ggml.token_type", 9, numbers(5, kinds)).number("tokenizer.ggml.bos_token_id", 258);
  CHECK(idsOf(*openedAt(folder.file("gpt.gguf", gpt.bytes())), "1231<|end|>") == Ids{258, 257, '1', 258});

  auto odd = ggufOf("gpt2", tokens);
  odd.word("tokenizer.ggml.pre", "odd-words");
  CHECK_THAT(refusalAt(folder.file("odd.gguf", odd.bytes())), Contains("odd-words"));
  auto plain = ggufOf("gpt2", tokens);
  const auto noted = openedAt(folder.file("plain.gguf", plain.bytes()));
  REQUIRE(noted->notes().size() == 1);
  CHECK_THAT(noted->notes().front(), Contains("default"));
  CHECK_THAT(refusalAt(folder.file("rwkv.gguf", ggufOf("rwkv", tokens).bytes())), Contains("rwkv"));

  auto bert = ggufOf("bert", {"[UNK]", "[CLS]", "[SEP]", kMark + "un", "able"});
  bert.number("tokenizer.ggml.cls_token_id", 1).number("tokenizer.ggml.seperator_token_id", 2);
  CHECK(idsOf(*openedAt(folder.file("bert.gguf", bert.bytes())), "Unable x") == Ids{1, 3, 4, 0, 2});
}

TEST_CASE("CLIP's vocab.json with merges.txt gives the ids of its tokenizer.json", "[reference]") {
  const std::string published = tests::tokenizerFolder("clip-cut") + "/tokenizer.json";
  if (!std::filesystem::exists(published)) {
    WARN("skipped: there is no " << published << "; SEPX_SHARED says where it is");
    return;
  }
  std::ifstream file(published);
  const Json json = Json::parse(file);
  Json vocab = json.at("model").at("vocab");
  for (const Json& added : json.at("added_tokens"))
    vocab[added.at("content").get<std::string>()] = added.at("id");
  std::string merges = "#version: 0.2\n";
  for (const Json& merge : json.at("model").at("merges"))
    merges += merge.is_string() ? merge.get<std::string>() + "\n"
                                : merge[0].get<std::string>() + " " + merge[1].get<std::string>() + "\n";
  const TemporaryFolder folder;
  const std::string path = folder.file("vocab.json", vocab.dump());
  folder.file("merges.txt", merges);
  const bool named = GENERATE(true, false);
  if (named) folder.file("tokenizer_config.json", R"({"tokenizer_class":"CLIPTokenizer"})");
  const Opened opened = openedAt(path);
  CHECK(opened->notes().size() == (named ? 0U : 1U));
  std::ifstream cases(tests::tokenizerCasesFile());
  const Json reference = Json::parse(cases);
  int count = 0;
  for (const Json& one : reference.at("cases")) {
    if (one.at("tokenizer") != "clip-cut") continue;
    const auto text = one.at("text").get<std::string>();
    INFO(text);
    CHECK(idsOf(*opened, text, one.at("add_special_tokens").get<bool>()) == one.at("ids").get<Ids>());
    ++count;
  }
  CHECK(count >= 33);
}

TEST_CASE("Ranks of tiktoken are recognised by their number, and others are refused") {
  const TemporaryFolder folder;
  const auto opened = openedAt(folder.file("ranks.tiktoken", ranksOfBytes(50256)));
  // "abc": "ab" has the lower rank of the two pairs. Ids are ranks.
  CHECK(idsOf(*opened, "abc<|endoftext|>") == Ids{256 + 256 * 'a' + 'b', 'c', 50256});
  CHECK(*opened->decode(Ids{256 + 256 * 'a' + 'b', 'c'}) == "abc");
  REQUIRE(opened->notes().size() == 1);
  CHECK_THAT(refusalAt(folder.file("a/few.tiktoken", base64("a") + " 0\n")), Contains("1 ranks"));
  CHECK_THAT(refusalAt(folder.file("b/odd.tiktoken", "YQ== 5\n")), Contains("line 1"));
  CHECK_THAT(refusalAt(folder.file("c/odd.tiktoken", "!!! 0\n")), Contains("line 1"));
}

TEST_CASE("Kimi's ranks: Chinese is split from other letters, and reserved ids have the names of the config file") {
  const TemporaryFolder folder;
  const std::string path = folder.file("tiktoken.model", ranksOfBytes(163'584));
  folder.file("tokenizer_config.json", R"({"added_tokens_decoder":{
    "163584":{"content":"[BOS]","special":true},"163586":{"content":"<|im_end|>","special":true},
    "5":{"content":"not reserved","special":true}}})");
  const auto opened = openedAt(folder.path.string());
  CHECK(opened->from() == "tiktoken");
  REQUIRE(opened->notes().size() == 1);
  CHECK_THAT(opened->notes()[0], Contains("Kimi"));
  const auto pair = [](char first, char second) {
    return 256 + 256 * std::uint32_t{static_cast<unsigned char>(first)} +
           std::uint32_t{static_cast<unsigned char>(second)};
  };
  // "ab" and the Chinese character E4 BD A0 are separate words. In the latter the pair BD A0 has the lower rank.
  CHECK(idsOf(*opened, "ab\u4F60") == Ids{pair('a', 'b'), 0xE4, pair('\xBD', '\xA0')});
  // b and C3 A9, a letter that is not Chinese, are one word. b C3 has a lower rank than C3 A9.
  CHECK(idsOf(*opened, "b\u00E9") == Ids{pair('b', '\xC3'), 0xA9});
  CHECK(idsOf(*opened, "1234") == Ids{pair('1', '2'), '3', '4'});
  CHECK(idsOf(*opened, "a<|im_end|>[BOS]<|reserved_token_163585|>") == Ids{'a', 163586, 163584, 163585});
  CHECK(opened->size() == 163'840);
  CHECK(opened->special(163'839));
  CHECK(*opened->token(163'839) == "<|reserved_token_163839|>");
}

namespace {

/// All bytes, then "ab" and "abc", and "beyond", which the size excludes. Ids of tokens begin at `special`.
Json tekkenJson(std::size_t special) {
  Json vocab = Json::array();
  const auto add = [&](const std::string& bytes) {
    vocab.push_back({{"rank", vocab.size()}, {"token_bytes", base64(bytes)}, {"token_str", nullptr}});
  };
  for (unsigned byte = 0; byte < 256; ++byte)
    add(std::string(1, static_cast<char>(byte)));
  add("ab");
  add("abc");
  add("beyond");
  return {{"config",
           {{"pattern", R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+)"},
            {"num_vocab_tokens", vocab.size()},
            {"default_vocab_size", 258 + special},
            {"default_num_special_tokens", special},
            {"version", "v3"}}},
          {"vocab", vocab}};
}

}  // namespace

TEST_CASE(
    "tekken.json: ids begin after the special tokens, which are not found in texts, and the size limits the tokens") {
  const TemporaryFolder folder;
  Json json = tekkenJson(24);
  const std::string path = folder.file("tekken.json", json.dump());
  const auto opened = openedAt(folder.path.string());
  CHECK(opened->from() == "tekken.json");
  // "abc" is one token; " b" is one word of two byte tokens; the name of a special token is normal text.
  CHECK(idsOf(*opened, "abcd b") == Ids{1, 24 + 257, 24 + 'd', 24 + ' ', 24 + 'b'});
  CHECK(idsOf(*opened, "<s>", false) == Ids{24 + '<', 24 + 's', 24 + '>'});
  CHECK(*opened->id("[INST]") == 3);
  CHECK(*opened->token(23) == "<SPECIAL_23>");
  CHECK(opened->special(2));
  CHECK(*opened->decode(Ids{1, 24 + 257, 24 + ' ', 3}) == "<s>abc [INST]");
  CHECK(opened->size() == 282);
  CHECK_FALSE(opened->token(282).has_value());
  // Also with a date in the file name, and with its own special tokens.
  json["special_tokens"] = Json::array({Json{{"rank", 0}, {"token_str", "<unk>"}, {"is_control", true}},
                                        Json{{"rank", 1}, {"token_str", "[MINE]"}, {"is_control", true}}});
  const auto dated = openedAt(folder.file("dated/tekken_240911.json", json.dump()));
  CHECK(idsOf(*dated, "ab") == Ids{24 + 256});
  CHECK(*dated->id("[MINE]") == 1);
}

TEST_CASE("A tekken.json with contradictory numbers or invalid fields is refused") {
  const TemporaryFolder folder;
  const std::string path = folder / "tekken.json";
  const auto refused = [&](const std::function<void(Json&)>& change) {
    Json json = tekkenJson(24);
    change(json);
    folder.file("tekken.json", json.dump());
    return refusalAt(path);
  };
  CHECK_THAT(refused([](Json& json) { json["config"]["default_vocab_size"] = 1000; }),
             Contains("259 tokens") && Contains("1000"));
  CHECK_THAT(refused([](Json& json) { json["config"]["default_vocab_size"] = 10; }), Contains("259 tokens"));
  CHECK_THAT(refused([](Json& json) { json["config"]["version"] = "v13"; }), Contains("v13"));
  CHECK_THAT(refused([](Json& json) {
               json["config"]["default_num_special_tokens"] = 5;
               json["config"]["default_vocab_size"] = 263;
             }),
             Contains("20 special tokens"));
  CHECK_THAT(refused([](Json& json) { json["vocab"][7]["rank"] = 9; }), Contains("rank 9"));
  CHECK_THAT(refused([](Json& json) { json["vocab"][7]["token_bytes"] = "!"; }), Contains("base64"));
  CHECK_THAT(refused([](Json& json) { json["vocab"] = "none"; }), Contains("0 tokens"));
  CHECK_THAT(refused([](Json& json) { json["config"]["pattern"] = "("; }), Contains("tekken.json"));
  CHECK_THAT(refused([](Json& json) {
               json["special_tokens"] = Json::array({Json{{"rank", 3}, {"token_str", "x"}}});
             }),
             Contains("rank 3"));
  CHECK_THAT(refused([](Json& json) { json.erase("config"); }), Contains("config"));
  CHECK_THAT(refused([](Json& json) { json["config"]["default_num_special_tokens"] = 1'000'000; }),
             Contains("default_num_special_tokens"));
}

TEST_CASE("A folder without a tokenizer and a path that does not exist are refused") {
  const TemporaryFolder folder;
  CHECK_THAT(refusalAt(folder.path.string()), Contains("no tokenizer"));
  CHECK_THAT(refusalAt(folder / "nothing"), Contains("nothing"));
}

TEST_CASE("A named tokenizer file is read, regardless of the files beside it") {
  const TemporaryFolder folder;
  Json good = byteLevelJson({{"a", "b"}});
  folder.file("tokenizer.json", byteLevelJson({}).dump());
  CHECK(openedAt(folder.file("other.json", good.dump()))->size() == 257);
  CHECK(openedAt(folder.path.string())->size() == 256);
  CHECK_THAT(refusalAt(folder.file("junk.model", "\n not a model")), Contains("junk.model"));
  CHECK_THAT(refusalAt(folder.file("junk.tiktoken", "?")), Contains("junk.tiktoken"));
  folder.file("tokenizer.json", "{");
  CHECK(openedAt((folder.path / "other.json").string())->size() == 257);
  CHECK_THAT(refusalAt(folder.path.string()), Contains("tokenizer.json"));
  // Weight files use the tokenizer of their folder.
  folder.file("tokenizer.json", good.dump());
  CHECK(openedAt(folder.file("model.safetensors.index.json", "{}"))->size() == 257);
  CHECK(openedAt(folder.file("model.safetensors", "?"))->size() == 257);
}

TEST_CASE("A list of words without a rule for splitting a text is refused with the name of the missing part") {
  const TemporaryFolder folder;
  CHECK_THAT(refusalAt(folder.file("vocab.json", R"({"the":0,"cat":1})")), Contains("merges.txt") && Contains("--ids"));
  CHECK_THAT(refusalAt(folder.file("vocab.txt", "the\ncat\n")), Contains("[UNK]") && Contains("tokenizer.json"));
  CHECK(idsOf(*openedAt(folder.file("vocab.txt", "the\ncat\n##s\n")), "cats") == Ids{1, 2});
}
