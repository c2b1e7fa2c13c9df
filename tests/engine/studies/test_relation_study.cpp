// SPDX-License-Identifier: Apache-2.0
// Propositions 4.1 and 4.5 of Reversal as studies: their checks hold for several seeds. The gradient with respect to
// the storage is compared with differences of an independent loss, and the score of ALiBi with an independent formula.
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/core/random.h"
#include "engine/data/pairs.h"
#include "engine/nn/transformer.h"
#include "engine/reversal/correlation.h"
#include "engine/studies/study.h"

namespace sepx::studies::relation_tests {

TEST_CASE("Propositions 4.1 and 4.5: the checks hold for several seeds") {
  ThreadPool pool(1);
  for (const char* const id : {"reversal-proposition-4-1", "reversal-proposition-4-5"})
    for (const std::uint64_t seed : {0, 1, 2}) {
      const auto report = studyOf(id).compute({pool, true, seed});
      REQUIRE(report);
      CHECK(report->checks.size() == (std::string(id).ends_with("1") ? 12 : 15));
      for (const Check& check : report->checks) {
        INFO(id << " " << check.what.pattern << ": " << check.value << " " << check.relation << " " << check.bound);
        CHECK(check.passed());
        CHECK(check.points > 0);
      }
    }
  const auto stopped = studyOf("reversal-proposition-4-1").compute({pool, true, 0, {}, [] { return true; }});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
}

TEST_CASE("The gradient of Proposition 4.1 agrees with differences of the loss of Section 3") {
  // Five tokens, B = 1 at places 0 and 3, given attention of the masked place; loss = log sum exp z - z_A.
  const std::vector<int> tokens{1, 0, 4, 1, 2};
  const std::vector<double> alpha{0.2, 0.1, 0.3, 0.25, 0.15};
  constexpr int V = 5, A = 3, B = 1;
  RandomStream random(4);
  std::vector<double> Y(V * V);
  for (double& value : Y)
    value = 2 * random.normal();
  std::vector<double> p(V);
  const auto loss = [&] {
    double sum = 0;
    for (int c = 0; c < V; ++c) {
      double z = 0;
      for (std::size_t k = 0; k < tokens.size(); ++k)
        z += alpha[k] * Y[static_cast<std::size_t>(c * V + tokens[k])];
      p[static_cast<std::size_t>(c)] = std::exp(z);
      sum += std::exp(z);
    }
    for (double& value : p)
      value /= sum;
    return -std::log(p[A]);
  };
  for (int c = 0; c < V; ++c) {
    double& entry = Y[static_cast<std::size_t>(c * V + B)];
    const double at = entry, step = 1e-5;
    entry = at + step;
    const double up = loss();
    entry = at - step;
    const double down = loss();
    entry = at;
    loss();
    const double slope = (up - down) / (2 * step), error = p[static_cast<std::size_t>(c)] - (c == A ? 1 : 0);
    CHECK(slope == Approx((alpha[0] + alpha[3]) * error).epsilon(1e-7));
    // The bound that uses the attention to one place is strict here.
    if (c == A)
      CHECK(slope < -alpha[0] * (1 - p[A]));
    else
      CHECK(slope > alpha[0] * p[static_cast<std::size_t>(c)]);
  }
}

TEST_CASE("Proposition 4.5: a score of ALiBi is a product of query and key plus a term of the distance") {
  constexpr int d = 6, kLength = 5;
  constexpr double kSlope = 0.3;
  nn::ModelConfig config;
  config.vocabulary = data::kPairVocabulary;
  config.length = kLength;
  config.layers = config.heads = 1;
  config.d_model = d;
  config.d_ff = 0;
  config.causal = false;
  config.positions = nn::Positions::Alibi;
  config.alibiSlope = kSlope;
  config.norm = nn::Norm::None;
  config.finalNorm = config.residual = false;
  config.output = nn::Output::Untied;
  config.outputBias = config.attentionBias = config.projectionBias = false;
  const nn::ParameterLayout layout(config);
  RandomStream random(9);
  std::vector<double> theta(layout.size());
  for (double& value : theta)
    value = random.normal();
  const auto at = [&](nn::ParameterRole role, nn::ParameterKind kind, int layer, int row, int column) {
    return theta[layout.find(role, kind, layer)->offset + static_cast<std::size_t>(row * d + column)];
  };
  const auto projected = [&](nn::ParameterRole role, int token) {
    std::vector<double> result(d, 0.0);
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j)
        result[static_cast<std::size_t>(i)] +=
            at(role, nn::ParameterKind::Weight, 0, i, j) *
            at(nn::ParameterRole::Embedding, nn::ParameterKind::Embedding, -1, token, j);
    return result;
  };
  ThreadPool pool(1);
  const std::vector<double> query = projected(nn::ParameterRole::Query, data::kPairMask);
  for (const bool isSigned : {true, false}) {
    config.alibiSigned = isSigned;
    const auto scores = reversal::letterScores<double>(config, theta, 0, pool);
    REQUIRE(scores);
    for (int forward = 1; forward < kLength; ++forward)
      for (int reverse = 1; reverse < kLength; ++reverse) {
        const auto ahead = scores->at(0, forward), behind = scores->at(reverse, 0);
        REQUIRE(ahead.size() == data::kPairLetters);
        double sum = 0, squares = 0;  // of the common part q . k
        for (int letter = 0; letter < data::kPairLetters; ++letter) {
          const std::vector<double> key = projected(nn::ParameterRole::Key, data::kPairLetters + letter);
          double shared = 0;
          for (std::size_t i = 0; i < d; ++i)
            shared += query[i] * key[i] / std::sqrt(d);
          sum += shared;
          squares += shared * shared;
          const auto index = static_cast<std::size_t>(letter);
          CHECK(ahead[index] == Approx(shared + (isSigned ? kSlope : -kSlope) * forward));
          CHECK(behind[index] == Approx(shared - kSlope * reverse));
        }
        const double n = data::kPairLetters;
        REQUIRE(squares / n > sum * sum / (n * n));  // q . k varies, so the correlation is that of q . k with itself
        CHECK(reversal::correlation(ahead, behind) == Approx(1).epsilon(1e-12));
      }
  }
}

}  // namespace sepx::studies::relation_tests
