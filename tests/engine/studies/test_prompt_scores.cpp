// SPDX-License-Identifier: Apache-2.0
// Compares scores of prompts in files of LLaDA's and Dream's layout with a forward pass written here, and planes of
// RoPE of layer 0 with scores. Tests what is refused.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/reversal/correlation.h"
#include "engine/studies/prompt_scores.h"
#include "tests/engine/checkpoint/diffusion_models.h"
#include "tests/engine/checkpoint/opened.h"

using namespace sepx;
using namespace sepx::checkpoint::made;
using studies::PromptLayer;
using studies::Prompts;

namespace {

using Rows = std::vector<std::vector<double>>;

/// The options of an independent forward pass, and the names of a block in one of the two layouts.
struct Naive {
  bool llada = true;
  int kvHeads = kDiffusionHeads;
  double base = 500000, epsilon = 1e-5;
  std::string block(int layer, const char* mine, const char* other, const char* end = ".weight") const {
    return llada ? fmt::format("model.transformer.blocks.{}.{}{}", layer, mine, end)
                 : fmt::format("model.layers.{}.{}{}", layer, other, end);
  }
};

std::vector<double> rms(const std::vector<double>& x, const TinyTensor& gain, double epsilon) {
  double squares = 0;
  for (const double value : x)
    squares += value * value;
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    out[i] =
        x[i] / std::sqrt(squares / static_cast<double>(x.size()) + epsilon) * gain.at(static_cast<std::int64_t>(i));
  return out;
}

std::vector<double> linear(const TinyModel& model, const std::string& name, const std::string& bias,
                           const std::vector<double>& x) {
  const TinyTensor& weight = model[name];
  std::vector<double> out(static_cast<std::size_t>(weight.shape[0]));
  for (std::size_t row = 0; row < out.size(); ++row) {
    if (!bias.empty()) out[row] = model[bias].at(static_cast<std::int64_t>(row));
    for (std::size_t i = 0; i < x.size(); ++i)
      out[row] += weight.at(static_cast<std::int64_t>(row), static_cast<std::int64_t>(i)) * x[i];
  }
  return out;
}

/// Rotates the halves of each head by the angle of the place.
void turn(std::vector<double>& x, int heads, int place, double base) {
  const int d_h = kDiffusionWidth / kDiffusionHeads;
  for (int head = 0; head < heads; ++head)
    for (int s = 0; s < d_h / 2; ++s) {
      const double angle = place * std::pow(base, -2.0 * s / d_h), c = std::cos(angle), n = std::sin(angle);
      double &a = x[static_cast<std::size_t>(head * d_h + s)],
             &b = x[static_cast<std::size_t>(head * d_h + s + d_h / 2)];
      const double first = c * a - n * b, second = n * a + c * b;
      a = first;
      b = second;
    }
}

/// Scaled scores q . k of a layer, [heads][query][key]. `x` becomes the stream after the block.
std::vector<Rows> block(const TinyModel& model, const Naive& of, int layer, Rows& x) {
  const std::size_t N = x.size();
  const int d_h = kDiffusionWidth / kDiffusionHeads, group = kDiffusionHeads / of.kvHeads;
  Rows q(N), k(N), v(N);
  const auto bias = [&](const char* part) { return of.llada ? std::string() : of.block(layer, "", part, ".bias"); };
  for (std::size_t n = 0; n < N; ++n) {
    const auto normed = rms(x[n], model[of.block(layer, "attn_norm", "input_layernorm")], of.epsilon);
    q[n] = linear(model, of.block(layer, "q_proj", "self_attn.q_proj"), bias("self_attn.q_proj"), normed);
    k[n] = linear(model, of.block(layer, "k_proj", "self_attn.k_proj"), bias("self_attn.k_proj"), normed);
    v[n] = linear(model, of.block(layer, "v_proj", "self_attn.v_proj"), bias("self_attn.v_proj"), normed);
    turn(q[n], kDiffusionHeads, static_cast<int>(n), of.base);
    turn(k[n], of.kvHeads, static_cast<int>(n), of.base);
  }
  std::vector<Rows> scores(kDiffusionHeads, Rows(N, std::vector<double>(N)));
  Rows context(N, std::vector<double>(kDiffusionWidth));
  for (int head = 0; head < kDiffusionHeads; ++head)
    for (std::size_t m = 0; m < N; ++m) {
      double sum = 0;
      for (std::size_t n = 0; n < N; ++n) {
        double& score = scores[static_cast<std::size_t>(head)][m][n];
        for (int a = 0; a < d_h; ++a)
          score +=
              q[m][static_cast<std::size_t>(head * d_h + a)] * k[n][static_cast<std::size_t>(head / group * d_h + a)];
        score /= std::sqrt(d_h);
        sum += std::exp(score);
      }
      for (std::size_t n = 0; n < N; ++n)
        for (int a = 0; a < d_h; ++a)
          context[m][static_cast<std::size_t>(head * d_h + a)] +=
              std::exp(scores[static_cast<std::size_t>(head)][m][n]) / sum *
              v[n][static_cast<std::size_t>(head / group * d_h + a)];
    }
  for (std::size_t n = 0; n < N; ++n) {
    const auto attended = linear(model, of.block(layer, "attn_out", "self_attn.o_proj"), {}, context[n]);
    for (std::size_t i = 0; i < x[n].size(); ++i)
      x[n][i] += attended[i];
    const auto normed = rms(x[n], model[of.block(layer, "ff_norm", "post_attention_layernorm")], of.epsilon);
    auto gate = linear(model, of.block(layer, "ff_proj", "mlp.gate_proj"), {}, normed);
    const auto up = linear(model, of.block(layer, "up_proj", "mlp.up_proj"), {}, normed);
    for (std::size_t i = 0; i < gate.size(); ++i)
      gate[i] *= up[i] / (1 + std::exp(-gate[i]));
    const auto down = linear(model, of.block(layer, "ff_out", "mlp.down_proj"), {}, gate);
    for (std::size_t i = 0; i < x[n].size(); ++i)
      x[n][i] += down[i];
  }
  return scores;
}

Rows embedded(const TinyModel& model, const std::string& table, const std::vector<std::int32_t>& ids) {
  Rows x;
  for (const std::int32_t id : ids) {
    std::vector<double>& row = x.emplace_back();
    for (int i = 0; i < kDiffusionWidth; ++i)
      row.push_back(model[table].at(id, i));
  }
  return x;
}

/// "[M] 7 e e" forward and "e e 8 9 [M]" in reverse, of different lengths.
Prompts somePrompts() {
  Prompts prompts;
  for (const std::int32_t e : {3, 11, 19, 26, 34, 41})
    prompts.pairs.push_back({{kDiffusionMask, 7, e, e + 1}, {e, e + 1, 8, 9, kDiffusionMask}, {e, e + 1}});
  return prompts;
}

void compare(const TinyModel& model, const Naive& of, const std::string& table) {
  const Folder folder;
  const auto checkpoint = opened(model.write(folder));
  const checkpoint::AttentionMap map = checkpoint::mapAttention(*checkpoint);
  CHECK(map.family == (of.llada ? "llada" : "dream"));
  const Prompts prompts = somePrompts();
  ThreadPool pool(2);
  const auto layers = studies::promptScores(*checkpoint, map, prompts, kDiffusionLayers, {.pool = pool});
  INFO((layers ? std::string() : layers.error().message));
  REQUIRE(layers);
  REQUIRE(layers->size() == kDiffusionLayers);
  std::vector<Rows> forward, reverse;
  for (const auto& pair : prompts.pairs) {
    forward.push_back(embedded(model, table, pair.forward));
    reverse.push_back(embedded(model, table, pair.reverse));
  }
  for (int layer = 0; layer < kDiffusionLayers; ++layer) {
    std::vector<std::vector<double>> f(kDiffusionHeads), r(kDiffusionHeads);
    for (std::size_t i = 0; i < prompts.pairs.size(); ++i) {
      const std::vector<Rows> there = block(model, of, layer, forward[i]), back = block(model, of, layer, reverse[i]);
      for (std::size_t head = 0; head < kDiffusionHeads; ++head) {
        f[head].push_back((there[head][0][2] + there[head][0][3]) / 2);
        r[head].push_back((back[head][4][0] + back[head][4][1]) / 2);
      }
    }
    for (std::size_t head = 0; head < kDiffusionHeads; ++head) {
      INFO("layer " << layer << ", head " << head);
      const studies::PromptHead& ours = (*layers)[static_cast<std::size_t>(layer)].heads[head];
      CHECK(ours.correlation == Approx(reversal::correlation(f[head], r[head])).margin(1e-4));
      double mean = 0;
      for (const double score : f[head])
        mean += score / static_cast<double>(f[head].size());
      CHECK(ours.forward == Approx(mean).margin(1e-4));
    }
  }
}

}  // namespace

TEST_CASE("prompt scores: every layer of LLaDA's layout agrees with a forward pass written here", "[prompts]") {
  compare(llada(), {}, "model.transformer.wte.weight");
}

TEST_CASE("prompt scores: Dream's layout with grouped keys and biases agrees with a forward pass written here",
          "[prompts]") {
  compare(dream(), {.llada = false, .kvHeads = kDiffusionHeads / 2, .base = 1e6, .epsilon = 1e-6},
          "model.embed_tokens.weight");
}

TEST_CASE("head planes: scores by distance are those of prompts with two tokens", "[prompts]") {
  const Folder folder;
  const auto checkpoint = opened(llada().write(folder));
  const checkpoint::AttentionMap map = checkpoint::mapAttention(*checkpoint);
  CHECK(studies::maskTokenOf(*checkpoint) == kDiffusionMask);
  CHECK(studies::vocabularyOf(*checkpoint, map) == kDiffusionVocabulary);
  const std::vector<std::int32_t> tokens = studies::sampleTokens(kDiffusionVocabulary, 10, kDiffusionMask);
  CHECK(tokens == std::vector<std::int32_t>{0, 5, 10, 15, 20, 25, 30, 35, 40, 45});
  const auto heads = studies::headPlanes(*checkpoint, map, -1, tokens);
  REQUIRE(heads);
  REQUIRE(heads->size() == kDiffusionHeads);
  Prompts prompts;
  for (const std::int32_t e : tokens)
    prompts.pairs.push_back({{kDiffusionMask, 1, e}, {e, kDiffusionMask}, {e}});
  ThreadPool pool(2);
  const auto scores = studies::promptScores(*checkpoint, map, prompts, 1, {.pool = pool});
  REQUIRE(scores);
  for (std::size_t head = 0; head < kDiffusionHeads; ++head) {
    const reversal::RopePlanes& planes = (*heads)[head];
    CHECK(planes.samples == 10);
    CHECK(planes.planes.size() == 3);
    CHECK(planes.correlationAt(2, 1) == Approx(scores->front().heads[head].correlation));
  }
}

TEST_CASE("prompt scores: invalid requests are refused with a message of one line", "[prompts]") {
  const Folder folder;
  const auto checkpoint = opened(llada().write(folder));
  const checkpoint::AttentionMap map = checkpoint::mapAttention(*checkpoint);
  ThreadPool pool(1);
  const auto refusal = [&](Prompts prompts, int layers = 1) {
    const auto made = studies::promptScores(*checkpoint, map, prompts, layers, {.pool = pool});
    REQUIRE_FALSE(made);
    CHECK(made.error().message.find('\n') == std::string::npos);
    return made.error().message;
  };
  Prompts prompts = somePrompts();
  CHECK(refusal(prompts, 4).find("from 1 to 3") != std::string::npos);
  prompts.pairs[1].forward[0] = 5;
  CHECK(refusal(prompts).find("[M]") != std::string::npos);
  prompts = somePrompts();
  prompts.pairs[2].evidence = {1, 2};
  CHECK(refusal(prompts).find("evidence") != std::string::npos);
  prompts = somePrompts();
  prompts.pairs[0].forward[1] = kDiffusionVocabulary;
  CHECK_FALSE(refusal(prompts).empty());
  prompts.pairs.resize(2);
  CHECK(refusal(prompts).find("3 pairs") != std::string::npos);
  CHECK_FALSE(studies::headPlanes(*checkpoint, map, -1, {3}));
  const auto cancelled =
      studies::promptScores(*checkpoint, map, somePrompts(), 2, {.pool = pool, .cancelled = [] { return true; }});
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::Interrupted);

  // A model without rotary encoding.
  TinyModel gpt;
  gpt.config = R"({"model_type":"gpt2","n_embd":24,"n_head":4,"n_layer":1})";
  gpt.add("wte.weight", {50, 24});
  gpt.add("h.0.attn.c_attn.weight", {24, 72});
  const auto other = opened(gpt.write(folder, "gpt"));
  const auto none = studies::headPlanes(*other, checkpoint::mapAttention(*other), 1, {2, 3});
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("rotary") != std::string::npos);
}

TEST_CASE("prompt scores: a config with an unsupported option is refused above layer 0", "[prompts]") {
  const Folder folder;
  ThreadPool pool(1);
  const auto asked = [&](const char* added, const char* name, int layers) {
    TinyModel model = dream();
    model.config.insert(1, added);
    const auto checkpoint = opened(model.write(folder, name));
    return studies::promptScores(*checkpoint, checkpoint::mapAttention(*checkpoint), somePrompts(), layers,
                                 {.pool = pool});
  };
  const std::pair<const char*, const char*> refused[] = {
      {R"("rope_scaling":{"rope_type":"llama3","factor":8.0},)", "rope_scaling"},
      {R"("rope_scaling":{"type":"linear","factor":2.0},)", "rope_scaling"},
      {R"("residual_multiplier":0.22,)", "multiplier"},
      {R"("embedding_multiplier":12.0,)", "multiplier"},
      {R"("layer_sharing":true,)", "layer_sharing"},
      {R"("hidden_activation":"gelu_pytorch_tanh",)", "SiLU"}};
  for (std::size_t i = 0; i < std::size(refused); ++i) {
    const auto& [added, said] = refused[i];
    INFO(added);
    const auto deep = asked(added, fmt::format("deep{}", i).c_str(), 2);
    REQUIRE_FALSE(deep);
    CHECK(deep.error().kind == ErrorKind::Usage);
    CHECK(deep.error().message.find(said) != std::string::npos);
    CHECK(asked(added, fmt::format("first{}", i).c_str(), 1));
  }
  CHECK(asked(R"("rope_scaling":null,)", "none", 2));
  CHECK(asked(R"("rope_scaling":{"rope_type":"default"},)", "plain", 2));
  CHECK(asked(R"("rope_scaling":{"type":"mrope","mrope_section":[1,1,1]},)", "text", 2));
}

TEST_CASE("prompts: the fields of a file are read, and an invalid file is refused with its name", "[prompts]") {
  const Folder folder;
  const auto read = [&](const char* text) { return studies::readPrompts(folder.write("prompts.json", text)); };
  const auto good = read(R"({"mask": 5, "pairs": [{"forward": [5, 1], "reverse": [1, 5], "evidence": [1]}]})");
  REQUIRE(good);
  CHECK(good->mask == 5);
  CHECK(good->pairs.front().reverse == std::vector<std::int32_t>{1, 5});
  for (const char* const bad : {"{", "[]", R"({"pairs": [{"forward": [1]}]})", R"({"mask": -1, "pairs": []})",
                                R"({"pairs": [{"forward": [1.5], "reverse": [1], "evidence": [1]}]})"}) {
    INFO(bad);
    const auto refused = read(bad);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::BadInput);
    CHECK(refused.error().message.find("prompts.json") != std::string::npos);
  }
  CHECK_FALSE(studies::readPrompts((folder.path / "none.json").string()));
}
