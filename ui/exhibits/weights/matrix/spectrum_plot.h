// SPDX-License-Identifier: Apache-2.0
// The spectrum of the chosen W_qk: its singular values on a logarithmic scale and its eigenvalues in the complex plane
// with the circle of the largest modulus. Computed on demand in a job that a person can cancel. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/attention/spectrum.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"
#include "ui/views/board.h"

namespace sepx::ui {

class SpectrumPlot {
 public:
  /// Takes over a finished spectrum; starts one where it is `wanted` and the factors are other ones. Not wanted: what
  /// runs is cancelled, what is there stays.
  void update(const std::shared_ptr<const attention::LayerFactors>& factors, bool wanted, ExhibitContext& context);
  /// A person's cancel: nothing is started until the factors change or resume().
  void cancel() { lane_.cancel(); }
  void resume() { lane_.clear(); }

  /// The views "singular" and "eigenvalues" in `box`: side by side in a wide one, one above the other in a tall one. Or
  /// "spectrum": why there are none.
  void show(Views& into, const render::Rect& box, const Theme& theme) const;
  /// The same two charts for a figure that asks for them, at no place of the page; empty until there is a spectrum.
  /// `square`: the matrix has eigenvalues.
  void offer(Views& into, bool square, const Theme& theme) const;
  /// Changes with what show() shows.
  std::uint64_t revision() const {
    return 4 * lane_.revision() + (lane_.pending() ? 1 : 0) + (lane_.cancelled() ? 2 : 0);
  }
  bool complete() const { return lane_.complete(); }
  bool cancelled() const { return lane_.cancelled(); }
  /// Null: not yet, or refused (non-finite).
  const attention::Spectrum* result() const { return lane_.result() && *lane_.result() ? &**lane_.result() : nullptr; }
  Numbers numbers() const;

 private:
  std::string sentence() const;

  Lane<std::shared_ptr<const attention::LayerFactors>, std::optional<attention::Spectrum>> lane_{"weights.spectrum"};
  std::shared_ptr<const attention::LayerFactors> of_;  ///< the factors that were there last
};

/// weights.spectrum.rank, .stable_rank, .largest. `plot` outlives the registry.
void declareSpectrum(PropertyRegistry& registry, const SpectrumPlot& plot);

}  // namespace sepx::ui
