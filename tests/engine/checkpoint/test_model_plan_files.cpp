// SPDX-License-Identifier: Apache-2.0
// Plans of scaled rotary encodings, of GGUF files, of models that this program wrote, of broken files, and of
// checkpoints in memory.
#include <cmath>
#include <cstring>
#include <numbers>

#include "tests/engine/checkpoint/plan_models.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;
using Catch::Contains;

namespace {

// A head of 6 has three rotary pairs with the frequencies 1, base^(-1/3) and base^(-2/3).
double frequency(double base, int pair) {
  return std::pow(base, -pair / 3.0);
}

Planned stretched(const std::string& scaling, const std::string& more = {}) {
  return Planned(llamaModel().set("\"rope_theta\":500000.0,\"rope_scaling\":" + scaling + more));
}

/// A complete GGUF file of one block, d_model 8, two heads of 4.
class GgufModel {
 public:
  explicit GgufModel(const std::string& architecture) : name_(architecture) {
    file_.word("general.architecture", architecture);
    number("block_count", 1).number("embedding_length", 8).number("attention.head_count", 2);
    number("context_length", 32);
    matrix("token_embd.weight", 10, 8).vector("output_norm.weight", 8);
  }
  GgufModel& number(const std::string& key, std::uint32_t value) {
    file_.number(name_ + "." + key, value);
    return *this;
  }
  GgufModel& real(const std::string& key, float value) {
    file_.key(name_ + "." + key, 6, raw(value));
    return *this;
  }
  GgufModel& word(const std::string& key, const std::string& value) {
    file_.word(name_ + "." + key, value);
    return *this;
  }
  GgufModel& matrix(const std::string& name, std::uint64_t rows, std::uint64_t columns) {
    file_.tensor(name, {columns, rows}, 0, ramp(rows * columns, 1));
    return *this;
  }
  GgufModel& vector(const std::string& name, std::uint64_t values) {
    file_.tensor(name, {values}, 0, ramp(values, 1));
    return *this;
  }
  GgufModel& attention(std::uint64_t keys = 8) {
    return vector("blk.0.attn_norm.weight", 8)
        .matrix("blk.0.attn_q.weight", 8, 8)
        .matrix("blk.0.attn_k.weight", keys, 8)
        .matrix("blk.0.attn_v.weight", keys, 8)
        .matrix("blk.0.attn_output.weight", 8, 8);
  }
  GgufModel& feedForward() {
    return matrix("blk.0.ffn_gate.weight", 12, 8)
        .matrix("blk.0.ffn_up.weight", 12, 8)
        .matrix("blk.0.ffn_down.weight", 8, 12);
  }
  Result<ModelPlan> plan() const {
    const Folder folder;
    const auto checkpoint = opened(folder.write("model.gguf", file_.bytes()));
    return planModel(*checkpoint, mapAttention(*checkpoint));
  }

 private:
  std::string name_;
  Gguf file_;
};

std::string refusalOf(const Result<ModelPlan>& plan) {
  return plan ? std::string() : plan.error().message;
}

}  // namespace

TEST_CASE("The rotary scaling of LLaMA 3 scales long wavelengths, keeps short ones and interpolates between them",
          "[plan]") {
  const std::string words =
      "{\"rope_type\":\"llama3\",\"factor\":8.0,\"low_freq_factor\":1.0,\"high_freq_factor\":4.0,"
      "\"original_max_position_embeddings\":LENGTH}";
  // With 8192 positions the wavelengths are 6.3, 499 (16.4 periods fit into the length: kept) and 39,600 (scaled).
  std::string long_ = words;
  const Planned made = stretched(long_.replace(long_.find("LENGTH"), 6, "8192"));
  REQUIRE(made.refusal().empty());
  const std::vector<double>& factors = made.block(1).ropeScaling.factors;
  REQUIRE(factors.size() == 3);
  CHECK(factors[0] == 1);
  CHECK(factors[1] == 1);
  CHECK(factors[2] == 8);
  // With 1000 positions the second wavelength is interpolated: 1000 / 499 = 2.005 lies in [1, 4].
  std::string mid = words;
  const Planned between = stretched(mid.replace(mid.find("LENGTH"), 6, "1000"));
  const double f = frequency(500000, 1), wave = 2 * std::numbers::pi / f;
  const double smooth = (1000 / wave - 1) / (4 - 1), changed = (1 - smooth) * f / 8 + smooth * f;
  CHECK(between.block(0).ropeScaling.factors[1] == Approx(f / changed));
  CHECK(between.block(0).ropeScaling.amplitude == 1);
}

TEST_CASE("Linear, YaRN, LongRoPE and dynamic rotary scaling are computed", "[plan]") {
  CHECK(stretched("{\"type\":\"linear\",\"factor\":4.0}").block(0).ropeScaling.factors == std::vector<double>{4, 4, 4});
  CHECK(stretched("{\"rope_type\":\"default\"}").block(0).ropeScaling.factors.empty());

  const Planned yarn = stretched("{\"type\":\"yarn\",\"factor\":4.0,\"original_max_position_embeddings\":4096}");
  REQUIRE(yarn.refusal().empty());
  const RopeScaling& scaling = yarn.block(0).ropeScaling;
  CHECK(scaling.amplitude == Approx(0.1 * std::log(4.0) + 1));
  // Pairs that make 32 turns and one turn in 4096 tokens have the indices 6 ln(4096 / (2 pi 32)) / (2 ln base) = 0.69
  // and 1.48, rounded outwards to 0 and 2.
  REQUIRE(scaling.factors.size() == 3);
  CHECK(scaling.factors[0] == Approx(1));
  CHECK(scaling.factors[1] == Approx(1 / (0.5 / 4 + 0.5)));
  CHECK(scaling.factors[2] == Approx(4));

  const Planned longRope =
      stretched("{\"type\":\"longrope\",\"short_factor\":[1.0,1.5,2.0],\"long_factor\":[1.0,9.0,9.0]}",
                ",\"original_max_position_embeddings\":16");
  REQUIRE(longRope.refusal().empty());
  CHECK(longRope.block(0).ropeScaling.factors == std::vector<double>{1, 1.5, 2});
  CHECK(longRope.block(0).ropeScaling.amplitude == Approx(std::sqrt(1 + std::log(4.0) / std::log(16.0))));
  CHECK(longRope->positions == 16);
  CHECK(longRope->notes.size() == 1);

  const Planned dynamic = stretched("{\"type\":\"dynamic\",\"factor\":2.0}");
  CHECK(dynamic.block(0).ropeScaling.factors.empty());
  CHECK(dynamic->positions == 64);
}

TEST_CASE("A rotary scaling that cannot be computed is refused with a message", "[plan]") {
  CHECK_THAT(stretched("{\"type\":\"linear\"}").refusal(), Contains("without factor"));
  CHECK_THAT(stretched("{\"type\":\"linear\",\"factor\":0}").refusal(), Contains("it must be a positive number"));
  CHECK_THAT(stretched("{\"type\":\"linear\",\"factor\":\"four\"}").refusal(),
             Contains("it must be a positive number"));
  CHECK_THAT(stretched("{\"type\":\"spiral\"}").refusal(), Contains("\"spiral\", which is not supported"));
  CHECK_THAT(stretched("{\"type\":\"longrope\",\"short_factor\":[1.0,2.0]}").refusal(),
             Contains("2 factors of the rotary encoding for 3 pairs"));
  CHECK_THAT(stretched("{\"type\":\"longrope\",\"short_factor\":[1.0,2.0,-1.0]}").refusal(),
             Contains("it must be positive"));
  CHECK_THAT(
      stretched("{\"type\":\"llama3\",\"factor\":8.0,\"low_freq_factor\":4.0,\"high_freq_factor\":4.0}").refusal(),
      Contains("the first must be the larger"));
}

TEST_CASE("Inconsistent shapes are refused with the name of the tensor", "[plan]") {
  const auto with = [](const char* replaced, Tensor2 tensor) {
    WholeModel model = llamaModel().without(replaced);
    model.layer.push_back(tensor);
    return Planned(model);
  };
  CHECK_THAT(with("v_proj", {"model.layers.{layer}.self_attn.v_proj.weight", {13, d}}).refusal(),
             Contains("v_proj.weight is 13 x 24, which cannot be values of 2 heads"));
  CHECK_THAT(with("o_proj", {"model.layers.{layer}.self_attn.o_proj.weight", {d, 20}}).refusal(),
             Contains("o_proj.weight is 24 x 20, but the output of an attention of 4 heads of 6"));
  CHECK_THAT(with("up_proj", {"model.layers.{layer}.mlp.up_proj.weight", {41, d}}).refusal(),
             Contains("up_proj.weight is 41 x 24 in a model 24 wide"));
  CHECK_THAT(with("down_proj", {"model.layers.{layer}.mlp.down_proj.weight", {d + 1, 40}}).refusal(),
             Contains("down_proj.weight gives 25 outputs"));
  CHECK_THAT(with("input_layernorm", {"model.layers.{layer}.other.weight", {d}}).refusal(),
             Contains("there is no layers.0.input_layernorm.weight"));
  // If an error occurs after the first layer, the layers before it are kept.
  WholeModel later = llamaModel().without("gate_proj");
  later.with({{"model.layers.0.mlp.gate_proj.weight", {40, d}}, {"model.layers.1.mlp.gate_proj.weight", {7, d}}});
  const Planned made(later);
  REQUIRE(made.refusal().empty());
  CHECK(made->blocks.size() == 1);
  CHECK_FALSE(made->head);
  CHECK_THAT(made->missing.front(), Contains("gate_proj.weight is 7 x 24"));
}

TEST_CASE("Mixtures of experts and unknown types are reported", "[plan]") {
  WholeModel mixture = llamaModel("mixtral").without("mlp.");
  mixture.layer.push_back({"model.layers.{layer}.block_sparse_moe.gate.weight", {8, d}});
  CHECK_THAT(Planned(mixture)->missing.front(), Contains("a mixture of experts, which is not supported"));
  const Planned unknown(llamaModel("newllama"));
  REQUIRE(unknown.refusal().empty());
  CHECK(unknown->notes == std::vector<std::string>{"config.json says model_type newllama, which is computed as LLaMA"});
  CHECK(unknown->agreement.empty());
  WholeModel shared = llamaModel("mobilellm").set("\"layer_sharing\":true");
  CHECK_THAT(Planned(shared).refusal(), Contains("layer_sharing"));
}

TEST_CASE("GGUF: LLaMA rotates adjacent pairs, and a tensor holds the rotary factors", "[plan]") {
  GgufModel model("llama");
  model.number("attention.head_count_kv", 1).attention(4).feedForward().vector("blk.0.ffn_norm.weight", 8);
  model.vector("rope_freqs.weight", 2);
  const auto plan = model.plan();
  INFO(refusalOf(plan));
  REQUIRE(plan);
  CHECK(plan->blocks.front().attention.rope->interleaved);
  CHECK(plan->blocks.front().ropeScaling.factors == std::vector<double>{1, 2});
  CHECK(plan->blocks.front().W_V.headStride == 4);
  CHECK(plan->head->logits.tensor == "token_embd.weight");
  CHECK(plan->positions == 32);
  CHECK_THAT(refusalOf(GgufModel("llama")
                           .attention()
                           .feedForward()
                           .vector("blk.0.ffn_norm.weight", 8)
                           .vector("rope_freqs.weight", 3)
                           .plan()),
             Contains("rope_freqs.weight has 3 factors"));
}

TEST_CASE("GGUF: the gains of Gemma already include the 1, and Gemma 2 has soft caps", "[plan]") {
  GgufModel model("gemma2");
  model.attention().feedForward().vector("blk.0.ffn_norm.weight", 8);
  model.vector("blk.0.post_attention_norm.weight", 8).vector("blk.0.post_ffw_norm.weight", 8);
  model.real("attn_logit_softcapping", 20).number("attention.sliding_window", 9);
  const auto plan = model.plan();
  INFO(refusalOf(plan));
  REQUIRE(plan);
  const BlockPlan& block = plan->blocks.front();
  CHECK_FALSE(block.attention.norm->onePlusGain);
  CHECK_FALSE(block.attentionOut->onePlusGain);
  CHECK(block.score.cap == 20);
  CHECK(plan->head->cap == 30);
  CHECK(block.score.window == 9);
  CHECK(plan->embeddingScale == Approx(std::sqrt(8.0)));
  CHECK(block.feedForward->activation == FeedForwardActivation::GeluTanh);
}

TEST_CASE("GGUF: BERT has norms after the sums and no head", "[plan]") {
  GgufModel model("bert");
  model.matrix("position_embd.weight", 32, 8).matrix("token_types.weight", 2, 8);
  model.vector("token_embd_norm.weight", 8).vector("token_embd_norm.bias", 8);
  model.matrix("blk.0.attn_q.weight", 8, 8).matrix("blk.0.attn_k.weight", 8, 8).matrix("blk.0.attn_v.weight", 8, 8);
  model.matrix("blk.0.attn_output.weight", 8, 8).vector("blk.0.attn_output_norm.weight", 8);
  model.matrix("blk.0.ffn_up.weight", 12, 8).matrix("blk.0.ffn_down.weight", 8, 12);
  model.vector("blk.0.layer_output_norm.weight", 8);
  const auto plan = model.plan();
  INFO(refusalOf(plan));
  REQUIRE(plan);
  CHECK_FALSE(plan->causal);
  CHECK(plan->embeddingNorm->kind == NormSource::Kind::Layer);
  CHECK(plan->segments == "token_types.weight");
  CHECK(plan->blocks.front().attentionAfter->kind == NormSource::Kind::Layer);
  CHECK(plan->blocks.front().attentionAfter->gain == "blk.0.attn_output_norm.weight");
  CHECK(plan->blocks.front().feedForward->activation == FeedForwardActivation::GeluErf);
  CHECK_FALSE(plan->head);
  CHECK(plan->missing.size() == 1);
}

TEST_CASE("GGUF: parallel branches are planned, and unsupported architectures are refused", "[plan]") {
  GgufModel phi("phi2");
  phi.attention().matrix("blk.0.ffn_up.weight", 12, 8).matrix("blk.0.ffn_down.weight", 8, 12);
  const auto plan = phi.plan();
  INFO(refusalOf(plan));
  REQUIRE(plan);
  CHECK(plan->blocks.front().parallel);
  CHECK_FALSE(plan->blocks.front().feedForwardNorm);
  CHECK(plan->blocks.front().attention.norm->kind == NormSource::Kind::Layer);
  GgufModel other("mamba3");
  other.attention().feedForward().vector("blk.0.ffn_norm.weight", 8);
  CHECK_THAT(refusalOf(other.plan()), Contains("architecture \"mamba3\" is not supported"));
}

TEST_CASE("A model trained by this program is planned as the config of its run says", "[plan]") {
  // With the names of BERT: norms before each branch, no norm of the embedding, no transform before the logits.
  WholeModel bert = bertModel().without("embeddings.LayerNorm").without("cls.predictions.transform");
  bert.set(
      "\"separatrix\":{\"model\":{\"causal\":false,\"placement\":\"pre\",\"embedding_norm\":false,"
      "\"final_norm\":true,\"activation\":\"relu\",\"norm_epsilon\":1e-4,\"attention_scale\":0.75,"
      "\"positions\":\"alibi\",\"alibi_slope\":0.5}}");
  bert.with({{"final_norm.gain", {d}}, {"final_norm.bias", {d}}});
  const Planned made(bert);
  REQUIRE(made.refusal().empty());
  const BlockPlan& block = made.block(1);
  CHECK(block.attention.norm->gain == "bert.encoder.layer.1.attention.output.LayerNorm.weight");
  CHECK(block.attention.norm->epsilon == 1e-4);
  CHECK_FALSE(block.attentionAfter);
  CHECK(block.feedForwardNorm->gain == "bert.encoder.layer.1.output.LayerNorm.weight");
  CHECK_FALSE(block.feedForwardAfter);
  CHECK(block.feedForward->activation == FeedForwardActivation::Relu);
  CHECK(block.attention.scale == 0.75);
  CHECK(block.score.slopes == std::vector<double>(4, 0.5));
  CHECK_FALSE(made->embeddingNorm);
  CHECK_FALSE(made->head->transform);
  CHECK(made->head->masked);
  CHECK(made->head->finalNorm->gain == "final_norm.gain");
}

TEST_CASE("The config of a run adds a gate, norms after the sums or no norms to GPT-2", "[plan]") {
  WholeModel gated = gpt2Model().set("\"separatrix\":{\"model\":{\"activation\":\"swiglu\"}}");
  gated.layer.push_back({"layers.{layer}.feed_forward.W_gate.weight", {4 * d, d}});
  const Planned gate(gated);
  REQUIRE(gate.refusal().empty());
  CHECK(gate.block(1).feedForward->gate->tensor == "layers.1.feed_forward.W_gate.weight");
  CHECK_FALSE(gate.block(1).feedForward->gate->transposed);
  CHECK(gate.block(1).feedForward->up.transposed);
  CHECK(gate.block(1).feedForward->activation == FeedForwardActivation::Silu);

  const Planned post(gpt2Model().set("\"separatrix\":{\"model\":{\"placement\":\"post\",\"final_norm\":false}}"));
  REQUIRE(post.refusal().empty());
  CHECK_FALSE(post.block(0).attention.norm);
  CHECK(post.block(0).attentionAfter->gain == "transformer.h.0.ln_1.weight");
  CHECK(post.block(0).feedForwardAfter->gain == "transformer.h.0.ln_2.weight");
  CHECK_FALSE(post->head->finalNorm);

  const Planned none(gpt2Model().without("ln_").set("\"separatrix\":{\"model\":{\"norm\":\"none\",\"d_ff\":0}}"));
  REQUIRE(none.refusal().empty());
  CHECK_FALSE(none.block(0).attention.norm);
  CHECK_FALSE(none.block(0).feedForwardNorm);
  CHECK_FALSE(none->head->finalNorm);
  CHECK(none->blocks.size() == 2);
}

TEST_CASE("The config of a run that cannot be computed is refused with a message", "[plan]") {
  const auto with = [](const std::string& words) {
    return Planned(gpt2Model().set("\"separatrix\":{\"model\":{" + words + "}}")).refusal();
  };
  CHECK_THAT(with("\"attention\":\"linear\""), Contains("no softmax"));
  CHECK_THAT(with("\"residual\":false"), Contains("not added to the stream"));
  CHECK_THAT(with("\"norm\":\"batch\""), Contains("norm has an invalid value"));
  CHECK_THAT(with("\"causal\":3"), Contains("causal has an invalid value"));
  CHECK_THAT(with("\"attention_scale\":\"small\""), Contains("attention_scale has an invalid value"));
}

TEST_CASE("A checkpoint in memory is read and planned like a file", "[plan][memory]") {
  const TinyModel tiny = llamaModel().tiny();
  const Planned file(llamaModel());
  Contents contents;
  contents.config = nlohmann::json::parse(tiny.config);
  contents.configFrom = "config of the run";
  for (const TensorInfo& one : file.mapped.checkpoint->tensors()) {
    TensorInfo tensor = one;
    const std::vector<float>& values = tiny[one.name].values;
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    tensor.stored = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    tensor.offset = 0;
    contents.tensors.push_back(std::move(tensor));
  }
  Contents broken = contents;
  const auto made = Checkpoint::ofTensors(std::move(contents), "run-7, step 20");
  REQUIRE(made);
  CHECK((*made)->path() == "run-7, step 20");
  CHECK((*made)->files().empty());
  CHECK((*made)->bytes() == 0);
  const TensorInfo* norm = (*made)->find("model.norm.weight");
  REQUIRE(norm != nullptr);
  std::vector<float> read(d);
  REQUIRE((*made)->read(*norm, 0, d, 0, 1, std::span<float>(read)));
  CHECK(read == tiny["model.norm.weight"].values);
  const auto plan = planModel(**made, mapAttention(**made));
  REQUIRE(plan);
  CHECK(plan->blocks.size() == 2);
  CHECK(plan->head);

  broken.tensors.front().shape = {1000, 1000};
  const auto refused = Checkpoint::ofTensors(std::move(broken), "run-7, step 20");
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Contains("run-7, step 20"));
  Contents nowhere;
  nowhere.tensors.push_back({"a", Dtype::F32, "F32", {1}, {}, 0, 0, 4, nullptr, {}});
  CHECK_THAT(Checkpoint::ofTensors(std::move(nowhere), "run").error().message, Contains("lies in no file"));
}
