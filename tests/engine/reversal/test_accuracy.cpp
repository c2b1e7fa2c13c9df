// SPDX-License-Identifier: Apache-2.0
// Compares the accuracy of both readings with a count over single queries.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/nn/initialise.h"
#include "engine/reversal/accuracy.h"

namespace sepx::reversal {
namespace {

nn::ModelConfig model(bool causal, int length) {
  nn::ModelConfig config;
  config.vocabulary = data::kPairVocabulary;
  config.length = length;
  config.d_model = 16;
  config.causal = causal;
  config.positions = nn::Positions::Rope;
  return config;
}

/// Uses large weights, so that answers differ from query to query.
nn::Transformer<float> started(const nn::ModelConfig& config, ThreadPool& pool, std::uint64_t seed = 3) {
  nn::Transformer<float> made(config, pool);
  nn::Initial initial;
  initial.scheme = nn::InitialScheme::Gaussian;
  initial.sigma = 0.6;
  RandomStream random(seed);
  nn::initialise<float>(initial, config, made.layout(), random, made.theta());
  return made;
}

/// Softmax of the logits at the place `at`.
std::vector<double> shares(nn::Transformer<float>& of, const std::vector<std::int32_t>& tokens, int at) {
  nn::Batch batch;
  batch.sequences = 1;
  batch.length = static_cast<int>(tokens.size());
  batch.tokens = tokens;
  std::vector<float> z(data::kPairVocabulary);
  of.logits(batch, std::vector<std::int32_t>{at}, z);
  std::vector<double> p;
  double sum = 0;
  for (const float logit : z)
    sum += p.emplace_back(std::exp(static_cast<double>(logit)));
  for (double& one : p)
    one /= sum;
  return p;
}

std::int32_t best(const std::vector<double>& p, int first, int last) {
  return static_cast<std::int32_t>(std::max_element(p.begin() + first, p.begin() + last) - p.begin());
}

void addMasked(nn::Transformer<float>& of, const Query& query, Answers& sum) {
  const std::vector<double> p = shares(of, query.tokens, query.hidden);
  sum.accuracy += best(p, 0, 53) == query.target;
  sum.letters += best(p, 0, 26) == query.target;
  sum.probability += p[static_cast<std::size_t>(query.target)];
  sum.zero += best(p, 0, 53) == 52;
}

void addPrefix(nn::Transformer<float>& of, const Query& query, int length, Answers& sum) {
  std::vector<std::int32_t> tokens = query.tokens;
  bool found = false, blank = true;
  while (static_cast<int>(tokens.size()) < length) {
    tokens.push_back(best(shares(of, tokens, static_cast<int>(tokens.size()) - 1), 0, 53));
    found = found || tokens.back() == query.target;
    blank = blank && tokens.back() == 52;
  }
  sum.accuracy += found;
  sum.zero += blank;
  // The first token after the prefix that is not a placeholder.
  tokens = query.tokens;
  std::vector<double> first(52, 0.0);
  for (double rest = 1; static_cast<int>(tokens.size()) < length; tokens.push_back(52)) {
    const std::vector<double> p = shares(of, tokens, static_cast<int>(tokens.size()) - 1);
    for (std::size_t c = 0; c < first.size(); ++c)
      first[c] += rest * p[c];
    rest *= p[52];
  }
  sum.probability += first[static_cast<std::size_t>(query.target)];
  sum.letters += (query.target < 26 ? best(first, 0, 26) : best(first, 26, 52)) == query.target;
}

void checkSame(const Answers& a, const Answers& sum, double count) {
  CHECK(a.accuracy == Approx(sum.accuracy / count).margin(1e-12));
  CHECK(a.letters == Approx(sum.letters / count).margin(1e-12));
  CHECK(a.probability == Approx(sum.probability / count).epsilon(1e-5));
  CHECK(a.zero == Approx(sum.zero / count).margin(1e-12));
}

}  // namespace

TEST_CASE("The accuracy of a masked diffusion model equals that of single queries", "[reversal]") {
  ThreadPool pool{2};
  const std::vector<Pair> pairs = allPairs(6);
  double right = 0;
  for (const std::uint64_t seed : {3, 4, 5, 6}) {
    nn::Transformer<float> mdm = started(model(false, 6), pool, seed);
    REQUIRE(pairs.size() == 390);
    AccuracyRequest request;
    request.pairs = pairs;
    request.batch = 64;
    const auto report = measureAccuracy(mdm, request);
    REQUIRE(report);
    Answers forward, reverse;
    for (const Pair& pair : pairs) {
      addMasked(mdm, maskedQuery(pair, Direction::Forward), forward);
      addMasked(mdm, maskedQuery(pair, Direction::Reverse), reverse);
    }
    checkSame(report->forward, forward, 390);
    checkSame(report->reverse, reverse, 390);
    right += report->forward.letters + report->reverse.letters;
  }
  CHECK(right > 0);  // some answers are right by chance
}

TEST_CASE("The accuracy of an autoregressive model equals that of single completions", "[reversal]") {
  ThreadPool pool{2};
  for (const std::uint64_t seed : {3, 4, 5}) {
    nn::Transformer<float> arm = started(model(true, 5), pool, seed);
    // Makes placeholders likely, so that different kinds of completions occur.
    const nn::Parameter* table = arm.layout().find("embedding.weight");
    REQUIRE(table != nullptr);
    for (float& weight : arm.of(*table).subspan(static_cast<std::size_t>(52 * table->columns), 16))
      weight *= 2;
    const std::vector<Pair> pairs = samplePairs(5, 200);
    REQUIRE(pairs.size() == 200);
    AccuracyRequest request;
    request.reading = Reading::Prefix;
    request.pairs = pairs;
    request.batch = 32;
    const auto report = measureAccuracy(arm, request);
    REQUIRE(report);
    Answers forward, reverse;
    for (const Pair& pair : pairs) {
      addPrefix(arm, prefixQuery(pair, Direction::Forward), 5, forward);
      addPrefix(arm, prefixQuery(pair, Direction::Reverse), 5, reverse);
    }
    checkSame(report->forward, forward, 200);
    checkSame(report->reverse, reverse, 200);
  }
}

TEST_CASE("The accuracy has the same bits on any number of threads, and the measurement can be cancelled",
          "[reversal]") {
  const std::vector<Pair> pairs = samplePairs(10, 300);
  std::optional<AccuracyReport> reports[2];
  for (int threads = 1; threads <= 2; ++threads) {
    ThreadPool pool{threads};
    nn::Transformer<float> mdm = started(model(false, 10), pool);
    AccuracyRequest request;
    request.pairs = pairs;
    reports[threads - 1] = measureAccuracy(mdm, request);
    int asked = 0;
    request.cancelled = [&] { return ++asked == 2; };
    CHECK(!measureAccuracy(mdm, request));
    CHECK(asked == 2);
  }
  REQUIRE(reports[0]);
  CHECK(*reports[0] == *reports[1]);
}

TEST_CASE("A sample of pairs is the beginning of the validation split", "[reversal]") {
  const std::vector<Pair> some = samplePairs(7, 40);
  REQUIRE(some.size() == 40);
  const auto source = data::makePairs(0);
  std::vector<std::int32_t> tokens(7);
  for (std::uint64_t i = 0; i < 40; ++i) {
    REQUIRE(check(some[i]));
    source->sequence(data::Split::Validation, i, 7, tokens);
    CHECK(tokens[static_cast<std::size_t>(some[i].lower)] == some[i].small());
    CHECK(tokens[static_cast<std::size_t>(some[i].upper)] == some[i].capital());
  }
  CHECK(samplePairs(7, 100000).size() == 546);
  CHECK(samplePairs(1, 10).empty());
}

}  // namespace sepx::reversal
