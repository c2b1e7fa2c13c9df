// SPDX-License-Identifier: Apache-2.0
// Integrates batches of orbits on the device, in chunks that keep the buffers small (some devices limit storage buffers
// to 128 MiB) and each dispatch short.
#include <algorithm>
#include <cassert>
#include <cstddef>

#include <fmt/format.h>

#include "engine/gpu/check.h"
#include "engine/gpu/kernels/compute_program.h"
#include "engine/gpu/kernels/kernels.h"
#include "shaders/include/kernel_params.h"

namespace sepx::gpu {

namespace {

using glsl::TrajectoriesParams;

static_assert(sizeof(TrajectoriesParams) == 32 && offsetof(TrajectoriesParams, step) == 28);

constexpr std::size_t kMostStates = std::size_t{1} << 21;  // of one dispatch: 16 MiB
constexpr std::size_t kMostEvaluations = std::size_t{1}
                                         << 27;  // per dispatch: well under a second in lavapipe's slowest case

class TrajectoriesOnDevice final : public TrajectoriesKernel {
 public:
  TrajectoriesOnDevice(Context& context, const dynamics::VectorField& field)
      : context_(context),
        program_(context, fmt::format("trajectories.comp.{}", field.info().key), sizeof(TrajectoriesParams), 2) {}

  Result<dynamics::TrajectoryBatch> run(std::span<const double> parameters, const std::vector<dynamics::State>& starts,
                                        const dynamics::TrajectoryOptions& options) override;

 private:
  Context& context_;
  ComputeProgram program_;
};

Result<dynamics::TrajectoryBatch> TrajectoriesOnDevice::run(std::span<const double> parameters,
                                                            const std::vector<dynamics::State>& starts,
                                                            const dynamics::TrajectoryOptions& options) {
  assert(parameters.size() <= 4);
  if (options.samples < 1 || options.substeps < 1)
    return fail(ErrorKind::Usage, "trajectories need at least one sample and one step between samples");
  dynamics::TrajectoryBatch batch;
  batch.points = static_cast<int>(starts.size());
  batch.samples = options.samples;
  const auto samples = static_cast<std::size_t>(options.samples);
  batch.states.resize(starts.size() * samples * 2);
  TrajectoriesParams params{};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    params.parameters[i] = static_cast<float>(parameters[i]);
  params.samples = static_cast<std::uint32_t>(options.samples);
  params.substeps = static_cast<std::uint32_t>(options.substeps);
  params.step = static_cast<float>(options.length / (std::max(options.samples - 1, 1) * options.substeps));
  if (options.backward) params.step = -params.step;
  const std::size_t evaluations = 4 * samples * static_cast<std::size_t>(options.substeps);
  const std::size_t chunk = std::max<std::size_t>(1, std::min(kMostStates / samples, kMostEvaluations / evaluations));
  try {
    if (context_.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, "TrajectoriesKernel");
    std::vector<float> input;
    for (std::size_t first = 0; first < starts.size(); first += chunk) {
      const std::size_t count = std::min(chunk, starts.size() - first);
      params.points = static_cast<std::uint32_t>(count);
      input.clear();
      for (const dynamics::State& start : std::span(starts).subspan(first, count))
        input.insert(input.end(), {static_cast<float>(start[0]), static_cast<float>(start[1])});
      program_.run(context_, input, std::as_bytes(std::span(&params, 1)), params.points,
                   std::span(batch.states).subspan(first * samples * 2, count * samples * 2));
    }
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
  return batch;
}

}  // namespace

Result<std::unique_ptr<TrajectoriesKernel>> TrajectoriesKernel::create(Context& context,
                                                                       const dynamics::VectorField& field) {
  return makeForField<TrajectoriesOnDevice, TrajectoriesKernel>(context, field, "trajectories", "trajectories");
}

}  // namespace sepx::gpu
