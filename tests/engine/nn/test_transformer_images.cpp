// SPDX-License-Identifier: Apache-2.0
// Images in the transformer: patches and class token compared with the definition, gradients with central differences,
// and shards with the whole batch. Also tests invalid shapes.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/nn/initialise.h"
#include "engine/nn/layers/patches.h"
#include "engine/nn/objective.h"
#include "engine/nn/parameter_groups.h"
#include "engine/nn/transformer.h"
#include "tests/engine/nn/gradient_check.h"
#include "tests/engine/nn/transformer_cases.h"

using namespace sepx;
using namespace sepx::nn;
using namespace sepx::test;

namespace {

ModelConfig imageModel() {
  ModelConfig c;
  c.input = Input::Patches;
  c.image = 6;
  c.patch = 3;
  c.channels = 2;
  c.vocabulary = 4;
  c.length = 5;
  c.layers = 2;
  c.d_model = 6;
  c.heads = 2;
  c.d_ff = 7;
  c.output = Output::Untied;
  c.causal = false;
  c.outputBias = true;
  c.activation = Activation::GeluErf;
  return c;
}

/// One class per image, and for every second image a second class with another weight, as for mixed images.
Batch imageBatch(const ModelConfig& c, int sequences, std::uint64_t seed) {
  RandomStream random(seed, 9);
  Batch batch;
  batch.sequences = sequences;
  batch.length = c.length;
  batch.tokens.assign(static_cast<std::size_t>(sequences) * static_cast<std::size_t>(c.length), 0);
  batch.pixels.resize(static_cast<std::size_t>(sequences) * imageShape(c).pixels());
  for (float& pixel : batch.pixels)
    pixel = static_cast<float>(random.normal());
  const auto anyClass = [&] {
    return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(c.vocabulary)));
  };
  for (int b = 0; b < sequences; ++b) {
    batch.targets.push_back({b * c.length, anyClass(), 0.7f / static_cast<float>(sequences)});
    if (b % 2 == 0) batch.targets.push_back({b * c.length, anyClass(), 0.3f / static_cast<float>(sequences)});
  }
  return batch;
}

std::string refusal(const ModelConfig& config) {
  const Result<void> checked = check(config);
  return checked ? std::string() : checked.error().message;
}

}  // namespace

TEST_CASE("images: patches are embedded row by row after a class token, and positions are added") {
  const ModelConfig c = imageModel();
  const Batch batch = imageBatch(c, 3, 1);
  const ImageShape shape = imageShape(c);
  ThreadPool pool(2);
  const std::size_t d = 6, values = shape.values(), length = 5;
  const std::vector<double> token = randomValues(d, 2), E = randomValues(d * values, 3), bias = randomValues(d, 4),
                            positions = randomValues(length * d, 5);
  std::vector<double> rows(3 * length * values), x(3 * length * d);
  embedPatches<double>(pool, shape, batch, 6, {token.data(), E.data(), bias.data(), positions.data()}, rows.data(),
                       x.data());
  for (std::size_t b = 0; b < 3; ++b)
    for (std::size_t n = 0; n < length; ++n)
      for (std::size_t i = 0; i < d; ++i) {
        double expected = positions[n * d + i] + (n == 0 ? token[i] : bias[i]);
        if (n > 0)
          for (std::size_t channel = 0; channel < 2; ++channel)
            for (std::size_t y = 0; y < 3; ++y)
              for (std::size_t z = 0; z < 3; ++z) {
                const std::size_t row = (n - 1) / 2 * 3 + y, column = (n - 1) % 2 * 3 + z;
                expected += E[i * values + (channel * 3 + y) * 3 + z] *
                            static_cast<double>(batch.pixels[((b * 2 + channel) * 6 + row) * 6 + column]);
              }
        REQUIRE(x[(b * length + n) * d + i] == Approx(expected).epsilon(1e-12).margin(1e-13));
      }
}

TEST_CASE("images: the gradient of every parameter agrees with central differences") {
  struct Variant {
    Positions positions;
    Norm norm;
    Placement placement;
    bool embeddingNorm;
    double dropout, smoothing;
  };
  for (const Variant& v : {Variant{Positions::Learned, Norm::Layer, Placement::Pre, false, 0, 0},
                           Variant{Positions::Sinusoidal, Norm::None, Placement::Pre, false, 0, 0.1},
                           Variant{Positions::Learned, Norm::Rms, Placement::Post, true, 0.2, 0},
                           Variant{Positions::None, Norm::Layer, Placement::Pre, false, 0, 0.3}}) {
    ModelConfig c = imageModel();
    c.positions = v.positions, c.norm = v.norm, c.placement = v.placement, c.embeddingNorm = v.embeddingNorm;
    if (v.positions == Positions::Sinusoidal) c.headDim = 4;
    c.embeddingDropout = c.attentionDropout = c.residualDropout = v.dropout;
    REQUIRE(refusal(c).empty());
    ThreadPool pool(2);
    Transformer<double> model(c, pool);
    REQUIRE(static_cast<std::int64_t>(model.layout().size()) == parameterCount(c));
    test::fill(model, 7);
    Batch batch = imageBatch(c, 4, 8);
    batch.smoothing = v.smoothing;
    const DropoutKey key{3, 8};
    model.clearGradient();
    model.accumulate(batch, key);
    const std::vector<double> gradient(model.gradient().begin(), model.gradient().end());
    const auto loss = [&] { return v.dropout > 0 ? model.accumulate(batch, key) : model.evaluate(batch); };
    const GradientCheck options{.step = 3e-4, .fourPoints = true};
    for (const Parameter& p : model.layout().all()) {
      INFO(p.name);
      CHECK(gradientError(model.of(p), std::span(gradient).subspan(p.offset, p.size()), loss, options) <
            kGradientTolerance);
    }
  }
}

TEST_CASE("images: a batch is the sum of its parts, and the number of threads changes no bit") {
  ModelConfig c = imageModel();
  c.image = 12;
  c.length = c.patches() + 1;
  ThreadPool one(1), three(3);
  Transformer<float> model(c, one), other(c, three);
  test::fill(model, 5);
  std::ranges::copy(model.theta(), other.theta().begin());
  const int sequences = 700;  // more than a shard holds
  const Batch batch = imageBatch(c, sequences, 3);
  const double loss = model.accumulate(batch, {1, 1});
  CHECK(other.accumulate(batch, {1, 1}) == loss);
  CHECK(std::ranges::equal(other.gradient(), model.gradient()));

  std::vector<std::int32_t> rows;
  for (int b = sequences - 1; b >= 0; b -= 7)
    rows.push_back(b * c.length);
  std::vector<float> all(rows.size() * 4), single(4);
  model.logits(batch, rows, all);
  for (std::size_t i = 0; i < rows.size(); i += 13) {
    const std::size_t b = static_cast<std::size_t>(rows[i] / c.length), pixels = imageShape(c).pixels();
    Batch alone = imageBatch(c, 1, 1);
    std::copy_n(batch.pixels.begin() + static_cast<std::ptrdiff_t>(b * pixels), pixels, alone.pixels.begin());
    model.logits(alone, std::vector<std::int32_t>{0}, single);
    for (std::size_t k = 0; k < 4; ++k)
      CHECK(all[i * 4 + k] == Approx(single[k]).epsilon(1e-4).margin(1e-5));
  }
}

TEST_CASE("images: the class is the only target, and the objective hides it from the tokens") {
  const Objective objective{.kind = ObjectiveKind::Classify};
  const std::vector<std::int32_t> tokens{3, 0, 0, 1, 0, 0};
  RandomStream random(1);
  Batch batch;
  makeBatch(objective, tokens, 2, 3, {}, random, batch);
  CHECK(batch.targets == std::vector<Target>{{0, 3, 0.5f}, {3, 1, 0.5f}});
  CHECK(batch.tokens == std::vector<std::int32_t>(6, 0));
  CHECK(batch.smoothing == 0);
  CHECK_FALSE(check(Objective{.kind = ObjectiveKind::Classify, .labelSmoothing = 1}, 10));
}

TEST_CASE("images: every start initialises the image parameters, which belong to the embedding group") {
  ThreadPool pool(1);
  for (const InitialScheme scheme : {InitialScheme::Gaussian, InitialScheme::Gpt2, InitialScheme::Bert,
                                     InitialScheme::Uniform, InitialScheme::RankOne}) {
    const ModelConfig c = imageModel();
    Transformer<float> model(c, pool);
    RandomStream random(4);
    Initial initial{.scheme = scheme};
    initial.queryKey = QueryKeyStart::Symmetric;
    REQUIRE(check(initial, c));
    initialise<float>(initial, c, model.layout(), random, model.theta());
    for (const char* name : {"class_token.weight", "patches.weight"}) {
      const Parameter* parameter = model.layout().find(name);
      REQUIRE(parameter != nullptr);
      CHECK(groupOf(*parameter) == ParameterGroup::Embedding);
      CHECK(std::ranges::any_of(model.of(*parameter), [](float x) { return x != 0; }));
    }
    const Parameter *query = model.layout().find("layers.1.attention.W_Q.weight"),
                    *key = model.layout().find("layers.1.attention.W_K.weight");
    CHECK(std::ranges::equal(model.of(*query), model.of(*key)));
  }
  CHECK_FALSE(check(Initial{.scheme = InitialScheme::Proposed}, imageModel()));
}

TEST_CASE("images: an invalid shape is refused with the field and the remedy") {
  const auto refusedFor = [](void (*change)(ModelConfig&), const char* words) {
    ModelConfig c = imageModel();
    change(c);
    INFO(refusal(c));
    return refusal(c).find(words) != std::string::npos;
  };
  CHECK(refusal(imageModel()).empty());
  CHECK(refusedFor([](ModelConfig& c) { c.patch = 4; }, "model.patch is 4 and does not divide model.image 6"));
  CHECK(refusedFor([](ModelConfig& c) { c.patch = 0; }, "model.patch"));
  CHECK(refusedFor([](ModelConfig& c) { c.image = 0; }, "model.image"));
  CHECK(refusedFor([](ModelConfig& c) { c.channels = 0; }, "model.channels"));
  CHECK(refusedFor([](ModelConfig& c) { c.length = 4; }, "and the class token are 5"));
  CHECK(refusedFor([](ModelConfig& c) { c.output = Output::Tied; }, "\"untied\""));
  CHECK(refusedFor([](ModelConfig& c) { c.causal = true; }, "model.causal"));
  CHECK(refusedFor([](ModelConfig& c) { c.segments = 2; }, "model.segments"));
}
