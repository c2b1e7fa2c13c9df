// SPDX-License-Identifier: Apache-2.0
// sepx theory: compares counts with an enumeration of all sequences and masks; the bounds of RoPE; values that do not
// exist, and what is refused.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/attention/counts.h"
#include "tests/app/cli/run_sepx.h"

using namespace sepx;
using namespace sepx::test;

namespace {

/// Enumerates which of N places contain the token (independently, with P_k) and which are masked: every combination
/// with its probability.
struct Enumerated {
  double arContext = 0, arPredicted = 0, biContext = 0, biPredicted = 0;
};
Enumerated enumerate(const std::vector<double>& P, double rho) {
  Enumerated sum;
  const unsigned N = static_cast<unsigned>(P.size());
  const auto has = [](unsigned set, unsigned k) { return (set >> k & 1) != 0; };
  for (unsigned token = 0; token < 1U << N; ++token) {
    for (unsigned mask = 0; mask < 1U << N; ++mask) {
      double probability = 1;
      for (unsigned k = 0; k < N; ++k) {
        probability *= has(token, k) ? P[k] : 1 - P[k];
        probability *= has(mask, k) ? rho : 1 - rho;
      }
      for (unsigned k = 0; k < N; ++k) {
        for (unsigned l = 0; l < N; ++l) {
          if (k == l) continue;
          if (has(token, k) && k < l) sum.arContext += probability;
          if (has(token, l) && k < l) sum.arPredicted += probability;
          if (has(token, k) && !has(mask, k) && has(mask, l)) sum.biContext += probability;
          if (has(token, l) && has(mask, l) && !has(mask, k)) sum.biPredicted += probability;
        }
      }
    }
  }
  return sum;
}

/// -sum p log p over all blocks of n bits: the first k bits by `pi`, the others by the kernel.
double blockEntropy(const std::vector<double>& kernel, const std::vector<double>& pi, int k, int n) {
  const int bits = std::max(n, k);
  std::vector<double> chance(std::size_t{1} << n, 0);  // of the first n bits
  for (std::size_t block = 0; block < std::size_t{1} << bits; ++block) {
    std::size_t state = block >> (bits - k);
    double probability = pi[state];
    for (int i = bits - k - 1; i >= 0; --i) {
      const std::size_t bit = block >> i & 1;
      probability *= bit == 1 ? kernel[state] : 1 - kernel[state];
      state = (2 * state + bit) % kernel.size();
    }
    chance[block >> (bits - n)] += probability;
  }
  double sum = 0;
  for (const double p : chance)
    sum -= p > 0 ? p * std::log(p) : 0;
  return sum;
}

}  // namespace

TEST_CASE("Counts equal those of an enumeration of all sequences and masks") {
  const std::vector<double> P{0.5, 0.125, 0.75, 0.25, 0.0625};
  const Enumerated wanted = enumerate(P, 0.3);
  const Json json = commandJson({"theory", "counts", "--probabilities", "0.5,0.125,0.75,0.25,0.0625", "--mask", "0.3"});
  CHECK(json["schema"] == "sepx.theory/1");
  CHECK(json["length"] == 5);
  CHECK(json["autoregressive"]["context"].get<double>() == Approx(wanted.arContext).epsilon(1e-12));
  CHECK(json["autoregressive"]["predicted"].get<double>() == Approx(wanted.arPredicted).epsilon(1e-12));
  CHECK(json["bidirectional"]["context"].get<double>() == Approx(wanted.biContext).epsilon(1e-12));
  CHECK(json["bidirectional"]["predicted"].get<double>() == Approx(wanted.biPredicted).epsilon(1e-12));
  const double mu = json["mean_position"].get<double>();
  CHECK(json["autoregressive"]["ratio"].get<double>() == Approx(attention::ratioFromMean(5, mu)).epsilon(1e-12));
}

TEST_CASE("Pairs of masked places are counted among all pairs") {
  // 16 places, a quarter of them masked: 4 x 3 ordered pairs of masked places, 4 x 12 mixed pairs, 16 x 15 in total.
  // The printed shares count a pair of a masked and an unmasked place once.
  const Json json = commandJson({"theory", "counts", "--length", "16", "--mask", "0.25"});
  CHECK(json["masked_pairs"]["ratio"].get<double>() == Approx(4.0 * 3 / (4 * 12)));
  CHECK(json["masked_pairs"]["ratio_limit"].get<double>() == Approx(1.0 / 3));
  CHECK(json["masked_pairs"]["share"].get<double>() == Approx(4.0 * 3 / (4 * 15)));
  CHECK(json["probabilities"] == 1.0);
  CHECK(json["autoregressive"]["ratio"] == 1.0);
  const Ran prose = command({"theory", "counts", "--length", "16"});
  CHECK(prose.status == 0);
  CHECK(prose.out.find("att-11") != std::string::npos);
  // The value is two spaces after the longest label.
  const Ran longer = command({"theory", "counts", "--length", "512", "--mask", "0.15"});
  CHECK(longer.out.find("bidirectional, 0.15 masked: either of the two  33358.1\n") != std::string::npos);
  CHECK(longer.out.find("\npositions, N") == std::string::npos);  // the first row
  CHECK(longer.out.find("positions, N" + std::string(35, ' ') + "512\n") == 0);
}

TEST_CASE("A value that does not exist is null and is not counted as nonfinite") {
  const Json first = commandJson({"theory", "counts", "--probabilities", "1,0,0"});
  CHECK(first["autoregressive"]["ratio"].is_null());
  CHECK(first["mean_position"] == 1.0);
  CHECK(first["nonfinite"] == 0);
  const Json never = commandJson({"theory", "counts", "--probabilities", "0,0"});
  CHECK(never["mean_position"].is_null());
  CHECK(never["masked_pairs"]["ratio"].is_null());
  CHECK(never["masked_pairs"]["share"].is_null());
  CHECK(never["nonfinite"] == 0);
}

TEST_CASE("theory refuses invalid arguments with one message") {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"theory"},
                                             {"theory", "everything"},
                                             {"theory", "counts"},
                                             {"theory", "counts", "--length", "1"},
                                             {"theory", "counts", "--length", "5", "--probabilities", "0.1,0.2"},
                                             {"theory", "counts", "--probabilities", "0.1"},
                                             {"theory", "counts", "--probabilities", "0.1,1.2"},
                                             {"theory", "counts", "--probabilities", "0.1,x"},
                                             {"theory", "counts", "--probabilities", "0.1,0.2", "--probability", "0.3"},
                                             {"theory", "counts", "--length", "5", "--mask", "1"},
                                             {"theory", "counts", "--length", "5", "--probability", "-1"}}) {
    const Ran ran = command(arguments);
    INFO(arguments.back() << ": " << ran.err);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
  }
}

TEST_CASE("theory: the bounds of Reversal's Tables 3 to 5 are the printed ones") {
  const Json trace = commandJson({"theory", "rope-trace", "--dimensions", "256"});
  CHECK(trace["rows"].size() == 50);
  CHECK(trace["argmin"] == 49);
  CHECK(trace["min"].get<double>() == Approx(0.410410316703977));
  const Json cantelli = commandJson({"theory", "cantelli", "--dimensions", "128"});
  REQUIRE(cantelli["rows"].size() == 15);
  CHECK(cantelli["rows"][0]["bound"].get<double>() == Approx(0.97762463938485));
  const Json least = commandJson({"theory", "asymmetric"});
  CHECK(least["reverse"] == 29);
  CHECK(least["mean"].get<double>() == Approx(0.275826595098999));
  const std::vector<std::string> drawn{"theory", "asymmetric", "--forward", "0", "--reverse", "29", "--samples", "500"};
  const Json sampled = commandJson(drawn)["sampled"];
  CHECK(sampled["samples"] == 500);
  CHECK(sampled["mean"] == commandJson(drawn)["sampled"]["mean"]);
}

TEST_CASE("theory: the integral of B.1 agrees with an independent quadrature") {
  const Json answer =
      commandJson({"theory", "rope-integral", "--dimensions", "256", "--distances", "0,0.25,10,50,300"});
  CHECK(answer["schema"] == "sepx.rope-integral/1");
  REQUIRE(answer["rows"].size() == 5);
  for (const Json& row : answer["rows"]) {
    const double delta = row["delta"];
    // Simpson's rule over x, with at least 2,000 parts per period.
    constexpr int kParts = 400000;
    double sum = 0, trace = 0;
    for (int i = 0; i <= kParts; ++i)
      sum += (i == 0 || i == kParts ? 1
              : i % 2 == 1          ? 4
                                    : 2) *
             std::cos(2 * delta * std::pow(10000.0, -static_cast<double>(i) / kParts));
    for (int s = 0; s < 128; ++s)
      trace += std::cos(2 * delta * std::pow(10000.0, -s / 128.0)) / 128;
    CHECK(row["integral"].get<double>() == Approx(sum / (3.0 * kParts)).margin(1e-9));
    CHECK(row["trace"].get<double>() == Approx(trace).margin(1e-12));
    CHECK(row["difference"].get<double>() == Approx(trace - sum / (3.0 * kParts)).margin(1e-9));
  }
  CHECK(answer["rows"][3]["integral"].get<double>() == Approx(0.437).margin(5e-4));  // the printed value for Delta = 50
  const Json other = commandJson({"theory", "rope-integral", "--base", "500000", "--distances", "2"});
  double sum = 0;
  for (int i = 0; i < 100000; ++i)
    sum += std::cos(4 * std::pow(500000.0, -(i + 0.5) / 100000)) / 100000;
  CHECK(other["rows"][0]["integral"].get<double>() == Approx(sum).margin(1e-8));
  const Ran words = command({"theory", "rope-integral", "--distances", "50"});
  CHECK(words.out.find("0.436773   0.558583\n") != std::string::npos);
  CHECK(words.out.find("rev-5") != std::string::npos);
}

TEST_CASE("theory: epsilon of (S82) bounds the ratio of counts for a token left of the middle") {
  // 1 with certainty at places 2 and 3 of 8: mu = 2.5, delta at most 2; counts 6 + 5 and 1 + 2.
  const std::vector<std::string> token{"theory", "counts", "--probabilities", "0,1,1,0,0,0,0,0"};
  const Json whole = commandJson(token);
  CHECK(whole["ratio_bound"]["delta"] == 2.0);
  CHECK(whole["ratio_bound"]["epsilon"].get<double>() == Approx(4 / 1.5));
  CHECK(whole["autoregressive"]["ratio"].get<double>() == Approx(11.0 / 3));
  CHECK(1 + whole["ratio_bound"]["epsilon"].get<double>() == Approx(11.0 / 3));
  std::vector<std::string> less = token;
  less.insert(less.end(), {"--delta", "0.75"});
  CHECK(commandJson(less)["ratio_bound"]["epsilon"].get<double>() == Approx(1));
  less.back() = "2.25";
  CHECK(command(less).status == 2);
  less.back() = "0";
  CHECK(command(less).status == 2);
  // There is no bound to the right of the middle, nor without a place.
  CHECK(commandJson({"theory", "counts", "--probabilities", "0,0.5,1"})["ratio_bound"]["epsilon"].is_null());
  CHECK(commandJson({"theory", "counts", "--probabilities", "0,0"})["ratio_bound"]["delta"].is_null());
  CHECK(commandJson({"theory", "counts", "--probabilities", "1,0"})["ratio_bound"]["epsilon"].is_null());  // infinite
  CHECK(command({"theory", "counts", "--probabilities", "0,0", "--delta", "0.5"}).status == 2);
  CHECK(command(token).out.find("epsilon  ") != std::string::npos);
}

TEST_CASE("theory: bounds refuse invalid arguments with one message") {
  const std::vector<std::vector<std::string>> refused{
      {"rope-trace", "--dimensions", "63"}, {"rope-trace", "--samples", "5"},
      {"rope-trace", "--base", "1"},        {"cantelli", "--distances", "-1"},
      {"asymmetric", "--forward", "3"},     {"counts", "--length", "4", "--reach", "3"},
      {"cantelli", "--length", "4"},        {"rope-integral", "--distances", "-1"},
      {"rope-integral", "--least", "0.1"},  {"rope-trace", "--distances", "5"},
      {"rope-integral", "--delta", "1"}};
  for (std::vector<std::string> arguments : refused) {
    INFO(arguments[0] << " " << arguments[1]);
    arguments.insert(arguments.begin(), "theory");
    CHECK(command(arguments).status == 2);
  }
}

TEST_CASE("entropy: blocks and rate of a chain of order k equal those of a sum over all its blocks") {
  const std::vector<double> kernel{0.1, 0.85, 0.8, 0.2, 0.9, 0.15, 0.25, 0.8};
  const Json json =
      commandJson({"theory", "entropy", "--kernel", "0.1,0.85,0.8,0.2,0.9,0.15,0.25,0.8", "--blocks", "7"});
  CHECK(json["schema"] == "sepx.entropy/1");
  CHECK(json["order"] == 3);
  // The stationary distribution of the states, by many steps of the chain from a uniform start.
  std::vector<double> pi(8, 0.125);
  for (int step = 0; step < 2000; ++step) {
    std::vector<double> next(8, 0);
    for (std::size_t s = 0; s < 8; ++s) {
      next[2 * s % 8] += pi[s] * (1 - kernel[s]);
      next[2 * s % 8 + 1] += pi[s] * kernel[s];
    }
    pi = next;
  }
  for (std::size_t s = 0; s < 8; ++s)
    CHECK(json["stationary"][s].get<double>() == Approx(pi[s]).margin(1e-12));
  REQUIRE(json["blocks"].size() == 7);
  for (int n = 1; n <= 7; ++n) {
    const Json& block = json["blocks"][static_cast<std::size_t>(n) - 1];
    CHECK(block["bits"] == n);
    CHECK(block["entropy"].get<double>() == Approx(blockEntropy(kernel, pi, 3, n)).margin(1e-12));
    const double before = n > 1 ? blockEntropy(kernel, pi, 3, n - 1) : 0;
    CHECK(block["last"].get<double>() == Approx(block["entropy"].get<double>() - before).margin(1e-12));
  }
  CHECK(json["rate"].get<double>() ==
        Approx(blockEntropy(kernel, pi, 3, 12) - blockEntropy(kernel, pi, 3, 11)).margin(1e-12));
  CHECK(json["unigram"].get<double>() == Approx(blockEntropy(kernel, pi, 3, 1)).margin(1e-12));
  CHECK(json["gap"].get<double>() > 0.1);
}

TEST_CASE("entropy: for order 1 it is the paper's, and invalid kernels are refused") {
  // p = 0.2, q = 0.3: pi_1 = 0.4.
  const auto coin = [](double x) { return -x * std::log(x) - (1 - x) * std::log(1 - x); };
  const Json json = commandJson({"theory", "entropy", "--kernel", "0.2,0.7"});
  CHECK(json["unigram"].get<double>() == Approx(coin(0.4)).epsilon(1e-12));
  CHECK(json["rate"].get<double>() == Approx(0.6 * coin(0.2) + 0.4 * coin(0.3)).epsilon(1e-12));
  CHECK(json["blocks"].size() == 3);
  const Ran prose = command({"theory", "entropy", "--kernel", "0.2,0.7"});
  CHECK(prose.out.find("rate 0.544587") != std::string::npos);
  requireRefused({"theory", "entropy"}, 2, "--kernel");
  requireRefused({"theory", "entropy", "--kernel", "0.2,0.7,0.1"}, 2, "2^k");
  requireRefused({"theory", "entropy", "--kernel", "0,1"}, 2, "");  // two classes of states that the chain never leaves
  requireRefused({"theory", "entropy", "--kernel", "0.2,1.7"}, 2, "");
  requireRefused({"theory", "entropy", "--kernel", "0.2,0.7", "--length", "4"}, 2, "only");
  requireRefused({"theory", "counts", "--length", "4", "--kernel", "0.2,0.7"}, 2, "entropy");
}
