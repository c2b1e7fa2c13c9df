// SPDX-License-Identifier: Apache-2.0
// The flow texture of the window: line integral convolution as a job in levels (1/4, 1/2, 1 of the resolution) or as
// the compute kernel, a slice a frame; which of the two is faster here is measured once unless the person or a script
// has decided. A running texture is a turn of phases at half the resolution, made once. Frame thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/dynamics/lic.h"
#include "ui/exhibit/exhibit.h"
#include "ui/exhibit/lane.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

struct TextureRequest {
  FlowModel model;
  dynamics::BasinWindow window;
  dynamics::LicOptions options;
  bool running = false;
  bool operator==(const TextureRequest&) const = default;
};

using TexturePointer = std::shared_ptr<const dynamics::FlowTexture>;

class FlowTextures {
 public:
  static constexpr int kPhases = 12;  ///< of a turn

  FlowTextures();
  ~FlowTextures();
  /// Takes over what is finished and starts what is stale; no request: nothing is shown.
  void update(const std::optional<TextureRequest>& request, ExhibitContext& context);
  /// The standing texture so far, or one turn of the running one; empty while there is none.
  const std::vector<TexturePointer>& frames() const { return frames_; }
  std::uint64_t revision() const { return revision_; }  ///< changes with the frames
  bool complete() const { return job_.complete() && (!kernelRuns_ || kernelProbes_); }
  /// A kernel is working and wants the next frame.
  bool advancing() const { return kernelRuns_; }
  const std::string& device() const { return device_; }  ///< "CPU, 120 ms"
  void releaseGpu();

 private:
  struct Part {
    std::vector<TexturePointer> frames;
    double milliseconds = 0;
    double perPixel = 0;  ///< ms, of the last level; 0: not measured
  };

  void start(ExhibitContext& context);
  void startJob(ExhibitContext& context);
  bool startKernel(ExhibitContext& context);
  bool makeKernel(ExhibitContext& context, bool aloud);
  void startStage(int divisor);
  void advanceKernel();
  void probeKernel(ExhibitContext& context);
  void collect(ExhibitContext& context);
  void clear();
  std::string madeBy(const std::string& device, double milliseconds) const;

  Lane<TextureRequest, Part> job_{"flow.texture"};
  std::optional<TextureRequest> request_;
  std::vector<TexturePointer> frames_;
  std::uint64_t revision_ = 0;
  bool scripted_ = false;
  std::string device_;

  std::unique_ptr<gpu::LicKernel> kernel_;
  FieldPointer kernelField_;
  bool kernelRuns_ = false, kernelProbes_ = false, kernelFailed_ = false;
  int stage_ = 1;  ///< divisor of the resolution that the kernel works on
  std::string deviceName_;
  std::chrono::steady_clock::time_point kernelStarted_;
  std::optional<double> cpuPerPixel_, gpuPerPixel_;  ///< ms
};

}  // namespace sepx::ui
