// SPDX-License-Identifier: Apache-2.0
// A measurement, not a test, which runs only when selected: test_layers "[.bench]". Prints the milliseconds of
// attention, forward and backward, on one and two threads, in the shapes of the training in tests/bench.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>

#include "tests/engine/nn/layers/attention_cases.h"

using namespace sepx;
using namespace sepx::test;

namespace {

double milliseconds(const auto& work) {
  double best = 1e9;
  for (int repeat = 0; repeat < 9; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count());
  }
  return best;
}

}  // namespace

TEST_CASE("attention: speed", "[.bench]") {
  struct Row {
    const char* name;
    int sequences, length, heads, headDim;
    bool causal;
  };
  for (const Row& row :
       {Row{"b8", 16, 1024, 1, 8, true}, Row{"b64", 16, 1024, 1, 64, true}, Row{"a10", 256, 10, 1, 256, false},
        Row{"a40", 256, 40, 1, 256, false}, Row{"c15", 32, 128, 4, 64, true}, Row{"d", 8, 256, 6, 64, true}}) {
    AttentionCase c;
    c.sequences = row.sequences;
    c.length = row.length;
    c.heads = c.kvHeads = row.heads;
    c.headDim = row.headDim;
    c.causal = row.causal;
    c.scale = 1 / std::sqrt(row.headDim);
    const std::vector<float> qkv = converted<float>(randomValues(c.tokens() * c.ld(), 1));
    const std::vector<float> g = converted<float>(randomValues(c.tokens() * c.ldo(), 2));
    std::vector<float> out(g.size()), logSum(c.logSums()), d(qkv.size());
    const nn::AttentionShape shape = c.shape();
    for (const int threads : {1, 2}) {
      ThreadPool pool(threads);
      const auto forward = [&] {
        nn::attentionForward(pool, shape, inputOf(c, qkv), out.data(), c.ldo(), logSum.data());
      };
      const auto backward = [&] {
        nn::attentionBackward(pool, shape, inputOf(c, qkv), out.data(), g.data(), c.ldo(), logSum.data(), d.data(),
                              d.data() + c.kColumn(), d.data() + c.vColumn(), c.ld());
      };
      const double ahead = milliseconds(forward), back = milliseconds(backward);
      const double pairs = row.causal ? row.length / 2.0 : row.length;
      const double products = 14e-6 * row.sequences * row.heads * row.length * pairs * row.headDim;
      std::printf("%-4s %d thread(s): forward %7.2f ms, backward %7.2f ms, %5.1f GFlop/s of products\n", row.name,
                  threads, ahead, back, products / (ahead + back));
    }
  }
}
