// SPDX-License-Identifier: Apache-2.0
// Compares the peak memory of a training process with the need computed from shapes alone. The memory is measured as
// resident pages in Linux, in a child process that does nothing else.
#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "engine/nn/memory.h"
#include "engine/nn/optimiser.h"
#include "engine/nn/transformer.h"
#include "tests/engine/nn/transformer_cases.h"

using namespace sepx;
using namespace sepx::nn;

namespace {

/// The value in kB of a line of /proc/self/status, or -1 if there is none.
long statusLine(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name + ":")) return std::stol(line.substr(name.size() + 1));
  return -1;
}

struct Case {
  const char* name;
  ModelConfig config;
  int sequences;
};

/// Few layers with many parameters, many layers with few parameters, and a model with lanes.
std::vector<Case> cases() {
  ModelConfig table;
  table.vocabulary = 20'000;
  table.length = 64;
  table.d_model = 128;
  table.heads = 4;
  ModelConfig deep = table;
  deep.vocabulary = 64;
  deep.layers = 8;
  deep.activation = Activation::SwiGlu;
  deep.norm = Norm::Rms;
  deep.placement = Placement::Post;
  deep.residualDropout = 0.1;
  ModelConfig chain;
  chain.length = 512;
  chain.d_model = 32;
  chain.layers = 4;
  return {{"table", table, 16}, {"deep", deep, 16}, {"chain", chain, 32}};
}

/// The number of bytes by which two training steps increase the memory of the process. Runs in the child process.
long trained(const Case& one, const Batch& batch) {
  ThreadPool pool(2);
  std::ofstream("/proc/self/clear_refs") << "5";  // resets the peak
  const long before = statusLine("VmRSS");
  Transformer<float> model(one.config, pool);
  test::fill(model, 1, 0.02);
  OptimiserOptions options;
  options.rule = Rule::AdamW;
  OptimiserState<float> state;
  for (int i = 0; i < 2; ++i) {
    model.accumulate(batch, {});
    step<float>(pool, options, model.theta(), model.gradient(), state, FlatStep{});
  }
  return (statusLine("VmHWM") - before) * 1024;
}

/// The same in a separate process, so that no memory of other tests is reused.
long trainedApart(const Case& one, const Batch& batch) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    const long bytes = trained(one, batch);
    _exit(write(ends[1], &bytes, sizeof bytes) == sizeof bytes ? 0 : 1);
  }
  long bytes = -1;
  if (child < 0 || read(ends[0], &bytes, sizeof bytes) != sizeof bytes) bytes = -1;
  if (child > 0) waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return bytes;
}

}  // namespace

TEST_CASE("memory: the peak of training is below 1.3 times the computed need") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  WARN("skipped: a sanitizer allocates memory of its own, so the peak is not compared");
  return;
#endif
  if (!std::ifstream("/proc/self/clear_refs")) {
    WARN("This system does not say how much memory a process holds; the peak is not compared.");
    return;
  }
  for (const Case& one : cases()) {
    const Batch batch = test::randomBatch(one.config, one.sequences, one.config.length, test::Asked::Few, 3);
    const MemoryNeed need = memoryNeed(one.config, one.sequences, one.config.length,
                                       static_cast<int>(batch.targets.size()), 2, sizeof(float), 2);
    const double peak = static_cast<double>(trainedApart(one, batch));
    INFO(one.name << ": " << peak / 1e6 << " MB of " << static_cast<double>(need.total()) / 1e6);
    REQUIRE(need.total() > 8'000'000);  // large compared with pages and stacks
    CHECK(peak < 1.3 * static_cast<double>(need.total()));
    CHECK(peak > 0.5 * static_cast<double>(need.total()));  // with lanes one thread may have done all the work
  }
}

TEST_CASE("memory: the need grows with parameters, states and batch") {
  const ModelConfig config = cases()[1].config;
  const auto need = [&](int sequences, int states, std::size_t element) {
    return memoryNeed(config, sequences, 64, 64, states, element, 2);
  };
  const std::int64_t count = parameterCount(config);
  CHECK(need(4, 2, 4).parameters == 4 * count);
  CHECK(need(4, 2, 4).optimiser == 8 * count);
  CHECK(need(4, 0, 4).optimiser == 0);
  CHECK(need(4, 2, 8).total() == 2 * need(4, 2, 4).total());
  CHECK(need(8, 2, 4).activations > need(4, 2, 4).activations);
  CHECK(need(1 << 20, 2, 4).activations <
        100 * need(64, 2, 4).activations);  // with shards the need does not grow with the batch
}
