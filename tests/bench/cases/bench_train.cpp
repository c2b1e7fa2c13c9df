// SPDX-License-Identifier: Apache-2.0
// See bench_train.h. The benchmarks run first with one thread and then with two (or only with the number that --threads
// gives), in the same process.
#include "tests/bench/cases/bench_train.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/cli/text.h"
#include "engine/core/clock.h"
#include "engine/core/gemm.h"
#include "engine/core/random.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/nn/initialise.h"
#include "engine/nn/optimiser.h"
#include "engine/nn/transformer.h"

namespace sepx::app::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Loss = TrainBenchCase::Loss;

/// Reversal's one-layer masked diffusion model for sequences of `length` tokens.
TrainBenchCase diffusionCase(std::string_view name, int length) {
  nn::ModelConfig c;
  c.vocabulary = 54;
  c.length = length;
  c.d_model = 256;
  c.output = nn::Output::Untied;
  c.causal = false;
  c.positions = nn::Positions::Rope;
  c.attentionBias = c.projectionBias = false;
  c.outputBias = true;
  return {name, c, 256, 1.0, Loss::Diffusion};
}

TrainBenchCase markovCase(std::string_view name, int d) {
  nn::ModelConfig c;
  c.vocabulary = 2;
  c.length = 1024;
  c.d_model = d;
  return {name, c, 16, 0, Loss::NextToken};
}

TrainBenchCase bertCase() {
  nn::ModelConfig c;
  c.vocabulary = 4096;
  c.length = 128;
  c.layers = 4;
  c.d_model = 256;
  c.heads = 4;
  c.causal = false;
  c.placement = nn::Placement::Post;
  c.embeddingNorm = true;
  c.finalNorm = false;
  c.activation = nn::Activation::GeluErf;
  return {"c15", c, 32, 1.0, Loss::Masked15};
}

TrainBenchCase gptCase() {
  nn::ModelConfig c;
  c.vocabulary = 65;
  c.length = 256;
  c.layers = 6;
  c.d_model = 384;
  c.heads = 6;
  c.activation = nn::Activation::GeluErf;
  c.attentionBias = c.projectionBias = c.feedForwardBias = c.normBias = false;
  return {"d", c, 8, 1.0, Loss::NextToken};
}

/// The 6-layer ViT of Attention-Structure, Table 2, with a small batch of images.
TrainBenchCase vitCase() {
  nn::ModelConfig c;
  c.vocabulary = 10;
  c.input = nn::Input::Patches;
  c.length = c.patches() + 1;
  c.layers = 6;
  c.d_model = 512;
  c.heads = 8;
  c.causal = false;
  c.output = nn::Output::Untied;
  c.outputBias = true;
  c.normEpsilon = 1e-6;
  c.activation = nn::Activation::GeluErf;
  return {"vit", c, 8, 1.0, Loss::Classes};
}

struct Threads {
  std::vector<int> counts;
  explicit Threads(const Options& common)
      : counts(common.threads > 0 ? std::vector{common.threads} : std::vector{1, 2}) {}
};

double least(const Measurement& measurement) {
  return *std::min_element(measurement.milliseconds.begin(), measurement.milliseconds.end());
}

double processorMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Runs `work` twice without measuring it, then at least `times` times and for at least `seconds`. Returns the minimum
/// processor time of a run, all threads, milliseconds. Other programs hardly affect this time.
double measure(Measurement& measurement, int times, double seconds, const std::function<void()>& work) {
  double least = std::numeric_limits<double>::infinity();
  work();
  work();
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < times || millisecondsSince(begin) < 1000 * seconds; ++i) {
    const Clock::time_point start = Clock::now();
    const double before = processorMilliseconds();
    work();
    least = std::min(least, processorMilliseconds() - before);
    measurement.milliseconds.push_back(millisecondsSince(start));
  }
  return least;
}

struct ProductCase {
  const char* name;
  enum Kind { Forward, Input, Weights } kind;  // y = x W^T, dx = dy W, dW = dy^T x
  std::size_t m, n, k;
};

std::vector<float> noise(std::size_t count, std::uint64_t stream) {
  RandomStream random(1, stream);
  std::vector<float> values(count);
  for (float& x : values)
    x = static_cast<float>(random.uniform(-1, 1));
  return values;
}

Measurement measureProduct(ThreadPool& pool, const ProductCase& one, double seconds) {
  const std::vector<float> A = noise(one.m * one.k, 0), B = noise(one.n * one.k, 1);
  std::vector<float> C(one.m * one.n);
  Measurement result{fmt::format("{}-{}", one.name, pool.size()),
                     trf(N_("{} x {} x {}, threads: {}"), one.m, one.n, one.k, pool.size()),
                     {}};
  measure(result, 5, seconds, [&] {
    if (one.kind == ProductCase::Forward)
      gemmABt<float>(pool, one.m, one.n, one.k, A.data(), one.k, B.data(), one.k, C.data(), one.n);
    else if (one.kind == ProductCase::Input)
      gemmAB<float>(pool, one.m, one.n, one.k, A.data(), one.k, B.data(), one.n, C.data(), one.n);
    else
      gemmAtB<float>(pool, one.m, one.n, one.k, A.data(), one.m, B.data(), one.n, C.data(), one.n);
  });
  return result;
}

double gigaflops(double operations, double ms) {
  return operations / (1e6 * ms);
}

constexpr ProductCase kPeak{"square", ProductCase::Forward, 1024, 1024, 1024};

/// GFLOP/s of the product that represents the machine's peak, on the threads of `pool`.
double peakOf(ThreadPool& pool) {
  return gigaflops(2.0 * 1024 * 1024 * 1024, least(measureProduct(pool, kPeak, 0.2)));
}

struct Optimised {
  nn::Transformer<float> model;
  nn::OptimiserState<float> state;
  nn::OptimiserOptions options;
};

nn::OptimiserOptions adamW() {
  nn::OptimiserOptions options;
  options.rule = nn::Rule::AdamW;
  options.learningRate = 1e-3;
  options.weightDecay = 0.01;
  return options;
}

void stepOnce(ThreadPool& pool, const TrainBenchCase& one, const nn::Batch& batch, Optimised& trained) {
  trained.model.accumulate(batch, {});
  nn::FlatStep flat;
  flat.clearGradient = true;
  if (one.clip > 0)
    flat.gradientFactor = nn::clipFactor(nn::norm<float>(pool, std::as_const(trained.model).gradient()), one.clip);
  nn::step<float>(pool, trained.options, trained.model.theta(), trained.model.gradient(), trained.state, flat);
}

struct Steps {
  Measurement wall;
  double processor = 0;  ///< minimum, milliseconds
};

Result<Steps> measureSteps(ThreadPool& pool, const TrainBenchCase& one, const std::vector<nn::Batch>& batches) {
  SEPX_TRY(nn::check(one.model));
  Optimised trained{nn::Transformer<float>(one.model, pool), {}, adamW()};
  RandomStream random(3);
  nn::initialise<float>(nn::Initial{}, one.model, trained.model.layout(), random, trained.model.theta());
  Steps steps;
  steps.wall = {fmt::format("step-{}", pool.size()),
                trf(N_("a step of {} tokens, threads: {}"), batches[0].tokens.size(), pool.size()),
                {}};
  std::size_t next = 0;
  steps.processor =
      measure(steps.wall, 10, 1.5, [&] { stepOnce(pool, one, batches[next++ % batches.size()], trained); });
  return steps;
}

}  // namespace

const std::vector<TrainBenchCase>& trainBenchCases() {
  static const std::vector<TrainBenchCase> cases{diffusionCase("a10", 10),
                                                 diffusionCase("a40", 40),
                                                 markovCase("b8", 8),
                                                 markovCase("b64", 64),
                                                 bertCase(),
                                                 gptCase(),
                                                 vitCase()};
  return cases;
}

nn::Batch trainBenchBatch(const TrainBenchCase& one, std::uint64_t seed) {
  RandomStream random(seed, 17);
  nn::Batch batch;
  batch.sequences = one.batch;
  batch.length = one.model.length;
  const int rows = batch.sequences * batch.length;
  const auto token = [&] {
    return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(one.model.vocabulary)));
  };
  if (one.loss == Loss::Classes) {
    batch.tokens.assign(static_cast<std::size_t>(rows), 0);
    batch.pixels.resize(static_cast<std::size_t>(batch.sequences * one.model.patches() * one.model.patchValues()));
    for (float& pixel : batch.pixels)
      pixel = static_cast<float>(random.normal());
    for (int b = 0; b < batch.sequences; ++b)
      batch.targets.push_back({b * batch.length, token(), 1.0f / static_cast<float>(batch.sequences)});
    return batch;
  }
  for (int row = 0; row < rows; ++row)
    batch.tokens.push_back(token());
  std::vector<std::int32_t> order;
  for (std::int32_t row = 0; row < rows; ++row)
    order.push_back(row);
  if (one.loss == Loss::Masked15) {
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random.below(i)]);
    order.resize(order.size() * 15 / 100);
    std::sort(order.begin(), order.end());
  }
  const float mean = 1.0f / static_cast<float>(order.size());
  for (int b = 0; b < batch.sequences && one.loss == Loss::Diffusion; ++b) {
    // Each sequence samples lambda from its own equal part of (0, 1].
    const double lambda = (b + 1 - random.uniform()) / batch.sequences;
    for (int n = 0; n < batch.length; ++n)
      if (random.uniform() < lambda)
        batch.targets.push_back({b * batch.length + n, token(), static_cast<float>(1 / (lambda * batch.sequences))});
  }
  if (one.loss != Loss::Diffusion)
    for (const std::int32_t row : order)
      batch.targets.push_back({row, token(), mean});
  return batch;
}

double trainBenchOperations(const TrainBenchCase& one, const nn::Batch& batch) {
  const nn::ModelConfig& c = one.model;
  const double rows = static_cast<double>(batch.tokens.size()), last = static_cast<double>(batch.targets.size());
  const double d = c.d_model, length = batch.length;
  const double pairs = batch.sequences * (c.causal ? length * (length + 1) / 2 : length * length);
  double products = c.readsImages() ? rows * d * c.patchValues() * 2.0 / 3 : 0;  // the pixels have no gradient
  for (int layer = 0; layer < c.layers; ++layer) {
    const double after = layer + 1 == c.layers ? last : rows;  // rows whose branch outputs reach the loss
    products += rows * d * c.d_qkv() + 2 * pairs * c.d_q() + after * (d * c.d_q() + 2 * d * c.ff());
  }
  products += last * d * c.logits();
  return 3 * 2 * products;
}

Result<BenchResult> benchGemm(const Options& common) {
  using enum ProductCase::Kind;
  static constexpr std::array kCases{kPeak,
                                     ProductCase{"qkv-a40", Forward, 10240, 768, 256},
                                     ProductCase{"up-a40", Forward, 10240, 1024, 256},
                                     ProductCase{"down-a40", Forward, 10240, 256, 1024},
                                     ProductCase{"input-a40", Input, 10240, 256, 1024},
                                     ProductCase{"weights-a40", Weights, 1024, 256, 10240},
                                     ProductCase{"qkv-b8", Forward, 16384, 24, 8},
                                     ProductCase{"weights-b8", Weights, 32, 8, 16384},
                                     ProductCase{"up-b64", Forward, 16384, 256, 64},
                                     ProductCase{"weights-b64", Weights, 256, 64, 16384},
                                     ProductCase{"head-c15", Forward, 614, 4096, 256},
                                     ProductCase{"up-d", Forward, 2048, 1536, 384},
                                     ProductCase{"input-d", Input, 2048, 384, 1536},
                                     ProductCase{"weights-d", Weights, 1536, 384, 2048}};
  BenchResult result{"gemm"};
  for (const int threads : Threads(common).counts) {
    ThreadPool pool(threads);
    for (const ProductCase& one : kCases) {
      Measurement measured = measureProduct(pool, one, 0.1);
      const double operations = 2.0 * static_cast<double>(one.m * one.n) * static_cast<double>(one.k);
      result.amounts.push_back({measured.name + "-gflops", trf(N_("GFLOP/s of the fastest of {}"), measured.what),
                                gigaflops(operations, least(measured))});
      result.measurements.push_back(std::move(measured));
    }
  }
  return result;
}

Result<double> trainBenchStep(const TrainBenchCase& one, ThreadPool& pool) {
  SEPX_ASSIGN(const Steps steps, measureSteps(pool, one, {trainBenchBatch(one, 1)}));
  return steps.wall.median();
}

Result<BenchResult> benchTrain(const Options& common, std::string_view name) {
  const auto found = std::find_if(trainBenchCases().begin(), trainBenchCases().end(),
                                  [name](const TrainBenchCase& one) { return one.name == name; });
  std::vector<nn::Batch> batches;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    batches.push_back(trainBenchBatch(*found, seed));
  double operations = 0;
  for (const nn::Batch& batch : batches)
    operations += trainBenchOperations(*found, batch) / static_cast<double>(batches.size());
  BenchResult result{fmt::format("train-{}", name)};
  for (const int threads : Threads(common).counts) {
    ThreadPool pool(threads);
    const double peak = peakOf(pool);
    SEPX_ASSIGN(const Steps steps, measureSteps(pool, *found, batches));
    const double best = least(steps.wall), speed = gigaflops(operations, best);
    const double tokens = static_cast<double>(batches[0].tokens.size());
    result.measurements.push_back(steps.wall);
    const auto amount = [&](const char* what, const std::string& sentence, double value) {
      result.amounts.push_back({fmt::format("{}-{}", what, threads), sentence, value});
    };
    amount("least-ms", tr(N_("the fastest of the steps, milliseconds")), best);
    amount("processor-ms", tr(N_("the least processor time of a step, all threads, milliseconds")), steps.processor);
    amount("tokens-per-second", tr(N_("tokens per second of the fastest step")), 1000 * tokens / best);
    amount("gflops", tr(N_("GFLOP/s of the step's products")), speed);
    amount("peak-gflops", tr(N_("GFLOP/s of a product 1024 x 1024 x 1024 in the same run")), peak);
    amount("share-of-peak", tr(N_("the step's share of that product's speed")), speed / peak);
  }
  return result;
}

}  // namespace sepx::app::cli
