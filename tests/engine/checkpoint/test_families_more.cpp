// SPDX-License-Identifier: Apache-2.0
// Hand-made models of families with two stacks, of vision and audio models, and of models with plain names, as in
// test_families.
#include "tests/engine/checkpoint/family_files.h"

using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

Family twoStacks(const char* key, const char* type, const char* byNames, std::vector<Tensor2> once, const char* shape) {
  const char *eq = "model.encoder.layers.{layer}.self_attn.q_proj.weight",
             *ek = "model.encoder.layers.{layer}.self_attn.k_proj.weight";
  const char *dq = "model.decoder.layers.{layer}.self_attn.q_proj.weight",
             *dk = "model.decoder.layers.{layer}.self_attn.k_proj.weight";
  const char *xq = "model.decoder.layers.{layer}.encoder_attn.q_proj.weight",
             *xk = "model.decoder.layers.{layer}.encoder_attn.k_proj.weight";
  Family family{key,
                type,
                shape,
                {},
                std::move(once),
                {separateTruth(Stack::Encoder, eq, ek, 2, 2, 12, d), separateTruth(Stack::Decoder, dq, dk, 3, 3, 8, d),
                 separateTruth(Stack::Cross, xq, xk, 3, 3, 8, d)},
                byNames};
  for (const char* name : {eq, ek, dq, dk, xq, xk})
    family.layer.push_back({name, {d, d}});
  return family;
}

std::vector<Family> twoStackFamilies() {
  const char* shape =
      "\"d_model\":24,\"encoder_attention_heads\":2,\"decoder_attention_heads\":3,\"num_hidden_layers\":2,"
      "\"num_attention_heads\":2";
  std::vector<Family> all{
      twoStacks("bart", "bart", "bart", {{"model.encoder.layernorm_embedding.weight", {d}}}, shape),
      twoStacks("mbart", "mbart", "mbart", {{"model.encoder.layer_norm.weight", {d}}}, shape),
      twoStacks("whisper", "whisper", "whisper", {{"model.encoder.conv1.weight", {d, 8, 3}}}, shape),
      twoStacks("detr", "detr", "detr", {{"model.input_projection.weight", {d, 8, 1, 1}}}, shape)};
  const char *oq = "model.decoder.layers.{layer}.self_attn.q_proj.weight",
             *ok = "model.decoder.layers.{layer}.self_attn.k_proj.weight";
  all.push_back({"opt",
                 "opt",
                 kHf,
                 pair(oq, ok),
                 {{"model.decoder.embed_positions.weight", {10, d}}},
                 {separateTruth(Stack::Self, oq, ok, H, H, d_h, d)},
                 "opt"});
  // In T5 the heads together are wider than d_model.
  const char *eq = "encoder.block.{layer}.layer.0.SelfAttention.q.weight",
             *ek = "encoder.block.{layer}.layer.0.SelfAttention.k.weight";
  const char *dq = "decoder.block.{layer}.layer.0.SelfAttention.q.weight",
             *dk = "decoder.block.{layer}.layer.0.SelfAttention.k.weight";
  const char *xq = "decoder.block.{layer}.layer.1.EncDecAttention.q.weight",
             *xk = "decoder.block.{layer}.layer.1.EncDecAttention.k.weight";
  Family t5{"t5",
            "t5",
            "\"d_model\":24,\"num_heads\":4,\"d_kv\":8,\"num_layers\":2",
            {},
            {},
            {separateTruth(Stack::Encoder, eq, ek, H, H, 8, d), separateTruth(Stack::Decoder, dq, dk, H, H, 8, d),
             separateTruth(Stack::Cross, xq, xk, H, H, 8, d)},
            "t5"};
  for (const char* name : {eq, ek, dq, dk, xq, xk})
    t5.layer.push_back({name, {32, d}});
  all.push_back(t5);
  const char *pe = "transformer.encoder.layers.{layer}.self_attn.in_proj_weight",
             *pd = "transformer.decoder.layers.{layer}.self_attn.in_proj_weight",
             *px = "transformer.decoder.layers.{layer}.multihead_attn.in_proj_weight";
  Family torch{"torch",
               "",
               "\"nhead\":4",
               {{pe, {3 * d, d}}, {pd, {3 * d, d}}, {px, {3 * d, d}}},
               {},
               {blocksTruth(Stack::Encoder, pe, H, H, d_h, d), blocksTruth(Stack::Decoder, pd, H, H, d_h, d),
                blocksTruth(Stack::Cross, px, H, H, d_h, d)},
               "torch"};
  all.push_back(torch);
  torch.key = torch.byNames = "detr";
  torch.once = {{"query_embed.weight", {10, d}}};
  all.push_back(torch);
  return all;
}

std::vector<Family> seeingAndHearing() {
  const char *q = "vit.encoder.layer.{layer}.attention.attention.query.weight",
             *k = "vit.encoder.layer.{layer}.attention.attention.key.weight";
  const Truth inner = separateTruth(Stack::Self, q, k, H, H, d_h, d);
  std::vector<Family> all{{"vit", "vit", kHf, pair(q, k), {}, {inner}, "vit"},
                          {"deit", "deit", kHf, pair(q, k), {}, {inner}, "vit"}};
  Family beit{"beit", "beit", kHf, pair(q, k), {}, {inner}, "beit"};
  beit.layer.push_back({"vit.encoder.layer.{layer}.attention.attention.query.bias", {d}});
  all.push_back(beit);
  Family dino{"dinov2", "dinov2", kHf, pair(q, k), {}, {inner}, "dinov2"};
  dino.layer.push_back({"vit.encoder.layer.{layer}.norm1.weight", {d}});
  all.push_back(dino);
  const char* timm = "blocks.{layer}.attn.qkv.weight";
  all.push_back({"timm",
                 "",
                 "\"num_heads\":4",
                 {{timm, {3 * d, d}}},
                 {},
                 {blocksTruth(Stack::Self, timm, H, H, d_h, d)},
                 "timm"});
  all.push_back({"timm-beit",
                 "",
                 "\"num_heads\":4",
                 {{timm, {3 * d, d}}, {"blocks.{layer}.attn.q_bias", {d}}},
                 {},
                 {blocksTruth(Stack::Self, timm, H, H, d_h, d)},
                 "timm-beit"});
  // In the models of lucidrains the heads together are wider than d_model.
  for (const char* qkv :
       {"transformer.layers.{layer}.0.fn.fn.to_qkv.weight", "transformer.layers.{layer}.0.fn.to_qkv.weight",
        "transformer.layers.{layer}.0.to_qkv.weight"})
    all.push_back({"vit-pytorch",
                   "",
                   "\"heads\":4,\"dim_head\":8",
                   {{qkv, {96, d}}},
                   {},
                   {blocksTruth(Stack::Self, qkv, H, H, 8, d)},
                   "vit-pytorch"});
  const char *cq = "vision_model.encoder.layers.{layer}.self_attn.q_proj.weight",
             *ck = "vision_model.encoder.layers.{layer}.self_attn.k_proj.weight";
  Family clip{"clip", "clip_vision_model", kHf, pair(cq, ck), {}, {separateTruth(Stack::Self, cq, ck, H, H, d_h, d)},
              "clip"};
  clip.layer.push_back({"vision_model.encoder.layers.{layer}.layer_norm1.weight", {d}});
  all.push_back(clip);
  const char* open = "visual.transformer.resblocks.{layer}.attn.in_proj_weight";
  all.push_back({"openclip",
                 "",
                 "\"heads\":4",
                 {{open, {3 * d, d}}},
                 {},
                 {blocksTruth(Stack::Self, open, H, H, d_h, d)},
                 "openclip"});
  const char* vision = "encoder.layers.encoder_layer_{layer}.self_attention.in_proj_weight";
  all.push_back({"torchvision",
                 "",
                 "\"num_heads\":4",
                 {{vision, {3 * d, d}}},
                 {},
                 {blocksTruth(Stack::Self, vision, H, H, d_h, d)},
                 "torchvision"});
  const char *wq = "encoder.layers.{layer}.attention.q_proj.weight",
             *wk = "encoder.layers.{layer}.attention.k_proj.weight";
  const Truth heard = separateTruth(Stack::Self, wq, wk, H, H, d_h, d);
  for (const char* type : {"wav2vec2", "hubert"})
    all.push_back({type, type, kHf, pair(wq, wk), {}, {heard}, "wav2vec2"});
  Family wavlm{"wavlm", "wavlm", kHf, pair(wq, wk), {}, {heard}, "wavlm"};
  wavlm.layer.push_back({"encoder.layers.{layer}.attention.gru_rel_pos_linear.weight", {8, d_h}});
  all.push_back(wavlm);
  return all;
}

// TransformerLens stores weights as [heads, d_model, d_h].
Truth lensTruth(const std::string& query, const std::string& key, int kvHeads) {
  Truth truth{Stack::Self, H, kvHeads, d_h, d, d, {}, {}};
  truth.query = [=](const TinyModel& model, int layer, int h, int a, int i) {
    return model[named(query, layer)].at(h, i, a);
  };
  truth.key = [=](const TinyModel& model, int layer, int h, int a, int i) {
    return model[named(key, layer)].at(h / (H / kvHeads), i, a);
  };
  return truth;
}

std::vector<Family> plainFamilies() {
  const char *q = "blocks.{layer}.attn.W_Q", *k = "blocks.{layer}.attn.W_K", *g = "blocks.{layer}.attn._W_K";
  std::vector<Family> all{{"transformer-lens",
                           "",
                           "\"d_model\":24",
                           {{q, {H, d, d_h}}, {k, {H, d, d_h}}},
                           {},
                           {lensTruth(q, k, H)},
                           "transformer-lens"},
                          {"transformer-lens",
                           "",
                           "\"d_model\":24",
                           {{q, {H, d, d_h}}, {g, {2, d, d_h}}},
                           {},
                           {lensTruth(q, g, 2)},
                           "transformer-lens"}};
  const char *eq = "encoder.layers.{layer}.self_attn.linears.0.weight",
             *ek = "encoder.layers.{layer}.self_attn.linears.1.weight";
  const char *dq = "decoder.layers.{layer}.self_attn.linears.0.weight",
             *dk = "decoder.layers.{layer}.self_attn.linears.1.weight";
  const char *xq = "decoder.layers.{layer}.src_attn.linears.0.weight",
             *xk = "decoder.layers.{layer}.src_attn.linears.1.weight";
  Family annotated{
      "annotated",
      "",
      "\"heads\":4",
      {},
      {},
      {separateTruth(Stack::Encoder, eq, ek, H, H, d_h, d), separateTruth(Stack::Decoder, dq, dk, H, H, d_h, d),
       separateTruth(Stack::Cross, xq, xk, H, H, d_h, d)},
      "annotated"};
  for (const char* name : {eq, ek, dq, dk, xq, xk})
    annotated.layer.push_back({name, {d, d}});
  all.push_back(annotated);
  const char *pq = "encoder.layers.{layer}.self_attn.w_q.weight", *pk = "encoder.layers.{layer}.self_attn.w_k.weight";
  const char *rq = "decoder.layers.{layer}.self_attn.w_q.weight", *rk = "decoder.layers.{layer}.self_attn.w_k.weight";
  const char *sq = "decoder.layers.{layer}.cross_attn.w_q.weight", *sk = "decoder.layers.{layer}.cross_attn.w_k.weight";
  Family plain{"plain",
               "",
               "\"num_heads\":4",
               {},
               {},
               {separateTruth(Stack::Encoder, pq, pk, H, H, d_h, d),
                separateTruth(Stack::Decoder, rq, rk, H, H, d_h, d), separateTruth(Stack::Cross, sq, sk, H, H, d_h, d)},
               "plain"};
  for (const char* name : {pq, pk, rq, rk, sq, sk})
    plain.layer.push_back({name, {d, d}});
  all.push_back(plain);
  return all;
}

}  // namespace

TEST_CASE("Families of encoders with decoders are mapped", "[families]") {
  check(twoStackFamilies());
}

TEST_CASE("Families of vision and audio models are mapped", "[families]") {
  check(seeingAndHearing());
}

TEST_CASE("Models with plain names are mapped", "[families]") {
  check(plainFamilies());
}
