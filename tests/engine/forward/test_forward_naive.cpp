// SPDX-License-Identifier: Apache-2.0
// Compares the forward pass of every kind of plan with the plain computation of naive_pass.h, in doubles and floats.
#include <functional>

#include <catch2/catch.hpp>

#include "tests/engine/forward/naive_pass.h"

namespace sepx::forward::tiny {

using checkpoint::RopeSource;

namespace {

struct Worst {
  double embedding = 0, hidden = 0, attention = 0, logits = 0;
  double most() const { return std::max({embedding, hidden, attention, logits}); }
};

template <class T>
Worst worstOf(const Activations<T>& pass, const NaivePass& naive) {
  Worst worst;
  worst.embedding = worstDifference(pass.embedding, flat(naive.embedding));
  REQUIRE(pass.blocks.size() == naive.hidden.size());
  for (std::size_t layer = 0; layer < naive.hidden.size(); ++layer) {
    worst.hidden = std::max(worst.hidden, worstDifference(pass.blocks[layer].hidden, flat(naive.hidden[layer])));
    std::vector<double> patterns;
    for (const Rows& head : naive.attention[layer]) {
      const std::vector<double> one = flat(head);
      patterns.insert(patterns.end(), one.begin(), one.end());
    }
    worst.attention = std::max(worst.attention, worstDifference(pass.blocks[layer].attention, patterns));
  }
  std::vector<double> logits;
  for (const int at : pass.logitsAt)
    logits.insert(logits.end(), naive.logits[static_cast<std::size_t>(at)].begin(),
                  naive.logits[static_cast<std::size_t>(at)].end());
  worst.logits = worstDifference(pass.logits, logits);
  return worst;
}

void checkModel(const PlannedModel& small, const Input& input) {
  const files::Folder folder;
  const NaivePass naive = Naive(small).run(input);
  const Worst inDoubles = worstOf(passOf<double>(*small.open(folder), input), naive);
  CHECK(inDoubles.most() < 1e-11);
  const Worst inFloats = worstOf(passOf<float>(*small.open(folder), input), naive);
  CHECK(inFloats.embedding < 1e-5);
  CHECK(inFloats.most() < 1e-4);
}

/// A change of the base model, and tokens that make it visible.
struct Variant {
  const char* name;
  Shape shape;
  std::function<void(PlannedModel&)> change;
  int tokens = 11;
};

void eachBlock(PlannedModel& model, const std::function<void(BlockPlan&, const std::string&)>& change) {
  int layer = 0;
  for (BlockPlan& block : model.plan.blocks)
    change(block, "h." + std::to_string(layer++));
}
void rope(PlannedModel& model, const RopeSource& source, const checkpoint::RopeScaling& scaling = {}) {
  eachBlock(model, [&](BlockPlan& block, const std::string&) {
    block.attention.rope = source;
    block.ropeScaling = scaling;
  });
}
void headNorms(PlannedModel& model, int queries, int keys, NormSource::Kind kind) {
  eachBlock(model, [&](BlockPlan& block, const std::string& name) {
    block.attention.q_norm = model.norm(name + ".q_norm", queries, kind);
    block.attention.k_norm = model.norm(name + ".k_norm", keys, kind);
  });
}

void checkVariants(const std::vector<Variant>& variants) {
  for (const Variant& variant : variants) {
    INFO(variant.name);
    PlannedModel small = tinyModel(variant.shape);
    if (variant.change) variant.change(small);
    checkModel(small, tokens(variant.tokens, variant.shape.vocabulary));
  }
}

Shape grouped() {
  Shape shape;
  shape.kvHeads = 2;
  return shape;
}
Shape bothWays() {
  Shape shape;
  shape.causal = false;
  return shape;
}

}  // namespace

TEST_CASE("A pass equals the plain computation: layouts of projections", "[forward]") {
  Shape fused = grouped(), rms, wide;
  fused.fused = true;
  rms.norm = NormSource::Kind::Rms;
  wide.d_v = 5;
  checkVariants({
      {"base", {}, {}},
      {"one token", {}, {}, 1},
      {"grouped keys", grouped(), {}},
      {"fused and transposed", fused, {}},
      {"root-mean-square norms", rms, {}},
      {"values of another width than keys", wide, {}},
      {"a tensor [heads, in, out]",
       {},
       [](PlannedModel& model) {
         eachBlock(model, [&](BlockPlan& block, const std::string& name) {
           ProjectionSource source;
           source.tensor = model.table(name + ".W_Q", {4, 24, 6}, 0.2);
           source.perHead = true;
           block.attention.W_Q = source;
           source.tensor = model.table(name + ".b_Q", {4, 6}, 0.2);
           block.attention.b_Q = source;
         });
       }},
      {"head by head in one tensor",
       {},
       [](PlannedModel& model) {
         eachBlock(model, [&](BlockPlan& block, const std::string& name) {
           const LinearSource all = model.linear(name + ".qkv", 72, 24);
           const auto part = [&](const std::string& tensor, int offset) {
             return ProjectionSource{tensor, false, offset, 18, 0, 0, false};
           };
           block.attention.W_Q = part(all.tensor, 0), block.attention.b_Q = part(all.bias, 0);
           block.attention.W_K = part(all.tensor, 6), block.attention.b_K = part(all.bias, 6);
           block.W_V = part(all.tensor, 12), block.b_V = part(all.bias, 12);
         });
       }},
      {"groups: two queries, their key, their value", grouped(),
       [](PlannedModel& model) {
         eachBlock(model, [&](BlockPlan& block, const std::string& name) {
           const std::string tensor = model.table(name + ".wqkv", {48, 24}, 0.2);
           block.attention.W_Q = {tensor, false, 0, 6, 2, 24, false};
           block.attention.W_K = {tensor, false, 12, 24, 0, 0, false};
           block.W_V = {tensor, false, 18, 24, 0, 0, false};
           block.attention.b_Q = block.attention.b_K = block.b_V = std::nullopt;
         });
       }},
  });
}

TEST_CASE("A pass equals the plain computation: terms added to scores", "[forward]") {
  const auto scores = [](const std::function<void(checkpoint::ScoreRule&)>& change) {
    return [change](PlannedModel& model) {
      eachBlock(model, [&](BlockPlan& block, const std::string&) { change(block.score); });
    };
  };
  const auto buckets = [](PlannedModel& model) {
    eachBlock(model, [&](BlockPlan& block, const std::string&) {
      block.score.distanceBias = model.table("relative", {8, 4}, 1);
      block.score.distanceBuckets = 8;
      block.score.distanceFarthest = 16;
    });
  };
  const std::vector<double> slopes{0.5, 0.25, 0.125, 0.0625};
  checkVariants({
      {"window", {}, scores([](auto& rule) { rule.window = 4; })},
      {"window, more than one tile of queries", {}, scores([](auto& rule) { rule.window = 7; }), 90},
      {"causal, more than one tile of queries", {}, {}, 90},
      {"both ways", bothWays(), {}, 70},
      {"window both ways", bothWays(), scores([](auto& rule) { rule.window = 3; }), 70},
      {"cap", {}, scores([](auto& rule) { rule.cap = 0.7; })},
      {"ALiBi", {}, scores([&](auto& rule) { rule.slopes = slopes; })},
      {"ALiBi both ways", bothWays(), scores([&](auto& rule) { rule.slopes = slopes; })},
      {"ALiBi with a sign, both ways", bothWays(), scores([&](auto& rule) {
         rule.slopes = slopes;
         rule.slopesSigned = true;
       })},
      {"ALiBi before the product is scaled", {}, scores([&](auto& rule) {
         rule.slopes = slopes;
         rule.slopesScaled = true;
       })},
      {"learned bias of the distance", {}, buckets, 30},
      {"learned bias of the distance both ways", bothWays(), buckets, 30},
      {"no scale",
       {},
       [](PlannedModel& model) {
         eachBlock(model, [](BlockPlan& block, const std::string&) { block.attention.scale = 1; });
       }},
  });
}

TEST_CASE("A pass equals the plain computation: rotary encoding and norms of queries and keys", "[forward]") {
  checkVariants({
      {"rotary", grouped(),
       [](PlannedModel& model) {
         rope(model, {10000, 6, false});
       }},
      {"rotary of neighbours", grouped(),
       [](PlannedModel& model) {
         rope(model, {10000, 6, true});
       }},
      {"rotary of a part",
       {},
       [](PlannedModel& model) {
         rope(model, {500, 4, false});
       }},
      {"rotary of a part, neighbours",
       {},
       [](PlannedModel& model) {
         rope(model, {500, 4, true});
       }},
      {"rotary, scaled",
       {},
       [](PlannedModel& model) {
         rope(model, {500, 6, false}, {{1, 2.5, 8}, 1.1});
       }},
      {"another base in every other layer",
       {},
       [](PlannedModel& model) {
         rope(model, {500, 6, false});
         model.plan.blocks[1].attention.rope->base = 90;
       }},
      {"norms of heads", grouped(),
       [](PlannedModel& model) {
         headNorms(model, 6, 6, NormSource::Kind::Rms);
         rope(model, {500, 6, false});
       }},
      {"norms with a gain for each head", grouped(),
       [](PlannedModel& model) { headNorms(model, 24, 12, NormSource::Kind::Layer); }},
      {"norms of all heads at once", grouped(),
       [](PlannedModel& model) {
         headNorms(model, 24, 12, NormSource::Kind::Rms);
         eachBlock(model, [](BlockPlan& block, const std::string&) { block.normOfAllHeads = true; });
       }},
  });
}

TEST_CASE("A pass equals the plain computation: order of norms and branches", "[forward]") {
  const auto post = [](PlannedModel& model) {
    eachBlock(model, [&](BlockPlan& block, const std::string&) {
      block.attentionAfter = std::exchange(block.attention.norm, std::nullopt);
      block.feedForwardAfter = std::exchange(block.feedForwardNorm, std::nullopt);
    });
  };
  const auto outNorms = [](PlannedModel& model) {
    eachBlock(model, [&](BlockPlan& block, const std::string& name) {
      block.attentionOut = model.norm(name + ".out1", 24, NormSource::Kind::Rms);
      block.feedForwardOut = model.norm(name + ".out2", 24, NormSource::Kind::Rms);
      block.attentionOut->onePlusGain = true;
    });
  };
  checkVariants({
      {"after the sum", {}, post},
      {"of the branch", {}, outNorms},
      {"of the branch alone",
       {},
       [&](PlannedModel& model) {
         outNorms(model);
         eachBlock(model, [](BlockPlan& block, const std::string&) {
           block.attention.norm = block.feedForwardNorm = std::nullopt;
         });
       }},
      {"side by side, one norm",
       {},
       [](PlannedModel& model) {
         eachBlock(model, [](BlockPlan& block, const std::string&) {
           block.parallel = true;
           block.feedForwardNorm = std::nullopt;
         });
       }},
      {"side by side, two norms",
       {},
       [](PlannedModel& model) {
         eachBlock(model, [](BlockPlan& block, const std::string&) { block.parallel = true; });
       }},
      {"branches times a factor",
       {},
       [](PlannedModel& model) {
         eachBlock(model, [](BlockPlan& block, const std::string&) { block.residualScale = 0.22; });
       }},
      {"branches times a gain of each number",
       {},
       [](PlannedModel& model) {
         eachBlock(model, [&](BlockPlan& block, const std::string& name) {
           block.attentionGain = model.table(name + ".ls1", {24}, 0.5);
           block.feedForwardGain = model.table(name + ".ls2", {24}, 0.5);
         });
       }},
      {"norm without a gain",
       {},
       [](PlannedModel& model) {
         eachBlock(model, [](BlockPlan& block, const std::string&) {
           block.attention.norm->gain.clear();
           block.attention.norm->bias.clear();
         });
       }},
      {"no feed-forward part", {}, [](PlannedModel& model) { model.plan.blocks[1].feedForward = std::nullopt; }},
  });
}

TEST_CASE("A pass equals the plain computation: activations with and without a gate", "[forward]") {
  for (const bool gated : {false, true})
    for (const auto activation :
         {FeedForwardActivation::Relu, FeedForwardActivation::ReluSquared, FeedForwardActivation::GeluErf,
          FeedForwardActivation::GeluTanh, FeedForwardActivation::QuickGelu, FeedForwardActivation::Silu}) {
      INFO("activation " << static_cast<int>(activation) << (gated ? ", gated" : ""));
      PlannedModel small = tinyModel();
      eachBlock(small, [&](BlockPlan& block, const std::string& name) {
        block.feedForward = small.feedForward(name + ".mlp", activation, gated);
      });
      checkModel(small, tokens(11));
    }
  PlannedModel small = tinyModel();
  const LinearSource both = small.linear("both", 80, 24);
  FeedForwardSource& source = *small.plan.blocks[0].feedForward;
  source.up = source.gate.emplace() = both;
  source.up.out = source.gate->out = 40;
  source.up.first = source.up.biasFirst = 40;
  source.down = small.linear("down", 24, 40, true);
  checkModel(small, tokens(11));
}

TEST_CASE("A pass equals the plain computation: embedding and head", "[forward]") {
  const auto narrow = [](int positions) {
    return [positions](PlannedModel& model) {
      model.plan.tokenEmbedding = model.table("narrow", {19, 10}, 1);
      model.plan.positionEmbedding = model.table("wpe", {100, positions}, 0.5);
      model.plan.embeddingProjection = model.linear("widen", 24, 10);
      model.plan.head->logits = model.linear("head", 19, 24, false, false);
    };
  };
  checkVariants({
      {"offset of positions, segments and a norm",
       {},
       [](PlannedModel& model) {
         model.plan.positionOffset = 2;
         model.plan.segments = model.table("segments", {2, 24}, 0.5);
         model.plan.embeddingNorm = model.norm("ln_e", 24);
       }},
      {"scaled embedding", {}, [](PlannedModel& model) { model.plan.embeddingScale = 4.875; }},
      {"narrow embedding, narrow positions", {}, narrow(10)},
      {"narrow embedding, wide positions", {}, narrow(24)},
      {"transform, its norm and a bias", bothWays(),
       [](PlannedModel& model) {
         model.plan.head->transform = model.linear("transform", 24, 24);
         model.plan.head->transformNorm = model.norm("transform.norm", 24);
         model.plan.head->outputBias = model.table("decoder.bias", {19}, 1);
         model.plan.head->finalNorm = std::nullopt;
       }},
      {"own head with a bias, scaled and capped",
       {},
       [](PlannedModel& model) {
         model.plan.head->logits = model.linear("head", 19, 24);
         model.plan.head->scale = 0.5;
         model.plan.head->cap = 3;
       }},
  });
}

TEST_CASE("A pass of an image equals the plain computation", "[forward]") {
  for (const bool patchFirst : {false, true}) {
    Shape shape = bothWays();
    shape.learned = false;
    PlannedModel small = tinyModel(shape);
    checkpoint::ImagePlan& image = small.plan.image.emplace();
    image.image = 12;
    image.patch = 4;
    image.channels = 2;
    image.patchFirst = patchFirst;
    image.classToken = small.table("cls", {1, 1, 24}, 1);
    if (!patchFirst) image.secondToken = small.table("distilled", {1, 1, 24}, 1);
    image.positions = small.table("pos", {1, 11, 24}, 1);
    image.patches = small.linear("patch", 24, 32);
    if (patchFirst) image.patchNorm = small.norm("before", 32), image.patchedNorm = small.norm("after", 24);
    small.plan.vocabulary = 0;
    small.plan.head->logits = small.linear("classes", 5, 24);
    Input input;
    RandomStream random(3);
    for (int i = 0; i < 288; ++i)
      input.pixels.push_back(static_cast<float>(random.normal()));
    checkModel(small, input);
    const files::Folder folder;
    CHECK(passOf<double>(*small.open(folder), input).logitsAt == std::vector<int>{0});
  }
}

}  // namespace sepx::forward::tiny
