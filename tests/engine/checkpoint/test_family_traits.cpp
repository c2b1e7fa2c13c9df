// SPDX-License-Identifier: Apache-2.0
// Properties of families besides W_Q and W_K: shared layers, biases, norms, rotary encoding, scale and causality, and
// the notes about them for the user.
#include <cmath>

#include "tests/engine/checkpoint/family_files.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

TinyModel withLayers(const std::string& config, const std::vector<Tensor2>& layer,
                     const std::vector<Tensor2>& once = {}) {
  TinyModel model;
  model.config = config;
  for (const Tensor2& tensor : once)
    model.add(tensor.name, tensor.shape);
  for (int at = 0; at < 2; ++at)
    for (const Tensor2& tensor : layer)
      model.add(named(tensor.name, at), tensor.shape);
  return model;
}

TinyModel llamaOf(const std::string& type, const std::string& more = "") {
  return withLayers("{\"model_type\":\"" + type + "\"," + kGrouped + more + "}",
                    {{"model.layers.{layer}.self_attn.q_proj.weight", {d, d}},
                     {"model.layers.{layer}.self_attn.k_proj.weight", {d / 2, d}},
                     {"model.layers.{layer}.self_attn.q_norm.weight", {d_h}},
                     {"model.layers.{layer}.self_attn.k_norm.weight", {d_h}},
                     {"model.layers.{layer}.input_layernorm.weight", {d}}},
                    {{"model.embed_tokens.weight", {10, d}}});
}

const AttentionLayer& layerOf(const Mapped& mapped, int layer, Stack stack = Stack::Self) {
  INFO(mapped.map.noQkReason);
  const AttentionLayer* found = mapped.map.find(stack, layer);
  REQUIRE(found != nullptr);
  return *found;
}

attention::OmittedScoreParts leftOf(const Mapped& mapped, const AttentionLayer& layer) {
  const auto left = loadOmittedScoreParts(*mapped.checkpoint, layer);
  INFO((left ? std::string() : left.error().message));
  REQUIRE(left);
  return *left;
}

const char* kBertQ = "encoder.layer.{layer}.attention.self.query";
const char* kBertK = "encoder.layer.{layer}.attention.self.key";

}  // namespace

TEST_CASE("The layers of ALBERT share one set of weights, and the map notes it", "[traits]") {
  const char *q = "albert.encoder.albert_layer_groups.{layer}.albert_layers.0.attention.query.weight",
             *k = "albert.encoder.albert_layer_groups.{layer}.albert_layers.0.attention.key.weight";
  TinyModel model;
  model.config =
      "{\"model_type\":\"albert\",\"hidden_size\":24,\"num_attention_heads\":4,\"num_hidden_layers\":6,"
      "\"num_hidden_groups\":1}";
  model.add(named(q, 0), {d, d});
  model.add(named(k, 0), {d, d});
  model.add("albert.embeddings.word_embeddings.weight", {10, 8});
  const Mapped mapped(model);
  CHECK(mapped.map.family == "albert");
  CHECK(mapped.map.layersOf(Stack::Self) == 6);
  CHECK(noted(mapped.map, "all 6 layers share one set of weights"));
  CHECK(mapped.map.tokenEmbedding.empty());  // narrower than the layers
  Truth truth = separateTruth(Stack::Self, named(q, 0), named(k, 0), H, H, d_h, d);
  truth.layers = 6;
  compare(truth, model, *mapped.checkpoint, mapped.map);

  model.add(named(q, 1), {d, d});
  model.add(named(k, 1), {d, d});
  const Mapped two(model);
  REQUIRE(two.map.layersOf(Stack::Self) == 6);
  CHECK(layerOf(two, 2).W_Q.tensor == named(q, 0));
  CHECK(layerOf(two, 3).W_Q.tensor == named(q, 1));
  CHECK(noted(two.map, "6 layers share 2 sets of weights"));
}

TEST_CASE("Biases have the layout of the weights or their own", "[traits]") {
  const std::string q = kBertQ, k = kBertK;
  SECTION("A bias for each projection") {
    const TinyModel model = tinyBert();
    const Mapped mapped(model);
    const auto left = leftOf(mapped, layerOf(mapped, 1));
    REQUIRE(left.b_Q.size() == 12);
    CHECK(left.b_Q(7) == model["bert.encoder.layer.1.attention.self.query.bias"].at(7));
    CHECK(left.b_K(11) == model["bert.encoder.layer.1.attention.self.key.bias"].at(11));
    CHECK_FALSE(left.hasNorm);
    CHECK(left.scale == Approx(0.5));
    CHECK(noted(mapped.map, "biases of queries and keys are left out"));
  }
  SECTION("Biases in the rows of each head") {
    const char* all = "gpt_neox.layers.{layer}.attention.query_key_value";
    const TinyModel model = withLayers(std::string("{\"model_type\":\"gpt_neox\",") + kHf + "}",
                                       {{"gpt_neox.layers.{layer}.attention.query_key_value.weight", {3 * d, d}},
                                        {"gpt_neox.layers.{layer}.attention.query_key_value.bias", {3 * d}}});
    const Mapped mapped(model);
    const auto left = leftOf(mapped, layerOf(mapped, 0));
    for (int h = 0; h < H; ++h)
      for (int a = 0; a < d_h; ++a) {
        CHECK(left.b_Q(h * d_h + a) == model[named(all, 0) + ".bias"].at(h * 3 * d_h + a));
        CHECK(left.b_K(h * d_h + a) == model[named(all, 0) + ".bias"].at(h * 3 * d_h + d_h + a));
      }
  }
  SECTION("DeBERTa has a bias for queries only, head by head, beside the fused weight") {
    const TinyModel model =
        withLayers(std::string("{\"model_type\":\"deberta\",\"pos_att_type\":[\"c2p\",\"p2c\"],") + kHf + "}",
                   {{"encoder.layer.{layer}.attention.self.in_proj.weight", {3 * d, d}},
                    {"encoder.layer.{layer}.attention.self.q_bias", {d}}});
    const Mapped mapped(model);
    const auto left = leftOf(mapped, layerOf(mapped, 1));
    CHECK(left.b_Q(d_h + 2) == model["encoder.layer.1.attention.self.q_bias"].at(d_h + 2));
    CHECK(left.b_K.size() == 0);
    CHECK(left.scale == Approx(1 / std::sqrt(3.0 * d_h)));
    CHECK(noted(mapped.map, "relative positions"));
  }
  SECTION("TransformerLens has a row of biases for each head") {
    const TinyModel model = withLayers("{}", {{"blocks.{layer}.attn.W_Q", {H, d, d_h}},
                                              {"blocks.{layer}.attn.W_K", {H, d, d_h}},
                                              {"blocks.{layer}.attn.b_Q", {H, d_h}},
                                              {"blocks.{layer}.attn.b_K", {H, d_h}}});
    const Mapped mapped(model);
    const auto left = leftOf(mapped, layerOf(mapped, 0));
    CHECK(left.b_Q(2 * d_h + 3) == model["blocks.0.attn.b_Q"].at(2, 3));
    CHECK(left.b_K(3 * d_h + 1) == model["blocks.0.attn.b_K"].at(3, 1));
    CHECK(fromOf(mapped.map, "W_Q of head h") == "blocks.{layer}.attn.W_Q[h], 24 x 6, not transposed");
  }
  SECTION("In BEiT the queries have a bias and the keys have none") {
    const TinyModel model = withLayers(std::string("{\"model_type\":\"beit\",") + kHf + "}",
                                       {{"encoder.layer.{layer}.attention.attention.query.weight", {d, d}},
                                        {"encoder.layer.{layer}.attention.attention.query.bias", {d}},
                                        {"encoder.layer.{layer}.attention.attention.key.weight", {d, d}}});
    const Mapped mapped(model);
    CHECK(layerOf(mapped, 0).b_Q);
    CHECK_FALSE(layerOf(mapped, 0).b_K);
    CHECK(noted(mapped.map, "queries have a bias, keys have none"));
  }
}

TEST_CASE("Norms before the projections are recognised", "[traits]") {
  SECTION("LLaMA has an RMS norm without bias, with its epsilon from the config") {
    const Mapped mapped(llamaOf("llama", ",\"rms_norm_eps\":0.001"));
    const auto left = leftOf(mapped, layerOf(mapped, 0));
    CHECK(left.hasNorm);
    CHECK(left.rms);
    CHECK(left.epsilon == 0.001);
    CHECK(left.gain.size() == d);
    CHECK(left.bias.size() == 0);
  }
  SECTION("In Gemma 1 is added to the gain") {
    const TinyModel model = llamaOf("gemma", ",\"query_pre_attn_scalar\":64");
    const Mapped mapped(model);
    const auto left = leftOf(mapped, layerOf(mapped, 1));
    CHECK(left.gain(5) == 1 + model["model.layers.1.input_layernorm.weight"].at(5));
    CHECK(left.scale == Approx(1.0 / 8));
    CHECK(fromOf(mapped.map, "gain of the norm, left out") == "1 + model.layers.{layer}.input_layernorm.weight");
  }
  SECTION("Norms of the query and the key of each head") {
    const Mapped mapped(llamaOf("qwen3"));
    REQUIRE(layerOf(mapped, 1).q_norm);
    CHECK(layerOf(mapped, 1).q_norm->gain == "model.layers.1.self_attn.q_norm.weight");
    CHECK(layerOf(mapped, 1).q_norm->kind == NormSource::Kind::Rms);
    CHECK(layerOf(mapped, 1).k_norm);
    CHECK(noted(mapped.map, "normalised before they meet"));
  }
  SECTION("wav2vec2 has the norm before the projections only in its stable form") {
    for (const bool stable : {false, true}) {
      const TinyModel model = withLayers(std::string("{\"model_type\":\"wav2vec2\",\"do_stable_layer_norm\":") +
                                             (stable ? "true," : "false,") + kHf + "}",
                                         {{"encoder.layers.{layer}.attention.q_proj.weight", {d, d}},
                                          {"encoder.layers.{layer}.attention.k_proj.weight", {d, d}},
                                          {"encoder.layers.{layer}.layer_norm.weight", {d}}});
      CHECK(layerOf(Mapped(model), 0).norm.has_value() == stable);
    }
  }
  SECTION("In cross attention the norm applies only to the queries") {
    const char *q = "decoder.block.{layer}.layer.1.EncDecAttention.q.weight",
               *k = "decoder.block.{layer}.layer.1.EncDecAttention.k.weight",
               *g = "decoder.block.{layer}.layer.1.layer_norm.weight";
    const TinyModel model = withLayers("{\"model_type\":\"t5\",\"d_model\":24,\"num_heads\":4,\"d_kv\":6}",
                                       {{q, {d, d}}, {k, {d, d}}, {g, {d}}});
    const Mapped mapped(model);
    const AttentionLayer& layer = layerOf(mapped, 0, Stack::Cross);
    CHECK_FALSE(layer.normOfKeys);
    CHECK_FALSE(leftOf(mapped, layer).normOfKeys);
    CHECK(layer.scale == 1);
    const auto folded = loadFactors(*mapped.checkpoint, layer, {HeadPairing::Grouped, -1, true});
    REQUIRE(folded);
    CHECK(folded->W_Q(3, 5) == Approx(model[named(q, 0)].at(5, 3) * model[named(g, 0)].at(3)));
    CHECK(folded->W_K(3, 5) == Approx(model[named(k, 0)].at(5, 3)));
  }
}

TEST_CASE("Folding in the gain multiplies the rows of both factors", "[traits]") {
  const TinyModel model = llamaOf("llama");
  const Mapped mapped(model);
  const auto folded = loadFactors(*mapped.checkpoint, layerOf(mapped, 0), {HeadPairing::Grouped, 3, true});
  REQUIRE(folded);
  const auto& gain = model["model.layers.0.input_layernorm.weight"];
  for (int i = 0; i < d; ++i)
    for (int a = 0; a < d_h; ++a) {
      CHECK(folded->W_Q(i, a) ==
            Approx(model["model.layers.0.self_attn.q_proj.weight"].at(3 * d_h + a, i) * gain.at(i)));
      CHECK(folded->W_K(i, a) == Approx(model["model.layers.0.self_attn.k_proj.weight"].at(d_h + a, i) * gain.at(i)));
    }
}

TEST_CASE("Rotary encodings are recognised", "[traits]") {
  const auto rope = [](const Mapped& mapped, int layer) {
    REQUIRE(layerOf(mapped, layer).rope);
    return *layerOf(mapped, layer).rope;
  };
  SECTION("LLaMA rotates the two halves of a head") {
    const Mapped mapped(llamaOf("llama", ",\"rope_theta\":500000.0"));
    CHECK(rope(mapped, 0).base == 500000);
    CHECK(rope(mapped, 0).dimensions == d_h);
    CHECK_FALSE(rope(mapped, 0).interleaved);
  }
  SECTION("Newer configs store the encoding in an object") {
    CHECK(rope(Mapped(llamaOf("qwen2", ",\"rope_parameters\":{\"rope_theta\":1000000.0}")), 0).base == 1000000);
  }
  SECTION("GPT-J rotates adjacent pairs of a part of the coordinates") {
    const TinyModel model = withLayers(
        std::string("{\"model_type\":\"gptj\",\"rotary_dim\":4,") + kGpt + "}",
        {{"transformer.h.{layer}.attn.q_proj.weight", {d, d}}, {"transformer.h.{layer}.attn.k_proj.weight", {d, d}}});
    const Mapped mapped(model);
    CHECK(rope(mapped, 0).interleaved);
    CHECK(rope(mapped, 0).dimensions == 4);
  }
  SECTION("Phi-2 rotates a fraction of the coordinates") {
    CHECK(rope(Mapped(llamaOf("phi", ",\"partial_rotary_factor\":0.4")), 0).dimensions == 2);
  }
  SECTION("In ModernBERT every third layer is global") {
    TinyModel model = withLayers(std::string("{\"model_type\":\"modernbert\",\"global_rope_theta\":160000.0,"
                                             "\"local_rope_theta\":10000.0,") +
                                     kHf + "}",
                                 {{"model.layers.{layer}.attn.Wqkv.weight", {3 * d, d}}});
    const Mapped mapped(model);
    CHECK(rope(mapped, 0).base == 160000);
    CHECK(rope(mapped, 1).base == 10000);
    CHECK_FALSE(layerOf(mapped, 1).causal);
  }
  SECTION("In Gemma 3 the config gives the interval of the global layers") {
    const Mapped mapped(llamaOf("gemma3_text",
                                ",\"rope_theta\":1000000.0,\"rope_local_base_freq\":10000.0,"
                                "\"sliding_window_pattern\":2"));
    CHECK(rope(mapped, 0).base == 10000);
    CHECK(rope(mapped, 1).base == 1000000);
  }
}

TEST_CASE("In Qwen 3 Next a gate follows the query of each head", "[traits]") {
  const char *q = "model.layers.{layer}.self_attn.q_proj.weight", *k = "model.layers.{layer}.self_attn.k_proj.weight";
  TinyModel model;
  model.config = std::string("{\"model_type\":\"qwen3_next\",\"head_dim\":6,") + kGrouped + "}";
  for (const int at : {3, 7}) {  // the layers between use another kind of attention
    model.add(named(q, at), {2 * d, d});
    model.add(named(k, at), {d / 2, d});
  }
  const Mapped mapped(model);
  Truth truth = separateTruth(Stack::Self, q, k, H, 2, d_h, d);
  const auto stored = [](int layer) { return 4 * layer + 3; };
  truth.query = [=](const TinyModel& file, int layer, int h, int a, int i) {
    return file[named(q, stored(layer))].at(h * 2 * d_h + a, i);
  };
  truth.key = [=](const TinyModel& file, int layer, int h, int a, int i) {
    return file[named(k, stored(layer))].at(h / 2 * d_h + a, i);
  };
  compare(truth, model, *mapped.checkpoint, mapped.map);
  CHECK(noted(mapped.map, "layer 0 is number 3"));
}

TEST_CASE("The norm of OLMo has no weights", "[traits]") {
  const auto left = [](const Mapped& mapped) { return leftOf(mapped, layerOf(mapped, 0)); };
  const Mapped mapped(llamaOf("olmo"));
  CHECK(mapped.map.familyName == "OLMo");
  CHECK(left(mapped).hasNorm);
  CHECK(left(mapped).gain.size() == 0);
  CHECK(loadFactors(*mapped.checkpoint, layerOf(mapped, 0), {HeadPairing::Grouped, -1, true}));
}

TEST_CASE("Causal and bidirectional models are distinguished", "[traits]") {
  CHECK(layerOf(Mapped(llamaOf("llama")), 0).causal);
  CHECK_FALSE(layerOf(Mapped(llamaOf("Dream")), 0).causal);
  CHECK_FALSE(layerOf(Mapped(tinyBert()), 0).causal);
  TinyModel decoder = tinyBert();
  decoder.config.insert(1, "\"is_decoder\":true,");
  CHECK(layerOf(Mapped(decoder), 0).causal);
}

TEST_CASE("The published pairing uses key head h mod K", "[traits]") {
  const TinyModel model = tinyLlama(1, 4, 2);
  const Mapped mapped(model);
  const auto right = loadFactors(*mapped.checkpoint, layerOf(mapped, 0));
  const auto published = loadFactors(*mapped.checkpoint, layerOf(mapped, 0), {HeadPairing::Published, -1, false});
  REQUIRE((right && published));
  CHECK(right->keyHead == std::vector<int>{0, 0, 1, 1});
  CHECK(published->keyHead == std::vector<int>{0, 1, 0, 1});
  const auto one = loadFactors(*mapped.checkpoint, layerOf(mapped, 0), {HeadPairing::Published, 1, false});
  REQUIRE(one);
  CHECK(one->heads == 1);
  CHECK(one->W_K.isApprox(published->key(1)));
  CHECK_FALSE(one->W_K.isApprox(right->key(1)));
}

TEST_CASE("The language part of a vision-language model is mapped, and the other part is named", "[traits]") {
  TinyModel model = withLayers(
      "{\"model_type\":\"gemma3\",\"text_config\":{\"model_type\":\"gemma3_text\",\"hidden_size\":24,"
      "\"num_attention_heads\":4,\"num_key_value_heads\":2,\"head_dim\":6},"
      "\"vision_config\":{\"hidden_size\":12,\"num_attention_heads\":2}}",
      {{"language_model.model.layers.{layer}.self_attn.q_proj.weight", {d, d}},
       {"language_model.model.layers.{layer}.self_attn.k_proj.weight", {d / 2, d}}});
  for (int layer = 0; layer < 5; ++layer)
    for (const char* part : {"q_proj", "k_proj"})
      model.add(named("vision_tower.vision_model.encoder.layers.{layer}.self_attn.", layer) + part + ".weight",
                {12, 12});
  const Mapped mapped(model);
  CHECK(mapped.map.family == "gemma");
  CHECK(layerOf(mapped, 0).W_Q.tensor == "language_model.model.layers.0.self_attn.q_proj.weight");
  CHECK(mapped.map.layers.size() == 2);
  CHECK(noted(mapped.map, "vision_tower.vision_model.encoder."));
}

TEST_CASE("Layers with gaps in their numbers are counted in order", "[traits]") {
  TinyModel model;
  model.config = "{\"heads\":4}";
  for (const int at : {0, 2, 4})
    for (const char* part : {"to_q", "to_k"})
      model.add(named("attn_layers.layers.{layer}.attn.", at) + part + ".weight", {d, d});
  const Mapped mapped(model);
  REQUIRE(mapped.map.layers.size() == 3);
  CHECK(layerOf(mapped, 1).W_Q.tensor == "attn_layers.layers.2.attn.to_q.weight");
  CHECK(noted(mapped.map, "layer 1 is number 2"));
}

TEST_CASE("GGUF: shapes and numbers of heads are read from the key-value pairs", "[traits]") {
  Gguf file;
  file.word("general.architecture", "qwen2").number("qwen2.block_count", 2).number("qwen2.embedding_length", 8);
  file.number("qwen2.attention.head_count", 4).number("qwen2.attention.head_count_kv", 2);
  TinyModel model;
  for (int layer = 0; layer < 2; ++layer)
    for (const auto& [part, rows] : {std::pair("attn_q", 8), std::pair("attn_k", 4)}) {
      const std::string name = named("blk.{layer}.", layer) + part + ".weight";
      file.tensor(name, {8, static_cast<std::uint64_t>(rows)}, 0, raw(model.add(name, {rows, 8}).values));
    }
  const Folder folder;
  const auto checkpoint = opened(folder.write("qwen.gguf", file.bytes()));
  const AttentionMap map = mapAttention(*checkpoint);
  CHECK(map.family == "qwen2");
  CHECK(map.familyName == "Qwen 2, Qwen 2.5");
  compare(separateTruth(Stack::Self, "blk.{layer}.attn_q.weight", "blk.{layer}.attn_k.weight", 4, 2, 2, 8), model,
          *checkpoint, map);
  REQUIRE(map.layers[0].rope);
  CHECK_FALSE(map.layers[0].rope->interleaved);
}

TEST_CASE("GGUF: queries, keys and values in one tensor are mapped", "[traits]") {
  Gguf file;
  file.word("general.architecture", "gpt2").number("gpt2.attention.head_count", 4);
  TinyModel model;
  for (int layer = 0; layer < 2; ++layer) {
    const std::string name = named("blk.{layer}.attn_qkv.weight", layer);
    file.tensor(name, {8, 24}, 0, raw(model.add(name, {24, 8}).values));
  }
  const Folder folder;
  const auto checkpoint = opened(folder.write("gpt2.gguf", file.bytes()));
  const AttentionMap map = mapAttention(*checkpoint);
  CHECK(map.family == "gpt2");
  compare(blocksTruth(Stack::Self, "blk.{layer}.attn_qkv.weight", 4, 4, 2, 8), model, *checkpoint, map);
  CHECK_FALSE(map.layers[0].rope);
}
