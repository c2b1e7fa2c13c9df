// SPDX-License-Identifier: Apache-2.0
// Plans of complete models: the location of the values, the parts of each family, missing parts, and refusals.
#include <cmath>
#include <numbers>

#include "tests/engine/checkpoint/plan_models.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;
using Catch::Contains;

TEST_CASE("The plan of LLaMA has grouped values, a gated feed-forward part and a tied head", "[plan]") {
  const Planned made(llamaModel().set("\"rms_norm_eps\":1e-6,\"rope_theta\":20000"));
  REQUIRE(made.refusal().empty());
  CHECK(made->d_model == d);
  CHECK(made->vocabulary == 10);
  CHECK(made->positions == 64);
  CHECK(made->missing.empty());
  REQUIRE(made->blocks.size() == 2);
  const BlockPlan& block = made.block(1);
  CHECK(block.attention.norm->epsilon == 1e-6);
  CHECK(block.W_V.tensor == "model.layers.1.self_attn.v_proj.weight");
  CHECK(block.W_V.headStride == d_h);
  CHECK_FALSE(block.b_V);
  CHECK(block.d_v == d_h);
  CHECK(block.W_O.out == d);
  CHECK(block.W_O.in == d);
  REQUIRE(block.feedForward);
  CHECK(block.feedForward->gate->tensor == "model.layers.1.mlp.gate_proj.weight");
  CHECK(block.feedForward->up.out == 40);
  CHECK(block.feedForward->down.in == 40);
  CHECK(block.feedForward->activation == FeedForwardActivation::Silu);
  CHECK(block.feedForwardNorm->kind == NormSource::Kind::Rms);
  CHECK_FALSE(block.feedForwardAfter);
  CHECK(block.score.window == 0);
  REQUIRE(made->head);
  CHECK(made->head->logits.tensor == "model.embed_tokens.weight");
  CHECK(made->head->finalNorm->gain == "model.norm.weight");
  CHECK_FALSE(made->head->masked);
  CHECK_THAT(made->agreement, Contains("compared with an independent one"));
  CHECK(Planned(llamaModel("granite"))->agreement.empty());
  CHECK(Planned(llamaModel("gemma"))->agreement.empty());
}

TEST_CASE("A file of a tied model may contain the head in place of the embedding", "[plan]") {
  WholeModel model = llamaModel().without("embed_tokens").with({{"lm_head.weight", {10, d}}});
  const Planned made(model);
  REQUIRE(made.refusal().empty());
  CHECK(made->tokenEmbedding == "lm_head.weight");
  CHECK(made->head->logits.tensor == "lm_head.weight");
  CHECK(made->notes.size() == 1);
  // In an untied model this table is not an embedding.
  model.config = std::string(kGrouped) + ",\"tie_word_embeddings\":false";
  CHECK_THAT(Planned(model).refusal(), Contains("has no token embedding (embed_tokens.weight)"));
}

TEST_CASE("The plan of GPT-2 has the columns of one tensor, positions and biases", "[plan]") {
  const Planned made(gpt2Model());
  REQUIRE(made.refusal().empty());
  CHECK(made->positions == 16);
  CHECK(made->positionEmbedding == "transformer.wpe.weight");
  const BlockPlan& block = made.block(0);
  CHECK(block.W_V.tensor == block.attention.W_Q.tensor);
  CHECK(block.W_V.transposed);
  CHECK(block.W_V.offset == 2 * d);
  CHECK(block.b_V->offset == 2 * d);
  CHECK_FALSE(block.b_V->transposed);
  CHECK(block.W_O.transposed);
  CHECK(block.W_O.bias == "transformer.h.0.attn.c_proj.bias");
  CHECK(block.feedForward->up.out == 4 * d);
  CHECK(block.feedForward->up.transposed);
  CHECK(block.feedForward->activation == FeedForwardActivation::GeluTanh);
  CHECK_FALSE(block.feedForward->gate);
  CHECK(made->head->finalNorm->bias == "transformer.ln_f.bias");
  const Planned erf(gpt2Model().set("\"activation_function\":\"gelu\""));
  CHECK(erf.block(0).feedForward->activation == FeedForwardActivation::GeluErf);
}

TEST_CASE("nanoGPT has the exact GELU, and the first StarCoder has one key head", "[plan]") {
  WholeModel model = gpt2Model();
  for (Tensor2& tensor : model.layer)
    if (tensor.shape.size() == 2) std::swap(tensor.shape[0], tensor.shape[1]);
  model.config = "\"n_embd\":24,\"n_head\":4,\"n_layer\":2,\"block_size\":16";
  model.type.clear();
  const Planned nano(model);
  CHECK(nano.mapped.map.family == "nanogpt");
  CHECK(nano.block(0).feedForward->activation == FeedForwardActivation::GeluErf);
  CHECK_FALSE(nano.block(0).W_O.transposed);

  model.named("gpt_bigcode").set("\"multi_query\":true");
  for (Tensor2& tensor : model.layer)
    if (has(tensor.name, "c_attn")) tensor.shape.front() = d + 2 * d_h;
  const Planned code(model);
  REQUIRE(code.refusal().empty());
  CHECK(code.block(0).attention.kvHeads == 1);
  CHECK(code.block(0).W_V.offset == d + d_h);
  CHECK(code.block(0).b_V->offset == d + d_h);
}

TEST_CASE("GPT-1 has norms after the sums and no norm before the head", "[plan]") {
  WholeModel model = gpt2Model().named("openai-gpt").without("ln_f").without("wte").without("wpe");
  model.with({{"tokens_embed.weight", {10, d}}, {"positions_embed.weight", {16, d}}}).set("\"afn\":\"gelu\"");
  const Planned made(model);
  REQUIRE(made.refusal().empty());
  CHECK_FALSE(made.block(0).attention.norm);
  CHECK(made.block(0).attentionAfter->gain == "transformer.h.0.ln_1.weight");
  CHECK(made.block(0).feedForwardAfter->gain == "transformer.h.0.ln_2.weight");
  CHECK_FALSE(made.block(0).feedForwardNorm);
  CHECK_FALSE(made->head->finalNorm);
  CHECK(made.block(0).feedForward->activation ==
        FeedForwardActivation::GeluTanh);  // GPT-1's name "gelu" means the tanh form
}

TEST_CASE("BLOOM has values head by head, slopes and a norm of the embedding", "[plan]") {
  WholeModel model = bloomModel("bloom");
  model.with(
      {{"transformer.word_embeddings_layernorm.weight", {d}}, {"transformer.word_embeddings_layernorm.bias", {d}}});
  model.layer.push_back({"transformer.h.{layer}.post_attention_layernorm.weight", {d}});
  const Planned made(model);
  REQUIRE(made.refusal().empty());
  const BlockPlan& block = made.block(0);
  CHECK(block.W_V.offset == 2 * d_h);
  CHECK(block.W_V.headStride == 3 * d_h);
  CHECK(block.score.slopes == std::vector<double>{0.25, 0.0625, 0.015625, 0.00390625});
  CHECK_FALSE(block.score.slopesScaled);
  CHECK_FALSE(block.parallel);
  CHECK(block.feedForward->activation == FeedForwardActivation::GeluTanh);
  CHECK(made->embeddingNorm->gain == "transformer.word_embeddings_layernorm.weight");
  model.set("\"apply_residual_connection_post_layernorm\":true");
  CHECK_THAT(Planned(model).refusal(), Contains("apply_residual_connection_post_layernorm"));
}

TEST_CASE("Falcon has one key head with one norm, or groups of heads with two norms", "[plan]") {
  const Planned small(bloomModel("falcon", d + 2 * d_h).set("\"multi_query\":true,\"parallel_attn\":true"));
  REQUIRE(small.refusal().empty());
  CHECK(small.block(0).parallel);
  CHECK_FALSE(small.block(0).feedForwardNorm);
  CHECK(small.block(0).W_V.offset == d + d_h);
  CHECK(small.block(0).feedForward->activation == FeedForwardActivation::GeluErf);

  WholeModel large = bloomModel("falcon", d + 4 * d_h).without("input_layernorm");
  large.set("\"num_kv_heads\":2,\"new_decoder_architecture\":true");
  large.layer.push_back({"transformer.h.{layer}.ln_attn.weight", {d}});
  large.layer.push_back({"transformer.h.{layer}.ln_mlp.weight", {d}});
  const Planned grouped(large);
  REQUIRE(grouped.refusal().empty());
  CHECK(grouped.block(0).parallel);
  CHECK(grouped.block(0).attention.norm->gain == "transformer.h.0.ln_attn.weight");
  CHECK(grouped.block(0).feedForwardNorm->gain == "transformer.h.0.ln_mlp.weight");
  CHECK(grouped.block(0).W_V.offset == 3 * d_h);  // after two queries and a key
  CHECK(grouped.block(0).W_V.headStride == 4 * d_h);

  WholeModel alibi = bloomModel("falcon").set("\"alibi\":true,\"parallel_attn\":false,\"multi_query\":false");
  alibi.layer.push_back({"transformer.h.{layer}.post_attention_layernorm.weight", {d}});
  const Planned slopes(alibi);
  REQUIRE(slopes.refusal().empty());
  CHECK_FALSE(slopes.block(0).parallel);
  CHECK(slopes.block(0).feedForwardNorm);
  CHECK(slopes.block(0).score.slopesScaled);
  CHECK(slopes.block(0).score.slopes.size() == 4);
  CHECK_FALSE(slopes.block(0).attention.rope);
}

TEST_CASE("GPT-NeoX has parallel branches unless the config says otherwise", "[plan]") {
  WholeModel model;
  model.type = "gpt_neox";
  model.config = kHf;
  model.layer = {{"gpt_neox.layers.{layer}.input_layernorm.weight", {d}},
                 {"gpt_neox.layers.{layer}.attention.query_key_value.weight", {3 * d, d}},
                 {"gpt_neox.layers.{layer}.attention.dense.weight", {d, d}},
                 {"gpt_neox.layers.{layer}.post_attention_layernorm.weight", {d}},
                 {"gpt_neox.layers.{layer}.mlp.dense_h_to_4h.weight", {40, d}},
                 {"gpt_neox.layers.{layer}.mlp.dense_4h_to_h.weight", {d, 40}}};
  model.once = {
      {"gpt_neox.embed_in.weight", {10, d}}, {"gpt_neox.final_layer_norm.weight", {d}}, {"embed_out.weight", {10, d}}};
  const Planned made(model);
  REQUIRE(made.refusal().empty());
  CHECK(made.block(0).parallel);
  CHECK(made.block(0).feedForwardNorm);  // a separate norm of the block's input
  CHECK(made.block(0).feedForward->activation == FeedForwardActivation::GeluErf);
  CHECK(made->head->logits.tensor == "embed_out.weight");
  CHECK_FALSE(Planned(model.set("\"use_parallel_residual\":false")).block(0).parallel);
}

TEST_CASE("Mistral has sliding windows in every layer, Qwen 2 only where they are enabled", "[plan]") {
  const Planned mistral(llamaModel("mistral").set("\"sliding_window\":5"));
  CHECK(mistral.block(0).score.window == 5);
  CHECK(mistral.block(1).score.window == 5);
  CHECK(Planned(llamaModel("mistral").set("\"sliding_window\":null")).block(0).score.window == 0);
  const std::string off = "\"sliding_window\":5,\"use_sliding_window\":false,\"max_window_layers\":1";
  CHECK(Planned(llamaModel("qwen2").set(off)).block(1).score.window == 0);
  const std::string on = "\"sliding_window\":5,\"use_sliding_window\":true,\"max_window_layers\":1";
  CHECK(Planned(llamaModel("qwen2").set(on)).block(0).score.window == 0);
  CHECK(Planned(llamaModel("qwen2").set(on)).block(1).score.window == 5);
  for (const char* wrong : {"-4", "0", "\"wide\"", "2.5"})
    CHECK_THAT(Planned(llamaModel("mistral").set(std::string("\"sliding_window\":") + wrong)).refusal(),
               Contains("sliding_window") && Contains("a window is at least 1 token wide"));
}

TEST_CASE("Gemma has gains of 1 + w and scaled embeddings, and Gemma 2 also has soft caps and four norms", "[plan]") {
  const Planned first(llamaModel("gemma").set("\"hidden_act\":\"gelu\""));
  REQUIRE(first.refusal().empty());
  CHECK(first->embeddingScale == Approx(std::sqrt(24.0)));
  CHECK(first.block(0).attention.norm->onePlusGain);
  CHECK(first.block(0).feedForwardNorm->onePlusGain);
  CHECK(first->head->finalNorm->onePlusGain);
  CHECK(first.block(0).feedForward->activation == FeedForwardActivation::GeluTanh);
  CHECK_FALSE(first.block(0).attentionOut);

  WholeModel model = llamaModel("gemma2").set(
      "\"attn_logit_softcapping\":2.0,\"final_logit_softcapping\":3.0,\"sliding_window\":4,\"query_pre_attn_scalar\":20");
  model.layer.push_back({"model.layers.{layer}.pre_feedforward_layernorm.weight", {d}});
  model.layer.push_back({"model.layers.{layer}.post_feedforward_layernorm.weight", {d}});
  const Planned second(model);
  REQUIRE(second.refusal().empty());
  const BlockPlan& block = second.block(0);
  CHECK(block.score.cap == 2);
  CHECK(second->head->cap == 3);
  CHECK(block.score.window == 4);
  CHECK(second.block(1).score.window == 0);
  CHECK(block.attention.scale == Approx(1 / std::sqrt(20.0)));
  CHECK(block.attentionOut->gain == "model.layers.0.post_attention_layernorm.weight");
  CHECK(block.feedForwardNorm->gain == "model.layers.0.pre_feedforward_layernorm.weight");
  CHECK(block.feedForwardOut->gain == "model.layers.0.post_feedforward_layernorm.weight");
  model.config = std::string(kGrouped) + ",\"head_dim\":6,\"attn_logit_softcapping\":-1";
  CHECK_THAT(Planned(model).refusal(), Contains("attn_logit_softcapping -1: it must be a positive number"));
}

TEST_CASE("The local layers of Gemma 3 have a smaller rotary base and no rotary scaling", "[plan]") {
  WholeModel model =
      llamaModel("gemma3_text").set("\"sliding_window\":4,\"rope_scaling\":{\"rope_type\":\"linear\",\"factor\":8.0}");
  model.layers = 6;
  model.layer.push_back({"model.layers.{layer}.pre_feedforward_layernorm.weight", {d}});
  model.layer.push_back({"model.layers.{layer}.post_feedforward_layernorm.weight", {d}});
  const Planned made(model);
  REQUIRE(made.refusal().empty());
  CHECK(made.block(4).score.window == 4);
  CHECK(made.block(4).attention.rope->base == 10000);
  CHECK(made.block(4).ropeScaling.factors.empty());
  CHECK(made.block(5).score.window == 0);
  CHECK(made.block(5).attention.rope->base == 1e6);
  CHECK(made.block(5).ropeScaling.factors == std::vector<double>{8, 8, 8});
  CHECK(made.block(0).attention.scale == Approx(1.0 / 16));
  // In newer files each kind of layer has its own settings.
  model.config = std::string(kGrouped) +
                 ",\"head_dim\":6,\"rope_parameters\":{\"full_attention\":{\"rope_type\":\"linear\",\"factor\":4.0,"
                 "\"rope_theta\":50000.0},\"sliding_attention\":{\"rope_type\":\"default\",\"rope_theta\":2000.0}}";
  const Planned newer(model);
  REQUIRE(newer.refusal().empty());
  CHECK(newer.block(5).attention.rope->base == 50000);
  CHECK(newer.block(5).ropeScaling.factors == std::vector<double>{4, 4, 4});
  CHECK(newer.block(0).attention.rope->base == 2000);
  CHECK(newer.block(0).ropeScaling.factors.empty());
}

TEST_CASE("OLMo 2 has norms of each branch's output and of the queries and keys of all heads together", "[plan]") {
  WholeModel model = llamaModel("olmo2").without("input_layernorm");
  model.layer.push_back({"model.layers.{layer}.post_feedforward_layernorm.weight", {d}});
  model.layer.push_back({"model.layers.{layer}.self_attn.q_norm.weight", {d}});
  model.layer.push_back({"model.layers.{layer}.self_attn.k_norm.weight", {d / 2}});
  const Planned made(model);
  REQUIRE(made.refusal().empty());
  const BlockPlan& block = made.block(0);
  CHECK(block.normOfAllHeads);
  CHECK_FALSE(block.attention.norm);
  CHECK_FALSE(block.feedForwardNorm);
  CHECK(block.attentionOut->gain == "model.layers.0.post_attention_layernorm.weight");
  CHECK(block.feedForwardOut->gain == "model.layers.0.post_feedforward_layernorm.weight");
  CHECK(block.attentionOut->epsilon == 1e-5);

  WholeModel three = llamaModel("qwen3");
  three.layer.push_back({"model.layers.{layer}.self_attn.q_norm.weight", {d_h}});
  three.layer.push_back({"model.layers.{layer}.self_attn.k_norm.weight", {d_h}});
  CHECK_FALSE(Planned(three).block(0).normOfAllHeads);
}

TEST_CASE("Cohere and Granite have factors in the config, and Phi has one norm for both branches", "[plan]") {
  const Planned cohere(llamaModel("cohere").set("\"logit_scale\":0.25"));
  REQUIRE(cohere.refusal().empty());
  CHECK(cohere->head->scale == 0.25);
  CHECK(cohere.block(0).parallel);
  CHECK_FALSE(cohere.block(0).feedForwardNorm);
  CHECK(cohere.block(0).attention.rope->interleaved);

  const Planned granite(llamaModel("granite").set(
      "\"embedding_multiplier\":12.0,\"residual_multiplier\":0.22,\"logits_scaling\":8.0,\"attention_multiplier\":0.5"));
  REQUIRE(granite.refusal().empty());
  CHECK(granite->embeddingScale == 12);
  CHECK(granite.block(1).residualScale == 0.22);
  CHECK(granite->head->scale == 0.125);
  CHECK(granite.block(0).attention.scale == 0.5);

  WholeModel phi = llamaModel("phi").without("mlp.").without("o_proj").without("post_attention").without("model.norm");
  phi.layer.push_back({"model.layers.{layer}.self_attn.dense.weight", {d, d}});
  phi.layer.push_back({"model.layers.{layer}.mlp.fc1.weight", {40, d}});
  phi.layer.push_back({"model.layers.{layer}.mlp.fc2.weight", {d, 40}});
  phi.with({{"model.final_layernorm.weight", {d}}, {"lm_head.weight", {10, d}}, {"lm_head.bias", {10}}});
  const Planned parallel(phi);
  REQUIRE(parallel.refusal().empty());
  CHECK(parallel.block(0).parallel);
  CHECK(parallel->head->outputBias == "lm_head.bias");
}

TEST_CASE("Phi 3 has gate and up in one tensor with the gate first, OLMo 1 with the gate last", "[plan]") {
  WholeModel phi = llamaModel("phi3").without("_proj").set("\"sliding_window\":7");
  phi.layer.push_back({"model.layers.{layer}.self_attn.qkv_proj.weight", {2 * d, d}});
  phi.layer.push_back({"model.layers.{layer}.self_attn.o_proj.weight", {d, d}});
  phi.layer.push_back({"model.layers.{layer}.mlp.gate_up_proj.weight", {80, d}});
  phi.layer.push_back({"model.layers.{layer}.mlp.down_proj.weight", {d, 40}});
  const Planned made(phi);
  REQUIRE(made.refusal().empty());
  CHECK(made.block(0).W_V.offset == d + d / 2);
  CHECK(made.block(0).feedForward->gate->first == 0);
  CHECK(made.block(0).feedForward->up.first == 40);
  CHECK(made.block(0).feedForward->up.out == 40);
  CHECK(made.block(0).score.window == 7);

  WholeModel olmo;
  olmo.type = "olmo";
  olmo.config = "\"d_model\":24,\"n_heads\":4,\"n_layers\":2,\"activation_type\":\"swiglu\"";
  olmo.layer = {{"model.transformer.blocks.{layer}.att_proj.weight", {3 * d, d}},
                {"model.transformer.blocks.{layer}.attn_out.weight", {d, d}},
                {"model.transformer.blocks.{layer}.ff_proj.weight", {80, d}},
                {"model.transformer.blocks.{layer}.ff_out.weight", {d, 40}}};
  olmo.once = {{"model.transformer.wte.weight", {10, d}}, {"model.transformer.ff_out.weight", {10, d}}};
  const Planned first(olmo);
  REQUIRE(first.refusal().empty());
  CHECK(first.block(0).feedForward->gate->first == 40);
  CHECK(first.block(0).feedForward->up.first == 0);
  CHECK(first.block(0).attention.norm->gain.empty());
  CHECK(first.block(0).feedForwardNorm->gain.empty());
  CHECK(first->head->finalNorm->gain.empty());
  CHECK(first->head->logits.tensor == "model.transformer.ff_out.weight");
  CHECK_THAT(Planned(olmo.set("\"clip_qkv\":8.0")).refusal(), Contains("clip_qkv"));
}

TEST_CASE("Dream predicts masked tokens with shifted logits", "[plan]") {
  const Planned dream(llamaModel("Dream"));
  REQUIRE(dream.refusal().empty());
  CHECK_FALSE(dream->causal);
  CHECK(dream->head->masked);
  CHECK(dream->head->shifted);
}

TEST_CASE("An invalid epsilon or rotary base is refused by name", "[plan]") {
  const auto refusal = [](const char* fields) { return Planned(llamaModel().set(fields)).refusal(); };
  CHECK_THAT(refusal("\"rms_norm_eps\":-1"), Contains("rms_norm_eps is -1"));
  CHECK_THAT(refusal("\"rms_norm_eps\":\"tiny\""), Contains("rms_norm_eps is \"tiny\""));
  CHECK_THAT(refusal("\"rope_theta\":\"abc\""), Contains("rope_theta is \"abc\""));
  CHECK_THAT(refusal("\"rope_theta\":0"), Contains("rope_theta is 0"));
  CHECK_THAT(refusal("\"rope_theta\":[1,2]"), Contains("config.json: rope_theta is [1,2]"));
  CHECK(refusal("\"rms_norm_eps\":0,\"rope_theta\":10000").empty());
  CHECK(refusal("\"rms_norm_eps\":null,\"rope_theta\":null").empty());
}

TEST_CASE("A position table without rows and invalid numbers in a config are refused", "[plan]") {
  CHECK_THAT(Planned(gpt2Model().without("wpe").with({{"transformer.wpe.weight", {0, d}}})).refusal(),
             Contains("not a table of positions"));
  CHECK_THAT(Planned(gpt2Model().set(R"("separatrix":{"model":{"segments":1e300}})")).refusal(), Contains("segments"));
}
