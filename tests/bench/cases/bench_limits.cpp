// SPDX-License-Identifier: Apache-2.0
// Benchmark of the distance to the machine's limits: it compares products of matrices with fused multiply-adds, a step
// of AdamW with a copy of memory, and the first pass of a model with reading its file. The limits are measured in the
// same run.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/text.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/core/gemm.h"
#include "engine/core/regular_file.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/forward/forward_pass.h"
#include "engine/nn/optimiser.h"
#include "tests/bench/cases/bench.h"
#include "tests/bench/cases/bench_checkpoints.h"

namespace sepx::app::cli {
namespace {

/// The time of the fastest of `times` runs, seconds.
Result<double> fastest(int times, const std::function<Result<void>()>& once) {
  Measurement measured;
  SEPX_TRY(measure(measured, {times, 1}, once));
  return *std::ranges::min_element(measured.milliseconds) / 1000;
}

constexpr std::size_t kRounds = 2'000'000;  // of the loop of multiply-adds
constexpr std::size_t kSums =
    12;  // independent; more than latency times throughput; with two constants they fit in 16 registers

#if defined(__x86_64__)
using Eight = float __attribute__((vector_size(32)));
using Sixteen = float __attribute__((vector_size(64)));

/// kRounds times kSums multiply-adds of a whole register each; returns a number that depends on all of them. Always
/// inlined, so that it uses the instruction set of the caller.
template <class Register>
[[gnu::always_inline]] inline float multiplyAddsOf() {
  Register sums[kSums];  // different, otherwise the compiler would merge them
  for (std::size_t i = 0; i < kSums; ++i)
    sums[i] = Register{} + static_cast<float>(i);
  const Register factor = Register{} + 0.999f, term = Register{} + 0.001f;
  for (std::size_t round = 0; round < kRounds; ++round)
#pragma GCC unroll 12
    for (Register& sum : sums)
      sum = sum * factor + term;
  Register all = sums[0];
  for (const Register& sum : sums)
    all += sum;
  return all[0];
}

__attribute__((target("avx512f"))) float multiplyAdds512() {
  return multiplyAddsOf<Sixteen>();
}
__attribute__((target("avx2,fma"))) float multiplyAdds256() {
  return multiplyAddsOf<Eight>();
}
#endif

struct MultiplyAdds {
  float (*run)() = nullptr;  ///< null: not known for this processor
  double operations = 0;     ///< of a run
};

MultiplyAdds multiplyAdds() {
#if defined(__x86_64__)
  constexpr double kOperations = 2.0 * kRounds * kSums;
  if (gemmLevel() == GemmLevel::Avx512) return {multiplyAdds512, 16 * kOperations};
  if (gemmLevel() == GemmLevel::Avx2) return {multiplyAdds256, 8 * kOperations};
#endif
  return {};
}

/// Single precision, GFLOP/s.
Result<void> products(BenchResult& result, int threads) {
  constexpr std::size_t kSide = 1024;
  ThreadPool pool(threads);
  const std::vector<float> A(kSide * kSide, 0.5f), B(kSide * kSide, 0.25f);
  std::vector<float> C(kSide * kSide);
  SEPX_ASSIGN(const double seconds, fastest(30, [&]() -> Result<void> {
                gemmABt<float>(pool, kSide, kSide, kSide, A.data(), kSide, B.data(), kSide, C.data(), kSide);
                return {};
              }));
  const double ours = 2e-9 * kSide * kSide * kSide / seconds;
  result.amounts.push_back({fmt::format("product-{}", threads),
                            trf(N_("GFLOP/s of a product 1024 x 1024 x 1024, float, threads: {}"), threads), ours});
  const MultiplyAdds most = multiplyAdds();
  if (!most.run) return {};
  std::vector<float> ends(static_cast<std::size_t>(threads));  // so that nothing is optimised away
  SEPX_ASSIGN(const double spent, fastest(5, [&]() -> Result<void> {
                pool.parallelFor(0, ends.size(), 1, [&](std::size_t first, std::size_t last) {
                  for (std::size_t i = first; i < last; ++i)
                    ends[i] = most.run();
                });
                return {};
              }));
  const double peak = 1e-9 * most.operations * threads / spent;
  result.amounts.push_back(
      {fmt::format("peak-{}", threads), trf(N_("GFLOP/s of multiply-adds in registers, threads: {}"), threads), peak});
  result.amounts.push_back({fmt::format("product-share-{}", threads), tr(N_("share of the peak")), ours / peak});
  return {};
}

/// Bytes read and written, GB/s.
Result<void> updates(BenchResult& result, int threads) {
  constexpr std::size_t kCount = std::size_t{1} << 24;  // parameters: each array is much larger than the caches
  ThreadPool pool(threads);
  std::vector<float> theta(kCount, 0.5f), gradient(kCount, 0.25f);
  nn::OptimiserState<float> state;
  nn::OptimiserOptions adamW;
  adamW.rule = nn::Rule::AdamW;
  SEPX_ASSIGN(const double seconds, fastest(10, [&]() -> Result<void> {
                nn::step<float>(pool, adamW, theta, gradient, state);
                return {};
              }));
  constexpr double kBytes = 7.0 * sizeof(float) * kCount;  // theta, m and v are read and written, the gradient is read
  const double ours = 1e-9 * kBytes / seconds;
  SEPX_ASSIGN(const double spent, fastest(10, [&]() -> Result<void> {
                pool.parallelFor(0, kCount, kCount / (4 * static_cast<std::size_t>(threads)),
                                 [&](std::size_t first, std::size_t last) {
                                   std::memcpy(&theta[first], &gradient[first], (last - first) * sizeof(float));
                                 });
                return {};
              }));
  const double copy = 1e-9 * 2.0 * sizeof(float) * kCount / spent;
  result.amounts.push_back({fmt::format("adamw-{}", threads),
                            trf(N_("GB/s of a step of AdamW over 16,777,216 parameters, threads: {}"), threads), ours});
  result.amounts.push_back(
      {fmt::format("copy-{}", threads), trf(N_("GB/s of a copy of memory, threads: {}"), threads), copy});
  result.amounts.push_back({fmt::format("adamw-share-{}", threads), tr(N_("share of the copy")), ours / copy});
  return {};
}

/// Removes the pages of the file from the page cache.
void forget(const RegularFile& opened) {
  ::fsync(opened.file.get());
  ::posix_fadvise(opened.file.get(), 0, 0, POSIX_FADV_DONTNEED);
}

Result<void> readWhole(const RegularFile& opened) {
  std::vector<char> block(std::size_t{1} << 20);
  std::uint64_t at = 0;
  while (at < opened.size) {
    const ssize_t got = ::pread(opened.file.get(), block.data(), block.size(), static_cast<off_t>(at));
    if (got <= 0) return fail(ErrorKind::Internal, tr(N_("the synthetic checkpoint cannot be read")));
    at += static_cast<std::uint64_t>(got);
  }
  return {};
}

/// Reads a file that is not in memory, GB/s.
Result<void> reading(BenchResult& result, int threads) {
  const BenchFolder folder;
  SEPX_ASSIGN(const std::string path, writeGpt2Shape(folder.file("gpt2"), BenchNumbers::F16, true));
  const auto file = openRegular(path + "/model.safetensors");
  if (!file) return fail(ErrorKind::Internal, file.error());
  const double gigabytes = 1e-9 * static_cast<double>(file->size);
  ThreadPool pool(threads);
  forward::Input input;
  for (int i = 0; i < 64; ++i)
    input.ids.push_back(17 * i);
  const auto cold = [&](const std::function<Result<void>()>& once) {
    // Removing the pages takes time itself and is not measured.
    std::vector<Measurement> parts(1);
    const Result<void> ran = measureParts(parts, {5, 1}, [&](int) -> Result<std::vector<double>> {
      forget(*file);
      Measurement one;
      SEPX_TRY(measure(one, {1, 0}, once));
      return one.milliseconds;
    });
    return ran ? Result<double>(gigabytes / (parts[0].median() / 1000)) : tl::unexpected(ran.error());
  };
  SEPX_ASSIGN(const double read, cold([&] { return readWhole(*file); }));
  SEPX_ASSIGN(const double pass, cold([&]() -> Result<void> {
                SEPX_ASSIGN(auto found, checkpoint::openModel(path));
                SEPX_ASSIGN(const auto model, forward::ForwardModel::open(std::move(found)));
                SEPX_TRY(model->run<float>(input, {}, pool));
                return {};
              }));
  result.amounts.push_back(
      {"file-pass",
       trf(N_("GB/s from a file in F16 of GPT-2's shape, not in the page cache, to the logits of 64 tokens, "
              "{} threads"),
           pool.size()),
       pass});
  result.amounts.push_back({"file-read", tr(N_("GB/s of reading this file from its beginning to its end")), read});
  result.amounts.push_back({"file-share", tr(N_("share of the reading speed")), pass / read});
  return {};
}

}  // namespace

Result<BenchResult> benchLimits(const Options& common) {
  BenchResult result{"limits"};
  for (const int threads : common.threads > 0 ? std::vector{common.threads} : std::vector{1, 2}) {
    SEPX_TRY(products(result, threads));
    SEPX_TRY(updates(result, threads));
  }
  SEPX_TRY(reading(result, common.threads));
  return result;
}

}  // namespace sepx::app::cli
