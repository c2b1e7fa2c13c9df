// SPDX-License-Identifier: Apache-2.0
// The spectrum of the selected W_qk: its singular values on a logarithmic scale and its eigenvalues in the complex
// plane with the circle of the largest modulus. Computed on demand in a job that the user can cancel. Frame thread.
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
  /// Takes over a finished spectrum, and starts one if it is `wanted` and there is none for these factors. If none is
  /// wanted, running work is cancelled and an existing result for these factors stays.
  void update(const std::shared_ptr<const attention::LayerFactors>& factors, bool wanted, ExhibitContext& context);
  /// Cancels for the user: nothing is started until the factors change or resume() is called.
  void cancel() { lane_.cancel(); }
  void resume() { lane_.clear(); }

  /// Adds the views "singular" and "eigenvalues" in `box`, side by side if it is wide, otherwise one above the other.
  /// Without a spectrum, adds the view "spectrum" with the reason.
  void show(Views& into, const render::Rect& box, const Theme& theme) const;
  /// Adds the same two charts without a place on the page, for figures that contain them. They are empty until there is
  /// a spectrum. `square`: the matrix has eigenvalues.
  void offer(Views& into, bool square, const Theme& theme) const;
  /// Changes with the content of show().
  std::uint64_t revision() const {
    return 4 * lane_.revision() + (lane_.pending() ? 1 : 0) + (lane_.cancelled() ? 2 : 0);
  }
  bool complete() const { return lane_.complete(); }
  bool cancelled() const { return lane_.cancelled(); }
  /// Null: not yet computed, or refused because of non-finite weights.
  const attention::Spectrum* result() const { return lane_.result() && *lane_.result() ? &**lane_.result() : nullptr; }
  Numbers numbers() const;

 private:
  std::string sentence() const;

  Lane<std::shared_ptr<const attention::LayerFactors>, std::optional<attention::Spectrum>> lane_{"weights.spectrum"};
  std::shared_ptr<const attention::LayerFactors> of_;  ///< the last factors that were not null
};

/// Declares weights.spectrum.rank, .stable_rank and .largest. `plot` must outlive the registry.
void declareSpectrum(PropertyRegistry& registry, const SpectrumPlot& plot);

}  // namespace sepx::ui
