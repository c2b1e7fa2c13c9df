// SPDX-License-Identifier: Apache-2.0
// Results of device kernels for the plane of Flow (--compute gpu): they are complete even if the device is lost during
// the computation, and have every size. The workbenches compute and draw nothing else.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/gpu/context.h"
#include "engine/gpu/kernels/kernels.h"
#include "ui/workbench/workbench.h"

using namespace sepx;

namespace {

using KeyValues = std::vector<std::pair<std::string, ui::Value>>;

/// A workbench on a device of its own, frame by frame. After each frame the device is idle.
class OnDevice {
 public:
  OnDevice(ui::Compute compute, const KeyValues& settings, gpu::Extent extent = {640, 400}, float scale = 1)
      : extent_(extent), scale_(scale) {
    newDevice();
    ui::WorkbenchOptions options;
    options.scripted = options.figure = true;
    options.threads = 2;
    options.compute = compute;
    workbench_ = std::make_unique<ui::Workbench>(std::move(options));
    for (const auto& [key, value] : settings) {
      const Result<void> done = workbench_->set(key, value);
      INFO(key);
      REQUIRE(done);
    }
  }
  ~OnDevice() {
    workbench_->releaseGpu();
    CHECK(context_->validationMessages().empty());
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  gpu::Context& context() { return *context_; }
  /// Creates a new device, as a host does after a loss.
  void newDevice() {
    if (workbench_) workbench_->releaseGpu();
    context_.reset();
    auto made = gpu::Context::create({.validation = true});
    if (!made) FAIL(made.error().message);
    context_ = std::move(*made);
  }
  void frame() {
    workbench_->jobLanes().waitForPublications();
    ui::HostFrame host;
    host.scale = scale_;
    host.seconds = ++frames_ / 60.0;
    workbench_->advance(*context_, extent_, host);
    context_->waitIdle();
  }
  bool settled() const { return workbench_->settled() && !workbench_->needsFrame(); }
  void settle() {
    for (int i = 0; i < 20000 && (i < 3 || !settled()); ++i)
      frame();
    REQUIRE(settled());
  }
  /// The map of a layer; empty if there is none.
  render::LabelMap map(const std::string& name) const {
    for (const render::Layer& layer : workbench_->scene().layers) {
      if (layer.name != name || layer.items.empty()) continue;
      if (const auto* found = std::get_if<render::LabelMap>(&layer.items.front())) return *found;
    }
    return {};
  }
  std::vector<std::uint8_t> labels(const std::string& name) const {
    const render::LabelMap of = map(name);
    return of.labels ? *of.labels : std::vector<std::uint8_t>();
  }
  std::string read(const std::string& key) const {
    const auto value = workbench_->get(key);
    INFO(key);
    REQUIRE(value);
    return ui::toString(*value);
  }

 private:
  gpu::Extent extent_;
  float scale_;
  int frames_ = 0;
  std::unique_ptr<gpu::Context> context_;
  std::unique_ptr<ui::Workbench> workbench_;
};

/// Compares the result for `settings` when the device is lost after `frames` frames: computed on the next device, and
/// on the CPU without a device. `seen` returns the part of the workbench that is compared.
template <class Seen>
void checkLoss(const KeyValues& settings, int frames, const Seen& seen) {
  OnDevice window(ui::Compute::Gpu, settings);
  for (int i = 0; i < frames; ++i)
    window.frame();
  window.context().markLost();
  SECTION("Another device computes it again") {
    window.frame();
    window.newDevice();
    window.settle();
    OnDevice undisturbed(ui::Compute::Gpu, settings);
    undisturbed.settle();
    const bool same = seen(window) == seen(undisturbed);  // a bool, so that Catch does not print all pixels
    CHECK(same);
    CHECK_FALSE(seen(undisturbed).empty());
  }
  SECTION("The CPU computes it while there is no device") {
    window.settle();
    OnDevice processor(ui::Compute::Cpu, settings);
    processor.settle();
    const bool same = seen(window) == seen(processor);
    CHECK(same);
    CHECK_FALSE(seen(processor).empty());
  }
}

}  // namespace

TEST_CASE("A basin map whose device is lost during the computation is computed again", "[kernels]") {
  const int frames = GENERATE(1, 2);
  checkLoss({{"flow.field", std::string("duffing")}, {"flow.show.basin", true}}, frames,
            [](const OnDevice& window) { return window.labels("basin"); });
}

TEST_CASE("Basin shares do not come from a map whose device was lost", "[kernels]") {
  checkLoss({{"flow.show.basin", true}, {"flow.basin.method", std::string("integrate")}}, 2,
            [](const OnDevice& window) {
              return window.read("flow.basin.share.global-min") + " " + window.read("flow.basin.share.local-min") +
                     " " + window.read("flow.basin.share.undecided");
            });
}

TEST_CASE("A flow texture whose device is lost during the computation is computed again", "[kernels]") {
  const int frames = GENERATE(1, 3);  // in the coarse stage, in the fine stage
  checkLoss({{"flow.show.texture", true}}, frames, [](const OnDevice& window) { return window.labels("texture"); });
}

TEST_CASE("The flow texture of a tall plot uses the largest size that the kernel accepts", "[kernels]") {
  OnDevice window(ui::Compute::Gpu,
                  {{"flow.show.texture", true},
                   {"flow.texture.length", 4.0},
                   {"flow.show.loss", false},
                   {"flow.show.basin", false}},
                  {3000, 6400}, 2);
  window.settle();
  const render::LabelMap texture = window.map("texture");
  REQUIRE(texture.labels);
  CHECK(texture.labels->size() <= gpu::LicKernel::kMostTexture);
  CHECK(texture.labels->size() > gpu::LicKernel::kMostTexture * 9 / 10);
  const auto neutral = std::count(texture.labels->begin(), texture.labels->end(), dynamics::kLicNeutral);
  CHECK(static_cast<std::size_t>(neutral) < texture.labels->size() / 2);
}
