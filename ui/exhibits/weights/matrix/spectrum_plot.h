// SPDX-License-Identifier: Apache-2.0
// The spectrum of the chosen W_qk: its singular values on a logarithmic scale and its eigenvalues in the complex plane
// with the circle of the largest modulus. Computed on demand in a job that a person can cancel. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/attention/spectrum.h"
#include "engine/core/exchange.h"
#include "ui/canvas/theme.h"
#include "ui/exhibit/exhibit.h"

namespace sepx::ui {

class SpectrumPlot {
 public:
  SpectrumPlot();

  /// Takes over a finished spectrum; starts one where `wanted` and the factors are other ones. `revision` changes with
  /// the factors. Not wanted: what runs is cancelled, what is there stays.
  void update(std::shared_ptr<const attention::LayerFactors> factors, std::uint64_t revision, bool wanted,
              ExhibitContext& context);
  /// A person's cancel: nothing is started until the factors change or resume().
  void cancel(ExhibitContext& context);
  void resume() { cancelled_ = false; }

  /// Two plots side by side in a wide box, one above the other in a tall one.
  std::vector<render::Item> items(const render::Rect& box, const Theme& theme,
                                  std::optional<render::Point> pointer = std::nullopt) const;
  std::uint64_t revision() const { return shownRevision_; }  ///< changes with what items() shows, but for the pointer
  bool complete() const { return !running_; }
  bool cancelled() const { return cancelled_; }
  const std::shared_ptr<const attention::Spectrum>& result() const { return result_; }
  Numbers numbers() const;

 private:
  struct Published {
    std::uint64_t ticket = 0;
    double share = 0;
    bool done = false;
    std::shared_ptr<const attention::Spectrum> spectrum;  ///< null: not yet, or refused (non-finite)
  };
  void take();

  std::shared_ptr<Exchange<Published>> exchange_;
  std::uint64_t ticket_ = 0, shownRevision_ = 1;
  std::optional<std::uint64_t> factorsRevision_;
  std::shared_ptr<const attention::Spectrum> result_;
  bool running_ = false, cancelled_ = false, failed_ = false;
  double share_ = 0;
};

/// weights.spectrum.rank, .stable_rank, .largest. `plot` outlives the registry.
void declareSpectrum(PropertyRegistry& registry, const SpectrumPlot& plot);

}  // namespace sepx::ui
