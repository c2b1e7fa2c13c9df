// SPDX-License-Identifier: Apache-2.0
// The choice between CPU and device, and pictures from the device for worker threads.
#include <cmath>
#include <new>
#include <thread>

#include "engine/gpu/device_name.h"
#include "engine/gpu/kernels/qk_source.h"
#include "tests/engine/attention/random_factors.h"
#include "tests/engine/gpu/gpu_test.h"

using namespace sepx;
using namespace sepx::gpu;
using attention::LayerFactors;
using attention::Part;
using attention::Picture;
using attention::Pool;

namespace {

std::shared_ptr<const LayerFactors> factorsOf(int n) {
  return std::make_shared<const LayerFactors>(attention::randomFactors(n, n, 2, 1, 12, 1));
}

double farthest(const Picture& a, const Picture& b) {
  REQUIRE(a.values.size() == b.values.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    worst = std::max(worst, std::abs(double{a.values[i]} - b.values[i]));
  return worst;
}

}  // namespace

TEST_CASE("The user's choice is kept, and a software driver is never chosen as the faster device", "[qk]") {
  CHECK(qkChoice(nullptr, QkUse::Gpu).use == QkUse::Cpu);
  const auto context = makeContext();
  CHECK(qkChoice(context.get(), QkUse::Cpu).use == QkUse::Cpu);
  CHECK(qkChoice(context.get(), QkUse::Gpu).use == QkUse::Gpu);
  CHECK(qkChoice(context.get(), QkUse::Faster).use == (context->info().software ? QkUse::Cpu : QkUse::Faster));
  context->markLost();
  CHECK(qkChoice(context.get(), QkUse::Gpu).use == QkUse::Cpu);
}

TEST_CASE("Several worker threads get pictures from the device at the same time", "[qk]") {
  const auto context = makeContext();
  const QkChoice choice = qkChoice(context.get(), QkUse::Gpu);
  const auto factors = factorsOf(300);
  const Picture expected =
      attention::makeTileSource(factors, nullptr)->picture({0, 300, 10, 300}, 3, Part::Skew, Pool::Mean);
  std::vector<std::thread> threads;
  std::vector<Picture> made(3);
  std::vector<std::string> devices(3);
  for (std::size_t i = 0; i < made.size(); ++i)
    threads.emplace_back([&, i] {
      const QkSource source = makeQkSource(choice, factors, nullptr);
      made[i] = source.source->picture({0, 300, 10, 300}, 3, Part::Skew, Pool::Mean);
      devices[i] = source.source->device() + source.note;
    });
  for (std::thread& thread : threads)
    thread.join();
  for (std::size_t i = 0; i < made.size(); ++i) {
    CHECK(farthest(made[i], expected) < 1e-4);
    CHECK(devices[i] == deviceName(*context));
  }
}

TEST_CASE("A cancelled picture of the device is empty, and the next one is complete", "[qk]") {
  const auto context = makeContext();
  const auto factors = factorsOf(3000);
  const QkSource source = makeQkSource(qkChoice(context.get(), QkUse::Gpu), factors, nullptr);
  CHECK(source.source->picture({0, 3000, 0, 3000}, 1, Part::Full, Pool::Extreme, [] { return true; }).values.empty());
  const Picture small = source.source->picture({0, 100, 0, 100}, 1, Part::Full, Pool::Extreme);
  CHECK(farthest(small,
                 attention::makeTileSource(factors, nullptr)->picture({0, 100, 0, 100}, 1, Part::Full, Pool::Extreme)) <
        1e-4);
}

TEST_CASE("If the requested device is missing, the CPU draws and a note gives the reason", "[qk]") {
  const auto factors = factorsOf(50);
  const QkSource source = makeQkSource({QkUse::Gpu, "no such device"}, factors, nullptr);
  CHECK(source.note.find("no such device") != std::string::npos);
  CHECK(source.source->picture({0, 50, 0, 50}, 2, Part::Full, Pool::Mean).values.size() == 625);
  CHECK(source.source->device() == "CPU, 1 thread");
}

TEST_CASE("If a device is lost, its sources continue on the CPU and a new source sets up the device again", "[qk]") {
  const auto context = makeContext();
  const QkChoice choice = qkChoice(context.get(), QkUse::Gpu);
  const auto factors = factorsOf(60);
  const attention::Crop whole{0, 60, 0, 60};
  const Picture expected = attention::makeTileSource(factors, nullptr)->picture(whole, 1, Part::Full, Pool::Mean);
  const QkSource first = makeQkSource(choice, factors, nullptr), second = makeQkSource(choice, factors, nullptr);
  REQUIRE(first.note + second.note == "");
  bool there = false;
  onQkThread(choice, [&there](Context* device) {
    there = device != nullptr;
    if (device) device->markLost();
  });
  REQUIRE(there);
  const QkSource third = makeQkSource(choice, factors, nullptr);  // on a newly set up device
  REQUIRE(third.note == "");
  for (const QkSource* source : {&first, &second}) {
    CHECK(farthest(source->source->picture(whole, 1, Part::Full, Pool::Mean), expected) < 1e-4);
    CHECK(source->source->device() == "CPU, 1 thread");
  }
  CHECK(farthest(third.source->picture(whole, 1, Part::Full, Pool::Mean), expected) < 1e-4);
  CHECK(third.source->device() == deviceName(*context));
}

TEST_CASE("An exception on the device thread reaches the caller, and the thread continues", "[qk]") {
  const auto context = makeContext();
  const QkChoice choice = qkChoice(context.get(), QkUse::Gpu);
  const auto factors = factorsOf(60);
  const QkSource source = makeQkSource(choice, factors, nullptr);
  CHECK_THROWS_AS(onQkThread(choice, [](Context*) { throw std::bad_alloc(); }), std::bad_alloc);
  CHECK(source.source->picture({0, 60, 0, 60}, 2, Part::Full, Pool::Mean).values.size() == 900);
  CHECK(source.source->device() == deviceName(*context));
}
