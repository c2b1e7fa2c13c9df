// SPDX-License-Identifier: Apache-2.0
// See group_run.h.
#include "engine/train/group_run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/gemm.h"
#include "engine/core/try.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

namespace sepx::train {
namespace {

template <class T>
Result<void> broadcastValue(ProcessGroup& group, T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return group.broadcast(std::as_writable_bytes(std::span(&value, 1)));
}

/// Compares what must be the same on this rank and on rank 0.
Result<void> compareWith(const RunConfig& config, std::string_view theirs, std::string_view theirLevel,
                         std::uint64_t theirData, std::uint64_t ourData) {
  SEPX_ASSIGN(RunConfig other, parseRunConfig(theirs, "the config of rank 0", "/"));
  // These values come from the data and are not fields of a config file.
  other.objective.maskToken = config.objective.maskToken;
  other.objective.firstRandom = config.objective.firstRandom;
  other.objective.lastRandom = config.objective.lastRandom;
  if (const std::optional<Difference> differs = difference(config, other))
    return fail(ErrorKind::Usage, fmt::format("its config has {} {}, that of rank 0 {}; give all ranks the same file",
                                              differs->field, differs->ours, differs->theirs));
  if (theirData != ourData)
    return fail(ErrorKind::BadInput, fmt::format("{}: its data are not those of rank 0; give all ranks the same files",
                                                 config.data.path.empty() ? "data.kind" : config.data.path));
  const std::string_view ours = gemmLevelName(gemmLevel());
  if (ours != theirLevel)
    return fail(ErrorKind::Usage,
                fmt::format("its processor computes with {}, that of rank 0 with {}, and their numbers would drift "
                            "apart; set SEPX_SIMD to the lower of the two on all ranks",
                            ours, theirLevel));
  return {};
}

}  // namespace

Result<void> compareRanks(ProcessGroup& group, const Result<void>& prepared, const RunConfig& config,
                          const data::Source* source) {
  SEPX_TRY(agree(group, prepared));
  const std::string mine = configText(config), level(gemmLevelName(gemmLevel()));
  const std::uint64_t ours = fingerprint(*source, config.model.length);
  std::uint64_t data = ours;
  SEPX_ASSIGN(const std::string theirs, broadcastText(group, mine));
  SEPX_ASSIGN(const std::string theirLevel, broadcastText(group, level));
  SEPX_TRY(broadcastValue(group, data));
  return agree(group, group.rank() == 0 ? Result<void>{} : compareWith(config, theirs, theirLevel, data, ours));
}

Result<void> shareState(ProcessGroup& group, TrainState& state) {
  std::array<std::vector<float>*, 4> arrays{&state.theta, &state.first, &state.second, &state.average};
  std::array<std::uint64_t, 4> sizes{};
  std::ranges::transform(arrays, sizes.begin(), [](const std::vector<float>* one) { return one->size(); });
  SEPX_TRY(broadcastValue(group, sizes));
  SEPX_TRY(broadcastValue(group, state.step));
  SEPX_TRY(broadcastValue(group, state.optimiserSteps));
  SEPX_TRY(broadcastValue(group, state.sequence));
  SEPX_TRY(broadcastValue(group, state.rateFactor));
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    arrays[i]->resize(sizes[i]);
    SEPX_TRY(group.broadcast(std::as_writable_bytes(std::span(*arrays[i]))));
  }
  return {};
}

Result<GroupOrder> shareOrder(ProcessGroup& group, GroupOrder order) {
  SEPX_TRY(broadcastValue(group, order));
  return order;
}

void RankChecksum::add(std::span<const std::byte> bytes) {
  constexpr std::uint64_t kOdd = 0xff51afd7ed558ccd;
  const auto mix = [this](std::uint64_t word) {
    hash_ = (hash_ ^ word) * kOdd;
    hash_ ^= hash_ >> 32U;
  };
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof(word) <= bytes.size(); at += sizeof(word)) {
    std::memcpy(&word, bytes.data() + at, sizeof(word));
    mix(word);
  }
  std::uint64_t rest = bytes.size();
  for (; at < bytes.size(); ++at)
    rest = rest << 8U | static_cast<std::uint64_t>(bytes[at]);
  mix(rest);
}

void RankChecksum::add(const nn::Batch& batch) {
  static_assert(sizeof(nn::Target) == 12);  // no padding
  add(std::as_bytes(std::span(batch.tokens)));
  add(std::as_bytes(std::span(batch.targets)));
  add(std::as_bytes(std::span(batch.lengths)));
  add(std::as_bytes(std::span(batch.readable)));
  add(std::as_bytes(std::span(batch.pixels)));
}

/// The short sum comes last, so that no rank makes a step with the data of a rank that ended while it was sending.
Result<double> sumStep(ProcessGroup& group, const PartOutcome& mine, std::int64_t step, std::span<float> gradient) {
  const std::size_t ranks = static_cast<std::size_t>(group.size()), own = static_cast<std::size_t>(group.rank());
  // The loss, then by rank: cancelled, then failed, then mark.
  std::vector<double> all(1 + 3 * ranks, 0.0);
  const std::span<double> cancelled = std::span(all).subspan(1, ranks),
                          failed = std::span(all).subspan(1 + ranks, ranks),
                          marks = std::span(all).subspan(1 + 2 * ranks, ranks);
  all[0] = mine.loss;
  cancelled[own] = mine.cancelled ? 1 : 0;
  failed[own] = mine.status ? 0 : 1;
  marks[own] = mine.mark.value();
  SEPX_TRY(group.sum(gradient));
  SEPX_TRY(group.sum(all));
  const auto any = [](std::span<const double> flags) {
    return std::ranges::any_of(flags, [](double one) { return one != 0; });
  };
  if (any(failed)) SEPX_TRY(agree(group, mine.status));
  if (any(cancelled)) return fail(ErrorKind::Interrupted, fmt::format("step {} was interrupted before its end", step));
  for (std::size_t rank = 1; rank < ranks; ++rank)
    if (marks[rank] != marks[0])
      return fail(ErrorKind::CheckFailed,
                  fmt::format("in step {} rank {} has different sequences or parameters from rank 0; give all ranks "
                              "the same files and the same program",
                              step, rank));
  return all[0];
}

}  // namespace sepx::train
