// SPDX-License-Identifier: Apache-2.0
// The idealised layer of Reversal, appendix C.3, as the page Ideal shows it: gradient flow on the forward loss over
// time, and the condition that decides about the reverse answer, as charts. Pure; the computation takes about half a
// millisecond (D = 8).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "engine/core/result.h"
#include "engine/reversal/transfer_flow.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

inline constexpr double kFirstIdealTime = 1e-2, kLastIdealTime = 1e6;
inline constexpr int kMostIdealDistance = 50;
inline constexpr int kSamplesPerPlace = 4;  ///< samples per place of a curve over distances
inline constexpr double kIdealSeed = 1;     ///< its query gives the condition either sign, by the sum of distances

/// The choices of the user.
struct IdealRequest {
  reversal::TransferKind kind = reversal::TransferKind::Rope;
  int dimensions = 8;            ///< D; even under RoPE
  int forward = 1, reverse = 1;  ///< Δ1, Δ2, places
  double slope = -0.25, base = 10000;
  int vocabulary = 4;
  std::uint64_t seed = 0;  ///< of q, and of k under ALiBi
  auto key() const { return std::tie(kind, dimensions, forward, reverse, slope, base, vocabulary, seed); }
  bool operator==(const IdealRequest& other) const { return key() == other.key(); }
};
/// q ~ N(0, I); k = 0 under RoPE, where it trains, and ~ N(0, I) under ALiBi. A is token 0, eta = 1.
reversal::TransferFlow idealFlow(const IdealRequest& request);

struct IdealResult {
  IdealRequest request;
  reversal::TransferFlow flow;
  std::vector<reversal::TransferState> states;  ///< ascending times from kFirstIdealTime to kLastIdealTime
  double condition = 0;                         ///< q^T R(Δ1+Δ2) q / |q|²; ALiBi: NaN
  std::vector<double> geometry;                 ///< the same by Δ1+Δ2 = 0 … 2 kMostIdealDistance; ALiBi: empty
  std::vector<double> curve;                    ///< the same in steps of 1/kSamplesPerPlace, also between whole places
  const reversal::TransferState& at(double time) const;  ///< the last state at or before `time`, else the first
};
using IdealPointer = std::shared_ptr<const IdealResult>;
/// Usage as reversal::check().
Result<IdealPointer> computeIdeal(const IdealRequest& request);

/// What the paper proves for this setting, and the result here; translated.
std::string idealSentence(const IdealResult& result);
/// The same in a few words, for a small pane.
std::string idealShortSentence(const IdealResult& result);

enum class IdealChart { Probability, Attention, Storage, Geometry };
/// `remaining`: 1 - p on a logarithmic axis in place of p.
LineChart idealChart(const IdealResult& result, IdealChart which, bool remaining, const Theme& theme);

}  // namespace sepx::ui
