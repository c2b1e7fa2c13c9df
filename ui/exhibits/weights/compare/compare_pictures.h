// SPDX-License-Identifier: Apache-2.0
// Pictures of the same part of W_qk in two checkpoints, or of their difference, with the ends of the colours taken from
// the whole matrices. Frame thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ui/exhibit/lane.h"
#include "ui/exhibits/weights/shared/matrix_results.h"

namespace sepx::ui {

/// What a pane shows.
enum class CompareSide { First, Second, Difference };
inline constexpr std::size_t kCompareSides = 3;

class ComparePictures {
 public:
  using Factors = std::shared_ptr<const attention::LayerFactors>;
  /// `partner`: the second checkpoint's layer; null: there is nothing to draw.
  /// `ownScales`: each checkpoint has limits of its own.
  void update(const PageFrame& frame, const MatrixPanes& panes, const std::shared_ptr<const checkpoint::Model>& second,
              const checkpoint::AttentionLayer* partner, bool ownScales, ExhibitContext& context);

  /// Null: none yet.
  const MatrixPart* part(CompareSide side) const { return results(side).part(part_); }
  /// Exact entries come from here; null: not yet.
  const Factors& factors(CompareSide side) const { return made().factors[static_cast<std::size_t>(side)]; }
  bool known() const { return factors(CompareSide::First) && factors(CompareSide::Second); }
  ColorLimits limits(CompareSide side) const;
  std::uint64_t revision() const;  ///< changes with all of these
  bool complete() const;
  bool resting() const;
  const std::string& device() const;
  const std::string& failure() const { return made().failure; }

 private:
  struct Request {
    Factors first;
    std::shared_ptr<const checkpoint::Model> second;
    const checkpoint::AttentionLayer* partner = nullptr;  ///< of `second`
    checkpoint::FactorOptions options;
    bool difference = false;
    bool operator==(const Request&) const = default;
  };
  struct Made {
    std::array<Factors, kCompareSides> factors;  ///< of one layer and head; null: not there
    std::string failure;
  };
  static Made make(const Request& request, const LaneWork& work);
  const Made& made() const { return lane_.result() ? *lane_.result() : nothing_; }
  const MatrixResults& results(CompareSide side) const { return results_[static_cast<std::size_t>(side)]; }

  Lane<Request, Made> lane_{"weights.compare.factors"};
  std::array<MatrixResults, kCompareSides> results_{MatrixResults{"weights.compare.first", false},
                                                    MatrixResults{"weights.compare.second", false},
                                                    MatrixResults{"weights.compare.difference", false}};
  const Made nothing_;  ///< while there are no factors
  attention::Part part_ = attention::Part::Full;
  std::optional<ColorLimits> locked_;
  bool ownScales_ = false;
};

}  // namespace sepx::ui
