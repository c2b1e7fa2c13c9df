// SPDX-License-Identifier: Apache-2.0
// Tests of rules that a user saves: the round trip through a file, the messages for invalid rules, the initial guess,
// and the map of a checkpoint that no rule fits.
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "engine/checkpoint/family_guess.h"
#include "engine/checkpoint/family_json.h"
#include "tests/engine/checkpoint/family_files.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

const char* kQuery = "net.cell_{layer}.mixer.ask.weight";
const char* kKey = "net.cell_{layer}.mixer.answer.weight";

TinyModel strange(std::int64_t queries = d, std::int64_t keys = d) {
  TinyModel model;
  for (int layer = 0; layer < 2; ++layer) {
    model.add(named(kQuery, layer), {queries, d});
    model.add(named(kKey, layer), {keys, d});
  }
  return model;
}

FamilyRule rule(int heads = H, int kvHeads = 0) {
  FamilyRule made;
  made.key = "mine";
  made.name = "My family";
  made.heads = heads;
  made.kvHeads = kvHeads;
  StackRule stack;
  stack.query = kQuery;
  stack.key = kKey;
  made.stacks = {stack};
  return made;
}

std::string tried(const TinyModel& model, const FamilyRule& one) {
  const Folder folder;
  const auto result = tryRule(*opened(model.write(folder)), one);
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::Usage);
  return result.error().message;
}

std::string broken(const std::string& text) {
  const Folder folder;
  folder.write("mine.json", text);
  const auto rules = readRules(folder.path.string());
  REQUIRE_FALSE(rules);
  CHECK(rules.error().kind == ErrorKind::BadInput);
  CHECK(has(rules.error().message, "mine.json"));
  return rules.error().message;
}

}  // namespace

TEST_CASE("A rule survives the round trip through a file", "[rules]") {
  const Folder folder;
  FamilyRule made = rule(8, 2);
  made.modelTypes = {"mine", "yours"};
  StackRule& first = made.stacks.front();
  first.stack = Stack::Decoder;
  first.queryBias = "a.{layer}.b";
  first.keyBias = "c.{layer}.d";
  first.fusion = Fusion::PerHead;
  first.transposed = first.perHead = first.rms = first.causal = true;
  first.normGain = "g.{layer}";
  first.normBias = "h.{layer}";
  const StackRule stack = first;
  made.stacks.push_back(rule().stacks.front());
  const std::string rules = (folder.path / "config" / "rules").string();
  REQUIRE(writeRule(rules, made));
  const auto read = readRules(rules);
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read);
  REQUIRE(read->size() == 1);
  const FamilyRule& back = read->front();
  CHECK(back.key == made.key);
  CHECK(back.name == made.name);
  CHECK(back.modelTypes == made.modelTypes);
  CHECK(back.heads == 8);
  CHECK(back.kvHeads == 2);
  REQUIRE(back.stacks.size() == 2);
  const StackRule& one = back.stacks.front();
  CHECK(one.stack == Stack::Decoder);
  CHECK(one.query == stack.query);
  CHECK(one.key == stack.key);
  CHECK(one.queryBias == stack.queryBias);
  CHECK(one.keyBias == stack.keyBias);
  CHECK(one.fusion == Fusion::PerHead);
  CHECK((one.transposed && one.perHead && one.rms && one.causal));
  CHECK(one.normGain == stack.normGain);
  CHECK(one.normBias == stack.normBias);
  CHECK_FALSE(back.stacks[1].transposed);
}

TEST_CASE("A folder without rules gives none, and a rule without a usable name is refused", "[rules]") {
  const Folder folder;
  CHECK(readRules("").value().empty());
  CHECK(readRules((folder.path / "nothing").string()).value().empty());
  FamilyRule made = rule();
  for (const char* key : {"", "../../evil", ".hidden", "a/b", "with blank"}) {
    made.key = key;
    const auto written = writeRule(folder.path.string(), made);
    REQUIRE_FALSE(written);
    CHECK(written.error().kind == ErrorKind::Usage);
  }
  CHECK(readRules(folder.path.string()).value().empty());
}

TEST_CASE("The message for a broken rule names its file and field", "[rules]") {
  const std::string stacks = "\"stacks\":[{\"query\":\"a\",\"key\":\"b\"}]";
  CHECK(has(broken("{"), "byte"));
  CHECK(has(broken("[]"), "object"));
  CHECK(has(broken("{" + stacks + "}"), "field key is missing"));
  CHECK(has(broken("{\"key\":7," + stacks + "}"), "field key should be a text"));
  CHECK(has(broken("{\"key\":\"m\"}"), "field stacks"));
  CHECK(has(broken("{\"key\":\"m\",\"stacks\":[{\"query\":\"a\"}]}"), "field stacks[0].key is missing"));
  CHECK(has(broken("{\"key\":\"m\",\"stacks\":[{\"query\":\"a\",\"key\":\"b\",\"fusion\":\"mixed\"}]}"),
            "field stacks[0].fusion"));
  CHECK(has(broken("{\"key\":\"m\",\"heads\":-1," + stacks + "}"), "field heads"));
  CHECK(has(broken("{\"key\":\"m\",\"heads\":1e9," + stacks + "}"), "field heads"));
  CHECK(has(broken("{\"key\":\"m\",\"version\":2," + stacks + "}"), "field version is 2"));
}

TEST_CASE("A user's rule maps a model that no family fits", "[rules]") {
  const TinyModel model = strange(d, d / 2);
  const Mapped before(model);
  CHECK(before.map.layers.empty());
  CHECK(before.map.family.empty());
  CHECK(has(before.map.noQkReason, "name the patterns in the mapping"));
  const Mapped after(model, {rule()});
  CHECK(after.map.recognisedBy == "the rule \"My family\"");
  CHECK(after.map.family == "mine");
  compare(separateTruth(Stack::Self, kQuery, kKey, H, 2, d_h, d), model, *after.checkpoint, after.map);
  CHECK(fromOf(after.map, "W_Q of head h") ==
        "rows 6 h … 6 h + 5 of net.cell_{layer}.mixer.ask.weight, columns 0 … 23");
  CHECK(fromOf(after.map, "W_K of key head k") ==
        "rows 6 k … 6 k + 5 of net.cell_{layer}.mixer.answer.weight, columns 0 … 23");
  CHECK(fromOf(after.map, "key head of query head h") == "h div 2 (4 query heads share 2 key heads)");
}

TEST_CASE("The config of a checkpoint has priority over a rule made for another checkpoint", "[rules]") {
  TinyModel model = strange();
  const auto heads = [&](const FamilyRule& one) {
    const Mapped mapped(model, {one});
    REQUIRE(mapped.map.layers.size() == 2);
    std::string notes;
    for (const std::string& note : mapped.map.notes)
      notes += note + "\n";
    return std::pair(mapped.map.layers.front().heads, notes);
  };
  CHECK(heads(rule(4)).first == 4);
  CHECK_FALSE(has(heads(rule(4)).second, "the rule"));
  model.config = R"({"model_type": "strange", "num_attention_heads": 2})";
  const auto [taken, notes] = heads(rule(4));
  CHECK(taken == 2);
  CHECK(has(notes, "says 4 heads, config.json says 2"));
  CHECK(has(notes, "check the mapping"));
  // A user who knew the value in the config intends the value of the rule. This choice is stored in the file.
  FamilyRule known = rule(4);
  known.insteadOf = 2;
  CHECK(heads(known).first == 4);
  CHECK(has(heads(known).second, "in place of the 2 of config.json"));
  const Folder folder;
  REQUIRE(writeRule(folder.path.string(), known));
  const auto read = readRules(folder.path.string());
  REQUIRE(read);
  CHECK(read->front().insteadOf == 2);
  // The config of this model agrees with the rule, so that there is no note.
  CHECK_FALSE(has(heads(rule(2)).second, "the rule"));
}

TEST_CASE("An invalid rule is refused with a message", "[rules]") {
  FamilyRule one = rule();
  one.stacks.front().key = "net.cell_{layer}.mixer.reply.weight";
  CHECK(has(tried(strange(), one), "\"net.cell_{layer}.mixer.reply.weight\" finds no tensor"));
  one.stacks.front().key.clear();
  CHECK(has(tried(strange(), one), "the pattern for the keys of the self stack is empty"));
  one.stacks.clear();
  CHECK(has(tried(strange(), one), "no patterns"));
  CHECK(has(tried(strange(), rule(5)), "24 outputs, which cannot be divided among 5 heads"));
  CHECK(has(tried(strange(d, 10), rule(4)), "the 10 outputs of the keys are not a multiple of"));
  CHECK(has(tried(strange(d, 18), rule(4)), "cannot be divided among 3 key heads"));
  CHECK(has(tried(strange(d, d / 2), rule(0)), "the file does not say how many heads"));
  FamilyRule fusedRule = rule(0);
  fusedRule.stacks.front().key = kQuery;
  fusedRule.stacks.front().fusion = Fusion::PerHead;
  CHECK(has(tried(strange(), fusedRule), "the file does not say how many heads"));
  FamilyRule three = rule();
  three.stacks.front().perHead = true;
  CHECK(has(tried(strange(), three), "not a projection of three dimensions"));
  TinyModel narrow = strange();
  narrow.add(named(kKey, 1), {d, 12});
  CHECK(has(tried(narrow, rule()), "there is no d x d W_qk"));
}

TEST_CASE("An initial rule is guessed from the tensors", "[rules]") {
  SECTION("The names contain words for queries and keys") {
    TinyModel model;
    for (int layer = 0; layer < 3; ++layer) {
      model.add(named("core.unit{layer}.query_net.weight", layer), {d, d});
      model.add(named("core.unit{layer}.key_net.weight", layer), {d, d});
      model.add(named("core.stack.{layer}.mix.linear_q.weight", layer), {d, d});
      model.add(named("core.stack.{layer}.mix.linear_k.weight", layer), {d, d});
      model.add(named("core.stack.{layer}.mix.linear_q.bias", layer), {d});
    }
    const Mapped mapped(model);
    const FamilyRule guess = guessRule(*mapped.checkpoint);
    REQUIRE(guess.stacks.size() == 1);
    CHECK(guess.stacks[0].query == "core.stack.{layer}.mix.linear_q.weight");
    CHECK(guess.stacks[0].key == "core.stack.{layer}.mix.linear_k.weight");
    CHECK(guess.stacks[0].queryBias == "core.stack.{layer}.mix.linear_q.bias");
    CHECK(guess.stacks[0].keyBias.empty());
    const auto map = tryRule(*mapped.checkpoint, guess);
    REQUIRE(map);
    CHECK(map->layers.size() == 3);
  }
  SECTION("Queries and keys are in one tensor, stored [in, out], in two stacks") {
    TinyModel model;
    for (const char* name : {"enc.lay.{layer}.mha_qkv.kernel", "dec.lay.{layer}.mha_qkv.kernel"})
      for (int layer = 0; layer < 2; ++layer)
        model.add(named(name, layer), {d, 3 * d});
    const Mapped mapped(model);
    const FamilyRule guess = guessRule(*mapped.checkpoint);
    REQUIRE(guess.stacks.size() == 2);
    for (const StackRule& stack : guess.stacks) {
      CHECK(stack.fusion == Fusion::Blocks);
      CHECK(stack.transposed);
    }
    const auto map = tryRule(*mapped.checkpoint, guess);
    INFO((map ? std::string() : map.error().message));
    REQUIRE(map);
    CHECK(map->layersOf(Stack::Encoder) == 2);
    CHECK(map->layersOf(Stack::Decoder) == 2);
  }
  SECTION("There is nothing to guess from") {
    TinyModel model;
    model.add("weights.0", {d, d});
    const Mapped mapped(model);
    const FamilyRule guess = guessRule(*mapped.checkpoint);
    REQUIRE(guess.stacks.size() == 1);
    CHECK(guess.stacks[0].query.empty());
    CHECK(has(mapped.map.noQkReason, "no tensors are named"));
  }
}

TEST_CASE("Errors in a model with known names are reported", "[rules]") {
  const auto noQkReason = [](const TinyModel& model) {
    const Mapped mapped(model);
    CHECK(mapped.map.layers.empty());
    return mapped.map.noQkReason;
  };
  SECTION("The keys are missing") {
    TinyModel model;
    model.config = std::string("{") + kHf + "}";
    model.add("model.layers.0.self_attn.q_proj.weight", {d, d});
    CHECK(has(noQkReason(model), "there is no model.layers.0.self_attn.k_proj.weight"));
  }
  SECTION("Grouped keys and no number of heads") {
    TinyModel model = tinyLlama();
    model.config.clear();
    CHECK(has(noQkReason(model), "the file does not say how many heads"));
  }
  SECTION("A config of another model") {
    TinyModel model = tinyLlama();
    model.config = "{\"model_type\":\"llama\",\"num_attention_heads\":7}";
    CHECK(has(noQkReason(model), "16 outputs, which cannot be divided among 7 heads"));
  }
  SECTION("A config with 0 heads is noted") {
    TinyModel model;
    model.config = "{\"model_type\":\"bert\",\"num_attention_heads\":0}";
    model.add("encoder.layer.0.attention.self.query.weight", {d, d});
    model.add("encoder.layer.0.attention.self.key.weight", {d, d});
    const Mapped mapped(model);
    CHECK(std::ranges::any_of(mapped.map.notes,
                              [](const std::string& note) { return has(note, "the config says 0 heads"); }));
  }
  SECTION("The config contains invalid numbers") {
    for (const char* config : {"{\"num_attention_heads\":-4}", "{\"num_attention_heads\":1e300}",
                               "{\"num_attention_heads\":\"4\"}", "{\"num_attention_heads\":[]}",
                               "{\"num_attention_heads\":18446744073709551615,\"head_dim\":0}", "[]", "null"}) {
      TinyModel model = tinyLlama();
      model.config = config;
      INFO(config);
      const Folder folder;
      const auto checkpoint = Checkpoint::open(model.write(folder));
      if (checkpoint) CHECK(mapAttention(**checkpoint).layers.empty());
    }
  }
  SECTION("The keys are computed from a latent") {
    TinyModel model;
    model.add("model.layers.0.self_attn.kv_a_proj_with_mqa.weight", {8, d});
    model.add("model.layers.0.self_attn.q_a_proj.weight", {8, d});
    CHECK(has(noQkReason(model), "latent"));
  }
}

TEST_CASE("A request for a head or token that does not exist is refused", "[rules]") {
  TinyModel model = tinyLlama();
  const Mapped mapped(model);
  const AttentionLayer& layer = *mapped.map.find(Stack::Self, 0);
  const auto head = loadFactors(*mapped.checkpoint, layer, {HeadPairing::Grouped, 4, false});
  REQUIRE_FALSE(head);
  CHECK(has(head.error().message, "there is no head 4: layer 0 has heads 0 to 3"));
  const auto row = loadEmbedding(*mapped.checkpoint, mapped.map, 3);
  REQUIRE(row);
  CHECK((*row)(5) == model["model.embed_tokens.weight"].at(3, 5));
  for (const std::int64_t token : {-1, 10}) {
    const auto none = loadEmbedding(*mapped.checkpoint, mapped.map, token);
    REQUIRE_FALSE(none);
    CHECK(has(none.error().message, "tokens 0 to 9"));
  }
  const auto none = loadEmbedding(*mapped.checkpoint, AttentionMap{}, 0);
  REQUIRE_FALSE(none);
  CHECK(has(none.error().message, "no embedding"));
}

TEST_CASE("NaN weights are loaded unchanged", "[rules]") {
  TinyModel model = tinyBert(1);
  model.add("bert.encoder.layer.0.attention.self.query.weight", {12, 12});
  TinyTensor& tensor = model.add("bert.encoder.layer.0.attention.self.key.weight", {12, 12});
  tensor.values[14] = std::numeric_limits<float>::quiet_NaN();
  const Mapped mapped(model);
  const auto factors = loadFactors(*mapped.checkpoint, *mapped.map.find(Stack::Self, 0));
  REQUIRE(factors);
  CHECK(std::isnan(factors->W_K(2, 1)));
  CHECK(factors->W_K.array().isNaN().count() == 1);
}
