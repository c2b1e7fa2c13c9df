// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/switches.h"

#include <algorithm>
#include <numeric>

#include "engine/core/random.h"
#include "engine/core/try.h"
#include "engine/reversal/answer.h"

namespace sepx::reversal {
namespace {

/// Places in the order of roles: [M], the capital, then the placeholders in sequence order.
std::vector<int> byRole(const Query& query) {
  std::vector<int> places{query.hidden, query.evidence};
  for (int k = 0; k < static_cast<int>(query.tokens.size()); ++k)
    if (k != query.hidden && k != query.evidence) places.push_back(k);
  return places;
}

Direction other(Direction direction) {
  return direction == Direction::Forward ? Direction::Reverse : Direction::Forward;
}

}  // namespace

std::vector<int> placesOf(const Switches& switches, int length, std::uint64_t number) {
  if (!switches.shuffle) return {};
  std::vector<int> places(static_cast<std::size_t>(length));
  std::iota(places.begin(), places.end(), 0);
  RandomStream random(switches.seed, number);
  for (std::size_t i = places.size(); i > 1; --i)
    std::swap(places[i - 1], places[random.below(i)]);
  return places;
}

Vector attentionOf(const OneLayer& model, const Pair& pair, Direction direction, const Switches& switches,
                   std::span<const int> places) {
  const Direction whose = switches.transplant ? other(direction) : direction;
  const Query query = maskedQuery(pair, whose);
  const Vector alpha = model.alpha(query.tokens, query.hidden, places);
  return switches.transplant ? transplanted(pair, whose, alpha) : alpha;
}

Vector transplanted(const Pair& pair, Direction from, const Vector& alpha) {
  const std::vector<int> there = byRole(maskedQuery(pair, from)), here = byRole(maskedQuery(pair, other(from)));
  Vector moved(alpha.size());
  for (std::size_t i = 0; i < here.size(); ++i)
    moved[here[i]] = alpha[there[i]];
  return moved;
}

Result<std::optional<AccuracyReport>> measureSwitched(const nn::ModelConfig& config, std::span<const float> theta,
                                                      std::span<const Pair> pairs, const Switches& switches,
                                                      const std::function<bool()>& cancelled) {
  constexpr std::size_t kGroup = 256;
  SEPX_ASSIGN(const OneLayer model, OneLayer::make(config, theta, switches.positions.value_or(config.positions)));
  AccuracyReport report;
  report.pairs = pairs.size();
  if (pairs.empty()) return std::optional(report);
  for (const Direction direction : kDirections) {
    Answers& answers = direction == Direction::Forward ? report.forward : report.reverse;
    for (std::size_t first = 0; first < pairs.size(); first += kGroup) {
      if (cancelled && cancelled()) return std::optional<AccuracyReport>();
      const auto some = pairs.subspan(first, std::min(kGroup, pairs.size() - first));
      Rows contexts(static_cast<Eigen::Index>(some.size()), config.d_h()), streams(contexts.rows(), config.d_model);
      for (std::size_t i = 0; i < some.size(); ++i) {
        const Query query = maskedQuery(some[i], direction);
        const std::vector<int> places = placesOf(switches, some[i].length, first + i);
        const auto row = static_cast<Eigen::Index>(i);
        contexts.row(row) =
            model.context(query.tokens, attentionOf(model, some[i], direction, switches, places), places);
        const int at = places.empty() ? query.hidden : places[static_cast<std::size_t>(query.hidden)];
        streams.row(row) = model.stream(data::kPairMask, at);
      }
      const Rows logits = model.logits(contexts, streams);
      for (std::size_t i = 0; i < some.size(); ++i)
        addMaskedAnswer(std::span(logits.data() + i * static_cast<std::size_t>(logits.cols()),
                                  static_cast<std::size_t>(logits.cols())),
                        some[i].small(), answers);
    }
    divide(answers, static_cast<double>(pairs.size()));
  }
  return std::optional(report);
}

}  // namespace sepx::reversal
