// SPDX-License-Identifier: Apache-2.0
// Every supported family has a hand-made model of two layers. W_qk of every layer and head equals the literal loop over
// the family's own forward pass, with its config and, where names are sufficient, without its type. This file tests
// text models with one stack.
#include "tests/engine/checkpoint/family_files.h"

using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

std::vector<Family> bertFamilies() {
  const char *q = "bert.encoder.layer.{layer}.attention.self.query.weight",
             *k = "bert.encoder.layer.{layer}.attention.self.key.weight";
  const char *rq = "roberta.encoder.layer.{layer}.attention.self.query.weight",
             *rk = "roberta.encoder.layer.{layer}.attention.self.key.weight";
  const char *dq = "distilbert.transformer.layer.{layer}.attention.q_lin.weight",
             *dk = "distilbert.transformer.layer.{layer}.attention.k_lin.weight";
  const char* v1 = "deberta.encoder.layer.{layer}.attention.self.in_proj.weight";
  const char *v2q = "deberta.encoder.layer.{layer}.attention.self.query_proj.weight",
             *v2k = "deberta.encoder.layer.{layer}.attention.self.key_proj.weight";
  const char* modern = "model.layers.{layer}.attn.Wqkv.weight";
  return {
      {"bert", "bert", kHf, pair(q, k), {}, {separateTruth(Stack::Self, q, k, H, H, d_h, d)}, "bert"},
      {"roberta", "roberta", kHf, pair(rq, rk), {}, {separateTruth(Stack::Self, rq, rk, H, H, d_h, d)}, "roberta"},
      {"xlm-roberta",
       "xlm-roberta",
       kHf,
       pair(rq, rk),
       {},
       {separateTruth(Stack::Self, rq, rk, H, H, d_h, d)},
       "roberta"},
      {"distilbert",
       "distilbert",
       "\"dim\":24,\"n_heads\":4,\"n_layers\":2",
       pair(dq, dk),
       {},
       {separateTruth(Stack::Self, dq, dk, H, H, d_h, d)},
       "distilbert"},
      {"deberta", "deberta", kHf, {{v1, {3 * d, d}}}, {}, {perHeadTruth(v1, H, d_h, d)}, "deberta"},
      {"deberta-v2",
       "deberta-v2",
       kHf,
       pair(v2q, v2k),
       {},
       {separateTruth(Stack::Self, v2q, v2k, H, H, d_h, d)},
       "deberta-v2"},
      {"modernbert",
       "modernbert",
       kHf,
       {{modern, {3 * d, d}}},
       {},
       {blocksTruth(Stack::Self, modern, H, H, d_h, d)},
       "modernbert"},
  };
}

std::vector<Family> gptFamilies() {
  const char* conv = "transformer.h.{layer}.attn.c_attn.weight";
  const char* bare = "h.{layer}.attn.c_attn.weight";
  const char* compiled = "_orig_mod.transformer.h.{layer}.attn.c_attn.weight";
  const char *nq = "transformer.h.{layer}.attn.attention.q_proj.weight",
             *nk = "transformer.h.{layer}.attn.attention.k_proj.weight";
  const char *jq = "transformer.h.{layer}.attn.q_proj.weight", *jk = "transformer.h.{layer}.attn.k_proj.weight";
  const char* neox = "gpt_neox.layers.{layer}.attention.query_key_value.weight";
  const char* bloom = "transformer.h.{layer}.self_attention.query_key_value.weight";
  const char* mpt = "transformer.blocks.{layer}.attn.Wqkv.weight";
  const Tensor2 wpe{"transformer.wpe.weight", {8, d}}, mlp{"transformer.h.{layer}.mlp.w1.weight", {48, d}};
  Family bigcode{"gpt_bigcode",
                 "gpt_bigcode",
                 "\"n_embd\":24,\"n_head\":4,\"n_layer\":2,\"multi_query\":true",
                 {{conv, {d + 2 * d_h, d}}},
                 {wpe},
                 {blocksTruth(Stack::Self, conv, H, 1, d_h, d)},
                 nullptr};
  Family falcon7{"falcon",
                 "falcon",
                 "\"hidden_size\":24,\"num_attention_heads\":4,\"num_kv_heads\":71,\"multi_query\":true",
                 {{bloom, {d + 2 * d_h, d}}},
                 {},
                 {groupsTruth(bloom, H, 1, d_h, d)},
                 "falcon"};
  Family falcon40{"falcon",
                  "falcon",
                  "\"hidden_size\":24,\"num_attention_heads\":4,\"num_kv_heads\":2,\"multi_query\":true,"
                  "\"new_decoder_architecture\":true",
                  {{bloom, {8 * d_h, d}}, {"transformer.h.{layer}.ln_attn.weight", {d}}},
                  {},
                  {groupsTruth(bloom, H, 2, d_h, d)},
                  "falcon"};
  return {
      {"gpt2", "gpt2", kGpt, {{conv, {d, 3 * d}}}, {wpe}, {conv1dTruth(conv, H, d_h, d)}, "gpt2"},
      {"gpt2", "gpt2", kGpt, {{bare, {d, 3 * d}}}, {}, {conv1dTruth(bare, H, d_h, d)}, "gpt2"},
      {"openai-gpt",
       "openai-gpt",
       kGpt,
       {{conv, {d, 3 * d}}},
       {{"transformer.tokens_embed.weight", {10, d}}},
       {conv1dTruth(conv, H, d_h, d)},
       "openai-gpt"},
      {"imagegpt", "imagegpt", kGpt, {{conv, {d, 3 * d}}}, {wpe}, {conv1dTruth(conv, H, d_h, d)}, "gpt2"},
      {"nanogpt",
       "nanogpt",
       kGpt,
       {{compiled, {3 * d, d}}},
       {},
       {blocksTruth(Stack::Self, compiled, H, H, d_h, d)},
       "nanogpt"},
      bigcode,
      {"qwen", "qwen", kHf, {{conv, {3 * d, d}}, mlp}, {}, {blocksTruth(Stack::Self, conv, H, H, d_h, d)}, "qwen"},
      {"gpt_neo",
       "gpt_neo",
       "\"hidden_size\":24,\"num_heads\":4,\"num_layers\":2",
       pair(nq, nk),
       {},
       {separateTruth(Stack::Self, nq, nk, H, H, d_h, d)},
       "gpt_neo"},
      {"gptj", "gptj", kGpt, pair(jq, jk), {}, {separateTruth(Stack::Self, jq, jk, H, H, d_h, d)}, "gptj"},
      {"gpt_neox", "gpt_neox", kHf, {{neox, {3 * d, d}}}, {}, {perHeadTruth(neox, H, d_h, d)}, "gpt_neox"},
      {"bloom",
       "bloom",
       kGpt,
       {{bloom, {3 * d, d}}},
       {{"transformer.word_embeddings_layernorm.weight", {d}}},
       {perHeadTruth(bloom, H, d_h, d)},
       "bloom"},
      falcon7,
      falcon40,
      {"mpt",
       "mpt",
       "\"d_model\":24,\"n_heads\":4,\"n_layers\":2",
       {{mpt, {3 * d, d}}},
       {},
       {blocksTruth(Stack::Self, mpt, H, H, d_h, d)},
       nullptr},
  };
}

std::vector<Family> llamaFamilies() {
  const char *q = "model.layers.{layer}.self_attn.q_proj.weight", *k = "model.layers.{layer}.self_attn.k_proj.weight";
  std::vector<Family> all;
  for (const auto& [key, type] : std::vector<std::pair<const char*, const char*>>{{"llama", "llama"},
                                                                                  {"mistral", "mistral"},
                                                                                  {"mixtral", "mixtral"},
                                                                                  {"mobilellm", "mobilellm"},
                                                                                  {"qwen2", "qwen2"},
                                                                                  {"qwen3", "qwen3"},
                                                                                  {"phi", "phi"},
                                                                                  {"gemma", "gemma2"},
                                                                                  {"dream", "Dream"},
                                                                                  {"olmo2", "olmo2"},
                                                                                  {"stablelm", "stablelm"},
                                                                                  {"starcoder2", "starcoder2"},
                                                                                  {"cohere", "cohere"}})
    all.push_back(
        {key, type, kGrouped, pair(q, k, d, d / 2), {}, {separateTruth(Stack::Self, q, k, H, 2, d_h, d)}, "llama"});
  // In Gemma heads are wider than d_model / H.
  all.push_back({"gemma",
                 "gemma3_text",
                 "\"hidden_size\":24,\"num_attention_heads\":4,\"num_key_value_heads\":1,\"head_dim\":10",
                 pair(q, k, 40, 10),
                 {},
                 {separateTruth(Stack::Self, q, k, H, 1, 10, d)},
                 "llama"});
  const char* phi3 = "model.layers.{layer}.self_attn.qkv_proj.weight";
  all.push_back(
      {"phi3", "phi3", kGrouped, {{phi3, {8 * d_h, d}}}, {}, {blocksTruth(Stack::Self, phi3, H, 2, d_h, d)}, "phi3"});
  const char* small = "model.layers.{layer}.self_attn.query_key_value.weight";
  all.push_back(
      {"phi3small", "phi3small", kGrouped, {{small, {8 * d_h, d}}}, {}, {groupsTruth(small, H, 2, d_h, d)}, nullptr});
  const char* mixer = "transformer.h.{layer}.mixer.Wqkv.weight";
  all.push_back({"phi-msft",
                 "phi-msft",
                 kGpt,
                 {{mixer, {3 * d, d}}},
                 {},
                 {blocksTruth(Stack::Self, mixer, H, H, d_h, d)},
                 "phi-msft"});
  const char *lq = "model.transformer.blocks.{layer}.q_proj.weight",
             *lk = "model.transformer.blocks.{layer}.k_proj.weight";
  all.push_back({"llada",
                 "llada",
                 "\"d_model\":24,\"n_heads\":4,\"n_kv_heads\":4",
                 pair(lq, lk),
                 {},
                 {separateTruth(Stack::Self, lq, lk, H, H, d_h, d)},
                 "llada"});
  const char* olmo = "model.transformer.blocks.{layer}.att_proj.weight";
  all.push_back({"olmo1",
                 "olmo",
                 "\"d_model\":24,\"n_heads\":4",
                 {{olmo, {3 * d, d}}},
                 {},
                 {blocksTruth(Stack::Self, olmo, H, H, d_h, d)},
                 "olmo1"});
  const char* intern = "model.layers.{layer}.attention.wqkv.weight";
  all.push_back({"internlm2",
                 "internlm2",
                 kGrouped,
                 {{intern, {8 * d_h, d}}},
                 {},
                 {groupsTruth(intern, H, 2, d_h, d)},
                 "internlm2"});
  const char* glm = "transformer.encoder.layers.{layer}.self_attention.query_key_value.weight";
  all.push_back(
      {"chatglm",
       "chatglm",
       "\"hidden_size\":24,\"num_attention_heads\":4,\"multi_query_attention\":true,\"multi_query_group_num\":2",
       {{glm, {8 * d_h, d}}},
       {},
       {blocksTruth(Stack::Self, glm, H, 2, d_h, d)},
       "chatglm"});
  const char *mq = "layers.{layer}.attention.wq.weight", *mk = "layers.{layer}.attention.wk.weight";
  all.push_back({"llama-meta",
                 "",
                 "\"dim\":24,\"n_heads\":4,\"n_kv_heads\":2",
                 pair(mq, mk, d, d / 2),
                 {},
                 {separateTruth(Stack::Self, mq, mk, H, 2, d_h, d)},
                 "llama-meta"});
  return all;
}

}  // namespace

TEST_CASE("Families with the layouts of BERT are mapped", "[families]") {
  check(bertFamilies());
}

TEST_CASE("Families with the layouts of GPT are mapped", "[families]") {
  check(gptFamilies());
}

TEST_CASE("Families with the layouts of LLaMA are mapped", "[families]") {
  check(llamaFamilies());
}
