// SPDX-License-Identifier: Apache-2.0
// The cloud of particles of the plane as it runs. On the CPU every step is a job of its own, begun when the one before
// is there; on the device steps are submitted and collected without waiting. Which of the two is faster here is
// measured once unless the person or a script has decided. A script and a figure see the cloud after so many steps,
// never a moving one. Frame thread only.
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
  dynamics::ParticleStep step;  ///< of 1/60 s
  int steps = 0;                ///< that it has run at least when it is seen
  bool runs = true;             ///< goes on from there
  std::uint64_t again = 0;      ///< another number: from the start
  bool operator==(const ParticlesRequest&) const = default;
};

using ParticlesPointer = std::shared_ptr<const dynamics::ParticlePicture>;

class FlowParticles {
 public:
  static constexpr double kStepsPerSecond = 60;

  FlowParticles();
  ~FlowParticles();
  /// Takes over what is finished and starts what is due; no request: there is no cloud.
  void update(const std::optional<ParticlesRequest>& request, ExhibitContext& context);
  const ParticlesPointer& picture() const { return picture_; }  ///< null while there is none
  std::uint64_t revision() const { return revision_; }          ///< changes with the picture
  /// Whether the ends are those of one field: not after parameters changed under way.
  bool counts() const { return picture_ && !mixed_; }
  const std::optional<ParticlesRequest>& request() const { return request_; }
  const dynamics::BasinWindow& home() const { return home_; }  ///< where uniform starts lie
  /// P(I_min) of a Gaussian cloud's starts by quadrature; nothing for other clouds and fields.
  const std::optional<double>& exactLocal() const { return exact_; }
  bool complete() const;
  bool moving() const { return live_ && !asleep(); }
  bool advancing() const;                                ///< a device works on what a figure waits for
  const std::string& device() const { return device_; }  ///< "CPU, 3.1 ms a step"
  void releaseGpu();

 private:
  /// Touched by the lane's jobs alone, one after the other.
  struct Held {
    std::unique_ptr<dynamics::ParticleCloud> cloud;
  };
  /// A run of steps from where the cloud stands.
  struct Steps {
    ParticlesRequest request;
    dynamics::BasinWindow home;
    int count = 0;
    dynamics::ParticleStep step;
  };
  struct Part {
    ParticlesPointer picture;
    double stepMs = 0;  ///< 0: nothing was measured
  };

  void updateExact();
  void restart();
  bool mustRestart(const ParticlesRequest& next, bool exactly) const;
  bool asleep() const;
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
  bool fresh_ = false;      ///< picture_ is of the present cloud
  bool cancelled_ = false;  ///< a person cancelled its steps: what is there is all there will be
  bool live_ = false, mixed_ = false, scripted_ = false;
  int quiet_ = 0;               ///< pictures since the last particle came to rest
  std::optional<double> last_;  ///< host time of the last live step
  std::string device_;
  std::optional<double> exact_;
  std::optional<std::pair<double, bool>> exactOf_;  ///< sigma, p + q > 1

  FieldKernel<gpu::ParticlesKernel> kernel_;  ///< costs of a step and particle, ns
  bool onKernel_ = false, kernelStarted_ = false, probing_ = false;
  dynamics::BasinWindow kernelWindow_;
  int submitted_ = 0;  ///< steps given to the kernel
  int probes_ = 0;
};

}  // namespace sepx::ui
