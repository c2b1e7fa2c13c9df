// SPDX-License-Identifier: Apache-2.0
// The full transformer, built from (e, w, a, b). Its logits are the canonical ones [Local-to-Global A.1, D, H.1 with
// remarks l2g-4, l2g-5, l2g-12]. Its exact loss over all sequences is H(x_{n+1} | x_n) on Gamma_star and H(pi) on
// Gamma_min, and its gradient with respect to every parameter vanishes there (Theorems 4, 5).
#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/markov/canonical_model.h"
#include "engine/nn/initialise.h"
#include "engine/nn/transformer.h"

using namespace sepx;
using namespace sepx::nn;

namespace {

constexpr int kPlaces = 4;  // predictions per sequence
constexpr int kSequences = 1 << (kPlaces + 1);

struct Point {
  double e = 0.5, w = -1, a = 0, b = 0;
};

/// The contribution of the ReLU to the logits of both bits, which is odd in e.
double constantOf(const Point& at) {
  return at.w * std::abs(at.w) * at.e * std::abs(at.e) * std::abs(1 + at.a * at.e * at.e);
}
double canonicalLogit(const Point& at, int bit) {
  const double u = 1 + at.a * at.e * at.e, v = 1 + 2 * at.w * std::abs(at.w);
  return at.e * at.e * (bit - 0.5) * u * v + constantOf(at) + at.b;
}

ModelConfig binaryModel(Input input, int d = 8) {
  ModelConfig config;
  config.length = kPlaces;
  config.d_model = d;
  config.input = input;
  config.attention = AttentionKind::Linear;
  config.norm = Norm::None;
  config.activation = Activation::Relu;
  config.outputBias = true;
  return config;
}

Transformer<double> built(const ModelConfig& config, const Point& at, ThreadPool& pool, std::uint64_t seed = 1) {
  Initial initial;
  initial.scheme = InitialScheme::Canonical;
  initial.e = at.e;
  initial.w = at.w;
  initial.a = at.a;
  initial.b = at.b;
  REQUIRE(check(config));
  const Result<void> fits = check(initial, config);
  INFO((fits ? "" : fits.error().message));
  REQUIRE(fits);
  Transformer<double> model(config, pool);
  RandomStream random(seed);
  initialise<double>(initial, config, model.layout(), random, model.theta());
  return model;
}

/// Bit n of sequence s.
int bitOf(int s, int n) {
  return s >> n & 1;
}

/// Every sequence of kPlaces + 1 bits once: the first kPlaces are the input, and each next bit is a target of weight
/// 1/kPlaces.
Batch sequencesFrom(int first, int count) {
  Batch batch;
  batch.sequences = count;
  batch.length = kPlaces;
  for (int s = 0; s < count; ++s)
    for (int n = 0; n < kPlaces; ++n) {
      batch.tokens.push_back(bitOf(first + s, n));
      batch.targets.push_back({s * kPlaces + n, bitOf(first + s, n + 1), 1.0F / kPlaces});
    }
  return batch;
}

double probabilityOf(const markov::Chain& chain, int s) {
  double probability = bitOf(s, 0) == 1 ? chain.pi1() : chain.pi0();
  for (int n = 0; n < kPlaces; ++n) {
    const double toOne = bitOf(s, n) == 1 ? 1 - chain.q : chain.p;
    probability *= bitOf(s, n + 1) == 1 ? toOne : 1 - toOne;
  }
  return probability;
}

double exactLoss(Transformer<double>& model, const markov::Chain& chain) {
  const Batch batch = sequencesFrom(0, kSequences);
  std::vector<double> losses(batch.targets.size());
  model.evaluate(batch, losses);
  double sum = 0;
  for (int s = 0; s < kSequences; ++s)
    for (int n = 0; n < kPlaces; ++n)
      sum += probabilityOf(chain, s) / kPlaces * losses[static_cast<std::size_t>(s * kPlaces + n)];
  return sum;
}

/// The largest entry of the exact gradient, sequence by sequence, because weights are floats and probabilities are not.
double exactSlope(Transformer<double>& model, const markov::Chain& chain) {
  model.clearGradient();
  for (int s = 0; s < kSequences; ++s)
    model.accumulate(sequencesFrom(s, 1), {}, probabilityOf(chain, s));
  double largest = 0;
  for (const double g : model.gradient())
    largest = std::isfinite(g) ? std::max(largest, std::abs(g)) : INFINITY;
  return largest;
}

/// The largest difference between the model's logits of the next bit and the canonical ones.
double logitError(Transformer<double>& model, const Point& at) {
  const Batch batch = sequencesFrom(0, kSequences);
  const auto width = static_cast<std::size_t>(model.config().logits());
  std::vector<std::int32_t> rows;
  for (int row = 0; row < kSequences * kPlaces; ++row)
    rows.push_back(row);
  std::vector<double> out(rows.size() * width);
  model.logits(batch, rows, out);
  double worst = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double logit = width == 1 ? out[row] : out[2 * row + 1] - out[2 * row];
    const double error = std::abs(logit - canonicalLogit(at, batch.tokens[row]));
    worst = std::isfinite(error) ? std::max(worst, error) : INFINITY;
  }
  return worst;
}

/// All combinations of the signs of e, w and 1 + a e^2, and points with e = 0 or w = 0.
const std::vector<Point> kPoints{{0.8, -1.2, 0, 0.3},  {-0.8, -1.2, 0, 0.3},          {1.1, 0.7, 0, -0.4},
                                 {-1.1, 0.7, 0, -0.4}, {1.1, -0.45, -1.2, -0.474446}, {-1.1, -0.45, -1.2, 0.2},
                                 {1.3, 0.6, -2, 0.1},  {-1.3, -1.1, -2, 0.1},         {0.9, -0.9, 1.5, 0},
                                 {-0.9, 0.4, 1.5, 0},  {0, -1.2, 0.5, 0.7},           {0.8, 0, -0.5, 0.7}};

}  // namespace

TEST_CASE("The transformer built from (e, w, a, b) returns the canonical logits to 1e-12") {
  ThreadPool pool(1);
  for (const Point& at : kPoints) {
    INFO("e " << at.e << " w " << at.w << " a " << at.a << " b " << at.b);
    Transformer<double> bits = built(binaryModel(Input::Bit), at, pool),
                        table = built(binaryModel(Input::Table), at, pool);
    CHECK(logitError(bits, at) < 1e-12);
    CHECK(logitError(table, at) < 1e-12);
  }
}

TEST_CASE("The width, the scale of the scores, the direction and an untied head do not change the logits") {
  ThreadPool pool(1);
  for (const Point& at : {kPoints[4], kPoints[7], kPoints[8]}) {
    ModelConfig config = binaryModel(Input::Bit, 5);
    config.d_ff = 13;
    config.headDim = 3;
    config.attentionScale = -0.7;
    config.attentionBias = config.projectionBias = config.feedForwardBias = false;
    Transformer<double> odd = built(config, at, pool, 9);
    CHECK(logitError(odd, at) < 1e-12);
    config.input = Input::Table;
    config.output = Output::Untied;
    config.causal = false;
    Transformer<double> untied = built(config, at, pool, 10);
    CHECK(logitError(untied, at) < 1e-12);
    CHECK(odd.theta().size() != untied.theta().size());
  }
  ModelConfig softmax = binaryModel(Input::Bit);
  softmax.attention = AttentionKind::Softmax;
  for (const Point& at : {kPoints[0], kPoints[1]}) {
    Transformer<double> model = built(softmax, at, pool);
    CHECK(logitError(model, at) < 1e-12);
  }
}

TEST_CASE("The exact loss is that of the canonical model, whose constant is even in e") {
  ThreadPool pool(1);
  for (const markov::Chain chain : {markov::Chain{0.5, 0.8}, markov::Chain{0.2, 0.3}, markov::Chain{0.35, 0.6}}) {
    for (const Point& at : kPoints) {
      INFO("p " << chain.p << " e " << at.e << " w " << at.w << " a " << at.a);
      Point even = at;
      even.e = std::abs(at.e);
      const double b = at.b + constantOf(at) - constantOf(even);
      const markov::State theta = Eigen::Vector4d(at.e, at.w, at.a, b);
      Transformer<double> model = built(binaryModel(Input::Bit), at, pool);
      CHECK(std::abs(exactLoss(model, chain) - markov::loss(chain, markov::Model::EWAB, theta)) < 1e-12);
    }
  }
}

TEST_CASE("On Gamma_star the exact loss is the entropy rate and the gradient 0, also for e < 0 and 1 + a e^2 < 0") {
  ThreadPool pool(1);
  int negative = 0, reversed = 0;
  for (const markov::Chain chain : {markov::Chain{0.5, 0.8}, markov::Chain{0.2, 0.3}, markov::Chain{0.9, 0.7}}) {
    for (const double w : {-1.3, -0.9, -0.3, 0.6})
      for (const double a : {0.0, 0.4, -0.8})
        for (const double root : {-1.0, 1.0})
          for (const double sign : {-1.0, 1.0}) {
            // Solve e^2 (1 + a e^2) = T.
            const double T = chain.S_star() / (1 + 2 * w * std::abs(w));
            const double squared = a == 0 ? T : (-1 + root * std::sqrt(1 + 4 * a * T)) / (2 * a);
            if (!(squared > 0) || squared > 9 || (a == 0 && root < 0)) continue;
            Point at{sign * std::sqrt(squared), w, a, 0};
            at.b = std::log(chain.p / (1 - chain.p)) + chain.S_star() / 2 - constantOf(at);
            negative += at.e < 0;
            reversed += 1 + a * squared < 0;
            INFO("p " << chain.p << " e " << at.e << " w " << w << " a " << a);
            for (const Input input : {Input::Bit, Input::Table}) {
              Transformer<double> model = built(binaryModel(input, 4), at, pool);
              CHECK(std::abs(exactLoss(model, chain) - chain.entropyRate()) < 1e-10);
              CHECK(exactSlope(model, chain) < 1e-10);
            }
          }
  }
  CHECK(negative > 5);
  CHECK(reversed > 5);
}

TEST_CASE("On Gamma_min the exact loss is H(pi) and the gradient 0, but not beside it") {
  ThreadPool pool(1);
  for (const markov::Chain chain : {markov::Chain{0.5, 0.8}, markov::Chain{0.2, 0.3}}) {
    for (const double w : {-1.3, -0.3, 0.6}) {
      if (chain.switching() * (1 + 2 * w * std::abs(w)) <= 0) continue;
      for (const double a : {0.0, -0.8}) {
        const Point at{0, w, a, std::log(chain.p / chain.q)};
        for (const Input input : {Input::Bit, Input::Table}) {
          Transformer<double> model = built(binaryModel(input, 4), at, pool);
          CHECK(std::abs(exactLoss(model, chain) - chain.marginalEntropy()) < 1e-10);
          CHECK(exactSlope(model, chain) < 1e-10);
          Point beside = at;
          beside.e = 0.3;
          Transformer<double> off = built(binaryModel(input, 4), beside, pool);
          CHECK(exactLoss(off, chain) > chain.marginalEntropy() + 1e-5);
          CHECK(exactSlope(off, chain) > 1e-3);
        }
      }
    }
  }
}
