// SPDX-License-Identifier: Apache-2.0
// The basin picture of the window: in closed form (Theorems 2 and 8), by integration, or both with their disagreement
// counted. Integration runs as a job in levels (1/8, 1/4, 1/2, 1 of the resolution) or as the compute kernel, a slice a
// frame; which of the two is faster here is measured once unless the person or a script has decided. Frame thread only.
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

/// What is on screen now; pointers are null where there is nothing.
struct BasinPicture {
  BasinMapPointer exact;                                     ///< at the picture's resolution
  BasinMapPointer integrated;                                ///< so far
  BasinMapPointer fine;                                      ///< integrated at the picture's resolution, to look at
  BasinMapPointer twin;                                      ///< closed form on the pixels of `integrated`
  std::shared_ptr<const std::vector<std::uint8_t>> differs;  ///< 1 where integrated and twin differ
  std::optional<std::size_t> disagreements;
  std::vector<double> shares;   ///< per label, of the exact map or else of the integrated one
  std::string device;           ///< "CPU, 3 ms"
  std::optional<int> refining;  ///< percent, while `integrated` is not the last; disagreement is counted at the end
  std::uint64_t revision = 0;   ///< changes with the content
};

/// The pixels on which integrated basins are made, and numbers are counted and given away: the same for every size of
/// the picture.
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
  /// A kernel is working and wants the next frame.
  bool advancing() const { return kernelRuns_; }
  void releaseGpu();

 private:
  struct Request {
    FlowModel model;
    BasinMethod method = BasinMethod::Exact;
    dynamics::BasinWindow picture, integrated;
    bool operator==(const Request& other) const;
  };
  /// What a job hands over; a map that it did not make is null.
  struct Part {
    BasinMapPointer map, twin;
    std::vector<double> shares;  ///< of the closed form
    double milliseconds = 0;
    double perPixel = 0;  ///< ms, of the integration
  };

  Request makeRequest(const FlowState& state, const render::Rect& plot, float scale) const;
  void start(ExhibitContext& context);
  /// `twin`: also on the pixels of the kernel's map.
  void startExact(ExhibitContext& context, bool twin);
  void startIntegration(ExhibitContext& context);
  /// Once the numbers are there, every pixel of the picture: fields that follow many orbits at once have it in a
  /// moment.
  void startFine(ExhibitContext& context);
  bool startKernel(ExhibitContext& context);
  void advanceKernel(ExhibitContext& context);
  void leaveLostKernel(ExhibitContext& context);
  void probeKernel(ExhibitContext& context);
  void collect(ExhibitContext& context);
  void combine();
  /// How far the integration is, in steps of ten percent.
  void noteProgress();
  void clear();
  bool integratedDone() const { return integrated_.complete() && (!kernelRuns_ || kernelProbes_); }

  Lane<Request, Part> exact_{"flow.basin.exact"}, integrated_{"flow.basin"};
  Lane<Request, BasinMapPointer> fine_{"flow.basin.fine"};
  std::optional<Request> request_;
  bool integratedFresh_ = false;  ///< picture_.integrated is of the present request
  bool scripted_ = false;
  BasinPicture picture_;

  FieldKernel<gpu::BasinMapKernel> kernel_;
  bool kernelRuns_ = false, kernelProbes_ = false;
  bool kernelLost_ = false;  ///< the CPU has taken its work over, until releaseGpu()
  double kernelProgress_ = 0;
  std::chrono::steady_clock::time_point kernelStarted_;
};

}  // namespace sepx::ui
