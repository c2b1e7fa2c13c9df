// SPDX-License-Identifier: Apache-2.0
// GPT and its relatives: decoders with the norm before the attention, except GPT-1.
#include "engine/checkpoint/families/compute.h"
#include "engine/checkpoint/families/families.h"
#include "engine/checkpoint/family_match.h"
#include "engine/core/try.h"

namespace sepx::checkpoint::families {

namespace {

// GPT-2 keeps weights as [in, out].
StackRule conv1d(StackRule rule) {
  rule.transposed = true;
  return rule;
}

void scaleByLayer(const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
  for (AttentionLayer& layer : map.layers) {
    if (config.flag("scale_attn_weights") == false) layer.scale = 1;
    if (config.flag("scale_attn_by_inverse_layer_idx") == true) layer.scale /= layer.layer + 1;
  }
}

FamilyParts gpt2Names() {
  FamilyParts parts;
  parts.prefix = "transformer.";
  parts.projection = "h.{layer}.attn.c_proj";
  parts.feedForwardNorm = "h.{layer}.ln_2";
  parts.up = "h.{layer}.mlp.c_fc";
  parts.down = "h.{layer}.mlp.c_proj";
  parts.finalNorm = "ln_f";
  parts.head = "lm_head.weight";
  return parts;
}

FamilyParts gpt2Parts() {
  FamilyParts parts = gpt2Names();
  parts.config = R"({
    "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2",
    "vocab_size": "{vocabulary}", "n_positions": "{length}", "n_embd": "{d_model}", "n_layer": "{layers}",
    "n_head": "{heads}", "n_inner": "{d_ff}", "activation_function": "{activation}",
    "layer_norm_epsilon": "{norm_epsilon}", "scale_attn_weights": "{scaled}", "embd_pdrop": "{embedding_dropout}",
    "attn_pdrop": "{attention_dropout}", "resid_pdrop": "{residual_dropout}", "head_dim": "{own_head_dim}",
    "tie_word_embeddings": "{tied}", "bos_token_id": null, "eos_token_id": null, "torch_dtype": "float32"
  })";
  return parts;
}

FamilyRule gpt2() {
  FamilyRule rule =
      family("gpt2", "GPT-2", {"gpt2", "biogpt2", "decision_transformer"},
             {decoder(conv1d(fused(Stack::Self, "h.{layer}.attn.c_attn", Fusion::Blocks)), "h.{layer}.ln_1", false)},
             "wte.weight", "wpe.weight");
  rule.finish = scaleByLayer;
  rule.parts = gpt2Names();
  return rule;
}

// The norms come after the sums, and "gelu" in the config means the tanh form; there is no norm before the head.
FamilyParts gpt1Parts() {
  FamilyParts parts = gpt2Names();
  parts.attentionNorm = "h.{layer}.ln_1";
  parts.finalNorm.clear();
  parts.adapt = [](const Checkpoint&, const ModelConfig& config, FamilyParts& made) {
    made.ownActivation = config.text("afn") == "gelu" || config.text("afn").empty();
  };
  return parts;
}

FamilyRule gpt1() {
  FamilyRule rule = named(gpt2(), "openai-gpt", "GPT-1", {"openai-gpt"});
  rule.stacks = {causal(conv1d(fused(Stack::Self, "h.{layer}.attn.c_attn", Fusion::Blocks)))};
  rule.needs = {"tokens_embed.weight"};
  rule.tokenEmbedding = "tokens_embed.weight";
  rule.positionEmbedding = "positions_embed.weight";
  rule.finish = nullptr;
  rule.parts = gpt1Parts();
  return rule;
}

// GPT-1 without its embeddings, if the config gives the type.
FamilyRule gpt1ByType() {
  FamilyRule rule = gpt1();
  rule.needs.clear();
  rule.byNames = false;
  return rule;
}

FamilyRule igpt() {
  FamilyRule rule = named(gpt2(), "imagegpt", "iGPT", {"imagegpt"});
  rule.stacks = {decoder(conv1d(fused(Stack::Self, "h.{layer}.attn.c_attn", Fusion::Blocks)), "h.{layer}.ln_1", true)};
  rule.byNames = false;
  rule.parts->activation = FeedForwardActivation::QuickGelu;
  return rule;
}

// Starcoder's first generation: [out, in], one key head for all.
FamilyRule bigcode() {
  FamilyRule rule = named(gpt2(), "gpt_bigcode", "GPT-BigCode", {"gpt_bigcode"});
  rule.stacks = {decoder(fused(Stack::Self, "h.{layer}.attn.c_attn", Fusion::Blocks), "h.{layer}.ln_1", false)};
  rule.byNames = false;
  return rule;
}

FamilyRule nanogpt() {
  FamilyRule rule = named(bigcode(), "nanogpt", "nanoGPT", {"nanogpt"});
  rule.byNames = true;
  rule.finish = nullptr;
  rule.parts->activation = FeedForwardActivation::GeluErf;
  return rule;
}

FamilyRule qwen1() {
  FamilyRule rule = family(
      "qwen", "Qwen", {"qwen"},
      {decoder(fused(Stack::Self, "h.{layer}.attn.c_attn", Fusion::Blocks), "h.{layer}.ln_1", true, Rotation::Halves)},
      "wte.weight");
  rule.needs = {"h.{layer}.attn.c_attn.weight", "!wpe.weight", "h.{layer}.mlp.w1.weight"};
  rule.parts = gpt2Names();
  rule.parts->gate = "h.{layer}.mlp.w2";
  rule.parts->up = "h.{layer}.mlp.w1";
  rule.parts->activation = FeedForwardActivation::Silu;
  rule.parts->separateHead = true;
  // For texts longer than in its training, scores grow with the logarithm of the length, so the length is limited.
  rule.parts->compute = [](const Checkpoint&, const ModelConfig& config, ModelPlan& plan) -> Result<void> {
    const auto trained = config.integer({"seq_length"}).value_or(0);
    if (trained > 0 && (plan.positions == 0 || plan.positions > trained)) plan.positions = trained;
    return {};
  };
  return rule;
}

// The config lists the kind of each layer; the first files say how often a list of kinds is repeated.
std::vector<bool> localLayers(const ModelConfig& config, std::size_t layers) {
  std::vector<bool> local;
  if (const nlohmann::json* list = config.value("attention_layers"); list != nullptr && list->is_array()) {
    for (const nlohmann::json& kind : *list)
      local.push_back(kind == "local");
    return local;
  }
  const nlohmann::json* types = config.value("attention_types");
  if (types == nullptr || !types->is_array()) return local;
  for (const nlohmann::json& run : *types) {
    if (!run.is_array() || run.size() != 2 || !run[0].is_array() || run[0].empty() || !run[1].is_number_integer())
      continue;
    for (std::int64_t time = 0; time < run[1].get<std::int64_t>() && local.size() < layers; ++time)
      for (const nlohmann::json& kind : run[0])
        local.push_back(kind == "local");
  }
  return local;
}

Result<void> slideGptNeo(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  std::vector<bool> local = localLayers(config, plan.blocks.size());
  if (local.empty()) {
    plan.notes.emplace_back("the config does not say which layers are local: every second one is taken");
    for (std::size_t layer = 0; layer < plan.blocks.size(); ++layer)
      local.push_back(layer % 2 == 1);
  }
  SEPX_ASSIGN(const int window, windowOf(config, {"window_size"}, 256));
  slide(plan, window, [&](int layer) {
    return static_cast<std::size_t>(layer) < local.size() && local[static_cast<std::size_t>(layer)];
  });
  return {};
}

FamilyRule gptNeo() {
  StackRule stack = decoder(separate(Stack::Self, "h.{layer}.attn.attention.q_proj", "h.{layer}.attn.attention.k_proj"),
                            "h.{layer}.ln_1", false);
  stack.scaled = false;
  FamilyRule rule = family("gpt_neo", "GPT-Neo", {"gpt_neo"}, {stack}, "wte.weight", "wpe.weight");
  rule.parts = gpt2Names();
  rule.parts->value = "h.{layer}.attn.attention.v_proj";
  rule.parts->projection = "h.{layer}.attn.attention.out_proj";
  rule.parts->compute = slideGptNeo;
  return rule;
}

// Both branches read the output of one norm.
FamilyRule gptJ() {
  FamilyRule rule = family("gptj", "GPT-J", {"gptj"},
                           {decoder(separate(Stack::Self, "h.{layer}.attn.q_proj", "h.{layer}.attn.k_proj"),
                                    "h.{layer}.ln_1", false, Rotation::Pairs)},
                           "wte.weight");
  rule.parts = gpt2Names();
  rule.parts->value = "h.{layer}.attn.v_proj";
  rule.parts->projection = "h.{layer}.attn.out_proj";
  rule.parts->up = "h.{layer}.mlp.fc_in";
  rule.parts->down = "h.{layer}.mlp.fc_out";
  rule.parts->feedForwardNorm.clear();
  rule.parts->outputBias = {"lm_head.bias"};
  rule.parts->parallel = true;
  return rule;
}

FamilyParts gptNeoXParts() {
  FamilyParts parts;
  parts.prefix = "gpt_neox.";
  parts.projection = "layers.{layer}.attention.dense";
  parts.feedForwardNorm = "layers.{layer}.post_attention_layernorm";
  parts.up = "layers.{layer}.mlp.dense_h_to_4h";
  parts.down = "layers.{layer}.mlp.dense_4h_to_h";
  parts.finalNorm = "final_layer_norm";
  parts.head = "embed_out.weight";
  parts.config = R"({
    "architectures": ["GPTNeoXForCausalLM"], "model_type": "gpt_neox",
    "vocab_size": "{vocabulary}", "max_position_embeddings": "{length}", "hidden_size": "{d_model}",
    "num_hidden_layers": "{layers}", "num_attention_heads": "{heads}", "intermediate_size": "{d_ff}",
    "hidden_act": "{activation}", "layer_norm_eps": "{norm_epsilon}", "rotary_pct": 1.0,
    "rotary_emb_base": "{rope_base}", "rope_theta": "{rope_base}", "use_parallel_residual": false,
    "attention_bias": "{attention_bias}", "attention_dropout": "{attention_dropout}",
    "hidden_dropout": "{residual_dropout}",
    "tie_word_embeddings": "{tied}", "bos_token_id": null, "eos_token_id": null, "torch_dtype": "float32"
  })";
  return parts;
}

// The configs of Pythia and GPT-NeoX 20B omit that both branches read the block's input.
void adaptNeoX(const Checkpoint&, const ModelConfig& config, FamilyParts& parts) {
  parts.parallel = config.flag("use_parallel_residual").value_or(true);
}

FamilyRule gptNeoX() {
  FamilyRule rule = family("gpt_neox", "GPT-NeoX, Pythia", {"gpt_neox", "gpt_neox_japanese"},
                           {decoder(fused(Stack::Self, "layers.{layer}.attention.query_key_value", Fusion::PerHead),
                                    "layers.{layer}.input_layernorm", false, Rotation::Halves)},
                           "embed_in.weight");
  rule.parts = gptNeoXParts();
  rule.parts->activation = FeedForwardActivation::GeluErf;
  rule.parts->adapt = adaptNeoX;
  // Pythia and GPT-NeoX 20B rotate a quarter of a head if their config does not say.
  rule.finish = [](const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
    if (config.number({"rotary_pct", "partial_rotary_factor", "rope_parameters.partial_rotary_factor"})) return;
    for (AttentionLayer& layer : map.layers)
      if (layer.rope) layer.rope->dimensions = layer.d_h / 4 - layer.d_h / 4 % 2;
  };
  return rule;
}

constexpr const char* kAlibi = "a penalty that grows with distance (ALiBi) is added to the score; W_qk leaves it out";

FamilyParts bloomNames() {
  FamilyParts parts;
  parts.projection = "h.{layer}.self_attention.dense";
  parts.feedForwardNorm = "h.{layer}.post_attention_layernorm";
  parts.up = "h.{layer}.mlp.dense_h_to_4h";
  parts.down = "h.{layer}.mlp.dense_4h_to_h";
  parts.finalNorm = "ln_f";
  parts.head = "lm_head.weight";
  return parts;
}

FamilyRule bloom() {
  FamilyRule rule = family("bloom", "BLOOM", {"bloom"},
                           {decoder(fused(Stack::Self, "h.{layer}.self_attention.query_key_value", Fusion::PerHead),
                                    "h.{layer}.input_layernorm", false)},
                           "word_embeddings.weight");
  rule.needs = {"word_embeddings_layernorm.weight"};
  rule.notes = {kAlibi};
  rule.parts = bloomNames();
  rule.parts->embeddingNorm = "word_embeddings_layernorm";
  rule.parts->ownActivation = true;
  rule.parts->compute = [](const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
    for (BlockPlan& block : plan.blocks)
      block.score.slopes = alibiSlopes(block.attention.heads);
    return refuse(config, "apply_residual_connection_post_layernorm", "a sum after the norm");
  };
  return rule;
}

// If both branches read the block's input, they share one norm or have one each (40B).
void adaptFalcon(const Checkpoint& checkpoint, const ModelConfig& config, FamilyParts& parts) {
  const NameIndex names(checkpoint);
  const bool two = names.has("h.{layer}.ln_mlp.weight");
  parts.parallel =
      two || config.flag("new_decoder_architecture") == true || config.flag("parallel_attn").value_or(true);
  parts.feedForwardNorm = two ? "h.{layer}.ln_mlp" : parts.parallel ? "" : "h.{layer}.post_attention_layernorm";
}

// The slopes are rounded to bfloat16, and added before the product is divided by sqrt(d_h).
Result<void> computeFalcon(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  if (config.flag("alibi") != true) return {};
  for (BlockPlan& block : plan.blocks) {
    block.score.slopes = alibiSlopes(block.attention.heads);
    for (double& slope : block.score.slopes)
      slope = roundedToBfloat16(slope);
    block.score.slopesScaled = true;
  }
  return {};
}

// One key head for all (7B) is one group; models with groups of heads (40B) have one norm for each branch.
FamilyRule falcon(bool twoNorms) {
  FamilyRule rule =
      family("falcon", twoNorms ? "" : "Falcon",  // lists show the name once
             {"falcon", "RefinedWeb", "RefinedWebModel"},
             {decoder(fused(Stack::Self, "h.{layer}.self_attention.query_key_value", Fusion::PerHead),
                      twoNorms ? "h.{layer}.ln_attn" : "h.{layer}.input_layernorm", false, Rotation::Halves)},
             "word_embeddings.weight");
  rule.needs = {twoNorms ? "h.{layer}.ln_attn.weight" : "!h.{layer}.ln_attn.weight",
                "!word_embeddings_layernorm.weight"};
  rule.parts = bloomNames();
  rule.parts->activation = FeedForwardActivation::GeluErf;
  rule.parts->adapt = adaptFalcon;
  rule.parts->compute = computeFalcon;
  rule.finish = [](const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
    map.familyName = "Falcon";
    if (config.flag("alibi") != true) return;
    for (AttentionLayer& layer : map.layers)
      layer.rope.reset();
    map.notes.emplace_back(kAlibi);
  };
  return rule;
}

Result<void> computeMpt(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  if (config.flag("attn_config.alibi") == false)
    return fail(ErrorKind::BadInput, "MPT without ALiBi (attn_config.alibi) is not supported");
  SEPX_TRY(refuse(config, "attn_config.clip_qkv", "a limit of queries, keys and values"));
  SEPX_TRY(refuse(config, "attn_config.qk_ln", "a norm of queries and keys in MPT"));
  SEPX_ASSIGN(const double most, positive(config, {"attn_config.alibi_bias_max"}, 8));
  SEPX_ASSIGN(const double scale, positive(config, {"attn_config.softmax_scale"}, 0));
  for (BlockPlan& block : plan.blocks) {
    block.score.slopes = mptSlopes(block.attention.heads, most);
    if (scale > 0) block.attention.scale = scale;
  }
  return {};
}

FamilyParts mptParts() {
  FamilyParts parts;
  parts.projection = "blocks.{layer}.attn.out_proj";
  parts.feedForwardNorm = "blocks.{layer}.norm_2";
  parts.up = "blocks.{layer}.ffn.up_proj";
  parts.down = "blocks.{layer}.ffn.down_proj";
  parts.finalNorm = "norm_f";
  parts.head = "lm_head.weight";
  parts.activation = FeedForwardActivation::GeluErf;
  parts.ownActivation = true;
  parts.compute = computeMpt;
  return parts;
}

FamilyRule mpt() {
  FamilyRule rule =
      family("mpt", "MPT", {"mpt"},
             {decoder(fused(Stack::Self, "blocks.{layer}.attn.Wqkv", Fusion::Blocks), "blocks.{layer}.norm_1", false)},
             "wte.weight");
  rule.notes = {kAlibi};
  rule.parts = mptParts();
  return rule;
}

}  // namespace

std::vector<FamilyRule> gptFamilies() {
  FamilyRule written = gpt2();  // relatives are read with its names, but not written
  written.parts = gpt2Parts();
  return {gpt1(),   gpt1ByType(), igpt(),    bigcode(), qwen1(),      written,       nanogpt(),
          gptNeo(), gptJ(),       gptNeoX(), bloom(),   falcon(true), falcon(false), mpt()};
}

}  // namespace sepx::checkpoint::families
