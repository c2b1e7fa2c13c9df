// SPDX-License-Identifier: Apache-2.0
// Compares the embedding with sums written out here. It is linear, so central differences are exact.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "engine/nn/layers/positions.h"
#include "tests/engine/nn/gradient_check.h"

namespace {

using namespace sepx;
using namespace sepx::test;
using nn::Input;

nn::Batch batchOf(int sequences, int length, int vocabulary) {
  nn::Batch batch{sequences, length, {}, {}, {}, {}};
  RandomStream random(3);
  for (int i = 0; i < sequences * length; ++i)
    batch.tokens.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(vocabulary))));
  return batch;
}

template <class T>
std::vector<T> embed(Input input, const nn::Batch& batch, int d, const std::vector<T>& tokens,
                     const std::vector<T>& positions, const std::vector<T>& segment, int threads = 1) {
  ThreadPool pool(threads);
  std::vector<T> x(batch.tokens.size() * static_cast<std::size_t>(d), T(NAN));
  const auto orNull = [](const std::vector<T>& v) { return v.empty() ? nullptr : v.data(); };
  nn::embedForward<T>(pool, input, batch, d, {orNull(tokens), orNull(positions), orNull(segment)}, nullptr, x.data());
  return x;
}

template <class T>
struct Gradients {
  std::vector<T> tokens, positions, segment;
  bool operator==(const Gradients&) const = default;
};
template <class T>
Gradients<T> embedBack(Input input, const nn::Batch& batch, int d, int vocabulary, const std::vector<T>& dx,
                       int threads = 1) {
  ThreadPool pool(threads);
  const std::size_t width = static_cast<std::size_t>(d);
  const std::size_t rows = input == Input::Bit ? 1 : static_cast<std::size_t>(vocabulary);
  Gradients<T> g{std::vector<T>(rows * width), std::vector<T>(static_cast<std::size_t>(batch.length) * width),
                 std::vector<T>(width)};
  nn::embedBackward<T>(pool, input, batch, d, dx.data(), {g.tokens.data(), g.positions.data(), g.segment.data()});
  return g;
}

}  // namespace

TEST_CASE("embedding: rows are added, and gradients agree with central differences") {
  const Input input = GENERATE(Input::Table, Input::Bit);
  for (const int d : {1, 7, 8, 130}) {
    const int vocabulary = input == Input::Bit ? 2 : 5;
    const nn::Batch batch = batchOf(3, 4, vocabulary);
    const std::size_t width = static_cast<std::size_t>(d);
    std::vector<double> tokens = randomValues((input == Input::Bit ? 1 : 5) * width, 1);
    std::vector<double> positions = randomValues(4 * width, 2), segment = randomValues(width, 3);
    const std::vector<double> x = embed(input, batch, d, tokens, positions, segment);
    for (std::size_t row = 0; row < 12; ++row)
      for (std::size_t i = 0; i < width; ++i) {
        const auto t = static_cast<std::size_t>(batch.tokens[row]);
        const double token = input == Input::Bit ? static_cast<double>(t) * tokens[i] : tokens[t * width + i];
        REQUIRE(x[row * width + i] == Approx(token + positions[row % 4 * width + i] + segment[i]).margin(1e-15));
      }
    const std::vector<double> dx = randomValues(12 * width, 4);
    const Gradients<double> g = embedBack(input, batch, d, vocabulary, dx);
    const auto f = [&] { return weightedSum(embed(input, batch, d, tokens, positions, segment), dx); };
    CHECK(gradientError(tokens, g.tokens, f) < kGradientTolerance);
    CHECK(gradientError(positions, g.positions, f) < kGradientTolerance);
    CHECK(gradientError(segment, g.segment, f) < kGradientTolerance);
  }
}

TEST_CASE("embedding: tables that a model does not have are omitted, and a fixed table is added") {
  const nn::Batch batch = batchOf(2, 3, 4);
  const std::vector<double> tokens = randomValues(4 * 5, 1), table = nn::sinusoidal<double>(3, 5);
  const std::vector<double> bare = embed<double>(Input::Table, batch, 5, tokens, {}, {});
  ThreadPool pool(1);
  std::vector<double> x(30);
  nn::embedForward<double>(pool, Input::Table, batch, 5, {tokens.data(), nullptr, nullptr}, table.data(), x.data());
  for (std::size_t row = 0; row < 6; ++row)
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(bare[row * 5 + i] == tokens[static_cast<std::size_t>(batch.tokens[row]) * 5 + i]);
      CHECK(x[row * 5 + i] == bare[row * 5 + i] + table[row % 3 * 5 + i]);
    }
  std::vector<double> only(20);
  nn::embedBackward<double>(pool, Input::Table, batch, 5, x.data(), {only.data(), nullptr, nullptr});
  CHECK(std::abs(weightedSum(only, std::vector<double>(20, 1)) - weightedSum(x, std::vector<double>(30, 1))) < 1e-12);
}

TEST_CASE("embedding: sinusoidal positions agree with the formula") {
  const std::vector<double> p = nn::sinusoidal<double>(1024, 8);
  CHECK(p[0] == 0);
  CHECK(p[1] == 1);
  CHECK(p[8 * 1 + 0] == Approx(0.8414709848078965));
  CHECK(p[8 * 1 + 1] == Approx(0.5403023058681398));
  CHECK(p[8 * 3 + 2] == Approx(std::sin(0.3)));     // 10000^(-2/8) = 0.1
  CHECK(p[8 * 1000 + 7] == Approx(std::cos(1.0)));  // 10000^(-6/8) = 0.001
  CHECK(nn::sinusoidal<float>(2, 3).size() == 6);   // an odd width ends with a sine
  CHECK(nn::sinusoidal<double>(2, 3)[5] == Approx(std::sin(std::pow(10000.0, -2.0 / 3))));
}

TEST_CASE("embedding: float agrees with double, and the number of threads changes no bit") {
  const Input input = GENERATE(Input::Table, Input::Bit);
  for (const int d : {8, 200}) {
    const nn::Batch batch = batchOf(40, 33, 2);
    const std::vector<double> dx = randomValues(batch.tokens.size() * static_cast<std::size_t>(d), 4);
    const auto exact = embedBack(input, batch, d, 2, dx);
    const auto one = embedBack(input, batch, d, 2, converted<float>(dx), 1);
    CHECK(one == embedBack(input, batch, d, 2, converted<float>(dx), 3));
    // Sums of up to 1320 terms: rounding errors grow with the partial sums, not with the result.
    CHECK(largestDifference(one.tokens, exact.tokens) < 1e-4);
    CHECK(largestDifference(one.positions, exact.positions) < 1e-5);
    CHECK(largestDifference(one.segment, exact.segment) < 1e-4);
    const std::vector<float> tokens = converted<float>(randomValues(2 * static_cast<std::size_t>(d), 1));
    CHECK(embed<float>(input, batch, d, tokens, {}, {}, 1) == embed<float>(input, batch, d, tokens, {}, {}, 3));
  }
}
