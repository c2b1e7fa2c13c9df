// SPDX-License-Identifier: Apache-2.0
// The starts of Theorems 4 and 5 of Local-to-Global: compares the loss and the predictions of a run's first step with
// the entropies and the kernel of its chain. Tests what is refused.
#include <cmath>
#include <string>

#include <catch2/catch.hpp>

#include "engine/core/number.h"
#include "engine/data/source_config.h"
#include "engine/train/chain_start.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

using namespace sepx;
using namespace sepx::train;

namespace {

std::string chainRun(const char* scheme, double p, double q, int d, int r, double w) {
  return std::string(R"({"model": {"length": 32, "d_model": )") + std::to_string(d) + R"(, "d_ff": )" +
         std::to_string(r) +
         R"(, "input": "bit", "norm": "none", "activation": "relu", "attention_bias": false,
         "projection_bias": false, "feed_forward_bias": false, "output_bias": true},
         "data": {"kind": "markov", "p": )" +
         formatShortest(p) + R"(, "q": )" + formatShortest(q) + R"(}, "initial": {"scheme": ")" + scheme +
         R"(", "w": )" + formatShortest(w) + R"(}, "schedule": {"batch": 8, "evaluate_sequences": 256}})";
}

double h(double x) {
  return -x * std::log(x) - (1 - x) * std::log(1 - x);
}

double sigma(double z) {
  return 1 / (1 + std::exp(-z));
}

struct Begun {
  RunConfig config;
  std::unique_ptr<data::Source> source;
  ThreadPool pool{1};
  std::unique_ptr<Stepper> stepper;

  explicit Begun(const std::string& text) {
    auto read = parseRunConfig(text, "start.json", ".");
    INFO((read ? "" : read.error().message));
    REQUIRE(read);
    config = *read;
    const auto fits = check(config);
    INFO((fits ? "" : fits.error().message));
    REQUIRE(fits);
    auto made = data::makeSource(config.data);
    REQUIRE(made);
    source = std::move(*made);
    REQUIRE(resolve(config, *source));
    stepper = std::make_unique<Stepper>(config, *source, pool);
    stepper->begin();
  }
  /// P(next = 1) at the last place of a sequence in which every bit is `bit`.
  double predicted(int bit) {
    nn::Batch batch;
    batch.sequences = 1;
    batch.length = config.model.length;
    batch.tokens.assign(static_cast<std::size_t>(batch.length), bit);
    const std::int32_t last = batch.length - 1;
    float logit = 0;
    stepper->model().logits(batch, {&last, 1}, {&logit, 1});
    return sigma(static_cast<double>(logit));
  }
};

std::string refusal(const std::string& text) {
  const auto read = parseRunConfig(text, "start.json", ".");
  if (!read) return read.error().message;
  const auto fits = check(*read);
  return fits ? "" : fits.error().message;
}

}  // namespace

TEST_CASE("A run from the construction of Theorem 4 begins at the entropy rate and predicts the kernel") {
  for (const auto& [p, q] : {std::pair{0.5, 0.8}, {0.9, 0.3}, {0.2, 0.3}, {0.1, 0.6}, {0.4, 0.6}})
    for (const auto& [d, r, w] : {std::tuple{2, 3, -1.0}, {8, 32, 0.9}, {5, 11, 1.3}}) {
      INFO("p " << p << " q " << q << " d " << d << " r " << r << " w " << w);
      Begun run(chainRun("bigram", p, q, d, r, w));
      CHECK(run.predicted(0) == Approx(p).epsilon(1e-5));
      CHECK(run.predicted(1) == Approx(1 - q).epsilon(1e-5));
      const double rate = (q * h(p) + p * h(q)) / (p + q);
      const MeanLoss loss = run.stepper->validate();
      CHECK(std::abs(loss.value - rate) < 5 * loss.error + 1e-6);
    }
}

TEST_CASE("A run from the construction of Theorem 5 begins at the entropy of the letters, and only its bias learns") {
  for (const auto& [p, q] : {std::pair{0.5, 0.8}, {0.2, 0.3}}) {
    INFO("p " << p << " q " << q);
    Begun run(chainRun("unigram", p, q, 8, 20, -0.9));
    const double one = p / (p + q);
    CHECK(run.predicted(0) == Approx(one).epsilon(1e-5));
    CHECK(run.predicted(1) == Approx(one).epsilon(1e-5));
    const MeanLoss loss = run.stepper->validate();
    CHECK(std::abs(loss.value - h(one)) < 5 * loss.error + 1e-6);
    const std::vector<float> before(run.stepper->theta().begin(), run.stepper->theta().end());
    REQUIRE(run.stepper->step(10));
    std::size_t moved = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
      moved += before[i] != run.stepper->theta()[i];
    CHECK(moved <= 1);
    CHECK(run.predicted(0) == run.predicted(1));
  }
}

TEST_CASE("W_2 is W_1^T below p + q = 1 and -W_1^T above it") {
  for (const auto& [p, q, sign] : {std::tuple{0.5, 0.8, -1.0}, {0.2, 0.3, 1.0}}) {
    Begun run(chainRun("bigram", p, q, 4, 6, 1.0));
    const auto& layout = run.stepper->layout();
    const auto* up = layout.find(nn::ParameterRole::Up, nn::ParameterKind::Weight, 0);
    const auto* down = layout.find(nn::ParameterRole::Down, nn::ParameterKind::Weight, 0);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 4; ++j)
        CHECK(run.stepper->theta()[down->offset + static_cast<std::size_t>(j * 6 + i)] ==
              Approx(sign * run.stepper->theta()[up->offset + static_cast<std::size_t>(i * 4 + j)]));
  }
}

TEST_CASE("The starts of a chain are refused if the point of the theorem does not exist") {
  CHECK(refusal(chainRun("bigram", 0.5, 0.8, 8, 32, 0.7)).find("0.7072") != std::string::npos);
  CHECK(refusal(chainRun("bigram", 0.2, 0.3, 8, 32, 0.1)).empty());
  CHECK(refusal(chainRun("unigram", 0.5, 0.8, 8, 32, 0.1)).empty());
  std::string edge = chainRun("unigram", 0.5, 0.8, 8, 32, 0.1);
  edge.replace(edge.find(R"("kind": "markov")"), 16, R"("kind": "markov", "kernel": [0.0, 0.4])");
  CHECK(refusal(edge).find("0 < p < 1") != std::string::npos);
  std::string second = chainRun("bigram", 0.5, 0.8, 8, 32, 1);
  second.replace(second.find(R"("kind": "markov")"), 16,
                 R"("kind": "markov", "order": 2, "kernel": [0.2, 0.4, 0.6, 0.8])");
  CHECK(refusal(second).find("data.order 1") != std::string::npos);
  std::string biasless = chainRun("bigram", 0.5, 0.8, 8, 32, 1);
  biasless.replace(biasless.find(R"("output_bias": true)"), 19, R"("output_bias": false)");
  CHECK(refusal(biasless).find("initial.scheme \"bigram\" needs a bias of the logits") != std::string::npos);
}
