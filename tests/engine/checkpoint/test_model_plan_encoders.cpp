// SPDX-License-Identifier: Apache-2.0
// Plans of encoders, of image models, of the encoders of T5 and BART, and of the other relatives of GPT.
#include <cmath>

#include "tests/engine/checkpoint/plan_models.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;
using Catch::Contains;

TEST_CASE("The plan of BERT has norms after the residual sums, segments and a head that predicts masked tokens",
          "[plan]") {
  const Planned made(bertModel());
  REQUIRE(made.refusal().empty());
  CHECK_FALSE(made->causal);
  CHECK(made->segments == "bert.embeddings.token_type_embeddings.weight");
  CHECK(made->embeddingNorm->epsilon == 1e-12);  // the default, because the config does not set it
  const BlockPlan& block = made.block(1);
  CHECK_FALSE(block.attention.norm);
  CHECK(block.attentionAfter->gain == "bert.encoder.layer.1.attention.output.LayerNorm.weight");
  CHECK(block.feedForwardAfter->bias == "bert.encoder.layer.1.output.LayerNorm.bias");
  CHECK(block.feedForward->activation == FeedForwardActivation::GeluErf);
  REQUIRE(made->head);
  CHECK(made->head->masked);
  CHECK(made->head->transform->tensor == "cls.predictions.transform.dense.weight");
  CHECK(made->head->transformNorm->gain == "cls.predictions.transform.LayerNorm.weight");
  CHECK(made->head->logits.tensor == "bert.embeddings.word_embeddings.weight");
  CHECK(made->head->outputBias == "cls.predictions.bias");
}

TEST_CASE("Missing parts of a BERT model, such as its head or its embeddings, are reported", "[plan]") {
  const Planned bare(bertModel().without("cls."));
  REQUIRE(bare.refusal().empty());
  CHECK(bare->blocks.size() == 2);
  CHECK_FALSE(bare->head);
  REQUIRE(bare->missing.size() == 1);
  CHECK_THAT(bare->missing.front(), Contains("it has no head that predicts tokens"));

  const Planned attention(bertModel().without("intermediate"));
  REQUIRE(attention.refusal().empty());
  REQUIRE(attention->blocks.size() == 1);
  CHECK_FALSE(attention->blocks.front().feedForward);
  CHECK_FALSE(attention->head);
  CHECK(attention->missing ==
        std::vector<std::string>{
            "there are no feed-forward weights in this file: only the attention of layer 0 is available"});

  const Planned pattern(bertModel().without("value"));
  REQUIRE(pattern.refusal().empty());
  CHECK(pattern.block(0).W_O.tensor.empty());
  CHECK_THAT(pattern->missing.front(), Contains("no weights of the values"));

  CHECK_THAT(Planned(bertModel().without("word_embeddings")).refusal(),
             Contains("has no token embedding (embeddings.word_embeddings.weight): a sentence cannot be read"));
  CHECK_THAT(Planned(bertModel().without("position_embeddings")).refusal(), Contains("has no position embedding"));
  CHECK_THAT(Planned(bertModel().without("embeddings.LayerNorm")).refusal(), Contains("has no embeddings.LayerNorm"));
}

TEST_CASE("Models with the tensor names of BERT but other parts are refused", "[plan]") {
  CHECK_THAT(Planned(bertModel().named("mobilebert")).refusal(),
             Contains("mobilebert has parts that BERT does not have"));
  CHECK_THAT(Planned(bertModel().set("\"position_embedding_type\":\"relative_key\"")).refusal(),
             Contains("relative_key"));
  CHECK_THAT(Planned(bertModel().set("\"hidden_act\":\"mish\"")).refusal(),
             Contains("hidden_act \"mish\", an activation that is not supported"));
  CHECK_THAT(Planned(bertModel().set(R"("hidden_act":"mi\nsh")")).refusal(), Contains("hidden_act \"mi sh\""));
}

TEST_CASE("RoBERTa counts positions from the row after the padding row", "[plan]") {
  WholeModel model = bertModel().named("roberta").without("cls.");
  model.with({{"lm_head.dense.weight", {d, d}},
              {"lm_head.dense.bias", {d}},
              {"lm_head.layer_norm.weight", {d}},
              {"lm_head.layer_norm.bias", {d}},
              {"lm_head.bias", {10}}});
  const Planned usual(model);
  REQUIRE(usual.refusal().empty());
  CHECK(usual->positionOffset == 2);
  CHECK(usual->positions == 14);
  CHECK(usual->head->outputBias == "lm_head.bias");
  const Planned other(WholeModel(model).set("\"pad_token_id\":3"));
  CHECK(other->positionOffset == 4);
  CHECK(other->positions == 12);
  CHECK_THAT(Planned(WholeModel(model).set("\"pad_token_id\":16")).refusal(), Contains("pad_token_id 16"));
}

TEST_CASE("The ELECTRA generator and ALBERT project narrow embeddings; the layers of ALBERT share weights", "[plan]") {
  WholeModel electra = bertModel().named("electra").without("cls.").without("embeddings.");
  electra.with({{"bert.embeddings.word_embeddings.weight", {10, 8}},
                {"bert.embeddings.position_embeddings.weight", {16, 8}},
                {"bert.embeddings.LayerNorm.weight", {8}},
                {"bert.embeddings.LayerNorm.bias", {8}},
                {"bert.embeddings_project.weight", {d, 8}},
                {"bert.embeddings_project.bias", {d}},
                {"generator_predictions.dense.weight", {8, d}},
                {"generator_predictions.dense.bias", {8}},
                {"generator_predictions.LayerNorm.weight", {8}},
                {"generator_predictions.LayerNorm.bias", {8}},
                {"generator_lm_head.bias", {10}}});
  const Planned made(electra);
  REQUIRE(made.refusal().empty());
  CHECK(made->embeddingProjection->in == 8);
  CHECK(made->embeddingProjection->out == d);
  CHECK(made->embeddingNorm);
  CHECK(made->positions == 16);
  CHECK(made->head->transform->out == 8);
  CHECK(made->head->logits.in == 8);

  WholeModel albert;
  albert.type = "albert";
  albert.config = std::string(kHf) + ",\"num_hidden_groups\":1";
  albert.layers = 1;
  const char* const square[] = {"albert.encoder.albert_layer_groups.{layer}.albert_layers.0.attention.query.weight",
                                "albert.encoder.albert_layer_groups.{layer}.albert_layers.0.attention.key.weight",
                                "albert.encoder.albert_layer_groups.{layer}.albert_layers.0.attention.value.weight",
                                "albert.encoder.albert_layer_groups.{layer}.albert_layers.0.attention.dense.weight"};
  for (const char* name : square)
    albert.layer.push_back({name, {d, d}});
  albert.layer.push_back(
      {"albert.encoder.albert_layer_groups.{layer}.albert_layers.0.attention.LayerNorm.weight", {d}});
  albert.layer.push_back({"albert.encoder.albert_layer_groups.{layer}.albert_layers.0.ffn.weight", {40, d}});
  albert.layer.push_back({"albert.encoder.albert_layer_groups.{layer}.albert_layers.0.ffn_output.weight", {d, 40}});
  albert.layer.push_back(
      {"albert.encoder.albert_layer_groups.{layer}.albert_layers.0.full_layer_layer_norm.weight", {d}});
  albert.once = {{"albert.embeddings.word_embeddings.weight", {10, 8}},
                 {"albert.embeddings.position_embeddings.weight", {16, 8}},
                 {"albert.embeddings.token_type_embeddings.weight", {2, 8}},
                 {"albert.embeddings.LayerNorm.weight", {8}},
                 {"albert.encoder.embedding_hidden_mapping_in.weight", {d, 8}}};
  const Planned shared(albert);
  REQUIRE(shared.refusal().empty());
  REQUIRE(shared->blocks.size() == 2);
  CHECK(shared.block(1).W_O.tensor == shared.block(0).W_O.tensor);
  CHECK(shared->embeddingProjection->tensor == "albert.encoder.embedding_hidden_mapping_in.weight");
  CHECK(shared.block(0).feedForward->activation == FeedForwardActivation::GeluTanh);
}

TEST_CASE("DistilBERT has the norm epsilon of its family", "[plan]") {
  WholeModel model;
  model.type = "distilbert";
  model.config = "\"dim\":24,\"n_heads\":4,\"n_layers\":2,\"activation\":\"gelu\"";
  const char* const square[] = {"distilbert.transformer.layer.{layer}.attention.q_lin.weight",
                                "distilbert.transformer.layer.{layer}.attention.k_lin.weight",
                                "distilbert.transformer.layer.{layer}.attention.v_lin.weight",
                                "distilbert.transformer.layer.{layer}.attention.out_lin.weight"};
  for (const char* name : square)
    model.layer.push_back({name, {d, d}});
  model.layer.push_back({"distilbert.transformer.layer.{layer}.sa_layer_norm.weight", {d}});
  model.layer.push_back({"distilbert.transformer.layer.{layer}.ffn.lin1.weight", {40, d}});
  model.layer.push_back({"distilbert.transformer.layer.{layer}.ffn.lin2.weight", {d, 40}});
  model.layer.push_back({"distilbert.transformer.layer.{layer}.output_layer_norm.weight", {d}});
  model.once = {{"distilbert.embeddings.word_embeddings.weight", {10, d}},
                {"distilbert.embeddings.position_embeddings.weight", {16, d}},
                {"distilbert.embeddings.LayerNorm.weight", {d}},
                {"vocab_transform.weight", {d, d}},
                {"vocab_layer_norm.weight", {d}},
                {"vocab_projector.weight", {10, d}},
                {"vocab_projector.bias", {10}}};
  const Planned made(model);
  REQUIRE(made.refusal().empty());
  CHECK(made.block(0).attentionAfter->epsilon == 1e-12);
  CHECK(made->segments.empty());
  CHECK(made->head->outputBias == "vocab_projector.bias");
}

TEST_CASE("ModernBERT has two-sided local layers, a gated exact GELU and no norm before the first attention",
          "[plan]") {
  WholeModel model;
  model.type = "modernbert";
  model.config = std::string(kHf) + ",\"local_attention\":8,\"global_attn_every_n_layers\":3";
  model.layers = 4;
  model.layer = {{"model.layers.{layer}.attn.Wqkv.weight", {3 * d, d}},
                 {"model.layers.{layer}.attn.Wo.weight", {d, d}},
                 {"model.layers.{layer}.mlp_norm.weight", {d}},
                 {"model.layers.{layer}.mlp.Wi.weight", {80, d}},
                 {"model.layers.{layer}.mlp.Wo.weight", {d, 40}}};
  model.once = {{"model.embeddings.tok_embeddings.weight", {10, d}},
                {"model.embeddings.norm.weight", {d}},
                {"model.layers.1.attn_norm.weight", {d}},
                {"model.layers.2.attn_norm.weight", {d}},
                {"model.layers.3.attn_norm.weight", {d}},
                {"model.final_norm.weight", {d}},
                {"head.dense.weight", {d, d}},
                {"head.norm.weight", {d}},
                {"decoder.bias", {10}}};
  const Planned made(model);
  REQUIRE(made.refusal().empty());
  CHECK_FALSE(made.block(0).attention.norm);
  CHECK(made.block(1).attention.norm);
  CHECK(made.block(0).score.window == 0);
  CHECK(made.block(1).score.window == 4);
  CHECK(made.block(2).score.window == 4);
  CHECK(made.block(3).score.window == 0);
  CHECK(made.block(0).attention.rope->base == 160000);
  CHECK(made.block(1).attention.rope->base == 10000);
  CHECK(made.block(0).feedForward->gate->first == 0);
  CHECK(made.block(0).feedForward->up.first == 40);
  CHECK(made.block(0).feedForward->activation == FeedForwardActivation::GeluErf);
  CHECK(made.block(0).W_V.offset == 2 * d);
  CHECK(made->head->outputBias == "decoder.bias");
  CHECK_THAT(Planned(model.without("model.layers.2.attn_norm")).plan->missing.front(),
             Contains("there is no layers.2.attn_norm.weight"));
}

namespace {

WholeModel vitModel(const char* type) {
  WholeModel model;
  model.type = type;
  model.config = kHf;
  const char* const square[] = {"vit.encoder.layer.{layer}.attention.attention.query.weight",
                                "vit.encoder.layer.{layer}.attention.attention.key.weight",
                                "vit.encoder.layer.{layer}.attention.attention.value.weight",
                                "vit.encoder.layer.{layer}.attention.output.dense.weight"};
  for (const char* name : square)
    model.layer.push_back({name, {d, d}});
  model.layer.push_back({"vit.encoder.layer.{layer}.layernorm_before.weight", {d}});
  model.layer.push_back({"vit.encoder.layer.{layer}.layernorm_after.weight", {d}});
  model.layer.push_back({"vit.encoder.layer.{layer}.intermediate.dense.weight", {40, d}});
  model.layer.push_back({"vit.encoder.layer.{layer}.output.dense.weight", {d, 40}});
  model.once = {{"vit.embeddings.cls_token", {1, 1, d}},
                {"vit.embeddings.position_embeddings", {1, 10, d}},
                {"vit.embeddings.patch_embeddings.projection.weight", {d, 3, 4, 4}},
                {"vit.embeddings.patch_embeddings.projection.bias", {d}},
                {"vit.layernorm.weight", {d}},
                {"classifier.weight", {5, d}},
                {"classifier.bias", {5}}};
  return model;
}

}  // namespace

TEST_CASE("ViT and DeiT read images with class tokens, patches and positions", "[plan]") {
  const Planned made(vitModel("vit"));
  REQUIRE(made.refusal().empty());
  REQUIRE(made->image);
  CHECK(made->vocabulary == 0);
  CHECK(made->image->image == 12);
  CHECK(made->image->patch == 4);
  CHECK(made->image->channels == 3);
  CHECK(made->image->patches.in == 48);
  CHECK(made->image->patches.bias == "vit.embeddings.patch_embeddings.projection.bias");
  CHECK_FALSE(made->image->patchFirst);
  CHECK(made->head->logits.out == 5);
  CHECK(made->head->outputBias == "classifier.bias");
  CHECK(made->head->finalNorm->epsilon == 1e-12);

  WholeModel deit = vitModel("deit").without("position_embeddings");
  deit.with({{"vit.embeddings.distillation_token", {1, 1, d}}, {"vit.embeddings.position_embeddings", {1, 11, d}}});
  const Planned two(deit);
  REQUIRE(two.refusal().empty());
  CHECK(two->image->secondToken == "vit.embeddings.distillation_token");
  CHECK(two->image->image == 12);
}

TEST_CASE("Image models with invalid patches or positions are refused with a message", "[plan]") {
  const auto with = [](const char* replaced, Tensor2 tensor) {
    return Planned(vitModel("vit").without(replaced).with({tensor})).refusal();
  };
  CHECK_THAT(with("projection.weight", {"vit.embeddings.patch_embeddings.projection.weight", {d, 3, 4, 5}}),
             Contains("which does not map square patches to vectors of 24"));
  CHECK_THAT(with("projection.weight", {"vit.embeddings.patch_embeddings.projection.weight", {d, 3, 0, 0}}),
             Contains("an image cannot be read"));
  CHECK_THAT(with("position_embeddings", {"vit.embeddings.position_embeddings", {1, 9, d}}),
             Contains("positions 24 wide for a square image and one token"));
  CHECK_THAT(with("cls_token", {"vit.embeddings.mask_token", {1, 1, d}}), Contains("has no embeddings.cls_token"));
}

TEST_CASE("The layer scale of DINOv2 and the names of timm are recognised", "[plan]") {
  WholeModel timm;
  timm.config = "\"num_heads\":4";
  timm.layer = {{"blocks.{layer}.norm1.weight", {d}},       {"blocks.{layer}.attn.qkv.weight", {3 * d, d}},
                {"blocks.{layer}.attn.qkv.bias", {3 * d}},  {"blocks.{layer}.attn.proj.weight", {d, d}},
                {"blocks.{layer}.norm2.weight", {d}},       {"blocks.{layer}.mlp.fc1.weight", {40, d}},
                {"blocks.{layer}.mlp.fc2.weight", {d, 40}}, {"blocks.{layer}.ls1.gamma", {d}},
                {"blocks.{layer}.ls2.gamma", {d}}};
  timm.once = {{"cls_token", {1, 1, d}},
               {"pos_embed", {1, 5, d}},
               {"patch_embed.proj.weight", {d, 3, 2, 2}},
               {"norm.weight", {d}},
               {"head.weight", {5, d}}};
  const Planned made(timm);
  REQUIRE(made.refusal().empty());
  CHECK(made.block(1).attentionGain == "blocks.1.ls1.gamma");
  CHECK(made.block(1).feedForwardGain == "blocks.1.ls2.gamma");
  CHECK(made.block(0).b_V->offset == 2 * d);
  CHECK(made.block(0).attention.norm->epsilon == 1e-6);
  CHECK(made->image->image == 4);
  CHECK_THAT(Planned(WholeModel(timm).with({{"reg_token", {1, 4, d}}})).refusal(), Contains("reg_token"));
}

TEST_CASE("The first versions of vit-pytorch divide scores by the root of the width and order a patch by pixel",
          "[plan]") {
  WholeModel model;
  model.config = "\"heads\":4";
  model.layer = {{"transformer.layers.{layer}.0.fn.norm.weight", {d}},
                 {"transformer.layers.{layer}.0.fn.fn.to_qkv.weight", {3 * d, d}},
                 {"transformer.layers.{layer}.0.fn.fn.to_out.weight", {d, d}},
                 {"transformer.layers.{layer}.1.fn.norm.weight", {d}},
                 {"transformer.layers.{layer}.1.fn.fn.net.0.weight", {40, d}},
                 {"transformer.layers.{layer}.1.fn.fn.net.2.weight", {d, 40}}};
  model.once = {
      {"cls_token", {1, 1, d}},         {"pos_embedding", {1, 17, d}},  {"patch_to_embedding.weight", {d, 49}},
      {"patch_to_embedding.bias", {d}}, {"mlp_head.0.weight", {30, d}}, {"mlp_head.2.weight", {7, 30}},
      {"mlp_head.2.bias", {7}}};
  const Planned made(model);
  REQUIRE(made.refusal().empty());
  CHECK(made.block(0).attention.scale == Approx(1 / std::sqrt(24.0)));
  CHECK(made->image->patchFirst);
  CHECK(made->image->channels == 1);
  CHECK(made->image->image == 28);
  CHECK(made->head->transform->out == 30);
  CHECK(made->head->transformActivation == FeedForwardActivation::GeluErf);
  CHECK_FALSE(made->head->transformNorm);
  CHECK(made->head->logits.out == 7);
  WholeModel unsaid = model;
  unsaid.config = "\"dropout\":0.1";
  CHECK_THAT(Planned(unsaid).refusal(), Contains("does not say how many heads"));

  // A rule written by the user gives the number of heads, and the other properties of the family remain.
  FamilyRule rule;
  rule.key = "mine";
  rule.name = "Mine";
  StackRule stack;
  stack.query = stack.key = "layers.{layer}.0.fn.fn.to_qkv.weight";
  stack.fusion = Fusion::Blocks;
  rule.stacks = {stack};
  rule.heads = rule.kvHeads = 4;
  const Mapped mapped(unsaid.tiny(), {rule});
  const auto mine = planModel(*mapped.checkpoint, mapped.map);
  INFO((mine ? "" : mine.error().message));
  REQUIRE(mine);
  CHECK(mine->blocks.front().attention.heads == 4);
  CHECK(mine->blocks.front().attention.scale == Approx(1 / std::sqrt(24.0)));
  CHECK(mine->blocks.front().attention.norm);

  WholeModel later = model;
  later.without("mlp_head").without("patch_to").without("to_out").without("net.2");
  later.layer.push_back({"transformer.layers.{layer}.0.fn.fn.to_out.0.weight", {d, d}});
  later.layer.push_back({"transformer.layers.{layer}.1.fn.fn.net.3.weight", {d, 40}});
  later.with({{"to_patch_embedding.1.weight", {12}},
              {"to_patch_embedding.1.bias", {12}},
              {"to_patch_embedding.2.weight", {d, 12}},
              {"to_patch_embedding.3.weight", {d}},
              {"mlp_head.0.weight", {d}},
              {"mlp_head.1.weight", {7, d}}});
  const Planned normed(later);
  REQUIRE(normed.refusal().empty());
  CHECK(normed.block(0).attention.scale == Approx(1 / std::sqrt(6.0)));
  CHECK(normed->image->patchNorm->gain == "to_patch_embedding.1.weight");
  CHECK(normed->image->patchedNorm->gain == "to_patch_embedding.3.weight");
  CHECK(normed->image->channels == 3);
  CHECK(normed->head->finalNorm->gain == "mlp_head.0.weight");
}

TEST_CASE("The encoder of T5 has learned distance biases in every layer and no scale", "[plan]") {
  WholeModel model;
  model.type = "t5";
  model.config =
      "\"d_model\":24,\"d_kv\":6,\"num_heads\":4,\"num_layers\":2,\"feed_forward_proj\":\"gated-gelu\","
      "\"relative_attention_num_buckets\":8,\"relative_attention_max_distance\":20";
  for (const char* name :
       {"encoder.block.{layer}.layer.0.SelfAttention.q.weight", "encoder.block.{layer}.layer.0.SelfAttention.k.weight",
        "encoder.block.{layer}.layer.0.SelfAttention.v.weight", "encoder.block.{layer}.layer.0.SelfAttention.o.weight",
        "decoder.block.{layer}.layer.0.SelfAttention.q.weight", "decoder.block.{layer}.layer.0.SelfAttention.k.weight",
        "decoder.block.{layer}.layer.1.EncDecAttention.q.weight",
        "decoder.block.{layer}.layer.1.EncDecAttention.k.weight"})
    model.layer.push_back({name, {d, d}});
  model.layer.push_back({"encoder.block.{layer}.layer.0.layer_norm.weight", {d}});
  model.layer.push_back({"encoder.block.{layer}.layer.1.layer_norm.weight", {d}});
  model.layer.push_back({"encoder.block.{layer}.layer.1.DenseReluDense.wi_0.weight", {40, d}});
  model.layer.push_back({"encoder.block.{layer}.layer.1.DenseReluDense.wi_1.weight", {40, d}});
  model.layer.push_back({"encoder.block.{layer}.layer.1.DenseReluDense.wo.weight", {d, 40}});
  model.once = {{"shared.weight", {10, d}},
                {"encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", {8, 4}},
                {"encoder.final_layer_norm.weight", {d}}};
  const Planned made(model);
  REQUIRE(made.refusal().empty());
  REQUIRE(made->blocks.size() == 2);
  CHECK(made.block(1).score.distanceBias == "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
  CHECK(made.block(1).score.distanceBuckets == 8);
  CHECK(made.block(1).score.distanceFarthest == 20);
  CHECK(made.block(0).attention.scale == 1);
  CHECK(made.block(0).feedForward->gate);
  CHECK(made.block(0).feedForward->activation == FeedForwardActivation::GeluTanh);
  CHECK_FALSE(made->head);
  CHECK_THAT(made->missing.front(), Contains("only the encoder of a model"));
  CHECK_THAT(Planned(model.without("relative_attention_bias")).refusal(), Contains("relative_attention_bias"));
}

TEST_CASE("GPT-Neo has local layers, GPT-J has one norm, and MPT has slopes", "[plan]") {
  WholeModel neo;
  neo.type = "gpt_neo";
  neo.config =
      "\"hidden_size\":24,\"num_heads\":4,\"num_layers\":2,\"window_size\":4,"
      "\"attention_types\":[[[\"global\",\"local\"],1]]";
  for (const char* name : {"h.{layer}.attn.attention.q_proj.weight", "h.{layer}.attn.attention.k_proj.weight",
                           "h.{layer}.attn.attention.v_proj.weight", "h.{layer}.attn.attention.out_proj.weight"})
    neo.layer.push_back({name, {d, d}});
  for (const char* name : {"h.{layer}.ln_1.weight", "h.{layer}.ln_2.weight"})
    neo.layer.push_back({name, {d}});
  neo.layer.push_back({"h.{layer}.mlp.c_fc.weight", {40, d}});
  neo.layer.push_back({"h.{layer}.mlp.c_proj.weight", {d, 40}});
  neo.once = {{"wte.weight", {10, d}}, {"wpe.weight", {16, d}}, {"ln_f.weight", {d}}};
  const Planned local(neo);
  REQUIRE(local.refusal().empty());
  CHECK(local.block(0).score.window == 0);
  CHECK(local.block(1).score.window == 4);
  CHECK(local.block(0).attention.scale == 1);
  CHECK_FALSE(local.block(0).W_O.transposed);

  WholeModel j;
  j.type = "gptj";
  j.config = std::string(kGpt) + ",\"rotary_dim\":4";
  for (const char* name : {"transformer.h.{layer}.attn.q_proj.weight", "transformer.h.{layer}.attn.k_proj.weight",
                           "transformer.h.{layer}.attn.v_proj.weight", "transformer.h.{layer}.attn.out_proj.weight"})
    j.layer.push_back({name, {d, d}});
  j.layer.push_back({"transformer.h.{layer}.ln_1.weight", {d}});
  j.layer.push_back({"transformer.h.{layer}.mlp.fc_in.weight", {40, d}});
  j.layer.push_back({"transformer.h.{layer}.mlp.fc_out.weight", {d, 40}});
  j.once = {{"transformer.wte.weight", {10, d}},
            {"transformer.ln_f.weight", {d}},
            {"lm_head.weight", {10, d}},
            {"lm_head.bias", {10}}};
  const Planned once(j);
  REQUIRE(once.refusal().empty());
  CHECK(once.block(0).parallel);
  CHECK_FALSE(once.block(0).feedForwardNorm);
  CHECK(once.block(0).attention.rope->dimensions == 4);
  CHECK(once.block(0).attention.rope->interleaved);
  CHECK(once->head->outputBias == "lm_head.bias");

  WholeModel mpt;
  mpt.type = "mpt";
  mpt.config = "\"d_model\":24,\"n_heads\":3,\"n_layers\":2,\"attn_config\":{\"alibi\":true,\"alibi_bias_max\":8}";
  mpt.layer = {{"transformer.blocks.{layer}.norm_1.weight", {d}},
               {"transformer.blocks.{layer}.attn.Wqkv.weight", {3 * d, d}},
               {"transformer.blocks.{layer}.attn.out_proj.weight", {d, d}},
               {"transformer.blocks.{layer}.norm_2.weight", {d}},
               {"transformer.blocks.{layer}.ffn.up_proj.weight", {40, d}},
               {"transformer.blocks.{layer}.ffn.down_proj.weight", {d, 40}}};
  mpt.once = {{"transformer.wte.weight", {10, d}}, {"transformer.norm_f.weight", {d}}};
  const Planned slopes(mpt);
  REQUIRE(slopes.refusal().empty());
  // Slopes for three heads are taken from those for four heads: the second, the fourth and the first: 2^-4, 2^-8, 2^-2.
  CHECK(slopes.block(0).score.slopes == std::vector<double>{0.0625, 0.00390625, 0.25});
}

TEST_CASE("OPT counts positions from row 2 and has norms after the sums where the config says so", "[plan]") {
  WholeModel opt;
  opt.type = "opt";
  opt.config = std::string(kHf) + ",\"do_layer_norm_before\":true";
  for (const char* name :
       {"model.decoder.layers.{layer}.self_attn.q_proj.weight", "model.decoder.layers.{layer}.self_attn.k_proj.weight",
        "model.decoder.layers.{layer}.self_attn.v_proj.weight",
        "model.decoder.layers.{layer}.self_attn.out_proj.weight"})
    opt.layer.push_back({name, {d, d}});
  for (const char* name : {"model.decoder.layers.{layer}.self_attn_layer_norm.weight",
                           "model.decoder.layers.{layer}.final_layer_norm.weight"})
    opt.layer.push_back({name, {d}});
  opt.layer.push_back({"model.decoder.layers.{layer}.fc1.weight", {40, d}});
  opt.layer.push_back({"model.decoder.layers.{layer}.fc2.weight", {d, 40}});
  opt.once = {{"model.decoder.embed_tokens.weight", {10, d}},
              {"model.decoder.embed_positions.weight", {18, d}},
              {"model.decoder.final_layer_norm.weight", {d}}};
  const Planned made(opt);
  REQUIRE(made.refusal().empty());
  CHECK(made->positionOffset == 2);
  CHECK(made->positions == 16);
  CHECK(made.block(0).feedForward->activation == FeedForwardActivation::Relu);
  CHECK(made.block(0).feedForwardNorm);
  CHECK(made->head->finalNorm);

  opt.config = std::string(kHf) + ",\"do_layer_norm_before\":false";
  opt.without("embed_tokens").without("model.decoder.final");
  opt.with({{"model.decoder.embed_tokens.weight", {10, 8}},
            {"model.decoder.project_in.weight", {d, 8}},
            {"model.decoder.project_out.weight", {8, d}}});
  const Planned after(opt);
  REQUIRE(after.refusal().empty());
  CHECK(after.block(0).attentionAfter);
  CHECK(after.block(0).feedForwardAfter);
  CHECK_FALSE(after.block(0).attention.norm);
  CHECK(after->embeddingProjection->in == 8);
  CHECK_FALSE(after->head);
  CHECK_THAT(after->missing.front(), Contains("no predictions"));
}
