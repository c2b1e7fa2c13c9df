// SPDX-License-Identifier: Apache-2.0
// The basin picture of the window: in closed form (Theorems 2 and 8), by integration, or both with a count of the
// pixels on which they differ. Integration runs as a job in levels (1/8, 1/4, 1/2, 1 of the resolution) or on the
// compute kernel, one slice per frame. Unless the user or a script has chosen the device, both are measured once and
// the faster one is used. Frame thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/dynamics/basin_map.h"
#include "ui/exhibits/flow/shared/field_kernel.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

using BasinMapPointer = std::shared_ptr<const dynamics::BasinMap>;

/// The maps that are shown; a pointer is null if there is no such map.
struct BasinPicture {
  BasinMapPointer exact;       ///< at the picture's resolution
  BasinMapPointer integrated;  ///< the latest one, perhaps not yet at full resolution
  BasinMapPointer fine;        ///< integrated at the picture's resolution, for display only
  BasinMapPointer twin;        ///< closed form on the pixels of `integrated`
  std::shared_ptr<const std::vector<std::uint8_t>> differs;  ///< 1 where integrated and twin differ
  std::optional<std::size_t> disagreements;
  std::vector<double> shares;   ///< per label, in closed form if available, else of `integrated`
  std::size_t counted = 0;      ///< number of pixels that `shares` counts; the closed form has a grid of its own
  std::string device;           ///< "CPU, 3 ms"
  std::optional<int> refining;  ///< percent, until `integrated` is final; only then are disagreements counted
  std::uint64_t revision = 0;   ///< changes with the content
};

/// The grid on which basins are integrated and from which numbers are counted and exported. It does not depend on the
/// size of the picture.
dynamics::BasinWindow countingGrid(const FlowModel& model, const render::Rect& view);

/// The same window in coarser pixels.
dynamics::BasinWindow reduced(dynamics::BasinWindow window, int divisor);

class FlowBasin {
 public:
  FlowBasin();
  ~FlowBasin();
  /// `plot`: the size of the plot in points.
  void update(const FlowState& state, const render::Rect& plot, ExhibitContext& context);
  const BasinPicture& picture() const { return picture_; }
  bool complete() const;
  /// Whether a kernel is running and needs the next frame.
  bool advancing() const { return kernelRuns_; }
  void releaseGpu();

 private:
  struct Request {
    FlowModel model;
    BasinMethod method = BasinMethod::Exact;
    dynamics::BasinWindow picture, integrated;
    bool operator==(const Request& other) const;
  };
  /// The result of a job; a map that the job did not compute is null.
  struct Part {
    BasinMapPointer map, twin;
    std::vector<double> shares;  ///< per label, in closed form
    double milliseconds = 0;
    double perPixel = 0;  ///< ms, of the integration
  };

  Request makeRequest(const FlowState& state, const render::Rect& plot, float scale) const;
  void start(ExhibitContext& context);
  /// `twin`: also computes the map on the pixels of the kernel's map.
  void startExact(ExhibitContext& context, bool twin);
  void startIntegration(ExhibitContext& context);
  /// Integrates every pixel of the picture once the numbers are complete. Only for the canonical field, which follows
  /// many orbits at once and is therefore fast.
  void startFine(ExhibitContext& context);
  bool startKernel(ExhibitContext& context);
  void advanceKernel(ExhibitContext& context);
  void abandonLostKernel(ExhibitContext& context);
  void probeKernel(ExhibitContext& context);
  void collect(ExhibitContext& context);
  void combine();
  /// Updates the progress of the integration, in steps of ten percent.
  void noteProgress();
  void clear();
  bool integratedDone() const { return integrated_.complete() && (!kernelRuns_ || kernelProbes_); }

  Lane<Request, Part> exact_{"flow.basin.exact"}, integrated_{"flow.basin"};
  Lane<Request, BasinMapPointer> fine_{"flow.basin.fine"};
  std::optional<Request> request_;
  bool integratedFresh_ = false;  ///< picture_.integrated belongs to the current request
  bool scripted_ = false;
  BasinPicture picture_;

  FieldKernel<gpu::BasinMapKernel> kernel_;
  bool kernelRuns_ = false, kernelProbes_ = false;
  bool kernelLost_ = false;  ///< the device was lost; the CPU does its work until releaseGpu()
  double kernelProgress_ = 0;
  std::chrono::steady_clock::time_point kernelStarted_;
};

}  // namespace sepx::ui
