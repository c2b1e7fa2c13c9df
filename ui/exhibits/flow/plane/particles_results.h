// SPDX-License-Identifier: Apache-2.0
// Runs the particle cloud of the plane. On the CPU every step is a job of its own, started when the previous one has
// finished. On the GPU, steps are submitted and collected without waiting. Which of the two is faster on this machine
// is measured once, unless the user or a script has chosen. Scripts and figures see the cloud after a fixed number of
// steps, never in motion. Frame thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/dynamics/particles.h"
#include "ui/exhibits/flow/shared/field_kernel.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

struct ParticlesRequest {
  FlowModel model;
  dynamics::BasinWindow window;
  dynamics::ParticleOptions options;
  dynamics::ParticleStep step;  ///< for 1/60 s
  int steps = 0;                ///< least number of steps before the cloud is complete
  bool runs = true;             ///< the cloud continues to move after these steps
  std::uint64_t again = 0;      ///< a different number restarts the cloud
  bool operator==(const ParticlesRequest&) const = default;
};

using ParticlesPointer = std::shared_ptr<const dynamics::ParticlePicture>;

class FlowParticles {
 public:
  static constexpr double kStepsPerSecond = 60;

  FlowParticles();
  ~FlowParticles();
  /// Takes over finished results and starts the work that is due. An empty request removes the cloud.
  void update(const std::optional<ParticlesRequest>& request, ExhibitContext& context);
  const ParticlesPointer& picture() const { return picture_; }  ///< null while there is none
  std::uint64_t revision() const { return revision_; }          ///< changes with the picture
  /// Whether the counted ends belong to one field. False after its parameters changed while the particles moved.
  bool counts() const { return picture_ && !mixed_; }
  const std::optional<ParticlesRequest>& request() const { return request_; }
  const dynamics::BasinWindow& home() const { return home_; }  ///< window of the uniform starts
  /// P(I_min) of a Gaussian cloud's starts by quadrature; empty for other clouds and fields.
  const std::optional<double>& exactLocal() const { return exact_; }
  bool complete() const;
  bool moving() const { return live_ && !atRest(); }
  bool advancing() const;                                ///< the GPU works on a picture that a figure waits for
  const std::string& device() const { return device_; }  ///< "CPU, 3.1 ms per step"
  void releaseGpu();

 private:
  /// Used only by the lane's jobs, one at a time.
  struct Held {
    std::unique_ptr<dynamics::ParticleCloud> cloud;
  };
  /// A job of `count` steps from the current state of the cloud.
  struct Steps {
    ParticlesRequest request;
    dynamics::BasinWindow home;
    int count = 0;
    dynamics::ParticleStep step;
  };
  struct Part {
    ParticlesPointer picture;
    double stepMs = 0;  ///< 0: not measured
  };

  void updateExact();
  void restart();
  bool mustRestart(const ParticlesRequest& next, bool exactly) const;
  bool atRest() const;
  bool due() const;
  std::uint64_t stepsShown() const { return picture_ && fresh_ ? picture_->steps : 0; }
  dynamics::ParticleStep paced(double seconds);
  void updateJob(ExhibitContext& context);
  void launch(ExhibitContext& context, int steps, const dynamics::ParticleStep& step);
  void collect(ExhibitContext& context);
  void show(ParticlesPointer picture, const std::string& device, double stepMs);
  bool makeKernel(ExhibitContext& context, bool aloud);
  void updateKernel(ExhibitContext& context);
  void probeKernel(ExhibitContext& context);

  Lane<Steps, Part> steps_{"flow.particles"};
  std::shared_ptr<Held> held_;
  std::optional<ParticlesRequest> request_;
  dynamics::BasinWindow home_;
  ParticlesPointer picture_;
  std::uint64_t revision_ = 0;
  bool fresh_ = false;      ///< picture_ belongs to the current cloud
  bool cancelled_ = false;  ///< the user cancelled its steps, so the current picture is final
  bool live_ = false, mixed_ = false, scripted_ = false;
  int quiet_ = 0;               ///< pictures since the last particle came to rest
  std::optional<double> last_;  ///< host time of the last live step
  std::string device_;
  std::optional<double> exact_;
  std::optional<std::pair<double, bool>> exactOf_;  ///< sigma and whether p + q > 1, for exact_

  FieldKernel<gpu::ParticlesKernel> kernel_;  ///< its costs are per step and particle, ns
  bool onKernel_ = false, kernelStarted_ = false, probing_ = false;
  dynamics::BasinWindow kernelWindow_;
  int submitted_ = 0;  ///< steps given to the kernel
  int probes_ = 0;
};

}  // namespace sepx::ui
