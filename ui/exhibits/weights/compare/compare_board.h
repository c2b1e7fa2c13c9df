// SPDX-License-Identifier: Apache-2.0
// The second checkpoint and its distance from the first, layer by layer and head by head: |A - B|_F and the cosine of
// the two forms, computed from the factors in a job; and the pictures of both and of their difference. Frame thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/difference.h"
#include "engine/checkpoint/model_cache.h"
#include "ui/exhibits/weights/shared/matrix_results.h"
#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

/// A layer that both checkpoints have with the same shape.
struct CompareEntry {
  checkpoint::Stack stack = checkpoint::Stack::Self;
  int layer = 0;
  attention::Difference whole;
  std::vector<attention::Difference> heads;  ///< empty if the numbers of heads differ
};

/// The layer of the second checkpoint to compare with `first`; null: there is none, and `why` receives the reason as
/// one sentence.
const checkpoint::AttentionLayer* partnerOf(const checkpoint::Model& second, const checkpoint::AttentionLayer& first,
                                            std::string* why = nullptr);
/// W_qk of `a` minus W_qk of `b`, as factors of one wide head. The shapes must agree.
attention::LayerFactors differenceFactors(const attention::LayerFactors& a, const attention::LayerFactors& b);

class CompareBoard {
 public:
  void update(const WeightsShared& shared, ExhibitContext& context);

  const std::shared_ptr<const checkpoint::Model>& model() const { return made().model; }
  const std::vector<CompareEntry>& entries() const { return made().entries; }
  /// The difference of a head; -1: of the whole layer. Empty optional: not yet computed, or there is none.
  std::optional<attention::Difference> at(checkpoint::Stack stack, int layer, int head) const;
  /// Why the comparison failed, and why some layers cannot be compared: one sentence each, empty if there is no
  /// problem.
  const std::string& failure() const { return made().failure; }
  const std::string& mismatch() const { return made().mismatch; }
  bool complete() const { return lane_.complete(); }
  std::uint64_t revision() const { return lane_.revision(); }

 private:
  struct Request {
    std::shared_ptr<const checkpoint::Model> first;
    std::string path, rules;
    checkpoint::FactorOptions options;
    bool operator==(const Request&) const = default;
  };
  struct Board {
    std::shared_ptr<const checkpoint::Model> model;
    std::vector<CompareEntry> entries;
    std::string failure, mismatch;
  };
  static void work(const Request& request, ThreadPool& pool, LaneOutput<Board>& output);
  const Board& made() const { return lane_.value(); }

  Lane<Request, Board> lane_{"weights.compare"};
};

/// The content of a pane.
enum class CompareSide { First, Second, Difference };
inline constexpr std::size_t kCompareSides = 3;

class ComparePictures {
 public:
  using Factors = std::shared_ptr<const attention::LayerFactors>;
  /// `partner`: the layer of the second checkpoint; null: there is nothing to draw. `ownScales`: each checkpoint has
  /// its own limits.
  void update(const PageFrame& frame, const MatrixPanes& panes, const std::shared_ptr<const checkpoint::Model>& second,
              const checkpoint::AttentionLayer* partner, bool ownScales, ExhibitContext& context);

  /// Null: not yet made.
  const MatrixPart* part(CompareSide side) const { return results(side).part(part_); }
  /// The factors, for exact entries; null: not yet read.
  const Factors& factors(CompareSide side) const { return made().factors[static_cast<std::size_t>(side)]; }
  bool known() const { return factors(CompareSide::First) && factors(CompareSide::Second); }
  ColorLimits limits(CompareSide side) const;
  std::uint64_t revision() const;  ///< changes with any of these
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
    std::array<Factors, kCompareSides> factors;  ///< of one layer and head; null: not read
    std::string failure;
  };
  static Made make(const Request& request, const LaneWork& work);
  const Made& made() const { return lane_.value(); }
  const MatrixResults& results(CompareSide side) const { return results_[static_cast<std::size_t>(side)]; }

  Lane<Request, Made> lane_{"weights.compare.factors"};
  std::array<MatrixResults, kCompareSides> results_{MatrixResults{"weights.compare.first", false},
                                                    MatrixResults{"weights.compare.second", false},
                                                    MatrixResults{"weights.compare.difference", false}};
  attention::Part part_ = attention::Part::Full;
  std::optional<ColorLimits> locked_;
  bool ownScales_ = false;
};

}  // namespace sepx::ui
